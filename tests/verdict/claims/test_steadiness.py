"""How much an answer depends on single data sets: claims and equivalence, which are no wins."""

from __future__ import annotations

import numpy as np
from made_scores import BASE, table

from fairtrial.results import read_scores
from fairtrial.statements import Role
from fairtrial.stats import wilcoxon
from fairtrial.verdict.claims.steadiness import AnswerHinges, Kept


def verdict(d, delta):
    columns = {"a": BASE[: len(d)] + np.array(d), "b": BASE[: len(d)]}
    return read_scores(table(columns), measure="accuracy").verdict(smallest_difference=delta)


class TestEquivalence:
    # the upper end of the narrow interval is the 9th largest average of two of 9 differences, the 6th of 8 (Wilcoxon's
    # critical sums 8 and 5 at 10 %); 0.02 has an average above 0.0097 with itself and each of the five positive ones
    D = (0.0090, 0.0091, 0.0092, 0.0093, 0.0094, 0.02, -0.0090, -0.0091, -0.0092)

    def test_it_hinges(self):
        found = verdict(self.D, 0.0097).finding
        assert found.pairs[0].decision == "equivalent"
        assert found.of_kind(AnswerHinges) == (AnswerHinges(("d6", "d7", "d8"), 9),)
        assert found.of_kind(Kept) == ()

    def test_which_is_what_stats_find(self):
        inside = []
        for i in range(9):
            rest = np.delete(self.D, i)
            effect = wilcoxon(rest, np.zeros(8), zeros="pratt", level=0.9).effect
            inside.append(-0.0097 < effect.low <= effect.high < 0.0097)
        assert inside == [True] * 6 + [False] * 3

    def test_it_stays(self):
        found = verdict(self.D, 0.015).finding
        assert [(kept.count, kept.total) for kept in found.of_kind(Kept)] == [(9, 9)]
        assert found.of_kind(AnswerHinges) == ()

    def test_in_words(self):
        (said,) = (text.render() for text in verdict(self.D, 0.0097).said(Role.DOUBT))
        assert said == "the answer hinges on single data sets: without any one of 3 data sets it is another"
