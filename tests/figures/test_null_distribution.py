"""Null distributions as data: they sum to one, and their critical region agrees with the p-value."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from fairtrial.errors import InputError
from fairtrial.figures import curve_null, null_distribution_figure
from fairtrial.stats import five_by_two_f, mcnemar, paired_permutation, paired_t, sign_test, wilcoxon

A, B = [3, 5, 2, 6, 4, 9, 8], [1, 4, 2, 3, 8, 4, 2]


class TestSignedRanks:
    def test_by_hand(self) -> None:
        # differences 1, 2, −3: ranks 1 2 3; sums 0 1 2 3 3 4 5 6, each subset with probability 1/8; R+ = 3
        data = curve_null(wilcoxon([2, 4, 0], [1, 2, 3]))
        assert data.values == (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        assert data.heights == (0.125, 0.125, 0.125, 0.25, 0.125, 0.125, 0.125)
        assert (data.observed, data.rejected) == (3.0, False)
        assert math.isnan(data.low)
        assert data.region.startswith("none")

    def test_all_flips_with_ties_and_zeros(self) -> None:
        d = np.array(A) - np.array(B)
        ranks = scipy_stats.rankdata(np.abs(d))[d != 0]  # Pratt: zeros are ranked and then left out
        sums = [sum(chosen) for n in range(len(ranks) + 1) for chosen in itertools.combinations(ranks, n)]
        data = curve_null(wilcoxon(A, B, zeros="pratt"))
        for value, chance in zip(data.values, data.heights, strict=True):
            assert chance == pytest.approx(sums.count(value) / len(sums))
        assert data.observed == ranks[d[d != 0] > 0].sum()

    @pytest.mark.slow
    @given(st.lists(st.integers(-9, 9), min_size=6, max_size=14).filter(any), st.sampled_from([0.05, 0.2]))
    def test_the_region_agrees_with_the_test(self, d: list[int], alpha: float) -> None:
        for side in ("two-sided", "greater"):
            outcome = wilcoxon(d, [0] * len(d), zeros="pratt", alternative=side, level=1 - alpha)
            data = curve_null(outcome, alpha=alpha)
            assert data.rejected == (outcome.p_value < alpha)
            assert sum(data.heights) == pytest.approx(1)
            inside = [h for v, h in zip(data.values, data.heights, strict=True) if v <= data.low or v >= data.high]
            assert sum(inside) < alpha + 1e-12

    def test_nothing_differs(self) -> None:
        with pytest.raises(InputError, match="all differences are zero"):
            curve_null(wilcoxon([1, 2], [1, 2]))


class TestBinomial:
    def test_by_hand(self) -> None:
        data = curve_null(sign_test([5, 7, 8, 6, 9, 4, 3], [4, 5, 5, 5, 4, 5, 3]))
        assert data.heights[5] == pytest.approx(6 / 64)
        assert (data.low, data.high, data.rejected) == (0.0, 6.0, False)

    @given(st.integers(0, 60), st.integers(0, 60))
    def test_the_region_agrees_with_the_test(self, b: int, c: int) -> None:
        if b + c:
            outcome = mcnemar([[10, b], [c, 10]])
            assert curve_null(outcome).rejected == (outcome.p_value < 0.05)

    def test_nothing_differs(self) -> None:
        with pytest.raises(InputError, match="only one value"):
            curve_null(mcnemar([[5, 0], [0, 5]]))


class TestCurves:
    def test_t(self) -> None:
        outcome = paired_t(A, B)
        data = curve_null(outcome)
        t = scipy_stats.t(6)
        assert data.heights == pytest.approx(t.pdf(data.values))
        assert (data.high, data.low) == (pytest.approx(t.ppf(0.975)), pytest.approx(-t.ppf(0.975)))
        assert data.rejected == (outcome.p_value < 0.05)
        turned = curve_null(paired_t(A, B, alternative="greater"), sign=-1)
        assert turned.observed == -outcome.statistic
        assert math.isnan(turned.high)
        assert turned.low == pytest.approx(-t.ppf(0.95))

    def test_f(self) -> None:
        differences = np.array([[0.01, 0.02], [0.03, -0.01], [0.02, 0.02], [0.0, 0.03], [0.02, 0.01]])
        data = curve_null(five_by_two_f(differences))
        f = scipy_stats.f(10, 5)
        assert data.heights[1:] == pytest.approx(f.pdf(data.values[1:]))
        assert data.high == pytest.approx(f.ppf(0.95))

    def test_an_undefined_statistic(self) -> None:
        with pytest.raises(InputError, match="undefined: all differences are zero"):
            curve_null(paired_t([1, 2, 3], [1, 2, 3]))


def test_flips() -> None:
    # differences 2 1 0 3 −4 5 6: the mean under all 2⁷ patterns of signs
    d = np.array(A) - np.array(B)
    means = [float(np.mean(np.array(signs) * d)) for signs in itertools.product((-1, 1), repeat=7)]
    data = curve_null(paired_permutation(A, B))
    for value, chance in zip(data.values, data.heights, strict=True):
        assert chance == pytest.approx(np.isclose(means, value).mean())
    assert data.observed == pytest.approx(d.mean())
    with pytest.raises(InputError, match="only one value"):
        curve_null(paired_permutation([1, 2], [1, 2]))


def test_words_and_plain_data() -> None:
    data = curve_null(wilcoxon(A, B, zeros="pratt"), of="forest")
    assert data.words.startswith(
        "Wilcoxon signed ranks. Null hypothesis: the differences between the two methods are symmetric about zero. "
        "Then the sum of the ranks of data sets on which forest is ahead has the distribution shown. It is "
    )
    assert json.loads(json.dumps(data.to_dict()))["discrete"] is True


@pytest.mark.slow
@pytest.mark.parametrize(("n", "width"), [(1, 5.0), (12, 3.4), (300, 7.0)])
def test_drawn(drawn_whole, n: int, width: float) -> None:
    d = np.random.default_rng(1).normal(0.3, 1, n)
    outcome = wilcoxon(d, np.zeros(n))
    figure = null_distribution_figure(curve_null(outcome, of="a & <b> $x$"), width)
    assert figure.get_size_inches()[0] == pytest.approx(width, abs=0.05)
    written = drawn_whole(figure)
    assert any(text.startswith("H₀: the differences") for text in written)
    assert len(figure.axes[0].patches) <= 500


def test_whole_bars_are_shaded():
    ax = null_distribution_figure(sign_test([9, 8, 9, 8, 9, 8, 9, 1], [1, 1, 1, 1, 1, 1, 1, 2])).axes[0]
    dashed = [line.get_xdata()[0] for line in ax.lines if line.get_linestyle() == "--"]
    assert dashed == [0.5, 7.5]  # the bars of 0 and 8
