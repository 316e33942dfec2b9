import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import two_proportions


class TestTwoProportions:
    def test_by_hand(self):
        # 30 of 50 and 20 of 50: pooled 0.5, error sqrt(0.25 · 2 / 50) = 0.1: z = 2
        found = two_proportions(30, 50, 20, 50)
        assert found.statistic == pytest.approx(2)
        assert found.effect.estimate == pytest.approx(0.2)
        # the other form has their own variances, 0.24 / 50 each
        assert two_proportions(30, 50, 20, 50, method="normal").statistic == pytest.approx(0.2 / math.sqrt(0.0096))

    def test_against_r(self):
        # R 4.2.2: prop.test(c(90, 80), c(100, 130), correct = FALSE)
        found = two_proportions(90, 100, 80, 130)
        assert (found.statistic, found.p_value) == pytest.approx((4.87297159719084, 1.09932032760711e-06), rel=1e-9)
        # R 4.2.2, prop.test of 17 of 25 and 9 of 30 without correction, alternative "greater"
        assert two_proportions(17, 25, 9, 30, alternative="greater").p_value == pytest.approx(0.00247192110567038)

    @pytest.mark.slow
    @given(st.integers(1, 30), st.integers(1, 30), st.floats(0, 1), st.floats(0, 1))
    def test_interval_agrees_with_p_and_swapping_flips_the_sign(self, n, m, p, q):
        x, y = round(p * n), round(q * m)
        found, back = two_proportions(x, n, y, m), two_proportions(y, m, x, n)
        assert found.p_value == pytest.approx(back.p_value)
        assert found.effect.low == pytest.approx(-back.effect.high, abs=1e-6)
        if abs(found.p_value - 0.05) > 1e-6:
            assert (0 not in found.effect) == (found.p_value < 0.05)

    def test_miettinen_and_nurminens_example(self):
        # the bounds are where the restricted score is ± 1.96: the restricted estimate by a fine search
        x, n, y, m = 9, 30, 2, 25
        found = two_proportions(x, n, y, m).effect
        for edge, z in ((found.low, 1.959964), (found.high, -1.959964)):
            q = np.linspace(max(0, -edge), min(1, 1 - edge), 1_000_001)[1:-1]
            p = q + edge
            fit = x * np.log(p) + (n - x) * np.log1p(-p) + y * np.log(q) + (m - y) * np.log1p(-q)
            p, q = p[fit.argmax()], q[fit.argmax()]
            score = (x / n - y / m - edge) / math.sqrt(p * (1 - p) / n + q * (1 - q) / m)
            assert score == pytest.approx(z, abs=1e-4)

    def test_edges(self):
        assert two_proportions(5, 5, 7, 7).p_value == 1
        assert two_proportions(0, 5, 0, 7).p_value == 1
        assert "independent test sets" in two_proportions(5, 5, 7, 9).notes[0]
        apart = two_proportions(5, 5, 0, 5, method="normal")
        assert math.isnan(apart.p_value)
        assert two_proportions(5, 5, 0, 5).p_value == pytest.approx(0.0015654022580025495)
        with pytest.raises(InputError, match="from 0 to n = 5, got 6"):
            two_proportions(6, 5, 1, 2)

    def test_without_spread_there_is_no_interval_at_all(self):
        for alternative in ("two-sided", "greater", "less"):
            found = two_proportions(5, 5, 7, 7, method="normal", alternative=alternative)
            assert found.p_value == 1
            assert math.isnan(found.effect.low)
            assert math.isnan(found.effect.high)
