"""What a layout can estimate before anything is run: estimable effects, efficiencies, variance of predictions.

The power of each effect of a layout, before anything is run.

Two layouts side by side: runs, resolution, efficiencies, variance of predictions, power.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.layouts.fractional import every_combination
from fairtrial.design.layouts.layout import Axis, CodedRows, FloatArray, as_signs, check_whole, resolution_of_signs
from fairtrial.design.layouts.layout_terms import ModelMatrix, expanded, model_matrix
from fairtrial.design.layouts.space_filling import from_unit_cube
from fairtrial.errors import InputError
from fairtrial.resampling.split import generator
from fairtrial.stats.arguments import number
from fairtrial.stats.planning.sizes import power
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import shown

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

    >>> from fairtrial.design.layouts.fractional import FullFactorial
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

    >>> from fairtrial.design.layouts.fractional import FullFactorial
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

    >>> from fairtrial.design.layouts.fractional import FullFactorial
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


NO_DF = "the model uses up all runs, so none are left to estimate the error: there is no test, and no power"


def error_df(coded: CodedRows, model: str = "main") -> int:
    """The runs that remain to estimate the error: their number less the rank of the model with blocks."""
    return information(coded, model).error_df


def effect_power(
    coded: CodedRows, *, effect: float, sd: float, model: str = "main", level: float = 0.95, replicates: int = 1
) -> dict[str, float]:
    r"""The power of the t-test of each effect: the probability of finding an effect of this size.

    ``effect`` is the change of the response that an effect makes (see :func:`standard_errors`), ``sd`` the standard
    deviation of the error of one run, ``replicates`` how often all rows are run. The test of an effect with standard
    error s · sd has noncentrality effect / (s · sd), and as many degrees of freedom as runs remain beyond the model.
    nan: the effect can't be estimated, or no runs remain.

    >>> from fairtrial.design.layouts import Axis, FullFactorial
    >>> laid = FullFactorial().lay_out([Axis("A"), Axis("B")], seed=1)
    >>> effect_power(laid, effect=2.0, sd=1.0, replicates=2)   # 8 runs, 5 degrees of freedom, noncentrality 2√2
    {'A': 0.6228, 'B': 0.6228}
    """
    return power_of(information(coded, model), effect=effect, sd=sd, level=level, replicates=replicates)


def power_of(
    known: Information, *, effect: float, sd: float, level: float = 0.95, replicates: int = 1
) -> dict[str, float]:
    """The power of each effect; see :func:`effect_power`."""
    if not 0 < number(sd) < math.inf:
        raise InputError(f"sd must be the standard deviation of the error, a finite number above 0, got {shown(sd)}")
    if not math.isfinite(number(effect)):
        raise InputError(f"effect must be a finite number, the change of the response, got {shown(effect)}")
    check_whole("replicates", replicates, least=1)
    df = known.error_df + (replicates - 1) * len(known.coded.rows)
    errors = known.standard_errors()
    by_size: dict[float, float] = {}
    for error in errors.values():
        size = round(error, 12)
        if size not in by_size and df > 0 and not math.isnan(error):
            shift = effect * math.sqrt(replicates) / (sd * error)
            # the one-sample t-test has the same degrees of freedom and noncentrality
            by_size[size] = power("one_sample_t", n=df + 1, effect=shift / math.sqrt(df + 1), level=level).power
    return {name: by_size.get(round(error, 12), math.nan) for name, error in errors.items()}


def power_table(
    coded: CodedRows, *, effect: float, sd: float, model: str = "main", level: float = 0.95, replicates: int = 1
) -> Table:
    """The power of each effect as a table, with its standard error."""
    known = information(coded, model)
    errors = known.standard_errors()
    found = power_of(known, effect=effect, sd=sd, level=level, replicates=replicates)
    rows = tuple((name, errors[name] * sd / math.sqrt(replicates), found[name]) for name in found)
    columns = (
        Column("effect", align="left"),
        Column("standard error", formats.significant(3)),
        Column("power", formats.fixed(3)),
    )
    df = known.error_df + (replicates - 1) * len(coded.rows)
    caption = f"power to find an effect of {effect:g} if the error of a run has standard deviation {sd:g}"
    notes = (f"two-sided t-tests at level {level:g} with {df} degrees of freedom",) if df > 0 else (NO_DF,)
    return Table(columns=columns, rows=rows, caption=caption, notes=notes)


MOST_PRODUCTS = 5  # factors of a product: the resolution is looked for up to this number


def layout_facts(
    coded: CodedRows, *, model: str = "main", effect: float | None = None, sd: float | None = None, level: float = 0.95
) -> dict[str, object]:
    """The numbers by which layouts are compared, by name; nan where one is undefined."""
    known = information(coded, model)
    found, errors = efficiency_of(known), known.standard_errors()
    facts: dict[str, object] = {
        "runs": len(coded.rows),
        "resolution": _resolution(coded),
        "estimable effects": f"{sum(not math.isnan(e) for e in errors.values())} of {len(errors)}",
        "degrees of freedom of the error": known.error_df,
        "D-efficiency, %": found.d,
        "A-efficiency, %": found.a,
        "G-efficiency, %": found.g,
        "average variance of a prediction": found.average_variance,
        "largest variance of a prediction": found.largest_variance,
    }
    if effect is not None and sd is not None:
        powers = list(power_of(known, effect=effect, sd=sd, level=level).values())
        facts["smallest power of an effect"] = float(np.min(powers)) if powers else math.nan  # nan if one is
    return facts


def _resolution(coded: CodedRows) -> object:
    """The resolution of a two-level layout by brute force; center points are left out."""
    corners = coded.rows[(coded.rows != 0).any(axis=1)] if all(a.levels is None for a in coded.axes) else coded.rows
    signs = as_signs(corners, coded.axes)
    if signs is None or len(signs) > 1024 or len(coded.axes) > 32:
        return math.nan
    found = resolution_of_signs(signs, MOST_PRODUCTS)
    return "full" if found is None and len(coded.axes) <= MOST_PRODUCTS else found or f"above {MOST_PRODUCTS}"


def compare_layouts(
    one: CodedRows,
    other: CodedRows,
    *,
    names: tuple[str, str] = ("one", "other"),
    model: str = "main",
    effect: float | None = None,
    sd: float | None = None,
    level: float = 0.95,
) -> Table:
    """Two layouts of the same factors side by side.

    With ``effect`` and ``sd`` the smallest power of an effect is there, too (:func:`effect_power`).

    >>> from fairtrial.design.layouts import Axis, Fractional, FullFactorial
    >>> axes = [Axis(name) for name in "ABCDE"]
    >>> small, large = (layout.lay_out(axes, seed=1) for layout in (Fractional(runs=8), FullFactorial()))
    >>> print(compare_layouts(small, large, names=("2^(5−2)", "2^5"), effect=2, sd=1))
    two layouts for the model 'main'
                                      2^(5−2)      2^5
    runs                                    8       32
    resolution                              3     full
    estimable effects                  5 of 5   5 of 5
    degrees of freedom of the error         2       26
    D-efficiency, %                     100.0    100.0
    A-efficiency, %                     100.0    100.0
    G-efficiency, %                     100.0    100.0
    average variance of a prediction   0.3333  0.08333
    largest variance of a prediction   0.7500   0.1875
    smallest power of an effect        0.3568   0.9997
    """
    if [axis.name for axis in one.axes] != [axis.name for axis in other.axes]:
        raise InputError("layouts can be compared if they have the same factors, but these have different ones")
    first, second = (layout_facts(coded, model=model, effect=effect, sd=sd, level=level) for coded in (one, other))
    columns = (Column("", align="left", key="property"), *map(Column, names))
    rows = tuple((name, first[name], second[name]) for name in first)
    return Table(columns=columns, rows=rows, caption=f"two layouts for the model {model!r}")
