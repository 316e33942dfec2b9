import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import NaturalRange


class TestNaturalRange:
    def test_by_hand(self):
        assert NaturalRange(30, 40).natural(0.4) == pytest.approx(37)
        assert NaturalRange(0.01, 100, log=True).coded(0.1) == pytest.approx(-0.5)
        assert NaturalRange(0.01, 100, log=True).natural(1.5) == pytest.approx(1000)

    @given(st.floats(-3, 3), st.booleans())
    def test_there_and_back(self, place, log):
        own = NaturalRange(0.5, 8, log=log)
        if log or own.natural(place) > 0:
            assert own.coded(own.natural(place)) == pytest.approx(place, abs=1e-9)

    @pytest.mark.parametrize("ends", [(1, 1), (2, 1), (float("nan"), 1), (0, float("inf")), ("a", 1)])
    def test_says_what_was_wrong(self, ends):
        with pytest.raises(InputError, match="low < high"):
            NaturalRange(*ends)

    def test_log_needs_positive_ends(self):
        with pytest.raises(InputError, match="0 < low < high"):
            NaturalRange(0, 1, log=True)
