"""How often is an inert factor called active? Simulated, where truth is known.

The small form runs with the tests; ``FAIRTRIAL_REPEATS=3000 pytest -s`` on this file draws more, and prints the table
that docs/statistics/factorial.md shows.
"""

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from fairtrial import stats

REPEATS = int(os.environ.get("FAIRTRIAL_REPEATS", "80"))
Random = np.random.Generator
CUBE = np.array(list(itertools.product([-1, 1], repeat=3)))
MODEL = stats.factorial_model(CUBE, names=["A", "B", "C"], interactions=None)
NAMES = [contrast.name for contrast in MODEL.contrasts]
INERT = np.array(["C" in name for name in NAMES])  # C changes nothing, and so interacts with nothing
TWO = stats.factorial_model([[-1, -1], [1, -1], [-1, 1], [1, 1]], names=["A", "B"])


def normal(random: Random, size: tuple[int, ...]) -> np.ndarray:
    return random.normal(size=size)


def skewed(random: Random, size: tuple[int, ...]) -> np.ndarray:
    return random.lognormal(sigma=1.0, size=size)


def heavy(random: Random, size: tuple[int, ...]) -> np.ndarray:
    return random.standard_t(2, size=size)


def inert_factor(random: Random, n: int, noise: Callable[..., np.ndarray]) -> bool:
    """A and B have large effects that vary over data sets, C changes nothing: is any effect of C called?"""
    sizes = 2 + 3 * skewed(random, (n, 2))
    scores = 10 * random.normal(size=(n, 1)) + sizes @ CUBE[:, :2].T + noise(random, (n, 8))
    return bool(stats.effects_over_datasets(MODEL.values(scores)).active()[INERT].any())


def nothing_matters(random: Random, n: int) -> bool:
    """No factor changes anything: is any of the seven effects called?"""
    return bool(stats.effects_over_datasets(MODEL.values(random.normal(size=(n, 8)))).active().any())


def zero_on_average(random: Random, n: int, spread: Callable[..., np.ndarray]) -> bool:
    """C helps on some data sets and hurts on others, its effects are symmetric about zero; A and B are large."""
    sizes = 2 + 3 * skewed(random, (n, 2))
    effect = spread(random, (n, 1)) * random.choice([-1, 1], size=(n, 1))
    scores = 10 * random.normal(size=(n, 1)) + sizes @ CUBE[:, :2].T + effect * CUBE[:, 2] + random.normal(size=(n, 8))
    return bool(stats.effects_over_datasets(MODEL.values(scores)).active()[INERT].any())


def lenth_called(random: Random, m: int, active: int) -> bool:
    effects = random.normal(size=m)
    effects[:active] += 10
    return bool(stats.lenth(effects).active()[active:].any())


def correlated_splits(random: Random, repeats: int) -> bool:
    """Seven inert effects over folds whose effects have the correlation that the correction assumes."""
    k, share = 10 * repeats, 0.1
    values = np.sqrt(share) * random.normal(size=7) + np.sqrt(1 - share) * random.normal(size=(k, 7))
    return bool(stats.effects_on_splits(values, test_share=share, overlap=1.75 if repeats > 1 else 1.0).active().any())


def centroids(x: np.ndarray, y: np.ndarray, test: np.ndarray, *, scaled: bool) -> np.ndarray:
    """Predictions of nearest centroids, in units of the features' own spread if ``scaled``."""
    unit = x.std(axis=0) if scaled else 1.0
    far = [(((test - x[y == c].mean(axis=0)) / unit) ** 2).sum(axis=1) for c in (0, 1)]
    return (far[1] < far[0]).astype(int)


def learned(random: Random, repeats: int) -> bool:
    """Cross-validated learners: A scales the features, B takes one of two exchangeable halves of them (inert)."""
    n = 100
    y = random.integers(0, 2, n)
    x = random.normal(size=(n, 8)) * np.tile([1, 1, 4, 4], 2) + y[:, None] * 0.8
    rows = []
    for _ in range(repeats):
        for fold in np.array_split(random.permutation(n), 10):
            train = np.setdiff1d(np.arange(n), fold)
            row = []
            for half, scaled in itertools.product((slice(0, 4), slice(4, 8)), (False, True)):
                guess = centroids(x[train][:, half], y[train], x[fold][:, half], scaled=scaled)
                row.append((guess == y[fold]).mean())
            rows.append(row)
    found = stats.effects_on_splits(TWO.values(rows), test_share=0.1, overlap=1.75 if repeats > 1 else 1.0)
    return bool(found.active()[[1, 2]].any())  # B and A × B


@dataclass(frozen=True)
class World:
    """A simulation in which some effects are inert: ``called`` says whether one of them was called active."""

    procedure: str
    data: str
    called: Callable[[Random], bool]
    cost: float = 1.0  # a larger one is simulated less often


WORLDS = [
    *(
        World("effects_over_datasets", f"{n} data sets, no factor matters", lambda r, n=n: nothing_matters(r, n), cost)
        for n, cost in ((8, 1), (12, 2), (24, 2))
    ),
    *(
        World(
            "effects_over_datasets",
            f"{n} data sets, {noise.__name__} scores",
            lambda r, n=n, f=noise: inert_factor(r, n, f),
            cost,
        )
        for n, cost in ((8, 1), (12, 3), (24, 3))
        for noise in (normal, skewed, heavy)
    ),
    *(
        World(
            "effects_over_datasets",
            f"{n} data sets, {spread.__name__} effects × data sets",
            lambda r, n=n, f=spread: zero_on_average(r, n, f),
            cost,
        )
        for n, cost in ((8, 1), (24, 3))
        for spread in (normal, skewed, heavy)
    ),
    *(
        World("lenth", f"{m} effects, {active} of them active", lambda r, m=m, a=active: lenth_called(r, m, a))
        for m, active in ((7, 0), (7, 2), (15, 0), (15, 4), (31, 6))
    ),
    World("effects_on_splits", "10-fold, correlated as assumed", lambda r: correlated_splits(r, 1)),
    World("effects_on_splits", "10 × 10-fold, correlated as assumed", lambda r: correlated_splits(r, 10)),
    World("effects_on_splits", "10-fold of nearest centroids", lambda r: learned(r, 1)),
    World("effects_on_splits", "10 × 10-fold of nearest centroids", lambda r: learned(r, 10), 5),
]


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS, ids=lambda world: f"{world.procedure}: {world.data}")
def test_inert_effects_are_called_in_five_percent_at_most(world):
    random = np.random.default_rng(15)
    repeats = max(int(REPEATS / world.cost), 30)
    share = np.mean([world.called(random) for _ in range(repeats)])
    error = np.sqrt(0.05 * 0.95 / repeats)
    print(f"\n| `{world.procedure}` | {world.data} | {repeats:,} | {100 * share:.1f} % ± {100 * error:.1f} |")
    assert share <= 0.05 + 2.5 * error  # 27 simulations: one of them may well lie two errors above
