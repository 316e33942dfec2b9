"""Wilcoxon's test for all pairs of many methods at once: the p-values alone, for speed.

Each pair's differences are written as whole numbers whose last bit is the sign and sorted as such, many pairs in one
array; where no two are equal the ranks are the places, and only pairs with ties are ranked one by one.
"""

from __future__ import annotations

import os
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from fairtrial.errors import InputError
from fairtrial.stats.domains import EXACT_PAIRS
from fairtrial.stats.exact import signed_rank_tail
from fairtrial.stats.scores import DIGITS, MORE_DIGITS, FloatArray, IntArray, score_table
from fairtrial.stats.signed_rank import pairs_used, signed_ranks

__all__ = ["wilcoxon_matrix"]

AT_ONCE = 20_000  # differences in one array, so that it stays in the processor's cache
EXACT_FACTOR = 2e3  # with it differences of 12 digits are still exact in floating point


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
    units = _units(columns)
    first, second = np.triu_indices(scores.k, 1)
    size = max(AT_ONCE // scores.n, 1)
    starts = range(0, len(first), size)

    def some(start: int) -> FloatArray:
        i, j = first[start : start + size], second[start : start + size]
        return _p_values(_whole(columns[i], columns[j], np.maximum(units[i], units[j])), zeros, method)

    with ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
        p = np.concatenate(list(pool.map(some, starts)))
    matrix = np.eye(scores.k)
    matrix[first, second] = matrix[second, first] = p
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
    least = np.maximum(lowest, highest / 10.0**MORE_DIGITS)
    factor = unit / least
    if (factor < 0.5).any():
        rounded = np.where(factor < 0.5, np.rint(rounded * np.maximum(factor, 1e-30)), rounded)
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


def _p_values(whole: IntArray, zeros: str, method: str) -> FloatArray:
    n = whole.shape[1]
    keys = whole << 1
    keys ^= whole >> 63  # 2d for positive differences, −2d − 1 for negative ones
    keys.sort(axis=1)
    negative = (keys & 1).astype(np.float64)
    keys += 1
    keys >>= 1
    dropped = n - np.count_nonzero(keys, axis=1)
    equal = np.count_nonzero(keys[:, 1:] == keys[:, :-1], axis=1)
    tied = equal > np.maximum(dropped - 1, 0)
    if zeros != "drop":
        tied |= dropped > 0
    minus = negative @ np.arange(1.0, n + 1) - dropped * negative.sum(axis=1)
    used = n - dropped
    total = used * (used + 1) / 2
    exact = used <= EXACT_PAIRS if method == "auto" else np.full(len(used), method == "exact")
    deviation = np.sqrt(np.maximum(used * (used + 1) * (2 * used + 1) / 24, 1e-300))
    p: FloatArray = np.minimum(2 * ndtr((np.minimum(minus, total - minus) - total / 2) / deviation), 1.0)
    for row in np.flatnonzero(tied):
        p[row] = _one_by_one(whole[row], zeros, method)
    for row in np.flatnonzero(exact & ~tied):
        small = int(min(minus[row], total[row] - minus[row]))
        p[row] = signed_rank_tail(np.arange(1, used[row] + 1), small).doubled().value
    return p


def _one_by_one(whole: IntArray, zeros: str, method: str) -> float:
    used = pairs_used(whole, zeros)
    exact = method == "exact" or (method == "auto" and len(used) <= EXACT_PAIRS)
    return signed_ranks(used, zeros).p("two-sided", exact=exact).value
