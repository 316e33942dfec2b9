"""Why is it better: a waterfall from the score of the base to that of the whole, a step for each component.

The most robust setting: the mean of each setting against its worst quarter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

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
    shorten,
    size_in_inches,
    value_axis,
    value_axis_label,
    wrap,
    write,
)
from fairtrial.figures.result_views import View, figure_of
from fairtrial.stats import Interval
from fairtrial.tables import formats
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.experiments import Ablation, RobustSetting
    from fairtrial.results import Results


WIDTH = 3.6
LONGEST = 40
HELPS, HURTS = PALETTE[0], PALETTE[1]


@dataclass(frozen=True, slots=True)
class Step:
    """One row: a bar from ``start`` to ``end``, and where its end may lie; base and whole have no bar.

    ``low`` and ``high`` are nan where there is no interval.
    """

    name: str
    start: float
    end: float
    low: float
    high: float
    improves: bool
    shown: bool
    text: str


@dataclass(frozen=True, slots=True)
class AblationSteps(FigureData):
    """All that the figure shows: the base, the components by the size of their parts, the whole."""

    base: Step
    steps: tuple[Step, ...]
    whole: Step
    label: str
    limits: tuple[float, float]
    log: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[Step, ...]:
        """All rows, from above."""
        return (self.base, *self.steps, self.whole)


def ablation_steps(ablation: Ablation) -> AblationSteps:
    """The data of the waterfall: each bar begins where the one before ends, the largest part first."""
    found, words = ablation.found, ablation.words
    sign = 1.0 if ablation.measure.higher_is_better else -1.0
    scores = ablation.scores.mean(axis=0)
    bottom, top = (float(scores[column]) for column in ablation.chosen.columns)
    steps, place, active = [], bottom, found.parts.active()
    for i in found.order():
        part = found.parts.intervals[i]
        ends = sorted(place + sign * end for end in (part.low, part.high))
        after = place + sign * part.estimate
        name = ablation.chosen.components[i].title
        text = _difference(words.as_measured(part), words.difference)
        start, end, low, high = (_scaled(x, ablation.as_ratio) for x in (place, after, *ends))
        steps.append(Step(name, start, end, low, high, part.estimate >= 0, bool(active[i]), text))
        place = after
    base = _score(ablation.chosen.base, bottom, ablation.as_ratio, words.value)
    whole = _score(ablation.chosen.whole, top, ablation.as_ratio, words.value)
    shown = [x for s in (base, *steps, whole) for x in (s.start, s.end, s.low, s.high)]
    return AblationSteps(
        base=base,
        steps=tuple(steps),
        whole=whole,
        label=f"{words.name} ({words.better_word} is better)",
        limits=axis_limits(shown, log=ablation.as_ratio),
        log=ablation.as_ratio,
        remarks=tuple(_remarks(ablation, steps)),
    )


def _scaled(value: float, ratio: bool) -> float:
    return math.exp(min(value, 700.0)) if ratio else value


def _score(name: str, value: float, ratio: bool, write_one: formats.Formatter) -> Step:
    place = _scaled(value, ratio)
    return Step(name, place, place, math.nan, math.nan, True, True, f"mean {write_one(place)}")


def _difference(interval: Interval, write_one: formats.Formatter) -> str:
    if math.isnan(interval.low):
        return write_one(interval.estimate)
    return f"{write_one(interval.estimate)} [{formats.span(write_one)((interval.low, interval.high))}]"


def _remarks(ablation: Ablation, steps: Sequence[Step]) -> Iterator[str]:
    colours = [
        *(["blue: helps"] if any(s.shown and s.improves for s in steps) else []),
        *(["orange, hatched: hurts"] if any(s.shown and not s.improves for s in steps) else []),
        *(["hollow: may be 0"] if any(not s.shown for s in steps) else []),
    ]
    yield "; ".join(colours)
    level = 100 * ablation.question.level
    if any(not math.isnan(s.low) for s in steps):
        yield f"lines: {level:g} % intervals of the parts, which hold for all of them together; * 0 lies outside"
    elif ablation.parts:
        yield f"no intervals: each of {plural(len(ablation.parts), 'data set')} is judged by itself"
    else:
        yield "no intervals: there is no estimate of error"
    units = "data sets" if ablation.kind == "over data sets" or ablation.parts else "splits"
    many = f"{len(ablation.units)} {units}" if len(ablation.units) > 1 else ablation.units[0]
    yield f"means over {many}" if len(ablation.units) > 1 else f"on {many}"


def ablation_figure(ablation: Ablation) -> Figure:
    """The waterfall as a Figure whose height follows from the number of components."""
    data = ablation_steps(ablation)
    return fitted_figure(WIDTH, 0.3 * len(data.rows) + 0.1, partial(draw_ablation, data))


def draw_ablation(data: AblationSteps, ax: Axes) -> None:
    """Draw the waterfall; names are to the left of the Axes, numbers to the right."""
    rows = data.rows
    value_axis(ax, data.limits, log=data.log)
    ax.set_ylim(len(rows) - 0.35, -0.65)
    ax.set_yticks(range(len(rows)), short_names([row.name for row in rows], LONGEST), parse_math=False, usetex=False)
    for y, row in enumerate(rows):
        if row in (data.base, data.whole):
            ax.plot([row.end], [y], marker="D", markersize=5, color=INK, zorder=3)
        else:
            _draw_step(row, y, data.limits, ax)
        star = " *" if row.shown and row in data.steps else ""
        write(ax, f"{row.text}{star}", (1, y), offset=(10, 0), at=ax.get_yaxis_transform(), size=SMALL)
        if y + 1 < len(rows):
            ax.plot([row.end, row.end], [y, y + 1], color=MUTED, linewidth=0.7, linestyle=(0, (2, 2)), zorder=1.5)
    value_axis_label(ax, data.label)
    room = int(1.6 * size_in_inches(ax)[0] * 72 / (0.5 * SMALL))
    below: dict[str, Any] = {"ha": "center", "va": "top", "at": "axes fraction", "size": SMALL, "color": MUTED}
    write(ax, wrap(data.remarks, room), (0.5, 0), offset=(0, -35), **below)


def _draw_step(step: Step, y: int, limits: tuple[float, float], ax: Axes) -> None:
    color = (HELPS if step.improves else HURTS) if step.shown else MUTED
    body: dict[str, Any] = {"facecolor": color, "alpha": 0.55} if step.shown else {"facecolor": "none"}
    hatch = "////" if step.shown and not step.improves else None
    left, right = sorted((step.start, step.end))
    ax.barh(y, right - left, left=left, height=0.56, edgecolor=color, linewidth=0.8, hatch=hatch, zorder=2, **body)
    if not math.isnan(step.low):
        ends = [max(step.low, limits[0]), min(step.high, limits[1])]
        ax.plot(ends, [y, y], color=INK, linewidth=1.1, solid_capstyle="butt", zorder=3)


@figure_of("ablation")
def ablation_view(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> View:
    """The division of the advantage of the last levels of all factors over the first ones."""
    if methods is not None and len(methods) != 1:
        raise InputError(f"an ablation is that of one method, or of all: name one method, got {len(methods)}")
    found = results.ablation(measure, method=methods[0] if methods else None, dataset=dataset)
    return View(str(found.to_table()), ablation_figure(found))


ROBUST_WIDTH, HEIGHT = 3.4, 2.8
LONGEST_SETTING = 46


@dataclass(frozen=True, slots=True)
class RobustPoint:
    """A setting: its mean and its worst quarter, as differences that are positive where better."""

    name: str
    mean: float
    worst: float


@dataclass(frozen=True, slots=True)
class RobustPoints(FigureData):
    """All that the figure shows: a point for each setting, the recommended one and the one with the best mean."""

    points: tuple[RobustPoint, ...]
    chosen: int
    best_mean: int
    criterion: str
    labels: tuple[str, str]
    limits: tuple[tuple[float, float], tuple[float, float]]


def robust_points(answer: RobustSetting) -> RobustPoints:
    """The data of the figure: up and right is better."""
    found = answer.found
    means, worst = found.values["mean"].tolist(), found.values["worst quarter"].tolist()
    points = tuple(RobustPoint(*row) for row in zip(found.names, means, worst, strict=True))
    unit = f"log {answer.words.name}" if answer.as_ratio else answer.words.name
    return RobustPoints(
        points=points,
        chosen=found.chosen,
        best_mean=found.best_by("mean"),
        criterion=found.criterion,
        labels=(f"mean gain in {unit}", f"gain in {unit}, worst quarter of data sets"),
        limits=(axis_limits([0.0, *means]), axis_limits([0.0, *worst])),
    )


def robust_setting_figure(answer: RobustSetting) -> Figure:
    """The figure with its two settings named below."""
    return fitted_figure(ROBUST_WIDTH, HEIGHT, partial(draw_robust_setting, robust_points(answer)))


def draw_robust_setting(data: RobustPoints, ax: Axes) -> None:
    """Draw the points; gains are those over the mean of all settings on the same data set."""
    box_axes(ax, data.limits, data.labels)
    for value, line in ((0.0, ax.axvline), (0.0, ax.axhline)):
        line(value, color=MUTED, linewidth=0.8, linestyle=(0, (3, 2)), zorder=1)
    for i, point in enumerate(data.points):
        if i not in (data.chosen, data.best_mean):
            ax.plot([point.mean], [point.worst], "o", color=MUTED, markersize=4, alpha=0.7, zorder=2)
    texts = []
    for i, marker, color, what in _named(data):
        point = data.points[i]
        ax.plot([point.mean], [point.worst], marker, color=color, markersize=8, markeredgecolor=INK, zorder=3)
        texts.append((what, color, marker, point.name))
    for row, (what, color, marker, name) in enumerate(texts):
        y = -38 - 13 * row
        write(ax, {"D": "◆", "s": "■"}[marker], (0, 0), offset=(0, y), at="axes fraction", color=color, va="top")
        text = f"{what}: {shorten(name, LONGEST_SETTING)}"
        write(ax, text, (0, 0), offset=(14, y), at="axes fraction", size=SMALL, va="top")
    remark = "gains over the mean of all settings on the same data set"
    y = -38 - 13 * len(texts)
    write(ax, remark, (0, 0), offset=(0, y), at="axes fraction", size=SMALL, color=MUTED, va="top")


def _named(data: RobustPoints) -> list[tuple[int, str, str, str]]:
    """The settings that are named: number, marker, colour, and why."""
    if data.chosen == data.best_mean:
        return [(data.chosen, "D", PALETTE[0], "recommended, also the best mean")]
    recommended = f"recommended by {data.criterion}"
    return [(data.chosen, "D", PALETTE[0], recommended), (data.best_mean, "s", PALETTE[1], "best mean")]


@figure_of("robust_setting")
def robust_setting_view(results: Results, *, measure: str | None = None, methods: Sequence[str] | None = None) -> View:
    """The mean of each setting against its worst quarter."""
    if methods is not None and len(methods) != 1:
        raise InputError(f"settings are those of one method, or of all: name one method, got {len(methods)}")
    found = results.robust_setting(measure, method=methods[0] if methods else None)
    return View(str(found.to_table()), robust_setting_figure(found))
