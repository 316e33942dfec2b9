"""The model matrix of a layout: main effects, interactions of two factors, quadratic effects, and blocks.

Which effects a layout can't tell apart, for layouts of any kind: the alias matrix.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fairtrial.design.layouts.layout import Axis, CodedRows, FloatArray, can_coexist
from fairtrial.design.layouts.regular_fraction import as_product
from fairtrial.stats.arguments import check_option
from fairtrial.tables import Column, Shown, Table

Model = Literal["main", "interactions", "quadratic"]
MODELS: tuple[Model, ...] = ("main", "interactions", "quadratic")


@dataclass(frozen=True, slots=True)
class Term:
    """An effect: its name, the axes whose product it is (one twice for a quadratic effect), and its contrasts.

    ``levels`` has the listed levels that each axis can have where the effect exists; None for a range.
    ``contrasts`` has a row for each change of levels that the effect is about, in the columns of the effect. Each is
    the change from the low to the high end, or from one listed level to another; of an interaction, half of the change
    of such a change; of a quadratic effect, the change from the middle to both ends.
    """

    name: str
    axes: tuple[int, ...]
    levels: tuple[tuple[int, ...] | None, ...]
    contrasts: FloatArray

    @property
    def width(self) -> int:
        """The number of columns of the effect in the model matrix."""
        return int(self.contrasts.shape[1])


@dataclass(frozen=True, slots=True)
class ModelMatrix:
    """The columns of a model, row by row of a layout: 1 for the mean, then the effects, then the blocks."""

    terms: tuple[Term, ...]
    matrix: FloatArray
    blocks: int = 0

    @property
    def effects(self) -> FloatArray:
        """The mean and the effects, without the columns of blocks."""
        return self.matrix[:, : self.matrix.shape[1] - self.blocks]

    def columns_of(self, term: Term) -> slice:
        """Where the columns of an effect are."""
        start = 1
        for other in self.terms:
            if other is term:
                break
            start += other.width
        return slice(start, start + term.width)


def check_model(model: str) -> None:
    """Refuse a model that has no name here."""
    check_option("model", model, MODELS)


def level_contrasts(levels: int) -> FloatArray:
    """Orthogonal columns for the levels of a list, each with a mean square of 1: −1 and +1 for two levels.

    >>> level_contrasts(2).ravel(), level_contrasts(3).round(3)
    (array([-1.,  1.]), array([[-1.225, -0.707],
           [ 1.225, -0.707],
           [ 0.   ,  1.414]]))
    """
    columns = np.zeros((levels, levels - 1))
    for j in range(1, levels):
        columns[:j, j - 1], columns[j, j - 1] = -1, j
        columns[:, j - 1] *= np.sqrt(levels / (j * (j + 1)))
    return columns


def model_terms(axes: Sequence[Axis], model: str) -> tuple[Term, ...]:
    """The effects of a model. Effects of a nested factor are those within the rows where it exists.

    >>> [term.name for term in model_terms([Axis("rate"), Axis("kernel", 3)], "quadratic")]
    ['rate', 'kernel', 'rate × kernel', 'rate²']
    """
    check_model(model)
    names = [axis.name for axis in axes]
    varied = [i for i, axis in enumerate(axes) if axis.levels is None or axis.levels > 1]
    terms = [_term(names[i], (i,), axes) for i in varied]
    if model != "main":
        pairs = [(i, j) for i, j in itertools.combinations(varied, 2) if _interact(axes[i], axes[j], axes)]
        terms += [_term(as_product([names[i], names[j]], names), (i, j), axes) for i, j in pairs]
    if model == "quadratic":
        squares = [i for i in varied if axes[i].levels is None]
        terms += [Term(f"{names[i]}²", (i, i), (None, None), np.ones((1, 1))) for i in squares]
    return tuple(terms)


def _term(name: str, places: tuple[int, ...], axes: Sequence[Axis]) -> Term:
    """A main effect or an interaction. Of a factor that another one is nested in, it has the levels that allow both."""
    levels = []
    for i in places:
        axis = axes[i]
        allowed = [axes[j].when[axis.name] for j in places if axis.name in axes[j].when]
        listed = None if axis.levels is None else tuple(sorted(frozenset(range(axis.levels)).intersection(*allowed)))
        levels.append(listed)
    contrasts = _changes(levels[0])
    for more in levels[1:]:
        contrasts = np.kron(contrasts, _changes(more)) / 2
    return Term(name, places, tuple(levels), contrasts)


def _changes(levels: tuple[int, ...] | None) -> FloatArray:
    """The changes of a factor in its columns: from low to high, or between each two listed levels."""
    if levels is None:
        return np.array([[2.0]])
    columns = level_contrasts(len(levels))
    return np.array([columns[b] - columns[a] for a, b in itertools.combinations(range(len(levels)), 2)])


def _interact(one: Axis, other: Axis, axes: Sequence[Axis]) -> bool:
    """Whether two factors can interact: they exist together, and neither is constant where the other exists."""
    constant = any(len(a.when.get(b.name, (0, 1))) == 1 for a, b in ((one, other), (other, one)))
    return can_coexist(one, other, axes) and not constant


def model_matrix(coded: CodedRows, model: str) -> ModelMatrix:
    """The model matrix of a layout: units of ranges as they are, orthogonal columns for listed levels, 0 where absent.

    >>> from fairtrial.design.layouts.fractional import FullFactorial
    >>> model_matrix(FullFactorial().lay_out([Axis("A"), Axis("B", 2)], seed=1), "interactions").matrix
    array([[ 1., -1., -1.,  1.],
           [ 1.,  1., -1., -1.],
           [ 1., -1.,  1., -1.],
           [ 1.,  1.,  1.,  1.]])
    """
    terms = model_terms(coded.axes, model)
    blocks = np.zeros((len(coded.rows), 0))
    if coded.block is not None and len(np.unique(coded.block)) > 1:
        _, number = np.unique(coded.block, return_inverse=True)
        blocks = level_contrasts(int(number.max()) + 1)[number]
    return ModelMatrix(terms, np.hstack([expanded(coded.rows, terms), blocks]), blocks.shape[1])


def expanded(rows: FloatArray, terms: Sequence[Term]) -> FloatArray:
    """The columns of the mean and of these effects at coded rows."""
    parts = [np.ones((len(rows), 1))]
    for term in terms:
        part = np.ones((len(rows), 1))
        for i, levels in zip(term.axes, term.levels, strict=True):
            own = _columns(rows[:, i], levels)
            part = (part[:, :, None] * own[:, None, :]).reshape(len(rows), -1)
        parts.append(part)
    return np.hstack(parts)


def _columns(column: FloatArray, levels: tuple[int, ...] | None) -> FloatArray:
    """The columns of a factor: its units, or the contrasts of its levels; 0 in rows that do not have one of these."""
    if levels is None:
        return np.nan_to_num(column)[:, None]
    there = np.isin(column, levels)
    found = np.zeros((len(column), len(levels) - 1))
    found[there] = level_contrasts(len(levels))[np.searchsorted(levels, column[there])]
    return found


NEGLIGIBLE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Aliases(Shown):
    """The alias matrix: how much of each left-out effect is in the estimate of each effect of the model.

    If the model without the left-out effects is fitted, the expected estimate of effect i is its true value plus the
    sum of ``matrix[i, j]`` times the left-out effect j. Rows are coefficients of the model, columns those left out.
    """

    effects: tuple[str, ...]
    left_out: tuple[str, ...]
    matrix: FloatArray

    def sentences(self) -> tuple[str, ...]:
        """The effects that are mixed with others, with the shares: "A is mixed with 0.33 BC − 0.33 BD"."""
        lines = []
        for effect, row in zip(self.effects, self.matrix, strict=True):
            parts = [
                _part(share, name) for share, name in zip(row, self.left_out, strict=True) if abs(share) > NEGLIGIBLE
            ]
            if parts:
                lines.append(f"{effect} is mixed with {' + '.join(parts).replace('+ −', '− ')}")
        return tuple(lines)

    def to_table(self) -> Table:
        """A row for each effect that is mixed with a left-out one, with its share."""
        rows = [
            (effect, other, float(share))
            for effect, row in zip(self.effects, self.matrix, strict=True)
            for other, share in zip(self.left_out, row, strict=True)
            if abs(share) > NEGLIGIBLE
        ]
        columns = (Column("effect", align="left"), Column("is mixed with", align="left"), Column("share"))
        return Table(columns=columns, rows=tuple(rows), caption="effects that this layout can't tell apart")


def _part(share: float, name: str) -> str:
    sign = "−" if share < 0 else ""
    size = f"{abs(share):.2g}"
    return f"{sign}{name}" if size == "1" else f"{sign}{size} {name}"


def alias_structure(coded: CodedRows, model: str = "main", beyond: str = "interactions") -> Aliases:
    r"""The alias matrix of a layout of any kind, for a model and the effects of a larger model that are left out.

    .. math:: A = (X_1'X_1)^{-1} X_1'X_2

    X₁ has the columns of the model (and of blocks), X₂ those that the larger model has beyond it. If the model itself
    can't be estimated, the pseudo-inverse is taken.

    Reference: Box & Wilson (1951), Journal of the Royal Statistical Society B 13:1-45.

    >>> from fairtrial.design.layouts import Axis, PlackettBurman
    >>> laid = PlackettBurman(runs=12).lay_out([Axis(name) for name in "ABCD"], seed=1)
    >>> alias_structure(laid).sentences()[0]
    'A is mixed with 0.33 BC − 0.33 BD + 0.33 CD'
    """
    kept, larger = model_matrix(coded, model), model_matrix(coded, beyond)
    names = {term.name for term in kept.terms}
    left = [term for term in larger.terms if term.name not in names]
    beyond_columns = [larger.matrix[:, larger.columns_of(term)] for term in left]
    outside = np.hstack(beyond_columns) if beyond_columns else np.zeros((len(coded.rows), 0))
    matrix = np.linalg.pinv(kept.matrix) @ outside
    width = kept.effects.shape[1]
    return Aliases(
        ("mean", *_table_columns(kept)), tuple(n for t in left for n in _numbered(t.name, t.width)), matrix[:width]
    )


def _table_columns(model: ModelMatrix) -> list[str]:
    return [name for term in model.terms for name in _numbered(term.name, term.width)]


def _numbered(name: str, width: int) -> list[str]:
    return [name] if width == 1 else [f"{name}[{i + 1}]" for i in range(width)]
