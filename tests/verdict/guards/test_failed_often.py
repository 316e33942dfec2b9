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


def told(frame):
    """The notice about the method that failed often."""
    verdict = read_scores(frame, measure="accuracy", resampling="5-fold").verdict(failures="worst")
    return [n for n in verdict.notices if "mean_rank" in n.evidence]


class TestBestWhereItRan:
    def test_by_hand(self):
        (found,) = told(holed(30))
        assert (found.severity, found.about) == ("doubt", "m0")
        assert found.evidence == {"datasets": 6, "mean_rank": 1.0, "mean_rank_over_all": 4.5}

    def test_not_of_a_method_that_is_weak_where_it_ran(self):
        weak = holed(30).replace({"method": {"m0": "m7", "m7": "m0"}})
        weak["accuracy"] = 1.5 - weak["accuracy"]
        assert told(weak) == []

    def test_not_where_it_is_the_best_all_the_same(self):
        assert told(holed(1)) == []
