"""Pairs that differ besides those that the table of the verdict shows."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fairtrial.report.further_pairs import further_pairs
from fairtrial.results import read_scores

RNG = np.random.default_rng


def verdict_on(means, n=14, **asked):
    scores = RNG(0).normal(means, 0.004, (n, len(means)))
    frame = pd.DataFrame(scores, columns=[f"m{i}" for i in range(len(means))])
    frame.insert(0, "dataset", [f"d{i}" for i in range(n)])
    return read_scores(frame, measure="accuracy").verdict(**asked)


def test_names_the_pairs_that_the_table_lacks():
    # m0 is the winner, and the table shows it against both others; that m1 beats m2 is said below
    found = further_pairs(verdict_on([0.9, 0.8, 0.7]))
    assert found is not None
    text = found.pieces[0]
    assert text.startswith("1 further pair differs significantly, by the same tests: m1 is better than m2 (0.099 [")
    assert text.endswith(").")
    assert ", p = " in text


def test_of_many_five_are_named():
    found = further_pairs(verdict_on([0.9, 0.8, 0.7, 0.6, 0.5]))
    assert found is not None
    assert found.pieces[0].startswith("6 further pairs differ significantly")
    assert found.pieces[0].endswith("and 1 other pair in the table of all tests.")


def test_nothing_to_add():
    assert further_pairs(verdict_on([0.9, 0.7])) is None
    assert further_pairs(verdict_on([0.9, 0.7, 0.7])) is None
    assert further_pairs(verdict_on([0.9, 0.8, 0.7], control="m1")) is None
