"""Several measures at once over data sets: how often Hotelling's T² and MANOVA find a difference of equal methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from fairtrial.lab.experiment import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import LEVEL, count_claims
from fairtrial.stats import hotelling, manova
from fairtrial.stats.score_arrays import FloatArray
from fairtrial.verdict.designs.several_measures import enough_for_all_differences

TWO = "Hotelling's T² over data sets: a false difference"
SEVERAL = "Hotelling's T² of all differences of 4 methods: a false difference"
FEW = "MANOVA (Pillai) of 4 methods, data sets as blocks: a false difference"
SHARED = 0.7  # of the variance of a measure's scores, which all measures of a method have in common
METHODS = 4


def _correlated(draw: Callable[[tuple[int, ...]], FloatArray], n: int, k: int, m: int) -> FloatArray:
    """Scores of k methods by m measures on n data sets; the measures of a method are correlated."""
    scores: FloatArray = np.sqrt(SHARED) * draw((n, k, 1)) + np.sqrt(1 - SHARED) * draw((n, k, m))
    return scores


def _normal(generator: np.random.Generator, n: int, k: int, m: int) -> FloatArray:
    return _correlated(lambda size: generator.normal(size=size), n, k, m)


def _long_tails(generator: np.random.Generator, n: int, k: int, m: int) -> FloatArray:
    """All methods have a long tail to the left, so that differences are symmetric, with heavy tails."""
    return _correlated(lambda size: 1 - generator.exponential(size=size), n, k, m)


def _one_skewed(generator: np.random.Generator, n: int, k: int, m: int) -> FloatArray:
    """One method is mostly a little better and rarely much worse than the others; all means are equal."""
    scores = 0.2 * _normal(generator, n, k, m)
    scores[:, :1] = _long_tails(generator, n, 1, m)
    return scores


def _unequal(generator: np.random.Generator, n: int, k: int, m: int) -> FloatArray:
    """One method varies three times as much as the others, so that differences have unequal covariances."""
    scores = _normal(generator, n, k, m)
    scores[:, 0] *= 3
    return scores


WORLDS: Mapping[str, tuple[Callable[[np.random.Generator, int, int, int], FloatArray], tuple[str, ...]]] = {
    "normal scores": (_normal, (TWO, SEVERAL, FEW)),
    "long tails to the left": (_long_tails, ()),
    "equal means, one method with skewed scores": (_one_skewed, ()),
    "equal means, one method that varies more": (_unequal, (TWO, SEVERAL)),
}
"""The scores of equal methods, and the procedures that assume no more than holds there: they must keep their level."""


def experiments() -> Iterator[Experiment]:
    """Each world with two and four measures, over the fewest data sets that a verdict takes, 20 and 50."""
    for world, (_, safe) in WORLDS.items():
        limits = {claim: Limit("at most", 0.05) for claim in safe}
        for m in (2, 4):
            for n in (m + 6, 20, 50):
                yield Experiment(
                    "several measures", f"{world}, {m} measures × {n}", partial(_simulate, world, n, m), limits
                )


def _simulate(world: str, n: int, m: int, generator: np.random.Generator, runs: int) -> Counts:
    draw, _ = WORLDS[world]

    def one() -> dict[str, bool]:
        two, several = draw(generator, n, 2, m), draw(generator, n, METHODS, m)
        groups = {f"m{j}": several[:, j] for j in range(METHODS)}
        claims = {
            TWO: hotelling(two[:, 0], two[:, 1], level=LEVEL).p_value < 1 - LEVEL,
            FEW: manova(groups, blocks=True, level=LEVEL).p_value < 1 - LEVEL,
        }
        if enough_for_all_differences(n, METHODS, m):
            others, first = several[:, 1:].reshape(n, -1), np.tile(several[:, 0], METHODS - 1)
            claims[SEVERAL] = hotelling(others, first, level=LEVEL).p_value < 1 - LEVEL
        return claims

    return count_claims(one, runs)
