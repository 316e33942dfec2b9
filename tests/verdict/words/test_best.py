"""Which is best, in words: one sentence for each kind of statement and each branch."""

from __future__ import annotations

import math

import pytest
from made_scopes import ACCURACY, COSTS, LEAD, MATTERS, MEANS, RATIOS, interval

from fairtrial.statements import say
from fairtrial.verdict.claims.best import Choice, Circle, MayBeBest, Winner

LOWER = interval(math.log(1 / 0.8), math.log(1 / 0.9), math.log(1 / 0.7))  # ratios of 0.8, 0.9 and 0.7
NOTHING = interval(math.nan, math.nan, math.nan)


def won(lead=LEAD, size="better, size open"):
    return Winner("a", "b", lead, 0.01, size)


@pytest.mark.parametrize(
    ("statement", "scope", "words"),
    [
        (won(), ACCURACY, "a is the best of these 3 in accuracy here: 0.030 ahead of the next best [0.020, 0.040]."),
        (
            won(size="better by more than matters"),
            MATTERS,
            "a is the best of these 3 in accuracy here: 0.030 ahead of the next best [0.020, 0.040]. That is "
            "more than the 0.01 that matters to you.",
        ),
        (
            won(size="better but negligible"),
            MATTERS,
            "a is the best of these 3 in accuracy here: 0.030 ahead of the next best [0.020, 0.040]. That is "
            "less than the 0.01 that matters to you.",
        ),
        (
            won(),
            MATTERS,
            "a is the best of these 3 in accuracy here: 0.030 ahead of the next best [0.020, 0.040]. It may be "
            "less than the 0.01 that matters to you.",
        ),
        (
            won(LOWER),
            RATIOS,
            "a is the best of these 3 in rmse here: its rmse is 0.800 times that of the next best [0.700, 0.900].",
        ),
        (
            won(interval(120, 80, 150)),
            COSTS,
            "a is the best of these 3 in cost in EUR per 1,000 cases (false positive 1, false negative 30) here: "
            "120.0 EUR per 1,000 cases cheaper than the next best [80.0, 150.0].",
        ),
        (won(NOTHING), ACCURACY, "a is the best of these 3 in accuracy here."),
        (
            won(interval(0.03, 0.03, 0.03)),
            ACCURACY,
            "a is the best of these 3 in accuracy here: 0.030 ahead of the next best.",
        ),
        (
            MayBeBest(("a", "b", "c"), ()),
            ACCURACY,
            "No method is shown to be the best in accuracy here: any of these 3 may be.",
        ),
        (
            MayBeBest(("a", "b"), ("c",)),
            ACCURACY,
            "No method is shown to be the best in accuracy here: the best is among a and b (95 %).",
        ),
        (
            MayBeBest(("a",), ("b", "c")),
            ACCURACY,
            "No method is shown to be the best in accuracy here, but none beats a.",
        ),
        (
            MayBeBest(tuple("abcdefg"), ("z",)),
            ACCURACY,
            "No method is shown to be the best in accuracy here: the best is among a, b, c, d, e, f and g (95 %).",
        ),
        (
            MayBeBest(tuple("abcdefgh"), ("z",)),
            ACCURACY,
            "No method is shown to be the best in accuracy here: the best is among a, b, c, d, e and 3 others (95 %).",
        ),
        (
            Circle(("a", "b", "c")),
            ACCURACY,
            "There is no best method in accuracy here: each of a, b and c is beaten by another of them.",
        ),
        (
            Choice("a", 0.02),
            ACCURACY,
            "If you must choose now: a, typically ahead; at worst 0.020 behind the best (95 %).",
        ),
        (
            Choice("a", 0.02, wins=False),
            ACCURACY,
            "If you must choose now: a, first in the table; at worst 0.020 behind the best (95 %).",
        ),
        (
            Choice("a", 0.02),
            MEANS,
            "If you must choose now: a, on average ahead; at worst 0.020 behind the best (95 %).",
        ),
        (Choice("a", math.inf), ACCURACY, "If you must choose now: a, typically ahead."),
        (
            Choice("a", 0.02, factor=27.3, cheaper="b", cheaper_loss=0.04),
            ACCURACY,
            "If you must choose now: a, typically ahead; at worst 0.020 behind the best (95 %). b is 27 times "
            "cheaper to fit: at worst 0.040 behind.",
        ),
        (
            Choice("a", 0.02, factor=27.3, cheaper="b", cheaper_loss=math.inf),
            ACCURACY,
            "If you must choose now: a, typically ahead; at worst 0.020 behind the best (95 %). b is 27 times "
            "cheaper to fit.",
        ),
        (
            Choice("a", 0.004, True, True, True, 27.3),
            MATTERS,
            "a is 27 times cheaper to fit, and at worst 0.004 behind (95 %), less than the 0.01 that matters: "
            "choose it.",
        ),
        (
            Choice("a", 0.004, is_small=True),
            MATTERS,
            "If you must choose now: a, typically ahead; at worst 0.004 behind the best (95 %), less than the "
            "0.01 that matters.",
        ),
        (
            Choice("a", 0.02, wins=False),
            MEANS,
            "If you must choose now: a, first in the table; at worst 0.020 behind the best (95 %).",
        ),
        (
            Choice("a", math.log(1.2)),
            RATIOS,
            "If you must choose now: a, typically ahead; at worst 20 % behind the best (95 %).",
        ),
    ],
)
def test_words(statement, scope, words):
    assert say(statement, scope).render() == words
