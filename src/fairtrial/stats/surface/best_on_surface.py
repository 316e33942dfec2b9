"""The best point of a response surface between the settings that were run, inside or at their border."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairtrial.measures.channel_checks import check_kind
from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import MONTGOMERY_2017
from fairtrial.stats.outcome import Interval
from fairtrial.stats.procedures import SURFACE, procedure
from fairtrial.stats.score_arrays import FloatArray, unit_of
from fairtrial.stats.surface.response_surface import ResponseSurface
from fairtrial.stats.surface.stationary_point import A_SURFACE
from fairtrial.stats.surface.steepest_path import GOALS

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
