"""Drawing of the critical-difference diagram, of all pairs or around a control."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from fairtrial.figures.critical_difference import CriticalDifferenceData, GroupBar, RankLabel
from fairtrial.figures.fitting import (
    CLOSE,
    LONGEST_NAME,
    PAGE,
    figure_of_labels,
    figure_of_width,
    name_labels,
    with_remarks,
)
from fairtrial.figures.paper_sizes import paper
from fairtrial.figures.style import (
    INK,
    MUTED,
    PALETTE,
    SMALL,
    size_in_inches,
    wrap,
    write,
)
from fairtrial.tables import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
