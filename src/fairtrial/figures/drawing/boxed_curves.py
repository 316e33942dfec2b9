"""Curves of methods in a box: the data and the drawing that all figures with curves share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.figures.drawing.fitting import GOES_ON, draw_bar, leaves
from fairtrial.figures.drawing.inputs import FigureData, Rows, some_names
from fairtrial.figures.drawing.style import (
    INK,
    MARKERS,
    MUTED,
    SMALL,
    box_axes,
    fitted_figure,
    legend_beside,
    line_style,
    named_ticks,
    short_names,
    shorten,
    size_in_inches,
    wrap,
    write,
)
from fairtrial.figures.result_views import View, figure_of
from fairtrial.results.analyses.tested_methods import one_dataset, positive_class
from fairtrial.words import listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results

RESOLUTION = 2000
"""Points that are closer than one part in so many of the box look like one point."""

LONGEST = 40
"""The most characters of a name in the legend, where there is more room than elsewhere."""

SIDE = 3.3
"""The side of a square box, in inches."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The drawing of one method, in points (x, y).

    ``line`` is the curve itself, or single ``marks``; ``number`` is shown before the name in the legend. ``band`` is
    the outline of the shaded area around the line, ``bars`` are intervals (x, y, x, y), ``hull`` is dashed, ``parts``
    are thin lines below the curve. ``bins`` (low, high, share) are its histogram under the box: bars, or sticks if low
    and high are equal. A ``muted`` curve is grey and hollow: it belongs to a yardstick.
    """

    name: str
    line: Rows = ()
    marks: Rows = ()
    number: str = ""
    band: Rows = ()
    bars: Rows = ()
    hull: Rows = ()
    parts: tuple[Rows, ...] = ()
    bins: Rows = ()
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """A line that gives the scale, dotted or ``solid``, named in the legend or, as one of a family, at its end."""

    line: Rows
    text: str
    number: str = ""
    where: Literal["legend", "end"] = "legend"
    solid: bool = False


@dataclass(frozen=True, slots=True)
class CurvesData(FigureData):
    """All that the figure shows: curves in the order of the legend, ``limits`` and ``labels`` of x and y.

    ``log`` says which of the axes are logarithmic, ``ticks`` names places on the x axis (none: round numbers).
    ``heading`` says what the numbers in the legend are, ``remarks`` stand below; ``size`` is that of the box in inches.
    """

    curves: tuple[Curve, ...]
    references: tuple[Reference, ...]
    labels: tuple[str, str]
    limits: tuple[tuple[float, float], tuple[float, float]]
    heading: str = ""
    remarks: tuple[str, ...] = ()
    size: tuple[float, float] = (SIDE, SIDE)
    log: tuple[bool, bool] = (False, False)
    ticks: tuple[tuple[float, str], ...] = ()


def check_curves(curves: Mapping[str, object], kinds: tuple[type, ...]) -> None:
    """Refuse curves of other kinds than these, and no curves at all."""
    some_names("curves", curves)
    for name, curve in curves.items():
        if not isinstance(curve, kinds):
            wanted = listed((kind.__name__ for kind in kinds), last="or")
            raise InputError(f"curves must be of the kind {wanted}, but {name!r} is a {type(curve).__name__}")


def points(x: npt.ArrayLike, y: npt.ArrayLike) -> Rows:
    """Two rows of coordinates as points.

    >>> points([0, 0.5, 1], [0, 1, 1])
    ((0.0, 0.0), (0.5, 1.0), (1.0, 1.0))
    """
    pairs = np.column_stack([np.asarray(x, float).ravel(), np.asarray(y, float).ravel()])
    return tuple(map(tuple, pairs.tolist()))


def thinned(x: npt.ArrayLike, y: npt.ArrayLike, width: float = 1.0, height: float = 1.0) -> Rows:
    """A line in a box of this size without points that change nothing: inside straight pieces, or too close.

    >>> thinned([0, 0, 0, 0.5, 1], [0, 0.5, 1, 1, 1])
    ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0))
    """
    xy = np.column_stack([np.asarray(x, float), np.asarray(y, float)])
    if len(xy) > 2 * RESOLUTION:
        cells = np.floor(xy / (width, height) * RESOLUTION)
        xy = xy[_with_ends((np.diff(cells, axis=0) != 0).any(axis=1)[:-1])]
    xy = xy[np.append(True, (np.diff(xy, axis=0) != 0).any(axis=1))]
    if len(xy) > 2:
        before, after = np.diff(xy[:-1], axis=0), np.diff(xy[1:], axis=0)
        turn = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
        xy = xy[_with_ends((np.abs(turn) > 1e-15 * width * height) | ((before * after).sum(axis=1) < 0))]
    return points(xy[:, 0], xy[:, 1])


def _with_ends(inner: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    return np.concatenate([[True], inner, [True]])


def curves_figure(data: CurvesData) -> Figure:
    """The curves as a Figure: the box, a legend to its right, histograms under it if there are any."""
    return fitted_figure(*data.size, partial(draw_curves, data), keep_shape=True)


Drawing = TypeVar("Drawing", bound="Callable[..., Figure]")


def figure_of_curves(kind: str) -> Callable[[Drawing], Drawing]:
    """Register the function that draws the curves of all methods, of a kind that ``Results.curves`` has."""

    def register(draw: Drawing) -> Drawing:
        @figure_of(kind)
        def view(
            results: Results,
            *,
            dataset: str | None = None,
            methods: Sequence[str] | None = None,
            positive: object = None,
        ) -> View:
            curves = results.curves(kind, dataset=dataset, methods=methods, positive=positive)
            return View(str(curves), draw(curves), curves.notes, curves_title(results, dataset, positive))

        return draw

    return register


def curves_title(results: Results, dataset: str | None, positive: object) -> str:
    """The title of curves of one class against all others: the data set and the class."""
    name = one_dataset(results, dataset)
    facts = results.datasets[name]
    return f"{name}, positive class: {facts['classes'][positive_class(name, facts, positive)]}"


def draw_curves(data: CurvesData, ax: Axes) -> None:
    """Draw the curves; axis labels, legend, histograms and remarks are outside the Axes."""
    handles, texts = draw_in_box(data, ax)
    legend_beside(ax, handles, texts, data.heading)
    bottom = _draw_histograms(data.curves, ax) if any(curve.bins for curve in data.curves) else 0.0
    _draw_remarks((*data.remarks, *beyond_the_box(data)), bottom, ax)


def beyond_the_box(data: CurvesData) -> list[str]:
    """The remark on intervals that go on outside the box, where there are any."""
    return [GOES_ON] if any(leaves(bar, data.limits) for curve in data.curves for bar in curve.bars) else []


def draw_in_box(data: CurvesData, ax: Axes) -> tuple[list[Any], list[str]]:
    """Draw the box and the curves in it; returns the lines and the texts of the legend."""
    from matplotlib.lines import Line2D

    box_axes(ax, data.limits, data.labels, data.log)
    if data.ticks:
        named_ticks(ax, data.ticks)
    handles, texts = [], []
    names = short_names([curve.name for curve in data.curves], LONGEST)
    for i, (curve, name) in enumerate(zip(data.curves, names, strict=True)):
        handles.append(_draw_curve(curve, i, ax))
        texts.append(f"{curve.number}  {name}".strip())
    for reference in data.references:
        if reference.where == "legend":
            color, dashes = (INK, "-") if reference.solid else (MUTED, (0, (1, 2)))
            style: dict[str, Any] = {"color": color, "linewidth": 1.0, "linestyle": dashes}
            ax.plot(*_xy(reference.line), **style, zorder=1.5)
            handles.append(Line2D([], [], **style))
            texts.append(f"{reference.number}  {shorten(reference.text, LONGEST)}".strip())
        else:
            ax.plot(*_xy(reference.line), color=MUTED, linewidth=0.6, zorder=1.4)
            write(ax, reference.text, _end(reference.line), offset=(0, 2), ha="center", va="bottom", size=SMALL)
    return handles, texts


def _draw_curve(curve: Curve, i: int, ax: Axes) -> Any:
    """Draw one method on the Axes; returns its line for the legend."""
    from matplotlib.lines import Line2D

    color, dashes = line_style(i)
    color = MUTED if curve.muted else color
    marker = MARKERS[i % len(MARKERS)]
    for part in curve.parts:
        ax.plot(*_xy(part), color=color, linewidth=0.5, alpha=0.45, zorder=2)
    if curve.band:
        ax.fill(*_xy(curve.band), color=color, alpha=0.15, linewidth=0, zorder=1.8)
    if curve.hull:
        ax.plot(*_xy(curve.hull), color=color, linewidth=0.9, linestyle=(0, (3, 2)), zorder=2.2)
    for bar in curve.bars:
        draw_bar(bar, ax, color)
    marks: dict[str, Any] = {"marker": marker, "markersize": 5.5, "markeredgewidth": 0.9}
    marks |= {"markerfacecolor": "none"} if curve.muted else {}
    line: dict[str, Any] = {"color": color, "linewidth": 1.6, "linestyle": dashes}
    if curve.line:
        ax.plot(*_xy(curve.line), **line, solid_joinstyle="round", zorder=2.6, clip_on=not _on_edge(curve.line, ax))
    if curve.marks:
        ax.plot(*_xy(curve.marks), color=color, **marks, linestyle="none", zorder=3, clip_on=False)
    bare = {"color": color, "linewidth": 0.6} if curve.parts else {"color": color, "linestyle": "none"}
    shown = (line if curve.line else bare) | (marks if curve.marks else {})
    return Line2D([], [], **shown)


def _xy(rows: Rows) -> tuple[list[float], list[float]]:
    return [x for x, _ in rows], [y for _, y in rows]


def _end(rows: Rows) -> tuple[float, float]:
    x, y = rows[-1]
    return x, y


def _on_edge(rows: Rows, ax: Axes) -> bool:
    """Whether the whole line lies in the box; along an edge it must not be clipped to half its width."""
    xs, ys = _xy(rows)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    return left <= min(xs) and max(xs) <= right and bottom <= min(ys) and max(ys) <= top


def _draw_histograms(curves: Sequence[Curve], ax: Axes) -> float:
    """Draw a histogram of each method under the box; returns how far they reach below it, in points."""
    height = size_in_inches(ax)[1]
    row = 0.5 if len(curves) == 1 else 0.26
    gap, total = 0.1, row * len(curves)
    below = ax.inset_axes((0.0, -(total + gap) / height, 1.0, total / height))
    box_axes(below, (ax.get_xlim(), (len(curves), 0)), (ax.get_xlabel(), ""))
    ax.set_xlabel("")
    ax.tick_params(axis="x", labelbottom=False)
    below.tick_params(axis="y", left=False, labelleft=False)
    for side in ("left", "right", "top"):
        below.spines[side].set_visible(False)
    below.grid(visible=False, axis="y")
    tallest = max((share for curve in curves for *_, share in curve.bins), default=1.0)
    for i, curve in enumerate(curves):
        color, _ = line_style(i)
        for low, high, share in curve.bins:
            top = i + 1 - 0.85 * share / tallest
            width = 2.0 if low == high else 0.4
            below.fill([low, low, high, high], [i + 1, top, top, i + 1], color=color, linewidth=width)
        if len(curves) > 1:
            marker = MARKERS[i % len(MARKERS)]
            beside: dict[str, Any] = {"transform": below.get_yaxis_transform(), "clip_on": False}
            below.plot([-0.03], [i + 0.6], marker, color=color, markersize=4.5, **beside)
            below.axhline(i + 1, color=INK, linewidth=0.5, alpha=0.4)
    text = f"instances,\ntallest {100 * tallest:.0f} %"
    write(below, text, (1, 0.5), offset=(6, 0), at="axes fraction", size=SMALL, color=MUTED)
    return 72 * (total + gap)


def _draw_remarks(remarks: Iterable[str], bottom: float, ax: Axes) -> None:
    """Write remarks below the box, as wide as box and legend together."""
    whole, box = ax.get_tightbbox(), ax.get_window_extent()
    right = box.x1 if whole is None else max(whole.x1, box.x1)
    text = wrap(list(remarks), int((right - box.x0) / ax.figure.dpi * 72 / (0.54 * SMALL)))
    if text:
        write(ax, text, (0.0, 0), offset=(0, -bottom - 34), va="top", at="axes fraction", size=SMALL, color=MUTED)
