"""Places for the names of points: beside them, inside the box, and none over another."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

Place = tuple[float, float]
Box = tuple[float, float, float, float]

DOT = 3.5
"""Half the width of a point, in the unit of the places."""

DISTANCES = (6.0, 12.0, 20.0)
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))


def label_places(
    points: Sequence[Place],
    sizes: Sequence[Place],
    size: Place,
    others: Sequence[Place] = (),
    taken: Sequence[Box] = (),
) -> list[Place | None]:
    """The lower left corner of the label of each point; None if no place is free.

    ``sizes`` are the widths and heights of the labels and ``size`` is that of the box, in the unit of the points.
    ``others`` are points without a label, ``taken`` are parts of the box (left, bottom, right, top) that are taken.
    Labels are placed in the order of the points, so that the first have the best places.

    >>> label_places([(50, 50), (50, 50)], [(30, 10), (30, 10)], (100, 100))
    [(56.0, 45.0), (14.0, 45.0)]
    >>> label_places([(50, 50)], [(200, 10)], (100, 100))
    [None]
    """
    busy = [*taken, *((x - DOT, y - DOT, x + DOT, y + DOT) for x, y in (*points, *others))]
    found: list[Place | None] = []
    for (x, y), (width, height) in zip(points, sizes, strict=True):
        place = next((p for p in _around(x, y, width, height) if _is_free(p, width, height, size, busy)), None)
        found.append(place)
        if place is not None:
            busy.append((*place, place[0] + width, place[1] + height))
    return found


def _around(x: float, y: float, width: float, height: float) -> list[Place]:
    """Places for a label around a point, the nearest first."""
    corners = ((-width, 0.0, -width / 2), (-height, 0.0, -height / 2))
    return [
        (
            x + right * away + corners[0][(right + 1) // 2 if right else 2],
            y + up * away + corners[1][(up + 1) // 2 if up else 2],
        )
        for away, (right, up) in itertools.product(DISTANCES, DIRECTIONS)
    ]


def _is_free(place: Place, width: float, height: float, size: Place, busy: Sequence[Box]) -> bool:
    left, bottom = place
    right, top = left + width, bottom + height
    inside = left >= 0 and bottom >= 0 and right <= size[0] and top <= size[1]
    return inside and not any(left < b[2] and b[0] < right and bottom < b[3] and b[1] < top for b in busy)
