"""The mean of one method's scores: its confidence interval, and the t-test against a given value."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.arguments import number, share_ratio
from fairtrial.stats.bibliography import NADEAU_BENGIO_2003, STUDENT_1908
from fairtrial.stats.distributions.student_t import t_bounds, t_outcome
from fairtrial.stats.distributions.tail import normal_bounds
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import NORMAL, ONE_METHOD, procedure
from fairtrial.stats.score_arrays import FloatArray, differences, sample, unit_of

NULL = "the expected score equals the given value"


@procedure(question=ONE_METHOD, assumes=NORMAL, references=(NADEAU_BENGIO_2003, STUDENT_1908))
def mean_interval(
    values: npt.ArrayLike,
    *,
    test_share: float | None = None,
    overlap: float = 1.0,
    sd: float | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    quantity: str = "mean",
) -> Interval:
    r"""t interval for a mean of independent values, or of scores over folds or resamples.

    .. math:: \bar x \pm t_{k-1}\sqrt{\left(\tfrac1k + \lambda q\right) s^2}, \qquad
              q = \frac{\text{test share}}{1 - \text{test share}}

    Without ``test_share`` the values are taken as independent, such as one mean per data set, and q = 0. Scores over
    the folds or repeats of one data set share most of their training instances: give the share of the data that was
    held out (0.1 for 10-fold), or the interval is far too narrow. ``overlap`` is :math:`\lambda`, as in
    :func:`corrected_t`: 1 for a single k-fold, 1.75 for ten times 10-fold.

    ``sd`` is the standard deviation of single values if it is *known* and not estimated from these values: it replaces
    s, and the normal quantile replaces that of t. ``alternative="greater"`` gives only a lower bound, ``"less"`` only
    an upper bound.

    A single value has no variance, and neither have values that are equal to 12 significant digits: the bounds are nan,
    with a note (unless ``sd`` is known).

    Reference: Student (1908), Biometrika 6:1-25, doi:10.1093/biomet/6.1.1; on folds Nadeau & Bengio (2003),
    Machine Learning 52:239-281, doi:10.1023/A:1024068626366.

    >>> print(mean_interval([0.70, 0.80, 0.75, 0.85], quantity="accuracy"))
    accuracy 0.7750, 95 % interval [0.6723, 0.8777] (t)
    >>> print(mean_interval([0.70, 0.80, 0.75, 0.85], test_share=0.25, quantity="accuracy"))
    accuracy 0.7750, 95 % interval [0.6181, 0.9319] (t, corrected for shared training data)
    >>> print(mean_interval([0.70, 0.80, 0.75, 0.85], sd=0.08, quantity="accuracy"))
    accuracy 0.7750, 95 % interval [0.6966, 0.8534] (z, known standard deviation)
    """
    check_alternative(alternative)
    check_level(level)
    ratio = share_ratio(test_share, overlap)
    x = sample(values)
    unit, k = unit_of(x), len(x)
    mean = float((x / unit).mean()) * unit
    name = ("t" if sd is None else "z, known standard deviation") + (
        "" if test_share is None else ", corrected for shared training data"
    )
    if sd is not None:
        bounds = normal_bounds(mean, math.sqrt(1 / k + ratio) * _checked_sd(sd), level, alternative)
        return Interval(quantity, mean, *bounds, level, name)
    note = why_no_interval(x)
    if note:
        return Interval(quantity, mean, math.nan, math.nan, level, name, (note,))
    error = math.sqrt(1 / k + ratio) * float((x / unit).std(ddof=1)) * unit
    return Interval(quantity, mean, *t_bounds(mean, error, k - 1, level, alternative), level, name)


def _checked_sd(sd: float) -> float:
    if not 0 < number(sd) < math.inf:
        raise InputError(f"sd must be a known standard deviation above 0, got {sd!r}; leave it out to estimate it")
    return float(sd)


def why_no_interval(x: FloatArray) -> str:
    """The reason why values have no variance and no interval, or an empty text; equal means equal to 12 digits."""
    if len(x) == 1:
        return "a single value has no variance: there is no interval"
    whole = differences(x, np.zeros(len(x))).whole
    return "all values are equal: their variance is zero, and there is no interval" if (whole == whole[0]).all() else ""


@procedure(question=ONE_METHOD, null=NULL, assumes=NORMAL, references=(NADEAU_BENGIO_2003, STUDENT_1908))
def one_sample_t(
    values: npt.ArrayLike,
    mean0: float,
    *,
    test_share: float | None = None,
    overlap: float = 1.0,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""One-sample t-test: does the mean score differ from a given value, such as a published accuracy or chance?

    Null hypothesis: the expected score equals :math:`\mu_0`, the given ``mean0``.

    .. math:: t = \frac{\bar x - \mu_0}{\sqrt{\left(\tfrac1k + \lambda q\right) s^2}}, \qquad t \sim t_{k-1}, \qquad
              q = \frac{\text{test share}}{1 - \text{test share}}

    Without ``test_share`` the values are taken as independent, and q = 0. Scores over the folds or repeats of one data
    set are not independent: give the share of the data that was held out (0.1 for 10-fold), and the test is corrected
    as in :func:`corrected_t`; ``overlap`` is :math:`\lambda`, 1 for a single k-fold, 1.75 for ten times 10-fold. The
    interval for the mean uses the same variance and excludes ``mean0`` exactly when p < 1 − level.

    If all values equal ``mean0``, p is 1. If all values equal another number, their variance is zero: the statistic is
    infinite and p is nan, with a note. ``mean0`` is taken as exact, although a published score has an error of its own.

    References: Student (1908), Biometrika 6:1-25, doi:10.1093/biomet/6.1.1; Nadeau & Bengio (2003),
    doi:10.1023/A:1024068626366.

    >>> outcome = one_sample_t([0.82, 0.80, 0.86, 0.84], 0.80)
    >>> outcome.statistic, outcome.p_value
    (2.3238, 0.1027)
    >>> one_sample_t([0.82, 0.80, 0.86, 0.84], 0.80, test_share=0.25).p_value
    0.2255
    """
    x = sample(values)
    if not math.isfinite(number(mean0)):
        raise InputError(f"mean0 must be a finite number, got {mean0!r}")
    note = (
        "the values are taken as independent; give test_share if they are scores over folds or repeats of one data set"
    )
    return t_outcome(
        x,
        np.full(len(x), float(mean0)),
        ratio=share_ratio(test_share, overlap),
        test="One-sample t" if test_share is None else "Corrected one-sample t",
        null=f"the expected score equals {mean0:g}",
        quantity="mean",
        method="t" if test_share is None else "corrected t",
        alternative=alternative,
        level=level,
        notes=() if test_share is not None else (note,),
        origin=float(mean0),
    )
