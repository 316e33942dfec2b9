"""Twins: hashes of cells and rows, pairs, and the number of pairs that chance allows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.data.row_guards import (
    cell_hashes,
    chance_pairs,
    copied_times,
    cross_pairs,
    grid,
    pairs,
    row_hashes,
    twins,
    widened,
)

ZEROS = np.zeros(400, dtype=np.uint64)


class TestRowHashes:
    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30))
    def test_equal_rows_and_only_they_have_equal_hashes(self, rows):
        hashes = row_hashes(np.array(rows, dtype=float), block=7)
        assert len(set(hashes.tolist())) == len(set(rows))

    def test_missing_values_and_zeros_have_one_form(self):
        X = np.array([[np.nan, 0.0], [-np.nan, -0.0]])
        assert len(set(row_hashes(X).tolist())) == 1

    def test_a_column_is_left_out_by_a_subtraction(self):
        cells = cell_hashes(np.array([[1.0, 5.0], [1.0, 7.0]]))
        first, second = cells.sum(axis=1) - cells[:, 1]
        assert first == second


class TestPairs:
    def test_by_hand(self):
        hashes = np.array([4, 4, 4, 8, 8, 1], dtype=np.uint64)
        assert pairs(hashes) == 3 + 1
        side = np.array([0, 0, 1, 1, 1, 1])  # two pairs of 4 cross the sides, the pair of 8 does not
        assert cross_pairs(hashes, side) == 2
        assert twins(hashes).has_one.tolist() == [True] * 5 + [False]
        assert twins(hashes, side).has_one.tolist() == [True] * 3 + [False] * 3


class TestChancePairs:
    @pytest.mark.parametrize("columns", [4, 6, 8])
    def test_independent_columns_have_about_what_chance_allows(self, columns):
        X = np.random.default_rng(1).integers(0, 3, (400, columns)).astype(float)
        found, allowed = chance_pairs(cell_hashes(X), ZEROS)
        assert found == pytest.approx(400 * 399 / 2 / 3**columns, rel=0.3)
        assert found / 1.5 < allowed < 1.5 * found + 3

    def test_copies_are_beyond_chance(self):
        X = np.random.default_rng(1).integers(0, 3, (200, 12)).astype(float)
        found, allowed = chance_pairs(cell_hashes(np.tile(X, (2, 1))), ZEROS)
        assert found >= 200 > 20 * allowed

    def test_what_a_sample_can_not_show_is_added(self):
        X = np.random.default_rng(1).integers(0, 2, (400, 30)).astype(float)
        assert chance_pairs(cell_hashes(X), ZEROS, unseen=3.0)[1] > chance_pairs(cell_hashes(X), ZEROS)[1]


class TestGrid:
    def test_by_hand(self):
        X = np.array([[0.0, 0.5], [0.9, 0.5], [1.1, 0.7]])
        cells = grid(X, np.array([10.0, 0.0]), 0.1, 0.0)  # cells of width 1; the second column has no spread
        assert cells.tolist() == [[0, 0.5], [0, 0.5], [1, 0.7]]


class TestCopiedTimes:
    def test_by_hand(self):
        # 20 different rows, each twice: 2^-20 is below one in a million, 2^-19 is not
        assert copied_times(np.full(20, 2)) == 2
        assert copied_times(np.full(19, 2)) == 1
        assert copied_times(np.r_[np.full(10, 4), np.full(10, 6)]) == 2
        assert copied_times(np.r_[np.full(50, 4), 5]) == 1

    def test_nothing_was_copied(self):
        assert copied_times(np.array([], dtype=int)) == 1
        assert copied_times(np.ones(100, dtype=int)) == 1
        assert copied_times(np.array([7])) == 1

    @given(st.lists(st.integers(1, 9), min_size=21, max_size=40), st.integers(2, 5))
    def test_a_copied_table_is_always_found(self, sizes, times):
        assert copied_times(times * np.array(sizes)) % times == 0


class TestWidened:
    def test_by_hand(self):
        # six values with steps of 1: pairs of neighbours are made equal; a category and three values stay as they are
        X = np.column_stack([[1.0, 2, 3, 4, 5, 6], [1.0, 2, 3, 4, 5, 6], [0.0, 1, 2, 0, 1, 2]])
        wide = widened(X, np.array([True, False, True]))
        assert wide[:, 0].tolist() == [0, 1, 1, 2, 2, 3]
        assert (wide[:, 1:] == X[:, 1:]).all()

    def test_missing_values_stay_missing_and_eleven_values_are_made_equal_by_fives(self):
        X = np.r_[np.arange(11.0), np.nan][:, None]
        wide = widened(X, np.array([True]))[:, 0]
        assert np.isnan(wide[-1])
        assert np.unique(wide[:-1], return_counts=True)[1].tolist() == [3, 5, 3]
