"""The binomial distribution: accurate tails, the sign test's distribution, two-sided p-values, Sterne's interval.

Inversion of score tests: the interval of the differences of two proportions that a score test does not reject.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import betainc, betaincinv, expit, gammaln, xlog1py, xlogy

from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.outcome import Chances
from fairtrial.stats.score_arrays import FloatArray, IntArray

EQUALLY_LIKELY = 1e-7  # R's tolerance: outcomes whose probabilities differ relatively by less count as equally likely
UNDERFLOW = 1e-290  # below this, tails are computed as logarithms


def binomial_tails(x: int, n: int, p: float) -> tuple[Tail, Tail]:
    """The tails P(X ≤ x) and P(X ≥ x) of the binomial distribution with n trials and success probability p.

    >>> at_most, at_least = binomial_tails(1, 3, 0.5)
    >>> at_most.value, at_least.value
    (0.5, 0.875)
    """
    return _at_most(x, n, p, 1 - p), _at_most(n - x, n, 1 - p, p)


def binomial_chances(n: int, p: float = 0.5) -> Chances:
    """The numbers of successes in n trials, and their probabilities.

    >>> binomial_chances(2, 0.1)[1].round(4).tolist()
    [0.81, 0.18, 0.01]
    """
    i = np.arange(n + 1, dtype=np.float64)
    log = gammaln(n + 1) - gammaln(i + 1) - gammaln(n - i + 1) + xlogy(i, p) + xlog1py(n - i, -p)
    return i, np.exp(log)


def _at_most(x: int, n: int, p: float, q: float) -> Tail:
    """P(X ≤ x), from the probabilities p and q of both outcomes, since 1 − p would lose the digits of a small p."""
    if x < 0:
        return Tail(0.0, -math.inf)
    if x >= n:
        return Tail(1.0, 0.0)
    if p == 0.5:
        return sign_tail(n, x)
    value = float(betainc(n - x, x + 1, q))
    if value > UNDERFLOW:
        return Tail(value, math.log10(value))
    i = np.arange(x, max(x - 1000 - 50 * math.isqrt(n), 0), -1)  # outcomes further below add nothing
    ratios = i / (n - i + 1.0) * (q / p)  # the probability of an outcome over that of the next larger one
    log = _log_mass(x, n, p, q) + math.log1p(float(np.cumprod(ratios).sum()))
    return Tail.from_log(log)


def _log_mass(x: int, n: int, p: float, q: float) -> float:
    """The log probability of x successes, in Loader's form (2000), in which large logarithms do not cancel."""
    if x == 0 or x == n:
        return n * (math.log(p) if x else math.log1p(-p) if p < 0.5 else math.log(q))
    rest = _beyond_stirling(n) - _beyond_stirling(x) - _beyond_stirling(n - x)
    return rest - _deviance(x, n * p) - _deviance(n - x, n * q) + 0.5 * math.log(n / x / (n - x) / math.tau)


def _beyond_stirling(m: int) -> float:
    """The logarithm of m! minus Stirling's approximation of it."""
    if m < 30:
        return math.lgamma(m + 1) - (m + 0.5) * math.log(m) + m - 0.5 * math.log(math.tau)
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / m**2) / m**2) / m**2) / m


def _deviance(x: int, mean: float) -> float:
    """The deviance x log(x / mean) + mean − x, without cancellation near the mean."""
    apart = (x - mean) / mean
    if abs(apart) > 0.1:
        return x * math.log(x / mean) + mean - x
    k = np.arange(2, 20)  # (1 + e) log(1 + e) − e is the sum of (−e)^k / k(k − 1)
    return mean * float(((-apart) ** k / (k * (k - 1))).sum())


def doubled_p(at_most: Tail, at_least: Tail) -> Tail:
    """The two-sided p-value that is twice the smaller tail, at most 1."""
    return min(at_most, at_least).doubled()


def least_likely_p(x: int, n: int, p: float) -> Tail:
    """The two-sided p-value that adds the probabilities of all outcomes at most as likely as x.

    >>> least_likely_p(0, 3, 0.2).value   # no outcome is more likely than 0
    1.0
    >>> least_likely_p(2, 3, 0.2).value
    0.104
    """
    return _least_likely(n - x, n, 1 - p, p) if x > n * p else _least_likely(x, n, p, 1 - p)


def _least_likely(x: int, n: int, p: float, q: float) -> Tail:
    own, limit = _at_most(x, n, p, q), _log_mass(x, n, p, q) + EQUALLY_LIKELY
    low, high = math.ceil(n * p), n + 1  # probabilities fall beyond the mode: search the first that is small enough
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _log_mass(middle, n, p, q) <= limit else (middle + 1, high)
    if low <= x:
        return Tail(1.0, 0.0)
    other = _at_most(n - low, n, q, p)
    log = float(np.logaddexp(own.log10 * math.log(10), other.log10 * math.log(10))) / math.log(10)
    return Tail(min(own.value + other.value, 1.0), min(log, 0.0))


def sterne_bounds(x: int, n: int, alpha: float) -> tuple[float, float]:
    """Sterne's interval: the smallest and the largest success probability that :func:`least_likely_p` does not reject.

    >>> sterne_bounds(9, 12, 0.05)
    (0.4571, 0.9281)
    """
    return _sterne_low(x, n, alpha), 1 - _sterne_low(n - x, n, alpha)


def _sterne_low(x: int, n: int, alpha: float) -> float:
    """The lower bound of Sterne's interval.

    For a success probability p below x / n the p-value adds the tail from x upwards and, on the other side, the
    outcomes y that are at most as likely as x. As p grows, these outcomes join one by one: y joins at the p at which y
    and x are equally likely. Between two such points the p-value has no maximum, so that the first p that is not
    rejected is a point at which an outcome joins, or a point at which the p-value crosses alpha.
    """
    if x == 0:
        return 0.0
    last = float(betaincinv(x, n - x + 1, alpha))  # from here on the upper tail alone exceeds alpha
    first = float(betaincinv(x, n - x + 1, alpha / 1000))
    before, after = _count_joined(x, n, first), _count_joined(x, n, last)
    starts = np.append(first, _joining_points(x, n, np.arange(before, after)))
    joined = before + np.arange(len(starts))  # the number of outcomes that have joined at each start
    at_start, at_end = _p_values(x, n, starts, joined), _p_values(x, n, np.append(starts[1:], last), joined)
    place = int(np.argmax(np.maximum(at_start, at_end) >= alpha * (1 - 1e-12)))
    if at_start[place] >= alpha:
        return float(starts[place])
    from scipy.optimize import brentq

    end = float(np.append(starts[1:], last)[place])
    count = int(joined[place])
    if at_end[place] <= alpha:
        return end
    return float(brentq(lambda p: float(_p_values(x, n, p, count)) - alpha, starts[place], end, xtol=1e-15))


def _count_joined(x: int, n: int, p: float) -> int:
    """The number of outcomes that have joined at p, by bisection over their ascending joining points."""
    low, high = 0, x
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if _joining_points(x, n, np.array([middle]))[0] <= p else (low, middle)
    return low


def _joining_points(x: int, n: int, y: IntArray) -> FloatArray:
    """The success probabilities at which each outcome y below x is as likely as x, ascending."""
    log_odds = (gammaln(x + 1) + gammaln(n - x + 1) - gammaln(y + 1) - gammaln(n - y + 1)) / (x - y)
    return np.asarray(expit(log_odds))


def _p_values(x: int, n: int, p: FloatArray, joined: IntArray | int) -> FloatArray:
    """P(X ≥ x) plus the probability of the first ``joined`` outcomes."""
    others = np.where(np.asarray(joined) > 0, betainc(n - joined + 1, np.maximum(joined, 1), 1 - np.asarray(p)), 0.0)
    return np.asarray(betainc(x, n - x + 1, p) + others)


WHOLE_NUMBERS = 5000  # up to this k binomial coefficients are computed as exact whole numbers


def sign_tail(n: int, k: int) -> Tail:
    r"""The tail P(B ≤ k) of the number of heads of n fair coins, :math:`2^{-n} \sum_{i \le k} \binom{n}{i}`.

    >>> sign_tail(10, 1).value   # 11 of 1,024
    0.0107421875
    """
    if k < 0:
        return Tail(0.0, -math.inf)
    if k >= n:
        return Tail(1.0, 0.0)
    if 2 * k >= n:
        return sign_tail(n, n - k - 1).complement()
    i = np.arange(k, max(k - math.isqrt(25 * n) - 64, 0), -1)  # terms further down are negligible
    series = 1.0 + float(np.cumprod(i / (n - i + 1.0)).sum())
    if k > WHOLE_NUMBERS:
        log = _log_coins(n, k) + math.log(series)
        return Tail.from_log(log)
    largest = math.comb(n, k)
    shift = max(largest.bit_length() - 64, 0)
    return Tail.from_binary(float(largest >> shift) * series, shift - n)


def _log_coins(n: int, k: int) -> float:
    r"""The logarithm of :math:`2^{-n} \binom nk` for many coins, for which whole numbers would take minutes.

    It is Stirling's formula with two terms of its error, arranged so that no large numbers cancel (Loader 2000).
    """
    off = (n - 2 * k) / n
    distance = n / 2 * ((1 - off) * math.log1p(-off) + (1 + off) * math.log1p(off))
    error = sum(sign * (1 / 12 - 1 / (360 * m * m)) / m for sign, m in ((1, n), (-1, k), (-1, n - k)))
    return error - distance + 0.5 * math.log(n / (2 * math.pi * k * (n - k)))


def sign_critical(n: int, alpha: float) -> int:
    """The critical value of the sign test: the largest k with P(B ≤ k) < ``alpha`` (at most ½); −1 if there is none.

    >>> sign_critical(14, 0.05), sign_critical(5, 0.025)   # one-sided 11 wins of 14 reject, two-sided 5 of 5 do not
    (3, -1)
    """
    low, high = -1, n // 2
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sign_tail(n, middle).value < alpha else (low, middle - 1)
    return low


def inverted_score(score: Callable[[float], float], estimate: float, limit: float) -> tuple[float, float]:
    """The two points between −1 and 1 at which a decreasing score crosses ± limit, below and above the estimate."""
    ends = (estimate, -estimate) if limit > 0 else (1.0, 1.0)  # a one-sided level below ½ also rejects the estimate
    low = _first_not_rejected(lambda difference: score(difference) > limit, ends[0])
    return low, -_first_not_rejected(lambda difference: score(-difference) < -limit, ends[1])


def _first_not_rejected(rejected: Callable[[float], bool], end: float) -> float:
    """The smallest difference between −1 and ``end`` that is not rejected; ``end`` itself if all others are."""
    low, high = -1.0, end
    if not rejected(low):
        return low
    while high - low > 1e-14:
        middle = (low + high) / 2
        low, high = (middle, high) if rejected(middle) else (low, middle)
    return high


def standardized(distance: float, variance: float) -> float:
    """A distance in standard deviations: 0 for a distance of 0, infinite for another distance and zero variance."""
    if variance > 0 or distance == 0:
        return distance / math.sqrt(variance) if distance else 0.0
    return math.copysign(math.inf, distance)
