"""The table on single data sets."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import CLEAR, table

from fairtrial.results import read_scores


def second_table(columns, measure="accuracy", **asked):
    asked = {"pairs": True} | asked if "control" not in asked else asked
    return read_scores(table(columns), measure=measure).verdict(**asked).more_tables()[-1]


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

    def test_the_range_on_a_new_data_set_says_its_level(self):
        few, many = (second_table(third({"a": np.linspace(0.5, 0.6, n), "b": np.full(n, 0.5)})) for n in (12, 19))
        assert few.columns[-1].title == "a new data set (85 %)"  # 11 / 13
        assert few.notes[1].endswith("is expected, from the smallest to the largest here")
        assert many.columns[-1].title == "a new data set (90 %)"
        assert many.notes[1].endswith("is expected, between order statistics")


class TestWhereItStands:
    @pytest.mark.parametrize(
        ("columns", "asked", "tables"),
        [
            (CLEAR, {}, 0),  # comparisons with the best are the one family of the page
            (CLEAR, {"pairs": True}, 1),
            (CLEAR, {"control": "low"}, 1),
            ({m: CLEAR[m] for m in ("low", "high")}, {}, 0),
            ({m: CLEAR[m] for m in ("low", "high")}, {"control": "low"}, 1),
        ],
    )
    def test_on_the_pages_of_a_control_and_of_all_pairs(self, columns, asked, tables):
        found = read_scores(table(columns), measure="accuracy").verdict(**asked).more_tables()
        assert sum("on single data sets" in t.caption for t in found) == tables

    @pytest.mark.parametrize(("asked", "reference"), [({"pairs": True}, "high"), ({"control": "middle"}, "middle")])
    def test_all_others_against_the_method_of_the_first_table(self, asked, reference):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict(**asked)
        *methods, found = verdict.more_tables()
        first = [row[0] for row in (methods[0] if methods else verdict.to_table()).rows]
        assert [row[0] for row in found.rows] == [m for m in first if m != reference]
        assert f"against {reference}:" in found.caption

    def test_it_is_on_the_full_page_and_exported(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict(control="low")
        caption = verdict.more_tables()[0].caption
        full = " ".join(str(verdict.full).split())
        assert caption in full
        assert caption not in " ".join(str(verdict).split())
        assert verdict.to_dict()["more_tables"][0]["rows"]
