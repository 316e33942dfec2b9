"""Scores of one method against those of another, with a point for each data set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.figures.comparisons.compared_pair import ComparedPair, check_smallest, compared_pair, sides_of
from fairtrial.figures.drawing.boxed_curves import SIDE
from fairtrial.figures.drawing.fitting import label_places
from fairtrial.figures.drawing.inputs import FigureData, axis_limits, number_row, some_names
from fairtrial.figures.drawing.style import (
    INK,
    MUTED,
    PALETTE,
    SMALL,
    box_axes,
    fitted_figure,
    legend_beside,
    short_names,
    shorten,
    size_in_inches,
    write,
)
from fairtrial.figures.result_views import View, figure_of
from fairtrial.stats.score_arrays import FloatArray
from fairtrial.verdict.designs.compare_methods import on_scale
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results

NAMED = 5
"""The number of data sets whose names are written, those with the largest differences."""

LONGEST, LONGEST_METHOD = 18, 24
NEAR = 9.0
"""The distance of a name from its point, in 1/72 inch, from which on a line leads to it."""
LOOKS = {1: (PALETTE[0], "o"), -1: (PALETTE[1], "s"), 0: (MUTED, "D")}
"""Colour and shape of the points on which the first method is better, the second, or neither."""


@dataclass(frozen=True, slots=True)
class ScatterData(FigureData):
    """All that the figure shows: the scores of the ``second`` method on the x axis, of the ``first`` on the y axis.

    ``sides`` is 1 for data sets on which the first is better, −1 for the second, and 0 where they are equal or, if
    ``smallest_difference`` is given, where the difference is at most that. ``named`` are the data sets with the largest
    differences, the largest first. Both axes have the same ``limits``; with ``log`` they are logarithmic, and the
    smallest difference is a share of the score.
    """

    first: str
    second: str
    datasets: tuple[str, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    sides: tuple[int, ...]
    named: tuple[int, ...]
    limits: tuple[float, float]
    measure: str
    higher_is_better: bool
    smallest_difference: float | None
    log: bool

    @property
    def counts(self) -> tuple[int, int, int]:
        """The numbers of data sets on which the first is better, neither is, and the second is."""
        return self.sides.count(1), self.sides.count(0), self.sides.count(-1)

    @property
    def matters(self) -> str:
        """The smallest difference that matters in words; empty if none is given."""
        delta = self.smallest_difference
        return "" if delta is None else f"{100 * delta:g} %" if self.log else f"{delta:g}"

    @property
    def words(self) -> str:
        """The figure in words: who is better on how many data sets, and where they differ most."""
        wins, even, losses = self.counts
        by = f" by more than {self.matters}" if self.matters else ""
        neither = f"they differ by at most {self.matters}" if self.matters else "they are equal"
        most = listed(f"{self.datasets[i]} ({self.y[i]:.4g} and {self.x[i]:.4g})" for i in self.named)
        lines = (
            f"{self.measure} of {self.first} and {self.second} on {plural(len(self.datasets), 'data set')}",
            f"{self.first} is better{by} on {wins}, {self.second} on {losses}; on {even} {neither}",
            f"largest differences: {most}" if self.named else "",
        )
        return "\n".join(filter(None, lines))


def scatter_data(
    datasets: Sequence[str],
    methods: tuple[str, str],
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    measure: str,
    higher_is_better: bool,
    smallest_difference: float | None = None,
    log: bool = False,
) -> ScatterData:
    """The data of a scatter plot of two methods: one score of each on each data set.

    Points are on the diagonal where both are equal. ``log`` is for measures that are compared by ratios, such as times:
    the axes are logarithmic, and ``smallest_difference`` is a share, 0.1 for 10 %.

    >>> data = scatter_data(["iris", "wine", "glass"], ("forest", "bayes"), [0.95, 0.98, 0.77], [0.955, 0.97, 0.50],
    ...                     measure="accuracy", higher_is_better=True, smallest_difference=0.01)
    >>> data.counts, data.named   # glass; wine differs by 0.01, which is not more than 0.01
    ((1, 2, 0), (2, 1, 0))
    """
    names = some_names("datasets", datasets)
    y, x = (number_row(text, row, len(names)) for text, row in (("first", first), ("second", second)))
    check_smallest(smallest_difference)
    if log and min(*x, *y) <= 0:
        raise InputError(f"scores must be above 0 on log axes, got {min(*x, *y)!r}; draw them with log=False")
    better = _better(np.array(y), np.array(x), higher_is_better=higher_is_better, log=log)
    size = np.abs(better[0] - better[1])
    order = np.argsort(-size, kind="stable")[:NAMED].tolist()
    return ScatterData(
        first=methods[0],
        second=methods[1],
        datasets=names,
        x=x,
        y=y,
        sides=tuple(sides_of(*better, on_scale(smallest_difference, log)).tolist()),
        named=tuple(i for i in order if size[i] > 0),
        limits=axis_limits([*x, *y], log=log),
        measure=measure,
        higher_is_better=higher_is_better,
        smallest_difference=smallest_difference,
        log=log,
    )


def _better(
    first: FloatArray, second: FloatArray, *, higher_is_better: bool, log: bool
) -> tuple[FloatArray, FloatArray]:
    sign = 1.0 if higher_is_better else -1.0
    return (sign * np.log(first), sign * np.log(second)) if log else (sign * first, sign * second)


@figure_of("scatter")
def scatter_view(
    results: Results,
    *,
    methods: Sequence[str] | None = None,
    measure: str | None = None,
    smallest_difference: float | str | None = None,
) -> View:
    """One method against another on all data sets, as a figure and in words."""
    pair = compared_pair(
        results, "a scatter plot", methods=methods, measure=measure, smallest_difference=smallest_difference
    )
    data = scatter_of(pair)
    title = f"{' against '.join(short_names(pair.names))} on {plural(len(data.datasets), 'data set')}"
    return View("\n".join((data.words, *pair.notes)), scatter_figure(data), pair.notes, title)


def scatter_of(pair: ComparedPair) -> ScatterData:
    """The scatter plot of two methods of results."""
    facts = pair.evidence.measure
    return scatter_data(
        pair.datasets,
        pair.names,
        pair.first,
        pair.second,
        measure=Wording(facts).name,
        higher_is_better=facts.higher_is_better,
        smallest_difference=pair.smallest_difference,
        log=pair.evidence.as_ratio,
    )


def scatter_figure(data: ScatterData) -> Figure:
    """The scatter plot as a Figure: a square box, and a legend with the numbers of data sets."""
    return fitted_figure(SIDE, SIDE, partial(draw_scatter, data), keep_shape=True)


def draw_scatter(data: ScatterData, ax: Axes) -> None:
    """Draw the scatter plot; names of data sets are in the box where they cover nothing."""
    from matplotlib.lines import Line2D

    first, second = short_names([data.first, data.second], LONGEST_METHOD)
    box_axes(
        ax,
        (data.limits, data.limits),
        (f"{data.measure} of {second}", f"{data.measure} of {first}"),
        (data.log, data.log),
    )
    _draw_diagonal(data, ax)
    handles = []
    for side, (color, marker) in LOOKS.items():
        own = [i for i, found in enumerate(data.sides) if found == side]
        style: dict[str, Any] = {"color": color, "marker": marker, "linestyle": "none", "markersize": 5}
        style |= {"markerfacecolor": "none"} if side == 0 else {"markeredgewidth": 0}
        if own:
            ax.plot([data.x[i] for i in own], [data.y[i] for i in own], **style, zorder=3, clip_on=False)
        handles.append(Line2D([], [], **style))
    wins, even, losses = data.counts
    by = f", by more than {data.matters}" if data.matters else ""
    neither = f"at most {data.matters} apart" if data.matters else "equal"
    texts = [f"{wins}  {first} better", f"{losses}  {second} better", f"{even}  {neither}"]
    legend_beside(ax, handles, texts, f"number of data sets{by}")
    _draw_names(data, ax, _draw_corners(data, ax))


def _draw_diagonal(data: ScatterData, ax: Axes) -> None:
    """Draw the line of equal scores, and the band of differences that don't matter around it."""
    ends = np.geomspace(*data.limits, 2) if data.log else np.array(data.limits)
    ax.plot(ends, ends, color=INK, linewidth=0.9, zorder=1.6)
    delta = data.smallest_difference
    if delta is not None:
        low, high = (ends / (1 + delta), ends * (1 + delta)) if data.log else (ends - delta, ends + delta)
        ax.fill_between(ends, low, high, color=INK, alpha=0.1, linewidth=0, zorder=1.2)


def _draw_corners(data: ScatterData, ax: Axes) -> list[tuple[float, float, float, float]]:
    """Write into two corners who is better on that side of the diagonal; returns the room that they take, in points."""
    width, height = (72 * side for side in size_in_inches(ax))
    above, below = (data.first, data.second) if data.higher_is_better else (data.second, data.first)
    texts = [f"{shorten(name, LONGEST)} better" for name in (above, below)]
    style: dict[str, Any] = {"at": "axes fraction", "size": SMALL, "color": MUTED}
    left, right = (_text_width(text) + 8 for text in texts)
    upper, lower = (0.0, height - SMALL - 8, left, height), (width - right, 0.0, width, SMALL + 8)
    points = _places(data, ax)
    if _is_empty(upper, points):
        write(ax, texts[0], (0, 1), offset=(5, -5), va="top", **style)
    if _is_empty(lower, points):
        write(ax, texts[1], (1, 0), offset=(-5, 5), ha="right", va="bottom", **style)
    return [upper, lower]


def _is_empty(box: tuple[float, float, float, float], points: FloatArray) -> bool:
    return not bool(((points > box[:2]) & (points < box[2:])).all(axis=1).any())


def _places(data: ScatterData, ax: Axes) -> FloatArray:
    """The places of the data sets in the box, in points (1/72 inch)."""
    shares = ax.transAxes.inverted().transform(ax.transData.transform(np.column_stack([data.x, data.y])))
    return np.asarray(shares * [72 * side for side in size_in_inches(ax)])


def _draw_names(data: ScatterData, ax: Axes, taken: list[tuple[float, float, float, float]]) -> None:
    width, height = (72 * side for side in size_in_inches(ax))
    places = _places(data, ax)
    texts = short_names([data.datasets[i] for i in data.named], LONGEST)
    sizes = [(_text_width(text), 1.2 * SMALL) for text in texts]
    named = [(float(places[i, 0]), float(places[i, 1])) for i in data.named]
    others = [(float(x), float(y)) for i, (x, y) in enumerate(places) if i not in data.named]
    line = [(t - 1.0, t * height / width - 1.0, t + 1.0, t * height / width + 1.0) for t in np.arange(0, width, 4.0)]
    found = label_places(named, sizes, (width, height), others, [*taken, *line])
    for text, point, size, place in zip(texts, named, sizes, found, strict=True):
        if place is not None:
            write(ax, text, (0, 0), offset=place, va="bottom", at="axes fraction", size=SMALL)
            near = tuple(np.clip(point, place, np.add(place, size)))
            if math.dist(point, near) > NEAR:
                ends = np.array([point, near]) / (width, height)
                ax.plot(*ends.T, color=MUTED, linewidth=0.6, transform=ax.transAxes, zorder=2)


def _text_width(text: str) -> float:
    return 0.58 * SMALL * len(text)
