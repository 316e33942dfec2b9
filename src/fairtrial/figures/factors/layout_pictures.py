"""The figures of a layout, chosen by name: what a plan can tell apart, and how well it predicts.

The alias map of a layout: how strongly the columns of each two effects are correlated.

The variance of predictions of layouts: in which part of the space it is at most how large.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fairtrial.design.layouts import CodedRows, design_space, model_matrix
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.drawing.boxed_curves import Curve, CurvesData, curves_figure, thinned
from fairtrial.figures.drawing.inputs import FigureData, Rows, some_names
from fairtrial.figures.drawing.style import (
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
from fairtrial.tables import formats
from fairtrial.words import is_one_of, listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


LayoutFigure = Literal["alias_map", "prediction_variance"]
LAYOUT_FIGURES: tuple[LayoutFigure, ...] = get_args(LayoutFigure)


def layout_figure(
    layouts: Mapping[str, CodedRows], kind: LayoutFigure = "alias_map", model: str = "interactions"
) -> Figure:
    """Draw the layouts of a plan, by the name of their method.

    ``"alias_map"`` shows which effects of the first layout can't be told apart; ``"prediction_variance"`` how well each
    layout predicts, over the space of its factors. ``model`` is ``"main"``, ``"interactions"`` or ``"quadratic"``.
    """
    if not is_one_of(kind, LAYOUT_FIGURES):
        raise UnknownName.among("figure of a plan", kind, LAYOUT_FIGURES)
    if not layouts:
        raise InputError(f"{kind} needs a study that varies factors of its methods (factors=), and this one does not")
    if kind == "alias_map":
        return alias_map_figure(alias_map_data(next(iter(layouts.values())), model))

    return prediction_variance_figure(prediction_variance_data(layouts, model))


MOST = 60
MOST_WITH_NUMBERS = 16
LONGEST = 26
NEGLIGIBLE = 1e-9
POSITIVE, NEGATIVE = "#005a8f", PALETTE[1]
SMALLEST = 5.0


@dataclass(frozen=True, slots=True)
class AliasMapData(FigureData):
    """All that the figure shows: names of the columns of effects, and their correlations; nan for a constant column.

    ``main`` is the number of columns of main effects, which come first.
    """

    names: tuple[str, ...]
    correlations: Rows
    main: int
    remarks: tuple[str, ...] = ()


def alias_map_data(coded: CodedRows, model: str = "interactions") -> AliasMapData:
    """The data of an alias map: the correlations between the columns of the effects of a model in a layout.

    0: both effects can be estimated independently of each other; 1 or −1: they can't be told apart. A factor with q
    listed levels has q − 1 columns. The columns of blocks are left out. Of more than 60 columns the first are drawn:
    main effects, then interactions.

    >>> from fairtrial.design.layouts import Axis, Fractional
    >>> laid = Fractional(runs=4).lay_out([Axis(name) for name in "ABC"], seed=1)
    >>> data = alias_map_data(laid)
    >>> data.names, [round(r, 2) + 0 for r in data.correlations[0]]   # C = AB, so that A = BC
    (('A', 'B', 'C', 'AB', 'AC', 'BC'), [1.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    """
    made = model_matrix(coded, model)
    columns = made.effects[:, 1:]
    if not columns.shape[1]:
        raise InputError("the layout must have at least one factor with two levels, but no factor varies")
    names = [
        term.name if term.width == 1 else f"{term.name}[{j + 1}]" for term in made.terms for j in range(term.width)
    ]
    main = sum(term.width for term in made.terms if len(term.axes) == 1)
    found = _correlations(columns)
    shown = min(len(names), MOST)
    return AliasMapData(
        names=tuple(names[:shown]),
        correlations=tuple(map(tuple, found[:shown, :shown].tolist())),
        main=min(main, shown),
        remarks=tuple(filter(None, (*_remarks(found, main), _left_out(len(names) - shown)))),
    )


def _correlations(columns: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Correlations of columns; nan for a constant one, and exactly 0, 1 or −1 where only rounding differs."""
    centred = columns - columns.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    scale = np.where(lengths > NEGLIGIBLE * np.abs(columns).max(initial=1.0), lengths, np.nan)
    found = (centred / scale).T @ (centred / scale)
    nearest = np.round(found)
    return np.asarray(np.where(np.abs(found - nearest) < NEGLIGIBLE, nearest + 0.0, found))


def _remarks(found: np.ndarray[Any, np.dtype[np.float64]], main: int) -> list[str]:
    colours = "blue: positive, orange: negative; the stronger the colour, the larger the correlation"
    pairs = np.abs(found[np.triu_indices(len(found), 1)])
    gone = int(np.isnan(np.diag(found)).sum())
    constant = f"–: {plural(gone, 'effect')} whose column is constant and can't be estimated" if gone else ""
    known = pairs[~np.isnan(pairs)]
    if not known.size or known.max() == 0:
        which = "every other effect" if gone else "every effect"
        return [colours, f"all other correlations are 0: {which} can be estimated independently", constant]
    same = int((known > 1 - NEGLIGIBLE).sum())
    alike = f"{plural(same, 'pair')} of effects can't be told apart" if same else "no two effects are the same"
    among = found[:main, :main][np.triu_indices(main, 1)]
    largest = float(np.nanmax(np.abs(among))) if among.size and not np.isnan(among).all() else 0.0
    return [colours, f"{alike}; largest correlation between main effects {largest:.2g}", constant]


def _left_out(n: int) -> str:
    return f"not drawn: {plural(n, 'more column')} of interactions" if n > 0 else ""


def alias_map_figure(data: AliasMapData) -> Figure:
    """The map as a Figure whose cells shrink with the number of effects."""
    k = len(data.names)
    cell = next((inches for most, inches in ((6, 0.4), (10, 0.3), (16, 0.25), (30, 0.17)) if k <= most), 0.125)
    return fitted_figure(cell * k, cell * k, partial(draw_alias_map, data), keep_shape=True)


def draw_alias_map(data: AliasMapData, ax: Axes) -> None:
    """Draw the map; names of effects stand beside and above it, remarks below."""
    from matplotlib.patches import Rectangle

    k = len(data.names)
    cell = size_in_inches(ax)[0] / k
    _axes(data, cell, ax)
    size = min(SMALL, 72 * cell * 0.92 / (0.62 * 4))
    for i, row in enumerate(data.correlations):
        for j, value in enumerate(row):
            if value == value and value != 0:
                hue = POSITIVE if value > 0 else NEGATIVE
                ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=hue, alpha=0.9 * abs(value), linewidth=0))
            text = _text(value)
            if text and k <= MOST_WITH_NUMBERS and i != j and size >= SMALLEST:
                ink = "white" if value > 0.7 else INK
                write(ax, text, (j, i), ha="center", size=size, color=ink)
    style: dict[str, Any] = {"color": INK, "linewidth": 0.4, "alpha": 0.3 if k <= MOST_WITH_NUMBERS else 0.15}
    for edge in range(k + 1):
        heavy = {"linewidth": 1.0, "alpha": 0.8} if edge == data.main and data.main < k else {}
        ax.plot([-0.5, k - 0.5], [edge - 0.5] * 2, **style | heavy)
        ax.plot([edge - 0.5] * 2, [-0.5, k - 0.5], **style | heavy)
    text = wrap(data.remarks, max(int(size_in_inches(ax)[0] * 72 / (0.5 * SMALL)), 56))
    write(ax, text, (0, 0), offset=(0, -8), va="top", at="axes fraction", size=SMALL, color=MUTED)


def _text(value: float) -> str:
    """A correlation in a cell: without a zero before the point, and nothing for 0.

    >>> [_text(v) for v in (1 / 3, -0.5, 1.0, -1.0, 0.0, float("nan"))]
    ['.33', '−.50', '1', '−1', '', '–']
    """
    if value != value:
        return "–"
    if abs(value) < 0.005:
        return ""
    sign = "−" if value < 0 else ""
    return f"{sign}1" if abs(value) >= 0.995 else f"{sign}{abs(value):.2f}".replace("0.", ".")


def _axes(data: AliasMapData, cell: float, ax: Axes) -> None:
    k = len(data.names)
    ax.set_facecolor("none")
    ax.set(xlim=(-0.5, k - 0.5), ylim=(k - 0.5, -0.5))
    names: dict[str, Any] = {"parse_math": False, "usetex": False, "fontsize": min(FONT_SIZE, 72 * cell * 0.85)}
    shown = short_names(data.names, LONGEST)
    ax.set_yticks(range(k), shown, **names)
    fit = 0.62 * names["fontsize"] * max(map(len, shown)) < 72 * cell
    ax.set_xticks(range(k), shown, **names, rotation=0 if fit else 90)
    ax.tick_params(colors=INK, length=0, pad=3, labeltop=True, labelbottom=False)
    for spine in ax.spines.values():
        spine.set_visible(False)


BOX = (4.4, 3.2)
MOST_CURVES = 5


def prediction_variance_data(layouts: Mapping[str, CodedRows], model: str = "main") -> CurvesData:
    """The data of fraction-of-design-space curves, one for each layout.

    The curve goes through (x, y) if the variance of a prediction is at most y in a share x of the space, as a multiple
    of the error variance of one run. A low and flat curve is good. At x = 1 it ends at the largest variance, and the
    legend has the average. A layout that can't estimate the model has no curve, and a remark says so.

    Reference: Zahran, Anderson-Cook & Myers (2003), Journal of Quality Technology 35:377-386.

    >>> from fairtrial.design.layouts import Axis, FullFactorial
    >>> data = prediction_variance_data({"2²": FullFactorial().lay_out([Axis("A"), Axis("B")], seed=1)})
    >>> data.curves[0].line[-1], data.curves[0].number   # (1 + 1 + 1) / 4 in a corner
    ((1.0, 0.75), '0.417')
    """
    names = some_names("layouts", layouts)
    if len(names) > MOST_CURVES:
        raise InputError(
            f"layouts must be at most {MOST_CURVES}, so that their curves can be distinguished, got {len(names)}"
        )
    spaces = {name: design_space(coded, model) for name, coded in layouts.items()}
    drawn = {name: space for name, space in spaces.items() if math.isfinite(space.largest)}
    if not drawn:
        raise InputError(
            f"model {model!r} can't be estimated from {listed(names)}; choose a smaller one, such as 'main'"
        )
    top = 1.05 * max(space.largest for space in drawn.values())
    write = formats.significant(3)
    gone = [name for name in names if name not in drawn]
    return CurvesData(
        curves=tuple(
            Curve(
                name,
                line=thinned(np.append(space.fraction, 1.0), np.append(space.variance, space.largest), 1.0, top),
                number=write(space.average),
            )
            for name, space in drawn.items()
        ),
        references=(),
        labels=("fraction of the space", "variance of a prediction, in error variances"),
        limits=((0.0, 1.0), (0.0, top)),
        heading="average",
        remarks=(
            f"model {model!r}; " + ", ".join(f"{name}: {plural(len(layouts[name].rows), 'run')}" for name in drawn),
            *([f"can't estimate the model: {listed(gone)}"] if gone else []),
        ),
        size=BOX,
    )


def prediction_variance_figure(data: CurvesData) -> Figure:
    """The curves as a Figure; see :func:`prediction_variance_data`."""
    return curves_figure(data)
