"""Inversion of score tests: the interval of the differences of two proportions that a score test does not reject."""

from __future__ import annotations

import math
from collections.abc import Callable


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
