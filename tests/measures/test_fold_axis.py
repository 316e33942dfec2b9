"""Sums, means and counts per fold, for all folds at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.measures import Folds, ratio
from fairtrial.measures.fold_axis import STRETCH, stretches


class TestRatio:
    def test_over_zero_is_undefined(self):
        np.testing.assert_array_equal(ratio([1.0, 0.0, 2.0, -1.0], [2.0, 0.0, 0.0, 4.0]), [0.5, np.nan, np.nan, -0.25])


class TestStretches:
    @pytest.mark.parametrize("n", [0, 1, STRETCH, STRETCH + 1, 3 * STRETCH])
    def test_cover_all_once(self, n):
        places = np.arange(n)
        joined = np.concatenate([places[:0], *(places[s] for s in stretches(n))])
        np.testing.assert_array_equal(joined, places)


class TestFolds:
    def test_by_hand(self):
        folds = Folds.of([2, 0, 2, 0, 0], n=5)
        values = np.array([1.0, 2.0, 3.0, 4.0, 6.0])
        np.testing.assert_array_equal(folds.sizes(), [3, 0, 2])
        np.testing.assert_array_equal(folds.sum(values), [12, 0, 4])
        np.testing.assert_array_equal(folds.mean(values, None), [4, np.nan, 2])
        np.testing.assert_array_equal(folds.mean(values, np.array([3.0, 1, 1, 1, 0])), [3, np.nan, 1.5])
        np.testing.assert_array_equal(folds.first(values), [2, np.nan, 1])
        np.testing.assert_array_equal(folds.spread(np.array([10.0, 20.0, 30.0])), [30, 10, 30, 10, 10])

    def test_tally(self):
        folds = Folds.of([0, 1, 1, 1], n=4)
        np.testing.assert_array_equal(folds.tally(np.array([1, 0, 2, 2]), 3, None), [[0, 1, 0], [1, 0, 2]])
        weights = np.array([0.5, 1.0, 2.0, 4.0])
        np.testing.assert_array_equal(folds.tally(np.array([1, 0, 2, 2]), 3, weights), [[0, 0.5, 0], [1, 0, 6]])

    def test_none_is_one_fold(self):
        folds = Folds.of(None, n=3)
        np.testing.assert_array_equal(folds.mean(np.array([1.0, 2.0, 6.0]), None), [3])
        assert Folds.of([0, 0, 0], n=3).index is None

    @given(st.integers(0, 10**6))
    def test_in_stretches_as_at_once(self, seed):
        random = np.random.default_rng(seed)
        n = STRETCH + 7
        index, values = random.integers(0, 3, n), random.integers(0, 100, n).astype(float)
        expected = [values[index == f].mean() for f in range(3)]
        np.testing.assert_allclose(Folds.of(index, n).mean(values, None), expected)

    @pytest.mark.parametrize("folds", [[0, 1], [0, 1, -1], [0.0, 1.0, 2.0], [[0], [1], [2]]])
    def test_says_what_was_wrong(self, folds):
        with pytest.raises(InputError, match="folds must be 3 whole numbers from 0, one per instance"):
            Folds.of(folds, n=3)
