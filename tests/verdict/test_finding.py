"""A finding holds together: its pairs, order and parts are about the methods that were compared."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from made_scores import BASE, CLEAR, few_datasets, table

from fairtrial.notices import Notice
from fairtrial.results import read_scores
from fairtrial.statements import Role
from fairtrial.verdict import check_consistency
from fairtrial.verdict.claims.best import Choice, MayBeBest, Winner
from fairtrial.verdict.claims.difference import AgainstControl, NotShown

RNG = np.random.default_rng


class TestFinding:
    def test_order_and_pairs_are_of_the_compared_methods(self):
        finding = read_scores(table(CLEAR), measure="accuracy").verdict().finding
        assert sorted(finding.order) == sorted(finding.comparisons.names)
        assert [(p.first, p.second) for p in finding.pairs] == list(finding.comparisons.pairs)
        assert finding.parts == ()

    def test_leads_are_those_of_the_table(self):
        finding = read_scores(table(CLEAR), measure="accuracy").verdict().finding
        shown = {row[0]: (row[2], row[4], row[-1]) for row in finding.table.rows}
        marks = {"winner": "best", "out": "out", "in": ""}
        assert shown == {
            lead.method: (lead.interval.estimate, lead.p_value, marks[lead.standing]) for lead in finding.leads.leads
        }
        assert finding.leads.winner == finding.winner == "high"

    def test_where_nothing_was_compared_there_are_no_pairs(self):
        finding = read_scores(table({"a": CLEAR["high"]}), measure="accuracy").verdict().finding
        assert (finding.pairs, finding.comparisons, finding.leads, finding.winner) == ((), None, None, None)

    def test_parts_are_findings_of_their_own(self):
        finding = few_datasets().verdict().finding
        assert finding.each
        assert finding.comparisons is None
        assert {name: part.winner for name, part in finding.parts} == {"d0": "a", "d1": "a", "d2": None}
        [winner] = dict(finding.parts)["d0"].of_kind(Winner)
        assert (winner.method, winner.runner_up) == ("a", "b")
        [several] = dict(finding.parts)["d2"].of_kind(MayBeBest)
        assert set(several.methods) == {"a", "b"}

    def test_statements_are_added_and_left_out_by_role(self):
        finding = few_datasets().verdict().finding
        doubt = Notice("the ruler bends", "doubt")
        more = finding.adding(doubt)
        assert doubt in more.of_kind(Notice)
        assert more.said(Role.DOUBT)[-1].render() == "the ruler bends"
        assert more.without(Role.DOUBT).said(Role.DOUBT) == ()
        assert more.without(Role.DOUBT).said(Role.ANSWER) == finding.said(Role.ANSWER)

    def test_can_not_be_changed(self):
        finding = few_datasets().verdict().finding
        with pytest.raises(FrozenInstanceError):
            finding.winner = "b"


class TestWhatIsFound:
    def test_who_is_ahead_is_read_from_the_effect(self):
        # b wins more often, a by more: mean ranks favour b, the typical difference a
        d = np.array([-1, -1, -1, -1, 5, 5, 5]) / 100
        finding = read_scores(table({"a": BASE[:7] + d, "b": BASE[:7]}), measure="accuracy").verdict().finding
        [none] = finding.of_kind(NotShown)
        assert (finding.winner, none.method) == (None, "a")
        assert none.lead.low < 0 < none.lead.estimate
        assert finding.compared.rows[0].method == 0

    def test_a_good_mean_that_a_steady_rival_beats_is_out(self):
        # m1 is always a little behind m0; m2 varies so much that it may be the best with a worse mean
        scores = np.column_stack([np.full(12, 0.70), np.full(12, 0.69), 0.68 + 0.08 * RNG(2).normal(size=12)])
        scores[:, 2] += 0.68 - scores[:, 2].mean()
        scores[:, 1] -= np.linspace(0, 0.001, 12)
        columns = {f"m{i}": scores[:, i] for i in range(3)}
        for estimand in ("mean", "typical"):
            verdict = read_scores(table(columns), measure="accuracy").verdict(estimand=estimand)
            [several] = verdict.finding.of_kind(MayBeBest)
            assert (set(several.methods), several.out) == ({"m0", "m2"}, ("m1",))
            assert [row[0] for row in verdict.to_table().rows][-1] == "m1"
            assert check_consistency(verdict) == ()

    @pytest.mark.parametrize("estimand", ["typical", "mean"])
    def test_of_many_all_that_may_be_the_best_are_known(self, estimand):
        scores = RNG(1).normal([0.7] * 9 + [0.3], 0.01, (12, 10))
        columns = {f"m{i}": scores[:, i] for i in range(10)}
        finding = read_scores(table(columns), measure="accuracy").verdict(estimand=estimand).finding
        [several] = finding.of_kind(MayBeBest)
        assert set(several.methods) == set(finding.best) == {f"m{i}" for i in range(9)}
        assert several.out == ("m9",)
        [choice] = finding.of_kind(Choice)
        assert choice.method == several.methods[0] == finding.leads.leader

    def test_against_a_control_in_a_measure_where_less_is_better(self):
        same = BASE + RNG(13).permutation(np.linspace(-0.02, 0.02, 12))
        columns = {"control": BASE, "same": same, "low": BASE - 0.1, "high": BASE + 0.1}
        verdict = read_scores(table(columns), measure="rmse").verdict(control="control")
        [found] = verdict.finding.of_kind(AgainstControl)
        assert (found.better, found.worse, found.open) == (("low",), ("high",), ("same",))
        ratios = {row[0]: row[2] for row in verdict.to_table().rows}
        assert ratios["low"] < 1 < ratios["high"]
