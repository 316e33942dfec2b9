"""The difference of two methods on each data set, with intervals, sorted, and the overall difference below them.

Differences of all methods from one, the best or the control, with intervals: how large are they, do they matter?
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
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
from fairtrial.figures.drawing.style import INK, MUTED, PALETTE, SMALL, shorten, size_in_inches, value_axis, wrap, write
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.tables import formats
from fairtrial.words import plural

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
class DifferencesData(FigureData):
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


WIDTH = 7.0
MOST_NAMED = 60  # data sets, beyond which rows are too thin for names
NAMED_ROW, THIN_ROW = 0.17, 0.036
NAMED_OF_MANY = 3  # data sets at each end that are named where there are too many for names
SEEN = 0.96  # the share of the ends of intervals that the axis covers; arrows stand for the others


@dataclass(frozen=True, slots=True)
class DatasetDifference:
    """The difference on one data set; nan at both ends where the splits allow no interval."""

    name: str
    estimate: float
    low: float
    high: float

    def clear_of(self, null: float) -> bool:
        """Whether there is an interval, and no difference lies outside it."""
        return self.low > null or self.high < null


@dataclass(frozen=True, slots=True)
class DatasetDifferencesData(FigureData):
    """All that the plot shows: data sets from the first method's best to its worst, and the overall interval."""

    rows: tuple[DatasetDifference, ...]
    first: str
    second: str
    quantity: str
    overall: Interval | None
    null: float
    band: tuple[float, float] | None
    ratio: bool
    higher_is_better: bool
    level: float
    limits: tuple[float, float]

    @property
    def counts(self) -> tuple[int, int, int]:
        """The numbers of data sets on which the first is better, neither is, and the second is better.

        Where there is a band of differences that are too small to matter, those in it count for neither.
        """
        low, high = self.band or (self.null, self.null)
        above, below = (sum(row.estimate > high for row in self.rows), sum(row.estimate < low for row in self.rows))
        wins, losses = (above, below) if self.higher_is_better else (below, above)
        return wins, len(self.rows) - wins - losses, losses

    @property
    def neither(self) -> str:
        """The word for data sets on which neither method is better."""
        return "equal" if self.band is None else "in the band"

    @property
    def has_intervals(self) -> bool:
        """Whether some data set has an interval."""
        return any(row.low == row.low for row in self.rows)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The meaning of dots, lines and band."""
        level = f"{100 * self.level:g} %"
        found = []
        if self.has_intervals:
            found.append(
                f"Lines: {level} interval on each data set by itself (t over splits, corrected for shared training "
                f"data); filled dot: {self.null:g} lies outside it, hollow dot: inside or no interval. At this level, "
                f"about {100 * (1 - self.level):g} % of data sets without a difference would have a filled dot."
            )
        if any(row.low < self.limits[0] or row.high > self.limits[1] for row in self.rows):
            found.append("Arrow: the interval goes on.")
        if self.band is not None:
            found.append("Grey band: too small to matter; numbers above count differences beyond it.")
        if self.overall is not None:
            half = (self.overall.high - self.overall.low) / 2
            write = formats.by_uncertainty(half) if 0 < half < math.inf else formats.significant(3)
            size = f"{write(self.overall.estimate)} [{write(self.overall.low)}, {write(self.overall.high)}]"
            found.append(f"Diamond: {self.overall.quantity} {size}, {level} interval ({self.overall.method}).")
        return (" ".join(found),) if found else ()

    @property
    def words(self) -> str:
        """What the plot shows, as text."""
        wins, ties, losses = self.counts
        equal = f", {self.neither} on {ties}" if ties else ""
        text = (
            f"{self.quantity}: {self.first} is better than {self.second} on {wins} of "
            f"{plural(len(self.rows), 'data set')}{equal}, worse on {losses}."
        )
        best, worst = self.rows[0], self.rows[-1]
        write = formats.significant(3)
        ends = f"It goes from {write(best.estimate)} on {best.name} to {write(worst.estimate)} on {worst.name}."
        return f"{text} {ends}{'' if self.overall is None else f' Overall: {self.overall}.'}"


def dataset_differences_data(
    datasets: Sequence[str],
    first: str,
    second: str,
    estimates: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    *,
    quantity: str,
    overall: Interval | None = None,
    smallest_difference: float | None = None,
    ratio: bool = False,
    higher_is_better: bool = True,
    level: float = 0.95,
) -> DatasetDifferencesData:
    """The data of a plot of differences "first minus second" (or ratios) on data sets, the first method's best on top.

    ``low`` and ``high`` are nan where a data set has no interval. ``overall`` is the difference over all data sets.

    >>> data = dataset_differences_data(["iris", "sonar"], "A", "B", [-0.01, 0.03], [-0.03, 0.01], [0.01, 0.05],
    ...                                 quantity="difference of accuracy")
    >>> [row.name for row in data.rows], data.counts
    (['sonar', 'iris'], (1, 0, 1))
    """
    names = some_names("datasets", datasets)
    check_level(level)
    columns = [number_row(n, v, len(names)) for n, v in (("estimates", estimates), ("low", low), ("high", high))]
    check_intervals(columns[1], columns[2])
    if any(not math.isfinite(value) or (ratio and value <= 0) for value in columns[0]):
        kind = "ratios above 0" if ratio else "finite differences"
        raise InputError(f"estimates must be {kind}, one for each data set, got {columns[0]!r}")
    rows = [DatasetDifference(*row) for row in zip(names, *columns, strict=True)]
    rows.sort(key=lambda row: row.estimate, reverse=higher_is_better)
    null, band = (1.0 if ratio else 0.0), band_of(smallest_difference, ratio=ratio)
    limits = _limits(rows, overall, null, band, ratio=ratio)
    return DatasetDifferencesData(
        tuple(rows), first, second, quantity, overall, null, band, ratio, higher_is_better, level, limits
    )


def _limits(
    rows: Sequence[DatasetDifference],
    overall: Interval | None,
    null: float,
    band: tuple[float, float] | None,
    *,
    ratio: bool,
) -> tuple[float, float]:
    """The ends of the axis: all estimates, and nearly all intervals, so that a few wide ones do not hide the others."""
    shown = [null, *(band or ()), *(row.estimate for row in rows)]
    shown += [] if overall is None else [overall.estimate, overall.low, overall.high]
    for ends, share in (([row.low for row in rows], 1 - SEEN), ([row.high for row in rows], SEEN)):
        finite = [end for end in ends if math.isfinite(end) and (end > 0 or not ratio)]
        if finite:
            shown.append(float(np.quantile(finite, share)))
    return axis_limits(shown, log=ratio)


def dataset_differences_figure(data: DatasetDifferencesData, width: float = WIDTH) -> Figure:
    """The plot as a Figure of this width in inches, whose height follows from the number of data sets."""
    n = len(data.rows)
    height = n * (NAMED_ROW if n <= MOST_NAMED else THIN_ROW) + (0.35 if data.overall is not None else 0.1)
    return with_remarks(figure_of_width(width, height, partial(draw_dataset_differences, data)), data.remarks)


def draw_dataset_differences(data: DatasetDifferencesData, ax: Axes) -> None:
    """Draw the plot; names of data sets are to the left of the Axes."""
    n, named = len(data.rows), len(data.rows) <= MOST_NAMED
    row = NAMED_ROW if named else THIN_ROW
    value_axis(ax, data.limits, log=data.ratio)
    fewer_ticks(ax, log=data.ratio)
    ax.set_ylim(n - 0.4 + (0.3 / row if data.overall is not None else 0), -0.6)
    if data.band is not None:
        ax.axvspan(*data.band, color=INK, alpha=0.09, linewidth=0, zorder=0)
    ax.axvline(data.null, color=INK, linewidth=1.0, zorder=1.5)
    for y, one in enumerate(data.rows):
        _draw_dataset(one, y, data, ax, 4.2 if named else 2.6)
    _draw_names(data, ax)
    _draw_overall(data, n - 0.5 + 0.17 / row, ax)
    _draw_heading(data, ax)


def _draw_dataset(one: DatasetDifference, y: float, data: DatasetDifferencesData, ax: Axes, size: float) -> None:
    sign = 1 if data.higher_is_better else -1
    color = PALETTE[0] if sign * (one.estimate - data.null) > 0 else PALETTE[1]
    low, high = data.band or (data.null, data.null)
    if low <= one.estimate <= high:
        color = MUTED
    draw_bar((one.low, y, one.high, y), ax, color, width=1.2 if size > 3 else 0.8)
    face = color if one.clear_of(data.null) or not data.has_intervals else "white"
    ax.plot([one.estimate], [y], "o", color=color, markerfacecolor=face, markersize=size, markeredgewidth=1.0, zorder=3)


def _draw_names(data: DatasetDifferencesData, ax: Axes) -> None:
    """Write the names; of very many data sets only those at both ends, with lines to their rows."""
    labels = name_labels([one.name for one in data.rows])
    n, at = len(labels), ax.get_yaxis_transform()
    ax.set_yticks([])
    if n <= MOST_NAMED:
        for i, label in enumerate(labels):
            write(ax, label, (0, i), offset=(-6, 0), ha="right", at=at, size=SMALL)
        return
    apart = 0.15 / THIN_ROW
    for i in range(NAMED_OF_MANY):
        for row, y in ((i, i * apart), (n - 1 - i, n - 1 - i * apart)):
            write(ax, labels[row], (-0.03, y), offset=(-2, 0), ha="right", at=at, size=SMALL)
            ax.plot([-0.028, -0.004], [y, row], color=MUTED, linewidth=0.6, transform=at, clip_on=False)
    others = f"{n - 2 * NAMED_OF_MANY} others"
    write(ax, others, (-0.03, n / 2), offset=(-2, 0), ha="right", at=at, size=SMALL, color=MUTED)


def _draw_overall(data: DatasetDifferencesData, y: float, ax: Axes) -> None:
    if data.overall is None:
        return
    draw_bar((data.overall.low, y, data.overall.high, y), ax, INK, width=2.2)
    ax.plot([data.overall.estimate], [y], "D", color=INK, markersize=6, markeredgewidth=0, zorder=3)
    write(ax, "overall", (0, y), offset=(-6, 0), ha="right", at=ax.get_yaxis_transform(), size=SMALL, weight="bold")


def _draw_heading(data: DatasetDifferencesData, ax: Axes) -> None:
    """Write on which side which method is better, and on how many data sets; long names stand on two lines."""
    wins, ties, losses = data.counts
    first, second = (f"{shorten(name)} better: {n}" for name, n in ((data.first, wins), (data.second, losses)))
    sides = ((second, PALETTE[1]), (first, PALETTE[0]))
    left, right = sides if data.higher_is_better else sides[::-1]
    equal = f"{data.neither}: {ties}" if ties else ""
    wide = size_in_inches(ax)[0]
    up = 15 if (len(first) + len(second) + len(equal) + 12) * 0.62 * SMALL / 72 > wide else 4
    if up > 4 and equal:
        right, equal = (f"{right[0]}, {equal}", right[1]), ""
    above: dict[str, Any] = {"va": "bottom", "at": "axes fraction", "size": SMALL}
    write(ax, f"← {left[0]}", (0, 1), offset=(0, 4), color=left[1], weight="bold", **above)
    write(ax, f"{right[0]} →", (1, 1), offset=(0, up), ha="right", color=right[1], weight="bold", **above)
    if equal:
        write(ax, equal, (0.5, 1), offset=(0, 4), ha="center", **above)
    label = f"{data.quantity}, {shorten(data.first)} {'over' if data.ratio else 'minus'} {shorten(data.second)}"
    text = wrap((label,), int(wide * 15))
    write(ax, text, (0.5, 0), offset=(0, -20), ha="center", va="top", at="axes fraction")
