"""What several files of this room judge: WEKA's results, and two fixed models."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fairtrial.results import read_scores

sys.path.insert(0, str(Path(__file__).parent))  # for made_scores
sys.path.insert(0, str(Path(__file__).parent / "situations"))  # for made_situations and further_situations


@pytest.fixture(scope="session")
def weka(shared_table):
    """The results of WEKA's Experimenter, read once."""
    return read_scores(shared_table("weka/results_10x10.arff"))


@pytest.fixture
def fixed_models():
    """Predictions of two models on 100 instances: a misses 3, b misses 12 others."""
    y = np.arange(100) % 2
    a, b = y.copy(), y.copy()
    a[:3] = 1 - a[:3]
    b[3:15] = 1 - b[3:15]
    return pd.DataFrame({"y": y, "a": a, "b": b})
