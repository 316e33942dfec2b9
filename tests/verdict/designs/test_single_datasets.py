"""The table on single data sets."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import CLEAR, table

from fairtrial.results import read_scores


def second_table(columns, measure="accuracy", **asked):
    (found,) = read_scores(table(columns), measure=measure).verdict(**asked).finding.more_tables
    return found


def third(columns):
    """The columns with a third method that is far worse, so that there are several pairs."""
    return {**columns, "far": next(iter(columns.values())) / 3}


class TestSingleDatasetsTable:
    def test_by_hand(self):
        d = np.r_[np.full(10, 0.03), np.linspace(-0.05, -0.02, 2)]
        found = second_table(third({"a": CLEAR["low"] + d, "b": CLEAR["low"]}), smallest_difference=0.03)
        row = next(row for row in found.rows if row[0] == "b")
        keys = [c.key for c in found.columns]
        assert row[keys.index("mean_difference")] == pytest.approx(-d.mean())
        assert [row[keys.index(k)] for k in ("better", "worse")] == [1, 10]
        assert found.columns[keys.index("better")].title == "better by ≥ 0.03"

    def test_in_the_direction_of_the_measure(self):
        found = second_table(CLEAR, measure="error_rate", smallest_difference=0.01)
        assert [row[0] for row in found.rows] == ["middle", "high"]
        assert found.rows[0][1] == pytest.approx(0.05, abs=0.005)
        assert found.rows[0][3:5] == (0, 12)

    def test_wins_are_not_counted_twice(self):
        found = second_table(CLEAR)  # without a difference that matters, the first table has them
        assert [c.key for c in found.columns] == ["method", "mean_difference", "mean_interval", "new_dataset"]

    def test_ratios(self):
        found = second_table({"a": 2 * CLEAR["low"], "b": CLEAR["low"], "c": 9 * CLEAR["low"]}, measure="rmse")
        assert found.columns[1].title == "mean ratio"
        assert found.rows[0][1] == pytest.approx(2)

    def test_many_data_sets_need_no_assumption(self):
        few, many = (second_table(third({"a": np.linspace(0.5, 0.6, n), "b": np.full(n, 0.5)})) for n in (12, 19))
        assert "if these are normally distributed" in few.notes[1]
        assert "between order statistics" in many.notes[1]

    def test_is_printed_and_exported(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict()
        assert "on single data sets, against high: the mean difference over 12 data sets, and its range" in str(verdict)
        assert verdict.to_dict()["more_tables"][0]["rows"]


class TestOfTheOnePair:
    def notes(self, columns, **asked):
        verdict = read_scores(table(columns), measure="accuracy").verdict(**asked)
        assert verdict.finding.more_tables == ()
        return verdict.to_table().notes

    def test_by_hand(self):
        # d = 0.03 ten times, −0.05, −0.02: mean 0.23 / 12 = 0.01917, sd 0.02610, t 0.975 with 11 df 2.201: ± 0.0166
        d = np.r_[np.full(10, 0.03), -0.05, -0.02]
        notes = self.notes({"a": CLEAR["low"] + d, "b": CLEAR["low"]})
        assert "difference of the means: −0.019 [−0.036, −0.003] (t)" in notes
        assert any(n.startswith("on a new data set expect between −0.0") and "if these are" in n for n in notes)

    def test_a_range_that_the_answer_has_is_not_said_again(self):
        n = 40
        notes = self.notes({"a": np.linspace(0.5, 0.6, n), "b": np.full(n, 0.5)})
        assert not any(n.startswith("on a new data set") for n in notes)

    def test_equal_scores_have_no_range(self):
        notes = self.notes({"a": CLEAR["low"], "b": CLEAR["low"].copy()})
        assert notes == ()  # there is nothing to test
