"""The confusion matrices of several methods side by side: small panels with the same classes and the same colours."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.errors import InputError
from fairtrial.figures.confusion import SMALLEST, ConfusionData, Share, confusion_data, confusion_figure, draw_matrix
from fairtrial.figures.inputs import some_names
from fairtrial.figures.paper_sizes import paper
from fairtrial.figures.result_views import View, figure_of, place_of
from fairtrial.figures.style import (
    FONT_SIZE,
    INK,
    MUTED,
    SMALL,
    fitted_figure,
    short_names,
    size_in_inches,
    wrap,
    write,
)
from fairtrial.measures.confusion_matrix import ConfusionMatrix
from fairtrial.results.absentees import DidNotRun
from fairtrial.results.analyses.tested_methods import absent_from, one_dataset
from fairtrial.tables.render_json import plain
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results

MOST_MATRICES = 12
"""The most confusion matrices in one figure."""

MOST_WITH_SHARES = 6
"""The most classes for which the cells of a small panel show count and share."""

WIDEST = 8.0
ABOVE, BETWEEN = 0.42, 0.22  # inches: for the heading of a panel, and between panels


@dataclass(frozen=True, slots=True)
class ConfusionsData:
    """All that the figure shows: the matrix of each method, and the share of its instances that are predicted right."""

    methods: tuple[str, ...]
    panels: tuple[ConfusionData, ...]
    right: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]


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
    if len(data.classes) > MOST_WITH_SHARES:
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
