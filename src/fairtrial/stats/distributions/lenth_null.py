"""The null distribution of Lenth's ratios: effects over their pseudo standard error, where no factor has an effect."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fairtrial.stats.score_arrays import FloatArray

FEWEST_DRAWS, MOST_DRAWS = 40_000, 200_000  # simulated experiments
EFFECTS = 4_000_000  # simulated effects, where that is between the two
KEPT = 200_000  # ratios of single effects, evenly spaced in their order
SEED = 1989
AT_ONCE = 2_000_000  # effects in one block: 16 MB


def pseudo_error(effects: FloatArray) -> FloatArray:
    """Lenth's pseudo standard error of the effects in the last axis.

    It is 1.5 times the median size of the effects that are smaller than 2.5 times a first estimate, 1.5 times the
    median size of all.

    >>> pseudo_error(np.array([1.0, -2.0, 3.0, -4.0, 50.0])).item()   # 3 · 1.5 · 2.5 = 11.25; the median of 1, 2, 3, 4
    3.75
    """
    sizes = np.abs(effects)
    first = 1.5 * np.median(sizes, axis=-1, keepdims=True)
    small = np.where(sizes < 2.5 * first, sizes, np.nan)
    count = (~np.isnan(small)).sum(axis=-1)
    ordered = np.sort(small, axis=-1)  # nan come last
    low, high = np.maximum((count - 1) // 2, 0), count // 2
    take = (np.take_along_axis(ordered, k[..., None], axis=-1)[..., 0] for k in (low, np.maximum(high, 0)))
    middle = sum(take) / 2
    return np.asarray(np.where(count > 0, 1.5 * middle, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class LenthNull:
    """Simulated ratios of inert effects, in ascending order: of each effect, and the largest of each experiment.

    ``single`` are all ratios of all simulated experiments, ``largest`` one for each experiment.
    """

    single: FloatArray
    largest: FloatArray

    def critical(self, level: float, *, together: bool) -> float:
        """The ratio that an inert effect (or, together, the largest of all inert effects) exceeds in 1 − level."""
        values = self.largest if together else self.single
        return float(np.quantile(values, level))

    def p(self, ratio: float, *, together: bool) -> float:
        """The share of simulated ratios that are at least so large; the observed one counts as one of them."""
        if math.isnan(ratio):
            return math.nan
        values = self.largest if together else self.single
        reached = len(values) - int(np.searchsorted(values, ratio))
        return (reached + 1) / (len(values) + 1)


@lru_cache(maxsize=16)
def lenth_null(m: int) -> LenthNull:
    """The null distribution for m effects, from 40,000 to 200,000 simulated experiments with a fixed seed.

    >>> found = lenth_null(7)
    >>> round(found.critical(0.95, together=False), 1), round(found.critical(0.95, together=True), 1)
    (2.3, 4.9)
    """
    random = np.random.default_rng([SEED, m])
    draws = min(max(EFFECTS // m, FEWEST_DRAWS), MOST_DRAWS)
    single, largest = [], []
    size = max(AT_ONCE // m, 1)
    thin = max(draws * m // KEPT, 1)
    for done in range(0, draws, size):
        effects = random.standard_normal((min(size, draws - done), m))
        ratios = np.abs(effects) / pseudo_error(effects)[:, None]
        largest.append(ratios.max(axis=1))
        single.append(ratios.ravel())
    ordered = np.sort(np.concatenate(single))
    return LenthNull(ordered[thin // 2 :: thin].copy(), np.sort(np.concatenate(largest)))
