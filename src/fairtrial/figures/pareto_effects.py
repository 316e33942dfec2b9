"""The effects of an experiment by size, as bars with the intervals that hold for all of them together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError
from fairtrial.figures.effect_inputs import (
    EffectsOrLenth,
    NamedEffect,
    affected,
    effects_of,
    experiment_of,
    undefined_in_words,
)
from fairtrial.figures.inputs import axis_limits
from fairtrial.figures.result_views import View, figure_of
from fairtrial.figures.style import (
    INK,
    MUTED,
    PALETTE,
    SMALL,
    fitted_figure,
    short_names,
    size_in_inches,
    value_axis,
    value_axis_label,
    wrap,
    write,
)
from fairtrial.tables import formats
from fairtrial.tables.render_json import plain
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
class ParetoEffectsData:
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

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]


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
