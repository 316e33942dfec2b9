"""An estimator that tunes itself: against scikit-learn's search on the same splits, and what happens when it fails."""

from __future__ import annotations

import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import loguniform
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier, is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
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
from fairtrial.errors import InputError, UnknownName
from fairtrial.methods.tuning.inner_resampling import InnerSplits, Rows, inner_splits
from fairtrial.methods.tuning.scoring import Tried, ranked
from fairtrial.methods.tuning.strategies import with_fewer_rows
from fairtrial.resampling import Holdout, KFold, RepeatedKFold

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


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


class TestChoice:
    def test_the_first_of_equals(self):
        X, y = IRIS
        order = ["prior", "most_frequent"]
        for strategies in (order, order[::-1]):
            found = ft.tuned(DummyClassifier(), {"strategy": strategies}).set_params(random_state=1).fit(X, y)
            assert found.best_params_ == {"strategy": strategies[0]}

    @pytest.mark.parametrize(("measure", "best"), [("accuracy", "b"), ("error_rate", "a")])
    def test_direction_ties_and_failures_by_hand(self, measure, best):
        facts = ft.measures.get(measure)
        tried = [
            Tried({"x": "failed"}, error="ValueError: no"),
            Tried({"x": "a"}, (0.2, 0.4)),  # 0.3
            Tried({"x": "b"}, (0.3, 0.5)),  # 0.4
            Tried({"x": "c"}, (0.5, 0.3 + 1e-15)),  # 0.4 as well, but for the 15th digit
        ]
        order = ranked(tried, facts)
        assert order[0].parameters["x"] == best
        assert [t.parameters["x"] for t in order if t.parameters["x"] in "bc"] == ["b", "c"]
        assert order[-1].error
        assert {t.parameters["x"]: t.score for t in order}["a"] == pytest.approx(0.3)

    def test_undefined_is_the_worst_unless_it_is_so_for_all(self):
        nan = np.nan
        facts = ft.measures.get("precision")
        # the second split is undefined for both and left out; the third for the first only, which gets 0 there
        order = ranked([Tried({"x": 1}, (0.9, nan, nan)), Tried({"x": 2}, (0.5, nan, 0.6))], facts)
        assert [t.parameters["x"] for t in order] == [2, 1]
        assert [t.score for t in order] == [pytest.approx(0.55), pytest.approx(0.45)]
        order = ranked([Tried({"x": 1}, (0.1, nan)), Tried({"x": 2}, (9.0, 9.0))], ft.measures.get("rmse"))
        assert [t.parameters["x"] for t in order] == [2, 1]  # the worst rmse is infinite

    def test_a_probability_stands_in_for_a_score(self):
        # one-vs-one scores have a column per pair of classes, of which no ranking of the classes is made
        X, y = IRIS[0][::3], IRIS[1][::3]
        one = SVC(decision_function_shape="ovo", probability=True, random_state=1)
        two = DecisionTreeClassifier(max_depth=2, random_state=1)
        for estimator, space in ((one, {"C": [0.1, 1]}), (two, {"min_samples_leaf": [1, 5]})):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # probability=True goes out of use in scikit-learn 1.9
                found = ft.tuned(estimator, space, measure="auc", inner="3-fold").fit(X, y)
            assert found.best_score_ > 0.9

    def test_undefined_everywhere_is_said(self):
        with pytest.raises(InputError, match=r"auc is undefined where .* every inner split and configuration"):
            ranked([Tried({"x": 1}, (np.nan,)), Tried({"x": 2}, error="no")], ft.measures.get("auc"))

    def test_pooled_measures_are_of_all_predictions_at_once(self):
        # leave-one-out: a test set of one instance has no AUC, all of them together have
        X, y = IRIS[0][40:110:3, 1:2], (IRIS[1][40:110:3] > 0).astype(int)
        estimator, space = LinearDiscriminantAnalysis(solver="lsqr"), {"shrinkage": [0.1, 0.9]}
        search = ft.tuned(estimator, space, inner="leave-one-out", measure=ft.measures.pooled("auc")).fit(X, y)
        for t in search.tried_:
            assert np.isnan(t.scores).all()
            assert t.score == t.pooled
            scores = [
                clone(estimator)
                .set_params(**t.parameters)
                .fit(np.delete(X, i, 0), np.delete(y, i))
                .decision_function(X[[i]])[0]
                for i in range(len(y))
            ]
            positive = int(2 * y.sum() <= len(y))
            expected = ft.measures.auc(y, scores if positive else -np.asarray(scores), positive=positive)
            assert t.score == pytest.approx(expected)

    def test_values_may_be_estimators_and_are_cloned(self):
        inside = LinearDiscriminantAnalysis()
        space = {"clf": [inside, DecisionTreeClassifier(random_state=1)]}
        found = ft.tuned(Pipeline([("clf", GaussianNB())]), space).set_params(random_state=1).fit(*IRIS)
        assert not hasattr(inside, "coef_")
        assert json.dumps(found.fairtrial_details())
        assert "LinearDiscriminantAnalysis()" in {
            t["parameters"]["clf"] for t in found.fairtrial_details()["tuning"]["tried"]
        }


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


class TestHalving:
    def test_the_schedule_by_hand(self):
        # 455 training rows in each of five folds of 569: 9 configurations on 455 // 3 = 151, then 3 on all
        X, y = CANCER
        seen = []

        class Spy(GaussianNB):
            def fit(self, X, y):
                seen.append((self.var_smoothing, len(y), np.mean(y)))
                return super().fit(X, y)

        space = {"var_smoothing": [10.0**-e for e in range(9)]}
        found = ft.tuned(Spy(), space, search="halving").fit(X, y, splits=five_folds(y, "classes"))
        assert len(seen) == found.fits_ == 9 * 5 + 3 * 5 + 1
        assert {n for _, n, _ in seen[:45]} == {151}
        assert {n for _, n, _ in seen[45:60]} <= {455, 456}
        assert all(abs(share - y.mean()) < 0.01 for _, _, share in seen[:45])
        last = {v for v, _, _ in seen[45:60]}
        assert found.best_params_["var_smoothing"] in last
        # the three that went on are the best of the first rung, and they come first
        assert {t.parameters["var_smoothing"] for t in found.tried_[:3]} == last
        assert [t.rows for t in found.tried_] == [455] * 3 + [151] * 6

    def test_smaller_training_sets_are_part_of_larger_ones_and_the_same_for_all(self):
        _, y = CANCER
        pairs = five_folds(y, "classes").pairs
        classes = np.unique(y)
        small, large = with_fewer_rows(pairs, y, 50, classes), with_fewer_rows(pairs, y, 150, classes)
        for (few, test), (many, same), (all_rows, _) in zip(small, large, pairs, strict=True):
            assert len(few) == 50
            assert set(few) < set(many) < set(all_rows)
            assert (test == same).all()
        again = with_fewer_rows(pairs, y, 50, classes)
        assert all((a == b).all() for (a, _), (b, _) in zip(small, again, strict=True))


class TestEstimator:
    @pytest.mark.parametrize(("estimator", "name"), [(GaussianNB(), "var_smoothing"), (Ridge(), "alpha")])
    def test_keeps_scikit_learns_rules(self, estimator, name):
        search = ft.tuned(estimator, {name: [0.1, 1]}, inner="2-fold")
        broken = {"check_dtype_object": "what the estimator raises is told in an error of its own"}
        check_estimator(search, expected_failed_checks=broken, on_skip=None)

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


class TestDeclaration:
    def test_two_ways_to_say_one_thing_are_one_thing(self):
        one = ft.tuned(SVC(), {"gamma": [1], "C": (0.1, 1)}, inner="5-fold", budget=None)
        two = ft.tuned(SVC(), {"C": [0.1, 1], "gamma": np.array([1])}, inner=KFold(5), budget=2)
        assert ft.Method("a", one).digest() == ft.Method("a", two).digest()
        one = ft.tuned(SVC(), {"C": loguniform(0.1, 10)}, search="random")
        two = ft.tuned(SVC(), {"C": {"distribution": "loguniform", "args": [0.1, 10]}}, search="random", budget=30)
        assert ft.Method("a", one).digest() == ft.Method("a", two).digest()

    @pytest.mark.parametrize(
        "change",
        [
            {"space": {"C": [0.1, 2]}},
            {"space": {"C": [1, 0.1]}},
            {"search": "random"},
            {"inner": "4-fold"},
            {"inner": RepeatedKFold(5, 2)},
            {"inner": Holdout(0.3)},
            {"measure": "auc"},
        ],
    )
    def test_what_changes_the_numbers_changes_the_method(self, change):
        given = {"space": {"C": [0.1, 1]}, "measure": "accuracy"}
        one, two = (ft.tuned(SVC(), **options) for options in (given, {**given, **change}))
        assert ft.Method("a", one).digest() != ft.Method("a", two).digest()

    def test_a_lambda_in_the_space_has_no_import_path(self):
        with pytest.raises(InputError, match="must be made of things that have an import path"):
            ft.Method("a", ft.tuned(KNeighborsClassifier(), {"weights": [lambda d: d]})).digest()

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"estimator": SVC}, "estimator must be an object"),
            ({"space": {"c": [1]}}, "no parameter of SVC is called 'c'"),
            ({"search": "gird"}, "did you mean 'grid'"),
            ({"inner": "resubstitution"}, "inner must test on rows that were not learned from"),
            ({"inner": 5}, "inner must be a resampling"),
            ({"inner": KFold}, "inner must be a resampling"),
            ({"measure": "acuracy"}, "did you mean 'accuracy'"),
            ({"measure": "rmse"}, "is for values, but the estimator is for classes"),
            ({"measure": "fit_time"}, "must be computed from predictions"),
            ({"measure": "predicted_positive_rate"}, "must have a better and a worse"),
        ],
    )
    def test_says_what_was_wrong(self, options, said):
        given = {"estimator": SVC(), "space": {"C": [1]}, **options}
        estimator, space = given.pop("estimator"), given.pop("space")
        with pytest.raises((InputError, UnknownName), match=said):
            ft.tuned(estimator, space, **given)
