"""Scores of five folds with given means."""

from __future__ import annotations

import pandas as pd

NOISES = ((-2.0, -1.0, 0.0, 1.0, 2.0), (1.0, -2.0, 2.0, -2.0, 1.0), (2.0, -1.0, -2.0, -1.0, 2.0))
"""What the folds differ by from the mean: variances 2.5, 3.5 and 3.5."""


def folds_of(means: dict[str, dict[str, float]], noise: float = 0.01) -> pd.DataFrame:
    """Five folds for each data set and method with these means; methods have noise of their own in turns."""
    rows = [
        (dataset, method, fold, mean + noise * NOISES[j % 3][fold])
        for dataset, own in means.items()
        for j, (method, mean) in enumerate(own.items())
        for fold in range(5)
    ]
    return pd.DataFrame(rows, columns=["dataset", "method", "fold", "value"])
