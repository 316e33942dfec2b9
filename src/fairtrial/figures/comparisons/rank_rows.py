"""Rank intervals: a row for each method, with the ranks that the tests do not rule out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.figures.drawing.fitting import figure_of_width, name_labels, with_remarks
from fairtrial.figures.drawing.inputs import FigureData, check_intervals, number_row, some_names
from fairtrial.figures.drawing.style import INK, PALETTE, SMALL, value_axis, write
from fairtrial.words import from_to, listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 7.0
FEW, MANY = 0.24, 0.15  # the height of a row in inches, where there are few and where there are many
BETWEEN = (15, 40)  # numbers of methods between which the height changes


@dataclass(frozen=True, slots=True)
class RankRow:
    """One method: its rank by the estimated differences, and the interval of ranks that are not ruled out."""

    name: str
    rank: float
    low: int
    high: int

    @property
    def text(self) -> str:
        """The interval as it is written."""
        return from_to(self.low, self.high)


@dataclass(frozen=True, slots=True)
class RanksData(FigureData):
    """All that the plot shows: rows from best to worst, and by which tests ranks are ruled out."""

    rows: tuple[RankRow, ...]
    tested: str
    note: str = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """The meaning of lines and dots."""
        lines = "Line: the ranks that the tests do not rule out; dot: the rank by the estimated differences; 1 is best."
        return (lines, *(text for text in (self.tested, self.note) if text))

    @property
    def words(self) -> str:
        """What the figure shows, as text: for whom rank 1 is not ruled out, and the interval of each method."""
        first = [row.name for row in self.rows if row.low == 1]
        rows = "; ".join(f"{row.name} {row.text}" for row in self.rows)
        may = f"Rank 1 is not ruled out for {listed(first, None)}, of {plural(len(self.rows), 'method')}."
        return f"{may} Ranks that the tests do not rule out: {rows}."


def ranks_data(
    names: Sequence[str],
    ranks: npt.ArrayLike,
    intervals: Sequence[tuple[int, int]],
    *,
    tested: str = "",
    note: str = "",
) -> RanksData:
    """The data of a plot of rank intervals; rows are sorted by the low end of the interval, its high end and the rank.

    ``ranks`` are ranks by the estimates, which may be halves where methods are tied; ``intervals`` are such as
    :func:`fairtrial.stats.rank_intervals` gives, both ends included. ``tested`` says which tests rule ranks out.

    >>> data = ranks_data(["A", "B", "C"], [3, 1.5, 1.5], [(2, 3), (1, 2), (1, 3)])
    >>> [(row.name, row.text) for row in data.rows]
    [('B', '1–2'), ('C', '1–3'), ('A', '2–3')]
    """
    labels = some_names("names", names)
    k = len(labels)
    places = number_row("ranks", ranks, k)
    if len(intervals) != k:
        raise InputError(f"intervals must be {k} pairs of ranks, one for each name, got {len(intervals)}")
    check_intervals([low for low, _ in intervals], [high for _, high in intervals])
    for name, place, (low, high) in zip(labels, places, intervals, strict=True):
        if not 1 <= low <= place <= high <= k:
            raise InputError(
                f"the rank of each method must lie in its interval, and both between 1 and {k}, the number of "
                f"methods; got rank {place:g} and interval {low} to {high} for {name!r}"
            )
    rows = [RankRow(n, p, int(a), int(b)) for n, p, (a, b) in zip(labels, places, intervals, strict=True)]
    return RanksData(tuple(sorted(rows, key=lambda row: (row.low, row.high, row.rank))), tested, note)


def ranks_figure(data: RanksData, width: float = WIDTH) -> Figure:
    """The plot as a Figure of this width in inches, whose height follows from the number of methods."""
    figure = figure_of_width(width, row_height(len(data.rows)) * len(data.rows) + 0.1, partial(draw_ranks, data))
    return with_remarks(figure, data.remarks)


def row_height(rows: int) -> float:
    """The height of a row, in inches: less for many rows, but always enough for text of 8 points.

    >>> row_height(5), row_height(60)
    (0.24, 0.15)
    """
    share = (min(max(rows, BETWEEN[0]), BETWEEN[1]) - BETWEEN[0]) / (BETWEEN[1] - BETWEEN[0])
    return FEW + share * (MANY - FEW)


def draw_ranks(data: RanksData, ax: Axes) -> None:
    """Draw the plot; names are to the left of the Axes, the intervals in numbers to the right."""
    k = len(data.rows)
    value_axis(ax, (0.5, k + 0.5), log=False)
    ax.set_xticks(rank_ticks(k))
    ax.set_ylim(k - 0.4, -0.6)
    ax.set_yticks(range(k), name_labels([row.name for row in data.rows]), parse_math=False, usetex=False)
    ax.tick_params(axis="y", labelsize=SMALL if k > BETWEEN[0] else None)
    best = [row for row in data.rows if row.low == 1]
    for y, row in enumerate(data.rows):
        color = PALETTE[0] if row in best else INK
        ax.plot([row.low - 0.3, row.high + 0.3], [y, y], color=color, linewidth=2.2, solid_capstyle="butt", zorder=2)
        ax.plot([row.rank], [y], "o", color=color, markersize=4.5, markeredgecolor="white", markeredgewidth=0.6)
        write(ax, row.text, (1, y), offset=(8, 0), at=ax.get_yaxis_transform(), size=SMALL)
    if len(best) < k:
        ax.axhline(len(best) - 0.5, color=INK, linewidth=0.8, linestyle=(0, (3, 2)), zorder=1)
    may = f"rank 1 is not ruled out: {plural(len(best), 'method')}"
    write(ax, may, (0, 1), offset=(2, 4), va="bottom", at="axes fraction", size=SMALL, color=PALETTE[0])
    write(ax, "rank", (0.5, 0), offset=(0, -20), ha="center", va="top", at="axes fraction")


def rank_ticks(k: int) -> list[int]:
    """The ranks on an axis: all of a few; of many the first, the last and round ones.

    >>> rank_ticks(4), rank_ticks(23)
    ([1, 2, 3, 4], [1, 5, 10, 15, 20, 23])
    """
    if k <= 15:
        return list(range(1, k + 1))
    step = 5 if k <= 40 else 10 if k <= 100 else 10 ** (len(str(k)) - 1) // 2
    return [1, *(r for r in range(step, k, step) if k - r > step / 3), k]
