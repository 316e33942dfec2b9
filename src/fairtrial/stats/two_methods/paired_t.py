"""Two methods on one data set: scores over the same folds or resamples."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import fdtri

from fairtrial.errors import InputError
from fairtrial.stats.distributions.fisher_f import f_tail
from fairtrial.stats.distributions.student_t import share_ratio, t_bounds, t_inference, t_outcome, unit_of
from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.score_arrays import FloatArray, differences, numbers, paired_scores

__all__ = ["corrected_t", "five_by_two_f", "five_by_two_t", "paired_t"]

NULL = "the first and the second have the same expected score"


def corrected_t(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    test_share: float,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""Corrected resampled t-test, for scores from overlapping training sets.

    Null hypothesis: both algorithms, trained on samples of this size from this source, have the same expected score.

    With :math:`d_i = a_i - b_i` over :math:`k` resamples and :math:`q` the ratio of test to training size,

    .. math:: t = \bar d \Big/ \sqrt{\left(\tfrac1k + q\right) s_d^2}, \qquad t \sim t_{k-1},
              \qquad q = \frac{\text{test share}}{1 - \text{test share}},

    where the plain paired t-test has :math:`q = 0` and rejects far too often. ``test_share`` is the share of the
    data that is held out each time: 0.1 for 10-fold, once or repeated. The q is a heuristic: conservative for a single
    k-fold, 3.6 to 7 % false positives at 5 % for ten times 10-fold. The interval for the mean difference comes from
    the same variance.

    All differences zero: p = 1, the statistic is nan. All equal but not zero: there is no spread to compare with, so
    the statistic is infinite and p is nan. Both say so in a note. Whether differences are equal is decided after
    rounding them to 12 significant digits of the largest score.

    References: Nadeau & Bengio (2003), Machine Learning 52:239-281, doi:10.1023/A:1024068626366;
    Bouckaert & Frank (2004), doi:10.1007/978-3-540-24775-3_3.

    >>> outcome = corrected_t([0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80], test_share=0.25)
    >>> outcome.statistic, outcome.p_value
    (2.1514, 0.1205)
    >>> print(outcome.effect)
    mean difference 0.03000, 95 % interval [−0.01438, 0.07438] (corrected t)
    """
    return t_outcome(
        *paired_scores(a, b),
        ratio=share_ratio(test_share),
        test="Corrected resampled t",
        null=NULL,
        quantity="mean difference",
        method="corrected t",
        alternative=alternative,
        level=level,
    )


def paired_t(
    a: npt.ArrayLike, b: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> Outcome:
    r"""Plain paired t-test, for differences that are independent of each other.

    Null hypothesis: the expected difference is zero.

    .. math:: t = \bar d \Big/ \sqrt{s_d^2 / k}, \qquad t \sim t_{k-1}

    **Not for folds or resamples of one data set:** these share training instances, so that their differences are
    not independent, and a true null is rejected in more than half of all studies with ten times 10-fold. On the k
    folds of one cross-validation this is the *k-fold t-test* of many papers, on the means of repeats the *t-test on
    run means*: both are here by name, with this warning. Use :func:`corrected_t` there. Undefined cases are as in
    :func:`corrected_t`.

    Reference: Student (1908), Biometrika 6:1-25, doi:10.1093/biomet/6.1.1; on folds Dietterich (1998),
    doi:10.1162/089976698300017197.

    >>> outcome = paired_t([0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80])
    >>> outcome.statistic, outcome.p_value
    (3.2863, 0.0462)
    """
    note = "folds and resamples of one data set are not independent, as this test assumes: use corrected_t for them"
    return t_outcome(
        *paired_scores(a, b),
        ratio=0.0,
        test="Paired t",
        null=NULL,
        quantity="mean difference",
        method="paired t",
        alternative=alternative,
        level=level,
        notes=(note,),
    )


FIVE_BY_TWO = "5×2 folds reject a true null too often (12 to 16 % at 5 %) where accuracy is near chance and n small"


def five_by_two_t(
    differences_5x2: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> Outcome:
    r"""Dietterich's 5×2 cross-validation t-test, from five times two-fold cross-validation.

    Null hypothesis: both algorithms, trained on half of the data, have the same expected score.

    ``differences_5x2`` has a row for each of the five repeats and the differences of its two folds, first minus
    second method. With :math:`s_i^2 = (d_{i1} - \bar d_i)^2 + (d_{i2} - \bar d_i)^2`,

    .. math:: t = \frac{d_{11}}{\sqrt{\tfrac15 \sum_{i=1}^5 s_i^2}}, \qquad t \sim t_5.

    Only the first difference of the first repeat is in the numerator: another order of the same numbers gives another
    p, and the interval is about that one difference. :func:`five_by_two_f` repairs this; both are here by name, since
    the corrected test of repeated folds has more power. All differences zero: p = 1; no spread: p nan, with a note.

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
    t, tail, low, high, notes = t_inference(first, error, 5, alternative, level)
    if error == 0 and first == 0 and d.any():
        notes = ("the first difference is zero, and the two folds of each repeat agree",)
    return Outcome(
        test="5×2 cv t",
        null=NULL,
        statistic=t,
        critical_value=t_bounds(0.0, 1.0, 5, level, "two-sided" if alternative == "two-sided" else "less")[1],
        p_value=tail.value,
        log10_p=tail.log10,
        n=10,
        alternative=alternative,
        method="t",
        effect=Interval("first difference", first, low, high, level, "5×2 cv t").scaled(unit),
        df=5,
        notes=(FIVE_BY_TWO, *notes),
        details={"variances": _variances(d, unit), "mean_difference": float(d.mean()) * unit},
    )


def five_by_two_f(differences_5x2: npt.ArrayLike, *, level: float = 0.95) -> Outcome:
    r"""Alpaydin's combined 5×2 cross-validation F-test: like Dietterich's, but from all ten differences.

    Null hypothesis: both algorithms, trained on half of the data, have the same expected score.

    With the differences and variances of :func:`five_by_two_t`,

    .. math:: F = \frac{\sum_{i=1}^5 \sum_{j=1}^2 d_{ij}^2}{2 \sum_{i=1}^5 s_i^2}, \qquad F \sim F_{10,5}.

    It has no direction, so it is two-sided. The interval for the mean difference holds the shifts δ that the same test
    does not reject when δ is taken from each difference; where the differences scatter so much that it rejects all of
    them, there is none (nan, with a note). All differences zero: p = 1; no spread within repeats: p nan, with a note.

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
        notes=(FIVE_BY_TWO, *notes, *more),
        details={"variances": _variances(d, unit)},
    )


def _five_by_two(differences_5x2: npt.ArrayLike) -> tuple[FloatArray, float]:
    """The differences in a unit in which their squares neither overflow nor vanish, and that unit."""
    d = numbers(differences_5x2, "differences_5x2")
    if d.shape != (5, 2):
        raise InputError(f"differences_5x2 must have 5 rows (repeats) of 2 differences (folds), got shape {d.shape}")
    missing = int((~np.isfinite(d)).sum())
    if missing:
        raise InputError(f"differences_5x2 must be finite, but {missing} of 10 are not; see why those folds failed")
    unit = unit_of(d)
    rounded = differences(d.ravel(), np.zeros(10))  # float noise makes no spread
    return np.array([rounded.value(w) for w in rounded.whole]).reshape(5, 2) / unit, unit


def _variances(d: FloatArray, unit: float) -> list[float]:
    """Of the two differences of each repeat."""
    return [float(gap) ** 2 / 2 * unit * unit for gap in np.diff(d, axis=1)[:, 0]]


def _f_inference(total: float, spread: float) -> tuple[float, Tail, tuple[str, ...]]:
    if spread > 0:
        return total / spread, f_tail(total / spread, 10, 5), ()
    if total == 0:
        return math.nan, Tail(1.0, 0.0), ("all differences are zero",)
    note = "the two folds of each repeat agree: without spread the test is undefined"
    return math.inf, Tail(math.nan, math.nan), (note,)


def _f_bounds(d: FloatArray, spread: float, critical: float) -> tuple[float, float, tuple[str, ...]]:
    """The shifts with (sum of squares about the shift) / spread below the critical value: a quadratic in the shift."""
    mean = float(d.mean())
    if spread == 0:
        return (0.0, 0.0, ()) if not d.any() else (math.nan, math.nan, ())
    room = critical * spread - float(((d - mean) ** 2).sum())
    if room < 0:
        return math.nan, math.nan, ("the differences scatter so much that every shift is rejected: no interval",)
    return mean - math.sqrt(room / 10), mean + math.sqrt(room / 10), ()
