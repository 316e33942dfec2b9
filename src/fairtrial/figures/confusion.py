"""The confusion matrix as a figure: truth in rows, right predictions in one hue and wrong ones in another."""

from __future__ import annotations

import math
import textwrap
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fairtrial.errors import InputError
from fairtrial.figures.inputs import Rows
from fairtrial.figures.style import (
    FONT_SIZE,
    INK,
    MUTED,
    PALETTE,
    SMALL,
    fitted_figure,
    short_names,
    size_in_inches,
    wrap,
    write,
)
from fairtrial.measures.confusion_matrix import ConfusionMatrix
from fairtrial.measures.fold_axis import FloatArray
from fairtrial.tables import formats
from fairtrial.tables.render_json import plain
from fairtrial.words import quoted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Share = Literal["truth", "none"]

MOST_WITH_SHARES, MOST_WITH_COUNTS = 12, 20
"""The most classes for which cells show count and share, or only the count; with more, only colours."""

RIGHT, WRONG = "#005a8f", PALETTE[1]
STRONGEST, DARK = 0.92, 0.72
"""The strongest colour, and the strength of blue from which text is white instead of having the page's colour."""

SMALLEST = 6.5
"""The smallest size of text, in points; cells that are too small for it only have their colour."""


@dataclass(frozen=True, slots=True)
class ConfusionData:
    """All that the figure shows, row by row: a row for each true class, a column for each predicted one.

    ``columns`` has one more name if some predictions are none of the classes. ``colours`` are from 0 to 1: the square
    roots of the shares, so that rare mistakes are visible; nan for a class without instances. ``texts`` are the texts
    of the cells, with newlines between their lines.
    """

    classes: tuple[str, ...]
    columns: tuple[str, ...]
    counts: Rows
    colours: Rows
    texts: tuple[tuple[str, ...], ...]
    share: Share

    @property
    def remarks(self) -> str:
        """The meaning of the colours."""
        of = "share of the row" if self.share == "truth" else "count"
        return f"blue: right, orange: wrong;\nthe stronger, the larger the {of}"

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]


def confusion_data(matrix: ConfusionMatrix, *, share: Share = "truth") -> ConfusionData:
    """The data of a figure of a confusion matrix.

    With ``share="truth"`` colours and percentages are shares of each row: of the instances that are of a class, how
    many were predicted as which. On the diagonal that is the recall. ``share="none"`` shows bare counts.

    >>> data = confusion_data(ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=10))
    >>> data.classes, data.texts
    (('negative', 'positive'), (('10\\n50 %', '10\\n50 %'), ('5\\n6 %', '75\\n94 %')))
    """
    if not isinstance(matrix, ConfusionMatrix):
        raise InputError(f"matrix must be a ConfusionMatrix, see confusion_matrix; got a {type(matrix).__name__}")
    if share not in get_args(Share):
        raise InputError(f"share must be {quoted(get_args(Share), last='or')}, got {share!r}")
    elsewhere = np.zeros(len(matrix.classes)) if matrix.elsewhere is None else matrix.elsewhere
    extra = elsewhere.any()
    counts = np.column_stack([matrix.counts, elsewhere]) if extra else matrix.counts
    whole = counts.sum(axis=1, keepdims=True) if share == "truth" else counts.max(initial=0.0)
    with np.errstate(invalid="ignore"):
        shares = np.divide(counts, whole)
    classes = tuple(str(label) for label in matrix.classes)
    return ConfusionData(
        classes=classes,
        columns=(*classes, "none of them") if extra else classes,
        counts=tuple(map(tuple, counts.tolist())),
        colours=tuple(map(tuple, np.sqrt(shares).tolist())),
        texts=_texts(counts, shares if share == "truth" and len(classes) <= MOST_WITH_SHARES else None),
        share=share,
    )


def _texts(counts: FloatArray, shares: FloatArray | None) -> tuple[tuple[str, ...], ...]:
    if len(counts) > MOST_WITH_COUNTS:
        return tuple(("",) * len(row) for row in counts)
    below = np.zeros_like(counts) if shares is None else shares
    return tuple(
        tuple(_amount(count) + _percent(share) for count, share in zip(*row, strict=True))
        for row in zip(counts.tolist(), below.tolist(), strict=True)
    )


def _amount(count: float) -> str:
    return formats.auto(int(count) if float(count).is_integer() else float(count))


def _percent(share: float) -> str:
    """A share in percent on a second line; 0 % and 100 % only where they are exact.

    >>> [_percent(share) for share in (0.004, 0.123, 0.997, 1.0, 0.0)]
    ['\\n<1 %', '\\n12 %', '\\n>99 %', '\\n100 %', '']
    """
    if not share > 0:
        return ""
    if share < 0.005:
        return "\n<1 %"
    return "\n>99 %" if 0.995 <= share < 1 else f"\n{100 * share:.0f} %"


def confusion_figure(matrix: ConfusionMatrix, *, share: Share = "truth") -> Figure:
    """The confusion matrix as a Figure that grows with the number of classes; see :func:`confusion_data`."""
    data = confusion_data(matrix, share=share)
    k = len(data.classes)
    cell = next((inches for most, inches in ((3, 0.8), (6, 0.62), (12, 0.46), (20, 0.36)) if k <= most), 0.2)
    cell = max(cell, SMALLEST / 72 * 0.62 * _longest_line(data) / 0.92)
    return fitted_figure(cell * len(data.columns), cell * k, partial(draw_confusion, data), keep_shape=True)


def draw_confusion(data: ConfusionData, ax: Axes) -> None:
    """Draw the matrix; class names, axis labels and the meaning of colours are outside the Axes."""
    draw_matrix(data, ax)
    ax.set_xlabel("predicted", fontsize=FONT_SIZE, color=INK)
    ax.set_ylabel("truth", fontsize=FONT_SIZE, color=INK)
    remarks = wrap(data.remarks.split("\n"), int(72 * size_in_inches(ax)[0] / (0.54 * SMALL)))
    write(ax, remarks, (0, 1), offset=(0, 5), va="bottom", at="axes fraction", size=SMALL, color=MUTED)


def draw_matrix(data: ConfusionData, ax: Axes) -> None:
    """Draw the cells of a matrix and the names of its classes."""
    from matplotlib.patches import Rectangle

    k, columns = len(data.classes), len(data.columns)
    cell = size_in_inches(ax)[0] / columns
    _axes(data, cell, ax)
    size = _font_size(data, cell)
    for i, row in enumerate(data.colours):
        for j, colour in enumerate(row):
            strength = 0.0 if colour != colour else STRONGEST * colour
            hue = RIGHT if i == j else WRONG
            ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=hue, alpha=strength, linewidth=0))
            if size >= SMALLEST:
                ink = "white" if i == j and strength >= DARK else INK if data.counts[i][j] else MUTED
                write(ax, data.texts[i][j], (j, i), ha="center", size=size, color=ink).set_linespacing(1.15)
    style: dict[str, Any] = {"color": INK, "linewidth": 0.4, "alpha": 0.35 if k <= MOST_WITH_SHARES else 0.15}
    style["clip_on"] = False  # at the edges they would lose half of their width
    for edge in range(max(k, columns) + 1):
        if edge <= k:
            ax.plot([-0.5, columns - 0.5], [edge - 0.5] * 2, **style)
        if edge <= columns:
            ax.plot([edge - 0.5] * 2, [-0.5, k - 0.5], **style)


def _axes(data: ConfusionData, cell: float, ax: Axes) -> None:
    """Write names of classes beside and below; below they have three lines at most, or are turned by 90 degrees."""
    ax.set_facecolor("none")
    ax.set(xlim=(-0.5, len(data.columns) - 0.5), ylim=(len(data.classes) - 0.5, -0.5))
    size = max(min(FONT_SIZE, 72 * cell), SMALLEST)
    below = short_names(data.columns)
    room = max(int(72 * cell / (0.6 * size)), 1)
    wrapped = [textwrap.wrap(name, room, break_long_words=False) for name in below]
    level = all(len(lines) <= 3 and all(len(line) <= room for line in lines) for lines in wrapped)
    if level:
        below = ["\n".join(lines) for lines in wrapped]
    names: dict[str, Any] = {"parse_math": False, "usetex": False, "fontsize": size}
    step = math.ceil(size / (72 * cell))  # of many classes only some have room for their names
    ax.set_yticks(range(0, len(data.classes), step), short_names(data.classes)[::step], **names)
    ax.set_xticks(range(0, len(data.columns), step), below[::step], **names, rotation=0 if level else 90)
    ax.tick_params(colors=INK, length=0, pad=4)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _font_size(data: ConfusionData, cell: float) -> float:
    """The font size with which the longest line fits into a cell."""
    lines = max((text.count("\n") + 1 for row in data.texts for text in row), default=1)
    return min(FONT_SIZE, 72 * cell * 0.92 / (0.62 * max(_longest_line(data), 1)), 72 * cell * 0.85 / (1.2 * lines))


def _longest_line(data: ConfusionData) -> int:
    return max((len(line) for row in data.texts for text in row for line in text.split("\n")), default=0)
