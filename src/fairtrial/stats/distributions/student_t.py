"""The t distribution: t-tests with and without correction for shared training data, accurate tails, bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import stdtr, stdtrit

from fairtrial.errors import InputError
from fairtrial.stats.distributions.fisher_f import f_tail
from fairtrial.stats.distributions.tail import Tail, normal_bounds, normal_tail
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.score_arrays import FloatArray, differences, unit_of

UNDERFLOW = 1e-290  # below this, tails are computed as logarithms


def t_tail(t: float, df: float, alternative: Alternative) -> Tail:
    """The p-value of a t statistic, with its logarithm; for infinite degrees of freedom that of a z statistic.

    >>> t_tail(-2.5, 9, "two-sided").value, t_tail(-2.5, 9, "greater").value
    (0.0339, 0.9831)
    """
    if math.isinf(df):
        return normal_tail(t, alternative)
    if alternative == "two-sided":
        return _below(-abs(t), df).doubled()
    return _below(-t if alternative == "greater" else t, df)


def _below(t: float, df: float) -> Tail:
    value = float(stdtr(df, t))
    if value > UNDERFLOW:
        return Tail(value, math.log10(value))
    both = f_tail(t * t, 1, df)  # t² has the F distribution; scipy's hyp2f1 fails for a million degrees of freedom
    return Tail(both.value / 2, both.log10 - math.log10(2))


def t_bounds(mean: float, error: float, df: float, level: float, alternative: Alternative) -> tuple[float, float]:
    """The bounds of the means that a t-test does not reject; a one-sided alternative leaves one bound infinite."""
    if math.isinf(df):
        return normal_bounds(mean, error, level, alternative)
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
    method: str,
    alternative: Alternative,
    level: float,
    quantity: str = "mean difference",
    notes: tuple[str, ...] = (),
    origin: float = 0.0,
) -> Outcome:
    """The t-test of whether the mean of ``first - second`` is zero, with an interval for that mean plus ``origin``.

    ``ratio`` is the ratio of test to training size, 0 for independent scores.
    """
    check_alternative(alternative)
    check_level(level)
    k = len(first)
    if k < 2:
        raise InputError(f"a t-test needs at least two values or pairs, since one has no variance, got {k}")
    unit = unit_of(first, second)
    d = first / unit - second / unit
    mean, deviation = float(d.mean()), float(d.std(ddof=1))
    error = math.sqrt(1 / k + ratio) * deviation
    whole = differences(first, second).whole
    if (whole == whole[0]).all():
        mean, error = (0.0 if whole[0] == 0 else mean), 0.0
    found = t_inference(mean, error, k - 1, alternative, level)
    mean, low, high = (value * unit for value in (mean, found.low, found.high))
    return Outcome(
        test=test,
        null=null,
        statistic=found.statistic,
        p_value=found.tail.value,
        log10_p=found.tail.log10,
        n=k,
        alternative=alternative,
        method=method,
        effect=Interval(quantity, mean + origin, low + origin, high + origin, level, method),
        df=k - 1,
        null_distribution=Null("t", k - 1),
        critical_value=t_bounds(0.0, 1.0, k - 1, level, "two-sided" if alternative == "two-sided" else "less")[1],
        notes=notes + found.notes,
        details={"standard_error": error * unit, "standard_deviation": deviation * unit, "ratio": ratio},
    )


@dataclass(frozen=True, slots=True)
class Inference:
    """The test of an estimate: the statistic, its p-value, the bounds that invert the test, and notes."""

    statistic: float
    tail: Tail
    low: float
    high: float
    notes: tuple[str, ...] = ()


ALL_ZERO = "all differences are zero"
NO_VARIANCE = "all differences are equal: their variance is zero, and the test is undefined"


def t_inference(
    estimate: float,
    error: float,
    df: float,
    alternative: Alternative,
    level: float,
    *,
    when_zero: str = ALL_ZERO,
    when_undefined: str = NO_VARIANCE,
) -> Inference:
    """The t-test of an estimate against zero, from its standard error; a z-test for infinite degrees of freedom.

    If the standard error is zero, an estimate of zero has p = 1, and for any other the test is undefined; a note says
    which.

    >>> found = t_inference(2.0, 0.8, 9, "two-sided", 0.95)
    >>> found.statistic, found.tail.value, found.low
    (2.5, 0.0339, 0.1903)
    >>> t_inference(2.0, 0.8, math.inf, "two-sided", 0.95).tail.value
    0.0124
    """
    if error > 0:
        t = estimate / error
        return Inference(t, t_tail(t, df, alternative), *t_bounds(estimate, error, df, level, alternative))
    if estimate == 0:
        return Inference(math.nan, Tail(1.0, 0.0), 0.0, 0.0, (when_zero,))
    undefined = Tail(math.nan, math.nan)
    return Inference(math.copysign(math.inf, estimate), undefined, math.nan, math.nan, (when_undefined,))
