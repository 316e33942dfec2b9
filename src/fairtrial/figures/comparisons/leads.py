"""Leads of methods over the best of the others, or over a control, with intervals: which is best, by how much?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.figures.comparisons.rank_rows import row_height
from fairtrial.figures.drawing.fitting import (
    GOES_ON,
    draw_bar,
    fewer_ticks,
    figure_of_labels,
    figure_of_width,
    name_labels,
    with_remarks,
)
from fairtrial.figures.drawing.inputs import FigureData, axis_limits, check_intervals, number_row, some_names
from fairtrial.figures.drawing.style import (
    FONT_SIZE,
    INK,
    MUTED,
    PALETTE,
    SMALL,
    shorten,
    size_in_inches,
    value_axis,
    wrap,
    write,
)
from fairtrial.stats.outcome import check_level
from fairtrial.tables import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AXES_WIDTH = 4.4
AHEAD, BEHIND = ("best", "better"), ("out", "worse")
"""The marks of methods that are drawn strong, and of those that are grey."""


@dataclass(frozen=True, slots=True)
class LeadRow:
    """One method: its lead as numbers and as it is written, how it stands, and whether an end is one by decision."""

    name: str
    lead: float
    low: float
    high: float
    text: str
    mark: str
    closed: bool = False


@dataclass(frozen=True, slots=True)
class LeadsData(FigureData):
    """All that the plot shows: rows from top to bottom, the line of no lead, the band that doesn't matter."""

    rows: tuple[LeadRow, ...]
    quantity: str
    null: float
    band: tuple[float, float] | None
    ratio: bool
    higher_is_better: bool
    level: float
    limits: tuple[float, float]
    hold: str = ""
    note: str = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """The meaning of lines, colours, ends and band."""
        beyond = any(row.low < self.limits[0] or row.high > self.limits[1] for row in self.rows)
        marks = {row.mark for row in self.rows}
        found = (
            f"Lines are {100 * self.level:g} % intervals{self.hold and f', {self.hold}'}."
            if any(row.low == row.low for row in self.rows) else "",
            "Grey: shown not to be the best." if "out" in marks else "",
            f"A bar at {self.null:g} ends the line of a method that is not better; by how much is not shown."
            if any(row.closed for row in self.rows) else "",
            f"{GOES_ON.capitalize()}." if beyond else "",
            "Leads in the shaded band are too small to matter." if self.band is not None else "",
            self.note,
        )  # fmt: skip
        return tuple(filter(None, found))

    @property
    def words(self) -> str:
        """What the plot shows, as text: each method with its lead, interval and mark."""
        rows = "; ".join(" ".join(filter(None, (row.name, row.text, row.mark))) for row in self.rows)
        return " ".join((f"{self.quantity[:1].upper()}{self.quantity[1:]}: {rows}.", *self.remarks))


def leads_data(
    names: Sequence[str],
    leads: npt.ArrayLike,
    intervals: Sequence[tuple[float, float] | None],
    *,
    quantity: str,
    marks: Sequence[str] = (),
    texts: Sequence[str] = (),
    band: tuple[float, float] | None = None,
    ratio: bool = False,
    higher_is_better: bool = True,
    level: float = 0.95,
    hold: str = "",
    note: str = "",
) -> LeadsData:
    """The data of a plot of leads, positive where a method is better; or of ratios, in the measure's own direction.

    A row without a lead (nan) or an interval (None) has only its name and mark. An interval that is a
    :class:`~fairtrial.tables.formats.ClosedAbove` or ``ClosedBelow`` has an end by decision, as tables print it. The
    marks ``"best"`` and ``"better"`` make a row strong, ``"out"`` and ``"worse"`` make it grey. ``texts`` are the leads
    and intervals as they are written, ``hold`` says for what the intervals hold, and ``band`` has the ends of what is
    too small to matter. ``higher_is_better`` says on which side of 1 a ratio is better.

    >>> from fairtrial.tables.formats import ClosedAbove
    >>> data = leads_data(["forest", "bayes"], [0.8, -3.8], [(-6.4, 10.7), ClosedAbove((-15.0, 0.0))],
    ...                   quantity="typical lead over the best of the others in accuracy", marks=["", "out"])
    >>> [(row.text, row.closed) for row in data.rows]
    [('0.800 [−6.40 … 10.7]', False), ('−3.80 [−15.0 … ≤ 0]', True)]
    """
    labels = some_names("names", names)
    check_level(level)
    k = len(labels)
    for what, given in (("intervals", intervals), ("marks", marks), ("texts", texts)):
        if len(given) != k and (given or what == "intervals"):
            raise InputError(f"{what} must be {k}, one for each name, got {len(given)}")
    own = number_row("leads", leads, k)
    if ratio and any(value <= 0 for value in own):
        raise InputError(f"leads must be above 0 when they are ratios, got {min(own)!r}")
    low, high = zip(*((math.nan, math.nan) if ends is None else ends for ends in intervals), strict=True)
    check_intervals(low, high)
    null = 1.0 if ratio else 0.0
    shown = texts or [_written(value, ends) for value, ends in zip(own, intervals, strict=True)]
    columns = zip(labels, own, low, high, shown, marks or [""] * k, intervals, strict=True)
    rows = (
        LeadRow(name, lead, a, b, text, mark, isinstance(ends, (formats.ClosedAbove, formats.ClosedBelow)))
        for name, lead, a, b, text, mark, ends in columns
    )
    limits = axis_limits([*own, *low, *high, null, *(band or ())], log=ratio)
    return LeadsData(tuple(rows), quantity, null, band, ratio, higher_is_better, level, limits, hold, note)


def _written(lead: float, ends: tuple[float, float] | None) -> str:
    write = formats.significant(3)
    return write(lead) if ends is None else f"{write(lead)} [{formats.ends(write)(ends)}]"


def leads_figure(data: LeadsData, width: float | None = None) -> Figure:
    """The plot as a Figure whose height follows from the number of methods.

    ``width`` is that of the whole figure in inches; without it the figure is as wide as its labels need, up to a page.
    """
    k = len(data.rows)
    height, draw = row_height(k) * k + 0.12, partial(draw_leads, data)
    figure = figure_of_labels(AXES_WIDTH, height, draw) if width is None else figure_of_width(width, height, draw)
    return with_remarks(figure, (" ".join(data.remarks),))


def draw_leads(data: LeadsData, ax: Axes) -> None:
    """Draw the plot; names are to the left of the Axes, marks to the right."""
    k = len(data.rows)
    value_axis(ax, data.limits, log=data.ratio)
    fewer_ticks(ax, log=data.ratio)
    ax.set_ylim(k - 0.25, -0.75)
    ax.set_yticks(range(k), name_labels([row.name for row in data.rows]), parse_math=False, usetex=False)
    ax.tick_params(axis="y", labelsize=SMALL if k > 15 else FONT_SIZE)
    if data.band is not None:
        ax.axvspan(*data.band, color=INK, alpha=0.09, linewidth=0, zorder=0)
    ax.axvline(data.null, color=INK, linewidth=1.0, zorder=1.5)
    for y, (row, label) in enumerate(zip(data.rows, ax.get_yticklabels(), strict=True)):
        strong, color = row.mark in AHEAD, MUTED if row.mark in BEHIND else PALETTE[0]
        label.set(color=MUTED if row.mark in BEHIND else INK, fontweight="bold" if strong else "normal")
        draw_bar((row.low, y, row.high, y), ax, color, width=2.4 if strong else 1.6)
        if row.closed:
            ax.plot([data.null], [y], "|", color=color, markersize=9, markeredgewidth=3.2, zorder=3)
        ax.plot([row.lead], [y], "o", color=color, markersize=6.5 if strong else 5, zorder=3)
        mark: dict[str, Any] = {"color": label.get_color(), "weight": label.get_fontweight()}
        write(ax, shorten(row.mark), (1, y), offset=(10, 0), at=ax.get_yaxis_transform(), size=SMALL, **mark)
    sides = ("← behind", "ahead →") if data.higher_is_better else ("← ahead", "behind →")
    above: dict[str, Any] = {"va": "bottom", "at": ax.get_xaxis_transform(), "size": SMALL, "color": MUTED}
    for text, ha, away in zip(sides, ("right", "left"), (-5, 5), strict=True):
        write(ax, text, (data.null, 1), offset=(away, 3), ha=ha, **above)  # type: ignore[arg-type]
    label_width = int(size_in_inches(ax)[0] * 15)
    write(ax, wrap((data.quantity,), label_width), (0.5, 0), offset=(0, -20), ha="center", va="top", at="axes fraction")
