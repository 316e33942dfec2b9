"""The decision rule, standings and places."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairtrial.stats import Interval
from fairtrial.verdict.decide import Pair, champion, decide, rank_sets, standing


def pair(first, second, estimate, different=True):
    effect = Interval("d", estimate, estimate - 0.001, estimate + 0.001)
    return Pair(first, second, effect, 0.01, 0.01, different)


class TestDecide:
    @pytest.mark.parametrize(
        ("low", "high", "different", "expected"),
        [
            (0.02, 0.04, True, "better by more than matters"),
            (-0.04, -0.02, True, "better by more than matters"),
            (0.005, 0.04, True, "better, size open"),
            (0.002, 0.008, True, "better but negligible"),
            (-0.005, 0.005, False, "equivalent"),
            (-0.05, 0.005, False, "undecided"),
        ],
    )
    def test_by_hand(self, low, high, different, expected):
        interval = Interval("d", (low + high) / 2, low, high)
        assert decide(interval, different, 0.01, interval) == expected

    def test_bounds_at_delta_are_not_inside(self):
        edge = Interval("d", 0.0, -0.01, 0.01, 0.9)
        assert decide(edge, False, 0.01, edge) == "undecided"

    def test_without_delta(self):
        assert decide(Interval("d", 0.03, 0.02, 0.04), True, None) == "better, size open"
        assert decide(Interval("d", 0.0, -0.02, 0.04), False, None) == "undecided"

    def test_without_an_interval(self):
        nothing = Interval("d", 0.1, math.nan, math.nan)
        assert decide(nothing, False, 0.01, nothing) == "undecided"


class TestPair:
    def test_winner(self):
        assert pair(0, 1, 0.1).winner == 0
        assert pair(0, 1, -0.1).winner == 1
        assert pair(0, 1, 0.1, different=False).winner is None
        assert pair(0, 1, 0.1).turned().winner == 0
        assert pair(0, 1, 0.0).winner is None
        assert pair(0, 1, math.nan).winner is None


class TestStanding:
    def test_by_average_rank_unless_one_beats_all(self):
        pairs = [pair(0, 1, 0.1, different=False), pair(0, 2, 0.1), pair(1, 2, 0.1, different=False)]
        assert standing(pairs, 3, np.array([2.0, 1.9, 1.8])) == [2, 1, 0]
        beats_all = [pair(0, 1, 0.1), pair(0, 2, 0.1), pair(1, 2, 0.1, different=False)]
        assert standing(beats_all, 3, np.array([2.0, 1.9, 1.8])) == [0, 2, 1]
        assert rank_sets(pairs, 3) == [(1, 2), (1, 3), (2, 3)]
        assert champion(pairs, 3) is None

    def test_champion(self):
        assert champion([pair(0, 1, -0.1), pair(0, 2, 0.1), pair(1, 2, 0.1)], 3) == 1
        assert champion([], 1) is None
