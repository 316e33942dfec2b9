"""Grave notices about data or plan leave no verdict; the remedies of others are next steps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairtrial.measures import get
from fairtrial.notices import Notice
from fairtrial.statements import Role, by_role
from fairtrial.stats import Interval
from fairtrial.tables import Column, Table
from fairtrial.verdict.claims import support
from fairtrial.verdict.claims.difference import Better
from fairtrial.verdict.claims.steadiness import Kept
from fairtrial.verdict.claims.support import NextStep, Refused
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.guards.notices_in_answer import is_spoilt, with_notices
from fairtrial.verdict.words.wording import Scope, Wording

BETTER = Better("a", "b", Interval("mean difference", 0.1, 0.05, 0.15, 0.95), 0.01, "better")
STEADY = Kept("the same answer", 9, 9, "data set")
MORE_DATA = NextStep("more data", 12, "data sets", ("a", "b"))
MEASURE = get("accuracy")
COLUMNS = (Column(""), Column("mean", key="mean"), Column("p", key="p_adjusted"), Column("", key="mark"))
TABLE = Table((replace(COLUMNS[0], key="method"), *COLUMNS[1:]), (("a", 0.9, 0.01, "better"),), notes=("note",))
FINDING = Finding(
    (BETTER, STEADY, MORE_DATA, support.ByTest("", "t")),
    TABLE,
    Scope(Wording(MEASURE)),
    winner="a",
    best=("a",),
    more_tables=(TABLE,),
)
LEAK = Notice("each row of d occurs 3 times", "grave", remedy="drop the copies", stage="data")
TRIVIAL = Notice("no method is shown to do better than majority", "grave", remedy="try others", stage="verdict")
SCALES = Notice("scores are on different scales", "grave", stage="verdict", guard="scales_apart")


class TestNoVerdict:
    def test_grave_data_leave_nothing_that_was_found(self):
        found = with_notices(FINDING, [LEAK])
        (refused,), (tested,) = found.of_kind(Refused), by_role(found.statements)[Role.TEST]
        assert (refused.reason, refused.others, refused.scales) == (LEAK, 0, None)
        assert tested.none
        assert {type(s) for s in found.statements} == {Refused, support.ByTest, NextStep}
        assert (found.winner, found.best, found.compared, found.more_tables) == (None, (), None, ())

    def test_what_was_tested_is_not_shown(self):
        found = with_notices(FINDING, [LEAK]).table
        assert ([c.key for c in found.columns], found.rows, found.notes) == (["method", "mean"], (("a", 0.9),), ())

    def test_means_of_other_scales_are_left_out_and_it_says_why(self):
        found = with_notices(FINDING, [LEAK, SCALES])
        assert found.of_kind(Refused)[0].scales == SCALES
        assert found.of_kind(Notice) == (SCALES,)
        assert [c.key for c in found.table.columns] == ["method"]

    @pytest.mark.parametrize(
        ("notices", "others"), [([TRIVIAL, LEAK], 0), ([LEAK, replace(LEAK, about="e"), TRIVIAL], 1)]
    )
    def test_others_that_are_grave_are_counted_and_kept(self, notices, others):
        found = with_notices(FINDING, notices)
        assert (found.of_kind(Refused)[0].reason, found.of_kind(Refused)[0].others) == (LEAK, others)
        assert found.of_kind(Notice) == tuple(n for n in notices if n is not LEAK)

    def test_what_an_answer_would_mean_is_not_said_where_there_is_none(self):
        vague = Notice("the name score does not say what was measured", "doubt", guard="one_scale")
        assert with_notices(FINDING, [vague]).of_kind(Notice) == (vague,)
        assert with_notices(FINDING, [LEAK, vague]).of_kind(Notice) == ()

    @pytest.mark.parametrize(("stage", "severity", "spoilt"), [
        ("data", "grave", True), ("plan", "grave", True), ("verdict", "grave", False), ("data", "doubt", False),
    ])  # fmt: skip
    def test_only_data_and_plan_leave_none(self, stage, severity, spoilt):
        notice = Notice("so so", severity, stage=stage)
        assert is_spoilt([notice]) == spoilt == bool(with_notices(FINDING, [notice]).of_kind(Refused))


class TestDoubts:
    def test_a_grave_result_leaves_the_answer(self):
        found = with_notices(FINDING, [Notice("so so", "doubt"), TRIVIAL])
        assert found.of_kind(Better) == (BETTER,)
        assert found.winner == "a"
        assert by_role(found.statements)[Role.DOUBT][0] == TRIVIAL

    def test_more_data_do_not_help_a_comparison_that_is_spoilt(self):
        (step,) = with_notices(FINDING, [TRIVIAL]).of_kind(NextStep)
        assert (step.action, step.words.render()) == ("repair", "try others")

    def test_the_remedy_of_a_doubt_comes_first_and_once(self):
        failed = Notice("2 of 9 trials failed", "doubt", remedy="run them again", stage="verdict")
        steps = by_role(with_notices(FINDING, [failed, replace(failed, about="b")]).statements)[Role.NEXT]
        assert [s.action for s in steps] == ["repair", "more data"]

    def test_other_notices_ask_for_nothing(self):
        warning = Notice("so so", remedy="do so")
        assert with_notices(FINDING, [warning]).statements == (*FINDING.statements, warning)
