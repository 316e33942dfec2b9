"""Score intervals of a difference of two proportions: the differences that a score test does not reject."""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = ["inverted_score", "standardized"]


def inverted_score(score: Callable[[float], float], estimate: float, limit: float) -> tuple[float, float]:
    """Where a falling score crosses ± limit, on either side of the estimate, between −1 and 1."""
    ends = (estimate, -estimate) if limit > 0 else (1.0, 1.0)  # one-sided, a level below ½ rejects the estimate too
    low = _first_kept(lambda difference: score(difference) > limit, ends[0])
    return low, -_first_kept(lambda difference: score(-difference) < -limit, ends[1])


def _first_kept(rejected: Callable[[float], bool], end: float) -> float:
    """The smallest difference from −1 to the end that is not rejected, if only the end itself."""
    low, high = -1.0, end
    if not rejected(low):
        return low
    while high - low > 1e-14:
        middle = (low + high) / 2
        low, high = (middle, high) if rejected(middle) else (low, middle)
    return high


def standardized(distance: float, variance: float) -> float:
    if variance > 0 or distance == 0:
        return distance / math.sqrt(variance) if distance else 0.0
    return math.copysign(math.inf, distance)
