"""Rank sums of several methods over data sets: Friedman's statistic, its relatives, its exact p-value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import chdtrc

from fairtrial.stats.exact import Tail
from fairtrial.stats.exact_friedman import RankSumNull
from fairtrial.stats.fisher_f import f_tail
from fairtrial.stats.scores import IntArray

__all__ = ["chi_square_tail", "exact_friedman", "rank_statistics"]

UNDERFLOW = 1e-290


def rank_statistics(doubled: IntArray) -> dict[str, Any]:
    """Friedman's statistic and Iman and Davenport's F, with and without tie correction, Kendall's W, average ranks."""
    n, k = doubled.shape
    sums = doubled.sum(axis=0) / 2
    between = float(((sums - n * (k + 1) / 2) ** 2).sum())
    within = _within(doubled)
    chi_square = (k - 1) * between / within if within > 0 else math.nan
    plain = 12 * between / (n * k * (k + 1))
    f, plain_f = (_iman_davenport(x, n, k) for x in (chi_square, plain))
    df = k - 1, (k - 1) * (n - 1)
    return {
        "average_ranks": (sums / n).tolist(),
        "rank_sums": sums.tolist(),
        "chi_square": chi_square,
        "chi_square_p": chi_square_tail(chi_square, k - 1).value,
        "without_tie_correction": plain,
        "without_tie_correction_p": chi_square_tail(plain, k - 1).value,
        "kendall_w": chi_square / (n * (k - 1)),
        "iman_davenport": f,
        "iman_davenport_p": f_tail(f, *df).value,
        "iman_davenport_without_tie_correction": plain_f,
        "iman_davenport_without_tie_correction_p": f_tail(plain_f, *df).value,
    }


def _iman_davenport(chi_square: float, n: int, k: int) -> float:
    rest = n * (k - 1) - chi_square
    return (n - 1) * chi_square / rest if rest > 1e-9 or math.isnan(rest) else math.inf


def exact_friedman(doubled: IntArray, null: RankSumNull, alpha: float) -> tuple[Tail, float]:
    """The exact p, and the smallest statistic whose p is below alpha (nan when there is none)."""
    n, k = doubled.shape
    sums = doubled.sum(axis=0)
    tail = null.tail(int((sums * sums).sum()))
    square = null.critical(alpha)
    if square is None:
        return tail, math.nan
    between = (float(square) - n * n * k * (k + 1) ** 2) / 4
    return tail, (k - 1) * between / _within(doubled)


def chi_square_tail(x: float, df: int) -> Tail:
    """The upper tail of the chi-square distribution.

    >>> chi_square_tail(7.8147, 3).value, chi_square_tail(4000.0, 3).log10   # the second is no number any more
    (0.0500, -866.89)
    """
    value = float(chdtrc(df, x))
    if value > UNDERFLOW or math.isnan(x):
        return Tail(value, math.log10(value) if value > 0 else math.nan)
    a, half = df / 2, x / 2
    series = 1 + float(np.cumprod((a - np.arange(1, 60)) / half).sum())
    log = (a - 1) * math.log(half) - half - math.lgamma(a) + math.log(series)
    return Tail(math.exp(log), log / math.log(10))


def _within(doubled: IntArray) -> float:
    """The spread of the ranks within data sets; 0 when all are tied."""
    n, k = doubled.shape
    return float((doubled * doubled).sum() - n * k * (k + 1) ** 2) / 4
