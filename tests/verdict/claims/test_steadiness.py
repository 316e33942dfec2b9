"""How much an answer depends on single data sets: claims and equivalence, which are no wins."""

from __future__ import annotations

import numpy as np
from made_scores import BASE, table

from fairtrial.results import read_scores
from fairtrial.verdict.claims.steadiness import AnswerHinges, Kept

RATES = [0.80, 0.86, 0.91, 0.84, 0.77, 0.88, 0.93]


def test_equivalence_stays():
    d = np.array([0.001, -0.002, 0.003, -0.004, 0.005, -0.006, 0.007, -0.0075, 0.0055, -0.0035])
    found = read_scores(table({"a": BASE[:10] + d, "b": BASE[:10]}), measure="accuracy")
    finding = found.verdict(smallest_difference=0.02).finding
    assert [(kept.count, kept.total) for kept in finding.of_kind(Kept)] == [(10, 10)]
    assert finding.of_kind(AnswerHinges) == ()


def test_an_answer_that_hinges_is_said_in_words():
    verdict = read_scores(table({"m": RATES}), measure="accuracy").verdict(claim=0.8)
    said = dict(verdict.page_remarks())["Fragile"]
    assert said == "the answer hinges on single data sets: without any one of 5 data sets it is another"
