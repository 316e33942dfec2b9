"""Scores of folds with known means, for tables."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fairtrial.results import Results, read_scores

sys.path.insert(0, str(Path(__file__).parent))  # for fold_scores
from fold_scores import folds_of


@pytest.fixture
def two() -> Results:
    """On ``far`` A is far ahead of B and C; on ``near`` all are near each other."""
    means = {"far": {"A": 0.9, "B": 0.5, "C": 0.51}, "near": {"A": 0.70, "B": 0.705, "C": 0.69}}
    return read_scores(folds_of(means), measure="accuracy", resampling="5-fold")
