"""The sole winner without each data set in turn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairtrial.stats import sole_winner
from fairtrial.stats.post_hoc.joint_flips import signed_sum
from fairtrial.stats.post_hoc.joint_intervals import joint_tests
from fairtrial.stats.post_hoc.left_out import (
    centers_without_each,
    stars_without_each,
    sums_without_each,
    winners_without_each,
)
from fairtrial.stats.score_arrays import differences

WHOLE = arrays(np.int64, st.integers(2, 12), elements=st.integers(-4, 4))


def one_by_one(table, **options):
    found = (sole_winner(np.delete(table, i, axis=0), **options).details["winner"] for i in range(len(table)))
    return tuple(None if name is None else int(name) for name in found)


class TestSumsWithoutEach:
    def test_by_hand(self):
        # 2, −2, 0, 7: doubled midranks of the sizes are 5, 5, 2, 8. Without 2 the sizes 2, 0, 7 have ranks 4, 2, 6.
        assert sums_without_each(np.array([2, -2, 0, 7])).tolist() == [2, 10, 6, 0]

    @given(WHOLE)
    def test_equal_those_of_the_others_alone(self, d):
        assert sums_without_each(d).tolist() == [signed_sum(np.delete(d, i)) for i in range(len(d))]


class TestWinnersWithoutEach:
    @pytest.mark.parametrize("n", [7, 12, 40])
    def test_equal_the_sole_winner_on_the_other_rows(self, n):
        for seed in range(12):
            table = np.random.default_rng(seed).normal([0, 0.1, 1.2], 1, (n, 3))
            assert winners_without_each(table) == one_by_one(table)

    def test_with_ties_and_equal_scores(self):
        for seed in range(12):
            table = np.round(np.random.default_rng(seed).normal([0, 1, 0], 1, (11, 3)))
            assert winners_without_each(table) == one_by_one(table)

    def test_lower_may_be_better(self):
        table = np.random.default_rng(1).normal([0, 0.1, -1.5], 1, (20, 3))
        assert winners_without_each(table, higher_is_better=False) == one_by_one(table, higher_is_better=False)

    def test_another_candidate_may_win(self):
        table = np.column_stack([np.full(8, 1.0), np.zeros(8), -np.arange(8.0)])
        table[0] = [0.0, 90.0, 0.0]
        assert winners_without_each(table)[0] == 0

    def test_five_are_too_few(self):
        assert winners_without_each(np.column_stack([np.arange(6.0) + 9, np.arange(6.0)])) == (None,) * 6


def joint_of(table):
    pairs = [(0, 1), (0, 2), (1, 2)]
    return joint_tests([differences(table[:, i], table[:, j]) for i, j in pairs])


def stars_one_by_one(table):
    return np.array([np.array(joint_of(np.delete(table, i, axis=0)).p_values) < 0.05 for i in range(len(table))])


class TestStarsWithoutEach:
    def test_few_data_sets_are_tested_again(self):
        table = np.random.default_rng(2).normal([0, 0.9, 2], 1, (12, 3))
        assert (stars_without_each(joint_of(table), 0.95) == stars_one_by_one(table)).all()

    def test_with_many_nearly_all_agree_with_tests_made_again(self):
        agree = []
        for seed in range(6):
            table = np.random.default_rng(seed).normal([0, 0.6, 1.2], 1, (25, 3))
            agree.append((stars_without_each(joint_of(table), 0.95) == stars_one_by_one(table)).mean())
        assert np.mean(agree) > 0.97


class TestCentersWithoutEach:
    def test_by_hand(self):
        # without 8: 0, 1, 2 (Walsh averages of 0 and 2); without 0: 2, 5, 8
        assert centers_without_each(np.array([0, 2, 8])).tolist() == [5.0, 4.0, 1.0]
