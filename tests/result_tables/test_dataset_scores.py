"""The table of scores: layout, summaries, captions; hard names, extremes and speed."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest
from fold_scores import folds_of

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.tables import FORMATS, Strong

HARD = ["a & b < c_1 % \"q\" 'x'", "😀", "שלום", "x" * 80, "a:b", "=SUM(A1)", "<script>"]


def titles(table):
    return [c.title for c in table.columns]


class TestLayout:
    def test_data_sets_in_rows(self, two):
        table = two.table("scores", adjust="none")
        assert titles(table) == ["data set", "A", "B", "C"]
        assert table.cells()[0] == ["far", "0.900 ± 0.029", "0.500 ± 0.035", "0.510 ± 0.035"]
        assert isinstance(table.cells()[0][1], Strong)
        assert table.caption == (
            "accuracy, mean over 5-fold ± half the 95 % interval of that mean (t, corrected for shared training data); "
            "higher is better"
        )
        assert table.explain.startswith("Each row is a data set, each column a method. Higher is better.")

    def test_methods_in_rows(self, two):
        table, turned = two.table("scores"), two.table("scores", transpose=True)
        assert titles(turned) == ["method", "far", "near"]
        assert [row[1:] for row in turned.rows] == [*zip(*(row[1:] for row in table.rows), strict=True)]
        assert turned.explain.startswith("Each column is a data set, each row a method.")

    def test_average_and_best(self, two):
        table = two.table("scores", summary=["average", "best"], decimals=2)
        assert titles(table)[-1] == "max"
        assert table.cells()[1][-1] == "0.70"
        assert table.cells()[2] == ["average", "0.80", "0.60", "0.60", ""]
        assert table.rule_before == (2,)
        assert "average: the mean over data sets; nothing is tested on it" in table.notes
        turned = two.table("scores", summary=["average", "best"], transpose=True, decimals=2)
        assert turned.cells()[3] == ["max", "0.90", "0.70", ""]
        assert [row[-1] for row in turned.cells()] == ["0.80", "0.60", "0.60", ""]

    def test_errors_have_a_minimum(self):
        results = read_scores(folds_of({"d": {"A": 0.2, "B": 0.3}}), measure="error_rate", resampling="5-fold")
        table = results.table("scores", summary=["best"])
        assert (titles(table)[-1], table.cells()[0][-1]) == ("min", "0.200")

    def test_a_control_has_a_row_of_counts(self, two):
        table = two.table("scores", control="A", adjust="none", spread="none", decimals=2)
        assert table.cells() == [
            ["far", "0.90", "0.50 *", "0.51 *"],
            ["near", "0.70", "0.70", "0.69"],
            ["(v/ /*)", "", "(0/1/1)", "(0/1/1)"],
        ]
        assert "v better, * worse than A (corrected resampled t, unadjusted, level 0.05)" in table.notes[1]

    def test_groups(self):
        frame = folds_of({f"{a}/{b}": {"A": 0.5, "B": 0.6} for b in ("x", "y") for a in ("DETECT", "CLASSIFY")})
        table = read_scores(frame, measure="accuracy").table("scores")
        assert [row[:2] for row in table.cells()] == [["DETECT", "x"], [" ", "y"], ["CLASSIFY", "x"], [" ", "y"]]
        assert table.rule_before == (2,)
        turned = read_scores(frame, measure="accuracy").table("scores", transpose=True)
        assert [c.group for c in turned.columns] == ["", "DETECT", "DETECT", "CLASSIFY", "CLASSIFY"]

    def test_published_signs_with_a_title_have_a_column(self):
        frame = pd.DataFrame({"dataset": list("dd"), "method": list("AB"), "value": [0.25, 0.5], "P": ["", "*"]})
        table = read_scores(frame, measure="accuracy", sign="P").table("scores", marks={"*": ["pruned"]})
        assert [(c.title, c.group) for c in table.columns[1:]] == [
            ("P", "A"), ("accuracy", "A"), ("P", "B"), ("accuracy", "B"),
        ]  # fmt: skip
        assert table.cells() == [["d", "", "0.25", "*", "0.50"]]
        assert "* pruned" in table.notes


class TestErrors:
    def test_unknown_choices(self, two):
        with pytest.raises(UnknownName, match="no summary is called 'max'; known are: average, best"):
            two.table("scores", summary=["max"])

    def test_percent_is_for_shares(self):
        results = read_scores(folds_of({"d": {"A": 2.0}}), measure="rmse", resampling="5-fold")
        with pytest.raises(InputError, match="percent is for shares, but rmse is none"):
            results.table("scores", percent=True)

    def test_signs_of_a_control_are_taken(self, two):
        with pytest.raises(InputError, match=r"marks must not have \*, the signs of a control"):
            two.table("scores", control="A", marks={"*": ["B:C"]})


class TestExtremes:
    def test_hard_names_in_every_format(self):
        means = {f"{name}/{part}": {m: 0.5 + 0.01 * j for j, m in enumerate(HARD)} for name in "ab" for part in "xy"}
        results = read_scores(folds_of(means), measure="accuracy", resampling="5-fold")
        table = results.table("scores", marks={"◊": ["a:b:😀"]}, control="<script>", summary=["average", "best"])
        for how in FORMATS:
            assert "<script>" not in table.render(how) or how not in ("html", "md")
        assert [line[:4] for line in table.to_csv().splitlines()[1:5]] == ["a,x,", "a,y,", "b,x,", "b,y,"]

    @pytest.mark.parametrize("words", ["OUT OF TIME", "OUT OF MEMORY"])
    def test_failed_cells(self, words):
        frame = folds_of({"d": {"A": 0.9, "B": 0.5}, "e": {"A": 0.6, "B": 0.5}})
        gone = frame["method"].eq("B") | frame["dataset"].eq("e")
        frame = frame.assign(value=frame["value"].astype(object).where(~gone, words))
        table = read_scores(frame, measure="accuracy", resampling="5-fold").table("scores", summary=["average", "best"])
        assert table.cells() == [["d", "0.900 ± 0.029", words, "0.900"], ["average", "0.900", "–", ""]]
        assert not isinstance(table.cells()[0][1], Strong)

    def test_one_score(self):
        results = read_scores(pd.DataFrame({"dataset": ["d"], "A": [0.5]}), measure="accuracy")
        assert results.table("scores").cells() == [["d", "0.5"]]
        assert results.table("scores").notes == ()

    def test_times_have_units(self):
        frame = folds_of({"d": {"A": 75.0, "B": 0.02}}, noise=0.001)
        table = read_scores(frame, measure="fit_time", resampling="5-fold").table("scores")
        assert table.cells() == [["d", "1 min 15 s", "20 ms"]]
        error = read_scores(frame, measure="fit_time", resampling="5-fold").table("scores", spread="standard error")
        assert error.caption.startswith("fit time in s, mean over 5-fold ± the standard error")

    @pytest.mark.slow
    def test_60_methods_on_120_data_sets(self):
        random = np.random.default_rng(1)
        wide = pd.DataFrame({"dataset": np.repeat([f"d{i}" for i in range(120)], 10), "fold": np.tile(range(10), 120)})
        values = random.uniform(0.5, 0.9, (1200, 60))
        wide = pd.concat([wide, pd.DataFrame(values, columns=[f"m{j}" for j in range(60)])], axis=1)
        results = read_scores(wide, measure="accuracy", resampling="10-fold")
        began = time.process_time()
        table = results.table("scores")
        assert time.process_time() - began < 6  # 1.6 s on an idle machine
        assert (len(table.rows), len(table.columns)) == (120, 61)
