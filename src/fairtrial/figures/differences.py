"""Differences of all methods from one, the best or the control, with intervals: how large are they, do they matter?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.figures.fitting import fewer_ticks, figure_of_labels, figure_of_width, name_labels, with_remarks
from fairtrial.figures.inputs import axis_limits, check_intervals, number_row, some_names
from fairtrial.figures.interval_bars import GOES_ON, draw_bar
from fairtrial.figures.style import (
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
from fairtrial.tables.render_json import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AXES_WIDTH = 3.8
ROOM_FOR_NUMBERS = 5.0  # inches of a figure that has room for numbers beside the intervals
MANY = 25  # rows, from which on they are closer


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One method: its difference from the reference, as numbers and as it is written."""

    name: str
    estimate: float
    low: float
    high: float
    text: str
    mark: str


@dataclass(frozen=True, slots=True)
class DifferencesData:
    """All that the plot shows: rows from top to bottom, the line of no difference, the band that doesn't matter."""

    rows: tuple[DifferenceRow, ...]
    reference: str
    quantity: str
    null: float
    band: tuple[float, float] | None
    ratio: bool
    higher_is_better: bool | None
    level: float
    limits: tuple[float, float]
    marked: str = ""

    @property
    def label(self) -> str:
        """The text under the axis."""
        return f"{self.quantity}, against {shorten(self.reference)}"

    @property
    def remarks(self) -> str:
        """The meaning of lines, dots, marks and band."""
        intervals = any(row.low == row.low for row in self.rows)
        beyond = any(row.low < self.limits[0] or row.high > self.limits[1] for row in self.rows)
        marks = sorted({row.mark for row in self.rows if row.mark})
        found = (
            f"lines: {100 * self.level:g} % intervals" if intervals else "",
            GOES_ON if beyond else "",
            f"{' '.join(marks)} and filled dot: {self.marked}" if marks and self.marked else "",
            "hollow dot: not distinguishable" if self.marked and any(not row.mark for row in self.rows) else "",
            "shaded: too small to matter" if self.band is not None else "",
        )
        return " · ".join(filter(None, found))

    @property
    def words(self) -> str:
        """What the plot shows, as text: each method with its difference, interval and mark."""
        rows = "; ".join(f"{row.name} {row.text} {row.mark}".rstrip() for row in self.rows)
        legend = f" ({self.remarks})" if self.remarks else ""
        return f"{self.quantity}, against {self.reference}: {rows}{legend}."

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]


def differences_data(
    names: Sequence[str],
    reference: str,
    estimates: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    *,
    quantity: str,
    smallest_difference: float | None = None,
    marks: Sequence[str] = (),
    ratio: bool = False,
    higher_is_better: bool | None = None,
    level: float = 0.95,
    marked: str = "",
) -> DifferencesData:
    """The data of a forest plot of differences "method minus reference", or of ratios "method over reference".

    ``smallest_difference`` δ makes the band of differences that don't matter: ±δ around 0 or, for ratios
    (``ratio=True``: no difference is 1, log axis), from 1/(1 + δ) to 1 + δ. ``marks`` are put behind the numbers, one
    for each method, such as ``"*"``; ``marked`` says what they mean, and then the dots of methods without one
    are hollow. With ``higher_is_better`` the two sides are called better and worse.

    >>> data = differences_data(["forest", "bayes"], "boosting", [-0.008, -0.063], [-0.015, -0.099], [-0.002, -0.030],
    ...                         quantity="difference of accuracy", smallest_difference=0.01, marks=["*", "*"])
    >>> [row.text for row in data.rows]
    ['−0.008 [−0.015, −0.002]', '−0.063 [−0.099, −0.030]']
    >>> data.band, data.label
    ((-0.01, 0.01), 'difference of accuracy, against boosting')
    """
    labels = some_names("names", names)
    check_level(level)
    k = len(labels)
    columns = [number_row(name, values, k) for name, values in (("estimates", estimates), ("low", low), ("high", high))]
    check_intervals(columns[1], columns[2])
    if ratio and any(value <= 0 for value in columns[0]):
        raise InputError(f"estimates must be above 0 when they are ratios, got {min(columns[0])!r}")
    if marks and len(marks) != k:
        raise InputError(f"marks must be {k} texts, one for each name, got {len(marks)}")
    null = 1.0 if ratio else 0.0
    band = band_of(smallest_difference, ratio=ratio)
    limits = axis_limits([*columns[0], *columns[1], *columns[2], null, *(band or ())], log=ratio)
    write_row = _writer(columns, ratio=ratio)
    rows = tuple(
        DifferenceRow(name, estimate, a, b, write_row(estimate, a, b), mark)
        for name, estimate, a, b, mark in zip(labels, *columns, marks or [""] * k, strict=True)
    )
    return DifferencesData(rows, reference, quantity, null, band, ratio, higher_is_better, level, limits, marked)


def band_of(smallest: float | None, *, ratio: bool) -> tuple[float, float] | None:
    """The band of differences, or ratios, that are too small to matter."""
    if smallest is None:
        return None
    if not 0 < smallest < math.inf:
        raise InputError(f"smallest_difference must be above 0, got {smallest!r}; leave it out when all matter")
    return (1 / (1 + smallest), 1 + smallest) if ratio else (-smallest, smallest)


def _writer(columns: Sequence[Sequence[float]], *, ratio: bool) -> Callable[[float, float, float], str]:
    """The function that writes the numbers of a row, with the decimals that the largest number needs."""
    largest = max((abs(v) for column in columns for v in column if math.isfinite(v)), default=0.0) or 1.0
    size = math.floor(math.log10(largest))
    usual = formats.enough(max(2 - size, 0) if size >= 0 else max(1 - size, 3), sign=True)
    one = formats.over(usual, [v for column in columns for v in column])
    if ratio:
        one = formats.fixed(2) if min(columns[0]) >= 0.1 and size < 3 else formats.significant(3)

    def text(estimate: float, low: float, high: float) -> str:
        return f"{one(estimate)} [{one(low)}, {one(high)}]" if low == low and high == high else one(estimate)

    return text


def differences_figure(data: DifferencesData, width: float | None = None) -> Figure:
    """The plot as a Figure whose height follows from the number of methods.

    ``width`` is that of the whole figure in inches; without it the figure is as wide as its labels need, up to a page.
    """
    k = len(data.rows)
    height = (0.24 if k < MANY else 0.17) * k + 0.12
    draw = partial(draw_differences, data, numbers=width is None or width >= ROOM_FOR_NUMBERS)
    figure = figure_of_labels(AXES_WIDTH, height, draw) if width is None else figure_of_width(width, height, draw)
    return with_remarks(figure, (data.remarks,)) if data.remarks else figure


def draw_differences(data: DifferencesData, ax: Axes, *, numbers: bool = True) -> None:
    """Draw the plot; names are to the left of the Axes, numbers and marks, or marks alone, to the right."""
    k = len(data.rows)
    value_axis(ax, data.limits, log=data.ratio)
    fewer_ticks(ax, log=data.ratio)
    ax.set_ylim(k - 0.25, -0.75)
    ax.set_yticks(range(k), name_labels([row.name for row in data.rows]), parse_math=False, usetex=False)
    ax.tick_params(axis="y", labelsize=SMALL if k >= MANY else None)
    if data.band is not None:
        ax.axvspan(*data.band, color=INK, alpha=0.09, linewidth=0, zorder=0)
    ax.axvline(data.null, color=INK, linewidth=1.0, zorder=1.5)
    for y, row in enumerate(data.rows):
        _draw_row(row, y, ax, hollow=bool(data.marked) and not row.mark)
        text = f"{row.text if numbers else ''} {shorten(row.mark)}".strip()
        write(ax, text, (1, y), offset=(10, 0), at=ax.get_yaxis_transform(), size=SMALL)
    _draw_sides(data, ax)
    label = wrap((data.label,), int(size_in_inches(ax)[0] * 15))
    write(ax, label, (0.5, 0), offset=(0, -20), ha="center", va="top", at="axes fraction")


def _draw_row(row: DifferenceRow, y: int, ax: Axes, *, hollow: bool) -> None:
    draw_bar((row.low, y, row.high, y), ax, PALETTE[0], width=1.6)
    if row.estimate == row.estimate:
        face = "white" if hollow else PALETTE[0]
        style: dict[str, Any] = {"markerfacecolor": face, "markersize": 5.5, "markeredgewidth": 1.2, "zorder": 3}
        ax.plot([row.estimate], [y], "o", color=PALETTE[0], **style)


def _draw_sides(data: DifferencesData, ax: Axes) -> None:
    """Write which side is better, above the line of no difference."""
    if data.higher_is_better is None:
        return
    left, right = ("← worse", "better →") if data.higher_is_better else ("← better", "worse →")
    at = ax.get_xaxis_transform()
    write(ax, left, (data.null, 1), offset=(-5, 3), ha="right", va="bottom", at=at, size=SMALL, color=MUTED)
    write(ax, right, (data.null, 1), offset=(5, 3), ha="left", va="bottom", at=at, size=SMALL, color=MUTED)
