"""Exact null distributions, with ties: signed ranks and signs; rank sums are in ``exact_friedman``.

All of them count arrangements with sums of positive numbers only, from the small tail upwards, so that a p-value
of 1e-300 has as many right digits as one of 0.05.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from fairtrial.stats.score_arrays import FloatArray, IntArray

__all__ = [
    "Tail",
    "sign_critical",
    "sign_tail",
    "signed_rank_critical",
    "signed_rank_tail",
    "subset_sums",
    "untied_below",
]

LOG10_2 = math.log10(2.0)
MOST_KEPT = 1000  # ranks without ties whose distribution is kept: 2 MB
STEPS_BEFORE_RESCALING = 500  # each step at most doubles a count, and 2**1000 still fits
WHOLE_NUMBERS = 5000  # up to here binomial coefficients are computed as they are


class Tail(NamedTuple):
    """A probability and its logarithm, which goes on where the probability underflows."""

    value: float
    log10: float

    def doubled(self) -> Tail:
        """For two sides of a symmetric distribution; never above 1.

        >>> Tail(0.01, -2.0).doubled().value, Tail(0.7, -0.155).doubled()
        (0.02, Tail(value=1.0, log10=0.0))
        """
        return Tail(2 * self.value, self.log10 + LOG10_2) if self.value < 0.5 else Tail(1.0, 0.0)


def _binary(mantissa: float, exponent: int) -> Tail:
    return Tail(math.ldexp(mantissa, exponent), math.log10(mantissa) + exponent * LOG10_2)


def _complement(tail: Tail) -> Tail:
    return Tail(1.0 - tail.value, math.log1p(-tail.value) / math.log(10))


def subset_sums(ranks: IntArray, size: int) -> tuple[FloatArray, int]:
    """How many subsets of the ranks have each sum below ``size``, as counts times ``2**exponent``."""
    counts = np.zeros(size)
    counts[0] = 1.0
    top, exponent = 1, 0
    for step, rank in enumerate(np.sort(ranks).tolist(), start=1):
        top = min(top + rank, size)
        if rank < top:
            counts[rank:top] += counts[: top - rank]
        if step % STEPS_BEFORE_RESCALING == 0:
            shift = math.frexp(float(counts.max()))[1]
            counts, exponent = np.ldexp(counts, -shift), exponent + shift
    return counts, exponent


def signed_rank_tail(ranks: IntArray, total: int) -> Tail:
    r"""P(S ≤ ``total``), where each of the whole-numbered ``ranks`` is in the sum S with probability ½.

    Pass doubled midranks and a doubled sum when there are ties.

    >>> signed_rank_tail(np.array([1, 2, 3, 4]), 3).value   # {}, {1}, {2}, {3}, {1, 2}: 5 of 16
    0.3125
    """
    everything = int(ranks.sum())
    if 2 * total >= everything:
        rest = everything - total - 1
        return Tail(1.0, 0.0) if rest < 0 else _complement(signed_rank_tail(ranks, rest))
    divisor = max(int(np.gcd.reduce(ranks)), 1)
    if _untied(ranks, divisor):
        below, exponent = untied_below(len(ranks))
        return _binary(float(below[total // divisor]), exponent - len(ranks))
    counts, exponent = subset_sums(ranks // divisor, total // divisor + 1)
    return _binary(float(counts.sum()), exponent - len(ranks))


def _untied(ranks: IntArray, divisor: int) -> bool:
    n = len(ranks)
    if not 0 < n <= MOST_KEPT or int(ranks.sum()) != divisor * n * (n + 1) // 2:
        return False
    return bool(np.array_equal(np.sort(ranks), divisor * np.arange(1, n + 1)))


@lru_cache(maxsize=16)
def untied_below(n: int) -> tuple[FloatArray, int]:
    """How many subsets of 1 … n have a sum up to s, for each s to the middle, as counts times ``2**exponent``.

    >>> untied_below(4)[0].tolist()   # {}, {1}, {2}, {3} and {1, 2}, {4} and {1, 3}, two with sum 5
    [1.0, 2.0, 3.0, 5.0, 7.0, 9.0]
    """
    counts, exponent = subset_sums(np.arange(1, n + 1), n * (n + 1) // 4 + 1)
    return counts.cumsum(), exponent


def signed_rank_critical(ranks: IntArray, alpha: float) -> int:
    """The largest sum s that can occur with P(S ≤ s) < ``alpha`` (at most ½); -1 when there is none.

    >>> signed_rank_critical(np.arange(1, 15), 0.025)   # the printed table has 21 for n = 14
    21
    """
    if not len(ranks):
        return -1
    divisor = int(np.gcd.reduce(ranks))
    if _untied(ranks, divisor):  # then every sum can occur
        below, exponent = untied_below(len(ranks))
        found = int(np.searchsorted(below, math.ldexp(alpha, len(ranks) - exponent))) - 1
        return found * divisor if found >= 0 else -1
    counts, exponent = subset_sums(ranks // divisor, int(ranks.sum()) // divisor // 2 + 1)
    small = np.ldexp(counts.cumsum(), exponent - len(ranks)) < alpha
    sums = np.flatnonzero(small & (counts > 0))
    return int(sums[-1]) * divisor if len(sums) else -1


def sign_tail(n: int, k: int) -> Tail:
    r"""P(B ≤ k) for n fair coins, :math:`2^{-n} \sum_{i \le k} \binom{n}{i}`.

    >>> sign_tail(10, 1).value   # 11 of 1,024
    0.0107421875
    """
    if k < 0:
        return Tail(0.0, -math.inf)
    if k >= n:
        return Tail(1.0, 0.0)
    if 2 * k >= n:
        return _complement(sign_tail(n, n - k - 1))
    i = np.arange(k, max(k - math.isqrt(25 * n) - 64, 0), -1)  # what is further down is nothing beside the largest
    series = 1.0 + float(np.cumprod(i / (n - i + 1.0)).sum())
    if k > WHOLE_NUMBERS:
        log = _log_coins(n, k) + math.log(series)
        return Tail(math.exp(log), log / math.log(10))
    largest = math.comb(n, k)
    shift = max(largest.bit_length() - 64, 0)
    return _binary(float(largest >> shift) * series, shift - n)


def _log_coins(n: int, k: int) -> float:
    r"""The logarithm of :math:`2^{-n} \binom nk` for many coins, where whole numbers would take minutes.

    Stirling's formula with two terms of its error, arranged so that no large numbers cancel: Loader (2000).
    """
    off = (n - 2 * k) / n
    distance = n / 2 * ((1 - off) * math.log1p(-off) + (1 + off) * math.log1p(off))
    error = sum(sign * (1 / 12 - 1 / (360 * m * m)) / m for sign, m in ((1, n), (-1, k), (-1, n - k)))
    return error - distance + 0.5 * math.log(n / (2 * math.pi * k * (n - k)))


def sign_critical(n: int, alpha: float) -> int:
    """The largest k with P(B ≤ k) < ``alpha`` (at most ½); -1 when there is none.

    >>> sign_critical(14, 0.05), sign_critical(5, 0.025)   # one-sided: 11 wins of 14 are enough, 5 of 5 two-sided not
    (3, -1)
    """
    low, high = -1, n // 2
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sign_tail(n, middle).value < alpha else (low, middle - 1)
    return low
