"""Worlds that break assumptions: skewed differences, and data sets of one family."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from fairtrial.lab.experiment import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import LEVEL, count_claims
from fairtrial.stats import mean_interval, sole_winner
from fairtrial.stats.comparisons import all_pairs

__all__ = ["families", "skewed"]

METHODS = 5
FAMILY_SIZE = 3
SMALL_NOISE = 0.2  # of methods whose scores are not skewed


def skewed() -> Iterator[Experiment]:
    """Equal means and skewed differences: the typical difference is not 0, and a winner of the mean is false."""
    for k in (2, METHODS):
        for n in (30, 100):
            yield Experiment("skewed", f"equal means, skewed differences, {k} × {n}", partial(_skewed, n, k))


def _skewed(n: int, k: int, generator: np.random.Generator, runs: int) -> Counts:
    """One method is mostly a little better and rarely much worse than the others; all means are equal."""
    pairs = all_pairs(k)
    bonferroni = 1 - (1 - LEVEL) / len(pairs)

    def one() -> dict[str, bool]:
        table = generator.normal(size=(n, k)) * SMALL_NOISE
        table[:, 0] = 1 - generator.exponential(size=n)
        means = [mean_interval(table[:, i] - table[:, j], level=bonferroni) for i, j in pairs]
        return {
            "sole winner, taken for one of the means": sole_winner(table).details["winner"] is not None,
            "t intervals of the means (Bonferroni): a false star": any(0 not in interval for interval in means),
        }

    return count_claims(one, runs)


def families() -> Iterator[Experiment]:
    """Ten sources with three versions each: versions of one source are one piece of evidence."""
    limits = {"each family one unit, sole winner: a false one": Limit("at most", 0.05)}
    for share in (0.5, 0.9):
        world = f"two equal best, 10 families of {FAMILY_SIZE} that share {100 * share:g} % of the variance"
        yield Experiment("families", world, partial(_families, share), limits)


def _families(share: float, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        own = np.repeat(generator.normal(size=(10, METHODS)), FAMILY_SIZE, axis=0)
        table = np.sqrt(share) * own + np.sqrt(1 - share) * generator.normal(size=own.shape)
        table[:, 2:] -= 3
        units = table.reshape(10, FAMILY_SIZE, METHODS).mean(axis=1)
        return {
            "each family one unit, sole winner: a false one": sole_winner(units).details["winner"] is not None,
            "each version one unit, sole winner: a false one": sole_winner(table).details["winner"] is not None,
        }

    return count_claims(one, runs)
