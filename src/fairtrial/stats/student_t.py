"""What the t procedures share: the tail that keeps its digits, bounds, and the correction for shared training data."""

from __future__ import annotations

import math

from scipy.special import betaln, hyp2f1, stdtr, stdtrit

from fairtrial.errors import InputError
from fairtrial.stats.exact import Tail
from fairtrial.stats.outcome import Alternative

__all__ = ["share_ratio", "t_bounds", "t_tail"]

UNDERFLOW = 1e-290


def share_ratio(test_share: float | None) -> float:
    """Test size over training size; 0 when the scores are taken as independent.

    >>> share_ratio(0.2), share_ratio(None)   # a fifth held out: one test instance for four training instances
    (0.25, 0.0)
    """
    if test_share is None:
        return 0.0
    if not 0 < test_share < 1:
        raise InputError(f"test_share must lie strictly between 0 and 1 (0.1 for 10-fold), got {test_share!r}")
    return test_share / (1 - test_share)


def t_tail(t: float, df: float, alternative: Alternative) -> Tail:
    """The p-value of a t statistic.

    >>> t_tail(-2.5, 9, "two-sided").value, t_tail(-2.5, 9, "greater").value
    (0.0339, 0.9831)
    """
    if alternative == "two-sided":
        return _below(-abs(t), df).doubled()
    return _below(-t if alternative == "greater" else t, df)


def _below(t: float, df: float) -> Tail:
    value = float(stdtr(df, t))
    if value > UNDERFLOW:
        return Tail(value, math.log10(value))
    a, x = df / 2, df / (df + t * t)  # the incomplete beta function as a series, in logarithms
    log = a * math.log(x) - math.log(2 * a) - float(betaln(a, 0.5)) + math.log(float(hyp2f1(a, 0.5, a + 1, x)))
    return Tail(math.exp(log), log / math.log(10))


def t_bounds(mean: float, error: float, df: float, level: float, alternative: Alternative) -> tuple[float, float]:
    """The means that the test would not reject; one-sided alternatives leave one end open."""
    if alternative == "two-sided":
        reach = error * float(stdtrit(df, (1 + level) / 2))
        return mean - reach, mean + reach
    reach = error * float(stdtrit(df, level))
    return (mean - reach, math.inf) if alternative == "greater" else (-math.inf, mean + reach)
