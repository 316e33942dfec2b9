import math

import numpy as np
import pytest
from scipy.stats import friedmanchisquare

from fairtrial.errors import InputError
from fairtrial.stats.distributions.rank_sums import random_orders_note, rank_statistics, rank_sum_p, same_order_tail

RANKS = 2 * np.array([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])  # doubled, as everywhere


class TestRankStatistics:
    def test_by_hand(self):
        # rank sums 5, 8, 11 about 8: 12 · 18 / (4 · 3 · 4) = 4.5; W = 4.5 / 8; F = 3 · 4.5 / (8 − 4.5)
        found = rank_statistics(RANKS)
        assert found["rank_sums"] == [5, 8, 11]
        assert found["chi_square"] == found["without_tie_correction"] == pytest.approx(4.5)
        assert found["kendall_w"] == pytest.approx(0.5625)
        assert found["iman_davenport"] == pytest.approx(13.5 / 3.5)

    def test_ties_against_scipy(self):
        # scipy 1.17.1: friedmanchisquare corrects for ties
        scores = np.array([[1, 1, 2], [3, 1, 2], [2, 2, 1], [1, 2, 3], [1, 1, 3]])
        doubled = np.array([[3, 3, 6], [6, 2, 4], [5, 5, 2], [2, 4, 6], [3, 3, 6]])
        expected = friedmanchisquare(*scores.T)
        found = rank_statistics(doubled)
        assert found["chi_square"] == pytest.approx(expected.statistic)
        assert found["chi_square_p"] == pytest.approx(expected.pvalue)

    def test_all_tied(self):
        found = rank_statistics(np.full((3, 2), 3))
        assert math.isnan(found["chi_square"])
        assert found["without_tie_correction"] == 0


class TestRankSumP:
    def test_two_methods_are_a_sign_test(self):
        ranks = np.array([[2, 4]] * 5 + [[4, 2]])  # 5 of 6: 2 · 7 / 64
        found = rank_sum_p(ranks, "exact", 1, 0)
        assert found.tail.value == pytest.approx(14 / 64)
        assert (found.method, found.error) == ("exact", 0.0)

    def test_drawn_p_values_come_near_and_never_reach_zero(self):
        ranks = np.array([[2, 4, 6]] * 8)
        exact, drawn = (rank_sum_p(ranks, how, 500, 0) for how in ("exact", "monte-carlo"))
        assert exact.tail.value == pytest.approx(6.0**-7)
        assert drawn.tail.value == drawn.floor == pytest.approx(1 / 501)
        assert "p is from 500 random orders" in random_orders_note(drawn, 500, "chi-square", 0.001)

    def test_auto_leaves_many_data_sets_to_the_approximation(self):
        ranks = np.array([np.random.default_rng(i).permutation([2, 4, 6, 8, 10, 12, 14]) for i in range(60)])
        assert rank_sum_p(ranks, "auto", 500, 0) is None
        with pytest.raises(InputError, match="method 'exact' would take too long for 60 data sets and 7 methods"):
            rank_sum_p(ranks, "exact", 500, 0)


class TestSameOrderTail:
    def test_all_data_sets_order_the_methods_alike(self):
        # whatever the first says, each of the others agrees with 1/3!
        assert same_order_tail(np.array([[2, 4, 6]] * 4)).value == pytest.approx(6.0**-3)

    def test_far_beyond_floating_point(self):
        assert same_order_tail(np.array([[2, 4, 6]] * 501)).log10 == pytest.approx(-500 * math.log10(6))
