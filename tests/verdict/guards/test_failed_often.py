"""A method that failed often, and is good where it ran."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fairtrial.results import read_scores

METHODS = [f"m{i}" for i in range(8)]
SETS = [f"d{i}" for i in range(12)]


def holed(m0: int, others: int = 1) -> pd.DataFrame:
    """Eight methods on twelve data sets of five splits; the best fails ``m0`` times, out of time, and all others."""
    rng = np.random.default_rng(5)
    rows = []
    for d in range(12):
        for fold in range(5):
            for m in range(8):
                late = m == 0 and d * 5 + fold < m0
                lost = m > 0 and d < others and fold == m % 5
                value = 0.8 - 0.01 * m + rng.normal(0, 0.002)
                rows.append((SETS[d], METHODS[m], fold, None if late or lost else value, "timeout" if late else ""))
    return pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy", "error"])


class TestBestWhereItRan:
    def test_by_hand(self):
        verdict = read_scores(holed(30), measure="accuracy", resampling="5-fold").verdict(failures="worst")
        told = [s for s in verdict.finding.sentences if s.startswith("m0 lacks scores")]
        assert told == [
            "m0 lacks scores on 6 of 12 data sets: on the 6 others it has the best mean rank of these 8 methods (1.00, "
            "over all 4.50), so that its place is that of its failures."
        ]

    def test_not_of_a_method_that_is_weak_where_it_ran(self):
        weak = holed(30).replace({"method": {"m0": "m7", "m7": "m0"}})
        weak["accuracy"] = 1.5 - weak["accuracy"]
        verdict = read_scores(weak, measure="accuracy", resampling="5-fold").verdict(failures="worst")
        assert not any(s.startswith("m7 lacks scores") for s in verdict.finding.sentences)

    def test_not_where_it_is_the_best_all_the_same(self):
        verdict = read_scores(holed(1), measure="accuracy", resampling="5-fold").verdict(failures="worst")
        assert not any("lacks scores on" in n.sentence for n in verdict.notices)
