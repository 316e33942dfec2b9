"""Cost curves: the expected cost of each method under every class balance and every pair of costs.

The map of contexts: which method costs least for which class balance and cost ratio.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.figures.drawing.boxed_curves import (
    Curve,
    CurvesData,
    Reference,
    check_curves,
    curves_figure,
    curves_title,
    points,
)
from fairtrial.figures.drawing.inputs import FigureData, Rows
from fairtrial.figures.drawing.style import (
    FONT_SIZE,
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
    wrap,
    write,
)
from fairtrial.figures.result_views import View, figure_of, place_of
from fairtrial.measures.context_maps import ContextMap
from fairtrial.measures.costs import CostCurve
from fairtrial.measures.fold_axis import FloatArray
from fairtrial.measures.operating_context import cost_matrix, expected_shares, with_label_costs
from fairtrial.results.analyses.tested_methods import one_dataset, positive_class
from fairtrial.tables import formats
from fairtrial.words import listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results


MOST_LINES = 60
"""The most lines of thresholds that are drawn; of more, those of the envelope and an even choice of the others."""


def cost_figure(curves: Mapping[str, CostCurve], *, here: float | None = None) -> Figure:
    """Cost curves as a Figure: normalised expected cost over the probability cost PC(+); see :func:`cost_data`."""
    return curves_figure(cost_data(curves, here=here))


@figure_of("cost")
def cost_view(
    results: Results, *, dataset: str | None = None, methods: Sequence[str] | None = None, positive: object = None
) -> View:
    """Cost curves of all methods on one data set, with a mark at the class balance and costs of the question."""
    curves = results.curves("cost", dataset=dataset, methods=methods, positive=positive)
    figure = cost_figure(curves, here=_asked(results, dataset, positive, next(iter(curves.values()))))  # type: ignore[arg-type]
    return View(str(curves), figure, curves.notes, curves_title(results, dataset, positive))


def _asked(results: Results, dataset: str | None, positive: object, curve: CostCurve) -> float | None:
    """PC(+) of the question's class balance (else that of the data) and costs; None without a context."""
    name = one_dataset(results, dataset)
    facts, code = results.datasets[name], positive_class(name, results.datasets[name], positive)
    if not results.question.context or len(facts["classes"]) != 2:
        return None
    context: dict[str, Any] = with_label_costs(results.question.context, facts["classes"], facts["positive"])
    share = curve.hull.positives / (curve.hull.positives + curve.hull.negatives)
    if context.get("positives") is not None:
        share = float(expected_shares(context["positives"], 2, facts["positive"])[code])
    costs = cost_matrix(context.get("costs") or (1, 1), 2, facts["positive"])
    missed, false = share * costs[code, 1 - code], (1 - share) * costs[1 - code, code]
    return float(missed / (missed + false)) if missed + false > 0 else None


def cost_data(curves: Mapping[str, CostCurve], *, here: float | None = None) -> CurvesData:
    """The data of a figure of cost curves: the lower envelope of each method; lower is better.

    ``here`` marks one context: the share of the costs of missed positives, PC(+), if all are predicted wrongly.
    The dotted triangle is the cost of always predicting negative (left) or positive (right): above it a method
    is of no use. If there is only one method, the lines of its thresholds are drawn too.

    Reference: Drummond & Holte (2006), Machine Learning 65:95-130, doi:10.1007/s10994-006-8199-5.

    >>> from fairtrial.measures import cost_curve, roc_curve
    >>> data = cost_data({"forest": cost_curve(roc_curve([1, 0, 1, 0, 0], [5, 4, 3, 2, 1]))})
    >>> data.curves[0].number, len(data.curves[0].parts)
    ('0.100', 6)
    """
    check_curves(curves, (CostCurve,))
    alone = len(curves) == 1
    return CurvesData(
        curves=tuple(
            Curve(
                name,
                points(curve.pc, curve.envelope),
                number=formats.fixed(3)(curve.area),
                parts=_lines(curve) if alone else (),
            )
            for name, curve in curves.items()
        ),
        references=(
            Reference(((0.0, 0.0), (0.5, 0.5), (1.0, 0.0)), "always negative or positive", "0.250"),
            *(
                ()
                if here is None
                else (Reference(((here, 0.0), (here, 0.52)), f"your costs: PC(+) {here:.3g}", solid=True),)
            ),
        ),
        labels=("probability cost PC(+)", "normalised expected cost"),
        limits=((0.0, 1.0), (0.0, 0.52)),
        heading="area: mean cost over PC(+)",
        remarks=("thin: lines of single thresholds",) if alone else (),
    )


def _lines(curve: CostCurve) -> tuple[Rows, ...]:
    """A line for each threshold, from its false positive rate at PC(+) = 0 to its false negative rate at 1."""
    ends = curve.lines([0.0, 1.0])
    some = np.linspace(0, len(ends) - 1, MOST_LINES).round().astype(int)
    best = np.column_stack([curve.hull.fpr, 1 - curve.hull.tpr])
    drawn = ends if len(ends) <= MOST_LINES else np.unique(np.concatenate([ends[some], best]), axis=0)
    return tuple(points([0.0, 1.0], pair) for pair in drawn)


FILLS = PALETTE[:6]
HATCHES = ("", "///", "...", "\\\\\\", "xxx")
TRIVIAL = 2
"""The number of names that are not methods, at the end: always negative, always positive."""

TIE = 1e-12
"""The cost that is added to methods that tie with the best, so that borders follow the choice of the map."""

MARK = 0.12
"""Half the width of the mark of one context, in inches."""

FINER = 3
"""The number of steps in which borders are drawn between two contexts of the map."""


@dataclass(frozen=True, slots=True)
class ContextRegion:
    """The contexts in which one method costs least: its part of the map, and its cost everywhere on it.

    ``costs`` has a row for each cost ratio and a column for each share. A ``trivial`` region belongs to a constant
    prediction, which needs no learning.
    """

    name: str
    part: float
    costs: Rows
    trivial: bool


@dataclass(frozen=True, slots=True)
class ContextsData(FigureData):
    """All that the map shows: regions in the order of the methods, methods that never win, and the marked context."""

    regions: tuple[ContextRegion, ...]
    never: tuple[str, ...]
    shares: tuple[float, ...]
    ratios: tuple[float, ...]
    here: tuple[float, float] | None

    @property
    def remarks(self) -> str:
        """The methods that are not on the map."""
        return f"never cheapest: {listed(map(shorten, self.never))}" if self.never else ""


def contexts_data(contexts: ContextMap, *, here: tuple[float, float] | None = None) -> ContextsData:
    """The data of a map of contexts; ``here`` marks one context, a share of positives and a cost ratio.

    Accuracy on the test data corresponds to their share of positives and the cost ratio 1.

    >>> from fairtrial.measures import ConfusionMatrix, context_map
    >>> first = ConfusionMatrix.of_table(tp=60, fn=20, fp=0, tn=20)
    >>> second = ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=10)
    >>> data = contexts_data(context_map({"first": first, "second": second}), here=(0.8, 1))
    >>> [(region.name, round(region.part, 2)) for region in data.regions]
    [('first', 0.6), ('second', 0.11), ('always positive', 0.28)]
    """
    if not isinstance(contexts, ContextMap):
        raise InputError(f"contexts must be a ContextMap, see context_map; got a {type(contexts).__name__}")
    if min(contexts.best.shape) < 2:
        raise InputError(f"contexts must have 2 shares and 2 ratios at least, got {contexts.best.shape[::-1]}")
    if here is not None and not (0 <= here[0] <= 1 and 0 < here[1] < math.inf):
        raise InputError(f"here must be a share of positives from 0 to 1 and a cost ratio above 0, got {here!r}")
    methods = len(contexts.names) - TRIVIAL
    parts = contexts.parts
    costs = contexts.costs + TIE * (contexts.best[..., None] != np.arange(len(contexts.names)))
    regions = tuple(
        ContextRegion(name, parts[name], tuple(map(tuple, costs[..., m].tolist())), m >= methods)
        for m, name in enumerate(contexts.names)
        if parts[name] > 0
    )
    return ContextsData(
        regions=regions,
        never=tuple(name for name in contexts.names[:methods] if not parts[name]),
        shares=tuple(contexts.shares.tolist()),
        ratios=tuple(contexts.ratios.tolist()),
        here=None if here is None else (float(here[0]), float(here[1])),
    )


def contexts_figure(contexts: ContextMap, *, here: tuple[float, float] | None = None) -> Figure:
    """The map of contexts as a Figure; see :func:`contexts_data`."""
    return fitted_figure(3.8, 3.3, partial(draw_contexts, contexts_data(contexts, here=here)), keep_shape=True)


@figure_of("contexts")
def contexts_view(results: Results, *, dataset: str | None = None) -> View:
    """The map of contexts of one data set, as a figure and as a table."""
    contexts = results.contexts(dataset)
    return View(str(contexts), contexts_figure(contexts), contexts.notes, place_of(results, dataset))


def draw_contexts(data: ContextsData, ax: Axes) -> None:
    """Draw the map; names are inside the regions that have room, and all of them in the legend."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    _axes(data, ax)
    handles: list[Any] = []
    names = short_names([region.name for region in data.regions])
    surface = _Surface.of(data)
    for m, (name, style) in enumerate(zip(names, _styles(data), strict=True)):
        lead = surface.lead(m)
        _fill(surface, lead, style, ax)
        _label(surface, lead > 0, name, data.here, ax)
        handles.append(Patch(**style))
    texts = [f"{_percent(region.part)}  {name}" for region, name in zip(data.regions, names, strict=True)]
    if data.here is not None:
        cross: dict[str, Any] = {"color": INK, "marker": "X", "markersize": 8, "linestyle": "none"}
        ax.plot([data.here[0]], [data.here[1]], **cross, markeredgecolor="white", clip_on=False, zorder=4)
        handles.append(Line2D([], [], **cross))
        texts.append(f"{100 * data.here[0]:.3g} % positive, ratio {_ratio(data.here[1])}")
    legend_beside(ax, handles, texts, "cheapest in … of the map")
    if data.remarks:
        text = wrap([data.remarks], 60)
        write(ax, text, (0, 0), offset=(0, -34), va="top", at="axes fraction", size=SMALL, color=MUTED)


def _axes(data: ContextsData, ax: Axes) -> None:
    """Draw the axes; cost ratios below 1 are fractions, so that both mistakes look alike."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    limits = (data.shares[0], data.shares[-1]), (data.ratios[0], data.ratios[-1])
    box_axes(ax, limits, ("share of positives", "cost of a miss, in false alarms"))
    ax.set_yscale("log")
    ax.set_ylim(*limits[1])
    ax.yaxis.set_major_locator(LogLocator(subs=(1.0,) if limits[1][1] / limits[1][0] > 50 else (1.0, 2.0, 5.0)))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _ratio(value)))
    ax.grid(visible=False)


def _ratio(value: float) -> str:
    """A cost ratio; below 1 as a fraction.

    >>> _ratio(100), _ratio(0.1), _ratio(0.3)
    ('100', '1/10', '1/3.33')
    """
    return f"{value:.3g}" if value >= 1 else f"1/{1 / value:.3g}"


def _percent(part: float) -> str:
    return "<1 %" if part < 0.005 else f"{100 * part:.0f} %"


def _styles(data: ContextsData) -> list[dict[str, Any]]:
    """The style of each region: methods take colours in turn, then hatches; constant predictions are grey."""
    styles: list[dict[str, Any]] = []
    learned = 0
    for region in data.regions:
        if region.trivial:
            alpha = 0.2 if "negative" in region.name else 0.45
            styles.append({"facecolor": MUTED, "alpha": alpha, "edgecolor": INK, "linewidth": 0})
            continue
        hatch = HATCHES[learned // len(FILLS) % len(HATCHES)]
        fill = FILLS[learned % len(FILLS)]
        styles.append({"facecolor": fill, "alpha": 0.55, "edgecolor": INK, "linewidth": 0, "hatch": hatch or None})
        learned += 1
    return styles


@dataclass(frozen=True, slots=True, eq=False)
class _Surface:
    """The costs of all regions between the contexts of the map; at one ratio they are linear in the share."""

    shares: FloatArray
    ratios: FloatArray
    costs: FloatArray

    @classmethod
    def of(cls, data: ContextsData) -> _Surface:
        costs = np.array([region.costs for region in data.regions])
        rows, columns = (np.arange((n - 1) * FINER + 1) / FINER for n in costs.shape[1:])
        ratios = np.exp(_between(np.log(data.ratios), rows))
        return cls(
            _between(np.array(data.shares), columns),
            ratios,
            _between(_between(costs.swapaxes(1, 2), rows).swapaxes(1, 2), columns),
        )

    def lead(self, m: int) -> FloatArray:
        """The cost of the cheapest other region minus the cost of this one: above 0 inside the region."""
        others = np.delete(self.costs, m, axis=0)
        return np.asarray(others.min(axis=0, initial=np.inf) - self.costs[m])


def _between(values: FloatArray, places: FloatArray) -> FloatArray:
    """Values interpolated along the last axis, at places that are counted from 0."""
    before = np.minimum(places.astype(int), values.shape[-1] - 2)
    part = places - before
    return np.asarray(values[..., before] * (1 - part) + values[..., before + 1] * part)


def _fill(surface: _Surface, lead: FloatArray, style: dict[str, Any], ax: Axes) -> None:
    finite = np.minimum(lead, 1.0)
    filling: dict[str, Any] = {"colors": [style["facecolor"]], "alpha": style["alpha"], "hatches": [style.get("hatch")]}
    region = ax.contourf(surface.shares, surface.ratios, finite, [0.0, 2.0], **filling)
    region.set(edgecolor=INK, linewidth=0.6)


def _label(
    surface: _Surface, inside: npt.NDArray[np.bool_], name: str, here: tuple[float, float] | None, ax: Axes
) -> None:
    """Write the name of a region where most room is around it, away from the mark; nowhere if it does not fit."""
    width, height = size_in_inches(ax)
    rows, columns = inside.shape
    if here is not None:
        row, column = np.searchsorted(surface.ratios, here[1]), np.searchsorted(surface.shares, here[0])
        up, side = int(MARK / height * rows), int(MARK / width * columns)
        inside = inside.copy()
        inside[max(row - up, 0) : row + up, max(column - side, 0) : column + side] = False
    need = (1.5 * FONT_SIZE / 72 / height * rows, (0.6 * len(name) + 1) * FONT_SIZE / 72 / width * columns)
    place = _roomy(inside, *need)
    if place is not None:
        write(ax, name, (surface.shares[place[1]], surface.ratios[place[0]]), ha="center")


def _roomy(inside: npt.NDArray[np.bool_], height: float, width: float) -> tuple[int, int] | None:
    """The cell around which the largest box of this shape fits inside; None if not even one of this size fits.

    >>> _roomy(np.ones((9, 21), bool), 3, 7)
    (4, 10)
    >>> _roomy(np.ones((9, 21), bool), 3, 25)
    """
    found = None
    for scale in (1.0, 1.3, 1.7, 2.2, 3.0, 4.0, 5.5, 7.5):
        fits = _boxes(inside, math.ceil(scale * height) // 2, math.ceil(scale * width) // 2)
        if not fits.any():
            return found
        places = np.argwhere(fits)
        middle = places.mean(axis=0)
        row, column = places[np.square(places - middle).sum(axis=1).argmin()]
        found = int(row), int(column)
    return found


def _boxes(inside: npt.NDArray[np.bool_], up: int, side: int) -> npt.NDArray[np.bool_]:
    """For each cell whether a box around it is inside; its half height and half width are numbers of cells."""
    rows, columns = inside.shape
    fits = np.zeros(inside.shape, bool)
    if 2 * up + 1 > rows or 2 * side + 1 > columns:
        return fits
    sums = np.pad(inside.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    tall, wide = 2 * up + 1, 2 * side + 1
    full = sums[tall:, wide:] - sums[:-tall, wide:] - sums[tall:, :-wide] + sums[:-tall, :-wide]
    fits[up : rows - up, side : columns - side] = full == tall * wide
    return fits
