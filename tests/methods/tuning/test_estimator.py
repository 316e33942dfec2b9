"""An estimator that tunes itself: against scikit-learn's search on the same splits, and what happens when it fails."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier, is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import Ridge
from sklearn.metrics import average_precision_score, make_scorer, recall_score
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.methods.tuning.inner_resampling import InnerSplits, Rows, inner_splits
from fairtrial.resampling import KFold

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


DIABETES = load_diabetes(return_X_y=True)


IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)


def five_folds(y, task: str, seed: int = 3) -> InnerSplits:
    return inner_splits(KFold(5), Rows("data", y, task), seed)


class TestAgainstGridSearch:
    """Same splits, same estimator, same grid: scikit-learn's GridSearchCV (any version) must say the same."""

    @pytest.mark.parametrize(
        ("estimator", "space", "measure", "scoring"),
        [
            (KNeighborsClassifier(), {"n_neighbors": [1, 3, 30, 80]}, "accuracy", "accuracy"),
            (KNeighborsClassifier(), {"n_neighbors": [1, 3, 30, 80]}, "log_loss", "neg_log_loss"),
            (SVC(), {"C": [0.01, 1, 100], "gamma": [1e-5, 1e-3]}, "auc", "roc_auc"),
            (SVC(), {"C": [0.01, 1, 100], "gamma": [1e-5, 1e-3]}, "average_recall", "balanced_accuracy"),
        ],
    )
    def test_classes(self, estimator, space, measure, scoring):
        X, y = CANCER
        splits = five_folds(y, "classes")
        ours = ft.tuned(estimator, space, measure=measure).fit(X, y, splits=splits)
        theirs = GridSearchCV(estimator, space, cv=list(splits.pairs), scoring=scoring).fit(X, y)
        self.assert_equal(ours, theirs, -1 if scoring.startswith("neg") else 1)
        assert (ours.predict(X) == theirs.predict(X)).all()

    def test_values(self):
        X, y = DIABETES
        splits = five_folds(y, "values")
        space = {"alpha": [0.001, 0.03, 1, 30]}
        ours = ft.tuned(Ridge(), space).fit(X, y, splits=splits)
        theirs = GridSearchCV(Ridge(), space, cv=list(splits.pairs), scoring="neg_root_mean_squared_error").fit(X, y)
        self.assert_equal(ours, theirs, -1)
        assert (ours.predict(X) == theirs.predict(X)).all()
        assert ours.measure_ == "rmse"

    def test_pipelines(self):
        X, y = CANCER
        splits = five_folds(y, "classes")
        pipeline, space = make_pipeline(StandardScaler(), SVC()), {"svc__C": [1e-4, 0.1, 10]}
        ours = ft.tuned(pipeline, space).fit(X, y, splits=splits)
        self.assert_equal(ours, GridSearchCV(pipeline, space, cv=list(splits.pairs)).fit(X, y), 1)

    @staticmethod
    def assert_equal(ours, theirs, sign):
        assert ours.best_params_ == theirs.best_params_
        assert ours.best_score_ == pytest.approx(sign * theirs.best_score_)
        assert len(ours.tried_) == len(theirs.cv_results_["params"])
        for i, parameters in enumerate(theirs.cv_results_["params"]):
            (same,) = [t for t in ours.tried_ if t.parameters == parameters]
            each = [sign * theirs.cv_results_[f"split{k}_test_score"][i] for k in range(5)]
            np.testing.assert_allclose(same.scores, each)
            assert same.score == pytest.approx(sign * theirs.cv_results_["mean_test_score"][i])

    @pytest.mark.parametrize("positive", ["benign", "malignant"])
    def test_the_positive_class_is_the_one_that_is_said(self, positive):
        X, y = CANCER[0], np.where(CANCER[1] == 1, "benign", "malignant")
        made = five_folds(y, "classes")
        splits = InnerSplits(made.pairs, classes=("benign", "malignant"), positive=positive)
        space = {"C": [1e-3, 1.0]}
        scorer = make_scorer(recall_score, pos_label=positive)
        ours = ft.tuned(SVC(), space, measure="recall").fit(X, y, splits=splits)
        self.assert_equal(ours, GridSearchCV(SVC(), space, cv=list(made.pairs), scoring=scorer).fit(X, y), 1)
        ours = ft.tuned(SVC(), space, measure="average_precision").fit(X, y, splits=splits)
        turned = 1 if positive == "malignant" else -1  # decision_function is for the second class

        def score(model, X, y):
            return average_precision_score(y == positive, turned * model.decision_function(X))

        self.assert_equal(ours, GridSearchCV(SVC(), space, cv=list(made.pairs), scoring=score).fit(X, y), 1)


class Fragile(ClassifierMixin, BaseEstimator):
    """Fails for some parameters."""

    def __init__(self, when: str = "never", answer: int = 0):
        self.when, self.answer = when, answer

    def fit(self, X, y):
        if self.when == "always":
            raise RuntimeError("it broke\nin two lines")
        if self.when == "refit" and len(y) == 150:
            raise RuntimeError("not on all rows")
        self.classes_ = np.unique(y)

    def predict(self, X):
        return np.full(len(X), self.answer) if self.when != "nonsense" else np.zeros(3)


class TestFailures:
    def test_one_that_fails_is_recorded_and_not_chosen(self):
        found = ft.tuned(Fragile(), {"when": ["always", "nonsense", "never"]}).fit(*IRIS)
        assert found.best_params_ == {"when": "never"}
        told = found.fairtrial_details()["tuning"]
        assert told["failed"] == 2
        errors = {t["parameters"]["when"]: t.get("error") for t in told["tried"]}
        assert errors["always"] == "RuntimeError: it broke"
        assert errors["nonsense"] == "InputError: predict must give one prediction for each of 30 instances, got 3"
        assert told["fits"] == 1 + 1 + 5 + 1  # one that fails on the first split is not tried on the others

    def test_when_all_fail_the_reason_is_said(self):
        with pytest.raises(InputError, match=r"all 2 failed; answer=1, when='always': RuntimeError: it broke$"):
            ft.tuned(Fragile(), {"when": ["always"], "answer": [1, 2]}).fit(*IRIS)

    def test_what_the_last_fit_raises_is_raised(self):
        with pytest.raises(RuntimeError, match="not on all rows"):
            ft.tuned(Fragile(), {"when": ["refit"]}).fit(*IRIS)

    def test_a_measure_that_the_estimator_can_not_serve(self):
        with pytest.raises(InputError, match="log_loss needs a probability, which LinearSVC does not give"):
            ft.tuned(LinearSVC(), {"C": [1, 2]}, measure="log_loss").fit(*IRIS)


class TestEstimator:
    @pytest.mark.parametrize(("estimator", "name"), [(GaussianNB(), "var_smoothing"), (Ridge(), "alpha")])
    def test_keeps_scikit_learns_rules(self, estimator, name):
        search = ft.tuned(estimator, {name: [0.1, 1]}, inner="2-fold")
        broken = {"check_dtype_object": "what the estimator raises is told in an error of its own"}
        checks = check_estimator(search, expected_failed_checks=broken, on_skip=None)
        assert sum(check["status"] == "passed" for check in checks) > 25
        assert {check["check_name"] for check in checks if check["status"] == "xfail"} <= set(broken)

    def test_says_what_it_is(self):
        search = ft.tuned(SVC(), {"C": [1]})
        assert is_classifier(search)
        assert not is_regressor(search)
        assert search.fairtrial_name == "tuned SVC"
        assert ft.tuned(make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": [1]}).fairtrial_name == "tuned Ridge"

    def test_has_what_the_estimator_has(self):
        assert not hasattr(ft.tuned(LinearSVC(), {"C": [1]}), "predict_proba")
        assert not hasattr(ft.tuned(KNeighborsClassifier(), {"p": [1]}), "decision_function")
        search = ft.tuned(LinearDiscriminantAnalysis(), {"tol": [0.01]}).fit(*IRIS)
        model = LinearDiscriminantAnalysis(tol=0.01).fit(*IRIS)
        for verb in ("predict", "predict_proba", "decision_function"):
            np.testing.assert_array_equal(getattr(search, verb)(IRIS[0]), getattr(model, verb)(IRIS[0]))
        assert search.score(*IRIS) == model.score(*IRIS)
        assert (search.classes_ == [0, 1, 2]).all()

    def test_clones_and_pickles(self):
        search = ft.tuned(SVC(), {"C": {"low": 0.1, "high": 10}}, search="halton", budget=3, inner="2x3-fold")
        search.set_params(random_state=5)
        for copy in (clone(search), pickle.loads(pickle.dumps(search))):
            assert ft.Method("a", copy).digest() == ft.Method("a", search).digest()
            assert copy.fit(*IRIS).best_params_ == search.fit(*IRIS).best_params_

    def test_the_same_random_state_gives_the_same_search(self):
        def chosen(state):
            search = ft.tuned(SVC(), {"C": {"low": 0.1, "high": 10}}, search="random", budget=4)
            return [t.parameters["C"] for t in search.set_params(random_state=state).fit(*IRIS).tried_]

        assert chosen(1) == chosen(1) != chosen(2)

    def test_frames_and_sparse_matrices(self):
        X, y = IRIS
        for given in (pd.DataFrame(X, columns=list("abcd")), sparse.coo_matrix(X), X.tolist()):
            search = ft.tuned(KNeighborsClassifier(), {"n_neighbors": [3, 9]}).set_params(random_state=1)
            assert search.fit(given, y).score(given, y) > 0.9

    def test_spreads_are_handed_on(self):
        X, y = DIABETES[0][:60], DIABETES[1][:60]
        search = ft.tuned(
            GaussianProcessRegressor(kernel=RBF(0.1), optimizer=None), {"alpha": [0.1, 1.0]}, measure="nlpd"
        )
        value, std = search.fit(X, y).predict(X, return_std=True)
        assert value.shape == std.shape == (60,)

    def test_an_estimator_without_tags_is_for_what_its_target_looks_like(self):
        class Plain:
            def __init__(self, shift=0.0):
                self.shift = shift

            def get_params(self, deep=True):
                return {"shift": self.shift}

            def set_params(self, shift):
                self.shift = shift
                return self

            def fit(self, X, y):
                self.mean = y.mean()

            def predict(self, X):
                return np.full(len(X), self.mean + self.shift)

        found = ft.tuned(Plain(), {"shift": [100.0, 0.0]}).fit(*DIABETES)
        assert (found.best_params_, found.measure_) == ({"shift": 0.0}, "rmse")

    @pytest.mark.parametrize(
        ("pairs", "said"),
        [
            ([], "at least one pair"),
            ([([0, 1], [150])], "positions from 0 to 149"),
            ([([0, 1], [])], "positions from 0 to 149"),
            ([([0, 1], [1, 2])], "no row may train and test"),
        ],
    )
    def test_bad_splits(self, pairs, said):
        pairs = [(np.array(a, dtype=int), np.array(b, dtype=int)) for a, b in pairs]
        with pytest.raises(InputError, match=said):
            ft.tuned(SVC(), {"C": [1]}).fit(*IRIS, splits=InnerSplits(pairs))


class TestSpaceOfEstimators:
    def test_values_may_be_estimators_and_are_cloned(self):
        inside = LinearDiscriminantAnalysis()
        space = {"clf": [inside, DecisionTreeClassifier(random_state=1)]}
        found = ft.tuned(Pipeline([("clf", GaussianNB())]), space).set_params(random_state=1).fit(*IRIS)
        assert not hasattr(inside, "coef_")
        assert json.dumps(found.fairtrial_details())
        assert "LinearDiscriminantAnalysis()" in {
            t["parameters"]["clf"] for t in found.fairtrial_details()["tuning"]["tried"]
        }
