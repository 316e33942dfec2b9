"""Every analysis of results with failed trials applies the study's policy, or says what it leaves out."""

import re
import subprocess
import sys
import time
from dataclasses import replace

import cloudpickle
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB

from fairtrial.data import Dataset
from fairtrial.design import Study
from fairtrial.errors import InputError
from fairtrial.figures import view_of_results
from fairtrial.measures import ContextMap, get
from fairtrial.methods import Method
from fairtrial.report import write_report
from fairtrial.results import read_scores, read_study
from fairtrial.results.failure_policy import ABSENT, FAILED, OK, Grid, apply_policy
from fairtrial.tables import Marked

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


class Shaky(GaussianNB):
    """Fails on the training sets that lack the first instance: on one fold of each repeat."""

    def fit(self, X, y):
        if not (X == 0.0).all(axis=1).any():
            raise ValueError("the first instance is missing")
        return super().fit(X, y)


class Slow(ClassifierMixin, BaseEstimator):
    """Takes too long on the same training sets."""

    def fit(self, X, y):
        if not (X == 0.0).all(axis=1).any():
            time.sleep(60)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def dataset(name: str, seed: int) -> Dataset:
    random = np.random.RandomState(seed)
    y = np.repeat(["a", "b"], 30)
    X = random.normal(size=(60, 2)) + 2 * (y == "b")[:, None]
    X[0] = 0.0
    return Dataset.from_arrays(X, y, name=name)


def study(**changes) -> Study:
    methods = {"bayes": GaussianNB(), "shaky": Method("shaky", Shaky(), version="1"), "majority": "majority"}
    parts = {
        "datasets": [dataset("one", 1), dataset("two", 2)], "methods": methods, "resampling": "2x3-fold",
        "measures": ["accuracy", "fit_time"],
    }  # fmt: skip
    return Study(**{**parts, **changes})


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("failures") / "study.trial"
    study().run(path, workers=0, progress=False).source.file.close()
    return path


@pytest.fixture
def results(path):
    found = read_study(path)
    assert len(found.failures) == 4  # one fold of two repeats on two data sets
    return found


@pytest.fixture(scope="module")
def slow():
    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers need not find this file
    methods = {"bayes": GaussianNB(), "slow": Method("slow", Slow(), version="1"), "majority": "majority"}
    made = study(methods=methods, datasets=[dataset("one", 1)], resampling="3-fold", time_limit=0.5)
    return made.run(workers=1, progress=False)


def expected(results, dataset: str, stand_in) -> float:
    """The mean of shaky's accuracy, with something for the failed splits."""
    own = results.scores.query("dataset == @dataset and measure == 'accuracy'")
    wide = own.pivot(index=["repeat", "fold"], columns="method", values="value")
    failed = wide["shaky"].isna()
    assert failed.sum() == 2
    return float(wide["shaky"].where(~failed, stand_in(wide)).mean())


def cell(table, row: int, method: str) -> float:
    value = table.rows[row][[c.title for c in table.columns].index(method)]
    return value.value if isinstance(value, Marked) else value


class TestMeans:
    def test_of_results_take_the_baseline(self, results):
        table = results.to_table()
        assert cell(table, 0, "shaky") == pytest.approx(expected(results, "one", lambda wide: wide["majority"]))
        failed = "4 of 36 trials failed: shaky on one (2) and shaky on two (2)"
        assert table.notes == (f"† {failed}; scored as the baseline 'majority' on those splits",)
        assert table.rows[0][2] == Marked(cell(table, 0, "shaky"), "†", "2 of 6 trials failed")

    def test_are_those_of_the_verdict(self, results):
        table, evidence = results.to_table(), results.verdict().evidence
        for i in range(2):
            for m, method in enumerate(evidence.columns):
                assert cell(table, i, method) == pytest.approx(evidence.means[i, m])

    def test_under_the_policy_of_the_study(self, tmp_path):
        found = study(failures="worst").run(tmp_path / "w.trial", workers=0, progress=False)
        assert cell(found.to_table(), 1, "shaky") == pytest.approx(expected(found, "two", lambda _: 0.0))
        assert "scored as 0, the worst" in found.to_table().notes[0]
        assert "scored as 0, the worst" in str(found.verdict().notices[0])

    def test_a_policy_that_refuses_leaves_out_and_says_so(self, tmp_path):
        found = study(failures="refuse").run(workers=0, progress=False)
        assert "failed trials are left out of these means" in found.to_table().notes[0]
        with pytest.raises(InputError, match="the failure policy is 'refuse'"):
            found.verdict()

    def test_pooled_over_folds_a_repeat_with_a_failed_trial_is_the_baselines(self, results):
        name = "accuracy(combine='pooled')"
        evidence = results.verdict(name).evidence
        own = results.with_measures(name).scores.query("measure == @name and method == 'majority' and dataset == 'one'")
        column = evidence.columns.index("shaky")
        assert evidence.folds[0][:, column].tolist() == own["value"].tolist()
        said = "4 of 12 repeats have a failed trial: shaky on one (2) and shaky on two (2); scored as the baseline"
        assert said in str(results.verdict(name).notices[0])

    def test_of_costs_a_failed_trial_is_not_cheap(self, results):
        verdict = results.verdict("fit_time")
        assert "fit_time scored as the largest of the other methods on those splits" in str(verdict.notices[0])
        assert (verdict.evidence.folds[0] > 0).all()


class TestCensored:
    def test_a_time_that_was_cut_off_is_the_limit_and_said_to_be(self, slow):
        assert slow.failures["error"].str.startswith("TimeLimit").all()
        verdict = slow.verdict("fit_time")
        column = verdict.evidence.columns.index("slow")
        assert verdict.evidence.folds[0][:, column].max() == pytest.approx(0.5, abs=0.3)
        assert verdict.evidence.folds[0][:, column].max() >= 0.5
        text = "1 of them cut off at the limit, so that their fit_time is at least what it was then (censored)"
        assert text in str(verdict.notices[0])

    def test_one_that_was_cut_off_while_it_waited_is_not_cheap(self, slow):
        assert slow.failures["error"].str.startswith("TimeLimit").all()
        evidence = slow.verdict("fit_cpu").evidence
        column = evidence.columns.index("slow")
        failed = slow.scores.query("measure == 'fit_time' and method == 'slow'")["value"].to_numpy() >= 0.5
        assert failed.sum() == 1
        assert evidence.folds[0][failed, column] >= evidence.folds[0][failed].max(axis=1)

    def test_by_hand(self):
        # seen until the end: 2, 0.5 and nothing; the largest of the others is 1 on each split
        values = np.array([[2.0, 1.0], [0.5, 1.0], [np.nan, 1.0]])
        state = np.array([[FAILED, OK]] * 3)
        grid = Grid(("one",), ("cut", "other"), np.zeros(3, dtype=np.int64), values, state)
        scored = apply_policy(grid, "baseline", None, get("fit_cpu"))
        assert scored.values[:, 0].tolist() == [2.0, 1.0, 1.0]
        assert "1 of them cut off at the limit" in scored.notes[-1]

    def test_and_in_the_table_of_means(self, slow):
        table = slow.to_table()
        assert "scored as the baseline" in table.notes[0]


class TestPredictions:
    """Nothing can stand in for predictions: what is left out is said."""

    @pytest.mark.parametrize(
        "look",
        [
            lambda r: r.curves("roc", dataset="one"),
            lambda r: r.confusion_matrix("shaky", "one"),
            lambda r: r.contexts("one"),
            lambda r: view_of_results(r, "roc", dataset="one"),
        ],
    )
    @pytest.mark.filterwarnings("error")
    def test_notes_say_what_is_left_out(self, results, look):
        found = look(results)
        assert "failed trials on one have no predictions and are left out: 2 of shaky" in found.notes
        assert len(found.notes) == (1 if isinstance(found, ContextMap) else 2)  # others say how instances count
        printed = found.words if hasattr(found, "words") else str(found)
        assert printed.endswith(found.notes[-1])

    def test_none_where_nothing_failed(self, results):
        counted = ("each of 60 instances counts twice, once for each time that it was predicted",)
        assert results.confusion_matrix("bayes", "one").notes == counted
        once = ("120 predictions of 60 instances: an instance that is predicted several times counts as one",)
        assert results.curves("roc", dataset="one", methods=["bayes"]).notes == once

    @pytest.mark.filterwarnings("error")
    def test_words_beside_a_figure(self, results):
        words = view_of_results(results, "confusion", dataset="one", methods=["shaky"]).words
        assert words.endswith("failed trials on one have no predictions and are left out: 2 of shaky")

    def test_the_command_line(self, path, tmp_path):
        command = [sys.executable, "-m", "fairtrial", "draw", str(path), "roc", "--dataset", "one"]
        done = subprocess.run([*command, "--out", str(tmp_path / "roc.png")], capture_output=True, text=True)
        assert "are left out: 2 of shaky" in done.stdout
        assert "Warning" not in done.stderr

    def test_the_report(self, results, tmp_path):
        page = write_report(results, tmp_path / "r.html").read_text()
        assert "Failed trials on one have no predictions and are left out: 2 of shaky." in page
        assert re.search(r"fit time of failed trials: the limit that cut them off, or the largest", page)


class TestExport:
    def test_failed_trials_are_rows_without_a_value(self, results, tmp_path):
        results.export(scores=tmp_path / "s.csv")
        lines = (tmp_path / "s.csv").read_text().splitlines()
        assert sum(line.endswith(",failed") and ",accuracy,," in line for line in lines) == 4


class TestCommandLine:
    @pytest.mark.parametrize("command", ["compare", "report"])
    def test_the_policy_can_be_chosen(self, path, tmp_path, command):
        out = ["--out", str(tmp_path / "r.md")] if command == "report" else []
        arguments = [sys.executable, "-m", "fairtrial", command, str(path), "--failures", "worst", *out]
        done = subprocess.run(arguments, capture_output=True, text=True)
        text = (tmp_path / "r.md").read_text() if command == "report" else done.stdout
        assert "scored as 0, the worst" in text


def test_two_scores_for_one_cell_are_refused(tmp_path):
    results = study().run(tmp_path / "s.trial", workers=0, progress=False)
    first = results.scores[results.scores["measure"] == "accuracy"].head(2)
    doubled = replace(results, scores=pd.concat([results.scores, first]))
    with pytest.raises(InputError, match="must be there once for each method and split, but 2 are there again"):
        doubled.verdict("accuracy")


class TestAveraged:
    def test_by_hand(self):
        # one data set, two splits; the first has two replicates, of which one failed for b, the second has one
        values = np.array([[0.8, 0.5], [0.6, 0.1], [0.9, np.nan]])
        state = np.array([[OK, OK], [OK, FAILED], [OK, ABSENT]], dtype=np.int8)
        grid = Grid(("d",), ("a", "b"), np.zeros(3, np.int64), values, state, split=np.array([0, 0, 1]))
        found = grid.averaged()
        assert found.values[:, 0].tolist() == pytest.approx([0.7, 0.9])
        assert found.values[0, 1] == pytest.approx(0.3)
        assert np.isnan(found.values[1, 1])
        assert found.state.tolist() == [[OK, FAILED], [OK, ABSENT]]
        assert found.owner.tolist() == [0, 0]
        assert found.averaged() is found

    def test_an_undefined_replicate_makes_its_split_undefined(self):
        values, state = np.array([[0.8], [np.nan]]), np.full((2, 1), OK, dtype=np.int8)
        grid = Grid(("d",), ("a",), np.zeros(2, np.int64), values, state, split=np.array([0, 0]))
        assert np.isnan(grid.averaged().values[0, 0])

    def test_rows_that_are_kept_keep_their_splits(self):
        values, state = np.array([[1.0], [2.0], [4.0]]), np.full((3, 1), OK, dtype=np.int8)
        grid = Grid(("d", "e"), ("a",), np.array([0, 1, 1]), values, state, split=np.array([0, 1, 1]))
        assert grid.on("e").averaged().values.tolist() == [[3.0]]


class TestMissingScores:
    def frame(self, hole):
        rows = [(f"d{i}", m, 0.5 + i / 50 + j / 10) for i in range(8) for j, m in enumerate("ab")]
        frame = pd.DataFrame(rows, columns=["dataset", "method", "value"]).astype({"value": object})
        frame.loc[3, "value"] = hole
        return frame

    def test_a_score_that_is_not_there_is_missing(self):
        verdict = read_scores(self.frame(None), measure="accuracy").verdict(failures="drop")
        assert verdict.notices[0].sentence.startswith("1 of 16 scores are missing: b on d1 (1); 1 data set dropped")
        assert (verdict.finding.scope.n, len(verdict.evidence.datasets)) == (7, 7)
        assert "these 7 (of 8: the others lack scores)" in verdict.sentence

    def test_a_file_that_says_that_a_trial_failed_is_believed(self):
        verdict = read_scores(self.frame("out of memory"), measure="accuracy").verdict(failures="drop")
        assert verdict.notices[0].sentence.startswith("1 of 16 trials failed (1 out of memory): b on d1 (1)")

    def test_reasons_of_a_column_beside_the_scores_are_kept(self):
        frame = self.frame(None).rename(columns={"value": "auc"}).assign(status="ok")
        frame.loc[3, "status"] = "Timeout"
        frame.loc[[5, 7], ["auc", "status"]] = [None, "no licence"]
        results = read_scores(frame, measure="auc")
        assert results.failures["error"].tolist() == ["out of time", "no licence", "no licence"]
        sentence = results.verdict(failures="worst").notices[0].sentence
        assert sentence.startswith("3 of 16 trials failed (2 no licence and 1 out of time): ")

    def test_a_text_beside_a_score_that_is_there_is_no_failure(self):
        frame = self.frame(0.6).rename(columns={"value": "auc"}).assign(info="converged")
        assert read_scores(frame, measure="auc").failures.empty
