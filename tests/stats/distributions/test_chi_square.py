import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_ndtr
from scipy.stats import chi2

from fairtrial.stats.distributions.tail import chi_square_tail


class TestChiSquareTail:
    @pytest.mark.parametrize("x", [0.5, 3.0, 30.0, 1500.0])
    def test_two_degrees_of_freedom_by_hand(self, x):
        # the exponential distribution: P(X ≥ x) = e^(−x/2)
        assert chi_square_tail(x, 2).log10 == pytest.approx(-x / 2 / math.log(10), rel=1e-12)

    @pytest.mark.parametrize("x", [2.0, 20.0, 700.0, 4000.0])
    def test_three_degrees_of_freedom_by_hand(self, x):
        # erfc(√(x/2)) + √(2x/π) e^(−x/2), the former being 2Φ(−√x)
        both = np.logaddexp(math.log(2) + log_ndtr(-math.sqrt(x)), 0.5 * math.log(2 * x / math.pi) - x / 2)
        assert chi_square_tail(x, 3).log10 == pytest.approx(both / math.log(10), rel=1e-11)

    def test_against_scipy(self):
        # scipy 1.17.1: chi2.sf
        assert chi_square_tail(11.07, 5).value == pytest.approx(chi2.sf(11.07, 5), rel=1e-12)

    def test_ends(self):
        assert chi_square_tail(0.0, 4).value == 1.0
        assert math.isnan(chi_square_tail(math.nan, 4).value)

    @given(st.floats(1.0, 3000.0), st.integers(1, 40))
    def test_falls_without_a_jump(self, x, df):
        """Also where the series takes over from scipy."""
        here, further = chi_square_tail(x, df).log10, chi_square_tail(x * (1 + 1e-6), df).log10
        assert further <= here + 1e-12
        assert here - further < 1e-6 * x
