"""The answer in plain words."""

from __future__ import annotations

import numpy as np
from made_scores import BASE, CLEAR, table

from fairtrial.results import read_scores


class TestTwoMethods:
    def test_either_way_round(self):
        for names in (("high", "low"), ("low", "high")):
            verdict = read_scores(table({n: CLEAR[n] for n in names}), measure="accuracy").verdict()
            assert verdict.sentence == "Of high and low, high has the higher accuracy on data sets such as these 12."
            assert verdict.finding.sentences[1].startswith("It typically beats low by 0.")

    def test_who_is_ahead_is_read_from_the_effect(self):
        # b wins more often, a by more: mean ranks favour b, the typical difference a
        d = np.array([-1, -1, -1, -1, 5, 5, 5]) / 100
        verdict = read_scores(table({"a": BASE[:7] + d, "b": BASE[:7]}), measure="accuracy").verdict()
        assert verdict.winner is None
        assert verdict.finding.sentences[1].startswith("a is typically ahead of b by 0.0")


class TestControl:
    def test_words(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict(control="middle")
        text = "In accuracy on data sets such as these 12, high does better than middle; low does worse."
        assert verdict.sentence == text
        assert len(verdict.comparisons.pairs) == 2
        assert verdict.finding.sentences[1].startswith("high typically beats middle by 0.05")
        assert "ranks" not in [c.title for c in verdict.to_table().columns]

    def test_open(self):
        columns = {
            "control": BASE,
            "same": BASE + np.random.default_rng(13).permutation(np.linspace(-0.02, 0.02, 12)),
            "low": BASE - 0.1,
        }
        verdict = read_scores(table(columns), measure="rmse").verdict(control="control")
        assert verdict.sentence == (
            "In rmse (lower is better) on data sets such as these 12, low does better than control; "
            "same is not distinguishable from it."
        )
        assert verdict.finding.sentences[1].startswith("low's rmse is typically 0.8")

    def test_the_control_beats_all(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict(control="high")
        assert verdict.winner == "high"
        assert "middle and low do worse than high." in verdict.sentence
