"""The table of methods, which is the same over data sets, on one data set and for fixed models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from made_scores import BASE, CLEAR, NOISE, folds, table

from fairtrial.results import read_predictions, read_scores
from fairtrial.tables import formats
from fairtrial.verdict.designs.comparison_table import explanations

DEMSAR = Path(__file__).parents[3] / "examples" / "demsar_2006_auc.csv"

SHARED = ["effect", "interval", "p_adjusted"]


def keys(verdict):
    return [c.key for c in verdict.to_table().columns]


def titles(verdict):
    return [c.title for c in verdict.to_table().columns]


def over_datasets(measure="accuracy", **asked):
    return read_scores(table(CLEAR), measure=measure).verdict(**asked)


def one_dataset():
    columns = {"a": 0.8 + NOISE[:10, 0], "b": 0.75 + NOISE[:10, 1]}
    return read_scores(folds(columns), measure="accuracy", resampling="10-fold")


class TestColumns:
    def test_of_all_pairs(self):
        assert keys(over_datasets(pairs=True)) == ["pair", *SHARED, "wins_ties_losses", "mark"]

    @pytest.mark.parametrize("asked", [{}, {"control": "low"}])
    def test_over_data_sets(self, asked):
        assert keys(over_datasets(**asked)) == ["method", "mean", *SHARED, "wins_ties_losses", "mark"]

    @pytest.mark.parametrize("asked", [{}, {"control": "b"}])
    def test_on_one_data_set(self, asked):
        assert keys(one_dataset().verdict(**asked)) == ["method", "mean", *SHARED, "mark"]

    def test_of_fixed_models(self, fixed_models):
        assert keys(read_predictions(fixed_models).verdict()) == ["method", "mean", *SHARED, "mark"]

    @pytest.mark.parametrize(
        ("measure", "asked", "title"),
        [
            ("accuracy", {}, "typical lead"),
            ("accuracy", {"estimand": "mean"}, "mean lead"),
            ("accuracy", {"control": "low"}, "lead over low"),
            ("rmse", {}, "typical ratio"),
            ("rmse", {"control": "low"}, "ratio to low"),
        ],
    )
    def test_the_lead_is_titled_with_what_it_is(self, measure, asked, title):
        assert titles(over_datasets(measure, **asked))[:3:2] == [measure, title]

    def test_on_one_data_set_there_is_one_kind_of_lead(self):
        assert titles(one_dataset().verdict())[2] == "lead"


class TestRows:
    def test_over_data_sets(self):
        first, second, third = over_datasets().to_table().rows
        assert first[:2] == ("high", pytest.approx(CLEAR["high"].mean()))
        assert first[-2:] == ("12–0–0", "best")  # against the next
        assert second[:3] == ("middle", pytest.approx(CLEAR["middle"].mean()), pytest.approx(-0.05, abs=0.005))
        assert second[-2:] == ("0–0–12", "out")
        assert third[2] == pytest.approx(-0.1, abs=0.005)

    def test_a_lead_is_positive_where_lower_is_better_too(self):
        first, second, _ = over_datasets("error_rate").to_table().rows
        assert (first[0], first[-1]) == ("low", "best")
        assert [first[2], second[2]] == pytest.approx([0.05, -0.05], abs=0.005)  # middle has the larger error
        assert (second[0], *second[-2:]) == ("middle", "0–0–12", "out")

    def test_a_ratio_is_in_the_direction_of_the_measure(self):
        scale = 10.0 ** np.arange(12)
        times = {"slow": 3 * scale * CLEAR["low"], "fast": scale * CLEAR["low"], "last": 9 * scale * CLEAR["middle"]}
        first, second, _ = read_scores(table(times), measure="fit_time").verdict().to_table().rows
        assert (first[0], first[2], first[-1]) == ("fast", pytest.approx(1 / 3), "best")
        assert (second[0], second[2], second[-1]) == ("slow", pytest.approx(3), "out")

    def test_no_mark_where_nothing_is_shown(self):
        found = folds({"a": np.linspace(0.7, 0.9, 10), "b": np.linspace(0.9, 0.7, 10)})
        rows = read_scores(found, measure="accuracy", resampling="10-fold").verdict().to_table().rows
        assert [row[-1] for row in rows] == ["", ""]
        assert all(low < 0 < high for low, high in (row[3] for row in rows))

    def test_those_that_may_be_best_stand_above_those_that_are_out(self):
        found = read_scores(DEMSAR, measure="auc").verdict()
        assert [row[-1] for row in found.to_table().rows] == ["", "", "out", "out"]
        assert found.finding.best == ("C4.5+m+cf", "C4.5+m")
        p = {row[0]: row[4] for row in found.to_table().rows}
        assert p["C4.5+m+cf"] is None  # the leader
        assert [p[m] for m in ("C4.5+cf", "C4.5")] == pytest.approx([0.035, 0.010], abs=5e-4)

    def test_given_yardsticks_come_last(self):
        over = ": every method beats it"
        for results, beaten in ((one_dataset(), over), (read_scores(table(CLEAR), measure="accuracy"), over)):
            verdict = replace(results, question=replace(results.question, yardsticks={"people": 0.5})).verdict()
            width = len(verdict.to_table().columns)
            assert verdict.to_table().rows[-1] == (
                "people",
                0.5,
                *(None,) * (width - 3),
                f"yardstick, as given{beaten}",
            )


class TestClosedEnds:
    """An end of 0 that follows from the decision alone: the method is out, and by how much is not shown."""

    CLOSE: ClassVar = {f"m{i}": BASE[:6] + i / 50 + NOISE[:6, i] for i in range(4)}
    TIED: ClassVar = {"a": BASE + 0.02 + NOISE[:, 0], "b": BASE + 0.02 + NOISE[:, 1], "c": BASE + 0.0153 + NOISE[:, 2]}

    def test_below_zero(self):
        best, *out = read_scores(table(self.CLOSE), measure="accuracy").verdict().to_table().rows
        assert [row[-1] for row in (best, *out)] == ["best", "out", "out", "out"]
        assert not any(isinstance(row[3], (formats.ClosedAbove, formats.ClosedBelow)) for row in (best, *out))
        assert all(row[3][1] <= -best[3][0] for row in out)  # behind by at least what the winner is ahead

    def test_without_a_winner(self):
        rows = read_scores(table(self.TIED), measure="accuracy").verdict().to_table().rows
        assert [row[-1] for row in rows] == ["", "", "out"]
        assert isinstance(rows[2][3], formats.ClosedAbove)
        assert rows[2][3][1] == 0

    @pytest.mark.parametrize("measure", ["rmse", "positive_likelihood_ratio"])
    def test_at_a_ratio_of_one(self, measure):
        # a method that is out has the larger error (from ≥ 1 on), but the smaller likelihood ratio (up to ≤ 1)
        frame = table({m: np.exp(10 * v if measure != "rmse" else -10 * v) for m, v in self.TIED.items()})
        kind, end = (formats.ClosedBelow, 0) if measure == "rmse" else (formats.ClosedAbove, 1)
        rows = read_scores(frame, measure=measure).verdict().to_table().rows
        assert all(isinstance(row[3], kind) and row[3][end] == 1 for row in rows if row[-1] == "out")
        assert sum(row[-1] == "out" for row in rows) == 1


class TestExplanations:
    @pytest.mark.parametrize("asked", [{}, {"control": "low"}, {"pairs": True}, {"estimand": "mean"}])
    def test_each_column_with_a_number_is_explained(self, asked):
        verdict = over_datasets(**asked)
        shown = verdict.to_table()
        explained = [title for title, _ in explanations(shown, verdict.finding.compared)]
        assert explained == [c.title or "last column" for c in shown.columns[1:]]

    def test_nothing_where_nothing_is_compared(self):
        assert explanations(over_datasets().to_table(), None) == ()
