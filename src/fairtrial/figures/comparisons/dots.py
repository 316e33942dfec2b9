"""Estimates of all methods with intervals, in one row for each data set."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.drawing.fitting import GOES_ON, draw_bar
from fairtrial.figures.drawing.inputs import FigureData, Rows, axis_limits, check_intervals, number_grid, some_names
from fairtrial.figures.drawing.style import (
    INK,
    MARKERS,
    MUTED,
    fitted_figure,
    legend_above,
    mark_style,
    short_names,
    shorten,
    size_in_inches,
    value_axis,
    value_axis_label,
)
from fairtrial.stats.outcome import check_level

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDEST_STEP = 0.2
"""The largest distance of two methods in the row of a data set, as a share of the row."""

TALL = 20
"""The number of data sets from which the axis has numbers at the top too."""


@dataclass(frozen=True, slots=True)
class DotsData(FigureData):
    """All that the plot shows. Rows of the grids are data sets, the first on top; columns are methods.

    ``offsets`` are the distances of the methods below the middle of a row, in rows; ``limits`` is the range of the
    axis. ``reference`` are levels drawn as vertical lines, such as human performance. ``best`` are the columns of the
    best methods of each data set: several if they are equally good, and none if all are.
    """

    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    estimates: Rows
    low: Rows
    high: Rows
    measure: str
    higher_is_better: bool
    level: float
    yardsticks: tuple[str, ...]
    reference: Mapping[str, float]
    log: bool
    offsets: tuple[float, ...]
    limits: tuple[float, float]
    best: tuple[tuple[int, ...], ...]

    @property
    def label(self) -> str:
        """The text under the axis."""
        hint = "higher is better →" if self.higher_is_better else "← lower is better"
        return f"{self.measure} ({hint})"

    @property
    def remark(self) -> str:
        """The meaning of lines, stars and arrows."""
        ends = [v for low, high in zip(self.low, self.high, strict=True) for v in (*low, *high) if v == v]
        beyond = any(v < self.limits[0] or v > self.limits[1] for v in ends)
        parts = (
            (self.has_intervals, f"lines: {100 * self.level:g} % intervals"),
            (any(self.best), "★ the best mean of the data set"),
            (beyond, GOES_ON),
        )
        return "; ".join(text for shown, text in parts if shown)

    @property
    def has_intervals(self) -> bool:
        return any(low == low for row in self.low for low in row)


def dots_data(
    datasets: Sequence[str],
    methods: Sequence[str],
    estimates: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    *,
    measure: str,
    higher_is_better: bool,
    level: float = 0.95,
    yardsticks: Sequence[str] = (),
    reference: Mapping[str, float] | None = None,
    log: bool = False,
) -> DotsData:
    """The data of a dot-and-interval plot; grids are data sets × methods, nan for missing values.

    ``yardsticks`` names the methods that only give the scale, such as a majority baseline: they are drawn in grey.
    ``reference`` gives levels that are the same on all data sets, such as ``{"human": 0.95}``. ``log`` is for measures
    compared as ratios, such as times; an interval whose low end isn't positive then reaches to the edge.

    >>> data = dots_data(["iris", "wine"], ["forest", "bayes"], [[0.95, 0.93], [0.98, 0.97]],
    ...                  [[0.90, 0.88], [0.94, 0.92]], [[0.98, 0.97], [0.99, 0.99]],
    ...                  measure="accuracy", higher_is_better=True)
    >>> data.offsets, data.limits, data.label
    ((-0.1, 0.1), (0.8756, 0.9944), 'accuracy (higher is better →)')
    """
    rows, columns = some_names("datasets", datasets), some_names("methods", methods)
    check_level(level)
    grids = [
        number_grid(name, values, (len(rows), len(columns)))
        for name, values in (("estimates", estimates), ("low", low), ("high", high))
    ]
    check_intervals(*([v for row in grid for v in row] for grid in grids[1:]))
    for name in yardsticks:
        if name not in columns:
            raise UnknownName.among("method", name, columns)
    levels = {str(name): float(value) for name, value in (reference or {}).items()}
    for value in itertools.chain(*grids[0], levels.values()):
        if log and value <= 0:
            raise InputError(f"estimates must be above 0 on a log axis, got {value!r}; draw them with log=False")
    step = min(WIDEST_STEP, 0.8 / len(columns))
    return DotsData(
        datasets=rows,
        methods=columns,
        estimates=grids[0],
        low=grids[1],
        high=grids[2],
        measure=measure,
        higher_is_better=higher_is_better,
        level=level,
        yardsticks=tuple(yardsticks),
        reference=levels,
        log=log,
        offsets=tuple((j - (len(columns) - 1) / 2) * step for j in range(len(columns))),
        limits=axis_limits([*itertools.chain(*itertools.chain(*grids)), *levels.values()], log=log),
        best=_best(grids[0], [j for j, name in enumerate(columns) if name not in yardsticks], higher_is_better),
    )


def _best(estimates: Rows, compared: Sequence[int], higher_is_better: bool) -> tuple[tuple[int, ...], ...]:
    """The best columns of each row; none where all are equally good, or there is only one.

    >>> _best(((0.9, 0.8, 0.9), (0.7, 0.7, 0.7), (math.nan, 0.5, 0.6)), (0, 1, 2), True)
    ((0, 2), (), (2,))
    """
    pick, rows = max if higher_is_better else min, []
    for row in estimates:
        known = [j for j in compared if row[j] == row[j]]
        first = [j for j in known if math.isclose(row[j], pick(row[i] for i in known), rel_tol=1e-12)]
        rows.append(tuple(first) if len(first) < len(known) else ())
    return tuple(rows)


def dots_figure(data: DotsData) -> Figure:
    """The plot as a Figure; it grows with the number of data sets and methods."""
    n, k = len(data.datasets), len(data.methods)
    closeness = min(max((n - 12) / 18, 0.0), 1.0)
    row = max(k * (0.085 - 0.04 * closeness) / 0.8, 0.24)
    return fitted_figure(5.2, max(n * row, 0.5), partial(draw_dots, data))


def draw_dots(data: DotsData, ax: Axes) -> None:
    """Draw the plot; names, axis label and legend are outside the Axes."""
    n = len(data.datasets)
    value_axis(ax, data.limits, log=data.log)
    ax.set_ylim(n - 0.5, -0.5)
    ax.set_yticks(range(n), short_names(data.datasets), parse_math=False, usetex=False)
    for row in range(0, n, 2):
        ax.axhspan(row - 0.5, row + 0.5, color=INK, alpha=0.05, linewidth=0, zorder=0)
    if n >= TALL:
        ax.tick_params(axis="x", labeltop=True)
    size = min(max(size_in_inches(ax)[1] / n * _step(data) * 72 * 0.72, 2.4), 5.5)
    styles = _styles(data)
    for j, style in enumerate(styles):
        _draw_method(data, j, style, size, ax)
    for value, dashes in zip(data.reference.values(), itertools.cycle(DASHES)):
        ax.axvline(value, color=MUTED, linewidth=1.1, linestyle=dashes, zorder=1.5)
    value_axis_label(ax, data.label, data.remark)
    _draw_legend(data, styles, ax)


DASHES: tuple[Any, ...] = ((0, (4, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))

Style = dict[str, Any]


def _step(data: DotsData) -> float:
    return data.offsets[1] - data.offsets[0] if len(data.offsets) > 1 else WIDEST_STEP


def _styles(data: DotsData) -> list[Style]:
    """The style of each method: methods take colours in turn; a yardstick is grey and hollow."""
    compared = itertools.count()
    shapes = itertools.cycle(reversed(MARKERS))
    styles: list[Style] = []
    for method in data.methods:
        if method in data.yardsticks:
            styles.append({"color": MUTED, "marker": next(shapes), "markerfacecolor": "none"})
        else:
            color, marker = mark_style(next(compared))
            styles.append({"color": color, "marker": marker, "markerfacecolor": color})
    return styles


def _draw_method(data: DotsData, j: int, style: Style, size: float, ax: Axes) -> None:
    color = style["color"]
    for i in range(len(data.datasets)):
        y = i + data.offsets[j]
        low, high, estimate = data.low[i][j], data.high[i][j], data.estimates[i][j]
        if low == low and high == high:
            draw_bar((low, y, high, y), ax, color, width=1.2, arrow=size, zorder=2)
        if estimate == estimate:
            ax.plot([estimate], [y], **style, markersize=size, markeredgewidth=0.9, linestyle="none", zorder=3)
        if j in data.best[i]:
            _draw_star(min(estimate if high != high else high, data.limits[1]), y, size, ax)


def _draw_star(x: float, y: float, size: float, ax: Axes) -> None:
    """Draw a star to the right of a method's dot and interval, where nothing else is."""
    from matplotlib.transforms import ScaledTranslation

    beside = ax.transData + ScaledTranslation((0.5 * size + 5) / 72, 0, ax.figure.dpi_scale_trans)
    ax.plot(
        [x], [y], "*", color=INK, markersize=1.3 * size, markeredgewidth=0, transform=beside, clip_on=False, zorder=4
    )


def _draw_legend(data: DotsData, styles: Sequence[Style], ax: Axes) -> None:
    """Draw the legend above the Axes."""
    from matplotlib.lines import Line2D

    texts = short_names(data.methods)
    line: Any = "-" if data.has_intervals else "none"
    handles = [
        Line2D([], [], **style, markersize=5, markeredgewidth=0.9, linewidth=1.2, linestyle=line) for style in styles
    ]
    for (name, value), dashes in zip(data.reference.items(), itertools.cycle(DASHES)):
        texts.append(f"{shorten(name)} {value:g}")
        handles.append(Line2D([], [], color=MUTED, linewidth=1.1, linestyle=dashes))
    legend_above(ax, handles, texts, gap=2.2 if len(data.datasets) >= TALL else 0.5)
