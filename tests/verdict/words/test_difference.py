"""How two methods differ, and all others from a control, in words."""

from __future__ import annotations

import math

import pytest
from made_scopes import ACCURACY, COSTS, LEAD, MATTERS, MEANS, OPEN, RATIOS, interval

from fairtrial.statements import say
from fairtrial.verdict.claims.difference import (
    AgainstControl,
    Alike,
    AtWorst,
    Better,
    Differences,
    Equivalent,
    EquivalentPairs,
    NotShown,
    OnSingle,
)

LOWER = interval(math.log(1 / 0.8), math.log(1 / 0.9), math.log(1 / 0.7))  # ratios of 0.8, 0.9 and 0.7
NOTHING = interval(math.nan, math.nan, math.nan)


def better(lead=LEAD, size="better, size open", alone=True):
    return Better("a", "b", lead, 0.01, size, alone)


@pytest.mark.parametrize(
    ("statement", "scope", "words"),
    [
        (better(), ACCURACY, "a is typically better than b in accuracy here: ahead by 0.030 [0.020, 0.040]."),
        (better(), MEANS, "a is better than b in accuracy here: ahead by 0.030 [0.020, 0.040]."),
        (
            better(),
            MATTERS,
            "a is typically better than b in accuracy here: ahead by 0.030 [0.020, 0.040]. It may be less than "
            "the 0.01 that matters to you.",
        ),
        (
            better(size="better by more than matters"),
            MATTERS,
            "a is typically better than b in accuracy here: ahead by 0.030 [0.020, 0.040]. That is more than the "
            "0.01 that matters to you.",
        ),
        (
            better(size="better but negligible"),
            MATTERS,
            "a is typically better than b in accuracy here: ahead by 0.030 [0.020, 0.040]. That is less than the "
            "0.01 that matters to you.",
        ),
        (
            better(LOWER),
            RATIOS,
            "a is typically better than b in rmse here: its rmse is 0.800 times that of b [0.700, 0.900].",
        ),
        (
            better(interval(120, 80, 150)),
            COSTS,
            "a is typically better than b in cost in EUR per 1,000 cases (false positive 1, false negative 30) "
            "here: 120.0 EUR per 1,000 cases cheaper [80.0, 150.0].",
        ),
        (better(alone=False), ACCURACY, "a is 0.030 ahead of b [0.020, 0.040]."),
        (better(LOWER, alone=False), RATIOS, "a has 0.800 times the rmse of b [0.700, 0.900]."),
        (
            better(interval(120, 80, 150), alone=False),
            COSTS,
            "a is 120.0 EUR per 1,000 cases cheaper than b [80.0, 150.0].",
        ),
        (
            NotShown("a", "b", OPEN),
            ACCURACY,
            "No difference in accuracy between a and b is shown here: the typical lead of a is 0.010 [−0.020, +0.040].",
        ),
        (
            NotShown("a", "b", OPEN),
            MEANS,
            "No difference in accuracy between a and b is shown here: the mean lead of a is 0.010 [−0.020, +0.040].",
        ),
        (NotShown("a", "b", None), ACCURACY, "No difference in accuracy between a and b is shown here."),
        (NotShown("a", "b", NOTHING), ACCURACY, "No difference in accuracy between a and b is shown here."),
        (
            NotShown("a", "b", interval(0, 0, 0), 12),
            ACCURACY,
            "No difference in accuracy between a and b is shown here: their scores are equal.",
        ),
        (
            NotShown("a", "b", interval(0.0, -0.01, 0.01)),
            ACCURACY,
            "No difference in accuracy between a and b is shown here: their typical difference is 0.000 [−0.010, "
            "+0.010].",
        ),
        (
            NotShown("a", "b", interval(math.log(1 / 0.9), math.log(1 / 1.1), math.log(1 / 0.8))),
            RATIOS,
            "No difference in rmse between a and b is shown here: a has typically 0.900 times the rmse of b "
            "[0.800, 1.10].",
        ),
        (
            Equivalent("a", "b", interval(0.001, -0.002, 0.004), 0.9),
            MATTERS,
            "a and b are equivalent in accuracy here: they differ by less than the 0.01 that matters to you, "
            "typically (0.001 [−0.002, +0.004]) and on at least 90 % of such data sets (95 %).",
        ),
        (
            Equivalent("a", "b", interval(0.001, -0.002, 0.004)),
            MATTERS,
            "a and b are equivalent in accuracy here: they differ by less than the 0.01 that matters to you "
            "(0.001 [−0.002, +0.004]).",
        ),
        (
            Equivalent("a", "b", None, 0.9),
            MATTERS,
            "a and b are equivalent in accuracy here: they differ by less than the 0.01 that matters to you, "
            "typically and on at least 90 % of such data sets (95 %).",
        ),
        (
            Alike("a", "b", 5, 3, 12, True),
            MATTERS,
            "Which of a and b is better in accuracy may depend on the data set here: a is better by 0.01 or more on 5, "
            "b on 3.",
        ),
        (
            Alike("a", "b", 5, 3, 12, True, True),
            MATTERS,
            "Which of a and b is better in accuracy depends on the data set: of these 12, a is better by 0.01 or "
            "more on 5, b on 3.",
        ),
        (
            Alike("a", "b", 2, 0, 12, False),
            MATTERS,
            "a and b differ typically by less than the 0.01 that matters in accuracy here, but perhaps not on "
            "single ones: a is better by 0.01 or more on 2, b on none.",
        ),
        (
            AtWorst("a", "b", interval(-0.001, -0.003, math.inf)),
            MATTERS,
            "The typical lead of a is −0.001, at worst −0.003 (95 %).",
        ),
        (
            AtWorst("a", "b", interval(-0.001, -0.003, math.inf)),
            MEANS,
            "The lead of a is −0.001, at worst −0.003 (95 %).",
        ),
        (
            AtWorst("a", "b", interval(-math.log(1.01), -math.log(1.04), math.inf)),
            RATIOS,
            "The typical ratio of a to b is 1.01, at worst 1.04 (95 %).",
        ),
        (OnSingle("a", "b", 5, 2, 12), MATTERS, "a is better by 0.01 or more on 5 of 12 data sets, and worse on 2."),
        (
            OnSingle("a", "b", 0, 0, 12),
            MATTERS,
            "a is better by 0.01 or more on none of 12 data sets, and worse on none.",
        ),
        (
            AgainstControl("c", ("a",), (), (), ("b",), ()),
            ACCURACY,
            "In accuracy here, a is typically better than c; b is worse.",
        ),
        (
            AgainstControl("c", ("a", "b"), (), (), (), ("d",)),
            ACCURACY,
            "In accuracy here, a and b are typically better than c; d is not shown to differ from it.",
        ),
        (AgainstControl("c", (), (), (), ("a",), ()), ACCURACY, "In accuracy here, a is worse than c."),
        (
            AgainstControl("c", ("a", "b"), (), (), (), ("d",), large=("a",)),
            MATTERS,
            "In accuracy here, a and b are typically better than c; d is not shown to differ from it. For a that is "
            "more than the 0.01 that matters to you; else it may be less.",
        ),
        (
            AgainstControl("c", ("a",), (), (), (), ("d",)),
            MATTERS,
            "In accuracy here, a is typically better than c; d is not shown to differ from it. These differences may "
            "be less than the 0.01 that matters to you.",
        ),
        (
            AgainstControl("c", (), (), (), (), ("a", "b")),
            ACCURACY,
            "In accuracy here, a and b are not shown to differ from c.",
        ),
        (
            AgainstControl("c", (), ("a",), ("b",), (), ()),
            MATTERS,
            "In accuracy here, a is typically not worse than c by 0.01 or more; b is equivalent to it, within 0.01.",
        ),
        (
            AgainstControl("c", ("d",), ("a",), ("b",), (), ()),
            MATTERS,
            "In accuracy here, d is typically better than c; a is typically not worse than it by 0.01 or more; b is "
            "equivalent to it, within 0.01. These differences may be less than the 0.01 that matters to you.",
        ),
        (
            AgainstControl("c", ("a",), (), (), ("b",), (), better_is_small=True, worse_is_small=True),
            MATTERS,
            "In accuracy here, a is typically better than c, by less than the 0.01 that matters; b is worse, by less "
            "than the 0.01 that matters.",
        ),
        (
            AgainstControl("c", (), (), (), (), ("a",), "better"),
            ACCURACY,
            "In accuracy here, a is not shown to be better than c.",
        ),
        (
            AgainstControl("c", (), (), (), (), ("a",), "not worse"),
            MATTERS,
            "In accuracy here, a may be worse than c by 0.01 or more.",
        ),
        (Differences((("a", "b"),), 3), ACCURACY, "In accuracy here, 1 of 3 pairs differs (a over b)."),
        (
            Differences((("a", "b"), ("a", "c")), 3, "a"),
            ACCURACY,
            "a is better than every other of these 3 in accuracy here; 2 of 3 pairs differ (a over b; a over c).",
        ),
        (
            Differences(tuple(("a", x) for x in "bcdef"), 15),
            ACCURACY,
            "In accuracy here, 5 of 15 pairs differ (a over b; a over c; a over d, and 2 more).",
        ),
        (Differences((), 3), ACCURACY, "No difference in accuracy between any two of these 3 methods is shown here."),
        (
            Differences((), 3, "", False),
            ACCURACY,
            "12 data sets are too few to show which of these 3 methods differ in accuracy, for all 3 pairs together.",
        ),
        (
            Differences((), 3, "a", True),
            ACCURACY,
            "a is better than every other of these 3 in accuracy here; 0 of 3 pairs differ.",
        ),
        (EquivalentPairs((("a", "b"),)), MATTERS, "Equivalent, within 0.01: a and b."),
        (
            EquivalentPairs(tuple(("a", x) for x in "bcdef")),
            MATTERS,
            "Equivalent, within 0.01: a and b; a and c; a and d; and 2 more pairs.",
        ),
    ],
)
def test_words(statement, scope, words):
    assert say(statement, scope).render() == words
