"""One method, a mean of its scores: how sure is it, and is it a given one?"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.arguments import number, share_ratio
from fairtrial.stats.bibliography import NADEAU_BENGIO_2003, STUDENT_1908
from fairtrial.stats.distributions.normal import normal_bounds
from fairtrial.stats.distributions.student_t import t_bounds, t_outcome
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import NORMAL, ONE_METHOD, procedure
from fairtrial.stats.score_arrays import FloatArray, differences, sample, unit_of

__all__ = ["mean_interval", "one_sample_t"]

NULL = "the expected score is the given one"


@procedure(question=ONE_METHOD, assumes=NORMAL, references=(NADEAU_BENGIO_2003, STUDENT_1908))
def mean_interval(
    values: npt.ArrayLike,
    *,
    test_share: float | None = None,
    sd: float | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    quantity: str = "mean",
) -> Interval:
    r"""t interval for the mean of independent values, or of scores over resamples that share training data.

    .. math:: \bar x \pm t_{k-1}\sqrt{\left(\tfrac1k + q\right) s^2}, \qquad
              q = \frac{\text{test share}}{1 - \text{test share}}

    Without ``test_share`` the values are taken as independent and q = 0: one mean per data set, for example.
    Scores of the folds or repeats of one data set share most of their training instances; give the share of the
    data that was held out (0.1 for 10-fold), or the interval is far too narrow.

    ``sd`` is the standard deviation of single values where it is *known*, not estimated from them: then it takes the
    place of s, and the normal quantile that of t. ``alternative="greater"`` gives a lower bound alone, ``"less"`` an
    upper bound alone.

    One value has no spread, and neither have values that are equal to 12 significant digits: the bounds are nan, with
    a note (unless ``sd`` is known).

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
    ratio = share_ratio(test_share)
    x = sample(values)
    unit, k = unit_of(x), len(x)
    mean = float((x / unit).mean()) * unit
    name = ("t" if sd is None else "z, known standard deviation") + (
        "" if test_share is None else ", corrected for shared training data"
    )
    if sd is not None:
        bounds = normal_bounds(mean, math.sqrt(1 / k + ratio) * _known(sd), level, alternative)
        return Interval(quantity, mean, *bounds, level, name)
    note = no_spread(x)
    if note:
        return Interval(quantity, mean, math.nan, math.nan, level, name, (note,))
    error = math.sqrt(1 / k + ratio) * float((x / unit).std(ddof=1)) * unit
    return Interval(quantity, mean, *t_bounds(mean, error, k - 1, level, alternative), level, name)


def _known(sd: float) -> float:
    if not 0 < number(sd) < math.inf:
        raise InputError(f"sd must be a known standard deviation above 0 (leave it out to estimate it), got {sd!r}")
    return float(sd)


def no_spread(x: FloatArray) -> str:
    """Why there is no interval, if there is none; values are equal if they are to 12 significant digits."""
    if len(x) == 1:
        return "one value has no spread: there is no interval"
    whole = differences(x, np.zeros(len(x))).whole
    return "all values are equal: there is no spread and no interval" if (whole == whole[0]).all() else ""


@procedure(question=ONE_METHOD, null=NULL, assumes=NORMAL, references=(NADEAU_BENGIO_2003, STUDENT_1908))
def one_sample_t(
    values: npt.ArrayLike,
    mean0: float,
    *,
    test_share: float | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""t-test of whether a mean is a given one: does a method reach a published accuracy, a human, chance?

    Null hypothesis: the expected score is :math:`\mu_0`, the given ``mean0``.

    .. math:: t = \frac{\bar x - \mu_0}{\sqrt{\left(\tfrac1k + q\right) s^2}}, \qquad t \sim t_{k-1}, \qquad
              q = \frac{\text{test share}}{1 - \text{test share}}

    Without ``test_share`` the values are taken as independent and q = 0. Scores over the folds or repeats of one data
    set are not: give the share that was held out (0.1 for 10-fold), and the test is corrected as in
    :func:`corrected_t`. The interval for the mean comes from the same variance and leaves out ``mean0`` exactly when
    p < 1 − level.

    All values equal to ``mean0``: p = 1. All equal to another value: no spread to compare with, the statistic is
    infinite and p nan, with a note. ``mean0`` is taken as exact: a published score has an error of its own.

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
    note = "values are taken as independent; for folds or repeats of one data set give test_share"
    return t_outcome(
        x,
        np.full(len(x), float(mean0)),
        ratio=share_ratio(test_share),
        test="One-sample t" if test_share is None else "Corrected one-sample t",
        null=f"the expected score is {mean0:g}",
        quantity="mean",
        method="t" if test_share is None else "corrected t",
        alternative=alternative,
        level=level,
        notes=() if test_share is not None else (note,),
        origin=float(mean0),
    )
