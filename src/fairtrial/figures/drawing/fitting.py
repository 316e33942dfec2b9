"""Fitting: a figure into the width that a page has, and names into labels, whose beginning is never lost.

Places for the names of points: beside them, inside the box, and none over another.

Intervals as lines that end in an arrow where they go on beyond the edge of the box.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.figures.drawing.style import (
    MOST_OF_A_NAME,
    SMALL,
    add_notes,
    fitted_figure,
    short_names,
    shorten,
    size_in_inches,
    wrap,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


LONGEST_NAME = 40
"""The characters of a name that a label has room for."""

NARROWEST = 1.2
"""The width of the narrowest Axes, in inches: a figure with very long names is wider than asked for."""

PAGE = 7.0
"""The width of a page of two columns, in inches."""

ROOM_FOR_TICKS = 3.0  # inches of an axis that has room for all its ticks
LETTER = 0.55  # the width of a letter, in its size
ROUNDS = 3
CLOSE = 0.02


def figure_of_width(width: float, height: float, draw: Callable[[Axes], None]) -> Figure:
    """A Figure of this width in inches, labels included, whose Axes have this height."""
    inner = width
    for _ in range(ROUNDS):
        figure = fitted_figure(inner, height, draw)
        beyond = float(figure.get_size_inches()[0]) - width
        if abs(beyond) < CLOSE or (inner <= NARROWEST and beyond > 0):
            break
        inner = max(inner - beyond, NARROWEST)
    return figure


def figure_of_labels(inner: float, height: float, draw: Callable[[Axes], None]) -> Figure:
    """A Figure whose Axes have this size in inches, as wide as its labels need; but not wider than a page."""
    figure = fitted_figure(inner, height, draw)
    return figure if figure.get_size_inches()[0] <= PAGE else figure_of_width(PAGE, height, draw)


def with_remarks(figure: Figure, remarks: Sequence[str]) -> Figure:
    """The figure with remarks below it, in lines that fit its width; without any, the figure as it is."""
    wide = int(72 * float(figure.get_size_inches()[0]) / (LETTER * SMALL)) - 1
    lines = wrap(remarks, wide).split("\n")
    return add_notes(figure, lines) if lines[0] else figure


def fewer_ticks(ax: Axes, *, log: bool) -> None:
    """Leave out ticks of a narrow x axis whose numbers would overlap; a log axis keeps its own."""
    from matplotlib.ticker import MaxNLocator

    wide = size_in_inches(ax)[0]
    if not log and wide < ROOM_FOR_TICKS:
        ax.xaxis.set_major_locator(MaxNLocator(max(int(wide / 0.5), 2), steps=[1, 2, 2.5, 5, 10]))


def name_labels(names: Sequence[str], longest: int = LONGEST_NAME) -> list[str]:
    """Names as labels: long ones end in an ellipsis, but not before unequal names differ; else their middle is cut.

    >>> name_labels(["forest with 100 trees", "bayes"], longest=12)
    ['forest with…', 'bayes']
    >>> name_labels(["forest with 100 trees, tuned", "forest with 500 trees, tuned"], longest=12)
    ['forest with 1…', 'forest with 5…']
    """
    whole = [shorten(name, MOST_OF_A_NAME) for name in names]
    for most in range(longest, 2 * longest):
        texts = [shorten(name, most) for name in whole]
        if len(set(texts)) == len(set(whole)):
            return texts
    return short_names(whole, longest)


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
