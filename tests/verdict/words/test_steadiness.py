"""How much an answer depends on single data sets, failed trials and the kind of a difference, in words."""

from __future__ import annotations

import math

import pytest
from made_scopes import ACCURACY, CLUSTERS, OPEN, RATIOS, interval

from fairtrial.statements import say
from fairtrial.verdict.claims.steadiness import (
    AnswerHinges,
    CannotBeTried,
    ClaimsHinge,
    Hinges,
    Kept,
    MeansDisagree,
    Moves,
    OnlyJust,
    OnPolicy,
    WouldWin,
)


@pytest.mark.parametrize(
    ("statement", "scope", "words"),
    [
        (Hinges(("d1",), 12), ACCURACY, "the win hinges on single data sets: without d1 no winner is shown"),
        (Hinges(("d1", "d2"), 12), ACCURACY, "the win hinges on single data sets: without d1 or d2 no winner is shown"),
        (
            Hinges(("d1", "d2", "d3"), 12, True),
            ACCURACY,
            "the win hinges on single data sets: without any one of 3 data sets there is another winner, or none",
        ),
        (
            Hinges(("k1", "k2", "k3"), 12),
            CLUSTERS,
            "the win hinges on single clusters: without any one of 3 clusters no winner is shown",
        ),
        (
            Hinges(("d1", "d2", "d3"), 4),
            ACCURACY,
            "This win is fragile: without any one of 3 of the 4 data sets no winner is shown.",
        ),
        (
            AnswerHinges(("d1", "d2"), 12),
            ACCURACY,
            "the answer hinges on single data sets: without d1 or d2 it is another",
        ),
        (
            AnswerHinges(("d1", "d2", "d3"), 12),
            ACCURACY,
            "the answer hinges on single data sets: without any one of 3 data sets it is another",
        ),
        (OnlyJust("a", True, ("d1",), 12), ACCURACY, "a is in only just: without d1 it would be out"),
        (
            OnlyJust("a", False, ("d1", "d2", "d3"), 12, 1),
            ACCURACY,
            "a and one other are out only just: without any one of 3 data sets a may be the best",
        ),
        (
            OnlyJust("a", False, ("d1",), 12, 2),
            ACCURACY,
            "a and 2 others are out only just: without d1 a may be the best",
        ),
        (WouldWin("a", ("d1", "d2"), 12), ACCURACY, "without d1 or d2 a would be the best"),
        (
            ClaimsHinge(("a", "b")),
            ACCURACY,
            "what is said of a and b hinges on single data sets: without one of them it is not shown",
        ),
        (
            MeansDisagree("a", "b", OPEN),
            ACCURACY,
            "The means do not show it: that of a is 0.010 ahead of that of b [−0.020, +0.040].",
        ),
        (
            MeansDisagree("a", "b", interval(-0.01, -0.03, 0.01)),
            ACCURACY,
            "b has the better mean, though a is typically ahead.",
        ),
        (
            MeansDisagree("a", "b", interval(math.log(1 / 0.9), math.log(1 / 1.1), math.log(1 / 0.8))),
            RATIOS,
            "The geometric means do not show it: that of a is 0.900 times that of b [0.800, 1.10].",
        ),
        (Kept("the same winner", 12, 12, "data set"), ACCURACY, "the same winner whichever data set is left out"),
        (Kept("differences", 1, 1, "data set"), ACCURACY, "the one difference stays whichever data set is left out"),
        (Kept("differences", 3, 3, "family"), ACCURACY, "all 3 differences stay whichever family is left out"),
        (Kept("differences", 2, 3, "data set"), ACCURACY, "2 of 3 differences stay whichever data set is left out"),
        (
            Moves("d3", "a", "b", 0.02, 0.01),
            ACCURACY,
            "d3 moves the typical difference of a and b most: from +0.020 to +0.010 without it",
        ),
        (
            Moves("d3", "a", "b", math.log(0.8), math.log(0.9)),
            RATIOS,
            "d3 moves the typical difference of a and b most: from ×0.800 to ×0.900 without it",
        ),
        (
            CannotBeTried("data set", 6),
            ACCURACY,
            "leaving out single data sets can't be tried: with one less there are fewer than 6",
        ),
        (
            OnPolicy("worst", "a", ()),
            ACCURACY,
            "no other failure policy can be applied here, so whether the answer depends on it is open",
        ),
        (
            OnPolicy("worst", "a", (("drop", "a"), ("baseline", "a"))),
            ACCURACY,
            "the same winner and the same differences under the other failure policies (drop and baseline)",
        ),
        (
            OnPolicy("worst", "", (("drop", ""),)),
            ACCURACY,
            "no winner and the same differences under the other failure policies (drop)",
        ),
        (
            OnPolicy("worst", "a", (("drop", ""), ("baseline", "b"))),
            ACCURACY,
            "the answer depends on the failure policy: a wins with 'worst' (used here), no method wins with "
            "'drop' and b wins with 'baseline'",
        ),
        (
            OnPolicy("worst", "a", (("drop", "a"),), ("drop",)),
            ACCURACY,
            "the same winner, but which methods are out depends on the failure policy (drop)",
        ),
        (
            OnPolicy("worst", "", (("drop", ""),), ("drop",)),
            ACCURACY,
            "no winner, but which methods are out depends on the failure policy (drop)",
        ),
        (
            OnPolicy("worst", "", (("drop", ""),), claim=True),
            ACCURACY,
            "the same answer to the claim under the other failure policies (drop)",
        ),
        (
            OnPolicy("worst", "", (("drop", ""), ("baseline", "")), ("drop",), True),
            ACCURACY,
            "the answer to the claim depends on the failure policy: it is another with 'drop'",
        ),
    ],
)
def test_words(statement, scope, words):
    assert say(statement, scope).render() == words
