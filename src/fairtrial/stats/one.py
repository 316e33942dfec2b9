"""One method, one number: how sure is it?"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtri

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.scores import sample
from fairtrial.stats.student_t import share_ratio, t_bounds

__all__ = ["PROPORTION_METHODS", "mean_interval", "proportion_interval"]

Bounds = tuple[float, float]


def proportion_interval(
    successes: int, n: int, *, method: str = "wilson", level: float = 0.95, quantity: str = "proportion"
) -> Interval:
    r"""Interval for a proportion, such as the accuracy of a model on n independent test instances.

    With :math:`\hat p = x / n`, :math:`\alpha = 1 - \text{level}` and :math:`z` the normal quantile at
    :math:`1 - \alpha/2`:

    - ``wilson`` (default) inverts the score test: centre :math:`(\hat p + z^2/2n) / (1 + z^2/n)`, half-width
      :math:`\tfrac{z}{1 + z^2/n}\sqrt{\hat p(1-\hat p)/n + z^2/4n^2}`. Close to its level on average, for any n.
    - ``exact`` (Clopper-Pearson) inverts two one-sided binomial tests: never below its level, so wide.
      For fewer than 30 instances, and whenever the guarantee matters.
    - ``jeffreys``: the central posterior interval under a Beta(½, ½) prior; an end is 0 or 1 when x is 0 or n.
    - ``agresti-coull``: the normal formula after adding :math:`z^2/2` successes and as many failures.
    - ``normal``: :math:`\hat p \pm z\sqrt{\hat p(1-\hat p)/n}`. Only where :math:`n\hat p(1-\hat p) \ge 5` and
      n is at least 30; a note says when not. At 0 or n successes it shrinks to a point.

    The last two are given as their formulas are: they may reach below 0 or above 1.

    The level is a statement about the procedure: of many such intervals, 95 % hold the true proportion.
    It is about this one fitted model and about instances drawn like these, not about the choice of training data.

    References: Wilson (1927), doi:10.1080/01621459.1927.10502953; Clopper & Pearson (1934),
    doi:10.1093/biomet/26.4.404; Brown, Cai & DasGupta (2001), doi:10.1214/ss/1009213286.

    >>> print(proportion_interval(80, 100, quantity="accuracy"))
    accuracy 0.8000, 95 % interval [0.7112, 0.8666] (Wilson)
    >>> exact = proportion_interval(80, 100, method="exact")
    >>> exact.low, exact.high
    (0.7082, 0.8733)
    """
    if method not in PROPORTION_METHODS:
        raise UnknownName.among("interval for a proportion", method, PROPORTION_METHODS)
    check_level(level)
    x, n = _counts(successes, n)
    name, bounds = PROPORTION_METHODS[method]
    low, high = bounds(x, n, 1 - level)
    notes = _normal_notes(x, n) if method == "normal" else ()
    return Interval(quantity, x / n, low, high, level, name, notes)


def _counts(successes: float, n: float) -> tuple[int, int]:
    if n != int(n) or n < 1:
        raise InputError(f"n must be a whole number of at least 1, got {n!r}")
    if successes != int(successes) or not 0 <= successes <= n:
        raise InputError(f"successes must be a whole number from 0 to n = {n}, got {successes!r}")
    return int(successes), int(n)


def _normal_notes(x: int, n: int) -> tuple[str, ...]:
    spread = x * (n - x) / n
    if spread >= 5 and n >= 30:
        return ()
    return (f"the normal approximation asks for n·p·(1−p) ≥ 5 and n ≥ 30, here {spread:.3g} and {n}: prefer 'exact'",)


def _normal(x: float, n: float, alpha: float) -> Bounds:
    reach = -float(ndtri(alpha / 2)) * math.sqrt(x * (n - x) / n) / n
    return x / n - reach, x / n + reach


def _wilson(x: int, n: int, alpha: float) -> Bounds:
    z2 = float(ndtri(alpha / 2)) ** 2
    centre = (x + z2 / 2) / (n + z2)
    reach = math.sqrt(z2 * (x * (n - x) / n + z2 / 4)) / (n + z2)
    return (0.0 if x == 0 else centre - reach), (1.0 if x == n else centre + reach)


def _agresti_coull(x: int, n: int, alpha: float) -> Bounds:
    z2 = float(ndtri(alpha / 2)) ** 2
    return _normal(x + z2 / 2, n + z2, alpha)


def clopper_pearson(x: int, n: int, alpha: float) -> Bounds:
    """Exact bounds for x of n, each missed with probability of at most alpha / 2."""
    low = 0.0 if x == 0 else float(betaincinv(x, n - x + 1, alpha / 2))
    high = 1.0 if x == n else 1.0 - float(betaincinv(n - x, x + 1, alpha / 2))
    return low, high


def _jeffreys(x: int, n: int, alpha: float) -> Bounds:
    low = 0.0 if x == 0 else float(betaincinv(x + 0.5, n - x + 0.5, alpha / 2))
    high = 1.0 if x == n else 1.0 - float(betaincinv(n - x + 0.5, x + 0.5, alpha / 2))
    return low, high


PROPORTION_METHODS: dict[str, tuple[str, Callable[[int, int, float], Bounds]]] = {
    "wilson": ("Wilson", _wilson),
    "exact": ("Clopper-Pearson", clopper_pearson),
    "jeffreys": ("Jeffreys", _jeffreys),
    "agresti-coull": ("Agresti-Coull", _agresti_coull),
    "normal": ("normal approximation", _normal),
}


def mean_interval(
    values: npt.ArrayLike, *, level: float = 0.95, test_share: float | None = None, quantity: str = "mean"
) -> Interval:
    r"""t interval for the mean of independent values, or of scores over resamples that share training data.

    .. math:: \bar x \pm t_{k-1}\sqrt{\left(\tfrac1k + q\right) s^2}, \qquad
              q = \frac{\text{test share}}{1 - \text{test share}}

    Without ``test_share`` the values are taken as independent and q = 0: one mean per data set, for example.
    Scores of the folds or repeats of one data set share most of their training instances; give the share of the
    data that was held out (0.1 for 10-fold), or the interval is far too narrow.

    One value has no spread, and neither have equal values: the bounds are nan, with a note.

    Reference: Nadeau & Bengio (2003), Machine Learning 52:239-281, doi:10.1023/A:1024068626366.

    >>> print(mean_interval([0.70, 0.80, 0.75, 0.85], quantity="accuracy"))
    accuracy 0.7750, 95 % interval [0.6723, 0.8777] (t)
    >>> print(mean_interval([0.70, 0.80, 0.75, 0.85], test_share=0.25, quantity="accuracy"))
    accuracy 0.7750, 95 % interval [0.6181, 0.9319] (t, corrected for shared training data)
    """
    check_level(level)
    ratio = share_ratio(test_share)
    x = sample(values)
    name = "t" if test_share is None else "t, corrected for shared training data"
    mean, k = float(x.mean()), len(x)
    note = _no_spread(x)
    if note:
        return Interval(quantity, mean, math.nan, math.nan, level, name, (note,))
    error = math.sqrt((1 / k + ratio) * float(x.var(ddof=1)))
    return Interval(quantity, mean, *t_bounds(mean, error, k - 1, level, "two-sided"), level, name)


def _no_spread(x: npt.NDArray[np.float64]) -> str:
    if len(x) == 1:
        return "one value has no spread: there is no interval"
    return "all values are equal: there is no spread and no interval" if np.ptp(x) == 0 else ""
