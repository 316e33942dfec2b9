"""Data sets of many kinds in which nothing is wrong, and ways to spoil them."""

from __future__ import annotations

from functools import cache

import numpy as np

from fairtrial.data import Dataset

LETTERS = np.array(list("abc"))


def cut(rng, score, classes=2):
    """Classes that follow a score, with noise."""
    noisy = (score - score.mean()) / (score.std() or 1.0) + rng.normal(size=len(score))
    return LETTERS[np.searchsorted(np.quantile(noisy, np.arange(1, classes) / classes), noisy)]


def continuous(rng):
    n, p = int(rng.integers(40, 500)), int(rng.integers(2, 12))
    X = rng.normal(size=(n, p)) @ rng.normal(size=(p, p))
    if rng.random() < 0.3:
        X = np.exp(X / X.std(axis=0) * rng.uniform(0.5, 2))  # heavy tails
    if rng.random() < 0.3:
        X = np.round(X, 1)  # as instruments read
    return X, cut(rng, X[:, 0], int(rng.integers(2, 4)))


def sorted_by_class(rng):
    X, y = continuous(rng)
    order = np.argsort(y, kind="stable")
    return X[order], y[order]


def discrete(rng):
    n, p = int(rng.integers(40, 800)), int(rng.integers(3, 16))
    sizes = rng.integers(2, 6, p)
    X = np.column_stack([rng.choice(v, n, p=rng.dirichlet(np.full(v, 2.0))) for v in sizes]).astype(float)
    return X, cut(rng, X[:, 0])


def kinds(rng):
    """Rows of a few kinds with small deviations, as animals of a zoo."""
    n, p, k = int(rng.integers(40, 500)), int(rng.integers(4, 16)), int(rng.integers(2, 10))
    kind, deviates = rng.integers(0, k, n), rng.random((n, p)) < rng.uniform(0.02, 0.4)
    X = np.where(deviates, rng.integers(0, 3, (n, p)), rng.integers(0, 3, (k, p))[kind]).astype(float)
    return X, LETTERS[np.where(rng.random(n) < 0.1, rng.integers(0, 2, n), kind % 2)]


def indicators(rng):
    """Columns of 0 and 1, several for one variable."""
    n = int(rng.integers(60, 500))
    sizes = rng.integers(2, 6, int(rng.integers(2, 6))).tolist()
    return np.column_stack([np.eye(v)[rng.integers(0, v, n)] for v in sizes]), LETTERS[rng.integers(0, 2, n)]


def mixed(rng):
    X, y = continuous(rng)
    return np.column_stack([X[:, : int(rng.integers(1, 4))], rng.integers(0, 3, (len(X), 3))]), y


def small(rng):
    n = int(rng.integers(12, 40))
    X = np.round(rng.normal(size=(n, 3)), int(rng.integers(0, 4)))
    return X, LETTERS[np.r_[0, 0, 1, 1, rng.integers(0, 2, n - 4)]]


def whole_numbers(rng):
    n = int(rng.integers(100, 1000))
    X = np.column_stack([rng.poisson(40, n), rng.integers(0, 100, n), rng.integers(0, 10**6, n)]).astype(float)
    return X, LETTERS[rng.integers(0, 2, n)]


def dependent(rng):
    """Two columns that say the same, but for a little noise."""
    x = rng.normal(size=int(rng.integers(30, 600)))
    return np.column_stack([x, 2 * x + 1e-6 * rng.normal(size=len(x))]), cut(rng, x)


def values(rng):
    X, _ = (continuous, discrete, mixed)[int(rng.integers(3))](rng)
    X = X[:, X.std(axis=0) > 0]
    y = X / X.std(axis=0) @ rng.normal(size=X.shape[1]) + rng.uniform(0.1, 2) * rng.normal(size=len(X))
    return X, np.round(y, 1) + 0.05 if rng.random() < 0.3 else y


MAKERS = (
    continuous,
    sorted_by_class,
    discrete,
    kinds,
    indicators,
    mixed,
    small,
    whole_numbers,
    dependent,
    values,
)


def make(maker, seed, spoil=None, **parts):
    """The data set of a maker and a seed, perhaps spoilt."""
    rng = np.random.default_rng([seed, MAKERS.index(maker)])
    X, y = maker(rng)
    X, y = (X, y) if spoil is None else spoil(rng, X, y)
    task = "values" if maker is values else "classes"
    return Dataset.from_arrays(X, y, name=maker.__name__, task=task, **parts)


@cache
def clean(seeds=31):
    """At least three hundred clean data sets."""
    return [make(maker, seed) for maker in MAKERS for seed in range(seeds)]


def share_found(guard, sets):
    """The share of data sets in which a guard finds something."""
    found = [bool(list(guard(data))) for data in sets]
    return sum(found) / len(found)
