"""The table of methods, which is the same over data sets, on one data set and for fixed models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_scores import CLEAR, NOISE, folds, table

from fairtrial.results import read_predictions, read_scores
from fairtrial.verdict.designs.comparison_table import beaten_in_words

DEMSAR = Path(__file__).parents[3] / "examples" / "demsar_2006_auc.csv"

SHARED = ["effect", "interval", "p_adjusted"]


def keys(verdict):
    return [c.key for c in verdict.to_table().columns]


def one_dataset():
    columns = {"a": 0.8 + NOISE[:10, 0], "b": 0.75 + NOISE[:10, 1]}
    return read_scores(folds(columns), measure="accuracy", resampling="10-fold")


class TestColumns:
    def test_over_data_sets(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict()
        assert keys(verdict) == ["method", "mean", "mean rank", "rank_interval", *SHARED, "wins_ties_losses", "mark"]

    def test_on_one_data_set(self):
        assert keys(one_dataset().verdict()) == ["method", "mean", "mean_interval", "rank_interval", *SHARED, "mark"]

    def test_of_fixed_models(self, fixed_models):
        verdict = read_predictions(fixed_models).verdict()
        assert keys(verdict) == ["method", "mean", "mean_interval", "rank_interval", *SHARED, "mark"]

    def test_a_control_has_no_place(self):
        assert "rank_interval" not in keys(one_dataset().verdict(control="b"))
        assert "rank_interval" not in keys(read_scores(table(CLEAR), measure="accuracy").verdict(control="low"))


class TestRows:
    def test_over_data_sets(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict()
        first, second, third = verdict.to_table().rows
        assert first[2:] == (1.0, "1", None, None, None, None, "")
        assert second[:4] == ("middle", pytest.approx(CLEAR["middle"].mean()), 2.0, "2")
        assert second[-2:] == ("0–0–12", "*")
        assert third[4] == pytest.approx(-0.1, abs=0.005)  # in the measure's own direction, against the best

    def test_lower_is_better(self):
        verdict = read_scores(table(CLEAR), measure="error_rate").verdict()
        first, second, _ = verdict.to_table().rows
        assert first[0] == "low"
        assert second[4] == pytest.approx(0.05, abs=0.005)  # middle has the larger error
        assert second[-2:] == ("0–0–12", "*")

    def test_places_that_are_open(self):
        verdict = read_scores(
            folds({"a": np.linspace(0.7, 0.9, 10), "b": np.linspace(0.9, 0.7, 10)}),
            measure="accuracy",
            resampling="10-fold",
        ).verdict()
        assert [row[3] for row in verdict.to_table().rows] == ["1–2", "1–2"]
        assert "ranks: the rank interval, the ranks that the tests do not rule out" in verdict.to_table().notes

    def test_given_yardsticks_come_last(self):
        over = ": every method beats it"
        for results, beaten in ((one_dataset(), ""), (read_scores(table(CLEAR), measure="accuracy"), over)):
            verdict = replace(results, question=replace(results.question, yardsticks={"people": 0.5})).verdict()
            width = len(verdict.to_table().columns)
            assert verdict.to_table().rows[-1] == (
                "people",
                0.5,
                *(None,) * (width - 3),
                f"yardstick, as given{beaten}",
            )


class TestBeatenInWords:
    def test_by_hand(self):
        assert beaten_in_words([]) == "every method beats it"
        assert beaten_in_words(["a", "b"]) == "not clearly beaten by a and b"

    def test_not_where_it_is_ahead(self):
        people = {f"d{i}": 0.5 for i in range(11)} | {"d11": 0.99}
        results = read_scores(table(CLEAR), measure="accuracy")
        verdict = replace(results, question=replace(results.question, yardsticks={"people": people})).verdict()
        assert verdict.to_table().rows[-1][-1].endswith("every method typically beats it, but not on d11")


def test_a_method_that_is_not_among_the_best_has_its_rival_beside_it():
    found = read_scores(DEMSAR, measure="auc").verdict()
    marks = {row[0]: row[-1] for row in found.to_table().rows}
    assert marks["C4.5+m"] == "°"
    assert marks["C4.5+cf"] == "by C4.5+m+cf, p = 0.034"
    assert marks["C4.5"] == "by C4.5+m, p = 0.011"
    legend = "° may be the best: no other method rules it out; where another does, it is named with its p"
    assert any(note.startswith(legend) for note in found.to_table().notes)
