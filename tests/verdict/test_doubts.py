"""Grave notices come first."""

from __future__ import annotations

from fairtrial.notices import Notice
from fairtrial.tables import Column, Table
from fairtrial.verdict.doubts import with_doubts
from fairtrial.verdict.finding import Finding

FINDING = Finding(("a beats b.", "By much."), Table((Column("method"),), ()), "t", winner="a", best=("a",))
LEAK = Notice("each row of d occurs 3 times", "grave", stage="data")
TRIVIAL = Notice("no method is shown to do better than majority", "grave", stage="verdict")


class TestWithDoubts:
    def test_grave_data_leave_no_verdict(self):
        found = with_doubts(FINDING, [LEAK])
        assert found.sentences == (
            "No verdict: each row of d occurs 3 times.",
            "The scores are shown below, but they can't be trusted.",
        )
        assert found.winner is None
        assert found.best == ()

    def test_a_grave_result_comes_first(self):
        found = with_doubts(FINDING, [TRIVIAL])
        assert found.sentences[0] == "No method is shown to do better than majority."
        assert found.sentences[1:] == FINDING.sentences
        assert found.winner == "a"

    def test_data_before_results(self):
        found = with_doubts(FINDING, [TRIVIAL, LEAK])
        assert found.sentences[0] == "No verdict: each row of d occurs 3 times (1 more grave notice below)."

    def test_after_the_methods_that_did_not_run(self):
        assert with_doubts(FINDING, [TRIVIAL], after=True).sentences[:2] == (
            "a beats b.",
            "No method is shown to do better than majority.",
        )

    def test_other_notices_change_nothing(self):
        assert with_doubts(FINDING, [Notice("so so")]) is FINDING
