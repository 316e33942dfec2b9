"""Style that all figures share: colours, markers, axes, text that is never read as mathematics, fitting sizes.

Sizes of figures in a paper: one column or the whole page, with text as large as everywhere else; and captions.
"""

from __future__ import annotations

import math
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from fairtrial.choices import FIGURE_SIZES, FigureSize
from fairtrial.errors import UnknownName
from fairtrial.words import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation


class Paper(NamedTuple):
    """The room that a figure has: its width in inches, the longest name, and whether a legend has room beside."""

    width: float
    longest_name: int
    narrow: bool


PAPERS: dict[FigureSize, Paper] = {"column": Paper(3.4, 20, narrow=True), "page": Paper(7.0, 30, narrow=False)}

_caption: ContextVar[bool] = ContextVar("caption", default=True)
_paper: ContextVar[Paper | None] = ContextVar("paper", default=None)


def paper() -> Paper | None:
    """The paper that figures are drawn for at present; None if each has the size that fits it."""
    return _paper.get()


@contextmanager
def on_paper(size: FigureSize | None) -> Iterator[None]:
    """Draw all figures for this size of paper; None leaves to each the size that fits it.

    >>> with on_paper("column"):
    ...     paper().width
    3.4
    >>> paper() is None
    True
    """
    if size is not None and size not in FIGURE_SIZES:
        raise UnknownName.among("size of figures", size, FIGURE_SIZES)
    before = _paper.set(None if size is None else PAPERS[size])
    try:
        yield
    finally:
        _paper.reset(before)


def has_caption() -> bool:
    """Whether titles and remarks are written into figures at present."""
    return _caption.get()


@contextmanager
def without_caption(left_out: bool = True) -> Iterator[None]:
    """Draw figures without title and remarks, which stand beside them: below them in a report, or in a paper."""
    before = _caption.set(_caption.get() and not left_out)
    try:
        yield
    finally:
        _caption.reset(before)


INK = "#1b1e23"
"""Text, axes and lines; :func:`~fairtrial.figures.to_svg` makes it the colour of the text around the figure."""

MUTED = "#6f7680"
"""Yardsticks and remarks; readable on white and on black."""

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", INK)
"""Okabe & Ito's colours, which colour-blind readers can distinguish, without the yellow that vanishes on white."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
"""Shapes by which methods can be distinguished in grey too."""

DASHES: tuple[Any, ...] = ("-", (0, (6, 1.6)), (0, (1.4, 1.2)), (0, (7, 1.5, 1.5, 1.5)), (0, (3, 1.2)))
"""Line styles by which curves can be distinguished in grey too."""

FONT_SIZE = 9.0
SMALL = 8.0
LONGEST, MOST_OF_A_NAME, MOST_OF_A_LINE = 30, 150, 1000
PAD = 0.06
LEAST_WIDTH, TALLEST = 1.2, 3.6
"""The smallest width of Axes, and the largest height of a box that grows with its width, in inches."""

NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def shorten(name: str, longest: int | None = None) -> str:
    """A name as a label: on one line, cut with an ellipsis, without characters that XML can't carry.

    If nothing else is said, it has at most 30 characters, and fewer in a figure for one column of a paper.

    >>> shorten("gradient boosting, 500 trees of depth 6")
    'gradient boosting, 500 trees…'
    >>> shorten("two\\nlines\\x00")
    'two lines�'
    """
    longest, text = _room_for(longest), _one_line(name)
    return isolated(text if len(text) <= longest else text[: longest - 1].rstrip() + "…")


def isolated(text: str) -> str:
    """A text that is written from right to left, marked so that numbers and words around it keep their places.

    >>> isolated("forest"), [hex(ord(mark)) for mark in isolated("יער")[::4]]
    ('forest', ['0x2068', '0x2069'])
    """
    return f"\u2068{text}\u2069" if any(unicodedata.bidirectional(c) in ("R", "AL") for c in text) else text


def _one_line(name: str) -> str:
    return NOT_XML.sub("\ufffd", " ".join(shortened(name, MOST_OF_A_NAME).split()))


def _room_for(longest: int | None) -> int:
    """The most characters of a name: as many as are wanted, 30 if nothing is said; fewer if the paper is narrow."""
    sheet = paper()
    wanted = longest or LONGEST
    return min(wanted, sheet.longest_name) if sheet is not None and sheet.narrow else wanted


def short_names(names: Sequence[str], longest: int | None = None) -> list[str]:
    """Names as labels; to keep unequal names unequal they are cut in the middle, or not at all.

    >>> short_names(["forest with 100 trees"] * 2, longest=12)
    ['forest with…', 'forest with…']
    >>> short_names(["forest with 100 trees", "forest with 500 trees"], longest=12)
    ['forest with 100 trees', 'forest with 500 trees']
    >>> short_names(["forest of 100 trees, seed 1", "forest of 100 trees, seed 2"], longest=12)
    ['forest…eed 1', 'forest…eed 2']
    """
    longest = _room_for(longest)
    whole = [_one_line(name) for name in names]
    middle = [name if len(name) <= longest else f"{name[: longest // 2]}…{name[1 - longest // 2 :]}" for name in whole]
    for texts in ([shorten(name, longest) for name in names], list(map(isolated, middle))):
        if len(set(texts)) == len(set(whole)):
            return texts
    return list(map(isolated, whole))


def mark_style(i: int) -> tuple[str, str]:
    """Colour and marker of the i-th method; the first 70 all differ.

    >>> mark_style(0), mark_style(7)
    (('#0072b2', 'o'), ('#0072b2', '<'))
    """
    return PALETTE[i % len(PALETTE)], MARKERS[i % len(MARKERS)]


def line_style(i: int) -> tuple[str, Any]:
    """Colour and dashes of the i-th curve; the first 35 all differ.

    >>> line_style(0), line_style(7)
    (('#0072b2', '-'), ('#0072b2', (0, (1.4, 1.2))))
    """
    return PALETTE[i % len(PALETTE)], DASHES[i % len(DASHES)]


def wrap(lines: Sequence[str], width: int) -> str:
    """Sentences as lines of at most ``width`` characters (30 at least)."""
    clean = (NOT_XML.sub("\ufffd", shortened(line, MOST_OF_A_LINE)) for line in lines)
    return "\n".join("\n".join(textwrap.wrap(line, max(width, 30))) for line in clean if line)


def write(
    ax: Axes,
    text: str,
    xy: tuple[float, float],
    *,
    offset: tuple[float, float] = (0.0, 0.0),
    ha: Literal["left", "center", "right"] = "left",
    va: Literal["top", "center", "baseline", "bottom"] = "center",
    at: Any = "data",
    size: float = FONT_SIZE,
    color: str = INK,
    weight: str = "normal",
) -> Annotation:
    """Write text at a place of the Axes, moved by an offset in points; ``$`` and ``_`` are no mathematics."""
    return ax.annotate(
        text,
        xy,
        xycoords=at,
        xytext=offset,
        textcoords="offset points",
        ha=ha,
        va=va,
        fontsize=size,
        color=color,
        fontweight=weight,
        annotation_clip=False,
        parse_math=False,
        usetex=False,
    )


def _blank_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """A Figure of this size in inches whose Axes fill it, made without pyplot."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from fairtrial.figures.drawing.worded_figure import WordedFigure

    figure = WordedFigure(figsize=(width, height), dpi=150, facecolor="white")
    figure.set_layout_engine("none")
    FigureCanvasAgg(figure)
    return figure, figure.add_axes((0.0, 0.0, 1.0, 1.0))


def fitted_figure(width: float, height: float, draw: Callable[[Axes], None], *, keep_shape: bool = False) -> Figure:
    """A Figure whose Axes have this size in inches, and that has room for what is drawn around them.

    On paper (:func:`~fairtrial.figures.drawing.fitting.on_paper`) the Axes get the width that makes the whole figure as
    wide as the paper allows; with ``keep_shape`` their height follows. Text keeps its size.
    """
    sheet = paper()
    figure = _drawn(width, height, draw)
    for _ in range(0 if sheet is None else 4):
        assert sheet is not None
        spare = sheet.width - float(figure.get_size_inches()[0])
        wider = max(width + spare, LEAST_WIDTH)
        wider = min(wider, width * max(TALLEST / height, 1.0)) if keep_shape else wider
        if abs(wider - width) < 0.01:
            break
        width, height = wider, height * wider / width if keep_shape else height
        figure = _drawn(width, height, draw)
    return figure if sheet is None else _centred(figure, sheet.width)


def _drawn(width: float, height: float, draw: Callable[[Axes], None]) -> Figure:
    from fairtrial.figures.drawing.worded_figure import quiet

    figure, ax = _blank_figure(width, height)
    with quiet():
        draw(ax)
        return _fit(figure, ax)


def _fit(figure: Figure, ax: Axes) -> Figure:
    """Grow the figure until labels, legend and title around the Axes fit; the Axes keep their size in inches."""
    width, height = figure.get_size_inches()
    box = ax.get_tightbbox()
    if box is None:
        return figure
    box = box.transformed(figure.dpi_scale_trans.inverted())
    left, bottom = max(-box.x0, 0) + PAD, max(-box.y0, 0) + PAD
    right, top = max(box.x1, width) - width + PAD, max(box.y1, height) - height + PAD
    return _grown(figure, left, bottom, right, top)


def _grown(figure: Figure, left: float = 0.0, bottom: float = 0.0, right: float = 0.0, top: float = 0.0) -> Figure:
    """The figure with more room at its sides, in inches; the Axes keep their size."""
    width, height = figure.get_size_inches()
    whole = np.array([width + left + right, height + bottom + top])
    for ax in figure.axes:
        box = ax.get_position()
        x, y = np.array([left + box.x0 * width, bottom + box.y0 * height]) / whole
        ax.set_position((x, y, *(np.array([box.width * width, box.height * height]) / whole)))
    figure.set_size_inches(*whole)
    return figure


def _centred(figure: Figure, width: float) -> Figure:
    """The figure in the middle of a sheet of this width, if it is narrower."""
    side = max(width - float(figure.get_size_inches()[0]), 0.0) / 2
    return _grown(figure, left=side, right=side)


def add_notes(figure: Figure, notes: Sequence[str]) -> Figure:
    """Write notes below everything else in a figure, and make it taller by their height."""
    width = float(figure.get_size_inches()[0])
    if not has_caption():
        return figure
    text = wrap(notes, int(72 * (width - 2 * PAD) / (0.54 * SMALL)))
    _grown(figure, bottom=1.35 * SMALL / 72 * (text.count("\n") + 1) + PAD)
    style: dict[str, Any] = {"ha": "left", "va": "bottom", "fontsize": SMALL, "color": MUTED, "linespacing": 1.3}
    figure.text(PAD / width, PAD / figure.get_size_inches()[1], text, **style, parse_math=False, usetex=False)
    return figure


def add_title(figure: Figure, title: str) -> Figure:
    """Write a title above everything else in a figure, and make it taller by its height."""
    width = float(figure.get_size_inches()[0])
    text = wrap([title], int(72 * (width - 2 * PAD) / (0.66 * FONT_SIZE)))
    _grown(figure, top=1.35 * FONT_SIZE / 72 * (text.count("\n") + 1) + PAD)
    style: dict[str, Any] = {"ha": "left", "va": "top", "fontsize": FONT_SIZE, "color": INK, "fontweight": "bold"}
    figure.text(PAD / width, 1 - PAD / figure.get_size_inches()[1], text, **style, parse_math=False, usetex=False)
    return figure


def size_in_inches(ax: Axes) -> tuple[float, float]:
    """Width and height of the Axes, in inches."""
    box = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted())
    return float(box.width), float(box.height)


def value_axis(ax: Axes, limits: tuple[float, float], *, log: bool) -> None:
    """Draw an x axis of numbers: plain text on the ticks, a light grid, only the bottom line."""
    ax.set_facecolor("none")
    if log:
        ax.set_xscale("log", nonpositive="clip")
    ax.set_xlim(*limits)
    _number_ticks(ax.xaxis, limits, log=log)
    ax.tick_params(axis="x", labelsize=SMALL, colors=INK, length=3, width=0.8)
    ax.tick_params(axis="y", labelsize=FONT_SIZE, colors=INK, length=0, pad=6)
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set(color=INK, linewidth=0.8)
    ax.grid(visible=True, axis="x", color=INK, alpha=0.12, linewidth=0.6)
    ax.grid(visible=False, axis="y")
    ax.set_axisbelow(True)


def value_axis_label(ax: Axes, label: str, remark: str = "") -> None:
    """Write below the x axis what its numbers are, and a remark in a smaller font."""
    below: dict[str, Any] = {"ha": "center", "va": "top", "at": "axes fraction"}
    write(ax, label, (0.5, 0), offset=(0, -20), **below)
    if remark:
        write(ax, remark, (0.5, 0), offset=(0, -33), **below, size=SMALL, color=MUTED)


def box_axes(
    ax: Axes,
    limits: tuple[tuple[float, float], tuple[float, float]],
    labels: tuple[str, str],
    log: tuple[bool, bool] = (False, False),
) -> None:
    """Draw a box with two axes of numbers, a light grid and labels in plain text."""
    ax.set_facecolor("none")
    ax.set(xscale="log" if log[0] else "linear", yscale="log" if log[1] else "linear")
    ax.set(xlim=limits[0], ylim=limits[1])
    for axis, label, ends, of_logs in zip((ax.xaxis, ax.yaxis), labels, limits, log, strict=True):
        _number_ticks(axis, ends, log=of_logs)
        axis.set_label_text(label, fontsize=FONT_SIZE, color=INK, parse_math=False, usetex=False)
    ax.tick_params(labelsize=SMALL, colors=INK, length=3, width=0.8)
    for spine in ax.spines.values():
        spine.set(color=INK, linewidth=0.8)
    ax.grid(visible=True, color=INK, alpha=0.12, linewidth=0.6)
    ax.set_axisbelow(True)


def named_ticks(ax: Axes, ticks: Sequence[tuple[float, str]]) -> None:
    """Write names at places of the x axis; a name that would overlap the next is left out."""
    kept: list[tuple[float, str]] = []
    taken = math.inf
    for place, name in sorted(ticks, reverse=True):  # from the right, so that the last name is always kept
        x = float(ax.transData.transform((place, 1.0))[0]) / ax.figure.dpi * 72
        half = 0.31 * SMALL * len(name)
        if x + half < taken:
            kept.append((place, name))
            taken = x - half - 0.5 * SMALL
    ax.set_xticks([place for place, _ in kept], [name for _, name in kept], parse_math=False, usetex=False)


def legend_beside(ax: Axes, handles: Sequence[Any], texts: Sequence[str], title: str = "") -> None:
    """Draw a legend to the right of the Axes, where it can be long and covers nothing; in one column, above them."""
    sheet = paper()
    if sheet is not None and sheet.narrow:
        legend_above(ax, handles, texts, title, left=True)
    else:
        beside: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "handlelength": 2.6}
        _legend(ax, handles, texts, title, borderaxespad=0.0, borderpad=0.6, **beside)


def legend_above(
    ax: Axes, handles: Sequence[Any], texts: Sequence[str], title: str = "", *, gap: float = 0.5, left: bool = False
) -> None:
    """Draw a legend above the Axes, in as many columns as have room; ``gap`` is in heights of letters."""
    width = size_in_inches(ax)[0]
    above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0)} if left else {
        "loc": "lower center", "bbox_to_anchor": (0.5, 1.0)
    }  # fmt: skip
    above |= {"ncols": legend_columns(texts, width), "handlelength": 1.8, "columnspacing": 1.6}
    _legend(ax, handles, texts, title, borderaxespad=gap, **above)


def legend_columns(texts: Sequence[str], width: float) -> int:
    """The number of columns that fit into a width in inches, each as wide as its longest text.

    >>> legend_columns(["forest", "bayes", "svm"], 5.0), legend_columns(["forest", "bayes", "svm" * 10], 4.0)
    (3, 2)
    """
    widths = [(0.6 * len(text) + 4.5) * FONT_SIZE / 72 for text in texts]
    for columns in range(len(texts), 1, -1):
        if sum(max(column) for column in np.array_split(widths, columns)) <= width:
            return columns
    return 1


def _legend(ax: Axes, handles: Sequence[Any], texts: Sequence[str], title: str, **places: Any) -> None:
    """Draw a legend; its texts are set afterwards, since a legend drops labels that begin with _."""
    looks: dict[str, Any] = {"frameon": False, "fontsize": FONT_SIZE, "labelcolor": INK, "alignment": "left"}
    titled: dict[str, Any] = {"title": title or None, "title_fontproperties": {"size": SMALL}}
    legend = ax.legend(list(handles), [str(i) for i in range(len(texts))], **looks, **titled, **places)
    for shown, text in zip(legend.get_texts(), texts, strict=True):
        shown.set(parse_math=False, usetex=False, text=text)
    legend.get_title().set(color=MUTED, parse_math=False, usetex=False)


def _number_ticks(axis: Axis, limits: tuple[float, float], *, log: bool) -> None:
    """Write round numbers as plain text; matplotlib's own log labels are mathematics, and few on a short axis."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator, ScalarFormatter

    even = MaxNLocator(6, steps=[1, 2, 2.5, 5, 10])
    axis.set_minor_locator(NullLocator())
    if not log:
        plain = ScalarFormatter(useOffset=False, useMathText=False)
        plain.set_scientific(False)
        axis.set_major_locator(even)
        axis.set_major_formatter(plain)
        return
    ratio = limits[1] / limits[0]
    subs = (1.0,) if ratio > 1e4 else (1.0, 2.0, 5.0)
    axis.set_major_locator(LogLocator(subs=subs) if ratio > 5 else even)
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.6g}".replace("-", "−")))
