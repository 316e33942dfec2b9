import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.distributions.tail import normal_bounds, normal_tail


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
