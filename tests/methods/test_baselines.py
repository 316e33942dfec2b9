"""Baselines: each by hand, what counts as one, and the yardstick that a study is given."""

from __future__ import annotations

import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.tree import DecisionTreeClassifier

from fairtrial.methods import BASELINES, Method, baseline, is_baseline, to_table, yardstick_for
from fairtrial.methods.estimators import OneRule


class TestBaseline:
    @pytest.mark.parametrize("name", BASELINES)
    def test_each_learns_and_is_one(self, name):
        method = baseline(name)
        assert method.name == name
        assert is_baseline(method)
        assert not method.yardstick
        task = BASELINES[name][1]
        y = [0, 1, 1, 1] if task == "classes" else [0.0, 1.0, 2.0, 9.0]
        predicted = method.estimator.fit([[1], [2], [3], [4]], y).predict([[1], [5]])
        assert len(predicted) == 2

    def test_by_hand(self):
        X, y = [[1], [2], [3], [4]], ["b", "a", "b", "b"]
        majority = baseline("majority").estimator.fit(X, y)
        assert majority.predict(X).tolist() == ["b"] * 4
        assert majority.predict_proba([[0]]).tolist() == [[0.25, 0.75]]
        assert baseline("mean").estimator.fit(X, [0, 1, 2, 9]).predict([[7]]).tolist() == [3]

    def test_makes_a_new_one_each_time(self):
        assert baseline("majority").estimator is not baseline("majority").estimator

    def test_all_differ(self):
        assert len({baseline(name).digest() for name in BASELINES}) == len(BASELINES)

    def test_to_table_lists_all(self):
        assert [row[0] for row in to_table().rows] == list(BASELINES)


class TestYardstickFor:
    def test_by_hand(self):
        classes, values = yardstick_for("classes"), yardstick_for("values")
        assert (classes.name, values.name) == ("majority", "mean")
        assert classes.yardstick
        assert isinstance(classes.estimator, DummyClassifier)
        assert isinstance(values.estimator, DummyRegressor)

    def test_is_the_listed_baseline_by_another_road(self):
        assert yardstick_for("classes").digest() == baseline("majority").digest()


class TestIsBaseline:
    @pytest.mark.parametrize(
        ("estimator", "trivial"),
        [(DummyClassifier(), True), (DummyRegressor(), True), (OneRule(), True), (DecisionTreeClassifier(), False)],
    )
    def test_by_hand(self, estimator, trivial):
        assert is_baseline(Method("x", estimator)) is trivial
