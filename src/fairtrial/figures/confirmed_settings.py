"""Settings on rows that were held back against the rows that were searched, and what a surface predicted."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError
from fairtrial.experiments import Confirmation
from fairtrial.figures.inputs import axis_limits
from fairtrial.figures.style import INK, MUTED, PALETTE, SMALL, box_axes, fitted_figure, legend_beside, wrap, write
from fairtrial.tables.render_json import plain
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDE = 3.0


@dataclass(frozen=True, slots=True)
class ConfirmationData:
    """Points (searched, held back) of all settings, the number of the best one, and the prediction of the surface."""

    runs: tuple[tuple[float, float], ...]
    best: int
    predicted: tuple[float, float, float]
    confirmed: float
    label: str
    limits: tuple[float, float]
    remarks: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]


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
    return fitted_figure(SIDE, SIDE, partial(draw_confirmation, confirmation_data(found)), keep_shape=True)


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
