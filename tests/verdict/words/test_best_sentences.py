"""Who may be the best, in words."""

from __future__ import annotations

import numpy as np
from made_scores import table

from fairtrial.results import read_scores

RNG = np.random.default_rng


def sentences(scores, **asked):
    columns = {f"m{i}": scores[:, i] for i in range(scores.shape[1])}
    return read_scores(table(columns), measure="accuracy").verdict(**asked).finding.sentences


def test_a_few_are_all_named():
    scores = RNG(0).normal([0.7, 0.7, 0.4], 0.01, (12, 3))
    assert sentences(scores)[1] in (
        "With 95 % confidence the typically best is one of 2: m0 and m1.",
        "With 95 % confidence the typically best is one of 2: m1 and m0.",
    )


def test_means_are_said_to_be_means():
    scores = RNG(0).normal([0.7, 0.7, 0.4], 0.01, (12, 3))
    assert "With 95 % confidence the best mean is that of one of 2: " in " ".join(sentences(scores, estimand="mean"))


def test_of_many_five_are_named():
    scores = RNG(1).normal([0.7] * 9 + [0.3], 0.01, (12, 10))
    found = sentences(scores)[1]
    assert found.startswith("With 95 % confidence the typically best is one of 9: ")
    assert found.endswith(" and 4 others (all marked °).")


def test_a_good_mean_that_a_steady_rival_beats():
    # m1 is always a little behind m0; m2 varies so much that it may be the best with a worse mean
    scores = np.column_stack([np.full(12, 0.70), np.full(12, 0.69), 0.68 + 0.08 * RNG(2).normal(size=12)])
    scores[:, 2] += 0.68 - scores[:, 2].mean()
    scores[:, 1] -= np.linspace(0, 0.001, 12)
    assert "m1 is not among them, though its mean is better than that of m2" in " ".join(
        sentences(scores, estimand="mean")
    )


def test_better_means_that_are_typically_beaten_name_the_last_candidate():
    # m1 is behind m0 on nearly all data sets, but far ahead on one; m2 varies
    scores = np.column_stack([np.full(14, 0.70), np.full(14, 0.695), 0.69 + 0.03 * RNG(2).normal(size=14)])
    scores[:, 2] += 0.69 - scores[:, 2].mean()
    scores[:, 1] -= np.linspace(0, 0.001, 14)
    found = " ".join(sentences(scores))
    assert (
        "m1 is not among them, though its mean is better than that of m2: a rival rules it out (see the table)."
        in found
    )


def test_the_lead_of_the_first_is_told_however_many_may_be_the_best():
    scores = RNG(1).normal([0.7] * 9 + [0.3], 0.01, (12, 10))
    assert any("is typically ahead of" in text for text in sentences(scores))
