import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import corrected_t, hotelling, hotelling_repeated, paired_t

A = [[0.82, 0.40], [0.80, 0.45], [0.86, 0.38], [0.84, 0.44]]
C = [[0.71, 0.61], [0.73, 0.56], [0.76, 0.60], [0.70, 0.66], [0.72, 0.63]]
RNG = np.random.default_rng(2)


class TestHotelling:
    def test_by_hand(self):
        # mean (1, 0), covariance diag(2/3, 2/3) for the four points around it: T² = 4 · 1 / (2/3)
        found = hotelling([[2, 0], [0, 0], [1, 1], [1, -1]])
        assert found.statistic == pytest.approx(6)
        assert found.details["f"] == pytest.approx(2 / 6 * 6)
        assert found.df == (2, 2)
        assert found.effect.estimate == pytest.approx(math.sqrt(1.5))

    def test_simultaneous_bounds(self, golden):
        # Johnson and Wichern's effluents
        case = golden["hotelling_paired_effluent"]
        found = hotelling(case["inputs"]["X"], case["inputs"]["Y"])
        rows = found.details["measures"]  # printed there: [-22.46, 3.74] and [-5.71, 32.25]
        bounds = [row[key] for row in rows for key in ("low (simultaneous)", "high (simultaneous)")]
        assert bounds == pytest.approx([-22.46, 3.74, -5.71, 32.25], abs=0.02)

    @pytest.mark.parametrize("share", [None, 0.1, 0.5])
    def test_one_measure_is_a_t_test(self, share):
        a, b = RNG.normal(size=(2, 9))
        t = paired_t(a, b) if share is None else corrected_t(a, b, test_share=share)
        found = hotelling(a, b, test_share=share)
        assert found.statistic == pytest.approx(t.statistic**2)
        assert found.p_value == pytest.approx(t.p_value)
        (row,) = found.details["measures"]
        assert row["low (Bonferroni)"] == pytest.approx(t.effect.low)

    @settings(max_examples=25)
    @given(st.integers(0, 10_000))
    def test_linear_changes_of_measures_change_nothing(self, seed):
        rng = np.random.default_rng(seed)
        d, mix = rng.normal(0.3, 1, size=(8, 3)), rng.normal(size=(3, 3)) + 3 * np.eye(3)
        there, back = hotelling(d), hotelling(d[::-1] @ mix)
        assert there.p_value == pytest.approx(back.p_value, rel=1e-6)
        if abs(there.p_value - 0.05) > 1e-6:
            assert (there.effect.low > 0) == (there.p_value < 0.05)
        if there.p_value > 0.05:
            assert all(r["low (simultaneous)"] <= 0 <= r["high (simultaneous)"] for r in there.details["measures"])

    @given(st.permutations(range(4)))
    @settings(max_examples=10)
    def test_repeated_does_not_depend_on_the_first_method(self, order):
        x = np.random.default_rng(4).normal(size=(9, 4))
        assert hotelling_repeated(x[:, order]).p_value == pytest.approx(hotelling_repeated(x).p_value)

    def test_scales_that_differ_are_no_problem(self):
        d = RNG.normal(0.5, 1, size=(10, 2))
        assert hotelling(d * [1e-9, 1e6]).p_value == pytest.approx(hotelling(d).p_value)

    def test_undefined(self):
        x = RNG.normal(size=(6, 2))
        same = hotelling(x, x)
        assert same.p_value == 1.0
        assert "all mean differences are zero" in same.notes[-1]
        follows = hotelling(np.column_stack([x, x.sum(axis=1)]))
        assert math.isnan(follows.p_value)
        assert "is a linear combination of the others" in follows.notes[-1]
        constant = hotelling(np.column_stack([x[:, 0], np.full(6, 0.1)]))
        assert math.isnan(constant.p_value)

    def test_far_tail(self):
        d = RNG.normal(size=(400, 2)) + 1000
        assert hotelling(d).log10_p < -800

    def test_says_what_was_wrong(self):
        assert "not independent" in hotelling(RNG.normal(size=(5, 2))).notes[0]
        assert hotelling(RNG.normal(size=(5, 2)), test_share=0.2).notes == ()
        with pytest.raises(InputError, match=r"3 measures .* at least 4 rows, got 3"):
            hotelling(RNG.normal(size=(3, 3)))
        with pytest.raises(InputError, match="1 of 4 scores is not"):
            hotelling([[1, math.nan], [2, 3]])
        with pytest.raises(InputError, match=r"the same shape if they are paired, got \(4, 2\) and \(5, 2\)"):
            hotelling(A, C)
        with pytest.raises(InputError, match="names must be 2 different names"):
            hotelling(A, names=["x"])
