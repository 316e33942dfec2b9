"""Data that tests of several procedures share."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

# Scores of two methods on seven data sets.
FOREST = [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74]
BAYES = [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66]

# Scores of four methods on twelve data sets: A and B are alike.
TABLE = pd.DataFrame(
    np.random.default_rng(7).normal([0.8, 0.79, 0.6, 0.7], 0.05, size=(12, 4)), columns=["A", "B", "C", "D"]
)

# Rankings by two models, with ties.
CLASSES = [1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0]
FIRST = [9, 8, 3, 4, 5, 1, 7, 2, 6, 3, 9, 2, 6, 1, 8, 4, 3, 5, 7, 2]
SECOND = [5, 8, 4, 3, 6, 2, 7, 1, 3, 4, 6, 5, 2, 3, 9, 4, 6, 1, 2, 3]

# Some pairs of scores with ties, some to three digits, and rankings of few instances by two models.
scores = st.integers(0, 6).map(float)
tied_pairs = st.lists(st.tuples(scores, scores), min_size=3, max_size=12).map(np.array)
fine = st.floats(-1, 1).map(lambda v: round(v, 3))
fine_pairs = st.lists(st.tuples(fine, fine), min_size=2, max_size=9).map(np.array)
ropes = st.sampled_from([0.0, 0.05, 0.3])
rankings = st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 5)), min_size=5, max_size=14).filter(
    lambda rows: 2 <= sum(r[0] for r in rows) <= len(rows) - 2
)

# Predictions of two models on 120 instances, for measures of every kind.

RANDOM = np.random.default_rng(7)
N = 120
TRUTH = RANDOM.integers(0, 2, N)
SCORES = [np.round(TRUTH + RANDOM.normal(size=N) * s, 1) for s in (0.8, 1.3)]  # with ties
LABELS = [(s > 0.5).astype(int) for s in SCORES]
THREE = RANDOM.integers(0, 3, N)
GUESSES = [np.where(RANDOM.random(N) < p, THREE, RANDOM.integers(0, 3, N)) for p in (0.8, 0.5)]
VALUES = [THREE + RANDOM.normal(size=N) * s for s in (1, 2)]
PROBABILITIES = [1 / (1 + np.exp(-4 * (s - 0.5))) for s in SCORES]

CASES = {
    "accuracy": (TRUTH, LABELS),
    "f_measure": (TRUTH, LABELS),
    "mcc": (TRUTH, LABELS),
    "f_measure(average='macro')": (THREE, GUESSES),
    "kappa": (THREE, GUESSES),
    "auc": (TRUTH, SCORES),
    "average_precision": (TRUTH, SCORES),
    "brier": (TRUTH, PROBABILITIES),
    "log_loss": (TRUTH, PROBABILITIES),
    "mae": (THREE.astype(float), VALUES),
    "rmse": (THREE.astype(float), VALUES),
    "r2": (THREE.astype(float), VALUES),
}
