"""Null distributions of several t statistics that share one variance: Tukey's studentised range, Dunnett's maximum.

Given the estimate s of the standard deviation, both are one-dimensional integrals over independent normal values; s
itself is distributed as the root of chi-square over its degrees of freedom:

    P(T ≥ q) = ∫ f(s) G(q·s) ds,   G the tail with infinite degrees of freedom.

All terms are positive and kept as logarithms, so that the far tail is as accurate as the near one. Integrals use the
trapezoidal rule (over the logarithm of s), which converges exponentially for such integrands.

With infinite degrees of freedom Tukey's statistic is the range of k standard normal values, the null distribution of
Nemenyi's test. With z the smallest of the k values,

    P(range ≥ q) = k ∫ φ(z) { [1 − Φ(z)]^(k−1) − [Φ(z+q) − Φ(z)]^(k−1) } dz.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.special import gammaln, log_ndtr, logsumexp, ndtri, stdtrit

from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.score_arrays import FloatArray

STEP = 0.1  # step of the trapezoidal rule
REACH = 9.0  # standard deviations: the normal density further out is negligible
NARROW = 1e-3  # smallest conditional standard deviation: the control has a millionth of the others' scores
TABLE = 2**19  # numbers in memory at a time
ALONE = 100  # nodes of log s of a tail alone, about
NODES = 300  # of the normal values, about
FORGET = 42.0  # terms smaller than e**-42 of the largest are negligible
LOG_ROOT_2PI = 0.5 * math.log(2 * math.pi)

LogTail = Callable[[FloatArray], FloatArray]


def tukey_tail(q: float, k: int, df: float) -> Tail:
    """The upper tail of the studentised range of ``k`` normal values, P(range / s ≥ ``q``).

    With infinite ``df`` the standard deviation is known.

    >>> tukey_tail(3.5064, 3, 27).value   # 3.5064 is the 5 % point for 3 groups and 27 degrees of freedom
    0.0500
    """
    if q <= 0:
        return Tail(1.0, 0.0)
    return _with_estimated_variance(lambda x: _log_range_tail(x, k), q, df)


def tukey_tails(q: FloatArray, k: int, df: float) -> list[Tail]:
    """The upper tails of many studentised ranges, as :func:`tukey_tail` has each.

    All integrals over log s use the nodes of one grid of log q + log s, so that the range of normal values, which takes
    almost all of the time, is integrated once for each node, not once for each q and node.

    >>> [round(tail.value, 4) for tail in tukey_tails(np.array([3.5064, 0.0]), 3, 27)]
    [0.05, 1.0]
    """
    above = np.flatnonzero(q > 0)
    log_p = np.zeros(len(q))
    if len(above):
        known = math.isinf(df)
        log_p[above] = _log_range_tails(q[above], k) if known else _on_one_grid(np.log(q[above]), k, df)
    return [Tail.from_log(p) for p in np.minimum(log_p, 0.0).tolist()]


@lru_cache(maxsize=256)
def tukey_quantile(p: float, k: int, df: float) -> float:
    """The upper quantile of the studentised range: the q with ``tukey_tail(q, k, df) == p``.

    >>> tukey_quantile(0.05, 3, 27)
    3.5064
    """
    return math.sqrt(2) * _quantile(lambda t: tukey_tail(math.sqrt(2) * t, k, df), p, k * (k - 1) // 2, df)


def dunnett_tail(t: float, loadings: tuple[float, ...], df: float, *, two_sided: bool = True) -> Tail:
    r"""The upper tail of Dunnett's distribution: P(the largest of several t statistics against one control ≥ ``t``).

    Statistics i and j have the correlation :math:`\lambda_i \lambda_j`, where ``loadings`` are the :math:`\lambda`:
    :math:`\sqrt{1/2}` each for groups of equal size. ``two_sided`` takes absolute values.

    >>> dunnett_tail(2.3334, (0.5**0.5, 0.5**0.5), 27).value   # two methods and a control, ten folds each
    0.0500
    """
    if t <= 0 and two_sided:
        return Tail(1.0, 0.0)
    return _with_estimated_variance(lambda x: _log_maximum_tail(x, loadings, two_sided=two_sided), t, df)


@lru_cache(maxsize=256)
def dunnett_quantile(p: float, loadings: tuple[float, ...], df: float, *, two_sided: bool = True) -> float:
    """The upper quantile of Dunnett's distribution: the t with ``dunnett_tail(t, loadings, df, …) == p``.

    >>> dunnett_quantile(0.05, (0.5**0.5, 0.5**0.5), 27)
    2.3334
    """
    sides = 2 if two_sided else 1
    return _quantile(lambda t: dunnett_tail(t, loadings, df, two_sided=two_sided), p, len(loadings), df, sides)


def _quantile(tail: Callable[[float], Tail], p: float, comparisons: int, df: float, sides: int = 2) -> float:
    """The quantile at p, which lies between that of a single comparison and Bonferroni's."""
    from scipy.optimize import brentq  # imported here: it takes a tenth of a second, and few programs need it

    def point(share: float) -> float:
        return -float(ndtri(share)) if math.isinf(df) else -float(stdtrit(df, share))

    low, high = point(p / sides), point(p / sides / comparisons)
    if comparisons == 1 or high == low:
        return low
    target = math.log10(p)
    return float(brentq(lambda t: tail(t).log10 - target, low - 1e-9, high + 1e-9, xtol=1e-13, rtol=1e-14))


def _with_estimated_variance(log_tail: LogTail, q: float, df: float) -> Tail:
    """The tail if the standard deviation is estimated with ``df`` degrees of freedom."""
    if math.isinf(df):
        log_p = float(log_tail(np.array([q]))[0])
    else:
        low, high = _integration_range(log_tail, q, df)
        log_s = np.linspace(low, high, max(64, math.ceil((high - low) / 0.1)))
        terms = log_chi_density(log_s, df) + log_tail(q * np.exp(log_s))
        log_p = float(logsumexp(terms)) + math.log(log_s[1] - log_s[0])
    log_p = min(log_p, 0.0)
    return Tail.from_log(log_p)


def _on_one_grid(log_q: FloatArray, k: int, df: float) -> FloatArray:
    """The logarithms of the tails of studentised ranges, from a grid of log q + log s that all share."""
    drop = (FORGET + 20) / df
    ends = np.array([log_q.min(), log_q.max()])
    modes = ends - 0.5 * np.log1p(np.exp(2 * ends) / (2 * df))  # of log q + log s; it rises with q
    low, high = modes[0] - 0.5 - drop, modes[1] + min(math.sqrt(drop), 0.5 * math.log(4 * drop + 2))
    step = min(STEP, 0.28 / math.sqrt(2 * df))  # the integrand is about as wide as the density of log s
    if high - low > len(log_q) * ALONE * step:  # few q, far apart
        return np.array([math.log(10) * tukey_tail(math.exp(x), k, df).log10 for x in log_q.tolist()])
    nodes = np.arange(low, high + step, step)
    tails = _log_range_tails(np.exp(nodes), k)
    parts = (log_chi_density(nodes - part[:, None], df) + tails for part in _parts(log_q, len(nodes)))
    return np.concatenate([logsumexp(terms, axis=1) for terms in parts]) + math.log(step)


def _parts(values: FloatArray, width: int) -> list[FloatArray]:
    """The values in parts that make tables of some megabytes."""
    return np.array_split(values, max(1, len(values) * width // TABLE))


def _log_range_tails(q: FloatArray, k: int) -> FloatArray:
    """The logarithm of P(range of k standard normal values ≥ q) for any number of q, near ones together."""
    order = np.argsort(q)
    found = np.empty(len(q))
    found[order] = np.concatenate([_log_range_tail(part, k) for part in _parts(q[order], NODES)])
    return found


def _integration_range(log_tail: LogTail, q: float, df: float) -> tuple[float, float]:
    """The range of log s in which the integrand is not negligible.

    For a tail like exp(−x²/4) the mode is at s² = df / (df + q²/2). The first bounds around it are wide enough for all
    tails here; they are then narrowed.
    """
    mode = -0.5 * math.log1p(q * q / (2 * df)) if q > 0 else 0.0
    drop = (FORGET + 20) / df
    low, high = mode - 0.5 - drop, mode + min(math.sqrt(drop), 0.5 * math.log(4 * drop + 2))
    while True:
        log_s = np.linspace(low, high, 40)
        terms = log_chi_density(log_s, df) + log_tail(q * np.exp(log_s))
        kept = np.flatnonzero(terms > terms.max() - FORGET)
        ends = float(log_s[max(kept[0] - 1, 0)]), float(log_s[min(kept[-1] + 1, 39)])
        if ends[1] - ends[0] > 0.5 * (high - low):
            return ends
        low, high = ends


def log_chi_density(log_s: FloatArray, df: float) -> FloatArray:
    """The log density of log s, where df·s² has a chi-square distribution."""
    half = df / 2
    constant = math.log(2) + half * math.log(half) - float(gammaln(half))
    density: FloatArray = constant + half * (2 * log_s - np.exp(np.minimum(2 * log_s, 700.0)))
    return density


def _log_range_tail(q: FloatArray, k: int) -> FloatArray:
    """The logarithm of P(range of k standard normal values ≥ q), for many q at once."""
    z = np.arange(-0.5 * float(q.max()) - REACH, REACH, STEP)
    log_above = log_ndtr(-z)
    log_ratio = log_ndtr(-z - q[:, None]) - log_above
    terms = _log_any(log_ratio, k - 1) + (k - 1) * log_above - 0.5 * z * z
    log_p: FloatArray = np.minimum(logsumexp(terms, axis=1) + math.log(k * STEP) - LOG_ROOT_2PI, 0.0)
    return log_p


def _log_maximum_tail(t: FloatArray, loadings: tuple[float, ...], *, two_sided: bool) -> FloatArray:
    """The logarithm of P(the largest statistic ≥ t) with infinite df.

    Given the value of the control, the statistics are independent.
    """
    far = float(np.abs(t).max()) + REACH
    narrowest = math.sqrt(1 - max(loadings) ** 2)
    step = min(STEP, 0.5 * max(narrowest, NARROW))
    y = np.arange(-far, far, step)
    log_none = np.zeros((len(t), len(y)))  # log probability that no statistic reaches t
    log_sum = np.full((len(t), len(y)), -np.inf)  # log of the sum of the probabilities that each reaches t
    for loading, count in zip(*np.unique(np.asarray(loadings), return_counts=True), strict=True):
        rest = math.sqrt(1 - loading * loading)
        log_one = log_ndtr((loading * y - t[:, None]) / rest)
        if two_sided:
            log_one = np.logaddexp(log_one, log_ndtr((-loading * y - t[:, None]) / rest))
        with np.errstate(divide="ignore", under="ignore"):
            log_none += count * np.log1p(-np.exp(np.minimum(log_one, 0.0)))
        log_sum = np.logaddexp(log_sum, math.log(count) + log_one)
    with np.errstate(divide="ignore", under="ignore"):
        log_any = np.where(log_sum < -300, log_sum, np.log(-np.expm1(log_none)))
    log_p: FloatArray = np.minimum(logsumexp(log_any - 0.5 * y * y, axis=1) + math.log(step) - LOG_ROOT_2PI, 0.0)
    return log_p


def _log_any(log_x: FloatArray, k: int) -> FloatArray:
    """The logarithm of 1 − (1 − x)^k from log x, also if x underflows."""
    with np.errstate(divide="ignore", under="ignore"):
        gap = np.log(-np.expm1(k * np.log1p(-np.exp(np.minimum(log_x, 0.0)))))
    return np.where(log_x < -300, math.log(k) + log_x, gap)
