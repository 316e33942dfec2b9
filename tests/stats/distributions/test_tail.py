import math

from fairtrial.stats.distributions.tail import Tail


class TestTail:
    def test_doubling_stops_at_1(self):
        assert Tail(0.5, math.log10(0.5)).doubled() == (1.0, 0.0)
