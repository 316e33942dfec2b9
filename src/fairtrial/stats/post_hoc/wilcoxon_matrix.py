"""P-values of Wilcoxon's signed-rank test for all pairs of many methods, computed in bulk.

The differences of many pairs of methods are sorted by absolute size in one array, with the sign in the last bit of
each. Where all differences of a pair are so far apart that rounding cannot make two of them equal, their ranks are
their positions. All other pairs are rounded as in ``score_arrays.differences``, and tied differences share their ranks;
only exact p-values with ties are computed one by one.
"""

from __future__ import annotations

import os
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import WILCOXON_1945
from fairtrial.stats.distributions.signed_rank import pairs_used, signed_rank_tail, signed_ranks
from fairtrial.stats.over_datasets.wilcoxon import EXACT_PAIRS
from fairtrial.stats.procedures import COMPARABLE, POST_HOC, procedure
from fairtrial.stats.score_arrays import DIGITS, MORE_DIGITS, FloatArray, IntArray, score_table

NULL = "for each pair, the differences between the two methods are symmetric about zero"
AT_ONCE = 100_000  # differences in one array
MOSTLY_TIED = 0.9  # share of pairs with ties beyond which those of the next block are not looked for
EXACT_FACTOR = 2e3  # a factor up to which differences of 12 digits stay exact in floating point
SIZE = ~np.int64(1) & np.iinfo(np.int64).max  # the bits of a number except its sign bit and its last bit
SEPARATION = 2 * 10.0 ** (
    1 - DIGITS
)  # times the largest score: differences further apart than this never round to a tie


@procedure(question=POST_HOC, null=NULL, assumes=COMPARABLE, references=(WILCOXON_1945,))
def wilcoxon_matrix(
    table: npt.ArrayLike,
    *,
    zeros: Literal["drop", "split", "pratt"] = "drop",
    method: Literal["auto", "exact", "asymptotic"] = "auto",
) -> FloatArray:
    r"""Matrix of two-sided p-values of Wilcoxon's signed-rank test for all pairs of methods (columns) over data sets.

    Null hypothesis for each pair: the differences between the two methods are symmetric about zero. The p-values are
    those of :func:`wilcoxon`, with the same treatment of ties, zero differences and rounding. Effects and intervals are
    not computed, which is many times faster: a hundred methods on a thousand data sets take a fraction of a second. To
    control the family-wise error, adjust the upper triangle: ``adjust(p[np.triu_indices(k, 1)])``. For effects,
    intervals and printed tables use :func:`pairwise`.

    The matrix is symmetric, with 1 on its diagonal. ``zeros`` and ``method`` are as in :func:`wilcoxon`.

    Reference: Wilcoxon (1945), doi:10.2307/3001968.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
    >>> wilcoxon_matrix(scores).round(4).tolist()
    [[1.0, 0.0078, 0.0078], [0.0078, 1.0, 0.8359], [0.0078, 0.8359, 1.0]]
    """
    from concurrent.futures import ThreadPoolExecutor  # imported here, so that commands without tests start faster

    check_option("zeros", zeros, ("drop", "split", "pratt"))
    check_option("method", method, ("auto", "exact", "asymptotic"))
    scores = score_table(table)
    columns = np.ascontiguousarray(scores.scores.T)
    units, largest = _units(columns), np.abs(columns).max(axis=1)
    exact = scores.n <= EXACT_PAIRS if method == "auto" else method == "exact"
    size = max(AT_ONCE // scores.n, 1)
    blocks = [(i, range(j, min(j + size, scores.k))) for i in range(scores.k) for j in range(i + 1, scores.k, size)]
    matrix = np.eye(scores.k)

    def fill(share: list[tuple[int, range]]) -> None:
        workspace = _Workspace(size, scores.n)
        tied = False  # nearly all pairs of the block before
        for i, others in share:
            j = np.array(others)
            separation = SEPARATION * np.maximum(largest[i], largest[j])
            p = np.full(len(j), np.nan)
            if not tied:
                p = workspace.untied_p_values(columns[i], columns[others.start : others.stop], separation, exact=exact)
            close = j[np.isnan(p)]
            tied = len(close) > MOSTLY_TIED * len(j)
            if len(close):
                whole = _whole_differences(columns[[i]], columns[close], np.maximum(units[[i]], units[close]))
                p[np.isnan(p)] = p_values_in_rows(whole, zeros, method)
            matrix[i, j] = matrix[j, i] = p

    workers = min(4, os.cpu_count() or 1)
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(fill, (blocks[first::workers] for first in range(workers))))
    return matrix


def _whole_differences(a: FloatArray, b: FloatArray, unit: FloatArray) -> IntArray:
    """Differences as whole numbers, rounded as in ``score_arrays.differences``, with a pair of methods in each row.

    ``unit`` is the power of ten of the larger of the two scores, or 0 if both are 0.
    """
    lowest, highest = unit.min(axis=1, keepdims=True), unit.max(axis=1, keepdims=True)
    if (lowest == 0).any():
        unit = np.where(unit == 0, np.where(highest == 0, 1.0, highest), unit)
        lowest, highest = unit.min(axis=1, keepdims=True), unit.max(axis=1, keepdims=True)
    rounded = a / unit
    rounded -= b / unit
    rounded *= 10.0 ** (DIGITS - 1)
    np.rint(rounded, out=rounded)
    if (lowest == highest).all():
        return rounded.astype(np.int64)
    opposite = (np.abs(rounded) > 10.0**DIGITS).any(axis=1, keepdims=True)
    least = np.maximum(lowest, highest / np.where(opposite, 10.0 ** (MORE_DIGITS - 1), 10.0**MORE_DIGITS))
    factor = unit / least
    if (factor < 0.5).any():
        coarse = np.where(factor < 0.5, np.rint(rounded * np.maximum(factor, 1e-30)), rounded)
        rounded = np.where(coarse == 0, np.sign(rounded), coarse)
        factor = np.maximum(factor, 1.0)
    if (highest < EXACT_FACTOR * lowest).all():
        rounded *= np.rint(factor, out=factor)
        return rounded.astype(np.int64)
    whole: IntArray = rounded.astype(np.int64) * np.rint(factor).astype(np.int64)
    return whole


def _units(values: FloatArray) -> FloatArray:
    """The largest power of ten that is not above each absolute value; 0 for 0."""
    size = np.abs(values)
    return np.where(size > 0, 10.0 ** np.floor(np.log10(np.maximum(size, 1e-300))), 0.0)


class _Workspace:
    """Arrays for the differences of some pairs, reused since allocating new ones would take as long as sorting."""

    def __init__(self, pairs: int, n: int) -> None:
        self.sizes, self.numbers = np.empty((pairs, n)), np.empty((pairs, n))
        self.signs = np.empty((pairs, n), dtype=np.int64)
        self.ranks = np.arange(1.0, n + 1)

    def untied_p_values(
        self, one: FloatArray, others: FloatArray, separation: FloatArray, *, exact: bool
    ) -> FloatArray:
        """P-values of one method against each of several others, if rounding makes no ties.

        They are nan where two differences, or a difference and zero, are not further apart than ``separation``.
        """
        k = len(others)
        sizes, signs, numbers = self.sizes[:k], self.signs[:k], self.numbers[:k]
        with np.errstate(over="ignore", invalid="ignore"):  # infinite differences do not count as separated
            np.subtract(one, others, out=sizes)
            keys = sizes.view(np.int64)
            np.right_shift(keys, 63, out=signs)
            keys &= SIZE
            keys -= signs  # the last bit, 1e-16 of a difference, holds its sign
            sizes.sort(axis=1)
            np.bitwise_and(keys, 1, out=signs)
            np.copyto(numbers, signs)
            minus = numbers @ self.ranks
            np.subtract(sizes[:, 1:], sizes[:, :-1], out=numbers[:, 1:])
            numbers[:, 0] = sizes[:, 0]
            apart = numbers.min(axis=1) > separation
        p = np.full(len(minus), np.nan)
        total = self.ranks.sum()
        small = np.minimum(minus, total - minus)[apart]
        if exact:
            ranks = self.ranks.astype(np.int64)
            p[apart] = [signed_rank_tail(ranks, int(least)).doubled().value for least in small]
        else:
            p[apart] = _normal(small, total, (self.ranks**2).sum())
        return p


def p_values_in_rows(whole: IntArray, zeros: str, method: str) -> FloatArray:
    """P-values of pairs of methods (rows) from whole differences, with ties and zero differences."""
    n = whole.shape[1]
    keys = np.sort(np.abs(whole) << 1 | (whole < 0), axis=1)
    sizes = keys >> 1
    new = np.ones(keys.shape, dtype=np.bool_)
    new[:, 1:] = sizes[:, 1:] != sizes[:, :-1]
    starts = np.flatnonzero(new)  # where runs of tied differences start, in all rows
    length = np.diff(starts, append=keys.size)
    row, place = np.divmod(starts, n)
    zero = sizes.ravel()[starts] == 0
    zeros_of = np.bincount(row[zero], length[zero], minlength=len(keys)).astype(np.int64)
    if zeros == "split":
        length = length - (zero & (length % 2 == 1))  # an odd zero difference is left out
    dropped = {"drop": zeros_of, "split": zeros_of % 2, "pratt": np.zeros_like(zeros_of)}[zeros]
    midrank = place + (length + 1) / 2 - np.where(zero, 0, dropped[row])
    negative = np.add.reduceat((keys & 1).ravel(), starts).astype(np.float64)
    if zeros == "split":
        negative[zero] = length[zero] / 2
    else:
        length = np.where(zero, 0, length)
    minus, total, squares = (
        np.bincount(row, weights, minlength=len(keys))
        for weights in (midrank * negative, midrank * length, midrank**2 * length)
    )
    used = n - (zeros_of if zeros == "drop" else dropped)
    p = _normal(np.minimum(minus, total - minus), total, np.where(squares > 0, squares, 1.0))
    exact = used <= EXACT_PAIRS if method == "auto" else np.full(len(used), method == "exact")
    for one in np.flatnonzero(exact):
        p[one] = signed_ranks(pairs_used(whole[one], zeros), zeros).p("two-sided", exact=True).value
    return p


def _normal(small: FloatArray, total: npt.ArrayLike, squares: npt.ArrayLike) -> FloatArray:
    """Two-sided normal p-values from the smaller rank sum; the variance is a quarter of the sum of squared ranks."""
    z = (small - np.asarray(total) / 2) / (np.sqrt(squares) / 2)
    p: FloatArray = np.minimum(2 * ndtr(z), 1.0)
    return p
