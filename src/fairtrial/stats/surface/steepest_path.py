"""Where a response surface rises most: the path of steepest ascent, and the ridge of a curved surface."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import check_kind
from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import BOX_WILSON_1951, DRAPER_1963, MONTGOMERY_2017
from fairtrial.stats.outcome import Interval
from fairtrial.stats.procedures import SURFACE, procedure
from fairtrial.stats.score_arrays import FloatArray, sample, unit_of
from fairtrial.stats.surface.response_surface import ResponseSurface
from fairtrial.stats.surface.stationary_point import A_SURFACE
from fairtrial.tables import Column, Shown, Table, formats

GOALS = ("maximum", "minimum")
DISTANCES = (0.0, 0.5, 1.0, 1.5, 2.0)
HARD = 1e-9  # times the slopes: without a part along the ridge, both of its ends are equally good
NO_DIRECTION = "the surface is flat: no direction is better than another"
TWO_ENDS = "the surface is symmetric along its ridge: the path in the opposite direction is as good"
OUTSIDE = "beyond the settings that were run, heights are extrapolated: they say where to go on, not what to expect"


@dataclass(frozen=True, slots=True, eq=False)
class SteepestPath(Shown):
    """The best point at each distance from the middle: in coded units (rows), and the height there."""

    surface: ResponseSurface
    goal: str
    distances: tuple[float, ...]
    points: FloatArray
    heights: tuple[Interval, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The path as plain data."""
        return {
            "goal": self.goal,
            "distances": list(self.distances),
            "points": self.points.tolist(),
            "heights": [height.to_dict() for height in self.heights],
            "notes": list(self.notes),
        }

    def to_table(self) -> Table:
        """A row for each distance: the point in coded units and in those of the parameters, and the height there."""
        write, names = formats.significant(4), self.surface.names
        columns = (
            Column("distance", formats.significant(3)),
            *(Column(f"{name} (coded)", formats.significant(3)) for name in names),
            *(Column(name, write) for name in names if name in self.surface.ranges),
            Column("height", write),
            Column("interval", formats.span(write)),
            Column("", align="left", key="explored"),
        )
        rows = []
        for distance, point, height in zip(self.distances, self.points, self.heights, strict=True):
            known = not np.isnan(point).any()
            natural = self.surface.natural(point) if known else dict.fromkeys(names, math.nan)
            own = (natural[name] for name in names if name in self.surface.ranges)
            there = "" if known and self.surface.is_explored(point) else "beyond"
            rows.append((distance, *point.tolist(), *own, height.estimate, (height.low, height.high), there))
        way = "ascent" if self.goal == "maximum" else "descent"
        return Table(columns=columns, rows=tuple(rows), caption=f"path of steepest {way}", notes=self.notes)


@procedure(
    question=SURFACE,
    assumes="a fitted surface",
    references=(BOX_WILSON_1951, DRAPER_1963, MONTGOMERY_2017),
)
def steepest_path(
    surface: ResponseSurface, *, distances: npt.ArrayLike = DISTANCES, goal: str = "maximum"
) -> SteepestPath:
    r"""The highest (or lowest) point of a surface at each distance from the middle: where to go on.

    Of a plane it is the line of steepest ascent, :math:`x = r\,b / \lVert b \rVert`. Of a curved surface it is the
    ridge: at the distance r the highest point solves

    .. math:: (B - \mu I)\,x = -\tfrac12 b, \qquad \lVert x \rVert = r, \qquad \mu > \lambda_{\max}(B),

    which holds at a saddle and beyond the border as well, where the stationary point is of no use. Distances are in
    coded units: 1 is as far as the end of a range. Heights beyond the settings that were run are extrapolated, and a
    note says so. A flat surface has no direction: nan, with a note.

    References: Box & Wilson (1951), doi:10.1111/j.2517-6161.1951.tb00067.x; Draper (1963),
    doi:10.1080/00401706.1963.10490138; Montgomery (2017), chapter 11.

    >>> from fairtrial.stats import NaturalRange, response_surface
    >>> design = {"time": [-1, -1, 1, 1, 0, 0, 0, 0, 0], "heat": [-1, 1, -1, 1, 0, 0, 0, 0, 0]}
    >>> y = [39.3, 40.0, 40.9, 41.5, 40.3, 40.5, 40.7, 40.2, 40.6]   # Montgomery, example 11.1
    >>> ranges = {"time": NaturalRange(30, 40), "heat": NaturalRange(150, 160)}
    >>> print(steepest_path(response_surface(design, y, order=1, ranges=ranges), distances=[0, 1.084, 2.169]))
    path of steepest ascent
    distance  time (coded)  heat (coded)   time   heat  height      interval
           0             0             0  35.00  155.0   40.44  40.30, 40.58
        1.08          1.00         0.419  40.00  157.1   41.36  41.09, 41.62
        2.17          2.00         0.839  45.00  159.2   42.27  41.79, 42.74  beyond
    beyond the settings that were run, heights are extrapolated: they say where to go on, not what to expect
    """
    check_kind("surface", surface, ResponseSurface, A_SURFACE)
    check_option("goal", goal, GOALS)
    radii = sample(distances, "distances")
    if (radii < 0).any():
        raise InputError(f"distances must be at least 0, got {float(radii.min()):g}")
    sign = 1.0 if goal == "maximum" else -1.0
    unit = unit_of(surface.coefficients[1:])
    b = sign * surface.terms.first(surface.coefficients) / unit
    second = sign * surface.terms.second(surface.coefficients) / unit
    found = [_on_sphere(b, second, r) for r in radii.tolist()]
    points = np.array([point for point, _ in found])
    nowhere = Interval("height", math.nan, math.nan, math.nan, surface.level)
    heights = tuple(nowhere if np.isnan(x).any() else surface.predict(x) for x in points)
    beyond = any(not np.isnan(x).any() and not surface.is_explored(x) for x in points)
    notes = (*dict.fromkeys(note for _, note in found if note), *((OUTSIDE,) if beyond else ()))
    return SteepestPath(surface, goal, tuple(radii.tolist()), points, heights, notes)


def _on_sphere(b: FloatArray, second: FloatArray, radius: float) -> tuple[FloatArray, str]:
    """The highest point at a distance from the middle, and a note where it is not the only one."""
    from scipy.optimize import brentq

    if radius == 0:
        return np.zeros(len(b)), ""
    values, vectors = np.linalg.eigh(second)
    size = float(np.abs(np.concatenate([b, values])).max())
    if size == 0 or (np.ptp(values) <= HARD * size and np.abs(b).max() <= HARD * size):
        return np.full(len(b), math.nan), NO_DIRECTION
    parts = np.where(np.abs(vectors.T @ b) > HARD * size, vectors.T @ b, 0.0)
    top = float(values[-1])

    def at(gap: float) -> FloatArray:
        return np.asarray(parts / (2 * (top + gap - values)))

    floor = 1e-12 * size
    if float(np.linalg.norm(at(floor))) < radius:
        x = at(floor)
        x[-1] = math.sqrt(radius**2 - float(x @ x))
        return vectors @ x, TWO_ENDS
    gap = brentq(lambda g: float(np.linalg.norm(at(g))) - radius, floor, floor + np.linalg.norm(b) / radius + size)
    return vectors @ at(float(gap)), ""
