import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import wilcoxon
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

    @pytest.mark.slow
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

    def test_a_note_counts_zero_differences(self):
        found = against_zero([0, 0, 0, 1, 2, 3, 4, 5, -6, 7])
        assert found.n == 7
        assert found.details["zeros"] == 3
        split = against_zero([0, 0, 0, 1, 2, 3, 4, 5, -6, 7], zeros="split")
        assert found.notes == (
            f"3 of 10 differences are zero and were left out; with zeros='split', p = {split.p_value:.4g}",
        )
        assert split.n == 9

    @pytest.mark.parametrize("zeros", ZEROS)
    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    @pytest.mark.parametrize("method", ["exact", "asymptotic"])
    def test_identical_methods_have_p_1(self, zeros, alternative, method):
        # identical methods must not be called different
        scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3]
        found = wilcoxon(scores, scores, zeros=zeros, alternative=alternative, method=method)
        assert found.p_value >= 0.5 if zeros == "split" else found.p_value == 1.0
        assert wilcoxon(scores, scores, zeros=zeros).p_value == 1.0
        assert "all differences are zero" in found.notes
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
        # neither is p nan, nor is a pair dropped without a note, as R does
        case = golden["wilcoxon_NA_pairs"]["inputs"]
        x, y = ([math.nan if v == "NA" else v for v in case[key]] for key in "xy")
        with pytest.raises(InputError, match=r"\(indices 1, 3 and 6\); choose a failure policy or leave those"):
            wilcoxon(x, y)

    def test_missing_scores_are_counted(self):
        a = [None, 1.0, math.nan, 2.0]
        with pytest.raises(InputError, match=r"2 of 4 pairs are not \(indices 0 and 2\)"):
            wilcoxon(a, [1, 2, 3, 4])
        with pytest.raises(InputError, match=r"1 of 2 pairs is not"):
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
        with pytest.raises(InputError, match=r"zeros must be 'drop', 'split' or 'pratt', got 'wilcox'"):
            wilcoxon([1, 2], [2, 1], zeros="wilcox")
        with pytest.raises(InputError, match=r"a must hold numbers only"):
            wilcoxon(["x", "y"], [1, 2])
        with pytest.raises(InputError, match=r"lists of scores, got arrays of shapes \(1, 2\)"):
            wilcoxon([[1, 2]], [[1, 2]])


tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=6)
)


tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 9), min_size=k, max_size=k), min_size=2, max_size=2 if k == 4 else 3)
)
