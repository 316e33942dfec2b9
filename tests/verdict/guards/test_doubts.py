"""Grave notices come first."""

from __future__ import annotations

from dataclasses import replace

from fairtrial.notices import Notice
from fairtrial.tables import Column, Table
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.guards.doubts import REFUSED, left_to_say, with_doubts

FINDING = Finding(("a beats b.", "By much."), Table((Column("method"),), ()), "t", winner="a", best=("a",))
LEAK = Notice("each row of d occurs 3 times", "grave", stage="data")
TRIVIAL = Notice("no method is shown to do better than majority", "grave", stage="verdict")


class TestWithDoubts:
    def test_grave_data_leave_no_verdict(self):
        found = with_doubts(FINDING, [LEAK])
        assert found.sentences == (
            "No verdict: each row of d occurs 3 times.",
            "The means are shown below without tests, which would claim too much.",
        )
        assert (found.test, found.stable, found.more_tables) == ("none: refused, see above.", (), ())
        assert found.winner is None
        assert found.best == ()

    def test_what_was_tested_is_not_shown(self):
        columns = (Column("method"), Column("mean"), Column("p", key="p_adjusted"), Column("", key="mark"))
        tested = replace(FINDING, table=Table(columns, (("a", 0.9, 0.01, "*"),), notes=("* better",)))
        found = with_doubts(tested, [LEAK]).table
        assert ([c.key for c in found.columns], found.rows, found.notes) == (["method", "mean"], (("a", 0.9),), ())

    def test_means_of_other_scales_are_left_out_and_it_says_why(self):
        scales = Notice("scores are on different scales", "grave", stage="verdict", guard="scales_apart")
        found = with_doubts(FINDING, [LEAK, scales])
        assert found.sentences[1] == (
            "Mean ranks are shown below without tests, which would claim too much. "
            "Means are left out, since scores are on different scales."
        )
        assert left_to_say(found, scales) == ""

    def test_a_grave_result_comes_first(self):
        found = with_doubts(FINDING, [TRIVIAL])
        assert found.sentences[0] == "No method is shown to do better than majority."
        assert found.sentences[1:] == FINDING.sentences
        assert found.winner == "a"

    def test_data_before_results(self):
        found = with_doubts(FINDING, [TRIVIAL, LEAK])
        assert found.sentences[0] == "No verdict: each row of d occurs 3 times."
        found = with_doubts(FINDING, [LEAK, LEAK, TRIVIAL])
        assert found.sentences[0] == "No verdict: each row of d occurs 3 times (1 more grave notice below)."

    def test_after_the_methods_that_did_not_run(self):
        assert with_doubts(FINDING, [TRIVIAL], after=True).sentences[:2] == (
            "a beats b.",
            "No method is shown to do better than majority.",
        )

    def test_other_notices_change_nothing(self):
        found = with_doubts(FINDING, [Notice("so so", remedy="do so")])
        assert (found.sentences, found.next_steps) == (FINDING.sentences, FINDING.next_steps)

    def test_a_doubt_follows_the_answer_and_its_remedy_comes_first(self):
        failed = Notice("2 of 9 trials failed", "doubt", remedy="run them again", stage="verdict")
        found = with_doubts(replace(FINDING, next_steps=("more data",)), [failed])
        assert found.sentences == ("a beats b.", "By much.", "2 of 9 trials failed.")
        assert found.next_steps == ("run them again", "more data")

    def test_more_data_do_not_help_a_comparison_that_is_spoilt(self):
        twins = replace(TRIVIAL, remedy="look at another measure")
        found = with_doubts(replace(FINDING, next_steps=("more data",)), [twins])
        assert found.next_steps == ("look at another measure",)

    def test_at_most_three(self):
        doubts = [Notice(f"doubt {i}", "doubt") for i in range(5)]
        assert with_doubts(FINDING, doubts).sentences[2:] == ("Doubt 0.", "Doubt 1.", "Doubt 2.")


class TestIsInTheAnswer:
    def test_what_was_said_is_not_said_again(self):
        doubts = [Notice(f"doubt {i}", "doubt") for i in range(5)]
        found = with_doubts(FINDING, doubts)
        assert [left_to_say(found, n) for n in doubts] == ["", "", "", "doubt 3", "doubt 4"]

    def test_a_remedy_among_the_next_steps_is_not_repeated(self):
        again = Notice("so so", remedy="do so")
        assert left_to_say(FINDING, again) == "so so; do so"
        assert left_to_say(replace(FINDING, next_steps=("do so",)), again) == "so so"

    def test_what_an_answer_would_mean_is_not_said_where_there_is_none(self):
        vague = Notice("the name score does not say what was measured", "doubt", guard="one_scale")
        assert left_to_say(FINDING, vague) == vague.sentence
        assert left_to_say(replace(FINDING, test=REFUSED), vague) == ""

    def test_other_notices_are_never_left_out(self):
        assert left_to_say(replace(FINDING, sentences=("So so.",)), Notice("so so")) == "so so"
