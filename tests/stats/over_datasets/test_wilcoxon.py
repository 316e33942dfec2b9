import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import aligned_friedman, friedman, iman_davenport, quade, sign_test, wilcoxon
from fairtrial.stats.over_datasets.wilcoxon import EXACT_PAIRS

ALTERNATIVES = ["two-sided", "greater", "less"]
ZEROS = ["drop", "split", "pratt"]
tied = st.lists(st.integers(-5, 6), min_size=1, max_size=8)
longer = st.lists(st.integers(-9, 12), min_size=1, max_size=25)
level = st.sampled_from([0.8, 0.9, 0.95])


def against_zero(d, **options):
    return wilcoxon(d, [0] * len(d), **options)


def midranks(values):
    return [sum(v < w for v in values) + (sum(v == w for v in values) + 1) / 2 for w in values]


def enumerated_p(d, zeros, alternative):
    """The definition, by going through all signs of all ranks."""
    d = [x for x in d if x != 0] if zeros == "drop" else list(d)
    if zeros == "split" and d.count(0) % 2:
        d.remove(0)
    ranks = midranks([abs(x) for x in d])
    plus = sum(r for x, r in zip(d, ranks, strict=True) if x > 0)
    if zeros == "split":
        plus += sum(r for x, r in zip(d, ranks, strict=True) if x == 0) / 2
        random = ranks
    else:
        random = [r for x, r in zip(d, ranks, strict=True) if x != 0]
    sums = [
        sum(r for r, s in zip(random, signs, strict=True) if s)
        for signs in itertools.product((0, 1), repeat=len(random))
    ]
    greater = sum(s >= plus for s in sums) / len(sums)
    less = sum(s <= plus for s in sums) / len(sums)
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]


class TestWilcoxon:
    def test_by_hand(self):
        # d = 3, -1, 2: ranks 3, 1, 2; R+ 5, R- 1; P(R- <= 1) = 2/8
        found = wilcoxon([5, 1, 4], [2, 2, 2])
        assert (found.details["r_plus"], found.details["r_minus"], found.statistic) == (5, 1, 1)
        assert found.p_value == 0.5
        assert wilcoxon([5, 1, 4], [2, 2, 2], alternative="greater").p_value == 0.25
        # Walsh averages -1, 0.5, 1, 2, 2.5, 3
        assert found.effect.estimate == 1.5

    def test_far_beyond_doubles(self):
        assert against_zero(np.arange(1, 1001), method="exact", interval=False).p_value == 2.0**-999
        found = against_zero(np.arange(1, 1201), method="exact", interval=False)
        assert found.p_value == 0.0
        assert found.log10_p == pytest.approx(-1199 * math.log10(2))
        normal = against_zero(np.arange(1, 5001), interval=False)
        assert normal.method == "asymptotic"
        assert -1000 < normal.log10_p < -300

    def test_more_against_r(self):
        # R 4.2.2: wilcox.test(d, conf.int=TRUE, conf.level=0.9)
        found = against_zero([1.1, 2.2, -0.4, 3.3, 0.9, -1.7, 5.2, 2.6, 0.3, 4.1], level=0.9)
        assert (found.p_value, found.effect.estimate) == (0.037109375, 1.75)
        assert (found.effect.low, found.effect.high) == (0.35, 3.15)
        # wilcox.test(x, y, paired=TRUE, conf.int=TRUE), the depression data of R's help page
        x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
        y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
        found = wilcoxon(x, y)
        assert (found.p_value, found.effect.estimate) == (0.0390625, 0.46)
        assert (found.effect.low, found.effect.high) == (0.01, 0.786)
        found = wilcoxon(x, y, alternative="greater", level=0.9)
        assert (found.effect.low, found.effect.high) == (0.22, math.inf)
        # z <- 1:250 * ifelse((1:250) %% 3 == 0, -1, 1); wilcox.test(z, exact=TRUE), (exact=FALSE, correct=FALSE)
        z = [i if i % 3 else -i for i in range(1, 251)]
        assert against_zero(z, interval=False).p_value == pytest.approx(3.83550992811499e-06, rel=1e-9)
        normal = against_zero(z, interval=False, method="asymptotic")
        assert normal.p_value == pytest.approx(4.89592068772397e-06, rel=1e-9)

    @settings(max_examples=60)
    @given(tied, st.sampled_from(ZEROS), st.sampled_from(ALTERNATIVES))
    def test_equals_enumeration(self, d, zeros, alternative):
        found = against_zero(d, zeros=zeros, alternative=alternative, interval=False)
        assert found.p_value == pytest.approx(enumerated_p(d, zeros, alternative), rel=1e-13)

    @settings(max_examples=60)
    @given(
        longer, st.sampled_from(ZEROS), st.sampled_from(ALTERNATIVES), st.sampled_from(["exact", "asymptotic"]), level
    )
    def test_the_interval_excludes_zero_exactly_when_p_is_small(self, d, zeros, alternative, method, level):
        found = against_zero(d, zeros=zeros, alternative=alternative, method=method, level=level)
        assert (0 not in found.effect) == (found.p_value < 1 - level)
        assert found.effect.low <= found.effect.high

    @settings(max_examples=40)
    @given(st.lists(st.integers(-4, 9).filter(bool), min_size=4, max_size=8), level)
    def test_the_interval_holds_the_shifts_that_are_not_rejected(self, d, level):
        found = against_zero(d, level=level).effect
        walsh = sorted({(x + y) / 2 for x, y in itertools.combinations_with_replacement(d, 2)})
        between = [walsh[0] - 1, *((x + y) / 2 for x, y in itertools.pairwise(walsh)), walsh[-1] + 1]
        kept = [t for t in between if enumerated_p([x - t for x in d], "drop", "two-sided") >= 1 - level]
        assert kept == [t for t in between if found.low <= t <= found.high]

    @settings(max_examples=40)
    @given(longer, st.sampled_from(ZEROS), st.randoms())
    def test_swapping_flips_and_order_does_not_matter(self, d, zeros, random):
        there = against_zero(d, zeros=zeros)
        back = wilcoxon([0] * len(d), random.sample(d, len(d)), zeros=zeros)
        assert there.p_value == back.p_value
        assert there.details["r_plus"] == back.details["r_minus"]
        assert there.effect.estimate == -back.effect.estimate
        assert (there.effect.low, there.effect.high) == (-back.effect.high, -back.effect.low)

    @settings(max_examples=40)
    @given(longer, st.sampled_from([1e-300, 1e-9, 0.001, 3.0, 1e12, 1e290]))
    def test_the_scale_does_not_matter(self, d, factor):
        plain, scaled = against_zero(d), against_zero(np.array(d) * factor)
        assert plain.p_value == scaled.p_value
        assert scaled.effect.estimate == pytest.approx(plain.effect.estimate * factor, rel=1e-9)

    def test_float_noise_does_not_break_ties(self):
        # 0.1 and -0.1 on paper share ranks 1 and 2, but in doubles 0.3 - 0.2 < 0.8 - 0.7
        assert 0.3 - 0.2 < 0.8 - 0.7
        noisy = wilcoxon([0.3, 0.7, 0.9], [0.2, 0.8, 0.4])
        assert (noisy.details["r_plus"], noisy.details["r_minus"]) == (4.5, 1.5)

    def test_zeros_are_told(self):
        found = against_zero([0, 0, 0, 1, 2, 3, 4, 5, -6, 7])
        assert found.n == 7
        assert found.details["zeros"] == 3
        split = against_zero([0, 0, 0, 1, 2, 3, 4, 5, -6, 7], zeros="split")
        assert found.notes == (
            f"3 of 10 pairs are equal and were dropped; with their ranks split p = {split.p_value:.4g}",
        )
        assert split.n == 9

    @pytest.mark.parametrize("zeros", ZEROS)
    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    @pytest.mark.parametrize("method", ["exact", "asymptotic"])
    def test_identical_methods_have_p_1(self, zeros, alternative, method):
        # PEERS 7
        scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3]
        found = wilcoxon(scores, scores, zeros=zeros, alternative=alternative, method=method)
        assert found.p_value >= 0.5 if zeros == "split" else found.p_value == 1.0
        assert wilcoxon(scores, scores, zeros=zeros).p_value == 1.0
        assert "all scores are equal" in found.notes
        assert found.effect.estimate == 0.0
        assert 0 in found.effect

    def test_too_few_for_an_interval(self):
        found = against_zero([1, 2, 3, 4, 5])
        assert (found.effect.low, found.effect.high) == (-math.inf, math.inf)
        assert math.isnan(found.critical_value)

    def test_auto_is_exact_up_to_its_limit(self):
        rng = np.random.default_rng(1)
        for n, method in ((EXACT_PAIRS, "exact"), (EXACT_PAIRS + 1, "asymptotic")):
            found = against_zero(rng.normal(size=n))
            assert found.method == method
            assert (0 not in found.effect) == (found.p_value < 0.05)

    def test_pandas_must_be_aligned(self):
        a = pd.Series([1.0, 2.0, 4.0], index=["x", "y", "z"])
        assert wilcoxon(a, a[::-1].to_numpy()).n == 2
        with pytest.raises(InputError, match=r"same index"):
            wilcoxon(a, a[::-1])

    def test_missing_scores_are_refused(self, golden):
        # PEERS 3: neither p = nan nor a pair dropped without a word (as R does)
        case = golden["wilcoxon_NA_pairs"]["inputs"]
        x, y = ([math.nan if v == "NA" else v for v in case[key]] for key in "xy")
        with pytest.raises(InputError, match=r"\(pairs \[1, 3, 6\]\); choose a failure policy or drop those"):
            wilcoxon(x, y)

    def test_missing_scores_are_counted(self):
        a = [None, 1.0, math.nan, 2.0]
        with pytest.raises(InputError, match=r"2 of 4 pairs are not \(pairs \[0, 2\]\)"):
            wilcoxon(a, [1, 2, 3, 4])
        with pytest.raises(InputError, match=r"1 of 2 pairs are not"):
            wilcoxon(np.ma.array([1.0, 2.0], mask=[False, True]), [1, 2])

    @pytest.mark.parametrize("a", [["0.5", "0.6"], np.array(["2020-01-01"] * 2, dtype="M8[D]"), [1j, 2]])
    def test_what_only_looks_like_numbers_is_refused(self, a):
        with pytest.raises(InputError, match=r"a must hold numbers only"):
            wilcoxon(a, [1, 2])

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"of one length, got 3 and 2"):
            wilcoxon([1, 2, 3], [1, 2])
        with pytest.raises(InputError, match=r"at least one pair"):
            wilcoxon([], [])
        with pytest.raises(InputError, match=r"zeros must be one of 'drop', 'split', 'pratt', got 'wilcox'"):
            wilcoxon([1, 2], [2, 1], zeros="wilcox")
        with pytest.raises(InputError, match=r"a must hold numbers only"):
            wilcoxon(["x", "y"], [1, 2])
        with pytest.raises(InputError, match=r"lists of scores, got arrays of shapes \(1, 2\)"):
            wilcoxon([[1, 2]], [[1, 2]])


class TestSignTest:
    def test_by_hand(self):
        # 3 wins, 1 loss: P(at least 3 of 4) = 5/16
        found = sign_test([2, 3, 4, 1], [1, 1, 1, 2])
        assert (found.details["wins"], found.details["losses"]) == (3, 1)
        assert found.p_value == 0.625
        assert found.effect.estimate == 1.5

    @settings(max_examples=60)
    @given(longer, st.sampled_from(["drop", "split"]), st.sampled_from(ALTERNATIVES), level)
    def test_the_interval_excludes_zero_exactly_when_p_is_small(self, d, ties, alternative, level):
        found = sign_test(d, [0] * len(d), ties=ties, alternative=alternative, level=level)
        assert (0 not in found.effect) == (found.p_value < 1 - level)

    @given(longer)
    def test_swapping_flips(self, d):
        there, back = sign_test(d, [0] * len(d)), sign_test([0] * len(d), d)
        assert there.p_value == back.p_value
        assert there.effect.low == -back.effect.high

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"ties must be one of 'drop', 'split', got 'half'"):
            sign_test([1, 2], [2, 1], ties="half")


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
        # PEERS 4: the direction is respected, never guessed
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
        assert "p is the exact chance of that" in found.notes[0]

    def test_the_far_tail(self):
        found = friedman(np.tile([4, 3, 2, 1], (1000, 1)))
        assert found.method == "chi-square"
        assert found.p_value == 0.0
        # R 4.2.2: pchisq(3000, 3, lower.tail=FALSE, log.p=TRUE)/log(10)
        assert found.log10_p == pytest.approx(-649.801077473518, rel=1e-9)

    def test_missing_scores_are_refused_with_their_number(self, golden):
        # PEERS 3: R and scikit-posthocs drop such rows without a word
        matrix = golden["friedman_NA_row"]["inputs"]["matrix"]
        table = pd.DataFrame([[math.nan if v == "NA" else v for v in row] for row in matrix])
        with pytest.raises(InputError, match=r"1 of 56 are not \(rows \[2\]\); choose a failure policy or drop those"):
            friedman(table)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"at least 2 data sets \(rows\) and 2 methods .* shape \(1, 3\)"):
            friedman([[1, 2, 3]])
        with pytest.raises(InputError, match=r"method must be one of 'auto', 'exact', .* got 'chi2'"):
            friedman([[1, 2], [2, 1]], method="chi2")
        with pytest.raises(InputError, match=r"too much work for 40 data sets and 8 methods; use 'monte-carlo'"):
            friedman(np.tile(np.arange(8), (40, 1)), method="exact")
        with pytest.raises(InputError, match=r"belong in the index"):
            friedman(pd.DataFrame({"dataset": ["iris", "wine"], "a": [1.0, 2.0]}))


tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 9), min_size=k, max_size=k), min_size=2, max_size=2 if k == 4 else 3)
)


def enumerated_share(table, statistic):
    """How many of all orders within rows have a statistic as large as the table's."""
    rows = [list(itertools.permutations(row)) for row in table]
    observed = statistic(table)
    found = [statistic(list(map(list, orders))) for orders in itertools.product(*rows)]
    return sum(f >= observed - 1e-9 for f in found) / len(found)


class TestFriedmanByDraws:
    def test_agrees_with_the_exact_p(self):
        table = np.random.default_rng(3).normal([0, 0.4, 0.8, 0.2], 1, size=(10, 4))
        exact, drawn = friedman(table, method="exact"), friedman(table, method="monte-carlo", draws=5000, seed=1)
        assert drawn.p_error == pytest.approx(math.sqrt(drawn.p_value * (1 - drawn.p_value) / 5000))
        assert abs(drawn.p_value - exact.p_value) < 5 * drawn.p_error
        assert drawn == friedman(table, method="monte-carlo", draws=5000, seed=1)
        assert drawn.notes[0].startswith("p from 5,000 random orders, standard error 0.0")
        assert f"chi-square would give p = {drawn.details['chi_square_p']:.3g}" in drawn.notes[0]

    def test_is_never_0(self):
        # PEERS 10: the observed order counts
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
        assert found.notes == ("too many orders to count them all: p is an approximation for many data sets",)

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


class TestQuade:
    def test_by_hand(self):
        # ranges 2 and 4 have ranks 1 and 2; S is ±½ and ±1; B = (1½² + 1½²)/2, A = ½ + 2, F = 2.25/0.25
        found = quade([[1, 3], [5, 9]])
        assert found.details["average_ranks"] == [2, 1]
        assert found.statistic == pytest.approx(9)
        assert found.p_value == 0.5  # 2 of 4 orders
        # three data sets of equal range, one turned round: S = ±2·½·(1, 1, −1), B = 2/3, A = 6, F = 2·(2/3)/(16/3)
        assert quade([[1, 3], [5, 7], [9, 7]]).statistic == pytest.approx(0.25)

    def test_perfect(self):
        found = quade([[1, 2, 3], [6, 7, 8], [10, 11, 12]], method="f")
        assert found.p_value == pytest.approx(1 / 36)
        assert found.notes == ("F is infinite: p is the exact chance that all data sets order the methods alike",)

    def test_far_tail(self):
        # 999 data sets order 3 methods alike, one turns them round, all ranges are tied: B is 0.998² of A
        found = quade([[3, 2, 1]] * 999 + [[1, 2, 3]], method="f")
        f = 999 * 0.998**2 / (1 - 0.998**2)
        assert found.statistic == pytest.approx(f)
        # R 4.2.2: x <- .998^2; pf(999 * x / (1 - x), 2, 1998, lower.tail = FALSE, log.p = TRUE) / log(10)
        assert found.log10_p == pytest.approx(-2395.97614592561, rel=1e-9)

    @settings(max_examples=25)
    @given(tables)
    def test_exact_equals_enumeration(self, table):
        def b(rows):
            return sum(s * s for s in quade(rows, method="f").details["rank_sums"])

        found = quade(table, method="exact")
        if not math.isnan(found.statistic):
            assert found.p_value == pytest.approx(enumerated_share(table, b), rel=1e-9)

    @settings(max_examples=25)
    @given(tables, st.integers(1, 5), st.randoms())
    def test_order_scale_and_direction(self, table, factor, random):
        found = quade(table, method="f")
        shuffled = [row[::-1] for row in random.sample(table, len(table))]
        for other in (quade(shuffled, method="f"), quade(np.array(table) * factor, method="f")):
            assert other.statistic == pytest.approx(found.statistic, nan_ok=True)
        assert quade(table, higher_is_better=False, method="f").statistic == pytest.approx(found.statistic, nan_ok=True)

    def test_all_tied(self):
        found = quade(np.ones((3, 4)))
        assert found.p_value == 1
        assert found.notes == ("all methods are tied on every data set",)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"method must be one of 'auto', 'exact', 'monte-carlo', 'f', got"):
            quade([[1, 2], [2, 1]], method="chi-square")


class TestAlignedFriedman:
    def test_by_hand(self):
        # aligned −1, 1, −2, 2: ranks 3, 2, 4, 1 (1 the best); means 3.5 and 1.5; spread within rows ½ + 4½
        found = aligned_friedman([[1, 3], [5, 9]])
        assert found.details["average_ranks"] == [3.5, 1.5]
        assert found.statistic == pytest.approx(1 * 4 * 2 / 5)
        assert found.p_value == 0.5

    @settings(max_examples=25)
    @given(tables)
    def test_exact_equals_enumeration(self, table):
        def chi_square(rows):
            return aligned_friedman(rows, method="chi-square").statistic

        found = aligned_friedman(table, method="exact")
        if not math.isnan(found.statistic):
            assert found.p_value == pytest.approx(enumerated_share(table, chi_square), rel=1e-9)

    @settings(max_examples=25)
    @given(tables, st.integers(1, 5), st.randoms())
    def test_order_scale_shifts_and_direction(self, table, factor, random):
        found = aligned_friedman(table, method="chi-square").statistic
        shuffled = [row[::-1] for row in random.sample(table, len(table))]
        moved = np.array(table) * factor + np.arange(len(table))[:, None]
        for other in (shuffled, moved):
            assert aligned_friedman(other, method="chi-square").statistic == pytest.approx(found, nan_ok=True)
        turned = aligned_friedman(table, higher_is_better=False, method="chi-square").statistic
        assert turned == pytest.approx(found, nan_ok=True)

    def test_float_noise_does_not_break_ties(self):
        noisy = aligned_friedman([[0.1, 0.3, 0.2], [0.7, 0.8, 0.9], [1.1, 1.3, 1.2]])
        whole = aligned_friedman([[1, 3, 2], [7, 8, 9], [11, 13, 12]])
        assert noisy.statistic == pytest.approx(whole.statistic, rel=1e-14)

    def test_all_tied(self):
        assert aligned_friedman([[1, 1], [2, 2]]).p_value == 1
