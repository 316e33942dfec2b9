"""The scores of each method on all folds of one data set, with its mean and interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.drawing.fitting import GOES_ON, draw_bar
from fairtrial.figures.drawing.inputs import (
    FigureData,
    Rows,
    axis_limits,
    check_intervals,
    far_off,
    number_grid,
    number_row,
    some_names,
)
from fairtrial.figures.drawing.style import (
    INK,
    MUTED,
    fitted_figure,
    mark_style,
    short_names,
    value_axis,
    value_axis_label,
)
from fairtrial.figures.result_views import View, figure_of
from fairtrial.resampling import score_unit
from fairtrial.results.absentees import refuse_named
from fairtrial.results.at_levels import refuse_several_levels
from fairtrial.verdict.absent_methods import left_out
from fairtrial.verdict.estimates import estimates, evidence_by, interval_in_words
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results

WIDTH, ROW = 4.6, 0.42
POINTS, MEAN = -0.12, 0.3
"""The heights of the points and of the mean in the row of a method, from its middle downwards."""

APART, STEPS = 0.1, 60
"""The distance of points that would cover each other, in rows, and the number of points that fit into the axis."""


@dataclass(frozen=True, slots=True)
class FoldsData(FigureData):
    """All that the figure shows: a row of ``scores`` for each method, the first method on top, a column for each fold.

    ``aside`` moves points up and down that would cover each other, in rows. ``means``, ``low`` and ``high`` are the
    mean and the interval of each method; ``joined`` joins the scores of the same fold. ``unit`` is a split or a seed.
    """

    dataset: str
    methods: tuple[str, ...]
    scores: Rows
    aside: Rows
    means: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    measure: str
    higher_is_better: bool
    yardsticks: tuple[str, ...]
    limits: tuple[float, float]
    log: bool
    joined: bool
    unit: str = "split"

    @property
    def label(self) -> str:
        """The text under the axis."""
        return f"{self.measure} ({'higher is better →' if self.higher_is_better else '← lower is better'})"

    @property
    def remarks(self) -> list[str]:
        """The meaning of points, lines and arrows."""
        ends = [v for v in (*self.low, *self.high) if v == v]
        beyond = any(v < self.limits[0] or v > self.limits[1] for v in ends)
        lines = [f"lines join the same {self.unit}"] if self.joined else []
        return [f"a point for each {self.unit}", *lines, *([GOES_ON] if beyond else [])]

    @property
    def words(self) -> str:
        """The figure in words: the mean of each method, and its lowest and highest score."""
        head = f"{self.measure} on {plural(len(self.scores[0]), self.unit)} of {self.dataset}"
        return "\n".join((head, *map(self._line, range(len(self.methods)))))

    def _line(self, j: int) -> str:
        known = [score for score in self.scores[j] if score == score]
        ends = f", from {min(known):.4g} to {max(known):.4g}" if known else ""
        interval = f" [{self.low[j]:.4g}, {self.high[j]:.4g}]" if self.low[j] == self.low[j] else ""
        return f"{self.methods[j]}: mean {self.means[j]:.4g}{interval}{ends}"


def folds_data(
    dataset: str,
    methods: Sequence[str],
    scores: npt.ArrayLike,
    low: npt.ArrayLike | None = None,
    high: npt.ArrayLike | None = None,
    *,
    measure: str,
    higher_is_better: bool,
    yardsticks: Sequence[str] = (),
    log: bool = False,
    joined: bool = False,
    unit: str = "split",
) -> FoldsData:
    """The data of a strip plot of scores over folds; ``scores`` has a row for each fold, a column for each method.

    The ends of intervals of the means are optional; a nan is a fold without a score.

    >>> data = folds_data("iris", ["forest", "bayes"], [[0.9, 0.8], [0.9, 1.0], [0.6, 0.9]],
    ...                   measure="accuracy", higher_is_better=True)
    >>> data.scores[0], data.aside[0], data.means
    ((0.9, 0.9, 0.6), (0.05, -0.05, 0.0), (0.8, 0.9))
    """
    names = some_names("methods", methods)
    grid = np.asarray(scores, dtype=float)
    rows = number_grid("scores", scores, (len(grid) if grid.ndim == 2 else 0, len(names)))
    columns = tuple(zip(*rows, strict=True)) if rows else ((),) * len(names)
    ends = [number_row(name, [math.nan] * len(names) if end is None else end, len(names))
            for name, end in (("low", low), ("high", high))]  # fmt: skip
    check_intervals(*ends)
    if log and any(v <= 0 for row in rows for v in row):
        raise InputError("scores must be above 0 on a log axis, but some are not; draw them with log=False")
    limits = axis_limits([*(v for row in rows for v in row), *ends[0], *ends[1]], log=log)
    return FoldsData(
        dataset=dataset,
        methods=names,
        scores=columns,
        aside=tuple(_aside(column, limits, log=log) for column in columns),
        means=tuple(_mean(column) for column in columns),
        low=ends[0],
        high=ends[1],
        measure=measure,
        higher_is_better=higher_is_better,
        yardsticks=tuple(yardsticks),
        limits=limits,
        log=log,
        joined=joined,
        unit=unit,
    )


def _mean(column: Sequence[float]) -> float:
    known = [v for v in column if v == v]
    return math.fsum(known) / len(known) if known else math.nan


def _aside(column: Sequence[float], limits: tuple[float, float], *, log: bool) -> tuple[float, ...]:
    """How far each point is moved, so that points with nearly the same score stand side by side."""
    low, high = (math.log(end) for end in limits) if log else limits
    cells: dict[int, list[int]] = {}
    for i, value in enumerate(column):
        if value == value:
            cells.setdefault(math.floor(STEPS * ((math.log(value) if log else value) - low) / (high - low)), []).append(
                i
            )
    aside = [0.0] * len(column)
    for members in cells.values():
        step = min(APART, 0.5 / len(members))
        for place, i in enumerate(members):
            aside[i] = ((len(members) - 1) / 2 - place) * step
    return tuple(aside)


@figure_of("folds")
def folds_view(
    results: Results,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    measure: str | None = None,
    joined: bool = False,
) -> View:
    """The scores of all folds of one data set, as a figure and in words."""
    refuse_several_levels(results)
    evidence = evidence_by(results, measure, _one_name(results, dataset))
    refuse_named({a.method: a for a in evidence.absent}, methods or ())
    for name in methods or ():
        if name not in evidence.columns:
            raise UnknownName.among("method of these results", name, evidence.columns)
    shown = [evidence.columns.index(name) for name in methods or evidence.columns]
    away = [] if methods else _far_off(evidence)
    level = results.question.level
    data = folds_of(evidence, [m for m in shown if m not in away], level, joined=joined)
    gone = [f"not drawn, far off: {evidence.columns[m]}, mean {evidence.means[0, m]:.3g}" for m in away]
    how = f"diamond and line: mean and {interval_in_words(evidence, level)}"
    notes = tuple(filter(None, (how, *gone, *left_out(evidence.absent), evidence.scored)))
    return View("\n".join((data.words, *notes)), folds_figure(data), notes, _title(evidence))


def _one_name(results: Results, dataset: str | None) -> str:
    names = results.dataset_names()
    if dataset is None and len(names) > 1:
        raise InputError(f"one data set must be named (dataset=…), since there are {len(names)}: {listed(names)}")
    return dataset or names[0]


def _title(evidence: Evidence) -> str:
    scheme = evidence.dependence[0].scheme
    return evidence.datasets[0] if scheme == "unknown" else f"{evidence.datasets[0]}, {scheme}"


def _far_off(evidence: Evidence) -> list[int]:
    """The yardsticks that would make the axis more than twice as long."""
    methods, folds = len(evidence.methods), evidence.folds[0]
    own = folds[:, :methods].ravel().tolist()
    return [m for m in range(methods, len(evidence.columns)) if far_off(folds[:, m].tolist(), own)]


def folds_of(evidence: Evidence, columns: Sequence[int], level: float, *, joined: bool = False) -> FoldsData:
    """The strip plot of some methods on the one data set of this evidence."""
    intervals = estimates(evidence, level)
    folds = evidence.folds[0][:, list(columns)]
    facts = evidence.measure
    unit = f", {facts.unit}" if facts.unit else ""
    return folds_data(
        evidence.datasets[0],
        [evidence.columns[m] for m in columns],
        folds,
        [intervals[m].low for m in columns],
        [intervals[m].high for m in columns],
        measure=f"{Wording(facts).name}{unit}",
        higher_is_better=facts.higher_is_better,
        yardsticks=[evidence.columns[m] for m in columns if m >= len(evidence.methods)],
        log=facts.compare == "log-ratio" and bool((folds[~np.isnan(folds)] > 0).all()),
        joined=joined,
        unit=score_unit(evidence.dependence),
    )


def folds_figure(data: FoldsData) -> Figure:
    """The strip plot as a Figure, which grows with the number of methods."""
    return fitted_figure(WIDTH, ROW * len(data.methods), partial(draw_folds, data))


def draw_folds(data: FoldsData, ax: Axes) -> None:
    """Draw the strip plot; the names of the methods are to the left of the Axes."""
    k = len(data.methods)
    value_axis(ax, data.limits, log=data.log)
    ax.set_ylim(k - 0.5, -0.5)
    ax.set_yticks(range(k), short_names(data.methods), parse_math=False, usetex=False)
    for row in range(0, k, 2):
        ax.axhspan(row - 0.5, row + 0.5, color=INK, alpha=0.05, linewidth=0, zorder=0)
    if data.joined:
        heights = np.repeat(np.arange(k)[:, None] + POINTS, len(data.scores[0]), axis=1)
        ax.plot(np.array(data.scores), heights, color=MUTED, alpha=0.4, linewidth=0.6, zorder=1.5)
    for j in range(k):
        _draw_method(data, j, ax)
    value_axis_label(ax, data.label, "; ".join(data.remarks))


def _draw_method(data: FoldsData, j: int, ax: Axes) -> None:
    is_yardstick = data.methods[j] in data.yardsticks
    color, marker = (MUTED, "o") if is_yardstick else mark_style(j)
    style: dict[str, Any] = {"color": color, "marker": marker, "linestyle": "none", "markersize": 4, "alpha": 0.7}
    style |= {"markerfacecolor": "none"} if is_yardstick else {"markeredgewidth": 0}
    heights = [j + POINTS + (0.0 if data.joined else move) for move in data.aside[j]]
    ax.plot(data.scores[j], heights, **style, zorder=3, clip_on=False)
    if data.low[j] == data.low[j]:
        draw_bar((data.low[j], j + MEAN, data.high[j], j + MEAN), ax, INK, width=1.3, zorder=3)
    ax.plot([data.means[j]], [j + MEAN], "D", color=INK, markersize=4.5, markeredgewidth=0, zorder=4)
