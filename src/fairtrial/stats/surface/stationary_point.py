"""The stationary point of a response surface: its place, its nature, and the region in which it may lie."""

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
from fairtrial.stats.bibliography import BOX_HUNTER_1954, BOX_WILSON_1951, MONTGOMERY_2017
from fairtrial.stats.outcome import Interval
from fairtrial.stats.procedures import SURFACE, procedure
from fairtrial.stats.score_arrays import FloatArray
from fairtrial.stats.surface.response_surface import ResponseSurface, check_point
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed

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
