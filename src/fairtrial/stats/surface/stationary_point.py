"""The stationary point of a response surface: its place, its nature, and the region in which it may lie.

The best point of a response surface between the settings that were run, inside or at their border.

Where a response surface rises most: the path of steepest ascent, and the ridge of a curved surface.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import check_kind
from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import BOX_HUNTER_1954, BOX_WILSON_1951, DRAPER_1963, MONTGOMERY_2017
from fairtrial.stats.outcome import Interval
from fairtrial.stats.procedures import SURFACE, procedure
from fairtrial.stats.score_arrays import FloatArray, sample, unit_of
from fairtrial.stats.surface.response_surface import ResponseSurface, check_point
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed

GOALS = ("maximum", "minimum")
A_SURFACE = "a fitted surface, as response_surface makes it"
FLAT = 1e-9  # times the largest coefficient: a curvature below this is a rounding error
NARROW = 0.1  # times the largest curvature: one that is smaller, and may be 0, makes a ridge
GRIDS = {1: 2001, 2: 201, 3: 41, 4: 15}
DRAWS = 50_000
ROUGH = 7  # steps in each factor, where points are drawn
ZOOMS, FINE = 6, 40  # grids at most; steps of a grid across the region that are enough
EDGE = 0.02  # of the range: as near to the border is at it
NO_POINT = "the surface is flat in some direction: it has no single stationary point"
NO_REGION = "no region of the stationary point: it needs more rows of values (or degrees of freedom) than factors"


@dataclass(frozen=True, eq=False)
class StationaryPoint(Shown):
    """Where all slopes are zero: the place in coded units, the height there, and the curvature around it.

    ``eigenvalues`` are the curvatures along the ``directions`` (columns), the largest first. ``nature`` is
    ``"maximum"``, ``"minimum"``, ``"saddle"``, ``"ridge"`` (hardly any curvature in some direction, which may be none)
    or ``"flat"``. ``explored`` says whether the point lies between the settings.
    """

    surface: ResponseSurface
    point: FloatArray
    height: Interval
    eigenvalues: tuple[Interval, ...]
    directions: FloatArray
    nature: str
    explored: bool
    notes: tuple[str, ...] = ()

    @cached_property
    def spans(self) -> Mapping[str, tuple[float, float]]:
        """The smallest and largest unit of each factor in the explored part of the region; empty if it has none."""
        return _spans(self.surface, self.point if self.explored else None)

    @property
    def open(self) -> tuple[str, ...]:
        """The factors whose span reaches the border of what was explored: the region goes on beyond it."""
        low, high, _ = self.surface.reach()
        margin = EDGE * (high - low)
        names = enumerate(self.surface.names)
        near = {n: (low[i] + margin[i], high[i] - margin[i]) for i, n in names}
        return tuple(n for n, (a, b) in self.spans.items() if a <= near[n][0] or b >= near[n][1])

    def distance(self, points: npt.ArrayLike) -> FloatArray:
        """How far the slopes at points (rows) are from zero, over the critical value: at most 1 inside the region."""
        return _slope_tests(self.surface, np.atleast_2d(np.asarray(points, dtype=np.float64)))

    def holds(self, point: npt.ArrayLike) -> bool:
        """Whether a point lies in the region: the data do not rule out that it is the stationary point."""
        return bool(self.distance(check_point(point, self.surface))[0] <= 1)

    def to_dict(self) -> dict[str, Any]:
        """The point as plain data."""
        undefined = bool(np.isnan(self.point).any())
        return {
            "point": self.point.tolist(),
            "natural": None if undefined else self.surface.natural(self.point),
            "height": self.height.to_dict(),
            "eigenvalues": [value.to_dict() for value in self.eigenvalues],
            "directions": self.directions.tolist(),
            "nature": self.nature,
            "explored": self.explored,
            "spans": {name: list(span) for name, span in self.spans.items()},
            "open": list(self.open),
            "notes": list(self.notes),
        }

    def to_table(self) -> Table:
        """A row for each factor, with the point in both units, and the directions of curvature as columns."""
        write = formats.significant(4)
        undefined = bool(np.isnan(self.point).any())
        natural = dict.fromkeys(self.surface.names, math.nan) if undefined else self.surface.natural(self.point)
        columns = (
            Column("factor", align="left"),
            Column("coded", write),
            Column("natural", write),
            Column("region", formats.span(write)),
            *(Column(f"direction {j + 1}", write) for j in range(len(self.point))),
        )
        rows = [
            (name, self.point[i], natural[name], self.spans.get(name), *self.directions[i].tolist())
            for i, name in enumerate(self.surface.names)
        ]
        curved = f"curvature along the directions: {listed((write(v.estimate) for v in self.eigenvalues), None)}"
        return Table(columns=columns, rows=tuple(rows), caption=f"stationary point: {self.nature}", notes=(
            curved, *self.notes,
        ))  # fmt: skip


@procedure(
    question=SURFACE,
    assumes="a fitted surface of second order; for the region: normal coefficients",
    references=(BOX_WILSON_1951, BOX_HUNTER_1954, MONTGOMERY_2017),
)
def stationary_point(surface: ResponseSurface) -> StationaryPoint:
    r"""The stationary point of a surface of second order, its nature (canonical analysis), and its region.

    With the slopes b in the middle and the symmetric matrix B of the second order,

    .. math:: x_s = -\tfrac12 B^{-1} b, \qquad \hat y_s = b_0 + \tfrac12 x_s^\top b.

    The eigenvalues of B are the curvatures along its eigenvectors: all negative at a maximum, all positive at a
    minimum, of both signs at a saddle. Their intervals are those of the second-order coefficients along the estimated
    direction. One that may be 0 and is smaller than a tenth of the largest makes a ridge, along which the height hardly
    changes.

    The **region** is Box and Hunter's: all points at which the data do not reject that every slope is zero,

    .. math:: g(x)^\top \widehat{\operatorname{Var}}(g(x))^{-1} g(x) \le k\,F_{k,\text{df}}, \qquad g(x) = b + 2 B x,

    and over data sets Hotelling's :math:`T^2` with :math:`k(N-1)/(N-k)\,F_{k,N-k}` on the right. It holds the true
    stationary point as often as ``level`` says, whatever its shape; where the curvature is weak it is not bounded. A
    bootstrap over data sets is not used: see the lab, where its regions held the point too rarely.

    A surface that is flat in some direction has no single stationary point: it is nan, with a note.

    References: Box & Wilson (1951), doi:10.1111/j.2517-6161.1951.tb00067.x; Box & Hunter (1954),
    doi:10.1093/biomet/41.1-2.190; Montgomery (2017), chapter 11.

    >>> from fairtrial.stats import response_surface
    >>> x1, x2 = [-1, -1, 1, 1, 0, 0, 0, 0, 0, 1.414, -1.414, 0, 0], [-1, 1, -1, 1, 0, 0, 0, 0, 0, 0, 0, 1.414, -1.414]
    >>> y = [76.5, 77, 78, 79.5, 79.9, 80.3, 80, 79.7, 79.8, 78.4, 75.6, 78.5, 77]
    >>> found = stationary_point(response_surface([*zip(x1, x2)], y))
    >>> found.nature, [round(v, 3) for v in found.point.tolist()], round(found.height.estimate, 2)
    ('maximum', [0.389, 0.306], 80.21)
    >>> [round(value.estimate, 4) for value in found.eigenvalues]
    [-0.9635, -1.4143]
    """
    check_kind("surface", surface, ResponseSurface, A_SURFACE)
    if surface.terms.order == 1:
        raise InputError("surface must be of second order, since a plane has no stationary point; fit order=2")
    terms, found = surface.terms, surface.coefficients
    b, second = terms.first(found), terms.second(found)
    values, vectors = np.linalg.eigh(second)
    order = np.argsort(-values)
    values, vectors = values[order], _turned(vectors[:, order])
    eigenvalues = tuple(_curvature(surface, vectors[:, j]) for j in range(len(values)))
    largest = max(float(np.abs(found[1:]).max()), 1e-300)
    flat = bool(np.abs(values).min() <= FLAT * largest)
    point: FloatArray = np.asarray(np.full(len(b), math.nan) if flat else -0.5 * np.linalg.solve(second, b))
    nowhere = Interval("height", math.nan, math.nan, math.nan, surface.level)
    notes = (*((NO_POINT,) if flat else ()), *(() if surface.joint_limit(len(b)) > 0 else (NO_REGION,)))
    return StationaryPoint(
        surface=surface,
        point=point,
        height=nowhere if flat else surface.predict(point),
        eigenvalues=eigenvalues,
        directions=vectors,
        nature=_nature(eigenvalues, FLAT * largest),
        explored=not flat and surface.is_explored(point),
        notes=notes,
    )


def _turned(vectors: FloatArray) -> FloatArray:
    """Directions with their largest part positive, so that they are the same on every machine."""
    largest = np.abs(vectors).round(9).argmax(axis=0)
    return np.asarray(vectors * np.where(vectors[largest, np.arange(len(vectors))] < 0, -1.0, 1.0))


def _curvature(surface: ResponseSurface, direction: FloatArray) -> Interval:
    weights = surface.terms.columns(direction)[0]
    weights[: 1 + len(direction)] = 0.0
    return surface.combined("curvature", weights)


def _nature(eigenvalues: tuple[Interval, ...], floor: float) -> str:
    sizes = [abs(value.estimate) for value in eigenvalues]
    if max(sizes) <= floor:
        return "flat"
    for value, size in zip(eigenvalues, sizes, strict=True):
        if size <= floor or (size < NARROW * max(sizes) and 0 in value):
            return "ridge"
    signs = {value.estimate > 0 for value in eigenvalues}
    return "saddle" if len(signs) > 1 else "minimum" if True in signs else "maximum"


def _slope_tests(surface: ResponseSurface, points: FloatArray) -> FloatArray:
    """The test of all slopes at each point, over its critical value; nan without degrees of freedom."""
    k = points.shape[1]
    limit = surface.joint_limit(k)
    if math.isnan(limit):
        return np.full(len(points), math.nan)
    start = surface.terms.slopes(np.zeros(k))
    steps = np.stack([surface.terms.slopes(unit) - start for unit in np.eye(k)])
    matrices = start + np.einsum("nk,kij->nij", points, steps)
    slopes = matrices @ (surface.coefficients / surface.unit)
    spread = matrices @ surface.spread @ matrices.transpose(0, 2, 1)
    size = max(float(np.trace(surface.spread)), 1e-300)
    solved = np.linalg.solve(spread / size + 1e-14 * np.eye(k), slopes[..., None])[..., 0]
    with np.errstate(over="ignore"):
        return np.asarray((slopes * solved).sum(axis=1) / size / limit)


def _spans(surface: ResponseSurface, point: FloatArray | None) -> dict[str, tuple[float, float]]:
    """The ends of the explored part of the region, on grids that become finer: each covers what the last one found."""
    low, high, radius = surface.reach()
    ends: tuple[FloatArray, FloatArray] | None = None
    a, b = low, high
    for _ in range(ZOOMS):
        candidates = _candidates(a, b)
        candidates = candidates[np.linalg.norm(candidates, axis=1) <= radius * (1 + 1e-9)]
        inside = candidates[_slope_tests(surface, candidates) <= 1]
        step = (b - a) / (GRIDS.get(len(a), ROUGH) - 1)
        if len(inside):
            ends = inside.min(axis=0), inside.max(axis=0)
            if (ends[1] - ends[0] >= FINE * step).all() or len(a) not in GRIDS:
                break
            a, b = np.maximum(ends[0] - step, low), np.minimum(ends[1] + step, high)
        elif point is None or ends is not None:
            break
        else:  # the region is smaller than the steps of the grid, and holds the point
            a, b = np.maximum(point - 2 * step, low), np.minimum(point + 2 * step, high)
    if ends is None:
        return {}
    pairs = zip(surface.names, ends[0].tolist(), ends[1].tolist(), strict=True)
    return {name: (first, last) for name, first, last in pairs}


def _candidates(low: FloatArray, high: FloatArray) -> FloatArray:
    k = len(low)
    if k in GRIDS:
        return np.array(list(product(*(np.linspace(a, b, GRIDS[k]) for a, b in zip(low, high, strict=True)))))
    return np.asarray(np.random.default_rng(1).uniform(low, high, size=(DRAWS, k)))


STARTS = 6
CLOSE = 1e-5  # coded units: as near to the border is at it


@dataclass(frozen=True, slots=True, eq=False)
class BestPoint:
    """The best point between the settings: place in coded units, height, and the factors at whose border it lies.

    ``border`` has +1 for the high end of a factor and −1 for the low one; ``far`` says that the point is as far from
    the middle as settings were. Neither: the point is inside. ``by_row`` are the heights there of each row's own
    surface, the worst of which is ``worst``.
    """

    point: FloatArray
    height: Interval
    border: dict[str, int]
    far: bool
    goal: str
    by_row: FloatArray

    @property
    def inside(self) -> bool:
        """Whether the point lies inside of what was explored."""
        return not self.border and not self.far

    @property
    def worst(self) -> int | None:
        """The number of the row (data set) whose own surface is worst at this point; None without rows."""
        if not len(self.by_row):
            return None
        return int(self.by_row.argmin() if self.goal == "maximum" else self.by_row.argmax())

    def to_dict(self) -> dict[str, Any]:
        """The point as plain data."""
        return {
            "point": self.point.tolist(),
            "height": self.height.to_dict(),
            "border": dict(self.border),
            "far": self.far,
            "goal": self.goal,
            "by_row": self.by_row.tolist(),
        }


@procedure(question=SURFACE, assumes="a fitted surface", references=(MONTGOMERY_2017,))
def best_on_surface(surface: ResponseSurface, *, goal: str = "maximum") -> BestPoint:
    """The highest (or lowest) point of the fitted surface between the settings that were run.

    "Between" is inside the range of each factor, and not farther from the middle than the farthest setting: elsewhere a
    polynomial is a guess. The search starts from the best settings. The interval is that of the height at this point.
    As the best of all points its height is over-estimated a little; new rows or splits show by how much.

    Reference: Montgomery (2017), chapter 11.

    >>> from fairtrial.stats import response_surface
    >>> x = [-1.0, -0.5, 0.0, 0.5, 1.0]
    >>> found = best_on_surface(response_surface({"x": x}, [1 - (v - 0.25) ** 2 for v in x]))   # highest at 0.25
    >>> [round(v, 4) for v in found.point.tolist()], round(found.height.estimate, 4), found.inside
    ([0.25], 1.0, True)
    """
    check_kind("surface", surface, ResponseSurface, A_SURFACE)
    check_option("goal", goal, GOALS)
    low, high, radius = surface.reach()
    found = _highest(surface, 1.0 if goal == "maximum" else -1.0)
    sides = np.where(found >= high - CLOSE, 1, np.where(found <= low + CLOSE, -1, 0))
    found = np.where(sides > 0, high, np.where(sides < 0, low, found))
    border = {name: side for name, side in zip(surface.names, sides.tolist(), strict=True) if side}
    far = float(np.linalg.norm(found)) >= radius - CLOSE and not border
    return BestPoint(found, surface.predict(found), border, far, goal, surface.rows_at(found))


def _highest(surface: ResponseSurface, sign: float) -> FloatArray:
    from scipy.optimize import minimize

    low, high, radius = surface.reach()
    found = sign * surface.coefficients / unit_of(surface.coefficients[1:])
    b, second = surface.terms.first(found), surface.terms.second(found)
    candidates = np.unique(np.vstack([surface.points, (low + high) / 2]).round(9), axis=0)
    heights = candidates @ b + np.einsum("ni,ij,nj->n", candidates, second, candidates)
    starts = candidates[np.argsort(-heights, kind="stable")[:STARTS]]
    best, height = starts[0], -np.inf
    for start in starts:
        made = minimize(
            lambda x: -(x @ b + x @ second @ x),
            start,
            jac=lambda x: -(b + 2 * second @ x),
            bounds=list(zip(low, high, strict=True)),
            constraints={"type": "ineq", "fun": lambda x: radius**2 - x @ x, "jac": lambda x: -2 * x},
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 200},
        )
        x = np.clip(made.x, low, high)
        x = x * min(1.0, radius / max(float(np.linalg.norm(x)), 1e-300))
        own = float(x @ b + x @ second @ x)
        if own > height + 1e-10:
            best, height = x, own
    return np.asarray(best)


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
