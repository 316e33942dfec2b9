"""Contours of a response surface: the settings that were run, the best point, its region, and the way on.

Settings on rows that were held back against the rows that were searched, and what a surface predicted.

Slices of a response surface: its height along each factor through the best point, and how sure its shape is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from fairtrial.errors import InputError
from fairtrial.experiments import Confirmation, FittedSurface
from fairtrial.experiments.surface.surface_sentences import as_measured
from fairtrial.figures.drawing.inputs import FigureData, axis_limits
from fairtrial.figures.drawing.style import (
    FONT_SIZE,
    INK,
    MUTED,
    PALETTE,
    SMALL,
    box_axes,
    fitted_figure,
    legend_beside,
    paper,
    size_in_inches,
    wrap,
    write,
)
from fairtrial.figures.factors.effect_inputs import measure_in_words
from fairtrial.figures.result_views import View, figure_of
from fairtrial.stats import Interval, ResponseSurface
from fairtrial.tables import formats
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    from fairtrial.results import Results


STEPS = 61
MOST_PANELS = 6
COLUMNS = 3
SIDE, GAP, BETWEEN = 2.7, 0.85, 0.75  # inches: of a panel, between columns, between rows
DARKEST = 0.55  # of the blues, on which black numbers can be read
ON_BLUE = "black"  # also on a dark page, where other lines are light
LEFT = 0.6  # inches for the numbers and the label of the axis
BEST, WAY = PALETTE[1], INK
Numbers = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ContourPanel:
    """Two factors: heights on a grid in natural units, points that were run, the best point, its region, the path.

    ``heights`` has a row for each value of the second factor. ``region`` is how far each place of the grid is from
    being ruled out as the stationary point: at most 1 inside the region. It is empty where there is none.
    """

    names: tuple[str, str]
    log: tuple[bool, bool]
    x: Numbers
    y: Numbers
    heights: tuple[Numbers, ...]
    region: tuple[Numbers, ...]
    runs: tuple[tuple[float, float], ...]
    best: tuple[float, float]
    path: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class ContourData(FigureData):
    """Panels of pairs of factors, the label of the heights, and remarks."""

    panels: tuple[ContourPanel, ...]
    label: str
    inside: bool
    remarks: tuple[str, ...]


def contour_data(found: FittedSurface) -> ContourData:
    """The data of contours: a panel for each pair of factors, where all others are at their best setting."""
    if not isinstance(found, FittedSurface):
        raise InputError(f"contours need the answer of results.surface(), got a {type(found).__name__}")
    pairs = list(combinations(range(len(found.factors)), 2))
    panels = tuple(_panel(found, i, j) for i, j in pairs[:MOST_PANELS])
    others = len(found.factors) > 2
    region = any(panel.region for panel in panels)
    remarks = (
        f"{measure_in_words(found)}; circles: settings that were run"
        + ("; cross: best point" if found.best.inside else "; cross: best point, at the border")
        + (f"; dashed: {100 * found.question.level:g} % region of the stationary point" if region else "")
        + "; arrow: steepest way from the middle",
        f"other factors are at their best: {_setting(found)}" if others else "",
        f"not drawn: {len(pairs) - MOST_PANELS} further pairs" if len(pairs) > MOST_PANELS else "",
    )
    return ContourData(panels, measure_in_words(found), found.best.inside, tuple(filter(None, remarks)))


def _setting(found: FittedSurface) -> str:
    return listed((f"{name} {value:g}" for name, value in found.setting.items()), None)


def _panel(found: FittedSurface, i: int, j: int) -> ContourPanel:
    surface = found.surface
    low, high, _ = surface.reach()
    units = [np.linspace(low[n], high[n], STEPS) for n in (i, j)]
    points = np.tile(found.best.point, (STEPS * STEPS, 1))
    points[:, i], points[:, j] = (g.ravel() for g in np.meshgrid(*units))
    heights = surface.heights_at(points)
    heights = np.exp(heights) if found.as_ratio else heights
    tests = found.top.distance(points) if found.top is not None else np.full(len(points), math.nan)
    natural = [[surface.ranges[found.factors[n]].natural(v) for v in u] for n, u in zip((i, j), units, strict=True)]
    runs = {(round(float(p[i]), 9), round(float(p[j]), 9)) for p in surface.points}
    path = [p for p in found.way.points if not np.isnan(p).any() and surface.is_explored(p)]
    place = partial(_place, found, i, j)
    return ContourPanel(
        names=(found.factors[i], found.factors[j]),
        log=(surface.ranges[found.factors[i]].log, surface.ranges[found.factors[j]].log),
        x=tuple(natural[0]),
        y=tuple(natural[1]),
        heights=_rows(heights),
        region=() if np.isnan(tests).any() or not (tests <= 1).any() else _rows(np.minimum(tests, 1e6)),
        runs=tuple(place(*run) for run in sorted(runs)),
        best=place(float(found.best.point[i]), float(found.best.point[j])),
        path=tuple(place(float(p[i]), float(p[j])) for p in path),
    )


def _place(found: FittedSurface, i: int, j: int, x: float, y: float) -> tuple[float, float]:
    own = [found.surface.ranges[found.factors[n]] for n in (i, j)]
    return own[0].natural(x), own[1].natural(y)


def _rows(values: Any) -> tuple[Numbers, ...]:
    return tuple(tuple(row) for row in np.asarray(values).reshape(STEPS, STEPS).tolist())


def contour_figure(data: ContourData) -> Figure:
    """The contours as a Figure; see :func:`contour_data`."""
    columns, rows = grid_of(len(data.panels), SIDE, GAP, COLUMNS)
    size = columns * (SIDE + GAP) - GAP, rows * (SIDE + BETWEEN) - BETWEEN
    return fitted_figure(*size, partial(draw_contour, data), keep_shape=True)


def grid_of(panels: int, side: float, gap: float, most: int) -> tuple[int, int]:
    """Columns and rows of panels of a width, in inches: as many columns as a paper allows."""
    sheet = paper()
    columns = min(most, panels)
    if sheet is not None:
        columns = max(min(columns, int((sheet.width - LEFT + gap) / (side + gap))), 1)
    return columns, math.ceil(panels / columns)


def draw_contour(data: ContourData, ax: Axes) -> None:
    """Draw the panels inside the Axes; remarks stand below."""
    ax.set_axis_off()
    columns, rows = grid_of(len(data.panels), SIDE, GAP, COLUMNS)
    width, height = columns * (SIDE + GAP) - GAP, rows * (SIDE + BETWEEN) - BETWEEN
    for n, panel in enumerate(data.panels):
        row, column = divmod(n, columns)
        bottom = height - row * (SIDE + BETWEEN) - SIDE
        inner = ax.inset_axes((column * (SIDE + GAP) / width, bottom / height, SIDE / width, SIDE / height))
        _draw_panel(panel, inner)
    text = wrap(data.remarks, int(size_in_inches(ax)[0] * 72 / (0.5 * SMALL)))
    write(ax, text, (0, 0), offset=(0, -36), va="top", at="axes fraction", size=SMALL, color=MUTED)


def _draw_panel(panel: ContourPanel, ax: Axes) -> None:
    from matplotlib import colormaps

    box_axes(ax, (_ends(panel.x, panel.log[0]), _ends(panel.y, panel.log[1])), panel.names, panel.log)
    for axis, values, log in zip((ax.xaxis, ax.yaxis), (panel.x, panel.y), panel.log, strict=True):
        if log:
            only_decades(axis, values[0], values[-1])
    ax.grid(visible=False)
    heights = np.array(panel.heights)
    if np.ptp(heights) > 0:
        levels = np.linspace(heights.min(), heights.max(), 11)
        blues = colormaps["Blues"](np.linspace(0.0, DARKEST, len(levels) - 1))
        ax.contourf(panel.x, panel.y, heights, levels=levels, colors=blues)
        lines = ax.contour(panel.x, panel.y, heights, levels=levels[1:-1:2], colors=ON_BLUE, linewidths=0.6)
        write_height = formats.significant(3)
        ax.clabel(lines, fontsize=SMALL - 1, fmt=lambda value: write_height(float(value)))
    if panel.region:
        ax.contour(panel.x, panel.y, panel.region, levels=[1.0], colors=BEST, linewidths=1.4, linestyles="dashed")
    ax.plot(*zip(*panel.runs, strict=True), "o", color="white", markeredgecolor=ON_BLUE, markersize=4.5, clip_on=False)
    for start, end in zip(panel.path, panel.path[1:], strict=False):
        ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": WAY, "linewidth": 1.2})
    cross: dict[str, Any] = {"color": BEST, "marker": "X", "markersize": 9, "markeredgecolor": "white"}
    ax.plot([panel.best[0]], [panel.best[1]], linestyle="none", **cross, clip_on=False, zorder=5)


def only_decades(axis: Axis, low: float, high: float) -> None:
    """Numbers on a log axis at powers of ten alone, where there are two or more: a panel has no room for others."""
    from matplotlib.ticker import FixedLocator

    powers = [10.0**n for n in range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)]
    if len(powers) > 1:
        axis.set_major_locator(FixedLocator(powers))


def _ends(values: Sequence[float], log: bool) -> tuple[float, float]:
    """The limits of an axis: a little more than the range, so that points at its border are seen whole."""
    low, high = values[0], values[-1]
    if log:
        room = (high / low) ** 0.03
        return low / room, high * room
    room = 0.03 * (high - low)
    return low - room, high + room


def surface_answer(
    results: Results, measure: str | None, dataset: str | None, methods: Sequence[str] | None
) -> FittedSurface:
    """The surface that a figure of results shows."""
    if methods is not None and len(methods) != 1:
        raise InputError(f"a surface is that of one method: name one method, got {len(methods)}")
    found: FittedSurface = results.surface(measure, dataset=dataset, method=methods[0] if methods else None)
    return found


@figure_of("contour")
def contour_view(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> View:
    """Contours of the response surface, as a figure; the words are the answer and its table."""
    found = surface_answer(results, measure, dataset, methods)
    words = "\n".join((*found.sentences, str(found.to_table())))
    return View(words, contour_figure(contour_data(found)), title=found.sentence)


CONFIRMED_SIDE = 3.0


@dataclass(frozen=True, slots=True)
class ConfirmationData(FigureData):
    """Points (searched, held back) of all settings, the number of the best one, and the prediction of the surface."""

    runs: tuple[tuple[float, float], ...]
    best: int
    predicted: tuple[float, float, float]
    confirmed: float
    label: str
    limits: tuple[float, float]
    remarks: tuple[str, ...]


def confirmation_data(found: Confirmation) -> ConfirmationData:
    """The data of the figure: below the diagonal a setting does worse on the held-back rows than on the others."""
    if not isinstance(found, Confirmation):
        raise InputError(f"the figure needs what surface.confirm(…) gives, got a {type(found).__name__}")
    runs = tuple(zip(found.searched.tolist(), found.reached.tolist(), strict=True))
    ends = found.predicted
    return ConfirmationData(
        runs=runs,
        best=found.best,
        predicted=(ends.low, ends.estimate, ends.high),
        confirmed=found.confirmed,
        label=Wording(found.measure).name,
        limits=axis_limits(
            v for v in (*found.searched, *found.reached, ends.estimate, found.confirmed) if math.isfinite(v)
        ),
        remarks=(f"mean over {plural(len(found.by_dataset), 'data set')}; on the line both parts of the rows agree",),
    )


def confirmation_figure(found: Confirmation) -> Figure:
    """The confirmation as a Figure; see :func:`confirmation_data`."""
    return fitted_figure(
        CONFIRMED_SIDE, CONFIRMED_SIDE, partial(draw_confirmation, confirmation_data(found)), keep_shape=True
    )


def draw_confirmation(data: ConfirmationData, ax: Axes) -> None:
    """Draw all settings, the best run, and the prediction with its interval, cut at the limits of the axes."""
    labels = f"{data.label}, rows that were searched", f"{data.label}, rows held back"
    box_axes(ax, (data.limits, data.limits), labels)
    ax.plot(data.limits, data.limits, color=MUTED, linewidth=0.8)
    circle: dict[str, Any] = {"linestyle": "none", "marker": "o", "markeredgecolor": INK, "markersize": 6}
    (others,) = ax.plot(*zip(*data.runs, strict=True), **circle, color="white")
    (best,) = ax.plot(*data.runs[data.best], **circle, color=PALETTE[0])
    low, value, high = data.predicted
    (cross,) = ax.plot(
        [value], [data.confirmed], "X", color=PALETTE[1], markersize=9, markeredgecolor="white", zorder=5
    )
    if not math.isnan(low):
        span = max(low, data.limits[0]), min(high, data.limits[1])
        ax.plot(span, [data.confirmed] * 2, color=PALETTE[1], linewidth=1.6)
    names = ["settings that were run", "best of them", "best of the surface: predicted (with interval), reached"]
    legend_beside(ax, [others, best, cross], [wrap([name], 30) for name in names])
    text = wrap(data.remarks, 50)
    write(ax, text, (0, 0), offset=(0, -36), va="top", at="axes fraction", size=SMALL, color=MUTED)


SLICE_STEPS = 41
SLICE_SIDE, SLICE_GAP = 2.2, 0.45  # inches
SLICE_COLUMNS = 4
LINE, BEST_SLICE = PALETTE[0], PALETTE[1]


@dataclass(frozen=True, slots=True)
class Slice:
    """The heights along one factor in natural units, and its best value.

    ``low`` and ``high`` are the ends of the interval of the difference from the best point, around the heights: the
    level of a data set is the same along a slice.
    """

    name: str
    log: bool
    x: tuple[float, ...]
    heights: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    best: float


@dataclass(frozen=True, slots=True)
class SlicesData(FigureData):
    """Slices through the best point, the label and limits of the shared axis, and remarks."""

    slices: tuple[Slice, ...]
    label: str
    limits: tuple[float, float]
    remarks: tuple[str, ...]


def slices_data(found: FittedSurface) -> SlicesData:
    """The data of slices: the height along each factor, where all others are at their best setting."""
    if not isinstance(found, FittedSurface):
        raise InputError(f"slices need the answer of results.surface(), got a {type(found).__name__}")
    slices = tuple(_slice(found, i) for i in range(len(found.factors)))
    known = not math.isnan(slices[0].low[0])
    level = f"{100 * found.question.level:g} %"
    remarks = (
        "height of the surface along each factor, the others at their best; vertical line: best value"
        + (f"; band: {level} interval of the difference from the best point" if known else ""),
    )
    ends = axis_limits(v for s in slices for v in (*s.heights, *(s.low if known else ()), *(s.high if known else ())))
    return SlicesData(slices, measure_in_words(found), ends, remarks)


def _slice(found: FittedSurface, i: int) -> Slice:
    surface, name = found.surface, found.factors[i]
    low, high, _ = surface.reach()
    units = np.linspace(low[i], high[i], SLICE_STEPS)
    top = surface.terms.columns(found.best.point)[0]
    heights = []
    for unit in units:
        point = found.best.point.copy()
        point[i] = unit
        apart = surface.combined("height", surface.terms.columns(point)[0] - top)
        heights.append(as_measured(_moved(surface, apart, float(top @ surface.coefficients)), found.measure,
                                   ratio=found.as_ratio))  # fmt: skip
    own = surface.ranges[name]
    return Slice(
        name=name,
        log=own.log,
        x=tuple(own.natural(float(u)) for u in units),
        heights=tuple(h.estimate for h in heights),
        low=tuple(h.low for h in heights),
        high=tuple(h.high for h in heights),
        best=own.natural(float(found.best.point[i])),
    )


def _moved(surface: ResponseSurface, apart: Interval, base: float) -> Interval:
    """A difference from the best height as a height."""
    ends = [base + v for v in (apart.low, apart.estimate, apart.high)]
    low, value, high = map(float, expit(ends)) if surface.scale == "logit" else ends
    return replace(apart, estimate=value, low=low, high=high)


def slices_figure(data: SlicesData) -> Figure:
    """The slices as a Figure; see :func:`slices_data`."""
    return fitted_figure(*_size(data), partial(draw_slices, data))


def _size(data: SlicesData) -> tuple[float, float]:
    columns, rows = grid_of(len(data.slices), SLICE_SIDE, SLICE_GAP, SLICE_COLUMNS)
    return columns * (SLICE_SIDE + SLICE_GAP) - SLICE_GAP, rows * (SLICE_SIDE * 0.8 + 0.6) - 0.6


def draw_slices(data: SlicesData, ax: Axes) -> None:
    """Draw the slices side by side; the axis of heights is shared."""
    ax.set_axis_off()
    (columns, _), (width, height) = grid_of(len(data.slices), SLICE_SIDE, SLICE_GAP, SLICE_COLUMNS), _size(data)
    for n, own in enumerate(data.slices):
        row, column = divmod(n, columns)
        tall = SLICE_SIDE * 0.8
        box = (
            column * (SLICE_SIDE + SLICE_GAP) / width,
            (height - row * (tall + 0.6) - tall) / height,
            SLICE_SIDE / width,
            tall / height,
        )
        inner = ax.inset_axes(box)
        box_axes(inner, ((own.x[0], own.x[-1]), data.limits), (own.name, ""), (own.log, False))
        if own.log:
            only_decades(inner.xaxis, own.x[0], own.x[-1])
        inner.tick_params(axis="y", labelleft=column == 0)
        if not math.isnan(own.low[0]):
            inner.fill_between(own.x, own.low, own.high, color=LINE, alpha=0.2, linewidth=0)
        inner.plot(own.x, own.heights, color=LINE, linewidth=1.6)
        inner.axvline(own.best, color=BEST_SLICE, linewidth=1.2, linestyle="dashed")
    at: dict[str, Any] = {"ha": "right", "va": "center", "at": "axes fraction", "size": FONT_SIZE}
    write(ax, data.label, (0, 0.5), offset=(-34, 0), **at).set(rotation=90)
    text = wrap(data.remarks, int(size_in_inches(ax)[0] * 72 / (0.5 * SMALL)))
    write(ax, text, (0, 0), offset=(0, -36), va="top", at="axes fraction", size=SMALL, color=MUTED)


@figure_of("slices")
def slices_view(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> View:
    """Slices of the response surface, as a figure; the words are the answer and its table."""
    found = surface_answer(results, measure, dataset, methods)
    words = "\n".join((*found.sentences, str(found.to_table())))
    return View(words, slices_figure(slices_data(found)), title=found.sentence)


def surface_figure(found: FittedSurface, kind: str = "contour") -> Figure:
    """A figure of a fitted surface: ``"contour"`` or ``"slices"``."""
    if kind not in ("contour", "slices"):
        raise InputError(f"kind must be 'contour' or 'slices', got {kind!r}")
    return contour_figure(contour_data(found)) if kind == "contour" else slices_figure(slices_data(found))
