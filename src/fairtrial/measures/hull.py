"""The upper convex hull of a ROC or coverage curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.measures.fold_axis import FloatArray, IntArray


def upper_hull(x: FloatArray, y: FloatArray) -> IntArray:
    """The positions of the corners of the upper convex hull of points that increase in both coordinates.

    Points on a side are not corners.

    >>> upper_hull(np.array([0.0, 0.0, 1.0, 1.0, 2.0]), np.array([0.0, 2.0, 4.0, 9.0, 10.0]))
    array([0, 1, 3, 4])
    """
    kept = np.flatnonzero(np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0)))  # repeated points count once
    while True:  # vectorised, as long as it removes many points at a time
        above = _above_neighbours(x[kept], y[kept])
        fewer, kept = above.sum(), kept[above]
        if fewer > 0.9 * len(above):
            break
    return kept[_chain(x[kept].tolist(), y[kept].tolist())]


def _above_neighbours(x: FloatArray, y: FloatArray) -> NDArray[np.bool_]:
    """Whether each point lies above the line through its neighbours; if not, it can't be a corner of the hull."""
    out = np.ones(len(x), dtype=bool)
    out[1:-1] = _turn(x[:-2], y[:-2], x[1:-1], y[1:-1], x[2:], y[2:]) < 0
    return out


def _chain(x: list[float], y: list[float]) -> list[int]:
    """Andrew's monotone chain: drop the last corner while the path to the next point does not turn right there."""
    corners: list[int] = []
    for k in range(len(x)):
        while len(corners) > 1:
            i, j = corners[-2:]
            if _turn(x[i], y[i], x[j], y[j], x[k], y[k]) < 0:
                break
            corners.pop()
        corners.append(k)
    return corners


def _turn(x0: Any, y0: Any, x1: Any, y1: Any, x2: Any, y2: Any) -> Any:
    """The cross product of two steps over three points; it is below 0 where the path turns right."""
    return (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
