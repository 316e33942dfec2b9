"""Means of scores at the levels of factors."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.figures.factors import main_effects as means

GRID = [{"a": a, "b": b} for a, b in itertools.product((1, 2), ("x", "y", "z"))]
NESTED = [
    {"model": "svm", "C": 1}, {"model": "svm", "C": 10}, {"model": "tree", "depth": 3}, {"model": "tree", "depth": 9},
    {"model": "boosting", "depth": 3}, {"model": "boosting", "depth": 9},
]  # fmt: skip


class TestFactorLevels:
    def test_numbers_ascend_and_texts_stay(self):
        a, b = means.factor_levels([{"a": 10, "b": "y"}, {"a": 9, "b": "x"}])
        assert (a.texts, a.number, a.is_number) == (("9", "10"), (1, 0), True)
        assert (b.texts, b.number, b.is_number) == (("y", "x"), (0, 1), False)

    def test_the_order_of_texts_may_be_given(self):
        (b,) = means.factor_levels([{"b": "y"}, {"b": "x"}], {"b": ["x", "y"]})
        assert b.texts == ("x", "y")

    def test_nested_factors_have_a_condition(self):
        model, c, depth = means.factor_levels(NESTED)
        assert (model.within, c.within, depth.within) == ("", "model svm", "model tree or boosting")
        assert c.number == (0, 1, -1, -1, -1, -1)

    def test_a_condition_that_one_factor_does_not_give(self):
        settings = [{"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 1}, {"a": 2, "b": 2, "c": 2}]
        assert means.factor_levels(settings)[2].within == "where it exists"

    def test_factors_that_do_not_vary_are_left_out(self):
        assert [f.name for f in means.factor_levels([{"a": 1, "b": 1}, {"a": 1, "b": None}])] == ["b"]

    def test_many_numbers_stand_at_their_places(self):
        (few,) = means.factor_levels([{"a": v} for v in (1, 2, 50)])
        (linear,) = means.factor_levels([{"a": v} for v in range(1, 10)])
        (log,) = means.factor_levels([{"a": 10.0**v} for v in range(-4, 5)])
        assert (few.places, few.is_even) == ((0.0, 1.0, 2.0), True)
        assert linear.places == tuple(map(float, range(1, 10)))
        assert log.places == pytest.approx(range(-4, 5))

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="settings must have at least one setting, got none"):
            means.factor_levels([])


class TestCellMeans:
    def test_by_hand(self):
        a, b = means.factor_levels(GRID)
        scores = np.array([[1.0, 2, 3, 4, 5, 9], [2, 2, 2, 4, 4, np.nan]])
        assert means.cell_means(scores, a) == pytest.approx(np.array([[2, 6], [2, 4]]))
        assert means.cell_means(scores, b) == pytest.approx(np.array([[2.5, 3.5, 6], [3, 3, 2]]))
        assert means.cell_means(scores, a, b)[0].tolist() == [[1, 2, 3], [4, 5, 9]]
        assert np.isnan(means.cell_means(scores, a, b)[1, 1, 2])

    def test_cells_that_do_not_exist(self):
        model, c, _ = means.factor_levels(NESTED)
        found = means.cell_means(np.arange(6.0)[None], model, c)[0]
        assert found[0].tolist() == [0, 1]
        assert np.isnan(found[1:]).all()

    @given(st.lists(st.floats(-1e3, 1e3), min_size=6, max_size=6))
    def test_the_mean_of_level_means_is_the_mean_in_a_balanced_design(self, scores):
        for factor in means.factor_levels(GRID):
            assert means.cell_means(np.array([scores]), factor).mean() == pytest.approx(np.mean(scores), abs=1e-9)

    def test_only_whole_units_are_averaged(self):
        table = np.array([[1.0, 2.0, np.nan], [3.0, np.nan, np.nan]])
        assert means.complete(table)[:, :2].tolist() == [[1.0, 2.0]]
        assert len(means.complete(np.array([[1.0, np.nan], [np.nan, 2.0]]))) == 2

    def test_infinite_scores_are_missing(self):
        table = means.checked_scores([[1.0, np.inf]], 2)
        assert means.missing_in_words(table) == "1 score of 2 missing: means of the others"

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"scores must have a column for each of the 3 settings .* shape \(1, 2\)"):
            means.checked_scores([1.0, 2.0], 3)


class TestBalance:
    def test_full_and_nested_designs_are_balanced(self):
        assert means.unbalanced(means.factor_levels(GRID)) == ""
        assert means.unbalanced(means.factor_levels(NESTED)) == ""

    def test_a_missing_combination(self):
        assert means.unbalanced(means.factor_levels(GRID[:-1])).startswith("levels of a and b do not occur together")
