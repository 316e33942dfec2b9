"""Experiments of the lab, their limits and rows."""

import math

import pytest

from fairtrial.lab.lab_runs import Experiment, Limit, Row


class TestLimit:
    def test_by_hand(self):
        # two errors at 5 % in 1,900 runs: 2 · √(0.0475/1900) = 0.01
        most = Limit("at most", 0.05)
        assert most.holds(0.0599, 1900)
        assert not most.holds(0.0601, 1900)
        assert Limit("at least", 0.94).holds(0.94, 10)
        assert not Limit("at least", 0.94).holds(0.9390, 10**6)  # beyond two Monte Carlo errors
        assert Limit().holds(0.9, 1)

    def test_in_words(self):
        assert [str(Limit("at most", 0.05)), str(Limit("at least", 0.94)), str(Limit())] == ["≤ 5 %", "≥ 94 %", ""]


class TestRow:
    def test_by_hand(self):
        row = Row("g", "w", "c", 5, 100, Limit("at most", 0.05))
        assert (row.share, row.error, row.holds) == (0.05, pytest.approx(math.sqrt(0.0475 / 100)), True)

    def test_a_count_of_none_has_an_error(self):
        assert Row("g", "w", "c", 0, 100, Limit()).error > 0.009

    def test_without_runs_nothing_is_known(self):
        row = Row("g", "w", "c", 0, 0, Limit("at least", 0.9))
        assert math.isnan(row.share)
        assert row.holds


class TestExperiment:
    def test_its_key_names_grid_and_world(self):
        assert Experiment("over data sets", "all equal", lambda _g, _runs: {}).key == "over data sets: all equal"
