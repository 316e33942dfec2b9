import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import aligned_friedman, friedman, iman_davenport, quade, sign_test, wilcoxon

tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=6)
)


class TestFriedman:
    def test_by_hand(self):
        # ranks 1 2 3 and 2 1 3: sums 3, 3, 6; squares of -1, -1, 2: 6; within 2 * 2; 2 * 6 / 4 = 3
        found = friedman([[3, 2, 1], [2, 3, 1]])
        assert found.statistic == 3.0
        assert found.details["average_ranks"] == [1.5, 1.5, 3.0]
        # given the first order, the second puts the same method last in 2 of 6 orders, and 1 of them agrees fully
        assert found.p_value == pytest.approx(3 / 6)

    def test_iman_davenport_is_too_liberal_for_small_n(self):
        # n=5, k=3: exact 0.0085, chi-square 0.0150, Iman-Davenport 0.00066 (README of the known answers)
        table = [[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 3, 2]]
        p = {m: friedman(table, method=m).p_value for m in ("exact", "chi-square", "iman-davenport")}
        assert p["exact"] == pytest.approx(0.0085, abs=5e-5)
        assert p["chi-square"] == pytest.approx(0.0150, abs=5e-5)
        assert p["iman-davenport"] == pytest.approx(0.00066, abs=5e-6)

    @settings(max_examples=30)
    @given(tables, st.randoms())
    def test_order_and_monotone_rescaling_do_not_matter(self, table, random):
        table = np.array(table, dtype=float)
        rows, columns = (
            random.sample(range(len(table)), len(table)),
            random.sample(range(table.shape[1]), table.shape[1]),
        )
        found, other = friedman(table), friedman(np.exp(table)[rows][:, columns])
        assert found.p_value == pytest.approx(other.p_value)
        assert [found.details["average_ranks"][c] for c in columns] == other.details["average_ranks"]

    @given(tables)
    def test_direction_turns_the_ranks_round(self, table):
        # the direction is an argument and is never guessed
        up, down = friedman(table), friedman(table, higher_is_better=False)
        k = len(table[0])
        assert up.details["average_ranks"] == pytest.approx([k + 1 - r for r in down.details["average_ranks"]])
        assert up.p_value == pytest.approx(down.p_value)

    def test_the_best_has_rank_1(self):
        table = [[0.9, 0.5, 0.7], [0.8, 0.4, 0.6]]
        assert friedman(table).details["average_ranks"] == [1, 3, 2]
        assert friedman(table, higher_is_better=False).details["average_ranks"] == [3, 1, 2]

    def test_all_tied(self):
        found = friedman([[1, 1, 1], [0.2, 0.2, 0.2]])
        assert found.p_value == 1.0
        assert math.isnan(found.statistic)
        assert found.notes == ("all methods are tied on every data set",)

    def test_rows_have_their_own_scale(self):
        # rounding by the largest score of the whole table would tie the second row
        assert friedman([[3e15, 2e15, 1e15], [3e-9, 2e-9, 1e-9]]).details["average_ranks"] == [1, 2, 3]

    def test_a_perfect_order_makes_f_infinite(self):
        found = friedman(np.tile([3, 2, 1], (40, 1)), method="iman-davenport")
        assert found.statistic == math.inf
        assert found.log10_p == pytest.approx(-39 * math.log10(6))
        assert found.details["iman_davenport_p"] == found.p_value
        assert "p is the exact probability of that" in found.notes[0]

    def test_the_far_tail(self):
        found = friedman(np.tile([4, 3, 2, 1], (1000, 1)))
        assert found.method == "chi-square"
        assert found.p_value == 0.0
        # R 4.2.2: pchisq(3000, 3, lower.tail=FALSE, log.p=TRUE)/log(10)
        assert found.log10_p == pytest.approx(-649.801077473518, rel=1e-9)

    def test_missing_scores_are_refused_with_their_number(self, golden):
        # R and scikit-posthocs drop such rows without a note
        matrix = golden["friedman_NA_row"]["inputs"]["matrix"]
        table = pd.DataFrame([[math.nan if v == "NA" else v for v in row] for row in matrix])
        with pytest.raises(
            InputError, match=r"1 of 56 scores is not \(row 2\); choose a failure policy or leave those"
        ):
            friedman(table)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"at least 2 data sets \(rows\) and 2 methods .* shape \(1, 3\)"):
            friedman([[1, 2, 3]])
        with pytest.raises(InputError, match=r"method must be 'auto', 'exact', .* got 'chi2'"):
            friedman([[1, 2], [2, 1]], method="chi2")
        with pytest.raises(InputError, match=r"would take too long for 40 data sets and 8 methods; use 'monte-carlo'"):
            friedman(np.tile(np.arange(8), (40, 1)), method="exact")
        with pytest.raises(InputError, match=r"put names of data sets into the index"):
            friedman(pd.DataFrame({"dataset": ["iris", "wine"], "a": [1.0, 2.0]}))


tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 9), min_size=k, max_size=k), min_size=2, max_size=2 if k == 4 else 3)
)


class TestFriedmanByDraws:
    def test_agrees_with_the_exact_p(self):
        table = np.random.default_rng(3).normal([0, 0.4, 0.8, 0.2], 1, size=(10, 4))
        exact, drawn = friedman(table, method="exact"), friedman(table, method="monte-carlo", draws=5000, seed=1)
        assert drawn.p_error == pytest.approx(math.sqrt(drawn.p_value * (1 - drawn.p_value) / 5000))
        assert abs(drawn.p_value - exact.p_value) < 5 * drawn.p_error
        assert drawn == friedman(table, method="monte-carlo", draws=5000, seed=1)
        assert drawn.notes[0].startswith("p is from 5,000 random orders, standard error 0.0")
        assert f"chi-square would give p = {drawn.details['chi_square_p']:.3g}" in drawn.notes[0]

    def test_is_never_0(self):
        # the observed order counts, so that p is never 0
        assert friedman(np.tile([1, 2, 3], (30, 1)), method="monte-carlo", draws=99).p_value == 0.01

    def test_all_tied(self):
        assert friedman(np.ones((3, 3)), method="monte-carlo").p_value == 1

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"draws must be a whole number of at least 1, got 0"):
            friedman([[1, 2], [2, 1]], method="monte-carlo", draws=0)
        with pytest.raises(InputError, match=r"seed must be a whole number of at least 0, got -1"):
            friedman([[1, 2], [2, 1]], method="monte-carlo", seed=-1)

    @pytest.mark.parametrize("test", [friedman, aligned_friedman, quade])
    def test_auto_draws_where_there_are_too_many_orders_to_count(self, test):
        table = np.random.default_rng(2).normal(size=(12, 9))
        found = test(table, draws=500)
        assert found.method == "monte-carlo"
        assert found.p_error > 0
        assert found.p_value == test(table, method="monte-carlo", draws=500).p_value

    def test_auto_is_chi_square_for_many_data_sets(self):
        found = friedman(np.random.default_rng(2).normal(size=(51, 9)))
        assert found.method == "chi-square"
        assert found.notes == ("there are too many orders to count them all: p is an approximation for many data sets",)

    def test_data_sets_without_a_difference_do_not_count(self):
        table = np.vstack([np.random.default_rng(2).normal(size=(12, 9)), np.ones((60, 9))])
        found = friedman(table, draws=500)
        assert found.method == "monte-carlo"
        assert found.p_value == friedman(table[:12], draws=500).p_value


class TestFriedmanFarAway:
    @pytest.mark.parametrize(("k", "n"), [(3, 100), (4, 24)])
    def test_no_digit_is_lost(self, k, n):
        # all data sets agree: 1 of k!**(n − 1) arrangements
        found = friedman(np.tile(np.arange(k), (n, 1)), method="exact")
        assert found.log10_p == pytest.approx(-(n - 1) * math.log10(math.factorial(k)), rel=1e-12)

    def test_far_apart_probabilities_are_not_lost(self):
        # two methods, 2,500 data sets: 2**-2499 can't be counted in one range of numbers, so it isn't called exact
        found = friedman(np.tile([1, 2], (2500, 1)))
        assert found.method == "chi-square"
        assert found.log10_p < -500

    def test_large_ranks_take_no_room(self):
        # a table of all sums of squares would hold 1e9 of them
        differences = np.random.default_rng(4).normal(size=300)
        table = np.column_stack([differences, np.zeros(300)])
        found = quade(table, method="exact")
        # for two methods Quade's is Wilcoxon's test
        assert found.p_value == pytest.approx(wilcoxon(*table.T, interval=False).p_value, rel=1e-10)

    def test_the_far_tail_of_f(self):
        # with 2 degrees of freedom above, P(F ≥ f) = (1 + 2f/d)**(−d/2)
        table = np.tile([3.0, 2.0, 1.0], (300, 1))
        table[0] = [3.0, 1.0, 2.0]
        found = iman_davenport(table)
        assert found.p_value == 0.0
        assert found.log10_p == pytest.approx(-299 * math.log10(1 + found.statistic / 299), rel=1e-12)

    def test_auto_counts_for_about_a_second(self):
        found = friedman(np.tile(np.arange(5), (15, 1)))
        assert found.method == "exact"
        assert found.p_value == pytest.approx(120.0**-14, rel=1e-12)

    def test_two_methods_are_the_sign_test(self):
        table = np.column_stack([np.zeros(1200), np.r_[np.ones(1190), -np.ones(10)]])
        found, signs = friedman(table, method="exact"), sign_test(*table.T)
        assert found.log10_p == pytest.approx(signs.log10_p, rel=1e-10)


class TestImanDavenport:
    def test_by_hand(self):
        # chi-square 3 of at most 4 (see Friedman): F = 1 · 3 / (4 − 3)
        found = iman_davenport([[3, 2, 1], [2, 3, 1]])
        assert (found.statistic, found.df) == (3.0, (2, 2))

    def test_far_tail(self):
        found = iman_davenport([[3, 2, 1]] * 999 + [[1, 2, 3]])
        assert found.log10_p == pytest.approx(-2395.97614592561, rel=1e-9)
