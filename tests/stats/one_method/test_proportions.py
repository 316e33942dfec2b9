import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import binomial_test, proportion_interval, proportion_z
from fairtrial.stats.one_method.proportions import PROPORTION_METHODS

ALTERNATIVES = ("two-sided", "greater", "less")


class TestProportionInterval:
    def test_by_hand(self):
        # a textbook example: 80 of 100, standard error 0.04
        found = proportion_interval(80, 100, method="normal", level=0.95)
        assert found.estimate == 0.8
        assert found.low == pytest.approx(0.8 - 1.95996398454005 * 0.04)  # R 4.2.2: qnorm(0.975)
        assert found.high == pytest.approx(0.8784, abs=5e-5)
        one_sigma = proportion_interval(80, 100, method="normal", level=0.6826894921370859)
        assert (one_sigma.low, one_sigma.high) == pytest.approx((0.76, 0.84))

    @given(n=st.integers(1, 60), share=st.floats(0, 1), method=st.sampled_from(sorted(PROPORTION_METHODS)))
    def test_failures_are_the_mirror_of_successes(self, n, share, method):
        x = round(share * n)
        found, mirror = proportion_interval(x, n, method=method), proportion_interval(n - x, n, method=method)
        assert (found.low, found.high) == pytest.approx((1 - mirror.high, 1 - mirror.low), abs=1e-12)
        assert found.low <= found.estimate <= found.high

    def test_wilson_stays_inside(self):
        # no bound is above 1, and a perfect score does not have [1, 1]
        found = proportion_interval(20, 20)
        assert found.low < 0.9
        assert found.high == 1.0

    def test_the_normal_method_says_when_not_to_use_it(self):
        assert "n·p·(1−p) ≥ 5" in proportion_interval(19, 20, method="normal").notes[0]
        assert proportion_interval(80, 100, method="normal").notes == ()

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"successes must be a whole number from 0 to n = 10, got 11"):
            proportion_interval(11, 10)
        with pytest.raises(InputError, match=r"n must be a whole number from 1 to 10.15, got 0"):
            proportion_interval(0, 0)
        with pytest.raises(InputError, match=r"level must lie strictly between 0 and 1"):
            proportion_interval(1, 2, level=95)
        with pytest.raises(UnknownName, match=r"did you mean 'wilson'"):
            proportion_interval(1, 2, method="wilsen")

    @pytest.mark.parametrize("method", sorted(PROPORTION_METHODS))
    def test_one_sided_bounds_are_those_of_a_wider_interval(self, method):
        wide = proportion_interval(17, 40, method=method, level=0.9)
        lower = proportion_interval(17, 40, method=method, alternative="greater")
        upper = proportion_interval(17, 40, method=method, alternative="less")
        assert (lower.low, lower.high) == (pytest.approx(wide.low), 1.0)
        assert (upper.low, upper.high) == (0.0, pytest.approx(wide.high))

    def test_exact_keeps_its_level_for_every_proportion(self):
        n, p = 17, np.linspace(0.01, 0.99, 99)
        mass = [math.comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)]
        held = [(f.low <= p) & (p <= f.high) for f in (proportion_interval(x, n, method="exact") for x in range(n + 1))]
        assert sum(m * h for m, h in zip(mass, held, strict=True)).min() >= 0.95

    @pytest.mark.parametrize("method", PROPORTION_METHODS)
    def test_a_bound_at_a_level_below_one_half_lies_on_the_other_side(self, method):
        at_least = [proportion_interval(3, 10, method=method, alternative="greater", level=v).low for v in (0.7, 0.3)]
        at_most = [proportion_interval(3, 10, method=method, alternative="less", level=v).high for v in (0.3, 0.7)]
        assert at_least == sorted(at_least)
        assert at_most == sorted(at_most)
        if method in ("wilson", "normal"):  # both bounds are at the same distance from the normal's median
            assert at_least[1] == pytest.approx(at_most[1])


def masses(n, p):
    """Exactly, with fractions."""
    p = Fraction(p)
    return [math.comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)]


class TestBinomialTest:
    def test_by_hand(self):
        # 4 of 5 at 1/4: P(4) = 15/1024, P(5) = 1/1024; below, 0 has 243/1024 and so on: all likelier
        found = binomial_test(4, 5, 0.25)
        assert found.p_value == pytest.approx(16 / 1024)
        assert binomial_test(4, 5, 0.25, method="doubled").p_value == pytest.approx(32 / 1024)
        assert found.statistic == 4

    def test_against_r(self):
        # R 4.2.2: binom.test(3, 40, 0.2)$p.value; binom.test(9, 12, 0.4, alternative = "greater", conf.level = 0.9)
        assert binomial_test(3, 40, 0.2).p_value == pytest.approx(0.0478694633883931, rel=1e-9)
        found = binomial_test(9, 12, 0.4, alternative="greater", level=0.9)
        assert (found.effect.low, found.effect.high) == pytest.approx((0.524733700974461, 1.0), rel=1e-9)

    @pytest.mark.parametrize("n", [1, 2, 5, 9, 12])
    def test_equals_enumeration(self, n):
        for x, p in itertools.product(range(n + 1), ("1/3", "1/2", "3/5", "1/10")):
            each = masses(n, p)
            p0 = float(Fraction(p))
            unlikely = sum(m for m in each if m <= each[x])
            assert binomial_test(x, n, p0).p_value == pytest.approx(float(unlikely), rel=1e-12)
            up, down = sum(each[x:]), sum(each[: x + 1])
            assert binomial_test(x, n, p0, alternative="greater").p_value == pytest.approx(float(up), rel=1e-12)
            doubled = float(min(2 * min(up, down), 1))
            assert binomial_test(x, n, p0, method="doubled").p_value == pytest.approx(doubled, rel=1e-12)

    @given(
        n=st.integers(1, 40),
        share=st.floats(0, 1),
        p0=st.floats(0.01, 0.99),
        method=st.sampled_from(["exact", "doubled"]),
        alternative=st.sampled_from(ALTERNATIVES),
    )
    def test_interval_and_p_agree(self, n, share, p0, method, alternative):
        found = binomial_test(round(share * n), n, p0, method=method, alternative=alternative)
        if abs(found.p_value - 0.05) < 1e-9:
            return
        if found.p_value >= 0.05:
            assert found.effect.low - 1e-9 <= p0 <= found.effect.high + 1e-9
        elif method == "doubled" or alternative != "two-sided":
            assert p0 not in found.effect

    def test_the_ends_of_sternes_interval_are_the_last_not_rejected(self):
        for x in range(12):
            found = binomial_test(x, 12).effect
            for edge, beyond in ((found.low, -1e-6), (found.high, 1e-6)):
                if 0 < edge < 1:
                    assert binomial_test(x, 12, edge - beyond).p_value >= 0.05 - 1e-6
                    assert binomial_test(x, 12, edge + beyond).p_value < 0.05

    def test_far_tail(self):
        # R 4.2.2: pbinom(5, 5000, 0.3, log.p = TRUE) / log(10)
        found = binomial_test(5, 5000, 0.3, alternative="less")
        assert found.log10_p == pytest.approx(-759.933869053912, rel=1e-12)

    def test_002_rejects_from_p_070(self):
        # a rule that is sometimes taught is liberal: N = 10, p0 = 0.1, e = 3 has P(X ≥ 3) = 0.070
        assert binomial_test(3, 10, 0.1, alternative="greater").p_value == pytest.approx(0.0701908264)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="p0 must lie strictly between 0 and 1"):
            binomial_test(1, 2, 1.0)
        with pytest.raises(InputError, match="successes must be a whole number from 0 to n = 2, got nan"):
            binomial_test(math.nan, 2)
        with pytest.raises(UnknownName, match="did you mean 'doubled'"):
            binomial_test(1, 2, method="double")

    def test_many_instances_take_no_time(self):
        # R 4.2.2: binom.test(501000, 1e6)$p.value, binom.test(3001000, 1e7, 0.3)$p.value
        assert binomial_test(501_000, 10**6).p_value == pytest.approx(0.0456082998653821, rel=1e-11)
        found = binomial_test(3_001_000, 10**7, 0.3)
        assert found.p_value == pytest.approx(0.490152970706925, rel=1e-11)
        assert 0.3 in found.effect

    def test_far_tail_of_many(self):
        # R 4.2.2: pbinom(1000, 1e5, 0.7, log.p = TRUE) / log(10)
        found = binomial_test(1000, 10**5, 0.7, alternative="less")
        assert (found.p_value, found.log10_p) == (0.0, pytest.approx(-49489.67706750641, rel=1e-14))

    def test_the_smallest_probabilities(self):
        # 1 − p0 is 1 in floating point: P(X ≥ 1) = 10 p0, P(X ≥ 2) = 45 p0²
        assert binomial_test(1, 10, 1e-17).p_value == pytest.approx(1e-16)
        found = binomial_test(2, 10, 1e-200, alternative="greater")
        assert (found.p_value, found.log10_p) == (0.0, pytest.approx(math.log10(45) - 400))


class TestProportionZ:
    def test_against_r(self):
        # R 4.2.2: prop.test(9, 12, 0.4, correct = FALSE): X-squared 6.125, p-value 0.01332833
        found = proportion_z(9, 12, 0.4)
        assert found.statistic**2 == pytest.approx(6.125)
        assert found.p_value == pytest.approx(0.01332833, rel=1e-6)
        assert "use binomial_test" in found.notes[0]

    @given(st.integers(1, 80), st.floats(0, 1), st.floats(0.02, 0.98), st.sampled_from(ALTERNATIVES))
    def test_wilsons_interval_leaves_out_p0_exactly_when_p_is_small(self, n, share, p0, alternative):
        found = proportion_z(round(share * n), n, p0, alternative=alternative)
        if abs(found.p_value - 0.05) > 1e-9:
            assert (p0 not in found.effect) == (found.p_value < 0.05)

    def test_far_tail(self):
        # R 4.2.2: pnorm(-100, log.p = TRUE) / log(10) = -2173.87154
        found = proportion_z(10000, 10000, alternative="greater")
        assert found.statistic == pytest.approx(100)
        assert found.log10_p == pytest.approx(-2173.87154, rel=1e-8)
