"""Which is best, and what to choose where that is not shown."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from made_scores import BASE, CLEAR, NOISE, table

from fairtrial.results import read_scores
from fairtrial.stats import Interval
from fairtrial.verdict.claims.best import Choice, Circle, MayBeBest, Winner, choice, which_is_best

CLOSE = {"low": BASE - 0.1, "a": BASE + 5 * NOISE[:, 0], "b": BASE + 5 * NOISE[:, 1]}


def compared(columns=CLOSE, measure="accuracy", **asked):
    return read_scores(table(columns), measure=measure).verdict(**asked).finding.compared


def with_losses(found, standings="in", **losses):
    """The comparison with these largest losses, by method; the first is the leader."""
    leads = tuple(
        replace(lead, interval=Interval("d", 0.0, -losses[lead.method], 0.1), standing=standings)
        for lead in found.leads.leads
    )
    return replace(found, leads=replace(found.leads, leads=leads, leader=next(iter(losses))))


class TestWhichIsBest:
    def test_a_winner_over_the_next(self):
        found = compared(CLEAR)
        (said,) = which_is_best(found)
        lead = next(lead for lead in found.leads.leads if lead.method == "high")
        assert said == Winner("high", "middle", lead.interval, lead.p_value, "better, size open")

    @pytest.mark.parametrize(
        ("delta", "size"),
        [(0.01, "better by more than matters"), (0.05, "better, size open"), (0.06, "better but negligible")],
    )
    def test_whether_its_lead_matters(self, delta, size):
        (said,) = which_is_best(compared(CLEAR, smallest_difference=delta))
        assert said.size == size

    def test_those_that_may_be_and_those_that_are_out(self):
        found = compared()
        (said,) = which_is_best(found)
        assert isinstance(said, MayBeBest)
        assert (set(said.methods), said.out) == ({"a", "b"}, ("low",))
        assert said.methods[0] == found.leads.leader

    def test_a_circle_has_no_best(self):
        found = compared()
        (said,) = which_is_best(replace(found, leads=replace(found.leads, circle=found.leads.names)))
        assert said == Circle(("low", "a", "b"))


class TestChoice:
    """The leader, unless δ is given and a method that costs much less can't lose that much."""

    LOSSES = {"a": 0.02, "b": 0.03, "low": 0.04}  # noqa: RUF012

    def chosen(self, costs, **asked):
        return list(choice(with_losses(compared(**asked), **self.LOSSES), costs))

    def test_the_leader_with_its_largest_loss(self):
        (said,) = self.chosen({})
        assert (said.method, said.loss, said.within_delta, said.cheaper) == ("a", 0.02, False, "")

    def test_a_cheaper_one_is_named_with_its_own_loss(self):
        (said,) = self.chosen({"a": 10.0, "b": 2.0, "low": 5.0})
        assert (said.method, said.cheaper, said.factor, said.cheaper_loss) == ("a", "b", 5.0, 0.03)

    @pytest.mark.parametrize("costs", [{"a": 10.0, "b": 7.0, "low": 10.0}, {"a": 2.0, "b": 10.0, "low": 9.0}])
    def test_what_is_hardly_cheaper_is_not_named(self, costs):
        (said,) = self.chosen(costs)
        assert (said.method, said.cheaper) == ("a", "")

    def test_with_delta_the_cheapest_that_can_not_lose_as_much(self):
        (said,) = self.chosen({"a": 10.0, "b": 2.0, "low": 1.0}, smallest_difference=0.035)
        assert (said.method, said.loss, said.within_delta, said.factor) == ("b", 0.03, True, 5.0)
        (said,) = self.chosen({"a": 10.0, "b": 2.0, "low": 1.0}, smallest_difference=0.025)
        assert (said.method, said.within_delta) == ("a", False)

    def test_not_one_whose_loss_is_not_known(self):
        found = with_losses(compared(smallest_difference=0.09), a=0.02, b=math.inf, low=math.inf)
        (said,) = choice(found, {"a": 10.0, "b": 1.0, "low": 1.0})
        assert (said.method, said.cheaper) == ("a", "")

    def test_a_winner_needs_no_word_but_for_a_cheaper_one_that_is_as_good(self):
        found = compared(CLEAR, smallest_difference=0.06)
        assert list(choice(found, {})) == []
        (said,) = choice(found, {"high": 10.0, "middle": 2.0, "low": 1.0})
        assert (said.method, said.within_delta, found.leads.winner) == ("middle", True, "high")
        assert said.loss == pytest.approx(-found.leads.leads[2].interval.low)
        assert said.loss < 0.06

    @pytest.mark.parametrize("columns", [CLEAR, {m: CLEAR[m] for m in ("low", "high")}])
    def test_none_of_a_control_and_of_two(self, columns):
        assert list(choice(compared(columns, control="low"), {})) == []
        assert list(choice(compared({m: columns[m] for m in ("low", "high")}), {})) == []

    def test_none_in_a_circle(self):
        found = compared()
        assert list(choice(replace(found, leads=replace(found.leads, circle=found.leads.names)), {})) == []

    def test_it_is_said_whether_the_leader_loses_more_often_than_it_wins(self):
        # a is ahead by much on five data sets, and behind by little on seven
        d = np.r_[np.full(5, 0.06), np.full(7, -0.01)] + NOISE[:, 0] / 10
        verdict = read_scores(table({"a": BASE + d, "b": BASE, "c": BASE - 0.2}), measure="accuracy").verdict()
        (said,) = verdict.finding.of_kind(Choice)
        ahead = {"a": d, "b": -d}[said.method]
        assert said.wins == ((ahead > 0).sum() >= (ahead < 0).sum())
        assert said.loss == pytest.approx(
            -next(x for x in verdict.finding.leads.leads if x.method == said.method).interval.low
        )
