"""The test, methods that did not run, why there is no verdict, and next steps, in words."""

from __future__ import annotations

import pytest
from made_scopes import ACCURACY, MATTERS

from fairtrial.notices import Notice
from fairtrial.results.absentees import Absentee
from fairtrial.statements import say
from fairtrial.verdict.claims import support
from fairtrial.verdict.claims.support import DidNotRun, NextStep, Refused, next_step


@pytest.mark.parametrize(
    ("statement", "scope", "words"),
    [
        (
            support.ByTest("", "exact McNemar", "400 instances", ("unseen",)),
            ACCURACY,
            "exact McNemar over 400 instances",
        ),
        (
            support.ByTest("all 3 pairs", "Wilcoxon signed ranks", "12 data sets"),
            ACCURACY,
            "all 3 pairs: Wilcoxon signed ranks over 12 data sets",
        ),
        (support.ByTest("", "none", none=True), ACCURACY, "none"),
        (
            DidNotRun((Absentee("a", 9, 12, unit="data set"),)),
            ACCURACY,
            "a has no score on 9 of 12 data sets, so nothing is said about it.",
        ),
        (Refused(Notice("the plan is broken", "grave", remedy="mend it")), ACCURACY, "No verdict: the plan is broken."),
        (
            Refused(Notice("the plan is broken", "grave"), 1),
            ACCURACY,
            "No verdict: the plan is broken (1 more grave notice: see the full page).",
        ),
        (
            Refused(Notice("the plan is broken", "grave"), 2),
            ACCURACY,
            "No verdict: the plan is broken (2 more grave notices: see the full page).",
        ),
        (next_step("ask", "ask another question"), ACCURACY, "ask another question"),
        (NextStep("run on", 1), ACCURACY, "let the run go on: 1 trial is still to be run (`fairtrial run` again)"),
        (NextStep("run on", 40), ACCURACY, "let the run go on: 40 trials are still to be run (`fairtrial run` again)"),
        (
            NextStep("say what matters", None, "data sets", ("a", "b")),
            ACCURACY,
            "say which difference matters (smallest_difference), to learn how many data sets would settle a and b",
        ),
        (
            NextStep("say what matters"),
            ACCURACY,
            "say which difference matters (smallest_difference), to learn whether the lead is large enough",
        ),
        (
            NextStep("more data", None, "data sets", ("a", "b")),
            MATTERS,
            "to show a difference of 0.01 between a and b takes more than 5,000 data sets",
        ),
        (
            NextStep("more data", 40, "data sets", ("a", "b")),
            MATTERS,
            "40 data sets in all would show a difference of 0.01 between a and b (power 0.8)",
        ),
        (
            NextStep("more data", 40, "data sets", ("a", "b"), 25, 90),
            MATTERS,
            "40 data sets in all would show a difference of 0.01 between a and b (power 0.8; 25 to 90)",
        ),
        (
            NextStep("more data", 4000, "instances", ("a", "b"), 2500, None),
            MATTERS,
            "4,000 instances in all would show a difference of 0.01 between a and b (power 0.8; 2,500 to over 5,000)",
        ),
        (
            NextStep("more data", 10, "data sets", ("a", "b")),
            MATTERS,
            "a difference of 0.01 between a and b should have shown with 10 data sets (power 0.8)",
        ),
    ],
)
def test_words(statement, scope, words):
    assert say(statement, scope).render() == words
