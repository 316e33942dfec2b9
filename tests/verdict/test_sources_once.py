"""The answer if numbered data sets of one source count once."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.results import read_scores
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.sources_once import _compared


def numbered(lead_on_copies: float, lead_elsewhere: float, copies: int = 4, singles: int = 6) -> str:
    """The doubt of a verdict on three sources of some copies each, and single data sets."""
    noise = np.random.default_rng(5).normal(0, 0.002, 3 * copies + singles)
    names = [f"{s}-{i}" for s in ("red", "green", "blue") for i in range(copies)]
    names += ["oak", "elm", "ash", "yew", "fir", "box", "may", "bay"][:singles]
    lead = np.where(np.arange(len(names)) < 3 * copies, lead_on_copies, lead_elsewhere) + noise
    scores = pd.DataFrame({"dataset": names, "a": 0.7 + lead, "b": 0.7})
    verdict = read_scores(scores, measure="accuracy").verdict()
    [doubt] = [n for n in verdict.notices if n.guard == "names_like_versions"]
    return doubt.sentence


class TestCountedOnce:
    def test_the_same_winner(self):
        assert numbered(0.03, 0.03).endswith("; with each source counted once (9 in all) a is still the best")

    def test_a_winner_by_copies_only(self):
        # a leads on 12 copies of 3 sources and is behind on 6 others: of 9 pieces of evidence 3 are for it
        assert numbered(0.03, -0.02).endswith("(9 in all) no method is shown to be the best")

    def test_too_few_sources(self):
        sentence = numbered(0.03, 0.03, copies=2, singles=2)
        assert sentence.endswith(": counted once, they leave 5 sources, too few to compare over")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"winner": "a"}, {"winner": "b"}, "b is the best"),
        ({"best": ("a", "b")}, {"best": ("b", "a")}, "the same 2 methods may be the best"),
        ({"best": ("a", "b")}, {"best": ("a", "b", "c")}, "the best is one of 3: a, b and c"),
        ({"winner": "a"}, {}, "no method is shown to be the best"),
    ],
)
def test_compared_with_the_answer(before, after, expected):
    assert _compared(Finding((), None, "", **before), Finding((), None, "", **after)) == expected
