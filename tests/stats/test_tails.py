"""Tails and bounds that the t and normal procedures share."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.distributions.normal import normal_bounds, normal_tail
from fairtrial.stats.distributions.student_t import t_tail


class TestT:
    @pytest.mark.parametrize(("t", "df", "log10"), [(50, 1e6, -544.288337510471), (38, 2e5, -314.411693386904)])
    def test_far_tails_of_many_degrees_of_freedom(self, t, df, log10):
        # R 4.2.2: pt(t, df, lower.tail = FALSE, log.p = TRUE) / log(10); a million instances, and p was nan
        found = t_tail(t, df, "greater")
        assert found.log10 == pytest.approx(log10, rel=1e-11)
        assert found.value < 1e-300
        assert t_tail(-t, df, "two-sided").log10 == pytest.approx(log10 + math.log10(2), rel=1e-11)


class TestNormal:
    @pytest.mark.parametrize(("p", "q"), [(0.001, -3.09023230616781), (0.025, -1.95996398454005)])
    def test_bounds_against_r(self, p, q):
        # R 4.2.2: qnorm(p)
        assert normal_bounds(0, 1, 1 - p, "less")[1] == pytest.approx(-q, rel=1e-9)

    @given(st.floats(-30, 30))
    def test_both_sides(self, z):
        up, down, both = (normal_tail(z, a) for a in ("greater", "less", "two-sided"))
        assert up.value + down.value == pytest.approx(1)
        assert both.value == pytest.approx(min(2 * min(up.value, down.value), 1))
        if both.value < 1:
            assert both.log10 == pytest.approx(math.log10(both.value))
