"""The critical-difference diagram: average ranks on a line, and bars that join methods that are not distinguishable.

Drawing of the critical-difference diagram, of all pairs or around a control.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.drawing.fitting import (
    CLOSE,
    LONGEST_NAME,
    PAGE,
    figure_of_labels,
    figure_of_width,
    name_labels,
    with_remarks,
)
from fairtrial.figures.drawing.inputs import FigureData, number_row, some_names
from fairtrial.figures.drawing.style import INK, MUTED, PALETTE, SMALL, paper, size_in_inches, wrap, write
from fairtrial.tables import formats
from fairtrial.words import listed, verb

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


SAME = 9
"""The number of decimals to which ranks are compared; further decimals are rounding errors of sums."""

BAR_GAP = 0.03
"""The least distance of two bars on one level, as a share of the axis, so that they don't look like one bar."""


Against = Literal["", "control", "better", "worse"]


@dataclass(frozen=True, slots=True)
class RankLabel:
    """A method: where its line leaves the axis (``rank``), and where its label is; row 0 is nearest to the axis.

    ``against`` is how it compares with the control, where there is one.
    """

    name: str
    rank: float
    rank_text: str
    side: Literal["left", "right"]
    row: int
    against: Against = ""


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
class CriticalDifferenceData(FigureData):
    """All that the diagram shows. Labels are in the order given; members of bars are their indices, best first.

    ``caption`` says in words how to read it, and names each group whose bar passes a method outside the group. With
    a ``control``, the one bar joins it with the methods that are not distinguishable from it, and the critical
    difference reaches from it to both sides.
    """

    labels: tuple[RankLabel, ...]
    bars: tuple[GroupBar, ...]
    critical_difference: float | None = None
    title: str = ""
    note: str = ""
    caption: tuple[str, ...] = ()
    control: int | None = None

    @property
    def reach(self) -> tuple[float, float] | None:
        """The ranks that differ from the control's by the critical difference or less, where there are both."""
        if self.control is None or self.critical_difference is None:
            return None
        rank = self.labels[self.control].rank
        return max(rank - self.critical_difference, 1.0), min(rank + self.critical_difference, float(self.k))

    @property
    def words(self) -> str:
        """What the diagram shows, as text: how to read it, and all ranks, the best first."""
        ranks = "; ".join(f"{la.name} {la.rank_text}" for la in sorted(self.labels, key=lambda la: la.rank))
        return f"{' '.join(self.caption)} Average ranks: {ranks}."

    @property
    def k(self) -> int:
        return len(self.labels)

    @property
    def levels(self) -> int:
        """The number of bars that lie one below the other."""
        return 1 + max((bar.level for bar in self.bars), default=-1)

    @property
    def rows(self) -> int:
        """The number of labels below each other."""
        return 1 + max(label.row for label in self.labels)

    @property
    def key(self) -> tuple[str, ...]:
        """The meaning of unusual signs, if there are any."""
        broken = any(not s.solid for bar in self.bars for s in bar.stretches)
        hollow = any(bar.shared for bar in self.bars)
        outside = "a method that is not in its group" if self.control is None else "a method that differs"
        tied = "a method outside the group" if self.control is None else "a method that differs from the control"
        return (
            *(("bars join methods that are not distinguishable",) if self.bars and self.control is None else ()),
            *((f"dotted: the bar passes {outside}",) if broken else ()),
            *((f"hollow dot: {tied} has the same rank",) if hollow else ()),
        )


def critical_difference_data(
    names: Sequence[str],
    ranks: Sequence[float],
    groups: Sequence[Sequence[int]],
    *,
    critical_difference: float | None = None,
    title: str = "",
    note: str = "",
    control: str | None = None,
    better: Sequence[str] = (),
    worse: Sequence[str] = (),
) -> CriticalDifferenceData:
    """The data of a critical-difference diagram: the positions of labels and bars.

    ``ranks`` are average ranks, 1 the best; ``groups`` are methods that are not distinguishable, as indices, such as
    :func:`fairtrial.stats.cliques` gives. The better half is labelled on the left, the worse on the right. Bars take as
    few levels as they can without overlapping.

    With pairwise tests a group needn't be a run of neighbours in rank. A plain bar would then lie across a method that
    does differ from members of the group; so each member has a dot, and the bar is thin and dotted wherever it passes
    a method from outside. Groups of fewer than two, and groups given twice, draw no bar.

    ``critical_difference`` is drawn as a measuring rod; give it for Nemenyi's test, where it decides.

    With a ``control`` the diagram is about it alone: ``better`` and ``worse`` are the methods that differ from it, and
    no groups are given. All others are joined with it by one line or, if there is a critical difference (Bonferroni and
    Dunn's test), lie in the band that is drawn around its rank.

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
    if control is not None:
        against = _against(labels, control, better, worse)
        together = [i for i, word in enumerate(against) if word in ("", "control")]
        bars = _bars([tuple(together)] if critical_difference is None and len(together) > 1 else [], places)
        caption = _about_control(labels, against)
        where = labels.index(control)
        shown = _labels(labels, places, against)
        return CriticalDifferenceData(shown, bars, critical_difference, title, note, caption, where)
    bars = _bars(_distinct_groups(groups, len(labels)), places)
    caption = (_how_to_read(bars), *(text for bar in bars for text in _exceptions(bar, labels, places)))
    return CriticalDifferenceData(_labels(labels, places), bars, critical_difference, title, note, caption)


def _against(names: Sequence[str], control: str, better: Sequence[str], worse: Sequence[str]) -> tuple[Against, ...]:
    """How each method compares with the control, in a word."""
    for name in (control, *better, *worse):
        if name not in names:
            raise UnknownName.among("method of the diagram", name, names)
    words: dict[str, Against] = {}
    words |= dict.fromkeys(better, "better")
    words |= dict.fromkeys(worse, "worse")
    if len(words) < len(better) + len(worse) or control in words:
        raise InputError("better and worse must be different methods, none of which is the control")
    return tuple("control" if name == control else words.get(name, "") for name in names)


def _about_control(names: Sequence[str], against: Sequence[Against]) -> tuple[str, ...]:
    """The sentences that say who differs from the control."""
    control = names[against.index("control")]
    found = {word: [n for n, a in zip(names, against, strict=True) if a == word] for word in ("better", "worse", "")}
    said = [f"{word.capitalize()} than {control}: {listed(found[word], None)}." for word in ("better", "worse")
            if found[word]]  # fmt: skip
    if found[""]:
        said.append(f"Not distinguishable from it: {listed(found[''], None)}.")
    return (f"Average ranks, 1 is the best; {control} is the control.", *said)


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


def _labels(names: Sequence[str], places: Sequence[float], against: Sequence[Against] = ()) -> tuple[RankLabel, ...]:
    k = len(names)
    none: Against = ""
    words = against or [none] * k
    order = sorted(range(k), key=lambda i: places[i])
    place_in_order = {i: n for n, i in enumerate(order)}
    texts = _rank_texts(places)
    labels = []
    for i, name in enumerate(names):
        n = place_in_order[i]
        left = n < (k + 1) // 2
        side: Literal["left", "right"] = "left" if left else "right"
        labels.append(RankLabel(name, places[i], texts[i], side, n if left else k - 1 - n, words[i]))
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
    return "Average ranks, 1 is the best. Methods with a dot on the same bar are not distinguishable."


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
LENGTHS = (LONGEST_NAME, 24, 16, 12, 9, 7)


def critical_difference_figure(data: CriticalDifferenceData, width: float | None = None) -> Figure:
    """The diagram as a Figure whose size follows from the number of methods and the length of their names.

    ``width`` is that of the whole figure in inches; without it the figure is as wide as its labels need, up to a page.
    """
    top, bottom = _extent(data)
    sheet = paper()
    room = width or (PAGE if sheet is None else sheet.width)
    for longest in LENGTHS:  # of names, until the figure is as wide as it may be
        draw = partial(draw_critical_difference, data, longest=longest)
        if width is None:
            figure = figure_of_labels(min(max(2.8 + 0.11 * data.k, 3.4), 5.4), top + bottom, draw)
        else:
            figure = figure_of_width(width, top + bottom, draw)
        if figure.get_size_inches()[0] <= room + CLOSE:
            break
    remarks = [f"{text[0].upper()}{text[1:]}." for text in (*data.key, data.note) if text]
    return with_remarks(figure, (" ".join(remarks),)) if remarks else figure


def draw_critical_difference(data: CriticalDifferenceData, ax: Axes, *, longest: int = LONGEST_NAME) -> None:
    """Draw the diagram; labels are outside the Axes, to its left and right, with names of so many characters."""
    top, bottom = _extent(data)
    span = data.k - 1
    ax.set_axis_off()
    ax.set_xlim(1 - EDGE * span, data.k + EDGE * span)
    ax.set_ylim(-bottom, top)
    _draw_axis(data, ax)
    _draw_reach(data, ax)
    for label, name in zip(data.labels, name_labels([label.name for label in data.labels], longest), strict=True):
        _draw_label(label, name, data, ax)
    for bar in data.bars:
        _draw_bar(bar, 5.2 if data.k <= 12 else 4.2, ax)
    if data.control is not None:
        _draw_control(data, ax)
    elif data.critical_difference is not None:
        _draw_rod(data.critical_difference, data.k, ax)
    if data.title:
        title = wrap((data.title,), int(size_in_inches(ax)[0] * 15))
        write(ax, title, (0.5, 1), offset=(0, 6), ha="center", va="bottom", at="axes fraction", size=10)


def _extent(data: CriticalDifferenceData) -> tuple[float, float]:
    top = TICKS + (ROD + ROD_TEXT if data.critical_difference is not None else 0.0)
    return top, _row_depth(data, data.rows - 1) + 0.09


def _row_depth(data: CriticalDifferenceData, row: int) -> float:
    levels = data.levels or (data.reach is not None)
    bars = FIRST_BAR + levels * BAR_STEP
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
    shown, color = _SHOWN[label.against]
    weight = "bold" if label.against == "control" else "normal"
    write(
        ax,
        f"{name} {shown}".strip(),
        (edge, y),
        offset=((10 + rank_width) * sign, 0),
        ha=align,
        color=color,
        weight=weight,
    )


_SHOWN = {
    "": ("", INK),
    "control": ("(control)", INK),
    "better": ("▲ better", PALETTE[0]),
    "worse": ("▼ worse", PALETTE[1]),
}
"""How a method compares with the control: in a word with an arrow, and by colour."""


def _draw_reach(data: CriticalDifferenceData, ax: Axes) -> None:
    """Draw the critical difference around the rank of the control, as a band with ends and in numbers."""
    if data.reach is None or data.control is None or data.critical_difference is None:
        return
    low, high = data.reach
    rank, y = data.labels[data.control].rank, -FIRST_BAR
    ax.fill_between([low, high], [0, 0], [2 * y, 2 * y], color=INK, alpha=0.12, linewidth=0, zorder=0, clip_on=False)
    ax.plot([low, high], [y, y], color=INK, linewidth=2.6, solid_capstyle="butt", clip_on=False)
    for end, exact in ((low, rank - data.critical_difference), (high, rank + data.critical_difference)):
        marker = "|" if abs(end - exact) < 1e-9 else "<" if end == low else ">"
        ax.plot([end], [y], marker, color=INK, markersize=9, markeredgewidth=1.6, clip_on=False)
    text = f"critical difference ±{formats.significant(3)(data.critical_difference)} around the control"
    write(ax, text, (rank, TICKS), offset=(0, 2), ha="center", va="bottom", size=SMALL)


def _draw_control(data: CriticalDifferenceData, ax: Axes) -> None:
    """Draw the control as a diamond, on the axis and on the line or band."""
    assert data.control is not None
    places = [0.0, *([-FIRST_BAR] if data.bars or data.reach else [])]
    rank = data.labels[data.control].rank
    style = {"color": INK, "markersize": 7.5, "markeredgecolor": "white", "markeredgewidth": 0.8, "clip_on": False}
    ax.plot([rank] * len(places), places, "D", linestyle="none", zorder=5, **style)  # type: ignore[arg-type]


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
