"""Tests of two methods from five times two-fold cross-validation: Dietterich's t and Alpaydin's F."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import fdtri

from fairtrial.errors import InputError
from fairtrial.stats.bibliography import ALPAYDIN_1999, DIETTERICH_1998
from fairtrial.stats.distributions.fisher_f import f_tail
from fairtrial.stats.distributions.student_t import t_bounds, t_inference
from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import TWO_METHODS, procedure
from fairtrial.stats.score_arrays import FloatArray, differences, numbers, unit_of
from fairtrial.stats.two_methods.paired_t import NULL
from fairtrial.words import part_of, verb

FIVE_TIMES_TWO = "five times two-fold cross-validation; normal differences"
FIVE_BY_TWO = (
    "5×2 tests reject a true null hypothesis too often (12 to 16 % at the 5 % level) "
    "if accuracy is near chance and n is small"
)


@procedure(question=TWO_METHODS, null=NULL, assumes=FIVE_TIMES_TWO, references=(DIETTERICH_1998,), test="5×2 cv t")
def five_by_two_t(
    differences_5x2: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> Outcome:
    r"""Dietterich's 5×2 cross-validation t-test of two methods, from five times two-fold cross-validation.

    Null hypothesis: both methods, trained on half of the data, have the same expected score.

    ``differences_5x2`` has a row for each of the five repeats and a column for each of its two folds; its entries are
    the scores of the first method minus those of the second. With
    :math:`s_i^2 = (d_{i1} - \bar d_i)^2 + (d_{i2} - \bar d_i)^2`,

    .. math:: t = \frac{d_{11}}{\sqrt{\tfrac15 \sum_{i=1}^5 s_i^2}}, \qquad t \sim t_5.

    Only the first difference of the first repeat is in the numerator: another order of the same numbers gives another
    p-value, and the interval is about that one difference. :func:`five_by_two_f` uses all ten. Both are offered because
    papers use them; :func:`corrected_t` over repeated folds has more power. If all differences are zero, p is 1; if the
    variance within repeats is zero, p is nan, with a note.

    Reference: Dietterich (1998), Neural Computation 10:1895-1923, doi:10.1162/089976698300017197.

    >>> outcome = five_by_two_t([[0.04, 0.01], [0.02, 0.03], [0.01, 0.05], [0.03, 0.02], [0.02, 0.00]])
    >>> outcome.statistic, outcome.df, outcome.p_value
    (2.2718, 5, 0.0723)
    """
    check_alternative(alternative)
    check_level(level)
    d, unit = _five_by_two(differences_5x2)
    error = math.sqrt(float((np.diff(d, axis=1) ** 2).sum()) / 10)
    first = float(d[0, 0])
    found = t_inference(first, error, 5, alternative, level)
    notes = found.notes
    if error == 0 and first == 0 and d.any():
        notes = ("the first difference is zero, and the variance within repeats is zero",)
    return Outcome(
        test="5×2 cv t",
        null=NULL,
        statistic=found.statistic,
        critical_value=t_bounds(0.0, 1.0, 5, level, "two-sided" if alternative == "two-sided" else "less")[1],
        p_value=found.tail.value,
        log10_p=found.tail.log10,
        n=10,
        alternative=alternative,
        method="t",
        effect=Interval("first difference", first, found.low, found.high, level, "5×2 cv t").scaled(unit),
        df=5,
        null_distribution=Null("t", 5),
        notes=(FIVE_BY_TWO, *notes),
        details={"variances": _variances(d, unit), "mean_difference": float(d.mean()) * unit},
    )


@procedure(question=TWO_METHODS, null=NULL, assumes=FIVE_TIMES_TWO, references=(ALPAYDIN_1999,), test="5×2 cv F")
def five_by_two_f(differences_5x2: npt.ArrayLike, *, level: float = 0.95) -> Outcome:
    r"""Alpaydin's combined 5×2 cross-validation F-test of two methods, from all ten differences.

    Null hypothesis: both methods, trained on half of the data, have the same expected score.

    With the differences and variances of :func:`five_by_two_t`,

    .. math:: F = \frac{\sum_{i=1}^5 \sum_{j=1}^2 d_{ij}^2}{2 \sum_{i=1}^5 s_i^2}, \qquad F \sim F_{10,5}.

    The test has no direction: it is two-sided. The interval for the mean difference contains the shifts δ that the same
    test does not reject after δ is subtracted from each difference. If the differences vary so much that the test
    rejects every shift, there is no interval: the bounds are nan, with a note. If all differences are zero, p is 1; if
    the variance within repeats is zero, p is nan, with a note.

    Reference: Alpaydin (1999), Neural Computation 11:1885-1892, doi:10.1162/089976699300016007.

    >>> outcome = five_by_two_f([[0.04, 0.01], [0.02, 0.03], [0.01, 0.05], [0.03, 0.02], [0.02, 0.00]])
    >>> outcome.statistic, outcome.df, outcome.p_value
    (2.3548, (10, 5), 0.1784)
    """
    check_level(level)
    d, unit = _five_by_two(differences_5x2)
    spread = float((np.diff(d, axis=1) ** 2).sum())  # twice the sum of the variances
    critical = float(fdtri(10, 5, level))
    f, tail, notes = _f_inference(float((d**2).sum()), spread)
    low, high, more = _f_bounds(d, spread, critical)
    return Outcome(
        test="5×2 cv F",
        null=NULL,
        statistic=f,
        critical_value=critical,
        p_value=tail.value,
        log10_p=tail.log10,
        n=10,
        method="F",
        effect=Interval("mean difference", float(d.mean()), low, high, level, "5×2 cv F").scaled(unit),
        df=(10, 5),
        null_distribution=Null("F", (10, 5)),
        notes=(FIVE_BY_TWO, *notes, *more),
        details={"variances": _variances(d, unit)},
    )


def _five_by_two(differences_5x2: npt.ArrayLike) -> tuple[FloatArray, float]:
    """The rounded differences, in a unit in which their squares neither overflow nor underflow, and that unit."""
    d = numbers(differences_5x2, "differences_5x2")
    if d.shape != (5, 2):
        raise InputError(
            f"differences_5x2 must have 5 rows (repeats) and 2 columns (folds), got an array of shape {d.shape}"
        )
    missing = int((~np.isfinite(d)).sum())
    if missing:
        raise InputError(
            f"differences_5x2 must be finite, but {part_of(missing, 10, 'difference')} {verb(missing, 'is', 'are')} "
            "not; find out why those folds failed"
        )
    unit = unit_of(d)
    rounded = differences(d.ravel(), np.zeros(10))  # so that rounding errors of floating point are not a variance
    return np.array([rounded.value(w) for w in rounded.whole]).reshape(5, 2) / unit, unit


def _variances(d: FloatArray, unit: float) -> list[float]:
    """The variance of the two differences of each repeat."""
    return [float(gap) ** 2 / 2 * unit * unit for gap in np.diff(d, axis=1)[:, 0]]


def _f_inference(total: float, spread: float) -> tuple[float, Tail, tuple[str, ...]]:
    """The F statistic, its p-value and notes, from the sum of squares and twice the sum of the variances."""
    if spread > 0:
        return total / spread, f_tail(total / spread, 10, 5), ()
    if total == 0:
        return math.nan, Tail(1.0, 0.0), ("all differences are zero",)
    note = (
        "the two differences of each repeat are equal: the variance within repeats is zero, and the test is undefined"
    )
    return math.inf, Tail(math.nan, math.nan), (note,)


def _f_bounds(d: FloatArray, spread: float, critical: float) -> tuple[float, float, tuple[str, ...]]:
    """The shifts that the F-test does not reject: the roots of a quadratic in the shift."""
    mean = float(d.mean())
    if spread == 0:
        return (0.0, 0.0, ()) if not d.any() else (math.nan, math.nan, ())
    room = critical * spread - float(((d - mean) ** 2).sum())
    if room < 0:
        return math.nan, math.nan, ("the differences vary so much that the test rejects every shift: no interval",)
    return mean - math.sqrt(room / 10), mean + math.sqrt(room / 10), ()
