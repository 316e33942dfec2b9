import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial import stats
from fairtrial.errors import InputError

A = ["a", "a", "a", "b", "b", "b", "b", "a", "b", "a", "a"]
K = ["x", "y", "z", "x", "y", "z", "z", "z", "x", "x", "y"]
Y = [3.1, 4.7, 5.2, 6.8, 4.4, 9.9, 8.7, 6.1, 7.3, 2.2, 5.5]


class TestResidualChecks:
    def test_by_hand(self):
        # residuals 1, −1, 0, 0: s² = 2 / 3
        found = stats.residual_checks([2, 1, 3, 4], [1, 2, 3, 4])
        assert found.standardised == pytest.approx((math.sqrt(1.5), -math.sqrt(1.5), 0, 0))
        assert found.where == 0

    def test_against_r(self):
        # R 4.2.2: m1 <- lm(y ~ A + K); rstandard(m1); shapiro.test(resid(m1)); cor(round(abs(rstandard(m1)), 10),
        # round(fitted(m1), 10), method = "spearman"): without rounding, noise breaks the ties of fitted values
        model = stats.factorial_model({"A": A, "K": K}, interactions=1)
        found = stats.factorial_anova(Y, model).residuals
        assert found.standardised[:5] == pytest.approx(
            (-0.292544942683864, 0.713736577264766, -0.760616850978043, 0.470858050605456, -2.41309681924558)
        )
        assert found.shapiro == pytest.approx(0.958089506158)
        assert found.normality == pytest.approx(0.747648213209, rel=1e-5)
        assert (found.where, found.largest) == (4, pytest.approx(-2.41309681924558))
        assert found.spread == pytest.approx(-0.03218603, rel=1e-6)

    @given(st.lists(st.integers(-9, 9), min_size=4, max_size=9).filter(lambda v: len(set(v)) > 1), st.floats(0.1, 10))
    def test_the_unit_does_not_matter(self, left, scale):
        fit = np.arange(len(left), dtype=float)
        plain = stats.residual_checks(fit + left, fit)
        other = stats.residual_checks(scale * (fit + left), scale * fit)
        assert other.standardised == pytest.approx(plain.standardised, abs=1e-9)

    def test_an_exact_fit(self):
        found = stats.residual_checks([1, 2, 3], [1, 2, 3])
        assert math.isnan(found.normality)
        assert str(found) == "all residuals are zero"

    def test_saturated(self):
        found = stats.factorial_anova([1, 2, 3, 5], stats.factorial_model({"A": [-1, 1, -1, 1], "B": [-1, -1, 1, 1]}))
        assert "no residuals" in str(found.residuals)

    def test_a_value_of_its_own(self):
        # the third level has one value, which is fitted exactly
        found = stats.factorial_anova([1, 2, 4, 5, 9], stats.factorial_model({"k": list("aabbc")})).residuals
        assert math.isnan(found.standardised[4])
        assert found.notes == ("1 value fitted exactly, without a residual",)

    def test_few(self):
        assert math.isnan(stats.residual_checks([1.0, 3.0], [2.0, 2.0]).normality)

    def test_plain_data(self):
        checks = stats.residual_checks([2, 1, 3, 4], [1, 2, 3, 4])
        plain = json.loads(json.dumps(checks.to_dict()))
        assert plain["normality"] == checks.normality
        assert "nan" not in str(plain).lower()

    def test_lengths(self):
        with pytest.raises(InputError, match="of one length, got 2 and 3"):
            stats.residual_checks([1, 2], [1, 2, 3])
