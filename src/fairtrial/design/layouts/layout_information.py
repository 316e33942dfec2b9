"""What a layout can estimate before anything is run: estimable effects, efficiencies, variance of predictions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.layouts.full_factorial import every_combination
from fairtrial.design.layouts.layout import Axis, CodedRows, FloatArray
from fairtrial.design.layouts.model_terms import ModelMatrix, Term, expanded, model_matrix
from fairtrial.design.layouts.space_filling import from_unit_cube
from fairtrial.errors import InputError
from fairtrial.resampling.seeds import generator
from fairtrial.tables import Column, Table, formats

__all__ = [
    "DesignSpace",
    "Efficiency",
    "design_space",
    "efficiency",
    "estimable_effects",
    "prediction_variance",
    "rank_of",
    "standard_errors",
]

POINTS = 5000
"""The number of random points of the design space."""

NEGLIGIBLE = 1e-9


def _inverse(model: ModelMatrix) -> FloatArray | None:
    """(X'X)⁻¹, or None if X'X has none: the layout can't estimate the whole model."""
    if len(model.matrix) < model.matrix.shape[1] or rank_of(model.matrix) < model.matrix.shape[1]:
        return None
    return np.asarray(np.linalg.inv(model.matrix.T @ model.matrix))


def rank_of(matrix: FloatArray) -> int:
    """The number of coefficients that the rows of a model matrix determine."""
    sizes = np.linalg.svd(np.linalg.qr(matrix, mode="r"), compute_uv=False)  # the small triangle has the same rank
    return int((sizes > NEGLIGIBLE * sizes[0]).sum())


def _free_columns(matrix: FloatArray) -> NDArray[np.bool_]:
    """Which coefficients can be estimated: those that no combination of the other columns can replace."""
    _, sizes, right = np.linalg.svd(np.linalg.qr(matrix, mode="r"), full_matrices=True)
    rank = int((sizes > NEGLIGIBLE * sizes[0]).sum())
    return np.asarray((np.abs(right[rank:]) < 1e-7).all(axis=0))


def standard_errors(coded: CodedRows, model: str = "main") -> dict[str, float]:
    """The standard error of each effect for an error standard deviation of 1; nan if it can't be estimated.

    An effect is the change of the response from the low to the high end of a range, or between two listed levels (of
    several pairs, the least precise one); of an interaction, half of the change of such a change; of a quadratic
    effect, the change from the middle to both ends.

    >>> from fairtrial.design.layouts.full_factorial import FullFactorial
    >>> standard_errors(FullFactorial().lay_out([Axis("A"), Axis("B")], seed=1))   # 2 / √4
    {'A': 1.0, 'B': 1.0}
    """
    made = model_matrix(coded, model)
    free = _free_columns(made.matrix)
    inverse = np.linalg.pinv(made.matrix.T @ made.matrix, hermitian=True)
    found = {}
    for term in made.terms:
        place = made.columns_of(term)
        variance = ((term.contrasts @ inverse[place, place]) * term.contrasts).sum(axis=1)
        found[term.name] = math.sqrt(float(variance.max())) if free[place].all() else math.nan
    return found


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


def _all_terms(rows: FloatArray, terms: Sequence[Term], blocks: int) -> FloatArray:
    """The columns of a model at rows that belong to no block."""
    return np.hstack([expanded(rows, terms), np.zeros((len(rows), blocks))])


def prediction_variance(coded: CodedRows, model: str, at: FloatArray) -> FloatArray:
    r"""The variance of the predicted response at coded rows, as a multiple of the error variance.

    .. math:: v(x) = f(x)' (X'X)^{-1} f(x)

    nan if the layout can't estimate the model.

    >>> from fairtrial.design.layouts.full_factorial import FullFactorial
    >>> laid = FullFactorial().lay_out([Axis("A"), Axis("B")], seed=1)
    >>> prediction_variance(laid, "main", np.array([[0.0, 0.0], [1.0, 1.0]]))   # (1 + a² + b²) / 4
    array([0.25, 0.75])
    """
    made = model_matrix(coded, model)
    inverse = _inverse(made)
    if inverse is None:
        return np.full(len(at), np.nan)
    points = _all_terms(np.asarray(at, dtype=float), made.terms, made.blocks)
    return np.asarray(((points @ inverse) * points).sum(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class DesignSpace:
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
    draw = generator(seed, "design space", points, len(coded.axes))
    strata = [(draw.permutation(points) + draw.random_sample(points)) / points for _ in coded.axes]
    random = from_unit_cube(np.column_stack(strata), coded.axes)
    variance = np.sort(prediction_variance(coded, model, random))
    corners = prediction_variance(coded, model, _corners(coded.axes, draw))
    largest = float(np.max([variance[-1], corners.max()])) if len(variance) else math.nan
    fraction = (np.arange(points) + 0.5) / points
    return DesignSpace(fraction, variance, float(variance.mean()), largest)


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
    made = model_matrix(coded, model)
    inverse = _inverse(made)
    if inverse is None:
        return Efficiency(math.nan, math.nan, math.nan, math.nan, math.nan)
    runs, p = made.effects.shape
    adjusted = inverse[:p, :p]
    _, logarithm = np.linalg.slogdet(adjusted)
    space = design_space(coded, model, seed=seed)
    return Efficiency(
        d=100 * math.exp(-logarithm / p) / runs,
        a=100 * p / (runs * float(np.trace(adjusted))),
        g=100 * p / (runs * space.largest),
        average_variance=space.average,
        largest_variance=space.largest,
    )
