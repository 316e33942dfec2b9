"""Fitting: a figure into the width that a page has, and names into labels, whose beginning is never lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fairtrial.figures.style import fitted_figure, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["LONGEST_NAME", "NARROWEST", "figure_of_width", "name_labels"]

LONGEST_NAME = 40
"""The characters of a name that a label has room for."""

NARROWEST = 1.2
"""The width of the narrowest Axes, in inches: a figure with very long names is wider than asked for."""

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


def name_labels(names: Sequence[str], longest: int = LONGEST_NAME) -> list[str]:
    """Names as labels: long ones end in an ellipsis, but not before unequal names differ.

    >>> name_labels(["forest with 100 trees", "bayes"], longest=12)
    ['forest with…', 'bayes']
    >>> name_labels(["forest with 100 trees, tuned", "forest with 500 trees, tuned"], longest=12)
    ['forest with 1…', 'forest with 5…']
    """
    whole = [shorten(name, len(name) + 1) for name in names]
    for most in range(longest, max(map(len, whole), default=0) + 1):
        texts = [shorten(name, most) for name in names]
        if len(set(texts)) == len(set(whole)):
            return texts
    return whole
