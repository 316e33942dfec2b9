"""Tuned methods in whole studies: the same numbers everywhere, and what results, verdicts and reports show of it."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.data import datasets
from fairtrial.engine.perform import Bench, perform
from fairtrial.methods import Method
from fairtrial.methods.estimators import OneRule
from fairtrial.resampling import KFold

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


NEIGHBOURS = {"n_neighbors": [1, 5, 15]}
DEPTHS = {"max_depth": {"low": 1, "high": 8, "whole": True}, "min_samples_leaf": [1, 5]}


@pytest.fixture(scope="module")
def study():
    return ft.Study(
        datasets=["iris", "wine"],
        methods={
            "near": ft.tuned(KNeighborsClassifier(), NEIGHBOURS, inner="3-fold"),
            "tree": make_pipeline(
                StandardScaler(),
                ft.tuned(DecisionTreeClassifier(), DEPTHS, search="halton", budget=5, inner="3-fold"),
            ),
            "bayes": GaussianNB(),
        },
        resampling="3-fold",
    )


@pytest.fixture(scope="module")
def results(study):
    return study.run(workers=0, progress=False)


class TestRun:
    def test_the_numbers_do_not_depend_on_workers(self, study, results):
        others = study.run(workers=2, progress=False)
        same = ["dataset", "method", "repeat", "fold", "measure", "value"]
        timed = {"fit_time", "predict_time"}
        one, two = (
            r.scores.loc[~r.scores["measure"].isin(timed), same].reset_index(drop=True) for r in (results, others)
        )
        assert one.equals(two)
        left = ["seconds", "refit_seconds"]
        assert results.tuning.drop(columns=left).equals(others.tuning.drop(columns=left))
        assert results.tried.equals(others.tried)

    def test_equals_the_same_calls_by_hand(self, study, results):
        from fairtrial.methods.tuning import Rows, inner_splits
        from fairtrial.resampling import derive_seed

        (iris,) = datasets("iris")
        split = next(iter(KFold(3).splits(iris, 1)))
        rows, y = split.train_rows(), iris.target[split.train_rows()]
        seed = derive_seed(1, iris.fingerprint, split.digest(), "inner")
        pairs = list(inner_splits(KFold(3), Rows("iris", y, "classes"), seed).pairs)
        search = GridSearchCV(KNeighborsClassifier(), NEIGHBOURS, cv=pairs).fit(iris.X[rows], y)
        own = results.tuning.query("dataset == 'iris' and method == 'near' and fold == 0").iloc[0]
        assert own["param_n_neighbors"] == search.best_params_["n_neighbors"]
        assert own["inner_score"] == pytest.approx(search.best_score_)
        score = results.scores.query("dataset == 'iris' and method == 'near' and fold == 0 and measure == 'accuracy'")
        assert score["value"].item() == pytest.approx(search.score(iris.X[split.test], iris.target[split.test]))

    def test_the_time_to_fit_includes_the_tuning(self, results):
        times = results.scores.query("measure == 'fit_time'").set_index(["dataset", "method", "fold"])["value"]
        for row in results.tuning.itertuples():
            assert times[row.dataset, row.method, row.fold] >= row.seconds + row.refit_seconds > 0

    def test_when_all_configurations_fail_the_trial_fails_with_the_reason(self):
        (iris,) = datasets("iris")
        search = ft.tuned(KNeighborsClassifier(), {"n_neighbors": [-1, 0]})
        record = perform(b"k" * 16, Bench(iris, Method("a", search)), next(iter(KFold(5).splits(iris, 1))))
        assert record.status == "failed"
        first = record.error.split("\n")[0]
        assert first.startswith(
            "InputError: no configuration could be fitted on the inner splits: all 2 failed; n_neig"
        )
        assert "'n_neighbors' parameter of KNeighborsClassifier must be" in first

    def test_an_estimator_that_wants_a_frame_gets_one(self):
        (vote,) = datasets("vote")
        method = Method("rule", ft.tuned(OneRule(), {"min_bucket": [3, 9]}))
        assert method.fed_with() == "frame"
        assert perform(b"k" * 16, Bench(vote, method), next(iter(KFold(5).splits(vote, 1)))).status == "ok"


class TestResults:
    def test_one_row_a_trial(self, results):
        frame = results.tuning
        assert len(frame) == 2 * 2 * 3
        near, tree = frame[frame["method"] == "near"], frame[frame["method"] == "tree"]
        assert set(near["configurations"]) == {3}
        assert set(near["fits"]) == {3 * 3 + 1}
        assert set(tree["fits"]) == {5 * 3 + 1}
        assert set(near["param_n_neighbors"]) <= {1, 5, 15}
        assert all(isinstance(v, int) for v in near["param_n_neighbors"])
        assert near["param_max_depth"].isna().all()
        assert tree["param_max_depth"].between(1, 8).all()
        assert set(frame["measure"]) == {"accuracy"}

    def test_all_that_was_tried(self, results):
        frame = results.tried
        assert len(frame) == 2 * 3 * 3 + 2 * 3 * 5
        for _, own in frame.groupby(["dataset", "method", "fold"]):
            assert own["inner_score"].is_monotonic_decreasing
            assert own["place"].tolist() == list(range(1, len(own) + 1))
            np.testing.assert_allclose(own["inner_score"], own["scores"].map(np.mean))
        best = frame[frame["place"] == 1].reset_index(drop=True)
        assert (best["inner_score"] == results.tuning["inner_score"]).all()

    def test_table(self, results):
        table = results.tuning_table()
        rows = {row[0]: row for row in table.rows}
        assert list(rows) == ["near", "tree", "bayes"]
        assert rows["near"][1:4] == ("grid, accuracy over 3-fold", 3, 10)
        assert rows["bayes"][1:3] == ("not tuned", 0)
        assert rows["tree"][5] == pytest.approx(results.tuning.query("method == 'tree'")["seconds"].sum())
        assert "n_neighbors" in rows["near"][6]

    def test_configurations_that_failed_are_counted(self):
        search = ft.tuned(KNeighborsClassifier(), {"n_neighbors": [-1, 3]})
        results = ft.Study(datasets=["iris"], methods={"a": search}, resampling="2-fold").run(workers=0, progress=False)
        assert results.tuning_table().notes[1] == "2 configurations of a failed, over all trials: results.tried has why"
        assert results.tried["error"].str.startswith("InvalidParameterError").tolist() == [False, True, False, True]

    def test_levels(self):
        study = ft.Study(
            datasets=["iris"],
            methods={"near": ft.tuned(KNeighborsClassifier(), NEIGHBOURS)},
            resampling="2-fold",
            factors={"label_noise": [0, 0.3]},
        )
        results = study.run(workers=0, progress=False)
        frame = results.tuning
        assert frame["label_noise"].tolist().count(0.3) == 2
        assert frame.groupby("label_noise")["inner_score"].mean().is_monotonic_decreasing
        assert len(results.at(label_noise=0.3).tuning) == 2
        assert "label_noise" not in results.at(label_noise=0.3).tuning

    def test_without_tuning_there_is_nothing(self):
        results = ft.Study(datasets=["iris"], methods=["one_rule"], resampling="2-fold").run(workers=0, progress=False)
        assert results.tuning.empty
        assert results.tried.empty
        assert "dataset" in results.tuning
        assert results.tuning_table() is None

    def test_report(self, results, tmp_path):
        page = results.report(tmp_path / "report.html").read_text(encoding="utf-8")
        assert "grid, accuracy over 3-fold" in page
        assert "KNeighborsClassifier, tuned: n_neighbors in [1, 5, 15]" in page


class TestBudgets:
    def test_unequal_ones_are_told_before_and_after(self, study, results):
        numbers = "tree is tuned over 5 configurations, near over 3, bayes over none"
        told = f"{numbers}: part of a difference may come from the tuning"
        assert told in [notice.text for notice in study.plan().notices]
        assert told in [c.sentence for c in results.verdict().notices if not c.is_fine]
        # 6 trials of near with 3 × 3 inner fits, 6 of tree with 5 × 3
        assert "24 fits, and up to 144 more for tuning; a pilot" in study.plan().cost()

    def test_equal_ones_are_told_too(self):
        study = ft.Study(
            datasets=["iris"],
            methods={
                "near": ft.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 9]}),
                "bayes": ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 1e-2]}),
            },
            resampling="2-fold",
        )
        assert not [n for n in study.plan().notices if "tuned" in n.text]
        texts = [c.text for c in study.run(workers=0, progress=False).verdict().notices if c.is_fine]
        assert "all methods are tuned over 2 configurations" in texts
