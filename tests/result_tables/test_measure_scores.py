"""Tables of several measures."""

from __future__ import annotations

import pandas as pd
import pytest
from fold_scores import folds_of

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.tables import Strong


@pytest.fixture
def several():
    """Accuracy and error of two methods on four data sets, named as cities and modes."""
    means = {f"{city}/{mode}": {"A": 0.9, "B": 0.5} for city in ("FR", "KL") for mode in ("bus", "walk")}
    frame = folds_of(means).rename(columns={"value": "accuracy"})
    frame["rmse"] = frame["accuracy"] + 1
    return read_scores(frame, resampling="5-fold")


def titles(table):
    return [c.title for c in table.columns]


class TestMeasures:
    def test_on_one_data_set(self, several):
        table = several.table("measures", dataset="KL/bus")
        assert titles(table) == ["method", "accuracy ↑", "rmse ↓"]
        assert table.cells() == [
            ["A", "0.900 ± 0.029", "1.900 ± 0.029"],
            ["B", "0.500 ± 0.035", "1.500 ± 0.035"],
        ]
        assert [[isinstance(cell, Strong) for cell in row[1:]] for row in table.cells()] == [
            [True, False], [False, True],
        ]  # fmt: skip
        assert table.caption.startswith("2 measures, mean over 5-fold on KL/bus; ± is half the 95 % interval")
        assert table.notes[0] == "↑ higher is better, ↓ lower is better"

    def test_on_average(self, several):
        table = several.table("measures", methods=["B", "A"])
        assert table.cells() == [["B", "0.500", "1.500"], ["A", "0.900", "1.900"]]
        assert isinstance(table.cells()[1][1], Strong)
        assert table.caption == "mean over 4 data sets; of times and unscaled errors the geometric mean"

    def test_some_measures(self, several):
        assert titles(several.table("measures", measures=["rmse"])) == ["method", "rmse ↓"]
        with pytest.raises(UnknownName, match="no measure of these results is called 'auc'"):
            several.table("measures", measures=["auc"])

    def test_what_is_for_one_data_set(self, several):
        with pytest.raises(InputError, match="spread is for measures on one data set; name it"):
            several.table("measures", spread="standard error")
        with pytest.raises(UnknownName, match="no data set of these results is called 'FR'"):
            several.table("measures", dataset="FR")

    def test_a_method_that_did_not_run_is_named(self):
        frame = folds_of({"d": {"A": 0.9, "B": 0.5, "C": 0.4}, "e": {"A": 0.9, "B": 0.5, "C": 0.4}})
        frame = frame.rename(columns={"value": "accuracy"}).assign(auc=frame["value"])
        frame.loc[frame["method"] == "B", ["accuracy", "auc"]] = None
        table = read_scores(frame, resampling="5-fold").table("measures")
        assert [row[0] for row in table.rows] == ["A", "C"]
        assert table.notes[-1] == "left out, since they did not run: B"


class TestMeasuresByDataset:
    def test_cities_below_modes_beside(self, several):
        table = several.table("measures_by_dataset", marks={"•": ["A:B"]}, adjust="none", spread="none", decimals=1)
        assert [c.group for c in table.columns] == ["", "", "bus", "bus", "walk", "walk"]
        assert table.cells()[:2] == [
            ["FR", "A", "0.9 •", "1.9", "0.9 •", "1.9"],
            [" ", "B", "0.5", "1.5", "0.5", "1.5"],
        ]
        assert table.rule_before == (2,)
        assert "• A improves B (corrected resampled t, unadjusted, level 0.05)" in table.notes

    def test_other_names_are_blocks(self):
        frame = folds_of({"d": {"A": 0.9, "B": 0.5}, "e": {"A": 0.6, "B": 0.7}}).rename(columns={"value": "auc"})
        table = read_scores(frame, resampling="5-fold").table("measures_by_dataset", spread="none", decimals=1)
        assert table.cells() == [["d", "A", "0.9"], [" ", "B", "0.5"], ["e", "A", "0.6"], [" ", "B", "0.7"]]
        assert table.rule_before == (2,)

    def test_a_measure_that_some_lack(self):
        rows = [("d", "A", "r2", 0.5), ("d", "A", "nlpd", 1.5), ("d", "B", "r2", 0.7), ("e", "A", "r2", 0.1),
                ("e", "A", "nlpd", 2.5), ("e", "B", "r2", 0.2)]  # fmt: skip
        results = read_scores(pd.DataFrame(rows, columns=["dataset", "method", "measure", "value"]))
        table = results.table("measures_by_dataset")
        assert [row[3] for row in table.cells()] == ["1.5", "–", "2.5", "–"]
        assert "– no score" in table.notes
