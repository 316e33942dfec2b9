"""The answer if numbered data sets of one source count once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from fairtrial.results import read_scores
from fairtrial.statements import Role, by_role
from fairtrial.verdict import Verdict
from fairtrial.verdict.claims import support
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.guards.notices_in_answer import _compared


class Numbered(NamedTuple):
    verdict: Verdict
    doubt: str


def numbered(lead_on_copies, lead_elsewhere, copies=4, singles=6, more=(), family=None) -> Numbered:
    """A verdict on three sources of some copies each and single data sets, and its doubt."""
    names = [f"{s}-{i}" for s in ("red", "green", "blue") for i in range(copies)]
    names += [*["oak", "elm", "ash", "yew", "fir", "box"][:singles], *more]
    noise = np.random.default_rng(5).normal(0, 0.002, len(names))
    lead = np.where(np.arange(len(names)) < 3 * copies, lead_on_copies, lead_elsewhere) + noise
    scores = pd.DataFrame({"dataset": names, "a": 0.7 + lead, "b": 0.7})
    verdict = read_scores(scores, measure="accuracy").verdict(family=family)
    doubts = [n.sentence for n in verdict.notices if n.guard == "parts_of_sources"]
    return Numbered(verdict, "".join(doubts))


class TestCountedOnce:
    def test_the_same_winner(self):
        sentence = numbered(0.03, 0.03).doubt
        assert sentence.endswith("(9 in all); counted as 18 (--family none), a would still be the best")

    def test_a_winner_by_copies_only(self):
        # a leads on 12 copies of 3 sources and is behind on 6 others: of 9 pieces of evidence 3 are for it
        found = numbered(0.03, -0.02)
        assert found.verdict.winner is None
        assert found.doubt.endswith("(9 in all); counted as 18 (--family none), a would be the best")

    def test_it_is_a_doubt_and_the_answer_is_about_families(self):
        verdict = numbered(0.03, 0.03).verdict
        assert [n.guard for n in by_role(verdict.statements)[Role.DOUBT]] == ["parts_of_sources"]
        assert (verdict.finding.scope.n, verdict.finding.scope.units) == (9, "families")

    def test_too_few_sources_are_not_compared(self):
        found = numbered(0.03, 0.03, copies=2, singles=2)
        assert found.verdict.finding.of_kind(support.ByTest)[0].none
        assert found.doubt.endswith("(5 in all); counted as 8 (--family none), a would be the best")

    def test_independent_data_sets_can_be_said_to_be_so(self):
        found = numbered(0.03, 0.03, family={"none": []})
        assert found.verdict.finding.scope.n == 18
        assert found.doubt == ""

    def test_a_data_set_with_the_name_of_its_versions_is_one_of_them(self):
        found = numbered(0.03, 0.03, singles=5, more=("red",))
        assert found.verdict.finding.scope.n == 8
        assert found.verdict.question.family["red …"] == ["red-0", "red-1", "red-2", "red-3", "red"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"winner": "a"}, {"winner": "b"}, "b would be the best"),
        ({"best": ("a", "b")}, {"best": ("b", "a")}, "the same 2 methods could be the best"),
        ({"best": ("a", "b")}, {"best": ("a", "b", "c")}, "the best would be one of 3: a, b and c"),
        ({"winner": "a"}, {}, "no method would be shown to be the best"),
    ],
)
def test_compared_with_the_answer(before, after, expected):
    assert _compared(Finding((), None, "", **before), Finding((), None, "", **after)) == expected
