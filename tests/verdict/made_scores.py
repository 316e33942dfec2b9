"""Scores whose answer is known, for the tests of this room."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fairtrial.results import read_scores

_random = np.random.default_rng(11)
BASE = _random.uniform(0.6, 0.8, 12)
NOISE = _random.normal(0, 0.004, (12, 4))
CLEAR = {"low": BASE, "high": BASE + 0.1 + NOISE[:, 0], "middle": BASE + 0.05 + NOISE[:, 1]}


def table(columns):
    """Scores of methods (columns) on data sets d0, d1, …"""
    frame = pd.DataFrame(columns)
    frame.insert(0, "dataset", [f"d{i}" for i in range(len(frame))])
    return frame


def folds(columns, dataset="iris"):
    """Long scores of methods on the ten folds of one data set."""
    parts = [
        pd.DataFrame({"dataset": dataset, "method": m, "fold": np.arange(len(v)), "value": v})
        for m, v in columns.items()
    ]
    return pd.concat(parts)


def texts(verdict):
    """All that was checked, as one text."""
    return " | ".join(c.text for c in verdict.notices)


def few_datasets(n=3):
    """Three methods on a few data sets, by ten folds: a is best, on the last data set as good as b."""
    parts = []
    for i in range(n):
        wobble = np.random.default_rng(i).normal(0, 0.004, (10, 3))
        own = {"a": 0.8 + wobble[:, 0], "b": 0.7 + wobble[:, 1], "c": 0.6 + wobble[:, 2]}
        if i == n - 1:
            own["b"] = 0.8 + wobble[:, 1]
        parts.append(folds(own, f"d{i}"))
    return read_scores(pd.concat(parts), measure="accuracy", resampling="10-fold")


def with_failures(**more):
    """Two methods and a baseline on twelve data sets; b failed on two of them."""
    columns = {"a": CLEAR["high"].copy(), "b": CLEAR["low"].copy(), "base": np.full(12, 0.3)}
    columns["b"][[2, 5]] = np.nan
    return read_scores(table(columns), measure="accuracy", **more)


def without_spread():
    """Two methods that differ by the same amount on each of ten folds."""
    return read_scores(folds({"a": np.full(10, 0.9), "b": np.full(10, 0.8)}), measure="accuracy", resampling="10-fold")
