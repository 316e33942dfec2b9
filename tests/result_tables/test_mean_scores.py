"""The table of means."""

from __future__ import annotations

import pandas as pd

from fairtrial.results import read_scores


def test_by_hand():
    scores = pd.DataFrame(
        {"dataset": ["a", "a", "b", "b"], "fold": [1, 2, 1, 2], "x": [0.5, 0.7, 1, 1], "y": [0, 1, 1, 0]}
    )
    table = read_scores(scores, measure="auc").table("means")
    assert table.rows == (("a", 0.6, 0.5), ("b", 1.0, 0.5))
