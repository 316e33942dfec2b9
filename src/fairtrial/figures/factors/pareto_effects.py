"""The effects of an experiment by size, as bars with the intervals that hold for all of them together.

The half-normal plot of effects: inert effects lie on a line, and those to the right of it stand out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from scipy.special import ndtri

from fairtrial.errors import InputError
from fairtrial.figures.drawing.inputs import FigureData, axis_limits
from fairtrial.figures.drawing.style import (
    INK,
    MUTED,
    PALETTE,
    SMALL,
    box_axes,
    fitted_figure,
    short_names,
    size_in_inches,
    value_axis,
    value_axis_label,
    wrap,
    write,
)
from fairtrial.figures.factors.effect_inputs import (
    EffectsOrLenth,
    NamedEffect,
    affected,
    effects_of,
    experiment_of,
    undefined_in_words,
)
from fairtrial.figures.result_views import View, figure_of
from fairtrial.stats import Lenth
from fairtrial.tables import formats
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results


MOST = 20
LONGEST = 40
WIDTH = 3.4
RAISES, LOWERS = PALETTE[0], PALETTE[1]


@dataclass(frozen=True, slots=True)
class EffectBar:
    """One bar: the size of an effect and its limits, turned so that the estimate is positive; ``text`` has the sign."""

    name: str
    size: float
    low: float
    high: float
    raises: bool
    active: bool
    text: str


@dataclass(frozen=True, slots=True)
class ParetoEffectsData(FigureData):
    """All that the figure shows: bars from the largest to the smallest, the limits of the axis, and remarks."""

    bars: tuple[EffectBar, ...]
    measure: str
    level: float
    limits: tuple[float, float]
    remarks: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The text under the axis."""
        return f"size of the effect on {self.measure}"


def pareto_effects_data(
    effects: EffectsOrLenth, *, measure: str = "score", improves: bool = False, most: int = MOST
) -> ParetoEffectsData:
    """The data of a Pareto chart of effects: the largest ``most`` by size; the others are counted.

    An active effect is one whose interval excludes 0. Intervals hold for all effects together, also for those that are
    not drawn. Effects without an estimate are named, not drawn. ``improves`` says that positive effects improve the
    measure, whether higher or lower is better; without it they raise the score.

    >>> from fairtrial.stats import lenth
    >>> found = lenth([21.6, 3.1, 9.9, -18.1, 0.1, 2.4, -1.1], names=["A", "B", "C", "AC", "AB", "BC", "ABC"])
    >>> [(bar.name, bar.size, bar.raises) for bar in pareto_effects_data(found, most=2).bars]
    [('A', 21.6, True), ('AC', 18.1, False)]
    """
    if most < 1:
        raise InputError(f"most must be at least 1, got {most!r}")
    found = effects_of(effects)
    known = sorted((e for e in found if math.isfinite(e.estimate)), key=lambda e: -abs(e.estimate))
    shown, others = known[:most], known[most:]
    write_one = _number_format(shown)
    bars = []
    for e in shown:
        low, high = (e.low, e.high) if e.estimate >= 0 else (-e.high, -e.low)
        bars.append(EffectBar(e.name, abs(e.estimate), low, high, e.estimate >= 0, e.active, _text(e, write_one)))
    return ParetoEffectsData(
        bars=tuple(bars),
        measure=measure,
        level=effects.level,
        limits=axis_limits([0.0, *(v for bar in bars for v in (bar.size, bar.low, bar.high))]),
        remarks=tuple(
            filter(None, _remarks(bars, others, undefined_in_words(found), effects.level, improves=improves))
        ),
    )


def _remarks(
    bars: Sequence[EffectBar], others: Sequence[NamedEffect], undefined: str, level: float, *, improves: bool
) -> list[str]:
    active = [bar for bar in bars if bar.active]
    up, down = ("improves the measure", "makes it worse") if improves else ("raises the score", "lowers the score")
    colours = [
        *([f"blue: {up}"] if any(bar.raises for bar in active) else []),
        *([f"orange, hatched: {down}"] if any(not bar.raises for bar in active) else []),
        *(["hollow: may be 0"] if len(active) < len(bars) else []),
    ]
    lines = f"lines: {100 * level:g} % intervals that hold for all effects together" if _have_lines(bars) else ""
    lines += "; * the interval excludes 0" if lines and active else ""
    n = sum(e.active for e in others)
    more = f"not drawn: {plural(len(others), 'smaller effect')}, {n or 'none'} of them active" if others else ""
    return ["; ".join(colours) if bars else "no effect has an estimate", lines, more, undefined]


def _number_format(effects: Sequence[NamedEffect]) -> formats.Formatter:
    """Numbers with a sign, and as many decimals as show three digits of the largest estimate."""
    largest = max((abs(e.estimate) for e in effects), default=0.0) or 1.0
    return formats.enough(max(2 - math.floor(math.log10(largest)), 0), sign=True)


def _text(effect: NamedEffect, write_one: formats.Formatter) -> str:
    if effect.low != effect.low or effect.high != effect.high:
        return write_one(effect.estimate)
    return f"{write_one(effect.estimate)} [{write_one(effect.low)}, {write_one(effect.high)}]"


def _have_lines(bars: Sequence[EffectBar]) -> bool:
    return any(bar.low == bar.low and bar.high == bar.high for bar in bars)


def pareto_effects_figure(data: ParetoEffectsData) -> Figure:
    """The chart as a Figure whose height follows from the number of effects."""
    return fitted_figure(WIDTH, 0.24 * max(len(data.bars), 1) + 0.12, partial(draw_pareto_effects, data))


def draw_pareto_effects(data: ParetoEffectsData, ax: Axes) -> None:
    """Draw the chart; names are to the left of the Axes, the numbers with their signs to the right."""
    k = len(data.bars)
    value_axis(ax, data.limits, log=False)
    ax.set_ylim(max(k, 1) - 0.25, -0.75)
    ax.set_yticks(range(k), short_names([bar.name for bar in data.bars], LONGEST), parse_math=False, usetex=False)
    for y, bar in enumerate(data.bars):
        _draw_bar(bar, y, data.limits, ax)
    ax.axvline(0.0, color=INK, linewidth=1.0, zorder=2.5)
    value_axis_label(ax, data.label)
    room = int(1.5 * size_in_inches(ax)[0] * 72 / (0.5 * SMALL))
    text = wrap(data.remarks, room)
    write(ax, text, (0.5, 0), offset=(0, -35), ha="center", va="top", at="axes fraction", size=SMALL, color=MUTED)


def _draw_bar(bar: EffectBar, y: int, limits: tuple[float, float], ax: Axes) -> None:
    color = (RAISES if bar.raises else LOWERS) if bar.active else MUTED
    body: dict[str, Any] = {"facecolor": color, "alpha": 0.55} if bar.active else {"facecolor": "none"}
    hatch = "////" if bar.active and not bar.raises else None
    ax.barh(y, bar.size, height=0.62, edgecolor=color, linewidth=0.8, hatch=hatch, zorder=2, **body)
    if bar.low == bar.low and bar.high == bar.high:
        ends = [max(bar.low, limits[0]), min(bar.high, limits[1])]
        ax.plot(ends, [y, y], color=INK, linewidth=1.1, solid_capstyle="butt", zorder=3)
    star = " *" if bar.active else ""
    write(ax, f"{bar.text}{star}", (1, y), offset=(10, 0), at=ax.get_yaxis_transform(), size=SMALL)


@figure_of("pareto_effects")
def pareto_effects_view(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> View:
    """The effects of factors by size, as a figure and as a table."""
    found = experiment_of(results, measure, dataset, methods)
    data = pareto_effects_data(found.effects, measure=affected(found), improves=True)
    return View(str(found.to_table()), pareto_effects_figure(data))


BOX = (4.4, 3.2)
GAP, DOT = 1.25 * SMALL / 72, 0.04
"""The height of a name, and half the width of a mark, in inches."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class HalfNormalPoint:
    """An effect: its size, the half-normal quantile of its rank, and whether it stands out; ``label`` is empty if not.

    ``raises`` is False for an effect that lowers the score.
    """

    name: str
    size: float
    quantile: float
    active: bool
    raises: bool
    label: str


@dataclass(frozen=True, slots=True)
class HalfNormalData(FigureData):
    """All that the figure shows: points from the smallest effect to the largest, and the lines.

    ``error`` is the pseudo standard error, the slope of the line of inert effects; ``margins`` are the margin of error
    of one effect (ME) and that of all together (SME). They are nan where Lenth's method does not apply.
    """

    points: tuple[HalfNormalPoint, ...]
    measure: str
    error: float
    margins: tuple[float, float]
    limits: tuple[tuple[float, float], tuple[float, float]]
    remarks: tuple[str, ...] = ()


def half_normal_data(effects: EffectsOrLenth, *, measure: str = "score", improves: bool = False) -> HalfNormalData:
    r"""The data of a half-normal plot.

    The i-th smallest of m effects has the quantile :math:`\Phi^{-1}(\tfrac12 + \tfrac12 (i - \tfrac12) / m)`. Of
    Lenth's method there are also the line of inert effects, whose slope is the pseudo standard error, and the margins
    of error. Labels are those of active effects, and of effects beyond the margin of one effect.
    ``improves`` is that of :func:`pareto_effects_data`.

    Reference: Daniel (1959), doi:10.1080/00401706.1959.10489866.

    >>> from fairtrial.stats import lenth
    >>> data = half_normal_data(lenth([9.0, 1.0, -1.5, 2.0, 0.5, -1.0, 1.2], names="ABCDEFG"))
    >>> [(p.label, p.size, round(p.quantile, 3)) for p in data.points][-2:]   # rank 7 of 7: Φ⁻¹(0.5 + 6.5 / 14)
    [('', 2.0, 1.242), ('A', 9.0, 1.803)]
    """
    found = effects_of(effects)
    known = sorted((e for e in found if math.isfinite(e.estimate)), key=lambda e: abs(e.estimate))
    error, margins = math.nan, (math.nan, math.nan)
    if isinstance(effects, Lenth):
        error, margins = effects.error or math.nan, (effects.margin, effects.joint_margin)
    named = [i for i, e in enumerate(known) if e.active or abs(e.estimate) > margins[0]]
    points = tuple(_point(e, i, len(known), labelled=i in named) for i, e in enumerate(known))
    widest = max([0.0, *(p.size for p in points), *(m for m in margins if math.isfinite(m))]) or 1.0
    tallest = max((p.quantile for p in points), default=1.0)
    return HalfNormalData(
        points=points,
        measure=measure,
        error=error,
        margins=margins,
        limits=((0.0, max(1.06 * widest, min(_room_for_names(points), 1.6 * widest))), (0.0, 1.1 * tallest)),
        remarks=tuple(filter(None, (*_plot_remarks(effects, points, improves=improves), undefined_in_words(found)))),
    )


def _room_for_names(points: Sequence[HalfNormalPoint]) -> float:
    """The right end of the axis with which all names fit to the right of their points."""
    named = [p for p in points if p.label]
    shares = [_length(text) / BOX[0] for text in short_names([p.label for p in named])]
    return max((p.size / max(1 - share, 0.1) for p, share in zip(named, shares, strict=True)), default=0.0)


def _length(text: str) -> float:
    """The length of a name with the space before it, in inches."""
    return 0.6 * SMALL * len(text) / 72 + 0.12


def _point(effect: NamedEffect, rank: int, m: int, *, labelled: bool) -> HalfNormalPoint:
    quantile = float(ndtri(0.5 + 0.5 * (rank + 0.5) / m))
    raises = effect.estimate >= 0
    return HalfNormalPoint(
        effect.name, abs(effect.estimate), quantile, effect.active, raises, effect.name if labelled else ""
    )


def _plot_remarks(effects: EffectsOrLenth, points: Sequence[HalfNormalPoint], *, improves: bool) -> list[str]:
    which = (
        "stands out from the others" if isinstance(effects, Lenth) else f"its interval over {effects.unit}s excludes 0"
    )
    stands = f"filled: {which}" if any(p.active for p in points) else "no effect stands out"
    below = (
        f"; ▽ {'makes the measure worse' if improves else 'lowers the score'}"
        if any(not p.raises for p in points)
        else ""
    )
    if not isinstance(effects, Lenth):
        return [stands + below]
    if not effects.error > 0:
        return [stands + below, *effects.notes]
    lines = "ME, SME: margins of error of one effect and of all together (Lenth); dashed: where inert effects lie"
    return [stands + below, lines, *effects.notes[-1:]]


def half_normal_figure(data: HalfNormalData) -> Figure:
    """The plot as a Figure."""
    return fitted_figure(*BOX, partial(draw_half_normal, data), keep_shape=True)


def draw_half_normal(data: HalfNormalData, ax: Axes) -> None:
    """Draw the plot; the names of the lines are above the box, remarks below it."""
    box_axes(ax, data.limits, (f"size of the effect on {data.measure}", "half-normal quantile"))
    (_, right), (_, top) = data.limits
    if data.error == data.error:
        end = min(right, data.error * top)
        ax.plot([0, end], [0, end / data.error], color=MUTED, linewidth=1.0, linestyle=(0, (5, 2)), zorder=1.8)
    _draw_margins(data, ax)
    for point in data.points:
        color = PALETTE[0] if point.active else MUTED
        fill = color if point.active else "none"
        marker = "o" if point.raises else "v"
        ax.plot(
            [point.size], [point.quantile], marker, color=color, markerfacecolor=fill, markersize=5.5,
            markeredgewidth=0.9, zorder=3, clip_on=False,
        )  # fmt: skip
    without = _draw_names(data, ax)
    more = [f"no room for the names of {plural(without, 'more effect')}"] if without else []
    text = wrap([*data.remarks, *more], int(size_in_inches(ax)[0] * 72 / (0.5 * SMALL)))
    write(ax, text, (0.0, 0), offset=(0, -34), va="top", at="axes fraction", size=SMALL, color=MUTED)


def _draw_margins(data: HalfNormalData, ax: Axes) -> None:
    """Draw the lines of both margins, each with its name above the box."""
    one, together = data.margins
    if one != one:
        return
    close = (together - one) / data.limits[0][1] * size_in_inches(ax)[0] < 0.35
    sides: tuple[Literal["right", "left"], Literal["right", "left"]] = ("right", "left")
    styles: tuple[Any, Any] = ((0, (1, 2)), "-")
    for margin, name, side, dashes in zip(data.margins, ("ME", "SME"), sides, styles, strict=True):
        ax.axvline(margin, color=INK, linewidth=0.9, linestyle=dashes, zorder=1.7)
        at = ax.get_xaxis_transform()
        write(ax, name, (margin, 1), offset=(0, 2), ha=side if close else "center", va="bottom", at=at, size=SMALL)


def _draw_names(data: HalfNormalData, ax: Axes) -> int:
    """Write names beside their points where nothing is in the way, the largest first; returns how many have no room."""
    named = [p for p in reversed(data.points) if p.label]
    (width, height), ((_, right), (_, top)) = size_in_inches(ax), data.limits
    places = {p.name: (p.size / right * width, p.quantile / top * height) for p in data.points}
    taken = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in places.values()]
    lines = [(m / right * width, 0.0, m / right * width, height) for m in data.margins if m == m]
    without = 0
    for point, text in zip(named, short_names([p.label for p in named]), strict=True):
        free = [
            p for p in _places_beside(places[point.name], text, width) if not any(_overlap(p.box, t) for t in taken)
        ]
        if not free:
            without += 1
            continue
        best = min(free, key=lambda p: any(_overlap(p.box, line) for line in lines))
        write(ax, text, (point.size, point.quantile), offset=(best.dx, 72 * best.dy), ha=best.ha, size=SMALL)
        taken.append(best.box)
    return without


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a name may stand: its box in inches, its offset from the point, and its alignment."""

    box: Box
    dx: float
    dy: float
    ha: Literal["left", "right"]


def _places_beside(at: tuple[float, float], text: str, width: float) -> list[_Place]:
    """The places beside a point that lie in a box of this width: right, left, right and lower, left and higher."""
    x, y = at
    length = _length(text)
    found = []
    for dy, ha in ((0.0, "left"), (0.0, "right"), (-0.6 * GAP, "left"), (0.6 * GAP, "right")):
        start = x + 0.09 if ha == "left" else x - length - 0.09
        if start > 0 and start + length - 0.12 < width:
            box = (start, y + dy - GAP / 2, start + length, y + dy + GAP / 2)
            found.append(_Place(box, 7 if ha == "left" else -7, dy, "left" if ha == "left" else "right"))
    return found


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@figure_of("half_normal")
def half_normal_view(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> View:
    """The half-normal plot of the effects of factors, and their table."""
    found = experiment_of(results, measure, dataset, methods)
    return View(
        str(found.to_table()),
        half_normal_figure(half_normal_data(found.effects, measure=affected(found), improves=True)),
    )
