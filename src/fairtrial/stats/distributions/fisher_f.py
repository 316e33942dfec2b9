"""The F distribution: its upper tail, accurate far out, and confidence intervals for noncentrality parameters."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import betaln, chdtri, fdtrc, fdtri, ncfdtr, ndtr

from fairtrial.errors import InputError
from fairtrial.stats.distributions.simultaneous import log_chi_density
from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.outcome import Interval, check_level

UNDERFLOW = 1e-290  # below this, tails are computed as logarithms
VAST = 1e9  # scipy's noncentral F is nan for somewhat larger statistics


def f_tail(f: float, df1: float, df2: float) -> Tail:
    """The upper tail of the F distribution, with its logarithm.

    >>> f_tail(4.846, 2, 27).value, f_tail(1e6, 20, 400).log10   # the second probability underflows
    (0.0159, -924.55)
    """
    if math.isnan(f):
        return Tail(math.nan, math.nan)
    if f <= 0:
        return Tail(1.0, 0.0)
    value = float(fdtrc(df1, df2, f))
    if value > UNDERFLOW:
        return Tail(min(value, 1.0), math.log10(min(value, 1.0)))
    if math.isinf(f):
        return Tail(0.0, -math.inf)
    a, b = df2 / 2, df1 / 2  # the incomplete beta function as a series of positive terms, in logarithms
    x, rest = df2 / (df2 + df1 * f), df1 * f / (df2 + df1 * f)
    log = a * math.log(x) + b * math.log(rest) - math.log(a) - float(betaln(a, b)) + math.log(_series(a, b, x))
    return Tail.from_log(log)


def _series(a: float, b: float, x: float) -> float:
    total = term = 1.0
    n = 0
    while term > 1e-17 * total:
        term *= (a + b + n) / (a + 1 + n) * x
        total += term
        n += 1
    return total


def f_critical(df1: float, df2: float, level: float) -> float:
    """The critical value of F at a level.

    >>> f_critical(2, 27, 0.95)
    3.3541
    """
    return float(fdtri(df1, df2, level))


def noncentral_f(f: float, df1: float, df2: float, level: float) -> tuple[float, float]:
    """Confidence interval for the noncentrality of F: values for which the observed F is in neither tail.

    The smallest noncentrality is 0.

    >>> noncentral_f(4.846, 2, 27, 0.9)
    (0.9881, 22.52)
    """
    if not math.isfinite(f) or math.isnan(df2):
        return math.nan, math.nan
    if df1 * f > VAST:  # then only the variance of the denominator matters
        return df1 * f * _spread_at(df2, (1 - level) / 2), df1 * f * _spread_at(df2, (1 + level) / 2)
    high = _inverse(lambda nc: float(ncfdtr(df1, df2, nc, f)), (1 - level) / 2, df1 * f + 10)
    return _inverse(lambda nc: float(ncfdtr(df1, df2, nc, f)), (1 + level) / 2, df1 * f + 10), high


def _spread_at(df: float, below: float) -> float:
    """The quantile of a chi-square variable divided by its degrees of freedom."""
    return float(chdtri(df, 1 - below)) / df


def _inverse(cdf: Callable[[float], float], target: float, start: float) -> float:
    """The point at which a function that falls from cdf(0) to 0 reaches the target; 0 if it starts below."""
    from scipy.optimize import brentq  # imported here: it takes a tenth of a second, and few programs need it

    if cdf(0.0) <= target:
        return 0.0
    high = max(start, 1.0)
    while cdf(high) > target:
        high *= 2
    return float(brentq(lambda nc: cdf(nc) - target, 0.0, high, xtol=1e-12, rtol=1e-12))


def noncentral_t(t: float, df: float, level: float) -> tuple[float, float]:
    """Confidence interval for the noncentrality of t: values for which the observed t is in neither tail.

    >>> noncentral_t(2.5, 9, 0.95)
    (0.1829, 4.715)
    """
    if not math.isfinite(t):
        return math.nan, math.nan
    if t * t > VAST:
        ends = sorted(t * math.sqrt(_spread_at(df, below)) for below in ((1 - level) / 2, (1 + level) / 2))
        return ends[0], ends[1]
    return _location(t, df, (1 + level) / 2), _location(t, df, (1 - level) / 2)


def _location(t: float, df: float, target: float) -> float:
    """The noncentrality for which the observed t is at this quantile."""
    from scipy.optimize import brentq  # imported here: it takes a tenth of a second, and few programs need it

    reach = 6.0 + 6.0 * abs(t) / math.sqrt(2 * df) + abs(t)
    low, high = -reach, reach
    while _noncentral_t_cdf(t, df, low) < target:
        low *= 2
    while _noncentral_t_cdf(t, df, high) > target:
        high *= 2
    return float(brentq(lambda nc: _noncentral_t_cdf(t, df, nc) - target, low, high, xtol=1e-12, rtol=1e-12))


def _noncentral_t_cdf(t: float, df: float, nc: float) -> float:
    """P(T ≤ t) for noncentral t: normal given the estimate s of the standard deviation, integrated over log s.

    scipy's function is nan for some arguments.
    """
    spread = 1 / math.sqrt(2 * df)
    low, high = -min(9 * spread, 0.5) - 40 / df, min(9 * spread, 0.5 * math.log(90 / df + 4))
    points = min(200 + math.ceil(8 * (high - low) * (1 + abs(t))), 200_000)
    log_s = np.linspace(low, high, points)
    density = np.exp(log_chi_density(log_s, df))
    return float(density @ ndtr(t * np.exp(log_s) - nc)) * (high - low) / (points - 1)


def agreeing_level(level: float) -> float:
    """The level 2·level − 1 at which a two-sided interval agrees with a one-tailed test.

    >>> agreeing_level(0.95)
    0.9
    """
    check_level(level)
    if level <= 0.5:
        raise InputError(
            "level must lie strictly between 0.5 and 1, since the interval of a one-tailed test has the level "
            f"2·level − 1, got {level!r}"
        )
    return round(2 * level - 1, 15)


def share_explained(
    quantity: str,
    estimate: float,
    f: float,
    df1: float,
    df2: float,
    *,
    total: float,
    epsilon: float = 1.0,
    level: float,
) -> Interval:
    r"""A share of explained variance, with the interval :math:`\lambda / (\lambda + \text{total})` from noncentral F.

    The interval excludes 0 exactly when the F-test rejects at half of ``1 - level``: at 90 % it agrees with the test at
    5 %. ``epsilon`` is the factor by which both degrees of freedom, and the noncentrality, were reduced.
    """
    low, high = (value / epsilon for value in noncentral_f(f, df1, df2, level))
    return Interval(quantity, estimate, low / (low + total), high / (high + total), level, "noncentral F")
