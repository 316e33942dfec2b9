"""The decision rule, standings and places."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_scores import folds, table

from fairtrial.results import read_predictions, read_scores
from fairtrial.stats import Interval
from fairtrial.verdict.claims.difference import Better, Equivalent, NotShown
from fairtrial.verdict.designs.decide import Pair, champion, decide, rank_sets


def pair(first, second, estimate, different=True, p=0.01):
    effect = Interval("d", estimate, estimate - 0.001, estimate + 0.001)
    return Pair(first, second, effect, p, p, different)


class TestDecide:
    @pytest.mark.parametrize(
        ("low", "high", "different", "expected"),
        [
            (0.02, 0.04, True, "better by more than matters"),
            (-0.04, -0.02, True, "better by more than matters"),
            (0.005, 0.04, True, "better, size open"),
            (0.002, 0.008, True, "better but negligible"),
            (-0.005, 0.005, False, "equivalent"),
            (-0.05, 0.005, False, "undecided"),
        ],
    )
    def test_by_hand(self, low, high, different, expected):
        interval = Interval("d", (low + high) / 2, low, high)
        assert decide(interval, different, 0.01, interval) == expected

    def test_bounds_at_delta_are_not_inside(self):
        edge = Interval("d", 0.0, -0.01, 0.01, 0.9)
        assert decide(edge, False, 0.01, edge) == "undecided"

    def test_without_delta(self):
        assert decide(Interval("d", 0.03, 0.02, 0.04), True, None) == "better, size open"
        assert decide(Interval("d", 0.0, -0.02, 0.04), False, None) == "undecided"

    def test_without_an_interval(self):
        nothing = Interval("d", 0.1, math.nan, math.nan)
        assert decide(nothing, False, 0.01, nothing) == "undecided"


class TestPair:
    def test_winner(self):
        assert pair(0, 1, 0.1).winner == 0
        assert pair(0, 1, -0.1).winner == 1
        assert pair(0, 1, 0.1, different=False).winner is None
        assert pair(0, 1, 0.1).swapped().winner == 0
        assert pair(0, 1, 0.0).winner is None
        assert pair(0, 1, math.nan).winner is None

    def test_what_is_ruled_out_turns_with_the_pair(self):
        turned = replace(pair(0, 1, 0.1), no_worse=True).swapped()
        assert (turned.no_better, turned.no_worse) == (True, False)


class TestRankSets:
    def test_by_hand(self):
        pairs = [pair(0, 1, 0.1, different=False), pair(0, 2, 0.1), pair(1, 2, 0.1, different=False)]
        assert rank_sets(pairs, 3) == [(1, 2), (1, 3), (2, 3)]

    def test_the_winner_has_rank_1(self):
        pairs = [pair(0, 1, 0.1, different=False), pair(0, 2, 0.1), pair(1, 2, 0.1, different=False)]
        assert rank_sets(pairs, 3, winner=0) == [(1, 1), (2, 3), (2, 3)]


class TestChampion:
    def test_beats_every_other_in_tests_of_their_own(self):
        pairs = [pair(0, 1, -0.1), pair(0, 2, 0.1), pair(1, 2, 0.1)]
        assert champion(pairs, 3, 0.95) == 1
        assert champion([], 1, 0.95) is None

    def test_needs_no_adjustment(self):
        pairs = [pair(0, 1, 0.1, False, 0.04), pair(0, 2, 0.1, False, 0.04), pair(1, 2, 0.1, False, 0.9)]
        assert champion(pairs, 3, 0.95) == 0
        assert champion(pairs, 3, 0.97) is None

    def test_an_undefined_test_names_no_winner(self):
        assert champion([pair(0, 1, 0.1, False, math.nan)], 2, 0.95) is None


class TestSmallestDifference:
    """The one decision rule, on constructed differences."""

    def decision(self, d, **more):
        d = np.asarray(d)
        frame = table({"a": np.full(len(d), 0.7) + d, "b": np.full(len(d), 0.7)})
        return read_scores(frame, measure="accuracy").verdict(smallest_difference=0.02, **more)

    @pytest.mark.parametrize(
        ("d", "decision"),
        [
            (np.linspace(0.04, 0.06, 10), "better by more than matters"),
            (np.linspace(0.005, 0.05, 10), "better, size open"),
            (np.linspace(0.004, 0.006, 10), "better but negligible"),
        ],
    )
    def test_better(self, d, decision):
        verdict = self.decision(d)
        assert verdict.finding.pairs[0].decision == decision
        (said,) = verdict.finding.of_kind(Better)
        assert (said.method, said.other, said.size) == ("a", "b", decision)
        assert verdict.winner == "a"

    def test_equivalent(self):
        verdict = self.decision([0.001, -0.002, 0.003, -0.004, 0.005, -0.006, 0.007, -0.0075, 0.0055, -0.0035])
        assert verdict.finding.pairs[0].decision == "equivalent"
        assert verdict.winner is None
        (said,) = verdict.finding.of_kind(Equivalent)
        assert said.at_least == pytest.approx(0.05 ** (1 / 10), abs=1e-6)  # 10 of 10 inside: Clopper and Pearson
        assert -0.02 < said.lead.low < said.lead.high < 0.02
        assert [step.action for step in verdict.next_steps] == ["ask"]  # to choose by something else

    def test_undecided(self):
        verdict = self.decision([0.1, -0.2, 0.15, -0.04, 0.05, -0.06, 0.07, -0.1, 0.1, -0.03])
        assert verdict.finding.pairs[0].decision == "undecided"
        (said,) = verdict.finding.of_kind(NotShown)
        assert said.lead.low < -0.02 < 0.02 < said.lead.high
        assert [step.action for step in verdict.next_steps] == ["ask"]  # who is better depends on the data set

    def test_a_level_without_a_wider_one(self):
        assert self.decision([0.1, -0.2, 0.15, -0.04, 0.05, -0.06], level=0.4).finding.pairs

    def test_on_one_data_set(self):
        a = 0.8 + np.array([1, -1, 2, -2, 1, -1, 2, -2, 1, -1]) / 1000
        frame = folds({"a": a, "b": np.full(10, 0.8)})
        verdict = read_scores(frame, measure="accuracy", resampling="10-fold").verdict(smallest_difference=0.01)
        assert verdict.finding.pairs[0].decision == "equivalent"

    def test_a_ratio_on_one_data_set_is_a_share_of_the_mean(self):
        a = 200 + np.array([1, -1, 2, -2, 1, -1, 2, -2, 1, -1])
        results = read_scores(folds({"a": a, "b": np.full(10, 200.0)}), measure="rmse", resampling="10-fold")
        assert results.verdict(smallest_difference=0.1).finding.pairs[0].decision == "equivalent"  # 10 % of 200
        assert results.verdict(smallest_difference=0.1).finding.scope.matters == "10 %"
        assert results.verdict(smallest_difference=0.001).finding.pairs[0].decision == "undecided"

    def test_fixed_models(self):
        y = np.arange(400) % 2
        a, b = y.copy(), y.copy()
        a[:3] = 1 - a[:3]
        b[3:6] = 1 - b[3:6]
        results = read_predictions(pd.DataFrame({"y": y, "a": a, "b": b}))
        assert results.verdict(smallest_difference=0.05).finding.pairs[0].decision == "equivalent"
