"""Intervals as lines that end in an arrow where they go on beyond the edge of the box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GOES_ON = "arrow: the interval goes on"
"""What an arrow at the edge means."""

Ends = tuple[float, float]


def draw_bar(
    bar: Sequence[float], ax: Axes, color: str, *, width: float = 0.9, arrow: float = 4.5, zorder: float = 2.4
) -> None:
    """Draw an interval from (x, y) to (x, y), level or upright; an arrow says that it goes on beyond the edge.

    An interval without ends (nan) is not drawn.
    """
    if any(number != number for number in bar):
        return
    limits = (_sorted(ax.get_xlim()), _sorted(ax.get_ylim()))
    x, y = (np.clip(bar[i::2], *limits[i]) for i in (0, 1))
    ax.plot(x, y, color=color, linewidth=width, solid_capstyle="butt", zorder=zorder)
    for at_x, at_y, marker in leaves(bar, limits):
        ax.plot([at_x], [at_y], marker, color=color, markersize=arrow, markeredgewidth=0, clip_on=False, zorder=3)


def _sorted(ends: Ends) -> Ends:
    return min(ends), max(ends)


def leaves(bar: Sequence[float], limits: tuple[Ends, Ends]) -> list[tuple[float, float, str]]:
    """The places where an interval leaves the box, and the marks of its direction.

    >>> leaves((1.0, -2.0, 1.0, 0.5), ((0.0, 2.0), (0.0, 1.0)))
    [(1.0, 0.0, 'v')]
    """
    x0, y0, x1, y1 = bar
    (left, right), (bottom, top) = limits
    upright = (y0 < bottom, (x0, bottom, "v")), (y1 > top, (x0, top, "^"))
    level = (x0 < left, (left, y0, "<")), (x1 > right, (right, y0, ">"))
    return [mark for beyond, mark in (upright if x0 == x1 else level) if beyond]
