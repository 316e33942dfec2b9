import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import studentized_range as reference

from fairtrial.stats import studentized_range
from fairtrial.stats.distributions.studentized_range import range_quantile, range_tail


class TestRangeTail:
    @pytest.mark.parametrize("q", [0.01, 1.0, 5.0, 20.0, 40.0, 50.0])
    def test_two_values_by_hand(self, q):
        # the difference of two standard normal values has standard deviation sqrt(2)
        assert range_tail(q, 2).value == pytest.approx(2 * ndtr(-q / math.sqrt(2)), rel=1e-11)

    @pytest.mark.parametrize(
        ("q", "k", "p"),
        [  # R 4.2.2: ptukey(q, k, Inf, lower.tail=FALSE)
            (1, 3, 0.759287358770717),
            (3, 3, 0.0855425716549576),
            (5, 3, 0.00118399123098678),
            (3, 10, 0.512184073973511),
            (5, 10, 0.0148574378876496),
            (8, 50, 1.8281661336994e-05),
        ],
    )
    def test_against_r(self, q, k, p):
        assert range_tail(q, k).value == pytest.approx(p, rel=2e-11)

    @pytest.mark.parametrize("k", [3, 10, 100])
    @pytest.mark.parametrize("q", [0.1, 2.0, 5.0])
    def test_against_scipy(self, q, k):
        # scipy 1.17.1; it integrates the lower tail, so that it has no more digits than this further out
        assert range_tail(q, k).value == pytest.approx(reference.sf(q, k, math.inf), rel=1e-10)

    @settings(max_examples=20)
    @given(q=st.floats(0.01, 40), k=st.integers(2, 1000))
    def test_a_finer_grid_changes_nothing(self, q, k):
        coarse = range_tail(q, k).value
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(studentized_range, "STEP", 0.02)
            patch.setattr(studentized_range, "REACH", 13.0)
            assert range_tail(q, k).value == pytest.approx(coarse, rel=1e-11)

    def test_beyond_doubles_and_at_zero(self):
        far = range_tail(80.0, 5)
        assert far.value == 0.0
        # C(5, 2) pairs, each 2·Φ(−80/√2), to first order: log10 of 20·φ(z)/z with z = 56.57
        z = 80 / math.sqrt(2)
        assert far.log10 == pytest.approx(
            (math.log(20 / z / math.sqrt(2 * math.pi)) - z * z / 2) / math.log(10), rel=1e-6
        )
        assert range_tail(0.0, 5).value == 1.0


class TestRangeQuantile:
    @pytest.mark.parametrize(
        ("p", "k", "q"),
        [(0.05, 3, 3.31449315755301), (0.01, 10, 5.15663525313767), (0.05, 50, 5.64602618174105)],
    )
    def test_against_r(self, p, k, q):
        # R 4.2.2: qtukey(p, k, Inf, lower.tail=FALSE), which stops at 1e-8 or so
        assert range_quantile(p, k) == pytest.approx(q, rel=1e-6)

    @given(p=st.floats(1e-12, 0.999), k=st.integers(2, 40))
    @settings(max_examples=15)
    def test_inverts_the_tail(self, p, k):
        assert range_tail(range_quantile(p, k), k).value == pytest.approx(p, rel=1e-9)
