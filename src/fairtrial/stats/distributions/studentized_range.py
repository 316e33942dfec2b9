"""The range of k independent standard normal values: the null distribution behind Nemenyi's test.

This is Tukey's studentised range with infinite degrees of freedom. With z the smallest of the k values,

    P(range ≥ q) = k ∫ φ(z) { [1 − Φ(z)]^(k−1) − [Φ(z+q) − Φ(z)]^(k−1) } dz,

in which every term is positive, so that the far tail keeps its digits; summed by the trapezoidal rule, which
converges exponentially for such an integrand.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.special import log_ndtr, logsumexp, ndtri

from fairtrial.stats.distributions.tail import Tail

__all__ = ["range_quantile", "range_tail"]

STEP = 0.05
REACH = 10.0  # standard deviations beyond which the integrand is nothing
LOG_ROOT_2PI = 0.5 * math.log(2 * math.pi)


def range_tail(q: float, k: int) -> Tail:
    """P(range of ``k`` standard normal values ≥ ``q``).

    >>> range_tail(3.3145, 3).value   # 3.3145 is the 5 % point for k = 3
    0.0500
    """
    if q <= 0:
        return Tail(1.0, 0.0)
    z = np.arange(-0.5 * q - REACH, REACH, STEP)
    log_above = log_ndtr(-z)
    log_ratio = log_ndtr(-z - q) - log_above
    log_p = float(logsumexp(_log_gap(log_ratio, k) + (k - 1) * log_above - 0.5 * z * z)) - LOG_ROOT_2PI
    log_p = min(log_p + math.log(k * STEP), 0.0)
    return Tail(math.exp(log_p), log_p / math.log(10))


def _log_gap(
    log_ratio: np.ndarray[tuple[int], np.dtype[np.float64]], k: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """log(1 − (1 − x)^(k−1)) from log x, also where x is too small to be a number."""
    with np.errstate(divide="ignore", under="ignore"):
        gap = np.log(-np.expm1((k - 1) * np.log1p(-np.exp(log_ratio))))
    return np.where(log_ratio < -600, math.log(k - 1) + log_ratio, gap)


@lru_cache(maxsize=256)
def range_quantile(p: float, k: int) -> float:
    """The q with P(range of ``k`` standard normal values ≥ q) = ``p``.

    >>> range_quantile(0.05, 4)
    3.633160
    """
    low, high = 0.0, -math.sqrt(2) * float(ndtri(p / (k * (k - 1))))  # above it by Bonferroni
    while high - low > 4e-16 * high:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if range_tail(middle, k).value > p else (low, middle)
    return 0.5 * (low + high)
