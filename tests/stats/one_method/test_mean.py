import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import corrected_t, mean_interval, one_sample_t


class TestMeanInterval:
    def test_by_hand(self):
        # 1, 2, 3: mean 2, variance 1; k = 3, q = 1: half-width t · sqrt(4/3), for 2 df t = (2p − 1) / sqrt(2p(1 − p))
        t = 0.95 / math.sqrt(2 * 0.975 * 0.025)
        found = mean_interval([1, 2, 3], test_share=0.5)
        assert found.high - 2 == pytest.approx(t * math.sqrt(4 / 3), rel=1e-12)

    def test_against_r(self):
        # R 4.2.2: t.test(c(0.70, 0.80, 0.75, 0.85))$conf.int
        found = mean_interval([0.70, 0.80, 0.75, 0.85])
        assert (found.low, found.high) == pytest.approx((0.672286987161974, 0.877713012838026), rel=1e-12)

    def test_one_value_or_equal_values_have_no_interval(self):
        for values in ([0.9], [0.9, 0.9, 0.9]):
            found = mean_interval(values)
            assert found.estimate == pytest.approx(0.9)
            assert math.isnan(found.low)
            assert found.notes

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"1 of 2 entries is not \(index 1\)"):
            mean_interval([1.0, math.nan])
        with pytest.raises(InputError, match=r"at least one number, got an array of shape \(0,\)"):
            mean_interval([])
        with pytest.raises(InputError, match=r"test_share must lie strictly between 0 and 1 .*, got 10"):
            mean_interval([1, 2], test_share=10)

    def test_a_known_standard_deviation_makes_it_z(self):
        # mean 2 of 4 values, sd 3: 2 ± 1.959963984540054 · 3 / 2
        found = mean_interval([1, 1, 2, 4], sd=3)
        assert (found.low, found.high) == pytest.approx((2 - 1.5 * 1.959963984540054, 2 + 1.5 * 1.959963984540054))
        assert mean_interval([5.0], sd=1).high == pytest.approx(5 + 1.959963984540054)
        with pytest.raises(InputError, match="sd must be a known standard deviation above 0"):
            mean_interval([1, 2], sd=0)

    def test_one_sided_bounds_are_those_of_a_wider_interval(self):
        x = [0.70, 0.80, 0.75, 0.85]
        wide = mean_interval(x, level=0.9)
        assert mean_interval(x, alternative="greater").low == pytest.approx(wide.low)
        assert mean_interval(x, alternative="greater").high == math.inf
        assert mean_interval(x, alternative="less").high == pytest.approx(wide.high)

    def test_float_noise_is_no_spread(self):
        found = mean_interval([0.1 + 0.2, 0.3, 0.3])
        assert math.isnan(found.low)
        assert "all values are equal" in found.notes[0]


values = st.lists(st.floats(-5, 5).map(lambda v: round(v, 3)), min_size=3, max_size=10)


class TestOneSampleT:
    def test_by_hand(self):
        # mean 2, variance 1, k = 3, q = 1: (2 − 1) / sqrt(4/3)
        assert one_sample_t([1, 2, 3], 1, test_share=0.5).statistic == pytest.approx(math.sqrt(3 / 4))

    def test_repeats_overlap_more(self):
        # as above, but q = 1 is multiplied by 1.75: (2 − 1) / sqrt(1/3 + 7/4)
        found = one_sample_t([1, 2, 3], 1, test_share=0.5, overlap=1.75)
        assert found.statistic == pytest.approx(math.sqrt(12 / 25))

    def test_against_r(self):
        # R 4.2.2: t.test(x, mu = 0.8), and alternative = "greater"
        x = [0.82, 0.80, 0.86, 0.84]
        assert one_sample_t(x, 0.8).p_value == pytest.approx(0.102728078858399, rel=1e-9)
        assert one_sample_t(x, 0.8, alternative="greater").effect.low == pytest.approx(0.79961820869813, rel=1e-9)

    @given(values, st.floats(-5, 5).map(lambda v: round(v, 3)))
    def test_is_the_paired_test_against_a_constant(self, x, mean0):
        found = one_sample_t(x, mean0, test_share=0.1)
        same = corrected_t(x, [mean0] * len(x), test_share=0.1)
        assert found.p_value == pytest.approx(same.p_value, nan_ok=True)
        assert found.effect.low == pytest.approx(same.effect.low + mean0, nan_ok=True)
        if not math.isnan(found.p_value) and abs(found.p_value - 0.05) > 1e-9:
            assert (mean0 not in found.effect) == (found.p_value < 0.05)

    def test_undefined(self):
        assert one_sample_t([0.5, 0.5], 0.5).p_value == 1
        assert math.isnan(one_sample_t([0.5, 0.5], 0.4).p_value)
        with pytest.raises(InputError, match="at least two"):
            one_sample_t([0.5], 0.5)
        with pytest.raises(InputError, match="mean0 must be a finite number, got nan"):
            one_sample_t([0.5, 0.6], math.nan)
