"""Decisions by costs: the cheapest class by hand and against scikit-learn, thresholds, ties, and costs of 0."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.measures import compute, decision_cost, expected_cost
from fairtrial.measures.decisions import cheapest_classes, cheapest_cut, implied_threshold

CHURN = np.array([[0.0, 1.0], [30.0, 0.0]])
THREE = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [9.0, 3.0, 0.0]])


class TestCheapestClasses:
    def test_by_hand(self):
        # costs of predicting each class at p = .6, .3, .1: .6 + .9 = 1.5, .6 + .3 = 0.9, 2.4 + .3 = 2.7
        assert cheapest_classes(np.array([[0.6, 0.3, 0.1], [0.98, 0.01, 0.01]]), THREE).tolist() == [1, 0]

    def test_two_classes_have_a_threshold(self):
        p = np.array([0.0, 0.03, 0.0322, 0.0323, 0.5, 1.0])  # 1 / 31 = 0.03226
        assert cheapest_classes(np.column_stack([1 - p, p]), CHURN).tolist() == [0, 0, 0, 1, 1, 1]

    def test_equal_costs_go_to_the_more_probable_class_whatever_the_rounding(self):
        at = np.array([1 / 31, np.nextafter(1 / 31, 1), np.nextafter(1 / 31, 0)])
        assert cheapest_classes(np.column_stack([1 - at, at]), CHURN).tolist() == [0, 0, 0]

    def test_without_costs_the_most_probable_class(self):
        p = np.array([[0.2, 0.5, 0.3], [0.4, 0.3, 0.3]])
        assert cheapest_classes(p, np.zeros((3, 3))).tolist() == [1, 0]

    def test_a_mistake_that_costs_nothing_is_made(self):
        p = np.array([[0.9, 0.1], [1.0, 0.0]])
        free_alarms = np.array([[0.0, 0.0], [5.0, 0.0]])
        assert cheapest_classes(p, free_alarms).tolist() == [1, 0]  # in the second row both cost 0

    def test_right_decisions_may_cost_too(self):
        calls = np.array([[0.0, 10.0], [200.0, 110.0]])  # a call costs 10, and keeps 45 % of those who would go
        t = implied_threshold(calls, positive=1)
        assert t == pytest.approx(0.1)  # 10 / (10 + 90)
        p = np.array([0.09, 0.11])
        assert cheapest_classes(np.column_stack([1 - p, p]), calls).tolist() == [0, 1]

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.integers(1, 50), st.integers(1, 50))
    def test_nothing_is_cheaper_in_expectation(self, p, fp, fn):
        matrix = np.array([[0.0, fp], [fn, 0.0]])
        probabilities = np.column_stack([1 - np.array(p), p])
        expected = probabilities @ matrix
        chosen = cheapest_classes(probabilities, matrix)
        assert (expected[np.arange(len(p)), chosen] <= expected.min(axis=1) + 1e-9).all()


class TestImpliedThreshold:
    @pytest.mark.parametrize(
        ("matrix", "positive", "expected"),
        [
            (CHURN, 1, 1 / 31),
            (CHURN, 0, 30 / 31),
            ([[0, 1], [0, 0]], 1, 1.0),
            ([[0, 0], [5, 0]], 1, 0.0),
            ([[0, -1], [0, 0]], 1, -np.inf),
            ([[0, 1], [-3, 0]], 1, np.inf),
        ],
    )
    def test_by_hand(self, matrix, positive, expected):
        assert implied_threshold(np.array(matrix, dtype=float), positive) == pytest.approx(expected)

    def test_undefined_where_nothing_costs_anything(self):
        assert np.isnan(implied_threshold(np.zeros((2, 2)), 1))


class TestCheapestCut:
    def test_by_hand(self):
        # flag from the top: 0, -5, -4, -9, -8: best after three, between 0.4 and 0.1
        assert cheapest_cut(np.array([0.4, 0.9, 0.1, 0.8]), np.array([-5.0, -5.0, 1.0, 1.0])) == 0.25

    def test_none_and_all(self):
        scores = np.array([0.2, 0.7])
        assert cheapest_cut(scores, np.array([1.0, 1.0])) == np.inf
        assert cheapest_cut(scores, np.array([-1.0, -1.0])) == -np.inf
        assert cheapest_cut(scores, np.zeros(2)) == np.inf

    def test_equal_scores_stay_together(self):
        scores = np.array([0.5, 0.5, 0.1])
        assert cheapest_cut(scores, np.array([-5.0, 6.0, 3.0])) == np.inf  # 0.5 can't be cut in two

    @given(st.lists(st.tuples(st.integers(0, 9), st.integers(-9, 9)), min_size=1, max_size=15))
    def test_no_other_cut_is_cheaper(self, cases):
        scores, extra = np.array(cases, dtype=float).T
        cut = cheapest_cut(scores, extra)
        assert extra[scores >= cut].sum() == min(extra[scores >= c].sum() for c in [*np.arange(-0.5, 11), cut])


class TestDecisionCost:
    def test_by_hand(self):
        # flagged from 1/31 on: 0.9, 0.2, 0.05; missed: 0.01 (30), false alarms: 0.2 (1)
        truth, p = ["yes", "no", "yes", "yes", "no"], [0.9, 0.2, 0.05, 0.01, 0.0]
        assert decision_cost(truth, p, costs=(1, 30)) == pytest.approx(31 / 5)
        assert decision_cost(truth, p, costs=(1, 30), per=1000, unit="EUR") == pytest.approx(6200)

    def test_like_the_cost_of_decisions_made_by_hand(self):
        rng = np.random.default_rng(3)
        p, y = rng.dirichlet([1, 1, 1], 200), rng.integers(0, 3, 200)
        decided = [min(range(3), key=lambda k, row=row: sum(row[j] * THREE[j, k] for j in range(3))) for row in p]
        matrix = tuple(map(tuple, THREE))
        assert decision_cost(y, p, costs=matrix) == pytest.approx(expected_cost(y, decided, costs=matrix))

    def test_like_scikit_learn_at_that_threshold(self):
        # scikit-learn 1.8: FixedThresholdClassifier(LogisticRegression(), threshold=1 / 31)
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import FixedThresholdClassifier

        rng = np.random.default_rng(1)
        X = rng.normal(size=(300, 2))
        y = (X[:, 0] + rng.normal(size=300) > 1.5).astype(int)
        fixed = FixedThresholdClassifier(LogisticRegression(), threshold=1 / 31).fit(X, y)
        cost = expected_cost(y, fixed.predict(X), costs=(1, 30))
        assert decision_cost(y, fixed.predict_proba(X), costs=(1, 30)) == pytest.approx(cost)

    def test_the_positive_class_may_be_the_first(self):
        truth, p = [0, 0, 1, 1], [[0.2, 0.8], [0.01, 0.99], [0.1, 0.9], [0, 1]]
        name = "decision_cost(costs=(1, 30))"  # one miss, one false alarm
        found = compute([name], truth=truth, channels={"probability": np.array(p)}, classes=2, positive=0)
        assert found[name][0] == pytest.approx(31 / 4)

    def test_without_costs_the_error_rate(self):
        assert decision_cost([0, 1, 1], [0.2, 0.4, 0.9]) == pytest.approx(1 / 3)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="per must be a number of instances above 0, such as 1000, got 0"):
            decision_cost([0, 1], [0.2, 0.4], per=0)
