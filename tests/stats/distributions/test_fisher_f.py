import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.stats import anova, eta_squared
from fairtrial.stats.distributions.fisher_f import f_tail, noncentral_f, noncentral_t


class TestF:
    def test_far_tail(self):
        # R 4.2.2: pf(1e6, 20, 400, lower.tail=FALSE, log.p=TRUE) / log(10)
        assert f_tail(1e6, 20, 400).log10 == pytest.approx(-924.550104164, rel=1e-10)
        assert f_tail(0.0, 2, 3).value == 1.0

    def test_noncentral_bounds_against_r(self):
        # R 4.2.2: uniroot over pf(30, 4, 40, ncp) and pt(-12, 20, ncp) at 0.975 and 0.025
        assert noncentral_f(30, 4, 40, 0.95) == pytest.approx((58.5656092153, 193.360590512), rel=1e-6)
        assert noncentral_t(-12, 20, 0.95) == pytest.approx((-16.1438213659, -7.78656353441), rel=1e-9)
        assert noncentral_f(0.2, 4, 40, 0.95)[0] == 0.0

    @pytest.mark.slow
    @given(st.floats(-30, 30), st.integers(1, 200))
    @settings(max_examples=30)
    def test_noncentral_t_is_symmetric(self, t, df):
        low, high = noncentral_t(t, df, 0.9)
        assert noncentral_t(-t, df, 0.9) == pytest.approx((-high, -low), rel=1e-8, abs=1e-8)

    def test_eta_squared_of_an_anova_is_the_same(self, golden):
        groups = golden["anova_plantgrowth"]["inputs"]["groups"]
        assert eta_squared(groups, level=0.9).high == pytest.approx(anova(groups).effect.high)
