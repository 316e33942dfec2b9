"""The confusion matrix as a figure: truth in rows, right predictions in one hue and wrong ones in another.

The confusion matrices of several methods side by side: small panels with the same classes and the same colours.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fairtrial.errors import InputError
from fairtrial.figures.drawing.inputs import FigureData, Rows, some_names
from fairtrial.figures.drawing.style import (
    FONT_SIZE,
    INK,
    MUTED,
    PALETTE,
    SMALL,
    fitted_figure,
    paper,
    short_names,
    size_in_inches,
    wrap,
    write,
)
from fairtrial.figures.result_views import View, figure_of, place_of
from fairtrial.measures.confusion_matrix import ConfusionMatrix
from fairtrial.measures.fold_axis import FloatArray
from fairtrial.results.absentees import DidNotRun
from fairtrial.results.analyses.tested_methods import absent_from, one_dataset
from fairtrial.tables import formats
from fairtrial.words import listed, plural, quoted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results


Share = Literal["truth", "none"]

MOST_WITH_SHARES, MOST_WITH_COUNTS = 12, 20
"""The most classes for which cells show count and share, or only the count; with more, only colours."""

RIGHT, WRONG = "#005a8f", PALETTE[1]
STRONGEST, DARK = 0.92, 0.72
"""The strongest colour, and the strength of blue from which text is white instead of having the page's colour."""

SMALLEST = 6.5
"""The smallest size of text, in points; cells that are too small for it only have their colour."""


@dataclass(frozen=True, slots=True)
class ConfusionData(FigureData):
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


MOST_MATRICES = 12
"""The most confusion matrices in one figure."""

MOST_PANELS_WITH_SHARES = 6
"""The most classes for which the cells of a small panel show count and share."""

WIDEST = 8.0
ABOVE, BETWEEN = 0.42, 0.22  # inches: for the heading of a panel, and between panels


@dataclass(frozen=True, slots=True)
class ConfusionsData(FigureData):
    """All that the figure shows: the matrix of each method, and the share of its instances that are predicted right."""

    methods: tuple[str, ...]
    panels: tuple[ConfusionData, ...]
    right: tuple[float, ...]


def confusions_data(matrices: Mapping[str, ConfusionMatrix], *, share: Share = "truth") -> ConfusionsData:
    """The data of a figure of several confusion matrices, which must have the same classes.

    With ``share="truth"`` colours are shares of each true class, and with ``share="none"`` they are counts compared
    with the largest count of all matrices; in both cases the same colour means the same in all panels.
    """
    some_names("matrices", matrices)
    if len(matrices) > MOST_MATRICES:
        raise InputError(f"matrices must be at most {MOST_MATRICES}, got {len(matrices)}; name fewer methods")
    made = {name: confusion_data(matrix, share=share) for name, matrix in matrices.items()}
    if len({data.classes for data in made.values()}) > 1:
        raise InputError("matrices must have the same classes in the same order, to be drawn side by side")
    most = max((count for data in made.values() for row in data.counts for count in row), default=0.0)
    columns = max((data.columns for data in made.values()), key=len)
    panels = tuple(_panel(data, columns, most) for data in made.values())
    right = tuple(float(matrix.measure("accuracy")) for matrix in matrices.values())
    return ConfusionsData(tuple(made), panels, right)


def _panel(data: ConfusionData, columns: tuple[str, ...], most: float) -> ConfusionData:
    """One of several panels: with all columns that another one has, on the scale of all, and with short texts."""
    lacking = len(columns) - len(data.columns)
    texts = tuple((*row, *("0",) * lacking) for row in data.texts)
    if len(data.classes) > MOST_PANELS_WITH_SHARES:
        texts = tuple(tuple(text.split("\n")[0] for text in row) for row in texts)
    colours = tuple((*row, *(0.0,) * lacking) for row in data.colours)
    counts = tuple((*row, *(0.0,) * lacking) for row in data.counts)
    if data.share == "none" and most > 0:
        colours = tuple(tuple(np.sqrt(np.array(row) / most).tolist()) for row in counts)
    return replace(data, columns=columns, texts=texts, colours=colours, counts=counts)


def confusions_figure(matrices: Mapping[str, ConfusionMatrix], *, share: Share = "truth") -> Figure:
    """Several confusion matrices as a Figure, which grows with their number; see :func:`confusions_data`."""
    data = confusions_data(matrices, share=share)
    return fitted_figure(*_grid(data).size, partial(draw_confusions, data), keep_shape=True)


@dataclass(frozen=True, slots=True)
class _Grid:
    """The number of columns of panels, and the size of a panel in inches."""

    n: int
    columns: int
    width: float
    height: float

    @property
    def rows(self) -> int:
        return math.ceil(self.n / self.columns)

    @property
    def size(self) -> tuple[float, float]:
        return self.columns * (self.width + BETWEEN) - BETWEEN, self.rows * (self.height + ABOVE)

    def box(self, i: int) -> tuple[float, float, float, float]:
        """The place of the i-th panel, in shares of the whole."""
        row, column = divmod(i, self.columns)
        width, height = self.size
        bottom = height - (row + 1) * (self.height + ABOVE)
        return column * (self.width + BETWEEN) / width, bottom / height, self.width / width, self.height / height

    def is_lowest(self, i: int) -> bool:
        """Whether no panel stands below the i-th."""
        return i + self.columns >= self.n


def _grid(data: ConfusionsData) -> _Grid:
    first = data.panels[0]
    k = len(first.classes)
    cell = next((inches for most, inches in ((2, 0.62), (3, 0.52), (6, 0.4), (12, 0.25)) if k <= most), 0.15)
    longest = max(len(line) for d in data.panels for row in d.texts for text in row for line in text.split("\n"))
    cell = max(cell, SMALLEST / 72 * 0.62 * longest / 0.92) if k <= 12 else cell
    n, width = len(data.panels), cell * len(first.columns)
    sheet = paper()
    room = WIDEST if sheet is None else sheet.width - 0.8
    columns = max(min(n, int((room + BETWEEN) / (width + BETWEEN))), 1)
    columns = math.ceil(n / math.ceil(n / columns))  # rows as even as possible
    return _Grid(n, columns, width, cell * k)


def draw_confusions(data: ConfusionsData, ax: Axes) -> None:
    """Draw the panels inside the Axes; names of classes and the meaning of colours stand outside."""
    ax.set_axis_off()
    grid = _grid(data)
    lowest = 0.0
    for i, panel in enumerate(data.panels):
        inner = ax.inset_axes(grid.box(i))
        draw_matrix(panel, inner)
        first = i % grid.columns == 0
        inner.tick_params(labelleft=first, labelbottom=grid.is_lowest(i))
        if first:
            inner.set_ylabel("truth", fontsize=FONT_SIZE, color=INK)
        if grid.is_lowest(i):
            inner.set_xlabel("predicted", fontsize=FONT_SIZE, color=INK)
            lowest = max(lowest, _reach_below(inner, ax))
        _draw_heading(data, i, inner)
    remark = data.panels[0].remarks.replace("\n", " ")
    text = wrap([remark], int(max(size_in_inches(ax)[0], 2.6) * 72 / (0.5 * SMALL)))
    write(ax, text, (0, 0), offset=(0, -lowest - 6), va="top", at="axes fraction", size=SMALL, color=MUTED)


def _reach_below(inner: Axes, ax: Axes) -> float:
    """How far the names below a panel reach under the whole, in points."""
    box = inner.get_tightbbox()
    return 0.0 if box is None else 72 * (ax.get_window_extent().y0 - box.y0) / ax.figure.dpi


def _draw_heading(data: ConfusionsData, i: int, ax: Axes) -> None:
    room = max(int(72 * (size_in_inches(ax)[0] + BETWEEN) / (0.56 * FONT_SIZE)), 8)
    above: dict[str, Any] = {"ha": "center", "va": "bottom", "at": "axes fraction"}
    write(ax, short_names(data.methods, room)[i], (0.5, 1), offset=(0, 5 + SMALL), **above)
    share = "" if math.isnan(data.right[i]) else f"{100 * data.right[i]:.1f} % right"
    write(ax, share, (0.5, 1), offset=(0, 3), **above, size=SMALL, color=MUTED)


@figure_of("confusion")
def confusion_view(results: Results, *, dataset: str | None = None, methods: Sequence[str] | None = None) -> View:
    """The confusion matrix of each method over all test sets of a data set, as a figure and as tables.

    Methods that are not named are in the order of their accuracy; of more than 12 only the first are drawn.
    """
    place = one_dataset(results, dataset)
    matrices = {name: results.confusion_matrix(name, place) for name in methods or _with_predictions(results, place)}
    notes = tuple(dict.fromkeys(note for matrix in matrices.values() for note in matrix.notes))
    repeats = results.dependence[place].repeats if place in results.dependence else 1
    if repeats > 1:
        notes += (f"over {repeats} repeats: each instance is counted {repeats} times",)
    if methods is None:
        order = sorted(matrices, key=lambda name: -matrices[name].measure("accuracy"))
        left = len(order) - MOST_MATRICES
        matrices = {name: matrices[name] for name in order[:MOST_MATRICES]}
        if left > 0:
            notes += (f"{plural(left, 'method')} with a lower accuracy not drawn; name methods to choose others",)
    title = f"on {place_of(results, dataset)}"
    if len(matrices) == 1:
        ((name, matrix),) = matrices.items()
        return View(str(matrix), confusion_figure(matrix), notes, f"{name} {title}")
    words = "\n\n".join(f"{name}: {matrix}" for name, matrix in matrices.items())
    return View(words, confusions_figure(matrices), notes, f"{plural(len(matrices), 'method')} {title}")


def _with_predictions(results: Results, dataset: str) -> list[str]:
    """The methods that ran on a data set, without yardsticks."""
    absent = absent_from(results, dataset)
    begun = set(results.scores.loc[results.scores["dataset"] == dataset, "method"])
    found = [m for m in results.method_names() if m not in results.yardsticks and m not in absent and m in begun]
    if not found:
        raise DidNotRun(f"no method has predictions on {dataset}: {listed(absent) or 'none has been run yet'}")
    return found
