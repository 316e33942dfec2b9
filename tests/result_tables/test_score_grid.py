"""Cells: digits from the uncertainty, percentages, times, what stands beside."""

from __future__ import annotations

import pandas as pd
import pytest
from fold_scores import folds_of

from fairtrial.errors import UnknownName
from fairtrial.measures import get
from fairtrial.result_tables.score_grid import CellOptions, heading, score_grid, title_of
from fairtrial.results import read_scores
from fairtrial.tables import Marked, PlusMinus


def plain(cell):
    return cell.value if isinstance(cell, Marked) else cell


def shown(results, **options):
    grid = score_grid(results, None, CellOptions(**options))
    return [[plain(cell) for cell in row] for row in grid.rows]


def published(**columns):
    names = [f"d{i}" for i in range(len(columns["value"]))]
    return read_scores(pd.DataFrame({"dataset": names, "method": "A", **columns}), measure="error_rate")


class TestDecimals:
    def test_a_common_scale_has_the_same_decimals(self):
        results = published(value=[0.3257, 0.0003, 0.12], half_width=[0.0637, 0.0003, 0.028])
        assert [row[0].decimals for row in shown(results)] == [4, 4, 4]

    def test_other_scales_have_their_own(self):
        means = {"small": {"A": 0.5, "B": 0.6}, "large": {"A": 500.0, "B": 600.0}}
        frame = folds_of(means)
        frame.loc[frame["dataset"] == "large", "value"] *= frame["fold"].map({0: 1.1, 1: 1, 2: 1, 3: 1, 4: 0.9})
        rows = shown(read_scores(frame, measure="rmse", resampling="5-fold"), spread="standard error")
        assert [[cell.decimals for cell in row] for row in rows] == [[3, 3], [0, 0]]

    def test_as_asked_for(self, two):
        assert {cell.decimals for row in shown(two, decimals=1) for cell in row} == {1}

    def test_single_scores_keep_the_decimals_of_their_source(self):
        assert [row[0].decimals for row in shown(published(value=[0.5, 0.25]))] == [2, 2]
        assert shown(published(value=[1 / 3, 0.25])) == [[1 / 3], [0.25]]

    def test_published_uncertainties_keep_them_too(self):
        table = published(value=[99.2, 98.7], standard_deviation=[0.1, 0.0]).table("scores")
        assert [row[1] for row in table.cells()] == ["99.2 ± 0.1", "98.7 ± 0.0"]

    def test_an_error_that_is_not_0_is_never_written_as_0(self):
        table = published(value=[0.3, 0.0001], half_width=[0.06, 0.0000002]).table("scores")
        assert [row[1] for row in table.cells()] == ["0.3000 ± 0.0600", "0.0001 ± 2.0e−07"]


class TestScale:
    def test_percent(self, two):
        cell = shown(two, percent=True)[0][0]
        assert (cell.center, cell.decimals) == (pytest.approx(90), 1)
        assert score_grid(two, None, CellOptions(percent=True)).caption.startswith("accuracy in %, mean over 5-fold ± ")

    def test_titles(self):
        assert title_of(get("accuracy"), 100) == "accuracy in %"
        assert [heading(get(m)) for m in ("rmse", "log_loss", "fit_time")] == ["rmse ↓", "log loss ↓", "fit time ↓"]


class TestTimes:
    FRAME = pd.DataFrame({"dataset": list("ddee"), "method": list("ABAB"), "fit_time": [72.0, 0.3, 49_320.0, 17.2]})

    def cells(self, frame=FRAME, name="scores", **options):
        return [row[1:] for row in read_scores(frame).table(name, strong="none", **options).cells()]

    def test_all_of_a_source_are_in_seconds(self):
        assert self.cells() == [["72.0", "0.3"], ["49320.0", "17.2"]]
        assert read_scores(self.FRAME).table("scores").caption == "fit time in s; lower is better"
        assert read_scores(self.FRAME).table("measures_by_dataset").columns[-1].title == "fit time (s) ↓"

    def test_or_all_in_their_own_units(self):
        units = [["1 min 12 s", "300 ms"], ["13 h 42 min", "17 s"]]
        assert self.cells(times="units") == units
        measured = self.FRAME.assign(fit_time=self.FRAME["fit_time"] + 0.0001234)
        assert self.cells(measured) == units
        assert read_scores(measured).table("scores").caption == "fit time; lower is better"

    def test_or_all_with_signs(self):
        assert self.cells(times="signs") == [["1.2′", "0.3″"], ["13.7 h", "17.2″"]]
        assert self.cells(name="measures", times="signs") == [["31.4′"], ["2.3″"]]

    def test_an_unknown_style(self):
        with pytest.raises(UnknownName, match="no style of times is called 'sign'; did you mean 'signs'"):
            self.cells(times="sign")


class TestBeside:
    def test_a_time_in_brackets(self):
        frame = folds_of({"d": {"A": 0.5, "B": 0.6}}).rename(columns={"value": "accuracy"})
        frame["predict_time"] = [0.002] * 5 + [3.21] * 5
        results = read_scores(frame, resampling="5-fold")
        assert [cell.beside for cell in shown(results, beside="predict_time")[0]] == ["2.0 ms", "3.2 s"]
        caption = results.table("scores", beside="predict_time").caption
        assert caption.endswith("; in brackets the mean predict time; higher is better")


def test_failed_trials_and_signs():
    frame = folds_of({"d": {"A": 0.9, "B": 0.5}})
    frame.loc[0, "value"] = None
    results = read_scores(frame, measure="accuracy", resampling="5-fold", baseline="B")
    (cell, _), = score_grid(results, None, CellOptions(level=0.5, marks={"•": ["A:B"]})).rows  # fmt: skip
    assert (cell.mark, cell.note, cell.strong) == ("† •", "1 of 5 scores are not its own, •, bold", True)
    assert isinstance(cell.value, PlusMinus)
