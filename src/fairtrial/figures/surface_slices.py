"""Slices of a response surface: its height along each factor through the best point, and how sure its shape is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from fairtrial.errors import InputError
from fairtrial.experiments import FittedSurface
from fairtrial.experiments.surface.surface_sentences import as_measured
from fairtrial.figures.effect_inputs import measure_in_words
from fairtrial.figures.inputs import axis_limits
from fairtrial.figures.result_views import View, figure_of
from fairtrial.figures.style import (
    FONT_SIZE,
    MUTED,
    PALETTE,
    SMALL,
    box_axes,
    fitted_figure,
    size_in_inches,
    wrap,
    write,
)
from fairtrial.figures.surface_contour import contour_data, contour_figure, grid_of, only_decades, surface_answer
from fairtrial.stats import Interval, ResponseSurface
from fairtrial.tables.render_json import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results

STEPS = 41
SIDE, GAP = 2.2, 0.45  # inches
COLUMNS = 4
LINE, BEST = PALETTE[0], PALETTE[1]


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
class SlicesData:
    """Slices through the best point, the label and limits of the shared axis, and remarks."""

    slices: tuple[Slice, ...]
    label: str
    limits: tuple[float, float]
    remarks: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]


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
    units = np.linspace(low[i], high[i], STEPS)
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
    columns, rows = grid_of(len(data.slices), SIDE, GAP, COLUMNS)
    return columns * (SIDE + GAP) - GAP, rows * (SIDE * 0.8 + 0.6) - 0.6


def draw_slices(data: SlicesData, ax: Axes) -> None:
    """Draw the slices side by side; the axis of heights is shared."""
    ax.set_axis_off()
    (columns, _), (width, height) = grid_of(len(data.slices), SIDE, GAP, COLUMNS), _size(data)
    for n, own in enumerate(data.slices):
        row, column = divmod(n, columns)
        tall = SIDE * 0.8
        box = (
            column * (SIDE + GAP) / width,
            (height - row * (tall + 0.6) - tall) / height,
            SIDE / width,
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
        inner.axvline(own.best, color=BEST, linewidth=1.2, linestyle="dashed")
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
