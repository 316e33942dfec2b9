"""The critical-difference diagram: average ranks on a line, and bars that join methods that are not distinguishable."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from fairtrial.errors import InputError
from fairtrial.figures.inputs import number_row, some_names
from fairtrial.figures.style import INK, MUTED, SMALL, fitted_figure, short_names, size_in_inches, wrap, write
from fairtrial.tables import formats
from fairtrial.tables.render_json import plain
from fairtrial.words import listed, verb

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "CriticalDifferenceData",
    "GroupBar",
    "RankLabel",
    "Stretch",
    "critical_difference_data",
    "critical_difference_figure",
    "draw_critical_difference",
]

SAME = 9
"""The number of decimals to which ranks are compared; further decimals are rounding errors of sums."""

BAR_GAP = 0.03
"""The least distance of two bars on one level, as a share of the axis, so that they don't look like one bar."""


@dataclass(frozen=True, slots=True)
class RankLabel:
    """A method: where its line leaves the axis (``rank``), and where its label stands; row 0 is nearest to the axis."""

    name: str
    rank: float
    rank_text: str
    side: Literal["left", "right"]
    row: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of a bar between two neighbouring members; not ``solid`` where a method outside the group lies there."""

    start: float
    end: float
    solid: bool


@dataclass(frozen=True, slots=True)
class GroupBar:
    """A group of methods that are not distinguishable: a dot for each, and stretches between the dots.

    ``level`` 0 is nearest to the axis. ``shared`` are the dots where a method outside the group has the same rank; they
    are drawn hollow.
    """

    members: tuple[int, ...]
    level: int
    dots: tuple[float, ...]
    shared: tuple[float, ...]
    stretches: tuple[Stretch, ...]

    @property
    def start(self) -> float:
        return self.dots[0]

    @property
    def end(self) -> float:
        return self.dots[-1]


@dataclass(frozen=True, slots=True)
class CriticalDifferenceData:
    """All that the diagram shows. Labels are in the order given; members of bars are their indices, best first.

    ``caption`` says in words how to read it, and names each group whose bar passes a method outside the group.
    """

    labels: tuple[RankLabel, ...]
    bars: tuple[GroupBar, ...]
    critical_difference: float | None = None
    title: str = ""
    note: str = ""
    caption: tuple[str, ...] = ()

    @property
    def k(self) -> int:
        return len(self.labels)

    @property
    def levels(self) -> int:
        """The number of bars that lie one below the other."""
        return 1 + max((bar.level for bar in self.bars), default=-1)

    @property
    def rows(self) -> int:
        """The number of labels that stand one below the other."""
        return 1 + max(label.row for label in self.labels)

    @property
    def key(self) -> tuple[str, ...]:
        """The meaning of unusual signs, if there are any."""
        broken = any(not s.solid for bar in self.bars for s in bar.stretches)
        hollow = any(bar.shared for bar in self.bars)
        return (
            *(("dotted: the line passes a method that is not in its group",) if broken else ()),
            *(("hollow dot: a method outside the group has the same rank",) if hollow else ()),
        )

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]


def critical_difference_data(
    names: Sequence[str],
    ranks: Sequence[float],
    groups: Sequence[Sequence[int]],
    *,
    critical_difference: float | None = None,
    title: str = "",
    note: str = "",
) -> CriticalDifferenceData:
    """The data of a critical-difference diagram: where labels and bars stand.

    ``ranks`` are average ranks, 1 the best; ``groups`` are methods that are not distinguishable, as indices, such as
    :func:`fairtrial.stats.cliques` gives. The better half is labelled on the left, the worse on the right. Bars take as
    few levels as they can without overlapping.

    With pairwise tests a group needn't be a run of neighbours in rank. A plain bar would then lie across a method that
    does differ from members of the group; so each member has a dot, and the bar is thin and dotted wherever it passes
    a method from outside. Groups of fewer than two, and groups given twice, draw no bar.

    ``critical_difference`` is drawn as a measuring rod; give it for Nemenyi's test, where it decides.

    Reference: Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html (there with rank 1 on the right).

    >>> data = critical_difference_data(["A", "B", "C"], [1.2, 2.0, 2.8], [(0, 2)])
    >>> [(label.name, label.side, label.row, label.rank_text) for label in data.labels]
    [('A', 'left', 0, '1.20'), ('B', 'left', 1, '2.00'), ('C', 'right', 0, '2.80')]
    >>> data.bars[0].dots, data.bars[0].stretches
    ((1.2, 2.8), (Stretch(start=1.2, end=2.8, solid=False),))
    >>> print(data.caption[-1])
    The group of A and C does not include B, which lies between them.
    """
    labels = some_names("names", names, least=2)
    places = _places(ranks, len(labels))
    if critical_difference is not None and not 0 < critical_difference < math.inf:
        raise InputError(f"critical_difference must be a positive number, got {critical_difference!r}")
    bars = _bars(_distinct_groups(groups, len(labels)), places)
    caption = (_how_to_read(bars), *(text for bar in bars for text in _exceptions(bar, labels, places)))
    return CriticalDifferenceData(_labels(labels, places), bars, critical_difference, title, note, caption)


def _places(ranks: Sequence[float], k: int) -> tuple[float, ...]:
    places = tuple(round(rank, SAME) for rank in number_row("ranks", ranks, k))
    for rank in places:
        if not 1 <= rank <= k:
            raise InputError(f"ranks must lie between 1 and {k}, the number of methods, got {rank!r}")
    return places


def _distinct_groups(groups: Sequence[Sequence[int]], k: int) -> list[tuple[int, ...]]:
    distinct = dict.fromkeys(tuple(sorted(set(group))) for group in groups)
    for group in distinct:
        for i in group:
            if not 0 <= i < k:
                raise InputError(f"groups must hold indices from 0 to {k - 1}, got {i!r} in {group!r}")
    return [tuple(int(i) for i in group) for group in distinct if len(group) > 1]


def _labels(names: Sequence[str], places: Sequence[float]) -> tuple[RankLabel, ...]:
    k = len(names)
    order = sorted(range(k), key=lambda i: places[i])
    place_in_order = {i: n for n, i in enumerate(order)}
    texts = _rank_texts(places)
    labels = []
    for i, name in enumerate(names):
        n = place_in_order[i]
        left = n < (k + 1) // 2
        labels.append(RankLabel(name, places[i], texts[i], "left" if left else "right", n if left else k - 1 - n))
    return tuple(labels)


def _rank_texts(places: Sequence[float]) -> list[str]:
    """Ranks with two decimals, or with so many that unequal ranks never look equal."""
    for digits in range(2, SAME + 1):
        texts = [formats.fixed(digits)(place) for place in places]
        if len(set(texts)) == len(set(places)):
            break
    return texts


def _bars(groups: Sequence[tuple[int, ...]], places: Sequence[float]) -> tuple[GroupBar, ...]:
    """A bar for each group, on the first level with room; from left to right, which needs the fewest levels."""
    gap = BAR_GAP * (len(places) - 1)
    ordered = sorted(
        (tuple(sorted(group, key=lambda i: (places[i], i))) for group in groups),
        key=lambda group: (places[group[0]], -places[group[-1]], group),
    )
    ends: list[float] = []
    bars = []
    for group in ordered:
        start, end = places[group[0]], places[group[-1]]
        level = next((n for n, used in enumerate(ends) if used + gap < start), len(ends))
        ends[level : level + 1] = [end]
        bars.append(_bar(group, level, places))
    return tuple(bars)


def _bar(group: tuple[int, ...], level: int, places: Sequence[float]) -> GroupBar:
    outside = {places[i] for i in range(len(places)) if i not in group}
    dots = tuple(sorted({places[i] for i in group}))
    stretches = tuple(Stretch(a, b, solid=not any(a < place < b for place in outside)) for a, b in pairwise(dots))
    return GroupBar(group, level, dots, tuple(dot for dot in dots if dot in outside), stretches)


def _how_to_read(bars: Sequence[GroupBar]) -> str:
    if not bars:
        return "Average ranks, 1 is the best. All methods differ from each other."
    return "Average ranks, 1 is the best. Methods with a dot on the same line are not distinguishable."


def _exceptions(bar: GroupBar, names: Sequence[str], places: Sequence[float]) -> list[str]:
    """Sentences about methods that lie between members of a group, or have the rank of one, but aren't members."""
    members = listed((names[i] for i in bar.members), None)
    outside = [i for i in sorted(range(len(places)), key=lambda i: places[i]) if i not in bar.members]
    between = [names[i] for i in outside if bar.start < places[i] < bar.end and places[i] not in bar.shared]
    tied = [names[i] for i in outside if places[i] in bar.shared]
    sentences = []
    if between:
        lie = verb(len(between), "lies", "lie")
        sentences.append(f"The group of {members} does not include {listed(between, None)}, which {lie} between them.")
    if tied:
        have = verb(len(tied), "has", "have")
        sentences.append(
            f"The group of {members} does not include {listed(tied, None)}, which {have} the rank of a member."
        )
    return sentences


# Heights in inches from the axis, downwards; one unit of the Axes is one inch.
FIRST_BAR, BAR_STEP, AFTER_BARS, ROW = 0.13, 0.12, 0.1, 0.19
TICKS, ROD, ROD_TEXT = 0.3, 0.12, 0.2
EDGE = 0.04


def critical_difference_figure(data: CriticalDifferenceData) -> Figure:
    """The diagram as a Figure whose size follows from the number of methods and the length of their names."""
    top, bottom = _extent(data)
    return fitted_figure(min(max(2.8 + 0.11 * data.k, 3.4), 5.4), top + bottom, partial(draw_critical_difference, data))


def draw_critical_difference(data: CriticalDifferenceData, ax: Axes) -> None:
    """Draw the diagram; labels stand outside the Axes, to its left and right."""
    top, bottom = _extent(data)
    span = data.k - 1
    ax.set_axis_off()
    ax.set_xlim(1 - EDGE * span, data.k + EDGE * span)
    ax.set_ylim(-bottom, top)
    _draw_axis(data, ax)
    for label, name in zip(data.labels, short_names([label.name for label in data.labels]), strict=True):
        _draw_label(label, name, data, ax)
    for bar in data.bars:
        _draw_bar(bar, 5.2 if data.k <= 12 else 4.2, ax)
    if data.critical_difference is not None:
        _draw_rod(data.critical_difference, data.k, ax)
    if data.title:
        title = wrap((data.title,), int(size_in_inches(ax)[0] * 15))
        write(ax, title, (0.5, 1), offset=(0, 6), ha="center", va="bottom", at="axes fraction", size=10)
    remarks = wrap((*data.key, data.note), int(size_in_inches(ax)[0] * 22))
    if remarks:
        write(ax, remarks, (0.5, 0), offset=(0, -7), ha="center", va="top", at="axes fraction", size=SMALL, color=MUTED)


def _extent(data: CriticalDifferenceData) -> tuple[float, float]:
    top = TICKS + (ROD + ROD_TEXT if data.critical_difference is not None else 0.0)
    return top, _row_depth(data, data.rows - 1) + 0.09


def _row_depth(data: CriticalDifferenceData, row: int) -> float:
    bars = FIRST_BAR + data.levels * BAR_STEP if data.levels else FIRST_BAR
    return bars + AFTER_BARS + row * ROW


def _draw_axis(data: CriticalDifferenceData, ax: Axes) -> None:
    k = data.k
    ax.plot([1, k], [0, 0], color=INK, linewidth=1.0, solid_capstyle="projecting", clip_on=False)
    step = 1 if k <= 30 else 5
    for rank in range(1, k + 1):
        major = rank in (1, k) or rank % step == 0
        ax.plot([rank, rank], [0, 0.06 if major else 0.035], color=INK, linewidth=0.9, clip_on=False)
        if rank < k and k <= 12:
            ax.plot([rank + 0.5] * 2, [0, 0.035], color=INK, linewidth=0.7, clip_on=False)
        if major:
            write(ax, str(rank), (rank, 0.06), offset=(0, 2.5), ha="center", va="bottom", size=SMALL)
    write(ax, "← better", (1, 0), offset=(-12, 4), ha="right", size=SMALL, color=MUTED)
    write(ax, "average rank", (k, 0), offset=(12, 4), ha="left", size=SMALL, color=MUTED)


def _draw_label(label: RankLabel, name: str, data: CriticalDifferenceData, ax: Axes) -> None:
    y = -_row_depth(data, label.row)
    span = data.k - 1
    left = label.side == "left"
    edge = 1 - EDGE * span if left else data.k + EDGE * span
    sign = -1 if left else 1
    align: Literal["left", "right"] = "right" if left else "left"
    ax.plot([label.rank, label.rank, edge], [0, y, y], color=INK, linewidth=0.8, solid_joinstyle="miter", clip_on=False)
    rank_width = 0.66 * SMALL * (max(len(other.rank_text) for other in data.labels) - 0.5)
    write(ax, label.rank_text, (edge, y), offset=(4 * sign, 0), ha=align, size=SMALL, color=MUTED)
    write(ax, name, (edge, y), offset=((10 + rank_width) * sign, 0), ha=align)


def _draw_bar(bar: GroupBar, size: float, ax: Axes) -> None:
    y = -(FIRST_BAR + bar.level * BAR_STEP)
    for stretch in bar.stretches:
        xs, ys = [stretch.start, stretch.end], [y, y]
        if stretch.solid:
            ax.plot(xs, ys, color=INK, linewidth=2.6, solid_capstyle="butt", clip_on=False)
        else:
            ax.plot(xs, ys, color=INK, linewidth=1.0, linestyle=(0, (1, 1.6)), clip_on=False)
    for dot in bar.dots:
        face = "none" if dot in bar.shared else INK
        ax.plot([dot], [y], "o", color=INK, markerfacecolor=face, markersize=size, markeredgewidth=1.0, clip_on=False)


def _draw_rod(length: float, k: int, ax: Axes) -> None:
    """Draw the critical difference as a length above the axis; with an arrow if it is longer than the axis."""
    y = TICKS + ROD / 2
    end = min(1 + length, float(k))
    ax.plot([1, end], [y, y], color=INK, linewidth=1.2, clip_on=False)
    ax.plot([1], [y], "|", color=INK, markersize=7, markeredgewidth=1.2, clip_on=False)
    ax.plot([end], [y], "|" if 1 + length <= k else ">", color=INK, markersize=7, markeredgewidth=1.2, clip_on=False)
    write(ax, f"critical difference {formats.significant(3)(length)}", (1, y), offset=(0, 5), va="bottom", size=SMALL)
