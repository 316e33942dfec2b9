"""The normal distribution: p-values of z statistics, accurate in the far tail, and bounds of intervals."""

from __future__ import annotations

import math

from scipy.special import log_ndtr, ndtr, ndtri

from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.outcome import Alternative


def tail_share(level: float, alternative: Alternative) -> float:
    """The error probability at each bound of an interval: half of 1 − level, or all of it if there is one bound.

    >>> tail_share(0.95, "two-sided"), tail_share(0.95, "greater")
    (0.025, 0.05)
    """
    return (1 - level) / 2 if alternative == "two-sided" else 1 - level


def normal_tail(z: float, alternative: Alternative) -> Tail:
    """The p-value of a z statistic, with its logarithm.

    >>> normal_tail(6.0, "two-sided").value, normal_tail(6.0, "greater").value
    (1.9732e-09, 9.8659e-10)
    """
    if alternative == "two-sided":
        return _below(-abs(z)).doubled()
    return _below(-z if alternative == "greater" else z)


def _below(z: float) -> Tail:
    return Tail(float(ndtr(z)), float(log_ndtr(z)) / math.log(10))


def normal_bounds(estimate: float, error: float, level: float, alternative: Alternative) -> tuple[float, float]:
    """The bounds between which a z-test rejects no value; a one-sided alternative leaves one of them infinite."""
    reach = -error * float(ndtri(tail_share(level, alternative)))
    return (
        -math.inf if alternative == "less" else estimate - reach,
        math.inf if alternative == "greater" else estimate + reach,
    )
