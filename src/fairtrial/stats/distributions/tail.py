"""A tail probability together with its logarithm, which stays accurate where the probability underflows.

Null distributions are summed from positive terms only, starting with the small tail, so that a p-value of 1e-300 is as
accurate as one of 0.05.

The normal distribution: p-values of z statistics, accurate in the far tail, and bounds of intervals.

The chi-square distribution: its upper tail, accurate far out.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc, log_ndtr, ndtr, ndtri

from fairtrial.stats.outcome import Alternative

LOG10_2 = math.log10(2.0)


class Tail(NamedTuple):
    """A tail probability and its decimal logarithm, which stays finite where the probability underflows."""

    value: float
    log10: float

    def doubled(self) -> Tail:
        """Twice the tail, for both sides of a symmetric distribution; at most 1.

        >>> Tail(0.01, -2.0).doubled().value, Tail(0.7, -0.155).doubled()
        (0.02, Tail(value=1.0, log10=0.0))
        """
        return Tail(2 * self.value, self.log10 + LOG10_2) if self.value < 0.5 else Tail(1.0, 0.0)

    def complement(self) -> Tail:
        """The complementary probability, 1 minus this tail.

        >>> Tail(0.25, -0.602).complement()
        Tail(value=0.75, log10=-0.1249)
        """
        return Tail(1.0 - self.value, math.log1p(-self.value) / math.log(10))

    @classmethod
    def from_log(cls, log: float) -> Tail:
        """The tail with this natural logarithm.

        >>> Tail.from_log(-1000.0)
        Tail(value=0.0, log10=-434.29)
        """
        return cls(math.exp(log), log / math.log(10))

    @classmethod
    def from_binary(cls, mantissa: float, exponent: int) -> Tail:
        """The tail ``mantissa * 2**exponent``.

        >>> Tail.from_binary(11.0, -10).value
        0.0107421875
        """
        return cls(math.ldexp(mantissa, exponent), math.log10(mantissa) + exponent * LOG10_2)


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


UNDERFLOW = 1e-290  # below this, tails are computed as logarithms


def chi_square_tail(x: float, df: int) -> Tail:
    """The upper tail of the chi-square distribution, with its logarithm.

    >>> chi_square_tail(7.8147, 3).value, chi_square_tail(4000.0, 3).log10   # the second probability underflows
    (0.0500, -866.89)
    """
    value = float(chdtrc(df, x))
    if value > UNDERFLOW or math.isnan(x):
        return Tail(value, math.log10(value) if value > 0 else math.nan)
    a, half = df / 2, x / 2
    series = 1 + float(np.cumprod((a - np.arange(1, 60 + math.ceil(a))) / half).sum())
    log = (a - 1) * math.log(half) - half - math.lgamma(a) + math.log(series)
    return Tail.from_log(log)
