"""The ratio of two paired standard deviations."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from scipy.optimize import brentq

from fairtrial.errors import InputError
from fairtrial.stats import spread_ratio

RNG = np.random.default_rng
FOREST, BOOSTING = [0.81, 0.79, 0.83, 0.80, 0.82, 0.78, 0.81], [0.85, 0.70, 0.93, 0.81, 0.88, 0.72, 0.80]


class TestSpreadRatio:
    def test_by_hand(self):
        # centred: −1 −1 2 and −1 0 1; sums −2 −1 3, differences 0 −1 1: r = 4 / √(14 · 2)
        # swaps of the second or the third pair: ±2 / √(14 · (2 − 4/3)) = ±.65, of both −.76: 4 of 8 are as extreme
        found = spread_ratio([0, 0, 3], [0, 1, 2])
        assert found.statistic == pytest.approx(4 / math.sqrt(28))
        assert found.p_value == 0.5
        assert found.effect.estimate == pytest.approx(math.sqrt(3))

    def test_the_interval_against_inverted_t_tests(self):
        # the ratios that Pitman's t-test does not reject, by scipy 1.17: pearsonr(a + x b, a − x b)
        a, b = RNG(1).normal(size=(2, 15)) * [[2.0], [1.0]]
        b += a / 3
        effect = spread_ratio(a, b, level=0.9).effect
        inside = effect.estimate

        def above(x):
            return scipy_stats.pearsonr(a + x * b, a - x * b).pvalue - 0.1

        ends = brentq(above, inside / 20, inside), brentq(above, inside, inside * 20)
        assert (effect.low, effect.high) == pytest.approx(ends, rel=1e-6)

    def test_random_swaps_come_near_to_all(self):
        random = RNG(4)
        a, b = random.normal(size=13) * 1.6, random.normal(size=13)
        signs = np.array(np.meshgrid(*[[-1, 1]] * 13)).reshape(13, -1).T
        s, d = (a - a.mean()) + (b - b.mean()), (a - a.mean()) - (b - b.mean())
        moved = signs * d
        r = [np.corrcoef(s, row)[0, 1] for row in moved]
        observed = np.corrcoef(s, d)[0, 1]
        p = np.mean(np.abs(r) >= abs(observed) - 1e-9)
        found = spread_ratio(a, b)
        assert found.method == "monte-carlo"
        assert found.statistic == pytest.approx(observed)
        assert found.p_value == pytest.approx(p, abs=4 * found.p_error)
        assert found == spread_ratio(a, b)

    @given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=9))
    def test_swapped_and_in_another_unit(self, pairs):
        a, b = np.array(pairs, float).T
        one, other = spread_ratio(a, b), spread_ratio(b * -1e-200 + 3e-200, a * -1e-200)
        assert other.p_value == one.p_value
        if np.ptp(a) and np.ptp(b):
            assert other.effect.estimate * one.effect.estimate == pytest.approx(1)
            assert other.effect.low * one.effect.high == pytest.approx(1)

    @pytest.mark.parametrize(("n", "shape"), [(8, "normal"), (12, "shared"), (30, "t")])
    def test_error_rates(self, n, shape):
        # 1,000 draws: the rate and 3 standard errors
        random, rejected = RNG(n), []
        for _ in range(1000):
            pair = random.standard_t(5, (2, n)) if shape == "t" else random.normal(size=(2, n))
            pair = pair + 3 * random.normal(size=n) if shape == "shared" else pair
            rejected.append(spread_ratio(*pair, draws=399).p_value <= 0.05)
        assert np.mean(rejected) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 1000)

    def test_a_real_difference_is_found(self):
        random = RNG(2)
        found = [spread_ratio(random.normal(0, 2.5, 20), random.normal(size=20), draws=399).p_value for _ in range(100)]
        assert np.mean(np.array(found) <= 0.05) > 0.85

    @pytest.mark.parametrize(
        ("a", "b", "ratio", "p", "note"),
        [
            ([0.3, 0.1 + 0.2, 0.3], [1, 2, 4], 0, 0.25, "first method are all equal: the ratio is 0"),
            ([1, 2, 4], [2, 2, 2], math.inf, 0.25, "second method are all equal: the ratio is infinite"),
            ([1, 1, 1], [2, 2, 2], math.nan, 1, "their ratio is undefined"),
            ([1, 2], [3, 5], 0.5, 0.5, "two data sets have no interval"),
            ([1], [2], math.nan, math.nan, "one data set has no standard deviation"),
        ],
    )
    def test_undefined_cases(self, a, b, ratio, p, note):
        found = spread_ratio(a, b)
        assert (found.effect.estimate, found.p_value) == pytest.approx((ratio, p), nan_ok=True)
        assert math.isnan(found.effect.low)
        assert note in found.notes[0]

    def test_proportional_and_equal_scores(self):
        found = spread_ratio([1, 2, 4, 5], [2, 4, 8, 10])
        assert (found.effect.low, found.effect.high) == (0.5, 0.5)
        assert spread_ratio(FOREST, FOREST).p_value == 1

    def test_the_smallest_p_is_a_bound(self):
        a = np.arange(40.0)
        found = spread_ratio(a, RNG(0).normal(size=40) / 1e6)
        assert found.at_floor
        assert found.p_value == 1 / 10_000

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="a and b must be of one length, got 2 and 3"):
            spread_ratio([1, 2], [1, 2, 3])
        with pytest.raises(InputError, match="draws must be a whole number"):
            spread_ratio([1, 2], [1, 2], draws=0)
