import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import bootstrap_interval
from fairtrial.stats.distributions.replicates import Corrections, Replicates
from fairtrial.stats.one_method.bootstrap_interval import _replicates

TEN = [0.80, 0.82, 0.79, 0.90, 0.85, 0.70, 0.95, 0.88, 0.60, 0.77]


class TestBootstrapInterval:
    @pytest.mark.parametrize("case", ["bootstrap_exact_mean_n5", "bootstrap_exact_mean_n4"])
    def test_lists_all_resamples_of_a_few_values(self, golden, case):
        case = golden[case]
        expected = case["expected"]
        found = _replicates(np.array(case["inputs"]["x"], dtype=float), np.mean, 999, 0)
        mean = found.values @ found.shares
        assert mean == pytest.approx(expected["mean"], rel=1e-9)
        assert math.sqrt(found.shares @ (found.values - mean) ** 2) == pytest.approx(expected["se"], rel=1e-9)
        assert (found.low(0.025), found.high(0.025)) == pytest.approx((expected["q025"], expected["q975"]))
        assert found.below(expected["mean"], ties="below") == pytest.approx(expected["prob_below_estimate"])
        (few,) = bootstrap_interval(case["inputs"]["x"], method="percentile").notes  # and no Monte Carlo error
        assert "values: bootstrap intervals from fewer than 20 are often too narrow" in few

    def test_the_mouse_data(self, golden):
        # Efron & Tibshirani 1993, table 2.1: the ideal bootstrap's standard errors 23.36 and 13.33
        case = golden["bootstrap_mouse_se"]
        for group, key in (("treated", "t"), ("control", "c")):
            found = _replicates(np.array(case["inputs"][group], dtype=float), np.mean, 20_000, 1)
            mean = np.average(found.values, weights=found.shares)
            error = math.sqrt(np.average((found.values - mean) ** 2, weights=found.shares))
            assert error == pytest.approx(
                case["expected"][f"se_ideal_boot_{key}"], rel=1e-9 if group == "treated" else 0.02
            )

    @pytest.mark.parametrize(
        ("method", "low", "high"),
        # boot 1.3.28 on R 4.2.2: boot.ci(boot(x, function(d, i) mean(d[i]), R = 99999)); "stud" with var(d[i]) / 10
        [
            ("basic", 0.749, 0.868),
            ("percentile", 0.744, 0.863),
            ("bca", 0.736, 0.857),
            ("studentized", 0.7149, 0.8679),
        ],
    )
    def test_against_boot(self, method, low, high):
        found = bootstrap_interval(TEN, method=method, replicates=99_999)
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.0021)
        assert any("Monte Carlo standard error" in note for note in found.notes)
        assert any("10 values: bootstrap intervals from fewer than 20" in note for note in found.notes) == (
            method != "studentized"
        )

    def test_against_scipy(self):
        from scipy.stats import bootstrap

        x = np.random.default_rng(5).exponential(size=60)
        theirs = bootstrap((x,), np.std, n_resamples=9999, method="BCa", rng=np.random.default_rng(1))
        found = bootstrap_interval(x, statistic=np.std)
        assert (found.low, found.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.03)
        assert found.quantity == "std"

    @given(st.lists(st.integers(0, 9), min_size=9, max_size=15), st.sampled_from(["bca", "percentile", "basic"]))
    def test_shifting_scaling_and_turning(self, values, method):
        if len(set(values)) == 1:
            return
        x = np.array(values)
        found = bootstrap_interval(x, method=method, replicates=199)
        moved = bootstrap_interval(3 * x + 5, method=method, replicates=199)
        assert (moved.low, moved.high) == pytest.approx((3 * found.low + 5, 3 * found.high + 5))
        turned = bootstrap_interval(-x, method=method, replicates=199)
        assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))

    def test_bca_is_never_nan(self):
        """If all replicates are on one side of the estimate, BCa's bias is infinite; the bounds are finite here."""
        x = np.append(np.zeros(30), 1.0)
        for statistic in (np.max, np.min, np.mean, lambda rows, axis: -rows.max(axis=axis)):
            found = bootstrap_interval(x + np.arange(31) / 100, statistic=statistic)
            assert found.low <= found.high
        assert not math.isnan(Corrections.of(Replicates.of([1, 2, 3]), 0, 0.1).share(0.025))
        assert 0 <= Corrections(3.0, 0.16).share(0.9999) <= 1

    def test_the_seed_decides(self):
        one, same, other = (bootstrap_interval(np.sqrt(np.arange(30)), seed=s) for s in (1, 1, 2))
        assert one == same
        assert one.low != other.low

    def test_many_values(self):
        x = np.random.default_rng(1).normal(size=3000)
        found = bootstrap_interval(x, replicates=999)
        half = 1.96 * x.std() / math.sqrt(3000)
        assert (found.low, found.high) == pytest.approx((x.mean() - half, x.mean() + half), abs=0.2 * half)

    def test_edges_and_errors(self):
        equal = bootstrap_interval([0.5, 0.5, 0.5])
        assert math.isnan(equal.low)
        assert "the same value on all resamples" in equal.notes[0]
        assert math.isnan(bootstrap_interval([1.0] * 12, method="studentized").low)
        assert bootstrap_interval(TEN, alternative="greater").high == math.inf
        with pytest.raises(InputError, match="at least two numbers, since resamples of one are all equal, got 1"):
            bootstrap_interval([1.0])
        with pytest.raises(InputError, match="needs standard_error"):
            bootstrap_interval(TEN, statistic=np.median, method="studentized")
        with pytest.raises(InputError, match=r"must take an array of resamples .* and axis=-1"):
            bootstrap_interval(TEN, statistic=lambda x: x.mean())
        with pytest.raises(InputError, match="one number for each of"):
            bootstrap_interval(TEN, statistic=lambda x, axis: np.sort(x, axis=axis))
        with pytest.raises(InputError, match="a finite number on every resample, but "):
            bootstrap_interval(TEN, statistic=lambda x, axis: np.log(0.78 - x.mean(axis=axis)))
        with pytest.raises(UnknownName, match="did you mean 'studentized'"):
            bootstrap_interval(TEN, method="studentised")
