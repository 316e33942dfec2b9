"""Contours of a response surface: the settings that were run, the best point, its region, and the way on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.errors import InputError
from fairtrial.experiments import FittedSurface
from fairtrial.figures.effect_inputs import measure_in_words
from fairtrial.figures.paper_sizes import paper
from fairtrial.figures.result_views import View, figure_of
from fairtrial.figures.style import (
    INK,
    MUTED,
    PALETTE,
    SMALL,
    box_axes,
    fitted_figure,
    size_in_inches,
    wrap,
    write,
)
from fairtrial.tables import formats
from fairtrial.tables.render_json import plain
from fairtrial.words import listed

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
class ContourData:
    """Panels of pairs of factors, the label of the heights, and remarks."""

    panels: tuple[ContourPanel, ...]
    label: str
    inside: bool
    remarks: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]


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
