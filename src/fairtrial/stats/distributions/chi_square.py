"""The chi-square distribution: its upper tail, accurate far out."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import chdtrc

from fairtrial.stats.distributions.tail import Tail

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
