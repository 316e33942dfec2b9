"""What the t procedures share: the test, the tail that keeps its digits, bounds, the correction for shared data."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import stdtr, stdtrit

from fairtrial.errors import InputError
from fairtrial.stats.arguments import number
from fairtrial.stats.distributions.fisher_f import f_tail
from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.score_arrays import FloatArray, differences

__all__ = ["share_ratio", "t_bounds", "t_inference", "t_outcome", "t_tail", "unit_of"]

UNDERFLOW = 1e-290


def share_ratio(test_share: float | None) -> float:
    """Test size over training size; 0 when the scores are taken as independent.

    >>> share_ratio(0.2), share_ratio(None)   # a fifth held out: one test instance for four training instances
    (0.25, 0.0)
    """
    if test_share is None:
        return 0.0
    if not 0 < number(test_share) < 1:
        raise InputError(f"test_share must lie strictly between 0 and 1 (0.1 for 10-fold), got {test_share!r}")
    return test_share / (1 - test_share)


def unit_of(*values: FloatArray) -> float:
    """A power of two near the largest: in this unit squares neither overflow nor vanish, and nothing is rounded.

    >>> unit_of(np.array([3.0, -5.0])), unit_of(np.array([1e300])) > 1e299
    (8.0, True)
    """
    largest = max(float(np.abs(v).max()) for v in values)
    return 2.0 ** min(max(math.frexp(largest)[1], -1000), 1000)


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
    both = f_tail(t * t, 1, df)  # t² is F; scipy's hyp2f1 has no value for a million degrees of freedom
    return Tail(both.value / 2, both.log10 - math.log10(2))


def t_bounds(mean: float, error: float, df: float, level: float, alternative: Alternative) -> tuple[float, float]:
    """The means that the test would not reject; one-sided alternatives leave one end open."""
    if alternative == "two-sided":
        reach = error * float(stdtrit(df, (1 + level) / 2))
        return mean - reach, mean + reach
    reach = error * float(stdtrit(df, level))
    return (mean - reach, math.inf) if alternative == "greater" else (-math.inf, mean + reach)


def t_outcome(
    first: FloatArray,
    second: FloatArray,
    *,
    ratio: float,
    test: str,
    null: str,
    quantity: str,
    method: str,
    alternative: Alternative,
    level: float,
    notes: tuple[str, ...] = (),
    origin: float = 0.0,
) -> Outcome:
    """The t-test of whether the mean of ``first - second`` is zero; the interval is of that mean plus ``origin``."""
    check_alternative(alternative)
    check_level(level)
    k = len(first)
    if k < 2:
        raise InputError(f"a t-test needs at least two pairs, since one has no spread, got {k}")
    unit = unit_of(first, second)
    d = first / unit - second / unit
    mean, deviation = float(d.mean()), float(d.std(ddof=1))
    error = math.sqrt(1 / k + ratio) * deviation
    whole = differences(first, second).whole
    if (whole == whole[0]).all():
        mean, error = (0.0 if whole[0] == 0 else mean), 0.0
    t, tail, low, high, more = t_inference(mean, error, k - 1, alternative, level)
    mean, low, high = (value * unit for value in (mean, low, high))
    return Outcome(
        test=test,
        null=null,
        statistic=t,
        p_value=tail.value,
        log10_p=tail.log10,
        n=k,
        alternative=alternative,
        method=method,
        effect=Interval(quantity, mean + origin, low + origin, high + origin, level, method),
        df=k - 1,
        critical_value=t_bounds(0.0, 1.0, k - 1, level, "two-sided" if alternative == "two-sided" else "less")[1],
        notes=notes + more,
        details={"standard_error": error * unit, "standard_deviation": deviation * unit, "ratio": ratio},
    )


def t_inference(
    mean: float, error: float, df: float, alternative: Alternative, level: float
) -> tuple[float, Tail, float, float, tuple[str, ...]]:
    """Statistic, p, bounds, notes; also where there is no spread."""
    if error > 0:
        return mean / error, t_tail(mean / error, df, alternative), *t_bounds(mean, error, df, level, alternative), ()
    if mean == 0:
        return math.nan, Tail(1.0, 0.0), 0.0, 0.0, ("all differences are zero",)
    note = "all differences are equal: without spread the test is undefined"
    return math.copysign(math.inf, mean), Tail(math.nan, math.nan), math.nan, math.nan, (note,)
