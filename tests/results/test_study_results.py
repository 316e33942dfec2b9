"""Results of a study that was run here, against the same splits and seeds by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.results import read_study

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


class Fails(GaussianNB):
    """Can't be fitted where the largest value of the first column is missing: on one fold."""

    def fit(self, X, y):
        if np.asarray(X)[:, 0].max() < 28:
            raise ValueError("too small for me")
        return super().fit(X, y)


TUMOURS = ft.datasets("breast_cancer")[0].with_positive("benign")  # the first class


def run(methods, **more):
    settings = {"datasets": ["breast_cancer"], "resampling": "3-fold", "seed": 5, **more}
    return ft.Study(methods=methods, **settings).run(None, workers=0, progress=False)


@pytest.fixture(scope="module")
def results():
    methods = {
        "bayes": GaussianNB(),
        "ridge": RidgeClassifier(),
        "svc": LinearSVC(),
        "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    }
    return run(methods, datasets=[TUMOURS])


def by_fold(results, method, measure):
    own = results.with_measures(measure).scores.query("method == @method and measure == @measure")
    return own.sort_values("fold")["value"].to_numpy()


def by_hand(results, estimator, score):
    """Fit on what each fold did not test, and score what it did."""
    X, y = load_breast_cancer(return_X_y=True)[0], TUMOURS.codes
    tested = results.predictions.query("method == 'bayes'")
    found = []
    for _, fold in tested.groupby("fold"):
        rows = fold["instance"].to_numpy()
        train = np.setdiff1d(np.arange(len(y)), rows)
        found.append(score(estimator.fit(X[train], y[train]), X[rows], y[rows]))
    return np.asarray(found)


class TestScores:
    def test_accuracy(self, results):
        for name, estimator in (("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=3, random_state=0))):
            expected = by_hand(results, estimator, lambda m, X, y: m.score(X, y))
            np.testing.assert_allclose(by_fold(results, name, "accuracy"), expected)

    def test_the_orientation_of_scores_when_the_first_class_is_positive(self, results):
        facts = results.datasets["breast_cancer"]
        assert facts["positive"] == 0
        expected = by_hand(results, RidgeClassifier(), lambda m, X, y: metrics.roc_auc_score(y, m.decision_function(X)))
        np.testing.assert_allclose(by_fold(results, "ridge", "auc"), expected, rtol=1e-9)
        assert by_fold(results, "svc", "auc").min() > 0.9
        bayes = by_hand(results, GaussianNB(), lambda m, X, y: metrics.roc_auc_score(y == 0, m.predict_proba(X)[:, 0]))
        np.testing.assert_allclose(by_fold(results, "bayes", "auc"), bayes)

    def test_measures_after_the_fact(self, results):
        more = results.with_measures("precision", "brier")
        assert {"precision", "brier"} <= set(more.measures)
        expected = by_hand(results, GaussianNB(), lambda m, X, y: metrics.precision_score(y, m.predict(X), pos_label=0))
        np.testing.assert_allclose(by_fold(results, "bayes", "precision"), expected)
        assert results.with_measures("accuracy") is results

    def test_the_yardstick_may_be_undefined(self, results):
        # a majority baseline predicts nothing positive: its precision is undefined, which must not stop the others
        verdict = results.verdict("precision")
        assert verdict.evidence.yardsticks
        assert len(verdict.evidence.folds[0]) == 3
        assert "majority" in str(verdict)

    def test_a_measure_that_a_method_can_not_have(self, results):
        with pytest.raises(InputError, match=r"log_loss is undefined for ridge on all 3 splits of breast_cancer"):
            results.verdict("log_loss")

    def test_times(self, results):
        times = results.scores.query("measure == 'fit_time'")["value"]
        assert (times > 0).all()

    def test_values(self):
        data = ft.datasets("diabetes")
        study = ft.Study(datasets=data, methods={"linear": LinearRegression()}, resampling="4-fold", seed=1)
        results = study.run(None, workers=0, progress=False)
        X, y = load_diabetes(return_X_y=True)
        tested = results.predictions.query("method == 'linear' and fold == 1")
        rows = tested["instance"].to_numpy()
        train = np.setdiff1d(np.arange(len(y)), rows)
        predicted = LinearRegression().fit(X[train], y[train]).predict(X[rows])
        np.testing.assert_allclose(tested["value"], predicted, rtol=1e-6)
        found = results.scores.query("method == 'linear' and fold == 1 and measure == 'rmse'")["value"].item()
        assert found == pytest.approx(metrics.root_mean_squared_error(y[rows], predicted), rel=1e-6)


class TestPredictions:
    def test_frame(self, results):
        frame = results.predictions
        bunch = load_breast_cancer()
        own = frame.query("method == 'bayes'").sort_values("instance")
        assert own["instance"].tolist() == list(range(569))  # each instance is tested once
        assert own["truth"].tolist() == bunch.target_names[bunch.target].tolist()
        np.testing.assert_allclose(own["p_benign"] + own["p_malignant"], 1)
        clear = own[own["p_benign"] > 0.9]
        assert (clear["label"] == "benign").all()
        assert (clear["truth"] == "benign").mean() > 0.9
        ridge = frame.query("method == 'ridge'")
        assert ridge.groupby("truth")["score"].mean().idxmax() == "benign"  # higher for the positive class


@pytest.fixture(scope="module")
def failing():
    return run({"bayes": GaussianNB(), "fails": ft.Method("fails", Fails(), version="1")})


class TestFailures:
    def test_are_recorded_and_scored_as_the_baseline(self, failing):
        assert set(failing.failures["method"]) == {"fails"}
        assert "too small for me" in failing.failures["error"].iloc[0]
        verdict = failing.verdict()
        assert "fails" in [row[0] for row in verdict.to_table().rows]
        assert verdict.failed == len(failing.failures) == 1
        baseline = failing.baseline
        column = verdict.evidence.columns
        folds = verdict.evidence.folds[0]
        failed = failing.failures["fold"].to_numpy()
        np.testing.assert_array_equal(folds[failed, column.index("fails")], folds[failed, column.index(baseline)])

    def test_a_failed_trial_is_not_fast(self, failing):
        folds = failing.verdict("fit_time").evidence.folds[0]
        names = failing.verdict("fit_time").evidence.columns
        failed = failing.failures["fold"].to_numpy()
        assert (folds[failed, names.index("fails")] == folds[failed].max(axis=1)).all()


class TestStudyFile:
    def test_read_again(self, tmp_path):
        study = ft.Study(
            datasets=["iris"],
            methods={"bayes": GaussianNB(), "logistic": LogisticRegression(max_iter=500)},
            resampling="3-fold",
            seed=2,
        )
        first = study.run(tmp_path / "iris.trial", workers=0, progress=False)
        second = read_study(tmp_path / "iris.trial")
        exact = ["accuracy", "auc", "log_loss"]
        left = first.scores[first.scores["measure"].isin(exact)].reset_index(drop=True)
        right = second.scores[second.scores["measure"].isin(exact)].reset_index(drop=True)
        assert left.equals(right)
        assert first.verdict().sentence == second.verdict().sentence

    def test_a_listed_baseline_is_compared(self):
        results = run({"bayes": GaussianNB(), "most": DummyClassifier()}, datasets=["iris"])
        assert results.yardsticks == ()
        assert results.baseline == "most"
        assert results.verdict().evidence.methods == ("bayes", "most")

    def test_the_yardstick_as_control_is_compared(self):
        results = run({"bayes": GaussianNB()}, datasets=["iris"])
        yardstick = results.yardsticks[0]
        verdict = results.verdict(control=yardstick)
        assert verdict.evidence.methods == ("bayes", yardstick)
        assert verdict.winner == "bayes"

    def test_part_of_a_run(self, results):
        from dataclasses import replace

        part = replace(results, scores=results.scores.query("not (method == 'tree' and fold == 2)"))
        verdict = part.verdict()
        assert len(verdict.evidence.folds[0]) == 2
        assert any("1 of 3 splits is not yet run for all methods" in c.text for c in verdict.notices)
        none = replace(results, scores=results.scores.query("method != 'tree' or fold == 9"))
        assert "tree" not in none.method_names()


class TestRevisions:
    def test_a_data_set_that_was_changed_and_put_back_is_scored_by_its_own_truth(self, tmp_path):
        import numpy as np

        from fairtrial.data import Dataset

        X = np.random.RandomState(0).normal(size=(200, 3))
        right, wrong = (X[:, 0] > 0).astype(int), (X[:, 1] > 0).astype(int)
        path = tmp_path / "a.trial"

        def accuracy(y):
            data = Dataset.from_arrays(X, y, name="d")
            study = ft.Study(datasets=[data], methods={"bayes": GaussianNB()}, resampling="2-fold")
            scores = study.run(path, workers=0, progress=False).scores
            return scores[(scores["measure"] == "accuracy") & (scores["method"] == "bayes")]["value"].tolist()

        first = accuracy(right)
        assert accuracy(wrong) != first
        assert accuracy(right) == first
