"""How configurations are scored and ranked, and what is reported of them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.methods.tuning.scoring import MOST_REPORTED, Tried, ranked, search_report

IRIS = load_iris(return_X_y=True)


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


class TestReport:
    def test_by_hand(self):
        best = Tried({"C": 1.0, "kernel": "rbf"}, (0.75, 0.5), 0.625, rows=40)
        failed = Tried({"C": np.float64("inf"), "kernel": np.log1p}, error="ValueError: no", rows=40)
        assert search_report([best, failed]) == {
            "configurations": 2,
            "failed": 1,
            "chosen": {"C": 1.0, "kernel": "rbf"},
            "score": 0.625,
            "tried": [
                {"parameters": {"C": 1.0, "kernel": "rbf"}, "score": 0.625, "rows": 40, "scores": [0.75, 0.5]},
                {"parameters": {"C": "inf", "kernel": "log1p"}, "score": None, "rows": 40, "error": "ValueError: no"},
            ],
        }

    def test_of_many_only_the_best_are_listed(self):
        found = search_report([Tried({"x": i}, (0.0,), 0.0) for i in range(MOST_REPORTED + 7)])
        assert (found["configurations"], len(found["tried"])) == (507, 500)
