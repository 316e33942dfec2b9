"""What a layout can estimate before anything is run: estimable effects, efficiencies, variance of predictions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.layouts.full_factorial import every_combination
from fairtrial.design.layouts.layout import Axis, CodedRows, FloatArray
from fairtrial.design.layouts.layout_options import check_whole
from fairtrial.design.layouts.layout_terms import ModelMatrix, expanded, model_matrix
from fairtrial.design.layouts.space_filling import from_unit_cube
from fairtrial.errors import InputError
from fairtrial.resampling.split import generator
from fairtrial.tables import Column, Shown, Table, formats

POINTS = 5000
"""The number of random points of the design space."""

NEGLIGIBLE = 1e-10  # of the largest eigenvalue of X'X: a combination of coefficients with less can't be estimated


@dataclass(frozen=True, slots=True, eq=False)
class Information:
    """What a layout tells about a model: its model matrix X, the rank of X, and the (pseudo-)inverse of X'X."""

    coded: CodedRows
    model: ModelMatrix
    rank: int
    inverse: FloatArray
    free: NDArray[np.bool_]  # which coefficients no combination of the other columns can replace

    @property
    def whole(self) -> bool:
        """Whether the layout can estimate the whole model."""
        return bool(self.rank == self.model.matrix.shape[1])

    @property
    def error_df(self) -> int:
        """The runs that remain to estimate the error."""
        return len(self.coded.rows) - self.rank

    def standard_errors(self) -> dict[str, float]:
        """See :func:`standard_errors`."""
        found = {}
        for term in self.model.terms:
            place = self.model.columns_of(term)
            variance = ((term.contrasts @ self.inverse[place, place]) * term.contrasts).sum(axis=1)
            found[term.name] = math.sqrt(float(variance.max())) if self.free[place].all() else math.nan
        return found

    def variance_at(self, rows: FloatArray) -> FloatArray:
        """See :func:`prediction_variance`."""
        if not self.whole:
            return np.full(len(rows), np.nan)
        points = expanded(np.asarray(rows, dtype=float), self.model.terms)
        inverse = self.inverse[: points.shape[1], : points.shape[1]]  # blocks are 0 at rows that belong to none
        return np.asarray(((points @ inverse) * points).sum(axis=1))


def information(coded: CodedRows, model: str) -> Information:
    """What a layout tells about a model; all that follows from it is computed once."""
    made = model_matrix(coded, model)
    sizes, vectors = np.linalg.eigh(made.matrix.T @ made.matrix)
    seen = sizes > NEGLIGIBLE * sizes[-1]
    inverse = (vectors[:, seen] / sizes[seen]) @ vectors[:, seen].T
    free = np.asarray((np.abs(vectors[:, ~seen]) < 1e-7).all(axis=1))
    return Information(coded, made, int(seen.sum()), inverse, free)


def standard_errors(coded: CodedRows, model: str = "main") -> dict[str, float]:
    """The standard error of each effect for an error standard deviation of 1; nan if it can't be estimated.

    An effect is the change of the response from the low to the high end of a range, or between two listed levels (of
    several pairs, the least precise one); of an interaction, half of the change of such a change; of a quadratic
    effect, the change from the middle to both ends.

    >>> from fairtrial.design.layouts.full_factorial import FullFactorial
    >>> standard_errors(FullFactorial().lay_out([Axis("A"), Axis("B")], seed=1))   # 2 / √4
    {'A': 1.0, 'B': 1.0}
    """
    return information(coded, model).standard_errors()


def estimable_effects(coded: CodedRows, model: str = "main") -> Table:
    """Which effects of a model a layout can estimate, and how precisely, as a table."""
    errors = standard_errors(coded, model)
    rows = tuple((name, not math.isnan(error), error) for name, error in errors.items())
    columns = (
        Column("effect", align="left"),
        Column("estimable", align="left"),
        Column("standard error", formats.significant(3)),
    )
    note = "standard errors are multiples of the standard deviation of the error"
    return Table(
        columns=columns, rows=rows, caption=f"effects of the model {model!r} in {len(coded.rows)} runs", notes=(note,)
    )


def prediction_variance(coded: CodedRows, model: str, at: FloatArray) -> FloatArray:
    r"""The variance of the predicted response at coded rows, as a multiple of the error variance.

    .. math:: v(x) = f(x)' (X'X)^{-1} f(x)

    nan if the layout can't estimate the model.

    >>> from fairtrial.design.layouts.full_factorial import FullFactorial
    >>> laid = FullFactorial().lay_out([Axis("A"), Axis("B")], seed=1)
    >>> prediction_variance(laid, "main", np.array([[0.0, 0.0], [1.0, 1.0]]))   # (1 + a² + b²) / 4
    array([0.25, 0.75])
    """
    rows = np.asarray(at, dtype=float)
    if rows.ndim != 2 or rows.shape[1] != len(coded.axes):
        raise InputError(
            f"at must have a column for each of the {len(coded.axes)} factors, but its shape is {rows.shape}"
        )
    for axis, column in zip(coded.axes, rows.T, strict=True):
        if axis.levels is not None and not np.isin(column[~np.isnan(column)], np.arange(axis.levels)).all():
            raise InputError(f"at must have the number of a level of {axis.name!r}, 0 to {axis.levels - 1}")
    return information(coded, model).variance_at(rows)


@dataclass(frozen=True, slots=True, eq=False)
class DesignSpace(Shown):
    """The fraction of the design space in which the variance of a prediction is at most as given.

    ``variance`` is a multiple of the error variance, in ascending order. ``average`` and ``largest`` are over the whole
    space: all ranges from −1 to 1, all listed levels; the largest also over corners and middles.
    """

    fraction: FloatArray
    variance: FloatArray
    average: float
    largest: float

    def to_table(self) -> Table:
        """The variance that is not exceeded in some parts of the space."""
        shares = (0.1, 0.25, 0.5, 0.75, 0.9)
        at = np.quantile(self.variance, shares) if len(self.variance) else np.full(len(shares), np.nan)
        columns = (Column("part of the space", formats.percent), Column("variance at most", formats.significant(3)))
        rows = (*zip(shares, map(float, at), strict=True), (1.0, self.largest))
        return Table(
            columns=columns, rows=rows, caption="variance of a prediction, as a multiple of the error variance"
        )


def design_space(coded: CodedRows, model: str = "main", *, points: int = POINTS, seed: int = 0) -> DesignSpace:
    """The variance of predictions over the whole space, at random points: the fraction-of-design-space curve.

    Reference: Zahran, Anderson-Cook & Myers (2003), Journal of Quality Technology 35:377-386.
    """
    check_whole("points", points, least=1)
    return space_of(information(coded, model), points, seed)


def space_of(known: Information, points: int = POINTS, seed: int = 0) -> DesignSpace:
    """The variance of predictions over the space; see :func:`design_space`."""
    axes = known.coded.axes
    draw = generator(seed, "design space", points, len(axes))
    strata = [(draw.permutation(points) + draw.random_sample(points)) / points for _ in axes]
    variance = np.sort(known.variance_at(from_unit_cube(np.column_stack(strata), axes)))
    corners = known.variance_at(_corners(axes, draw))
    fraction = (np.arange(points) + 0.5) / points
    return DesignSpace(fraction, variance, float(variance.mean()), float(np.max([variance[-1], corners.max()])))


def _corners(axes: Sequence[Axis], draw: np.random.RandomState) -> FloatArray:
    """Ends and middles of the ranges: all combinations, or a random part of them if there are many."""
    try:
        return every_combination(axes, 3, most=20_000)
    except InputError:
        return from_unit_cube(draw.randint(0, 3, (20_000, len(axes))) / 2, axes)


@dataclass(frozen=True, slots=True)
class Efficiency:
    r"""How much a layout of n runs tells about a model of p coefficients, in percent of an ideal orthogonal layout.

    D is :math:`100\,|X'X|^{1/p} / n`, A is :math:`100\,p / (n\,\mathrm{tr}(X'X)^{-1})`, and G is
    :math:`100\,p / (n \max v(x))` over the space. They depend on the coding: ranges from −1 to 1, listed levels with
    columns of mean square 1. A layout that can't estimate the model has none: nan. With blocks, X'X is what remains
    when blocks are adjusted for.
    """

    d: float
    a: float
    g: float
    average_variance: float
    largest_variance: float


def efficiency(coded: CodedRows, model: str = "main", *, seed: int = 0) -> Efficiency:
    """The D-, A- and G-efficiency of a layout, and the variance of its predictions.

    >>> from fairtrial.design.layouts.full_factorial import FullFactorial
    >>> efficiency(FullFactorial().lay_out([Axis("A"), Axis("B")], seed=1))
    Efficiency(d=100.0, a=100.0, g=100.0, average_variance=0.4167, largest_variance=0.75)
    """
    return efficiency_of(information(coded, model), seed)


def efficiency_of(known: Information, seed: int = 0) -> Efficiency:
    """The efficiencies of a layout; see :func:`efficiency`."""
    if not known.whole:
        return Efficiency(math.nan, math.nan, math.nan, math.nan, math.nan)
    runs, p = known.model.effects.shape
    adjusted = known.inverse[:p, :p]
    _, logarithm = np.linalg.slogdet(adjusted)
    space = space_of(known, seed=seed)
    return Efficiency(
        d=100 * math.exp(-logarithm / p) / runs,
        a=100 * p / (runs * float(np.trace(adjusted))),
        g=100 * p / (runs * space.largest),
        average_variance=space.average,
        largest_variance=space.largest,
    )
