"""Checks of the residuals of a linear model, as data: reported, never deciding which test is used."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.shown import ShownAsText
from fairtrial.stats.bibliography import MONTGOMERY_2017, SHAPIRO_WILK_1965
from fairtrial.stats.procedures import FACTORIAL, procedure
from fairtrial.stats.score_arrays import FloatArray, sample, unit_of, whole_values
from fairtrial.tables import formats
from fairtrial.words import plural

FEWEST = 3
NOISE = 1e-10  # times the largest fitted value: residuals below this are rounding errors


@dataclass(frozen=True, slots=True)
class ResidualChecks(ShownAsText):
    """Residuals of a model and what they look like.

    ``standardised`` are the residuals over their standard errors, nan where the model fits a value exactly.
    ``normality`` is the p-value of Shapiro and Wilk's test. ``largest`` is the largest standardised residual by size,
    at position ``where``. ``spread`` is the rank correlation of the sizes of residuals with the fitted values: positive
    where larger values vary more.
    """

    fitted: tuple[float, ...]
    standardised: tuple[float, ...]
    shapiro: float
    normality: float
    largest: float
    where: int
    spread: float
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __str__(self) -> str:
        if math.isnan(self.largest):
            return "; ".join(self.notes)
        write = formats.significant(3)
        return (
            f"residuals: Shapiro–Wilk {formats.p_equals(self.normality)}, largest {write(self.largest)} standard "
            f"errors (value {self.where}), rank correlation of size with fit {write(self.spread)}"
        )


@procedure(question=FACTORIAL, assumes="a fitted linear model", references=(SHAPIRO_WILK_1965, MONTGOMERY_2017))
def residual_checks(
    values: npt.ArrayLike, fitted: npt.ArrayLike, *, leverage: npt.ArrayLike | None = None, df: int | None = None
) -> ResidualChecks:
    r"""Residuals of a fitted model: standardised, tested for normality, and compared with the fitted values.

    .. math:: r_i = \frac{y_i - \hat y_i}{s \sqrt{1 - h_i}}, \qquad s^2 = \sum_i (y_i - \hat y_i)^2 / \text{df}

    ``leverage`` is :math:`h_i` and ``df`` the residual degrees of freedom; without them the residuals are divided by
    their standard deviation. :func:`factorial_anova` has these checks in ``residuals``.

    What is found is reported. It does not choose a test: choosing a test by testing its assumptions first changes the
    error rate of both. If all residuals are zero, the checks are nan, with a note; Shapiro and Wilk's test takes 3 to
    5,000 values.

    References: Shapiro & Wilk (1965), doi:10.1093/biomet/52.3-4.591; Montgomery (2017), chapter 3.4.

    >>> found = residual_checks([1.0, 2.0, 4.0, 3.0, 9.0], [1.5, 2.5, 3.0, 3.5, 7.0])
    >>> print(found)
    residuals: Shapiro–Wilk p = 0.048, largest 1.67 standard errors (value 4), rank correlation of size with fit 0.671
    """
    y, fit = sample(values, "values"), sample(fitted, "fitted")
    if len(y) != len(fit):
        raise InputError(f"values and fitted must be of one length, got {len(y)} and {len(fit)}")
    unit = unit_of(y, fit)
    left = y / unit - fit / unit
    h = np.zeros(len(y)) if leverage is None else sample(leverage, "leverage")
    freedom = len(y) - 1 if df is None else df
    if freedom < 1 or float(np.abs(left).max()) <= NOISE:
        why = "all residuals are zero" if freedom >= 1 else "the model has as many effects as values: no residuals"
        none = (math.nan,) * len(y)
        return ResidualChecks(tuple(fit.tolist()), none, math.nan, math.nan, math.nan, -1, math.nan, (why,))
    error = math.sqrt(float(left @ left) / freedom) * np.sqrt(np.maximum(1 - h, 0.0))
    exact = 1 - h < NOISE
    standardised = np.where(exact, math.nan, left / np.where(exact, 1.0, error))
    where = int(np.nanargmax(np.abs(standardised).round(9)))  # the first of equal ones, on every machine
    w, p = _shapiro(left)
    notes = (f"{plural(int(exact.sum()), 'value')} fitted exactly, without a residual",) if exact.any() else ()
    return ResidualChecks(
        fitted=tuple(fit.tolist()),
        standardised=tuple(standardised.tolist()),
        shapiro=w,
        normality=p,
        largest=float(standardised[where]),
        where=where,
        spread=_rank_correlation(np.abs(standardised[~exact]), fit[~exact]),
        notes=notes,
    )


def _shapiro(residuals: FloatArray) -> tuple[float, float]:
    from scipy.stats import shapiro

    if not FEWEST <= len(residuals) <= 5000 or np.ptp(residuals) == 0:
        return math.nan, math.nan
    found = shapiro(residuals)
    return float(found.statistic), float(found.pvalue)


def _rank_correlation(a: FloatArray, b: FloatArray) -> float:
    from scipy.stats import rankdata

    first, second = rankdata(whole_values(a)), rankdata(whole_values(b))
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return math.nan
    return float(np.corrcoef(first, second)[0, 1])
