"""Worlds in which it is known how far each method is from the best, and what comparisons with the best claim."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import product

import numpy as np

from fairtrial.choices import Estimand
from fairtrial.lab.lab_runs import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import LEVEL, count_claims
from fairtrial.stats import comparisons_with_the_best
from fairtrial.stats.score_arrays import FloatArray

ROWS, METHODS = (6, 8, 12, 30), (3, 5, 10, 20)
NOISES = ("normal", "rounded to two decimals", "skewed")
SMALL_NOISE = 0.2  # of methods whose scores are not skewed
CIRCLE = "circle"
HOLDS, OUT, FALSE, NAMED = "all leads hold", "a given best method is out", "a false winner", "a winner"


def centers(k: int) -> dict[str, FloatArray]:
    """The true values of k methods, the best one first, in standard deviations of a score."""
    return {
        "all equal": np.zeros(k),
        "two tied best": np.array([0, 0, *[-1.5] * (k - 2)]),
        "near-ties of 0.02": -0.02 * np.arange(k),
        "one clear best": np.array([1.5, *[0] * (k - 1)]),
        "clear runner-up": np.array([2.5, 1.2, *[0] * (k - 2)]),
        "ladder": -0.5 * np.arange(k),
        CIRCLE: np.zeros(k),
    }


def experiments() -> Iterator[Experiment]:
    """Typical leads of normal scores in all sizes; other scores, and means, in some."""
    kinds: tuple[tuple[Estimand, str], ...] = (
        *(("typical", noise) for noise in NOISES),
        *(("mean", noise) for noise in NOISES),
    )
    for estimand, noise in kinds:
        every = (estimand, noise) == kinds[0]
        for k, n in product(METHODS if every else METHODS[::2], ROWS if every else ROWS[1::2]):
            for name in centers(k):
                world = f"{estimand}, {noise}, {name}, {k} × {n}"
                limits = _limits(estimand, noise, name)
                yield Experiment("best", world, partial(simulate, estimand, noise, name, k, n), limits)


def _limits(estimand: Estimand, noise: str, name: str) -> dict[str, Limit]:
    skewed = noise == "skewed"
    if skewed and estimand == "mean":
        return {}  # a t-test of few skewed differences is no test of the mean
    limits = {FALSE: Limit("at most", 0.06 if skewed else 0.05)}
    if name == CIRCLE:
        return limits
    return {**limits, HOLDS: Limit("at least", 0.93 if skewed else 0.95), OUT: Limit("at most", 0.05)}


def simulate(
    estimand: Estimand, noise: str, name: str, k: int, n: int, generator: np.random.Generator, runs: int
) -> Counts:
    """Compare the methods of so many tables with the best, and count what is claimed."""
    truth = centers(k)[name]
    leads = np.array([truth[i] - np.delete(truth, i).max() for i in range(k)])

    def one() -> dict[str, bool]:
        table = scores(estimand, noise, name, truth, n, generator)
        found = comparisons_with_the_best(table, estimand=estimand, level=LEVEL)
        winner = None if found.winner is None else int(found.winner)
        false = winner is not None and bool(leads[winner] <= 0)
        if name == CIRCLE:
            return {FALSE: false, "no one is left": bool(found.circle)}
        holds = all(x.interval.low <= lead <= x.interval.high for x, lead in zip(found.leads, leads, strict=True))
        return {HOLDS: holds, OUT: found.leads[0].standing == "out", FALSE: false, NAMED: winner is not None}

    return count_claims(one, runs)


def scores(
    estimand: Estimand, noise: str, name: str, truth: FloatArray, n: int, generator: np.random.Generator
) -> FloatArray:
    """A table of scores with these true values; in a circle each method is a little ahead of the next, nearly always.

    The best of skewed scores is mostly a little better than its true value and rarely much worse.
    """
    k = len(truth)
    table = truth + (SMALL_NOISE if noise == "skewed" else 1.0) * generator.normal(size=(n, k))
    if name == CIRCLE:
        table = (np.arange(k) + generator.integers(0, k, (n, 1))) % k + 0.3 * generator.normal(size=(n, k))
    elif noise == "skewed":
        table[:, 0] = truth[0] + skewed_center(estimand) - generator.exponential(size=n)
    return np.asarray(table.round(2) if noise.startswith("rounded") else table)


@cache
def skewed_center(estimand: Estimand) -> float:
    """The mean, or the pseudo-median, of the difference between an exponential and a normal variable."""
    if estimand == "mean":
        return 1.0
    generator = np.random.default_rng(0)
    size = (2, 2_000_000)
    return float(np.median((generator.exponential(size=size) + SMALL_NOISE * generator.normal(size=size)).mean(axis=0)))
