"""The half-normal plot of effects: inert effects lie on a line, and those to the right of it stand out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from scipy.special import ndtri

from fairtrial.figures.effect_inputs import (
    EffectsOrLenth,
    NamedEffect,
    affected,
    effects_of,
    experiment_of,
    undefined_in_words,
)
from fairtrial.figures.result_views import View, figure_of
from fairtrial.figures.style import (
    INK,
    MUTED,
    PALETTE,
    SMALL,
    box_axes,
    fitted_figure,
    short_names,
    size_in_inches,
    wrap,
    write,
)
from fairtrial.stats import Lenth
from fairtrial.tables.render_json import plain
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results

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
class HalfNormalData:
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

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]


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
        remarks=tuple(filter(None, (*_remarks(effects, points, improves=improves), undefined_in_words(found)))),
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


def _remarks(effects: EffectsOrLenth, points: Sequence[HalfNormalPoint], *, improves: bool) -> list[str]:
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
