"""Signed ranks: their sums, the exact null distribution, and the interval that inverts the signed-rank test.

The null distribution counts the ways to assign signs to the observed ranks, tied ranks included.

If all differences are shifted down by θ, the signed rank of each can only fall. So the one-sided p-value of the shifted
differences is monotone in θ, also with ties, and the values of θ that are not rejected form an interval between two
Walsh averages, the means of two differences (or of one with itself). Differences are whole numbers here (see
``score_arrays``), so that a Walsh average is half a whole number and exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import ndtri

from fairtrial.stats.distributions.tail import Tail, normal_tail
from fairtrial.stats.outcome import Alternative, Chances
from fairtrial.stats.score_arrays import FloatArray, IntArray, blocks_of_rows, doubled_midranks


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """Doubled midranks whose signs are random under the null hypothesis, and the doubled rank sums of both signs."""

    ranks: IntArray
    plus: int
    minus: int

    def sum_for(self, alternative: Alternative) -> int:
        """The rank sum that is small if the alternative is true."""
        return {"greater": self.minus, "less": self.plus, "two-sided": min(self.plus, self.minus)}[alternative]

    def p(self, alternative: Alternative, *, exact: bool) -> Tail:
        if not len(self.ranks):
            return Tail(1.0, 0.0)
        total = self.sum_for(alternative)
        tail = signed_rank_tail(self.ranks, total) if exact else self._normal_tail(total)
        return tail.doubled() if alternative == "two-sided" else tail

    def continuity_corrected(self, alternative: Alternative) -> Tail:
        """The normal p-value with the sum moved by ½ towards its mean, the default of R's wilcox.test."""
        if not len(self.ranks):
            return Tail(1.0, 0.0)
        off = self.sum_for(alternative) - (self.plus + self.minus) / 2
        z = (off + (alternative != "two-sided" or off < 0)) / self._deviation()  # ½ is 1, since ranks are doubled
        return normal_tail(z, "two-sided" if alternative == "two-sided" else "less")

    def critical(self, tail: float, *, exact: bool) -> int:
        """The critical value: the largest doubled sum whose lower tail is below ``tail``; −1 if there is none."""
        if exact:
            return signed_rank_critical(self.ranks, tail)
        return max(math.ceil((self.plus + self.minus) / 2 + float(ndtri(tail)) * self._deviation()) - 1, -1)

    @property
    def z(self) -> float:
        deviation = self._deviation()
        return (self.plus - self.minus) / 2 / deviation if deviation else math.nan

    def _deviation(self) -> float:
        return 0.5 * math.sqrt(float((self.ranks.astype(np.float64) ** 2).sum()))

    def _normal_tail(self, total: int) -> Tail:
        z = (total - (self.plus + self.minus) / 2) / (self._deviation() or 1.0)
        return normal_tail(z, "less")


def pairs_used(d: IntArray, zeros: str) -> IntArray:
    """The differences that are used: without zero differences, with an even number of them, or all of them."""
    if zeros == "drop":
        return d[np.flatnonzero(d)]
    keep = np.ones(len(d), dtype=np.bool_)
    where = np.flatnonzero(d == 0)
    if zeros == "split" and len(where) % 2:
        keep[where[0]] = False
    return d[keep]


def signed_ranks(used: IntArray, zeros: str) -> SignedRanks:
    """The signed ranks of differences, ranked by absolute size.

    >>> r = signed_ranks(np.array([0, 0, 3, -1, 5]), "split")   # ranks 1.5 1.5 4 3 5; half of the zeros' to each side
    >>> r.plus / 2, r.minus / 2
    (10.5, 4.5)
    """
    ranks = doubled_midranks(np.abs(used))
    plus, minus = int(ranks[used > 0].sum()), int(ranks[used < 0].sum())
    if zeros == "split":
        half = int(ranks[used == 0].sum()) // 2
        return SignedRanks(ranks, plus + half, minus + half)
    return SignedRanks(ranks[used != 0], plus, minus)


def pseudo_median(d: IntArray) -> float:
    """The pseudo-median: the median of the Walsh averages.

    >>> pseudo_median(np.array([1, 2, 9]))   # 1, 1.5, 2, 5, 5.5, 9
    3.5
    """
    ordered, count = np.sort(d), len(d) * (len(d) + 1) // 2
    return (walsh_sum(ordered, (count + 1) // 2) + walsh_sum(ordered, count // 2 + 1)) / 4


def rank_bounds(d: IntArray, level: float, alternative: Alternative, *, exact: bool) -> tuple[float, float]:
    """The smallest and the largest shift that the signed-rank test does not reject."""
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    low = _lower_bound(np.sort(d), tail, exact=exact) if alternative != "less" else -math.inf
    high = -_lower_bound(np.sort(-d), tail, exact=exact) if alternative != "greater" else math.inf
    return low, high


def agree_at_zero(bounds: tuple[float, float], *, rejected: bool, positive: bool, least: float) -> tuple[float, float]:
    """Bounds changed so that they exclude zero exactly when the test rejected.

    If zero was rejected, a bound at zero does not belong to the interval: it is moved off zero by ``least``, which is
    smaller than the resolution of the scores.
    """
    low, high = bounds
    if not rejected:
        return min(low, 0.0), max(high, 0.0)
    if low <= 0 <= high:
        return (least, max(high, least)) if positive else (min(low, -least), -least)
    return low, high


def _lower_bound(d: IntArray, tail: float, *, exact: bool) -> float:
    """The Walsh average above which shifts are no longer rejected as too low, for ascending differences."""
    n = len(d)
    untied = SignedRanks(np.arange(1, n + 1), 0, n * (n + 1) // 2)
    below = untied.critical(tail, exact=exact) + 1
    if exact and len(np.unique(d)) == n:
        return walsh_sum(d, below) / 2 if below else -math.inf
    edge = walsh_sum(d, max(below, 1))
    while _rejects(d, edge, tail, exact=exact):
        edge = _next_sum(d, edge)
    while not _rejects(d, edge - 1, tail, exact=exact):
        if edge == 2 * d[0]:
            return -math.inf
        edge = -_next_sum(-d[::-1], -edge)
    return edge / 2


def _rejects(d: IntArray, walsh_sum: int, tail: float, *, exact: bool) -> bool:
    """Whether the test rejects a shift just above half of this sum, which makes no zero differences and no new ties."""
    shifted = signed_ranks(4 * d - 2 * walsh_sum - 1, "drop")
    return shifted.p("greater", exact=exact).value < tail


@lru_cache(maxsize=4)
def triangle(n: int) -> tuple[IntArray, IntArray]:
    """The numbers of both members of all pairs of n differences, each with itself, too."""
    i, j = np.triu_indices(n)
    return i, j


def walsh_sum(d: IntArray, position: int) -> int:
    """The sum of two differences (or twice one) at this position among all such sums, ascending.

    Of few differences all sums are made. Of many, the number of sums up to a value is counted, until the values below
    and above the one in question have few sums between them, which are then made. False position (the Illinois method)
    finds these values in some ten counts, where bisection needs as many as a sum has bits.
    """
    n = len(d)
    if n <= FEW_DIFFERENCES:
        i, j = triangle(n)
        return int(np.partition(d[i] + d[j], position - 1)[position - 1])
    low, high = 2 * int(d[0]) - 1, 2 * int(d[-1])  # the sum lies above low, and is at most high
    below, up_to = 0, n * (n + 1) // 2
    left, right = float(below - position), float(up_to - position + 1)
    side = 0
    while high - low > 1 and up_to - below > MOST_SUMS * n:
        middle = min(max(low + int((high - low) * (left / (left - right))), low + 1), high - 1)
        count = _sums_up_to(d, middle)
        if count >= position:
            high, up_to, right = middle, count, float(count - position + 1)
            left, side = (left / 2 if side > 0 else left), 1
        else:
            low, below, left = middle, count, float(count - position)
            right, side = (right / 2 if side < 0 else right), -1
    if high - low == 1:
        return high
    return int(np.partition(_sums_between(d, low, high), position - below - 1)[position - below - 1])


def walsh_sums_in_rows(d: IntArray, *positions: int) -> IntArray:
    """The :func:`walsh_sum` of each row of differences at each of the positions (first axis)."""
    rows, n = d.shape
    found = np.empty((len(positions), rows), dtype=np.int64)
    if n > FEW_DIFFERENCES:
        for row, own in enumerate(np.sort(d, axis=1)):
            found[:, row] = [walsh_sum(own, position) for position in positions]
        return found
    i, j = triangle(n)
    for block in blocks_of_rows(rows, len(i)):
        sums = d[block][:, i] + d[block][:, j]
        sums.partition(sorted({position - 1 for position in positions}), axis=1)
        found[:, block] = sums[:, [position - 1 for position in positions]].T
    return found


def _sums_up_to(d: IntArray, value: int) -> int:
    """The number of sums of two of ascending differences, or of one with itself, that are at most this value."""
    return int(np.searchsorted(d, value - d, "right").sum() + np.searchsorted(d, value // 2, "right")) // 2


def _sums_between(d: IntArray, low: int, high: int) -> IntArray:
    """All sums of two of ascending differences, or of one with itself, above ``low`` and at most ``high``."""
    own = np.arange(len(d))
    first, stop = (np.maximum(np.searchsorted(d, value - d, "right"), own) for value in (low, high))
    lengths = stop - first
    partner = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths - first, lengths)
    return np.asarray(np.repeat(d, lengths) + d[partner])


def _next_sum(d: IntArray, walsh_sum: int) -> int:
    """The smallest sum of two differences that is larger than this one."""
    partner = np.searchsorted(d, walsh_sum - d, "right")
    has = partner < len(d)
    return int((d[has] + d[partner[has]]).min())


MOST_SUMS = 4  # times the number of differences: so many sums are made faster than divided further

FEW_DIFFERENCES = 300  # all sums of so many, 45,150, are made faster than one is found

MOST_KEPT = 1000  # ranks without ties: the null distribution of so many, 2 MB, is kept in memory

STEPS_BEFORE_RESCALING = 500  # each step at most doubles a count, and floating point holds 2**1000


def subset_sums(ranks: IntArray, size: int) -> tuple[FloatArray, int]:
    """The numbers of subsets of the ranks with each sum below ``size``, as counts times ``2**exponent``."""
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


def subset_chances(ranks: IntArray, unit: float = 1.0, origin: float = 0.0) -> Chances:
    """The sums of the subsets of the ranks, in a unit and from an origin, with the probabilities of random subsets.

    >>> [values.tolist() for values in subset_chances(np.array([1, 2, 3]))]
    [[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.125, 0.125, 0.125, 0.25, 0.125, 0.125, 0.125]]
    """
    counts, exponent = subset_sums(ranks, int(ranks.sum()) + 1)
    chances: FloatArray = np.ldexp(counts, exponent - len(ranks))
    sums = np.flatnonzero(chances)
    return np.asarray(origin + unit * sums), chances[sums]


def signed_rank_tail(ranks: IntArray, total: int) -> Tail:
    r"""The tail P(S ≤ ``total``) of a sum S that contains each of the ``ranks`` with probability ½.

    Ranks are whole numbers: pass doubled midranks and a doubled sum if there are ties.

    >>> signed_rank_tail(np.array([1, 2, 3, 4]), 3).value   # {}, {1}, {2}, {3}, {1, 2}: 5 of 16
    0.3125
    """
    everything = int(ranks.sum())
    if 2 * total >= everything:
        rest = everything - total - 1
        return Tail(1.0, 0.0) if rest < 0 else signed_rank_tail(ranks, rest).complement()
    divisor = max(int(np.gcd.reduce(ranks)), 1)
    if _untied(ranks, divisor):
        below, exponent = untied_below(len(ranks))
        return Tail.from_binary(float(below[total // divisor]), exponent - len(ranks))
    counts, exponent = subset_sums(ranks // divisor, total // divisor + 1)
    return Tail.from_binary(float(counts.sum()), exponent - len(ranks))


def _untied(ranks: IntArray, divisor: int) -> bool:
    n = len(ranks)
    if not 0 < n <= MOST_KEPT or int(ranks.sum()) != divisor * n * (n + 1) // 2:
        return False
    return bool(np.array_equal(np.sort(ranks), divisor * np.arange(1, n + 1)))


@lru_cache(maxsize=16)
def untied_below(n: int) -> tuple[FloatArray, int]:
    """The numbers of subsets of 1 … n with a sum of at most s, for each s up to the middle, times ``2**exponent``.

    >>> untied_below(4)[0].tolist()   # {}, {1}, {2}, {3} and {1, 2}, {4} and {1, 3}, two with sum 5
    [1.0, 2.0, 3.0, 5.0, 7.0, 9.0]
    """
    counts, exponent = subset_sums(np.arange(1, n + 1), n * (n + 1) // 4 + 1)
    return counts.cumsum(), exponent


def signed_rank_critical(ranks: IntArray, alpha: float) -> int:
    """The critical value: the largest possible sum s with P(S ≤ s) < ``alpha`` (at most ½); −1 if there is none.

    >>> signed_rank_critical(np.arange(1, 15), 0.025)   # the printed table has 21 for n = 14
    21
    """
    if not len(ranks):
        return -1
    divisor = int(np.gcd.reduce(ranks))
    if _untied(ranks, divisor):  # without ties every sum can occur
        below, exponent = untied_below(len(ranks))
        found = int(np.searchsorted(below, math.ldexp(alpha, len(ranks) - exponent))) - 1
        return found * divisor if found >= 0 else -1
    counts, exponent = subset_sums(ranks // divisor, int(ranks.sum()) // divisor // 2 + 1)
    small = np.ldexp(counts.cumsum(), exponent - len(ranks)) < alpha
    sums = np.flatnonzero(small & (counts > 0))
    return int(sums[-1]) * divisor if len(sums) else -1
