import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import mean_interval, proportion_interval
from fairtrial.stats.proportions import PROPORTION_METHODS

KEYS = {
    "exact": "clopper_pearson",
    "wilson": "wilson",
    "agresti-coull": "agresti_coull",
    "normal": "wald",
    "jeffreys": "jeffreys",
}


class TestProportionInterval:
    def test_by_hand(self):
        # seed-confidence-interval (003, example 12.5): 80 of 100, standard error 0.04
        found = proportion_interval(80, 100, method="normal", level=0.95)
        assert found.estimate == 0.8
        assert found.low == pytest.approx(0.8 - 1.95996398454005 * 0.04)  # R 4.2.2: qnorm(0.975)
        assert found.high == pytest.approx(0.8784, abs=5e-5)
        one_sigma = proportion_interval(80, 100, method="normal", level=0.6826894921370859)
        assert (one_sigma.low, one_sigma.high) == pytest.approx((0.76, 0.84))

    def test_the_standard_error_of_40_of_50(self):
        found = proportion_interval(40, 50, method="normal", level=0.6826894921370859)
        assert found.high - 0.8 == pytest.approx(0.0565685, abs=1e-7)

    @pytest.mark.parametrize("method", KEYS)
    @pytest.mark.parametrize("case", ["0_20", "1_1", "20_20", "81_263", "9999_10000"])
    def test_against_r(self, golden, method, case):
        case = golden[f"binom_ci_{case}"]
        found = proportion_interval(case["inputs"]["x"], case["inputs"]["n"], method=method)
        assert [found.low, found.high] == pytest.approx(case["expected"][KEYS[method]], abs=1e-8)

    @given(n=st.integers(1, 60), share=st.floats(0, 1), method=st.sampled_from(sorted(PROPORTION_METHODS)))
    def test_failures_are_the_mirror_of_successes(self, n, share, method):
        x = round(share * n)
        found, mirror = proportion_interval(x, n, method=method), proportion_interval(n - x, n, method=method)
        assert (found.low, found.high) == pytest.approx((1 - mirror.high, 1 - mirror.low), abs=1e-12)
        assert found.low <= found.estimate <= found.high

    def test_wilson_stays_inside(self):
        # PEERS 11: no bounds above 1, no [1, 1] for a perfect score
        found = proportion_interval(20, 20)
        assert found.low < 0.9
        assert found.high == 1.0

    def test_the_normal_method_says_when_not_to_use_it(self):
        assert "n·p·(1−p) ≥ 5" in proportion_interval(19, 20, method="normal").notes[0]
        assert proportion_interval(80, 100, method="normal").notes == ()

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"successes must be a whole number from 0 to n = 10, got 11"):
            proportion_interval(11, 10)
        with pytest.raises(InputError, match=r"n must be a whole number of at least 1, got 0"):
            proportion_interval(0, 0)
        with pytest.raises(InputError, match=r"level must lie strictly between 0 and 1"):
            proportion_interval(1, 2, level=95)
        with pytest.raises(UnknownName, match=r"did you mean 'wilson'"):
            proportion_interval(1, 2, method="wilsen")


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

    def test_the_summary_of_ten_folds(self, seed_table):
        # seed-folds-summary (003, example 12.4)
        folds = seed_table("ten_folds_accuracy")
        assert [mean_interval(f).estimate for f in folds.T] == pytest.approx([0.69372, 0.79018, 0.76065])
        reach = [mean_interval(f).high - f.mean() for f in folds.T]
        sd = np.array(reach) / 2.2621571627982 * math.sqrt(10)  # R 4.2.2: qt(0.975, 9)
        assert sd == pytest.approx([0.0448568, 0.1013592, 0.1248369], abs=1e-7)

    def test_one_value_or_equal_values_have_no_interval(self):
        for values in ([0.9], [0.9, 0.9, 0.9]):
            found = mean_interval(values)
            assert found.estimate == pytest.approx(0.9)
            assert math.isnan(found.low)
            assert found.notes

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"entries \[1\] are not"):
            mean_interval([1.0, math.nan])
        with pytest.raises(InputError, match=r"at least one number, got an array of shape \(0,\)"):
            mean_interval([])
        with pytest.raises(InputError, match=r"test_share must lie strictly between 0 and 1 .*, got 10"):
            mean_interval([1, 2], test_share=10)
