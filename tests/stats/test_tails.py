"""Tails and bounds that the t and normal procedures share."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.normal import normal_bounds, normal_tail
from fairtrial.stats.pair import f_tail
from fairtrial.stats.student_t import t_bounds, t_tail


class TestT:
    @pytest.mark.parametrize("case", ["t_sf_df1", "t_sf_df2"])
    def test_against_r(self, golden, case):
        case = golden[case]
        found = [t_tail(t, case["inputs"]["df"], "greater").value for t in case["inputs"]["t"]]
        assert found == pytest.approx(case["expected"]["sf"], rel=1e-10)

    def test_critical_values(self, golden):
        expected = golden["crit_values"]["expected"]
        for df in (9, 99):
            assert t_bounds(0, 1, df, 0.95, "two-sided")[1] == pytest.approx(expected[f"t_975_{df}"], rel=1e-10)
        assert f_tail(expected["F_95_10_5"], 10, 5).value == pytest.approx(0.05, rel=1e-10)


class TestNormal:
    def test_against_r(self, golden):
        case = golden["norm_ppf"]
        for p, q in zip(case["inputs"]["p"], case["expected"]["q"], strict=True):
            assert normal_tail(q, "less").value == pytest.approx(p, rel=1e-9)
            assert normal_bounds(0, 1, 1 - p, "less")[1] == pytest.approx(-q, rel=1e-9) or p < 1e-9

    @given(st.floats(-30, 30))
    def test_both_sides(self, z):
        up, down, both = (normal_tail(z, a) for a in ("greater", "less", "two-sided"))
        assert up.value + down.value == pytest.approx(1)
        assert both.value == pytest.approx(min(2 * min(up.value, down.value), 1))
        if both.value < 1:
            assert both.log10 == pytest.approx(math.log10(both.value))
