"""Fitting: a figure into the width that a page has, and names into labels, whose beginning is never lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fairtrial.figures.style import (
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
