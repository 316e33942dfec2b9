"""The table on single data sets."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import CLEAR, table

from fairtrial.results import read_scores


def second_table(columns, measure="accuracy", **asked):
    (found,) = read_scores(table(columns), measure=measure).verdict(**asked).finding.more_tables
    return found


class TestSingleDatasetsTable:
    def test_by_hand(self):
        d = np.r_[np.full(10, 0.03), np.linspace(-0.05, -0.02, 2)]
        found = second_table({"a": CLEAR["low"] + d, "b": CLEAR["low"]}, smallest_difference=0.03)
        (row,) = found.rows
        keys = [c.key for c in found.columns]
        assert row[0] == "b"
        assert row[keys.index("mean_difference")] == pytest.approx(-d.mean())
        assert [row[keys.index(k)] for k in ("better", "neither", "worse")] == [1, 1, 10]
        assert found.columns[keys.index("better")].title == "better by ≥ 0.03"

    def test_in_the_direction_of_the_measure(self):
        found = second_table(CLEAR, measure="error_rate")
        assert [row[0] for row in found.rows] == ["middle", "high"]
        assert found.rows[0][1] == pytest.approx(0.05, abs=0.005)
        assert found.rows[0][3:6] == (0, 0, 12)

    def test_ratios(self):
        found = second_table({"a": 2 * CLEAR["low"], "b": CLEAR["low"]}, measure="rmse")
        assert found.columns[1].title == "mean ratio"
        assert found.rows[0][1] == pytest.approx(2)

    def test_many_data_sets_need_no_assumption(self):
        few, many = (second_table({"a": np.linspace(0.5, 0.6, n), "b": np.full(n, 0.5)}) for n in (12, 19))
        assert "if differences are normally distributed" in few.notes[1]
        assert "between order statistics" in many.notes[1]

    def test_is_printed_and_exported(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict()
        assert "on single data sets: on how many of 12 data sets" in str(verdict)
        assert verdict.to_dict()["more_tables"][0]["rows"]
