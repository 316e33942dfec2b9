"""Predictions that several files of this room are about."""

import numpy as np
from hypothesis import strategies as st

# 004 section 2.2.2 prints predictions in rows: transposed here
PLANTS = np.array(
    [
        [1009, 26, 2, 58, 15, 6],
        [39, 891, 0, 94, 28, 14],
        [2, 0, 65, 1, 0, 0],
        [44, 64, 5, 335, 17, 3],
        [9, 24, 0, 6, 163, 16],
        [2, 1, 0, 0, 2, 16],
    ]
).T
both_classes = st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=25).filter(
    lambda rows: len({y for y, _ in rows}) == 2
)


def labels_of(tp, fn, fp, tn):
    """Truth and predictions of two classes that make this table."""
    return np.repeat([1, 1, 0, 0], [tp, fn, fp, tn]), np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])


def random_labels(seed, n_classes, n=300):
    """Truth, predictions that are right in about half of the cases, and weights."""
    rng = np.random.default_rng(seed)
    truth = np.r_[np.arange(n_classes), rng.integers(0, n_classes, n)]
    predicted = np.where(rng.random(len(truth)) < 0.5, truth, rng.integers(0, n_classes, len(truth)))
    return truth, predicted, rng.exponential(size=len(truth))


def random_input(*, weighted, digits, n=400):
    """Truth, scores that are tied where there are few digits, and weights, some of them 0."""
    rng = np.random.default_rng(digits)
    truth = rng.integers(0, 2, n)
    scores = np.round(rng.normal(size=n) + truth, digits)
    return truth, scores, np.where(rng.random(n) < 0.1, 0, rng.exponential(size=n)) if weighted else None


def auc_by_pairs(truth, scores, weights=None):
    """The definition, pair by pair."""
    w = np.ones(len(truth)) if weights is None else np.asarray(weights)
    pairs = [(i, j) for i in range(len(truth)) for j in range(len(truth)) if truth[i] == 1 and truth[j] == 0]
    wins = sum(w[i] * w[j] * ((scores[i] > scores[j]) + 0.5 * (scores[i] == scores[j])) for i, j in pairs)
    return wins / sum(w[i] * w[j] for i, j in pairs) if pairs else np.nan
