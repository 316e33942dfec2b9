"""The heat map of all pairs: differences by colour, filled where two methods differ, outlined where that is open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.figures.comparisons.rank_rows import rank_ticks, row_height
from fairtrial.figures.drawing.fitting import figure_of_width, name_labels, with_remarks
from fairtrial.figures.drawing.inputs import FigureData, number_grid, some_names
from fairtrial.figures.drawing.style import FONT_SIZE, INK, SMALL, write
from fairtrial.tables import formats
from fairtrial.words import listed, part_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 7.0
BETTER, WORSE, EVEN = (74, 152, 208), (232, 133, 60), (255, 255, 255)  # blue and orange, with white between them
FAINTEST = 0.4  # of the strongest colour, in which outlines are drawn, so that they can be seen
TWO_LINES, ONE_LINE = 0.6, 0.44  # inches of a cell that has room for difference and p, or for the difference
OFTEN = 0.95  # the share of the differences that the scale of colours covers
ON_CELL = "#1b1e24"  # text on a cell, which is light also on a dark page


@dataclass(frozen=True, slots=True)
class PairCell:
    """The method of the row against that of the column: numbers from the top and from the left."""

    row: int
    column: int
    value: float
    share: float
    text: str
    p_text: str
    different: bool

    @property
    def color(self) -> str:
        """The colour of the difference; outlines have at least a faint one."""
        share = self.share if self.different else math.copysign(max(abs(self.share), FAINTEST), self.share)
        return blended(share)


@dataclass(frozen=True, slots=True)
class PairwiseData(FigureData):
    """All that the map shows: the methods from best to worst, and a cell for each ordered pair.

    ``share`` of a cell is its colour, from −1 (the method of the row is worse) to 1 (better); ``scale`` is the
    difference, or ratio, at which the colour is full.
    """

    names: tuple[str, ...]
    cells: tuple[PairCell, ...]
    quantity: str
    scale: float
    higher_is_better: bool
    ratio: bool
    tested: str

    @property
    def remarks(self) -> tuple[str, ...]:
        """How to read the map."""
        what = "ratio, row over column" if self.ratio else "row minus column"
        return (
            f"Cells: {self.quantity}, {what}. Filled: the two differ; outlined: not distinguishable. "
            "Columns have the numbers of the rows.",
            *((self.tested,) if self.tested else ()),
        )

    @property
    def words(self) -> str:
        """What the map shows, as text: how many pairs differ, and the names behind the numbers."""
        pairs = len(self.cells) // 2
        differ = sum(cell.different for cell in self.cells) // 2
        named = listed((f"{i} {name}" for i, name in enumerate(self.names, 1)), None)
        return f"{part_of(differ, pairs, 'pair')} {'differs' if pairs == 1 else 'differ'}. Methods: {named}."


def pairwise_data(
    names: Sequence[str],
    values: npt.ArrayLike,
    p_values: Sequence[Sequence[object]],
    different: npt.ArrayLike,
    *,
    quantity: str,
    higher_is_better: bool = True,
    ratio: bool = False,
    tested: str = "",
) -> PairwiseData:
    """The data of the map from square matrices: row minus column (or row over column), p-values, who differs.

    Methods are given in the order of the rows. P-values may be bounds (``formats.AtMost``). A nan in ``values`` leaves
    the cell empty.

    >>> data = pairwise_data(["A", "B"], [[0, 0.02], [-0.02, 0]], [[1, 0.01], [0.01, 1]], [[0, 1], [1, 0]],
    ...                      quantity="difference of accuracy")
    >>> [(cell.row, cell.column, cell.text, cell.p_text, cell.share) for cell in data.cells]
    [(0, 1, '+0.020', '0.010', 1.0), (1, 0, '−0.020', '0.010', -1.0)]
    """
    labels = some_names("names", names, least=2)
    k = len(labels)
    grid = number_grid("values", values, (k, k))
    number_grid("p_values", np.asarray(p_values, dtype=np.float64), (k, k))
    apart = np.asarray(different, dtype=np.bool_)
    if apart.shape != (k, k) or (apart != apart.T).any():
        raise InputError(f"different must be a symmetric matrix of {k} × {k}, got shape {apart.shape}")
    pairs = [(i, j) for i in range(k) for j in range(k) if i != j and grid[i][j] == grid[i][j]]
    if ratio and any(grid[i][j] <= 0 for i, j in pairs):
        raise InputError("values must be above 0 when they are ratios, row over column")
    sizes = {(i, j): math.log(grid[i][j]) if ratio else grid[i][j] for i, j in pairs}
    full = _full_colour(list(sizes.values()))
    sign = 1 if higher_is_better else -1
    text = _writer([grid[i][j] for i, j in pairs], ratio=ratio)
    cells = tuple(
        PairCell(
            i, j, grid[i][j], sign * max(min(sizes[i, j] / full, 1.0), -1.0),
            text(grid[i][j]), formats.p_value(p_values[i][j]), bool(apart[i, j]),
        )
        for i, j in pairs
    )  # fmt: skip
    scale = math.exp(full) if ratio else full
    return PairwiseData(labels, cells, quantity, scale, higher_is_better, ratio, tested)


def _full_colour(sizes: Sequence[float]) -> float:
    """The size of a difference whose colour is full: few are larger, so that one outlier does not pale all others."""
    finite = np.abs([size for size in sizes if math.isfinite(size)])
    found = float(np.quantile(finite, OFTEN, method="higher")) if len(finite) else 0.0
    return found or float(finite.max(initial=0.0)) or 1.0


def _writer(values: Sequence[float], *, ratio: bool) -> formats.Formatter:
    if ratio:
        return lambda value: f"×{formats.significant(3)(value)}"
    largest = max((abs(v) for v in values if math.isfinite(v)), default=1.0)
    return formats.signed(3 if largest < 10 else 1 if largest < 1000 else 0)


def blended(share: float) -> str:
    """The colour of a difference: blue for 1, white for 0, orange for −1; others lie between.

    >>> blended(1), blended(0), blended(-0.5)
    ('#4a98d0', '#ffffff', '#f4c29e')
    """
    end = BETTER if share > 0 else WORSE
    mixed = (round(e + abs(share) * (c - e)) for e, c in zip(EVEN, end, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def pairwise_figure(data: PairwiseData, width: float = WIDTH) -> Figure:
    """The map as a Figure of this width in inches; numbers are in the cells if these are large enough for them."""
    k = len(data.names)
    lines, high = _room(data, width)
    figure = figure_of_width(width, high * k + LEGEND, partial(draw_pairwise, data, lines=lines))
    return with_remarks(figure, data.remarks)


LEGEND = 0.75  # inches below the map, for the scale of colours


def _room(data: PairwiseData, width: float) -> tuple[int, float]:
    """How many lines of text a cell has, and its height in inches."""
    k = len(data.names)
    label = 0.56 * FONT_SIZE / 72 * (5 + max(map(len, name_labels(data.names))))
    cell = (width - label) / k
    if cell >= TWO_LINES:
        return 2, 0.36
    return (1, 0.24) if cell >= ONE_LINE else (0, max(row_height(k), min(cell, 0.24)))


def draw_pairwise(data: PairwiseData, ax: Axes, lines: int = 0) -> None:
    """Draw the map; names are to the left of the Axes, numbers above, the scale of colours below."""
    k = len(data.names)
    height = float(ax.get_window_extent().height / ax.figure.dpi)
    high = (height - LEGEND) / k
    ax.set_axis_off()
    ax.set(xlim=(0, k), ylim=(k + LEGEND / high, 0))
    _draw_cells(data, lines, ax)
    for cell in data.cells if lines else ():
        _write_cell(cell, lines, ax)
    size = FONT_SIZE if k <= 20 else SMALL
    for i, name in enumerate(name_labels(data.names)):
        write(ax, str(i + 1), (0, i + 0.5), offset=(-5, 0), ha="right", size=size)
        write(ax, name, (0, i + 0.5), offset=(-9 - 0.64 * size * len(str(k)), 0), ha="right", size=size)
    numbered = range(1, k + 1) if k <= 20 else rank_ticks(k)
    for number in numbered:
        write(ax, str(number), (number - 0.5, 0), offset=(0, 3), ha="center", va="bottom", size=SMALL)
    _draw_scale(data, k, high, ax)


def _draw_cells(data: PairwiseData, lines: int, ax: Axes) -> None:
    """Draw all cells: filled where two methods differ, else outlined and smaller."""
    from matplotlib.collections import PolyCollection

    apart = [cell for cell in data.cells if cell.different]
    alike = [cell for cell in data.cells if not cell.different]
    colors = [cell.color for cell in apart]
    filled = PolyCollection(_squares(apart, 0.0), facecolors=colors, edgecolors="white", linewidths=0.5)
    ax.add_collection(filled)
    outline = 1.0 if lines else 0.7
    edges = [cell.color for cell in alike]
    hollow = PolyCollection(_squares(alike, 0.13), facecolors="white", edgecolors=edges, linewidths=outline)
    ax.add_collection(hollow)


def _squares(cells: Sequence[PairCell], inset: float) -> list[npt.NDArray[np.float64]]:
    """The corners of the cells, each smaller by ``inset`` on all sides."""
    start = np.array([(cell.column, cell.row) for cell in cells], dtype=np.float64).reshape(-1, 1, 2)
    near, far = inset, 1 - inset
    return list(start + np.array([(near, near), (far, near), (far, far), (near, far)]))


def _write_cell(cell: PairCell, lines: int, ax: Axes) -> None:
    x, y, weight = cell.column + 0.5, cell.row, "bold" if cell.different else "normal"
    style: dict[str, Any] = {"ha": "center", "size": SMALL, "color": ON_CELL}
    write(ax, cell.text, (x, y + (0.31 if lines == 2 else 0.5)), weight=weight, **style)
    if lines == 2:
        write(ax, f"p {cell.p_text}", (x, y + 0.7), **style)


def _draw_scale(data: PairwiseData, k: int, high: float, ax: Axes) -> None:
    """Draw the scale of colours below the map, with its ends in numbers and in words."""
    from matplotlib.patches import Rectangle

    steps, top, tall = 41, k + 0.2 / high, 0.13 / high
    left, wide = 0.2 * k, 0.6 * k / steps
    for n in range(steps):
        share = 2 * n / (steps - 1) - 1
        ax.add_patch(Rectangle((left + n * wide, top), wide * 1.02, tall, facecolor=blended(share), linewidth=0))
    ax.add_patch(Rectangle((left, top), steps * wide, tall, facecolor="none", edgecolor=INK, linewidth=0.6))
    worse = _writer([data.scale], ratio=data.ratio)(1 / data.scale if data.ratio else -data.scale)
    better = _writer([data.scale], ratio=data.ratio)(data.scale)
    ends = (worse, better) if data.higher_is_better else (better, worse)
    below: dict[str, Any] = {"ha": "center", "va": "top", "size": SMALL, "offset": (0, -3)}
    write(ax, f"{ends[0]}\nrow worse", (left, top + tall), **below)
    write(ax, "×1" if data.ratio else "0", (k / 2, top + tall), **below)
    write(ax, f"{ends[1]}\nrow better", (left + steps * wide, top + tall), **below)
