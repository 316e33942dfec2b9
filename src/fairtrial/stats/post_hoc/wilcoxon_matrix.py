"""Wilcoxon's test for all pairs of many methods at once: the p-values alone, for speed.

Differences are sorted by size, many pairs in one array, with the sign in the last bit of each. Where rounding could
make no two of them equal, their ranks are their places. Other pairs are rounded to whole numbers, as everywhere in
this room, and equal ones share their ranks; only exact p-values with ties are computed one by one.
"""

from __future__ import annotations

import os
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from fairtrial.errors import InputError
from fairtrial.stats.bibliography import WILCOXON_1945
from fairtrial.stats.distributions.signed_rank import pairs_used, signed_rank_tail, signed_ranks
from fairtrial.stats.over_datasets.wilcoxon import EXACT_PAIRS
from fairtrial.stats.procedures import COMPARABLE, POST_HOC, procedure
from fairtrial.stats.score_arrays import DIGITS, MORE_DIGITS, FloatArray, IntArray, score_table

__all__ = ["wilcoxon_matrix"]

NULL = "for each pair: the differences are symmetric about zero"
AT_ONCE = 100_000  # differences in one array
EXACT_FACTOR = 2e3  # with it differences of 12 digits are still exact in floating point
SIZE = ~np.int64(1) & np.iinfo(np.int64).max  # the bits of a number without its sign and its last
NEAR = 2 * 10.0 ** (1 - DIGITS)  # of the largest score: differences further apart than this stay apart when rounded


@procedure(question=POST_HOC, null=NULL, assumes=COMPARABLE, references=(WILCOXON_1945,))
def wilcoxon_matrix(
    table: npt.ArrayLike,
    *,
    zeros: Literal["drop", "split", "pratt"] = "drop",
    method: Literal["auto", "exact", "asymptotic"] = "auto",
) -> FloatArray:
    r"""Two-sided p-values of Wilcoxon's signed-ranks test for every pair of methods (columns) over data sets (rows).

    Null hypothesis for each pair: the differences are symmetric about zero. The p-values are those of
    :func:`wilcoxon`, ties, zeros and rounding included, without effects and intervals and so many times faster: a
    hundred methods on a thousand data sets take a fraction of a second. For a family-wise error, adjust the upper
    triangle: ``adjust(p[np.triu_indices(k, 1)])``. For effects, intervals and printed tables use :func:`pairwise`.

    The matrix is symmetric, with 1 on its diagonal. ``zeros`` and ``method`` as in :func:`wilcoxon`.

    Reference: Wilcoxon (1945), doi:10.2307/3001968.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
    >>> wilcoxon_matrix(scores).round(4).tolist()
    [[1.0, 0.0078, 0.0078], [0.0078, 1.0, 0.8359], [0.0078, 0.8359, 1.0]]
    """
    from concurrent.futures import ThreadPoolExecutor  # a lazy import: commands that test nothing start sooner

    if zeros not in ("drop", "split", "pratt"):
        raise InputError(f"zeros must be 'drop', 'split' or 'pratt', got {zeros!r}")
    if method not in ("auto", "exact", "asymptotic"):
        raise InputError(f"method must be 'auto', 'exact' or 'asymptotic', got {method!r}")
    scores = score_table(table)
    columns = np.ascontiguousarray(scores.scores.T)
    units, largest = _units(columns), np.abs(columns).max(axis=1)
    exact = scores.n <= EXACT_PAIRS if method == "auto" else method == "exact"
    size = max(AT_ONCE // scores.n, 1)
    blocks = [(i, range(j, min(j + size, scores.k))) for i in range(scores.k) for j in range(i + 1, scores.k, size)]
    matrix = np.eye(scores.k)

    def fill(share: list[tuple[int, range]]) -> None:
        room = _Room(size, scores.n)
        for i, others in share:
            j = np.array(others)
            near = NEAR * np.maximum(largest[i], largest[j])
            p = room.far_apart(columns[i], columns[others.start : others.stop], near, exact=exact)
            close = j[np.isnan(p)]
            if len(close):
                whole = _whole(columns[[i]], columns[close], np.maximum(units[[i]], units[close]))
                p[np.isnan(p)] = _p_values(whole, zeros, method)
            matrix[i, j] = matrix[j, i] = p

    workers = min(4, os.cpu_count() or 1)
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(fill, (blocks[first::workers] for first in range(workers))))
    return matrix


def _whole(a: FloatArray, b: FloatArray, unit: FloatArray) -> IntArray:
    """Differences as whole numbers, one pair of methods in each row; the same as ``scores.differences`` gives.

    ``unit`` has the power of ten of the larger score of each two, 0 where both are 0.
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
    if float((highest / lowest).max()) < EXACT_FACTOR:
        rounded *= np.rint(factor, out=factor)
        return rounded.astype(np.int64)
    whole: IntArray = rounded.astype(np.int64) * np.rint(factor).astype(np.int64)
    return whole


def _units(values: FloatArray) -> FloatArray:
    """The power of ten below each value, 0 for 0."""
    size = np.abs(values)
    return np.where(size > 0, 10.0 ** np.floor(np.log10(np.maximum(size, 1e-300))), 0.0)


class _Room:
    """Arrays for the differences of some pairs, used again and again: new ones would cost as much as sorting."""

    def __init__(self, pairs: int, n: int) -> None:
        self.sizes, self.numbers = np.empty((pairs, n)), np.empty((pairs, n))
        self.signs = np.empty((pairs, n), dtype=np.int64)
        self.ranks = np.arange(1.0, n + 1)

    def far_apart(self, one: FloatArray, others: FloatArray, near: FloatArray, *, exact: bool) -> FloatArray:
        """P-values of one method and each of some others.

        Nan where differences are not further from each other and from zero than ``near``.
        """
        k = len(others)
        sizes, signs, numbers = self.sizes[:k], self.signs[:k], self.numbers[:k]
        with np.errstate(over="ignore", invalid="ignore"):  # infinite differences are not apart
            np.subtract(one, others, out=sizes)
            keys = sizes.view(np.int64)
            np.right_shift(keys, 63, out=signs)
            keys &= SIZE
            keys -= signs  # 1e-16 of a difference makes room for its sign
            sizes.sort(axis=1)
            np.bitwise_and(keys, 1, out=signs)
            np.copyto(numbers, signs)
            minus = numbers @ self.ranks
            np.subtract(sizes[:, 1:], sizes[:, :-1], out=numbers[:, 1:])
            numbers[:, 0] = sizes[:, 0]
            apart = numbers.min(axis=1) > near
        p = np.full(len(minus), np.nan)
        total = self.ranks.sum()
        small = np.minimum(minus, total - minus)[apart]
        if exact:
            ranks = self.ranks.astype(np.int64)
            p[apart] = [signed_rank_tail(ranks, int(least)).doubled().value for least in small]
        else:
            p[apart] = _normal(small, total, (self.ranks**2).sum())
        return p


def _p_values(whole: IntArray, zeros: str, method: str) -> FloatArray:
    """P-values of pairs of methods (rows) from whole differences, equal ones among them."""
    n = whole.shape[1]
    keys = np.sort(np.abs(whole) << 1 | (whole < 0), axis=1)
    sizes = keys >> 1
    new = np.ones(keys.shape, dtype=np.bool_)
    new[:, 1:] = sizes[:, 1:] != sizes[:, :-1]
    starts = np.flatnonzero(new)  # of runs of equal sizes, in all rows
    length = np.diff(starts, append=keys.size)
    row, place = np.divmod(starts, n)
    zero = sizes.ravel()[starts] == 0
    zeros_of = np.bincount(row[zero], length[zero], minlength=len(keys)).astype(np.int64)
    if zeros == "split":
        length = length - (zero & (length % 2 == 1))  # of an odd number one is left out
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
    """Two-sided, from the smaller of the two sums; the sum of the squares of the ranks is 4 variances."""
    z = (small - np.asarray(total) / 2) / (np.sqrt(squares) / 2)
    p: FloatArray = np.minimum(2 * ndtr(z), 1.0)
    return p
