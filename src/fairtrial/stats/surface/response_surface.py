"""The response surface: a polynomial of first or second order fitted to the scores of settings in coded units."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.arguments import check_option, is_whole, share_ratio
from fairtrial.stats.bibliography import BOX_WILSON_1951, MONTGOMERY_2017, NADEAU_BENGIO_2003
from fairtrial.stats.distributions.fisher_f import f_critical
from fairtrial.stats.distributions.student_t import t_bounds, t_tail
from fairtrial.stats.factorial.factorial_anova import AnovaTable, Source
from fairtrial.stats.factorial.model_terms import Design
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import SURFACE, procedure
from fairtrial.stats.score_arrays import FloatArray, numbers, unit_of
from fairtrial.stats.surface.surface_anova import LACK, anova_of_units, anova_of_values, same_points
from fairtrial.stats.surface.surface_terms import (
    NaturalRange,
    SurfaceTerms,
    block_columns,
    read_points,
    read_ranges,
    read_values,
)
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed, plural

NOISE = 1e-9  # a coefficient's part in a direction that no value depends on: below this it is a rounding error
NOISE = 1e-13  # of values of size 1
NO_ERROR = "the surface has as many coefficients as values: nothing is left to estimate the error"
ONE_UNIT = "one row of values: nothing is known of how surfaces differ, and there are no standard errors"
LOGIT = "fitted on the logit scale: heights are turned back, and are not means of the measure itself"


@dataclass(frozen=True, slots=True, eq=False)
class ResponseSurface(Shown):
    """A fitted surface: coefficients in coded units, their covariance, and the analysis of variance.

    ``spread`` is the covariance of the coefficients in units of ``unit``, whose square may be too large for a number.
    ``sampled`` says that the values had rows, data sets or splits: the coefficients are means of those of each row,
    which are ``by_row``, and their covariance is that over the rows. ``points`` are the settings, ``heights`` the mean
    value at each, both in the order of the design. ``ranges`` turn coded units into those of the parameters. On the
    logit scale coefficients, covariance, heights and the analysis of variance are those of the logits; predictions are
    turned back.
    """

    terms: SurfaceTerms
    coefficients: FloatArray
    spread: FloatArray
    unit: float
    df: int
    sampled: bool
    points: FloatArray
    heights: FloatArray
    by_row: FloatArray
    anova: AnovaTable
    ranges: Mapping[str, NaturalRange]
    scale: str = "measure"
    level: float = 0.95
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the factors, in order."""
        return self.terms.names

    @property
    def covariance(self) -> FloatArray:
        """The covariance of the coefficients; nan where there is no error."""
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(self.spread * self.unit * self.unit)

    @property
    def lack_of_fit(self) -> Source | None:
        """The test of whether settings differ beyond the surface; None if it has no degrees of freedom."""
        return next((source for source in self.anova.sources if source.name == LACK and source.df), None)

    def __getitem__(self, label: str) -> Interval:
        """A coefficient with its interval, by name."""
        if label not in self.terms.labels:
            raise UnknownName.among("coefficient", label, self.terms.labels)
        weights = np.eye(len(self.coefficients))[self.terms.labels.index(label)]
        return self.combined(label, weights)

    def combined(self, quantity: str, weights: FloatArray) -> Interval:
        """A weighted sum of coefficients with its t-interval; bounds are nan where there is no error."""
        estimate, error = float(weights @ self.coefficients), self.error(weights)
        low, high = (math.nan, math.nan) if self.df < 1 else t_bounds(estimate, error, self.df, self.level, "two-sided")
        return Interval(quantity, estimate, low, high, self.level, "t")

    def error(self, weights: FloatArray) -> float:
        """The standard error of a weighted sum of coefficients; nan where there is none."""
        return self.unit * math.sqrt(max(float(weights @ self.spread @ weights), 0.0)) if self.df > 0 else math.nan

    def joint_limit(self, dimensions: int) -> float:
        """The critical value of a quadratic form in so many coefficients: k F, or Hotelling's T² over rows."""
        left = self.df - dimensions + 1 if self.sampled else self.df
        if left < 1:
            return math.nan
        more = self.df / left if self.sampled else 1.0
        return dimensions * more * f_critical(dimensions, left, self.level)

    def predict(self, point: npt.ArrayLike) -> Interval:
        """The height of the surface at a point in coded units, with the interval of this one height."""
        found = self.combined("height", self.terms.columns(check_point(point, self))[0])
        if self.scale == "measure":
            return found
        low, value, high = (float(expit(v)) for v in (found.low, found.estimate, found.high))
        return replace(found, estimate=value, low=low, high=high)

    def heights_at(self, points: npt.ArrayLike) -> FloatArray:
        """The heights at points (rows), in the unit of the measure."""
        found = self.terms.columns(np.asarray(points, dtype=np.float64)) @ self.coefficients
        return np.asarray(found if self.scale == "measure" else expit(found))

    def rows_at(self, point: npt.ArrayLike) -> FloatArray:
        """The height at a point of the surface of each row (data set or split); empty for independent values."""
        found = self.by_row @ self.terms.columns(check_point(point, self))[0]
        return np.asarray(found if self.scale == "measure" else expit(found))

    def natural(self, point: npt.ArrayLike) -> dict[str, float]:
        """A point in the units of the parameters, by name; factors without a range stay in coded units."""
        x = check_point(point, self).tolist()
        return {n: self.ranges[n].natural(v) if n in self.ranges else v for n, v in zip(self.names, x, strict=True)}

    def reach(self) -> tuple[FloatArray, FloatArray, float]:
        """What was explored: the smallest and largest unit of each factor, and the largest distance from the middle."""
        return self.points.min(axis=0), self.points.max(axis=0), float(np.linalg.norm(self.points, axis=1).max())

    def is_explored(self, point: FloatArray) -> bool:
        """Whether a point lies between the settings: in their ranges, and not farther from the middle than they are."""
        low, high, radius = self.reach()
        inside = (low - NOISE <= point) & (point <= high + NOISE)
        return bool(inside.all() and np.linalg.norm(point) <= radius + NOISE)

    def to_dict(self) -> dict[str, Any]:
        """The fit as plain data."""
        return {
            "factors": list(self.names),
            "order": self.terms.order,
            "scale": self.scale,
            "level": self.level,
            "df": self.df,
            "coefficients": [self[label].to_dict() for label in self.terms.labels],
            "covariance": self.covariance.tolist(),
            "anova": self.anova.to_dict(),
            "ranges": {name: [r.low, r.high, r.log] for name, r in self.ranges.items()},
            "notes": list(self.notes),
        }

    def to_table(self) -> Table:
        """A row for each coefficient: estimate, standard error, interval, t and p."""
        write = formats.significant(4)
        columns = (
            Column("coefficient", align="left"),
            Column("estimate", write),
            Column("standard error", write),
            Column("low", write),
            Column("high", write),
            Column("t", formats.significant(3)),
            Column("p", formats.p_value),
        )
        caption = f"response surface of order {self.terms.order} in coded units (−1 to +1)"
        return Table(columns=columns, rows=tuple(self._cells()), caption=caption, notes=self.notes)

    def _cells(self) -> Iterator[tuple[object, ...]]:
        for j, label in enumerate(self.terms.labels):
            found, error = self[label], self.error(np.eye(len(self.coefficients))[j])
            t = found.estimate / error if error > 0 else math.nan
            p = t_tail(t, self.df, "two-sided").value if not math.isnan(t) else math.nan
            yield label, found.estimate, error, found.low, found.high, t, p


def check_point(point: npt.ArrayLike, surface: ResponseSurface) -> FloatArray:
    """Check a point in coded units, and return it as an array."""
    found = numbers(point, "point")
    if found.shape != (len(surface.names),) or not np.isfinite(found).all():
        raise InputError(
            f"point must have a finite number for each of {listed(surface.names)}, in coded units, got {point!r}"
        )
    return found


@procedure(
    question=SURFACE,
    null="for each group of terms: its coefficients are zero",
    assumes="a smooth response; independent normal values of equal variance, or rows that are data sets or splits",
    references=(BOX_WILSON_1951, MONTGOMERY_2017, NADEAU_BENGIO_2003),
)
def response_surface(
    design: Design,
    values: npt.ArrayLike,
    *,
    order: int = 2,
    blocks: Sequence[object] | None = None,
    test_share: float | None = None,
    overlap: float = 1.0,
    scale: str = "measure",
    ranges: Mapping[str, NaturalRange] | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> ResponseSurface:
    r"""A polynomial of second order (or first) fitted to the values of settings: how high is it where?

    Null hypothesis for each group of terms (first order, two-way, pure quadratic): its coefficients are zero.

    .. math:: y(x) = b_0 + \sum_i b_i x_i + \sum_{i<j} b_{ij} x_i x_j + \sum_i b_{ii} x_i^2

    ``design`` has a row for each setting and a column for each factor in coded units (−1 low, +1 high). ``values`` are
    one of two:

    - **a list**: independent values, one for each row of the design, where replicates are rows of their own. The error
      is the residual. ``blocks`` names the block of each row, whose differences are removed. The analysis of variance
      divides the residual into lack of fit and pure error (values of the same setting and block).
    - **a table** with a row for each data set, and a column for each setting. Each data set is a block with a surface
      of its own. The coefficients are means over data sets, and their covariance is that over data sets: scores of one
      data set are no sample. With ``test_share`` (and ``overlap``) the rows are splits of one data set instead, and the
      covariance is corrected for shared training data (Nadeau & Bengio): :math:`(1/n + q)\,S`.

    On ``scale="logit"`` the surface is that of :math:`\log(y / (1 - y))`, for shares near 0 or 1, which a polynomial
    would exceed. All values must then lie strictly between 0 and 1. ``ranges`` are for answers in the units of the
    parameters.

    A design that does not determine all coefficients is refused. Without degrees of freedom for the error, standard
    errors and intervals are nan, with a note.

    References: Box & Wilson (1951), doi:10.1111/j.2517-6161.1951.tb00067.x; Montgomery (2017), chapter 11; Nadeau &
    Bengio (2003), doi:10.1023/A:1024068626366.

    >>> x1, x2 = [-1, -1, 1, 1, 0, 0, 0, 0, 0, 1.414, -1.414, 0, 0], [-1, 1, -1, 1, 0, 0, 0, 0, 0, 0, 0, 1.414, -1.414]
    >>> y = [76.5, 77, 78, 79.5, 79.9, 80.3, 80, 79.7, 79.8, 78.4, 75.6, 78.5, 77]
    >>> found = response_surface({"time": x1, "temperature": x2}, y)   # Montgomery, example 11.2
    >>> print(found)
    response surface of order 2 in coded units (−1 to +1)
    coefficient         estimate  standard error       low     high      t       p
    middle                 79.94          0.1191     79.66    80.22    671  <0.001
    time                  0.9951         0.09415    0.7724    1.218   10.6  <0.001
    temperature           0.5152         0.09415    0.2926   0.7378   5.47  <0.001
    time × temperature    0.2500          0.1331  −0.06484   0.5648   1.88   0.103
    time²                 −1.376          0.1010    −1.615   −1.138  −13.6  <0.001
    temperature²          −1.001          0.1010    −1.240  −0.7625  −9.92  <0.001
    >>> round(found.lack_of_fit.f, 4), round(found.lack_of_fit.p_value, 4)
    (1.7885, 0.2886)
    """
    check_level(level)
    check_option("scale", scale, ("measure", "logit"))
    if not (is_whole(order) and order in (1, 2)):
        raise InputError(f"order must be 1 (a plane) or 2 (a curved surface), got {order!r}")
    points, labels = read_points(design, names)
    terms = SurfaceTerms(labels, int(order))
    y = read_values(values, len(points), scale)
    given = read_ranges(ranges, labels)
    ratio = share_ratio(test_share, overlap)
    rest = {"terms": terms, "points": points, "ranges": given, "scale": scale, "level": level}
    if y.ndim == 1:
        if test_share is not None:
            raise InputError("test_share is for a table with a row for each split, got a list of values")
        return _of_values(y, block_columns(blocks, len(points)), **rest)
    if blocks is not None:
        raise InputError("blocks are for a list of values; the rows of a table are blocks by themselves")
    return _of_rows(y, ratio, "data sets" if test_share is None else "splits", **rest)


def _of_values(y: FloatArray, blocks: FloatArray | None, **rest: Any) -> ResponseSurface:
    terms, points = rest["terms"], rest["points"]
    columns = terms.columns(points)
    whole = columns if blocks is None else np.hstack([columns, blocks])
    inverse, p = _inverse(whole, terms, blocks is not None), columns.shape[1]
    unit = unit_of(y)
    found = _without_noise(inverse @ (y / unit))
    df = len(y) - whole.shape[1]
    left = y / unit - whole @ found
    variance = float(left @ left) / df if df else math.nan
    return ResponseSurface(
        coefficients=found[:p] * unit,
        spread=(inverse @ inverse.T)[:p, :p] * variance,
        unit=unit,
        df=df,
        sampled=False,
        heights=y,
        by_row=np.empty((0, p)),
        anova=anova_of_values(terms, points, y, blocks),
        notes=_notes(rest["scale"], () if df else (NO_ERROR,)),
        **rest,
    )


def _of_rows(y: FloatArray, ratio: float, unit: str, **rest: Any) -> ResponseSurface:
    terms, points = rest["terms"], rest["points"]
    settings = same_points(points).shape[1]
    if settings < len(points):
        raise InputError(
            f"design must have each setting once where values are a table, got {settings} different ones in "
            f"{plural(len(points), 'row')}; take the mean of replicates first"
        )
    n, columns = len(y), terms.columns(points)
    size = unit_of(y)
    each = _without_noise((y / size) @ _inverse(columns, terms, blocked=False).T)
    mean = each.mean(axis=0)
    spread = (each - mean).T @ (each - mean) / (n - 1) if n > 1 else np.full((len(mean),) * 2, math.nan)
    return ResponseSurface(
        coefficients=mean * size,
        spread=(1 / n + ratio) * spread,
        unit=size,
        df=n - 1,
        sampled=True,
        heights=y.mean(axis=0),
        by_row=each * size,
        anova=anova_of_units(terms, points, y, ratio=ratio, unit=unit),
        notes=_notes(rest["scale"], () if n > 1 else (ONE_UNIT,)),
        **rest,
    )


def _notes(scale: str, notes: tuple[str, ...]) -> tuple[str, ...]:
    return (*notes, *((LOGIT,) if scale == "logit" else ()))


def _without_noise(coefficients: FloatArray) -> FloatArray:
    """Coefficients of values of size 1, where those that are zero on paper are zero."""
    return np.where(np.abs(coefficients) < NOISE, 0.0, coefficients)


def _inverse(columns: FloatArray, terms: SurfaceTerms, blocked: bool) -> FloatArray:
    """The pseudo-inverse of the columns; refuses designs that leave a coefficient open."""
    inverse = np.linalg.pinv(columns, rcond=NOISE)
    hidden = np.abs(np.eye(columns.shape[1]) - inverse @ columns).max(axis=1)
    open_ = [label for label, size in zip(terms.labels, hidden.tolist(), strict=False) if size > 1e3 * NOISE]
    if open_:
        apart = " apart from the blocks" if blocked else ""
        raise InputError(
            f"design must determine all {plural(len(terms.labels), 'coefficient')} of order {terms.order}{apart}, but "
            f"not {listed(open_)}; take a central composite or a Box–Behnken layout, or order=1"
        )
    return np.asarray(inverse, dtype=np.float64)
