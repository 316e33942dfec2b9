"""Two methods on one data set: scores over the same folds or resamples."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from fairtrial.errors import InputError
from fairtrial.stats.exact import sign_tail
from fairtrial.stats.one import clopper_pearson
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.scores import differences, paired_scores
from fairtrial.stats.student_t import share_ratio, t_bounds, t_tail

__all__ = ["corrected_t", "mcnemar", "paired_t"]

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
    return _t_test(a, b, share_ratio(test_share), "Corrected resampled t", "corrected t", alternative, level, ())


def paired_t(
    a: npt.ArrayLike, b: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> Outcome:
    r"""Plain paired t-test, for differences that are independent of each other.

    Null hypothesis: the expected difference is zero.

    .. math:: t = \bar d \Big/ \sqrt{s_d^2 / k}, \qquad t \sim t_{k-1}

    **Not for folds or resamples of one data set:** these share training instances, so that their differences are
    not independent, and a true null is rejected in more than half of all studies with ten times 10-fold.
    Use :func:`corrected_t` there. Undefined cases are as in :func:`corrected_t`.

    Reference: Student (1908), Biometrika 6:1-25, doi:10.1093/biomet/6.1.1; on folds Dietterich (1998),
    doi:10.1162/089976698300017197.

    >>> outcome = paired_t([0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80])
    >>> outcome.statistic, outcome.p_value
    (3.2863, 0.0462)
    """
    note = "folds and resamples of one data set are not independent, as this test assumes: use corrected_t for them"
    return _t_test(a, b, 0.0, "Paired t", "paired t", alternative, level, (note,))


def _t_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    ratio: float,
    title: str,
    method: str,
    alternative: Alternative,
    level: float,
    notes: tuple[str, ...],
) -> Outcome:
    check_alternative(alternative)
    check_level(level)
    first, second = paired_scores(a, b)
    k = len(first)
    if k < 2:
        raise InputError(f"a and b must hold at least two pairs, since one has no spread, got {k}")
    d = first - second
    mean, variance = float(d.mean()), float(d.var(ddof=1))
    error = math.sqrt((1 / k + ratio) * variance)
    whole = differences(first, second).whole
    if (whole == whole[0]).all():
        mean, error = (0.0 if whole[0] == 0 else mean), 0.0
    t, p, log10_p, low, high, more = _inference(mean, error, k - 1, alternative, level)
    return Outcome(
        test=title,
        null=NULL,
        statistic=t,
        p_value=p,
        log10_p=log10_p,
        n=k,
        alternative=alternative,
        method=method,
        effect=Interval("mean difference", mean, low, high, level, method),
        df=k - 1,
        critical_value=t_bounds(0.0, 1.0, k - 1, level, "two-sided" if alternative == "two-sided" else "less")[1],
        notes=notes + more,
        details={"standard_error": error, "standard_deviation": math.sqrt(variance), "ratio": ratio},
    )


def _inference(
    mean: float, error: float, df: int, alternative: Alternative, level: float
) -> tuple[float, float, float, float, float, tuple[str, ...]]:
    """Statistic, p, log10 p, bounds, notes."""
    if error > 0:
        tail = t_tail(mean / error, df, alternative)
        return mean / error, tail.value, tail.log10, *t_bounds(mean, error, df, level, alternative), ()
    if mean == 0:
        return math.nan, 1.0, 0.0, 0.0, 0.0, ("all differences are zero",)
    note = "all differences are equal: without spread the test is undefined"
    return math.copysign(math.inf, mean), math.nan, math.nan, math.nan, math.nan, (note,)


def mcnemar(
    first: npt.ArrayLike,
    second: npt.ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""Exact McNemar test of two classifiers on the same test instances.

    Null hypothesis: where only one of the two is right, it is as often the first as the second.

    ``first`` and ``second`` say for each instance whether the classifier was right; or ``first`` alone is the table
    ``[[both right, only first], [only second, both wrong]]``. With b instances on which only the first is right and c
    on which only the second is, :math:`b \sim \text{Binomial}(b + c, \tfrac12)`; the two-sided p is twice the smaller
    tail.

    The effect is the difference of the two accuracies, :math:`(b - c) / n`. Its interval reaches as far as either of
    two do: Clopper and Pearson's for b of b + c, which belongs to the test but takes the number of disagreements as
    given, and Bonett and Price's, which doesn't. So it holds 0 whenever p ≥ 1 − level; a p just below may go with an
    interval that touches 0. No disagreements: p = 1. The answer is about these two models; retraining may change them.

    References: McNemar (1947), doi:10.1007/BF02295996; Dietterich (1998), doi:10.1162/089976698300017197;
    Bonett & Price (2012), Journal of Educational and Behavioral Statistics 37:479-488, doi:10.3102/1076998611411915.

    >>> outcome = mcnemar([[60, 12], [3, 25]])
    >>> outcome.p_value, outcome.effect.estimate   # 2 (1 + 15 + 105 + 455) / 2**15
    (0.0352, 0.09)
    """
    check_alternative(alternative)
    check_level(level)
    b, c, n = _disagreements(first, second)
    m = b + c
    small = {"greater": c, "less": b, "two-sided": min(b, c)}[alternative]
    tail = sign_tail(m, small).doubled() if alternative == "two-sided" else sign_tail(m, small)
    notes = () if m else ("the two are right and wrong on the same instances",)
    return Outcome(
        test="McNemar",
        null="where only one of the two is right, it is as often the first as the second",
        statistic=float(b),
        p_value=tail.value,
        log10_p=tail.log10,
        n=n,
        alternative=alternative,
        effect=_accuracy_difference(b, c, n, level, alternative),
        notes=notes,
        details={"only_first": b, "only_second": c},
    )


def _disagreements(first: npt.ArrayLike, second: npt.ArrayLike | None) -> tuple[int, int, int]:
    """On how many instances only the first, only the second is right; and how many there are."""
    a = np.asarray(first)
    if second is None:
        if a.shape != (2, 2) or (a < 0).any() or (a != np.floor(a)).any():
            raise InputError(f"a single argument must be a 2 × 2 table of counts, got {a.tolist()!r}")
        return int(a[0, 1]), int(a[1, 0]), int(a.sum())
    right_a, right_b = paired_scores(first, second)
    if not np.isin([right_a, right_b], [0, 1]).all():
        raise InputError("first and second must say right (True, 1) or wrong (False, 0) for each instance")
    return int(((right_a == 1) & (right_b == 0)).sum()), int(((right_a == 0) & (right_b == 1)).sum()), len(right_a)


def _accuracy_difference(b: int, c: int, n: int, level: float, alternative: Alternative) -> Interval:
    alpha = (1 - level) * (1 if alternative == "two-sided" else 2)
    shares = clopper_pearson(b, b + c, alpha) if b + c else (0.5, 0.5)
    given = [(2 * share - 1) * (b + c) / n for share in shares]
    one, other = (b + 1) / (n + 2), (c + 1) / (n + 2)  # Bonett and Price: one more disagreement each way
    half = float(ndtri(1 - alpha / 2)) * math.sqrt((one + other - (one - other) ** 2) / (n + 2))
    low, high = min(given[0], one - other - half), max(given[1], one - other + half)
    low = -1.0 if alternative == "less" else max(low, -1.0)
    high = 1.0 if alternative == "greater" else min(high, 1.0)
    return Interval("difference of accuracies", (b - c) / n, low, high, level, "Clopper-Pearson and Bonett-Price")
