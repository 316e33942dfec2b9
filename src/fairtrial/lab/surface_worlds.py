"""Response surfaces whose truth is known: how often regions and intervals hold the true point, slope and height.

A data set has a surface of its own, whose coefficients vary around those of the mean surface; each setting has noise
besides. The mean surface has a maximum inside of what is explored, or a ridge. What is estimated is the mean surface.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from fairtrial.lab.lab_runs import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import count_claims
from fairtrial.stats import best_on_surface, response_surface, stationary_point
from fairtrial.stats.score_arrays import FloatArray
from fairtrial.stats.surface.surface_terms import SurfaceTerms

TERMS = SurfaceTerms(("x", "y"), 2)
FACE = np.array(list(product((-1.0, 0.0, 1.0), repeat=2)))
COMPOSITE = np.array([*product((-1.0, 1.0), repeat=2), *(2**0.5 * np.vstack([np.eye(2), -np.eye(2)])), *[(0, 0)] * 5])
SHAPES = {
    "maximum": np.array([0.85, 0.012, -0.008, 0.01, -0.03, -0.02]),
    "ridge": np.array([0.85, 0.01, 0.001, 0.0, -0.03, -0.001]),
}
SPREAD = np.array([0.05, 0.01, 0.01, 0.008, 0.01, 0.008])  # of coefficients over data sets
NOISE = 0.004  # of the mean score of a setting on one data set
HOLDS = Limit("at least", 0.95)  # the best height has no limit: its place is chosen by the same data
DRAWS = 400
REGION, SLOPE = "the region holds the true stationary point", "the interval of a slope holds it"
HEIGHT, BOOTSTRAP = "the interval of the best height holds it", "a bootstrap box holds the true stationary point"


@dataclass(frozen=True, slots=True)
class SurfaceWorld:
    """A mean surface by name, and whether the coefficients of data sets vary normally or with a long tail."""

    shape: str
    skewed: bool = False

    @property
    def name(self) -> str:
        return f"{self.shape}, {'skewed' if self.skewed else 'normal'} coefficients"

    @property
    def truth(self) -> FloatArray:
        """The coefficients of the mean surface."""
        return SHAPES[self.shape]

    def point(self) -> FloatArray:
        """The true stationary point."""
        return np.asarray(-0.5 * np.linalg.solve(TERMS.second(self.truth), TERMS.first(self.truth)))

    def scores(self, generator: np.random.Generator, datasets: int) -> FloatArray:
        """A score of each setting (columns) on each data set (rows)."""
        size = (datasets, len(SPREAD))
        drawn = generator.exponential(size=size) - 1 if self.skewed else generator.normal(size=size)
        surfaces = (self.truth + SPREAD * drawn) @ TERMS.columns(FACE).T
        return np.asarray(surfaces + NOISE * generator.normal(size=surfaces.shape))


def experiments() -> Iterator[Experiment]:
    """Surfaces over data sets, normal and skewed, and surfaces of single runs."""
    for shape, datasets, skewed in product(SHAPES, (8, 20), (False, True)):
        yield over_datasets(SurfaceWorld(shape, skewed), datasets)
    for shape in SHAPES:
        yield of_runs(SurfaceWorld(shape))


def over_datasets(world: SurfaceWorld, datasets: int) -> Experiment:
    """An experiment on the mean surface over data sets; skewed coefficients have no limit, since t assumes normal."""
    limits = {} if world.skewed else {REGION: HOLDS, SLOPE: HOLDS}
    simulate = partial(_over_datasets, world, datasets)
    return Experiment("surfaces", f"{world.name}, {datasets} data sets", simulate, limits, block=100)


def of_runs(world: SurfaceWorld) -> Experiment:
    """An experiment on one surface, from 13 independent runs of a central composite layout."""
    limits = {REGION: HOLDS, SLOPE: HOLDS}
    return Experiment("surfaces", f"{world.shape}, 13 independent runs", partial(_of_runs, world), limits, block=100)


def _over_datasets(world: SurfaceWorld, datasets: int, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        scores = world.scores(generator, datasets)
        claims = _claims(world, FACE, scores)
        return claims | {BOOTSTRAP: _boxed(world, scores, generator)}

    return count_claims(one, runs)


def _of_runs(world: SurfaceWorld, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        heights = TERMS.columns(COMPOSITE) @ world.truth
        return _claims(world, COMPOSITE, heights + NOISE * generator.normal(size=len(heights)))

    return count_claims(one, runs)


def _claims(world: SurfaceWorld, points: FloatArray, values: FloatArray) -> dict[str, bool]:
    surface = response_surface(points, values, names=TERMS.names)
    best = best_on_surface(surface)
    return {
        REGION: stationary_point(surface).holds(world.point()),
        SLOPE: float(world.truth[1]) in surface["x"],
        HEIGHT: float(TERMS.columns(best.point)[0] @ world.truth) in best.height,
    }


def _boxed(world: SurfaceWorld, scores: FloatArray, generator: np.random.Generator) -> bool:
    """Whether a bootstrap over data sets holds the point: percentiles of each unit, Bonferroni over both."""
    each = scores @ np.linalg.pinv(TERMS.columns(FACE)).T
    drawn = each[generator.integers(len(each), size=(DRAWS, len(each)))].mean(axis=1)
    b, x2, y2, xy = drawn[:, 1:3], drawn[:, 4], drawn[:, 5], drawn[:, 3]
    by_hand = 4 * x2 * y2 - xy**2
    points = np.column_stack([-2 * y2 * b[:, 0] + xy * b[:, 1], -2 * x2 * b[:, 1] + xy * b[:, 0]]) / by_hand[:, None]
    low, high = np.quantile(points, [0.0125, 0.9875], axis=0)
    truth = world.point()
    return bool(((low <= truth) & (truth <= high)).all())
