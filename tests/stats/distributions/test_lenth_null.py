import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.factorial.lenth import lenth_null, pseudo_error


class TestPseudoError:
    def test_by_hand(self):
        # median size 3, times 1.5 and 2.5 is 11.25: 50 is left out; the median of 1, 2, 3, 4 is 2.5
        assert pseudo_error(np.array([1.0, -2.0, 3.0, -4.0, 50.0])) == pytest.approx(1.5 * 2.5)

    def test_rows(self):
        assert pseudo_error(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 5.0]])).tolist() == [3.0, 0.0]

    @given(st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=20))
    def test_as_the_formula_is_written(self, values):
        sizes = np.abs(values)
        small = sizes[sizes < 2.5 * 1.5 * np.median(sizes)]
        expected = 1.5 * np.median(small) if len(small) else 0.0
        assert pseudo_error(np.array(values)) == pytest.approx(expected)


class TestLenthNull:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("m", "single", "largest"),
        # R 4.2.2, 40,000 experiments, set.seed(1): s0 <- 1.5*median(c); c / (1.5*median(c[c < 2.5*s0])), quantiles .95
        [(7, 2.308, 4.904), (15, 2.158, 4.247), (31, 2.065, 3.922)],
    )
    def test_critical_values(self, m, single, largest):
        found = lenth_null(m)
        assert found.critical(0.95, together=False) == pytest.approx(single, rel=0.012)
        assert found.critical(0.95, together=True) == pytest.approx(largest, rel=0.02)

    def test_p_and_critical_value_agree(self):
        found = lenth_null(9)
        for together in (False, True):
            assert found.p(found.critical(0.9, together=together), together=together) == pytest.approx(0.1, abs=1e-3)

    def test_the_extremes(self):
        found = lenth_null(7)
        assert found.p(0.0, together=True) == 1
        assert found.p(1e9, together=True) == 1 / (len(found.largest) + 1)
        assert math.isnan(found.p(math.nan, together=True))

    def test_kept(self):
        assert lenth_null(7) is lenth_null(7)
