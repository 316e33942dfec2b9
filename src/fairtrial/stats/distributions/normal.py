"""What procedures with a normal approximation share: the tail that keeps its digits, and the bounds."""

from __future__ import annotations

import math

from scipy.special import log_ndtr, ndtr, ndtri

from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.outcome import Alternative

__all__ = ["normal_bounds", "normal_tail", "tail_share"]


def tail_share(level: float, alternative: Alternative) -> float:
    """What may be missed at each end that the interval closes.

    >>> tail_share(0.95, "two-sided"), tail_share(0.95, "greater")
    (0.025, 0.05)
    """
    return (1 - level) / 2 if alternative == "two-sided" else 1 - level


def normal_tail(z: float, alternative: Alternative) -> Tail:
    """The p-value of a z statistic.

    >>> normal_tail(6.0, "two-sided").value, normal_tail(6.0, "greater").value
    (1.9732e-09, 9.8659e-10)
    """
    if alternative == "two-sided":
        return _below(-abs(z)).doubled()
    return _below(-z if alternative == "greater" else z)


def _below(z: float) -> Tail:
    return Tail(float(ndtr(z)), float(log_ndtr(z)) / math.log(10))


def normal_bounds(estimate: float, error: float, level: float, alternative: Alternative) -> tuple[float, float]:
    """The values that the z test would not reject; one-sided alternatives leave one end open."""
    reach = -error * float(ndtri(tail_share(level, alternative)))
    return (
        -math.inf if alternative == "less" else estimate - reach,
        math.inf if alternative == "greater" else estimate + reach,
    )
