"""Scores and predictions as long tables, which can be read back."""

import gzip
import io
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from fairtrial.data import Dataset
from fairtrial.design import Study
from fairtrial.errors import InputError
from fairtrial.methods import Method
from fairtrial.results import read_predictions, read_scores, read_study, trial_table
from fairtrial.results.readers.read_table import read_table

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


class Shaky(GaussianNB):
    """Fails on some training sets."""

    def fit(self, X, y):
        if int(X.sum() * 10) % 3 == 0:
            raise ValueError("by chance")
        return super().fit(X, y)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Two data sets with other classes each, methods that give other things each, none of them a yardstick."""
    path = tmp_path_factory.mktemp("export") / "study.trial"
    methods = {"bayes": GaussianNB(), "ridge": RidgeClassifier(), "majority": "majority"}
    study = Study(
        datasets=["breast_cancer", "wine"], methods=methods, resampling="2x3-fold", measures=["accuracy", "mcc"]
    )
    study.run(path, workers=0, progress=False).source.file.close()
    return path


@pytest.fixture
def results(path):
    return read_study(path)


@pytest.fixture(params=["csv", "csv.gz", "parquet"])
def ending(request):
    return request.param


class TestPlaces:
    def test_a_name_that_is_too_long_is_bad_input(self, results, tmp_path):
        with pytest.raises(InputError, match=r"the name of a file or folder must have at most 255 bytes, got '"):
            results.export(scores=tmp_path / f"{'x' * 300}.csv")
        assert list(tmp_path.iterdir()) == []

    def test_the_longest_name_goes_well(self, results, tmp_path, ending):
        name = "ü" * ((255 - len(ending) - 1) // 2) + f".{ending}"
        (written,) = results.export(scores=tmp_path / name)
        assert len(read_table(written)[0]) == len(results.scores)

    def test_what_another_writes_beside_is_left_alone(self, results, tmp_path):
        (tmp_path / "s.csv.part").write_text("mine")
        results.export(scores=tmp_path / "s.csv")
        assert (tmp_path / "s.csv.part").read_text() == "mine"

    def test_two_tables_need_two_places(self, path, tmp_path):
        same = [str(tmp_path / "same.csv"), str(tmp_path / ".." / tmp_path.name / "same.csv")]
        for scores, predictions in (same, ("-", "-")):
            command = ["export", str(path), "--scores", scores, "--predictions", predictions]
            done = subprocess.run([sys.executable, "-m", "fairtrial.cli", *command], capture_output=True, text=True)
            assert (done.returncode, done.stdout) == (2, "")
            assert "scores and predictions must go to two files" in done.stderr


class TestFormulas:
    def test_names_that_a_spreadsheet_would_compute_are_no_formulas_and_come_back(self, tmp_path):
        table = "dataset,=1+1,-x\n" + "".join(f"@d{i},0.{i},0.5\n" for i in range(1, 8))
        (tmp_path / "wide.csv").write_text(table, encoding="utf-8")
        results = read_scores(tmp_path / "wide.csv", measure="accuracy")
        (written,) = results.export(scores=tmp_path / "long.csv")
        lines = written.read_text(encoding="utf-8").splitlines()[1:]
        assert {tuple(line.split(",")[:2]) for line in lines} >= {("'@d1", "'=1+1"), ("'@d7", "'-x")}
        again = read_scores(written)
        assert again.method_names() == ("=1+1", "-x")
        assert again.dataset_names() == results.dataset_names()


class TestScores:
    def test_come_back_with_the_same_verdict(self, results, ending, tmp_path):
        (written,) = results.export(scores=tmp_path / f"scores.{ending}")
        back = read_scores(written, measure="accuracy", resampling="2x3-fold", baseline="majority")
        order = ["dataset", "method", "repeat", "fold", "measure"]
        ours, theirs = (r.scores.sort_values(order).reset_index(drop=True) for r in (results, back))
        pd.testing.assert_frame_equal(ours, theirs, check_dtype=False)
        assert back.verdict().sentence == results.verdict().sentence
        assert back.verdict().evidence.means.tolist() == results.verdict().evidence.means.tolist()

    def test_failures_and_undefined_scores_stay_apart(self, tmp_path):
        methods = {"shaky": Method("shaky", Shaky(), version="1"), "majority": "majority"}
        study = Study(datasets=["iris"], methods=methods, resampling="4x3-fold", measures=["accuracy", "mcc"])
        results = study.run(workers=0, progress=False)
        assert 0 < len(results.failures) < 12
        results.export(scores=tmp_path / "s.csv")
        back = read_scores(tmp_path / "s.csv", measure="accuracy", resampling="4x3-fold", baseline="majority")
        assert len(back.failures) == len(results.failures)
        undefined = results.scores[(results.scores["status"] == "ok") & results.scores["value"].isna()]
        again = back.scores[(back.scores["status"] == "ok") & back.scores["value"].isna()]
        assert len(undefined) == len(again) > 0  # the mcc of the majority
        assert back.verdict().sentence == results.verdict().sentence

    def test_levels_are_columns(self, tmp_path):
        study = Study(datasets=["iris"], methods=["majority"], resampling="2-fold", factors={"label_noise": [0, 0.5]})
        results = study.run(workers=0, progress=False)
        results.export(scores=tmp_path / "s.csv", predictions=tmp_path / "p.parquet")
        assert sorted(set(pd.read_csv(tmp_path / "s.csv")["label_noise"])) == [0.0, 0.5]
        assert sorted(set(pd.read_parquet(tmp_path / "p.parquet")["label_noise"])) == [0.0, 0.5]

    def test_only_some_measures(self, results, tmp_path):
        results.only_measures("log_loss", "accuracy").export(scores=tmp_path / "s.csv")
        assert list(dict.fromkeys(pd.read_csv(tmp_path / "s.csv")["measure"])) == ["accuracy", "log_loss"]

    def test_levels_come_back_with_the_same_verdicts(self, ending, tmp_path):
        methods = {"bayes": GaussianNB(), "ridge": RidgeClassifier(), "majority": "majority"}
        factors = {"label_noise": [0, 0.3], "train_size": [60, 0.5]}
        study = Study(datasets=["wine"], methods=methods, resampling="2x3-fold", measures=["accuracy"], factors=factors)
        results = study.run(workers=0, progress=False)
        (written,) = results.export(scores=tmp_path / f"scores.{ending}")
        back = read_scores(written, measure="accuracy", resampling="2x3-fold", baseline="majority")
        assert back.factors == {"label_noise": (0, 0.3), "train_size": (0.5, 60)}
        assert list(back.scores.columns) == list(results.scores.columns)
        for levels in results.levels():
            ours, theirs = (r.at(levels).verdict() for r in (results, back))
            assert ours.sentence == theirs.sentence
            assert ours.evidence.means.tolist() == theirs.evidence.means.tolist()
        assert len(back.verdicts().verdicts) == 4

    def test_a_failure_belongs_to_its_level(self, write):
        text = "dataset,method,label_noise,value\nd,a,0,0.9\nd,b,0,0.8\nd,a,0.1,0.7\nd,b,0.1,\n"
        back = read_scores(write(text), measure="accuracy")
        assert back.failures[["method", "label_noise"]].to_numpy().tolist() == [["b", 0.1]]
        assert len(back.at(label_noise=0).failures) == 0

    def test_a_factor_that_tells_nothing_apart_only_describes(self, write):
        back = read_scores(write("dataset,method,train_size,value\nd,a,90,0.9\nd,b,90,0.8\n"), measure="accuracy")
        assert back.factors == {}

    def test_levels_that_a_factor_cannot_have(self, write):
        rows = "dataset,method,label_noise,value\nd,a,0,0.9\nd,a,{0},0.8\n"
        with pytest.raises(InputError, match=r"levels of label_noise must be shares from 0 .* got 2"):
            read_scores(write(rows.format(2)), measure="accuracy")
        with pytest.raises(InputError, match="levels of label_noise must be numbers, got 'much'"):
            read_scores(write(rows.format("much")), measure="accuracy")

    def test_predictions_at_several_levels_are_not_taken_for_repeats(self, tmp_path):
        study = Study(datasets=["iris"], methods=["majority"], resampling="2-fold", factors={"label_noise": [0, 0.5]})
        results = study.run(workers=0, progress=False)
        results.export(predictions=tmp_path / "p.csv")
        with pytest.raises(
            InputError, match=r"several levels of label_noise; choose a level first.*--at label_noise=0\)"
        ):
            read_predictions(tmp_path / "p.csv")
        results.at(label_noise=0.5).export(predictions=tmp_path / "one.csv")
        ours, theirs = (
            r.scores.query("measure == 'accuracy'") for r in (results, read_predictions(tmp_path / "one.csv"))
        )
        assert ours.query("label_noise == 0.5")["value"].tolist() == theirs["value"].tolist()


class TestPredictions:
    def test_come_back_with_the_same_verdict(self, results, ending, tmp_path):
        (written,) = results.export(predictions=tmp_path / f"predictions.{ending}")
        back = read_predictions(written, truth="truth", resampling="2x3-fold", measure="accuracy", repeat="repeat")
        assert back.verdict().sentence == results.verdict().sentence
        assert back.verdict().evidence.means.tolist() == results.verdict().evidence.means.tolist()

    def test_by_another_measure_and_for_the_same_positive_class(self, results, tmp_path):
        results.export(predictions=tmp_path / "p.csv")
        only = pd.read_csv(tmp_path / "p.csv").query("dataset == 'breast_cancer' and method != 'majority'")
        back = read_predictions(only, truth="truth", resampling="2x3-fold", repeat="repeat")
        there = back.with_measures("auc").scores.query("measure == 'auc'").groupby("method")["value"].mean()
        own = results.with_measures("auc").scores.query("measure == 'auc' and dataset == 'breast_cancer'")
        assert there.to_dict() == pytest.approx(own.groupby("method")["value"].mean()[["bayes", "ridge"]].to_dict())

    def test_values_with_standard_deviations(self, tmp_path):
        random = np.random.RandomState(0)
        X = random.normal(size=(40, 2))
        data = Dataset.from_arrays(X, X[:, 0] + random.normal(size=40), name="line")
        study = Study(datasets=[data], methods={"linear": LinearRegression(), "mean": "mean"}, resampling="4-fold")
        results = study.run(workers=0, progress=False)
        results.export(predictions=tmp_path / "p.csv")
        back = read_predictions(tmp_path / "p.csv", truth="truth", measure="rmse", resampling="4-fold")
        assert back.verdict().evidence.means.tolist() == results.verdict("rmse").evidence.means.tolist()

    def test_part_after_part_is_the_same(self, path, tmp_path, monkeypatch):
        read_study(path).export(predictions=tmp_path / "whole.csv")
        monkeypatch.setattr(trial_table, "MOST_INSTANCES", 100)
        source = read_study(path).source
        assert max(map(len, source.table().parts())) < 400  # one test set of breast_cancer has 190
        read_study(path).export(predictions=tmp_path / "parts.csv")
        assert (tmp_path / "parts.csv").read_text() == (tmp_path / "whole.csv").read_text()

    def test_the_frame_is_the_same(self, results, tmp_path):
        results.export(predictions=tmp_path / "p.csv")
        written = read_table(tmp_path / "p.csv")[0]
        pd.testing.assert_frame_equal(written, results.predictions[written.columns], check_dtype=False)

    def test_results_of_scores_have_none(self):
        scores = read_scores(
            pd.DataFrame({"dataset": ["a", "b"], "x": [0.1, 0.2], "y": [0.2, 0.3]}), measure="accuracy"
        )
        with pytest.raises(InputError, match="scores without predictions"):
            scores.export(predictions="p.csv")

    def test_results_of_predictions(self, tmp_path):
        table = pd.DataFrame({"y": ["a", "b", "a"], "one": ["a", "b", "b"], "two": ["a", "a", "a"]})
        read_predictions(table, truth="y").export(predictions=tmp_path / "p.csv", scores=tmp_path / "s.csv")
        assert len(pd.read_csv(tmp_path / "p.csv")) == 6


class TestFiles:
    def test_nothing_asked_for(self, results):
        with pytest.raises(InputError, match="nothing to export; say scores="):
            results.export()

    def test_another_ending(self, results, tmp_path):
        with pytest.raises(InputError, match=r"must end in .csv, .csv.gz or .parquet, got '.*s.xlsx'"):
            results.export(scores=tmp_path / "s.xlsx")

    def test_a_folder_that_is_not_there(self, results, tmp_path):
        with pytest.raises(InputError, match="can't be written: No such file or directory"):
            results.export(scores=tmp_path / "no" / "s.csv")

    @pytest.mark.parametrize("name", ["s.csv", "s.csv.gz", "s.parquet"])
    def test_a_folder_that_is_a_file(self, results, tmp_path, name):
        (tmp_path / "file").touch()
        with pytest.raises(InputError, match=r"can't be written: .*; choose another place"):
            results.export(scores=tmp_path / "file" / name)

    def test_parquet_without_pyarrow(self, results, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(InputError, match=r"needs pyarrow, which is not there; pip install 'fairtrial\[arrow\]'"):
            results.export(scores=tmp_path / "s.parquet")

    def test_what_fails_half_way_leaves_nothing(self, results, tmp_path, monkeypatch):
        def parts(self):
            yield self.trials.head(1)
            raise KeyboardInterrupt

        monkeypatch.setattr(type(results.source), "_frames", parts)
        with pytest.raises(KeyboardInterrupt):
            results.export(predictions=tmp_path / "p.csv")
        assert list(tmp_path.iterdir()) == []

    def test_gz_is_gz(self, results, tmp_path):
        results.export(scores=tmp_path / "s.csv.gz")
        assert gzip.decompress((tmp_path / "s.csv.gz").read_bytes()).startswith(b"dataset,method,")


class TestCommand:
    def export(self, *arguments):
        return subprocess.run([sys.executable, "-m", "fairtrial", "export", *map(str, arguments)],
                              capture_output=True, text=True)  # fmt: skip

    def test_both(self, path, tmp_path):
        done = self.export(path, "--scores", tmp_path / "s.csv", "--predictions", tmp_path / "p.parquet")
        assert done.stdout.split() == [str(tmp_path / "s.csv"), str(tmp_path / "p.parquet")]
        assert len(pd.read_parquet(tmp_path / "p.parquet")) == 2 * 3 * (569 + 178)

    def test_standard_output_and_measures(self, path):
        done = self.export(path, "--scores", "-", "--measure", "mcc", "--measure", "log_loss")
        frame = pd.read_csv(io.StringIO(done.stdout))
        assert list(dict.fromkeys(frame["measure"])) == ["mcc", "log_loss"]
        assert len(frame) == 2 * 2 * 3 * 6

    def test_says_what_was_wrong(self, path):
        done = self.export(path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "nothing to export" in done.stderr
        assert "--measure chooses among scores" in self.export(path, "--predictions", "-", "--measure", "mcc").stderr
