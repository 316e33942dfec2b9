"""Predictions of two models on 120 instances, for measures of every kind."""

import numpy as np

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
