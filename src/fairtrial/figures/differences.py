"""Differences of all methods from one, the best or the control, with intervals: how large are they, do they matter?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.figures.inputs import axis_limits, check_intervals, number_row, some_names
from fairtrial.figures.style import (
    INK,
    MUTED,
    PALETTE,
    SMALL,
    fitted_figure,
    short_names,
    shorten,
    value_axis,
    value_axis_label,
    write,
)
from fairtrial.stats.outcome import check_level
from fairtrial.tables import formats
from fairtrial.tables.render_json import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["DifferenceRow", "DifferencesData", "differences_data", "differences_figure", "draw_differences"]


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

    @property
    def label(self) -> str:
        """The text under the axis."""
        return f"{self.quantity}, against {shorten(self.reference)}"

    @property
    def remarks(self) -> str:
        """The meaning of the lines and of the band."""
        intervals = any(row.low == row.low for row in self.rows)
        band = "" if self.band is None else "shaded: too small to matter"
        return " · ".join(filter(None, (f"lines: {100 * self.level:g} % intervals" if intervals else "", band)))

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
) -> DifferencesData:
    """The data of a forest plot of differences "method minus reference", or of ratios "method over reference".

    ``smallest_difference`` δ makes the band of differences that don't matter: ±δ around 0 or, for ratios
    (``ratio=True``: no difference is 1, log axis), from 1/(1 + δ) to 1 + δ. ``marks`` are put behind the numbers, one
    for each method, such as ``"*"``. With ``higher_is_better`` the two sides are called better and worse.

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
    band = _band(smallest_difference, ratio=ratio)
    limits = axis_limits([*columns[0], *columns[1], *columns[2], null, *(band or ())], log=ratio)
    write_row = _writer(columns, ratio=ratio)
    rows = tuple(
        DifferenceRow(name, estimate, a, b, write_row(estimate, a, b), mark)
        for name, estimate, a, b, mark in zip(labels, *columns, marks or [""] * k, strict=True)
    )
    return DifferencesData(rows, reference, quantity, null, band, ratio, higher_is_better, level, limits)


def _band(smallest: float | None, *, ratio: bool) -> tuple[float, float] | None:
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


def differences_figure(data: DifferencesData) -> Figure:
    """The plot as a Figure whose height follows from the number of methods."""
    return fitted_figure(3.8, 0.24 * len(data.rows) + 0.12, partial(draw_differences, data))


def draw_differences(data: DifferencesData, ax: Axes) -> None:
    """Draw the plot; names are to the left of the Axes, the numbers to the right."""
    k = len(data.rows)
    value_axis(ax, data.limits, log=data.ratio)
    ax.set_ylim(k - 0.25, -0.75)
    ax.set_yticks(range(k), short_names([row.name for row in data.rows]), parse_math=False, usetex=False)
    if data.band is not None:
        ax.axvspan(*data.band, color=INK, alpha=0.09, linewidth=0, zorder=0)
    ax.axvline(data.null, color=INK, linewidth=1.0, zorder=1.5)
    for y, row in enumerate(data.rows):
        _draw_row(row, y, data.limits, ax)
    _draw_sides(data, ax)
    value_axis_label(ax, data.label, data.remarks)


def _draw_row(row: DifferenceRow, y: int, limits: tuple[float, float], ax: Axes) -> None:
    if row.low == row.low and row.high == row.high:
        ends = [max(row.low, limits[0]), min(row.high, limits[1])]
        ax.plot(ends, [y, y], color=PALETTE[0], linewidth=1.6, solid_capstyle="butt", zorder=2)
    if row.estimate == row.estimate:
        ax.plot([row.estimate], [y], "o", color=PALETTE[0], markersize=5.5, markeredgewidth=0, zorder=3)
    at = ax.get_yaxis_transform()
    write(ax, f"{row.text} {shorten(row.mark)}".rstrip(), (1, y), offset=(10, 0), at=at, size=SMALL)


def _draw_sides(data: DifferencesData, ax: Axes) -> None:
    """Write which side is better, above the line of no difference."""
    if data.higher_is_better is None:
        return
    left, right = ("← worse", "better →") if data.higher_is_better else ("← better", "worse →")
    at = ax.get_xaxis_transform()
    write(ax, left, (data.null, 1), offset=(-5, 3), ha="right", va="bottom", at=at, size=SMALL, color=MUTED)
    write(ax, right, (data.null, 1), offset=(5, 3), ha="left", va="bottom", at=at, size=SMALL, color=MUTED)
