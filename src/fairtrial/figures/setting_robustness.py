"""The most robust setting: the mean of each setting against its worst quarter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError
from fairtrial.figures.inputs import axis_limits
from fairtrial.figures.result_views import View, figure_of
from fairtrial.figures.style import INK, MUTED, PALETTE, SMALL, box_axes, fitted_figure, shorten, write
from fairtrial.tables.render_json import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.experiments import RobustSetting
    from fairtrial.results import Results

WIDTH, HEIGHT = 3.4, 2.8
LONGEST = 46


@dataclass(frozen=True, slots=True)
class RobustPoint:
    """A setting: its mean and its worst quarter, as differences that are positive where better."""

    name: str
    mean: float
    worst: float


@dataclass(frozen=True, slots=True)
class RobustPoints:
    """All that the figure shows: a point for each setting, the recommended one and the one with the best mean."""

    points: tuple[RobustPoint, ...]
    chosen: int
    best_mean: int
    criterion: str
    labels: tuple[str, str]
    limits: tuple[tuple[float, float], tuple[float, float]]

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]


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


def robust_setting_figure(data: RobustPoints) -> Figure:
    """The figure with its two settings named below."""
    return fitted_figure(WIDTH, HEIGHT, partial(draw_robust_setting, data))


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
        text = f"{what}: {shorten(name, LONGEST)}"
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
    return View(str(found.to_table()), robust_setting_figure(robust_points(found)))
