"""The sole winner and the significant pairs when one data set is left out, without repeating all tests for each.

The methods that may be best, and tests of means, when one data set is left out, without repeating all for each.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtr

from fairtrial.choices import Estimand
from fairtrial.stats.distributions.signed_rank import pseudo_median, signed_ranks
from fairtrial.stats.over_datasets.wilcoxon import EXACT_PAIRS
from fairtrial.stats.post_hoc.best_methods import BestSet, best_set
from fairtrial.stats.post_hoc.joint_flips import EXACT_ROWS
from fairtrial.stats.post_hoc.joint_intervals import Joint, joint_tests
from fairtrial.stats.post_hoc.wilcoxon_matrix import p_values_in_rows
from fairtrial.stats.score_arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    PairDifferences,
    blocks_of_rows,
    pair_differences,
    score_table,
    tied_places,
)

FEW = 25  # data sets up to which every p-value is exact
NEAR = (0.1, 3.0)  # times 1 − level: normal p-values in between are computed exactly, too


def winners_without_each(
    table: npt.ArrayLike, *, higher_is_better: bool = True, level: float = 0.95
) -> tuple[int | None, ...]:
    """The column of the sole winner without the first data set (row), without the second, and so on.

    Each is the winner that :func:`sole_winner` finds on the other rows, or None. With more than 25 data sets a p-value
    that is far from 1 − level is that of the normal approximation, which decides the same.
    """
    scores = score_table(table)
    pairs = pair_differences(scores.scores.T if higher_is_better else -scores.scores.T)
    return winners_of_pairs(pairs, matrices_without_each(pairs, sums_without_each), level)


def winners_of_pairs(pairs: PairDifferences, sums: FloatArray, level: float) -> tuple[int | None, ...]:
    """:func:`winners_without_each`, from the differences and the signed-rank sums of all pairs without each row."""
    n, k = len(sums), pairs.k
    ahead = np.asarray(((sums > 0) | np.eye(k, dtype=np.bool_)).all(axis=2))
    candidates = np.where(ahead.any(axis=1), ahead.argmax(axis=1), -1)
    # ties and zeros make the deviation of a sum smaller: p is at most that without any
    sure = 2 * ndtr(-sums / (2 * signed_rank_deviation(n - 1))) < NEAR[0] * (1 - level)
    for m in np.unique(candidates[candidates >= 0]).tolist():
        for j, pair in zip(np.delete(np.arange(k), m), pairs.with_method(m)[0], strict=True):
            rows = np.flatnonzero((candidates == m) & ~(sure[:, m, j] & (n - 1 > FEW)))
            if len(rows):
                candidates[rows[~_significant(pairs.whole[pair], rows, 1 - level)]] = -1
    return tuple(None if m < 0 else int(m) for m in candidates.tolist())


def matrices_without_each(
    pairs: PairDifferences, statistic: Callable[[IntArray], npt.NDArray[np.number[Any]]]
) -> FloatArray:
    """A statistic of all pairs without the first data set, without the second, and so on: (data sets, k, k)."""
    n, k = pairs.whole.shape[1], pairs.k
    found, (i, j) = np.zeros((n, k, k)), np.triu_indices(k, 1)
    for rows in blocks_of_rows(len(pairs.whole), n):
        found[:, i[rows], j[rows]] = statistic(pairs.whole[rows]).T
    return np.asarray(found - found.transpose(0, 2, 1))


def sums_without_each(d: IntArray) -> IntArray:
    """The doubled signed-rank sum of the differences (of each row) without the first, without the second, and so on.

    When a difference leaves, the ranks above it fall by one, and those tied with it by a half.

    >>> sums_without_each(np.array([3, -1, 5])).tolist()   # ranks without 3: 1 and 2; without −1: 1 and 2; without 5
    [2, 6, 2]
    """
    rows = np.atleast_2d(d)
    size = np.abs(rows)
    order = np.argsort(size, axis=1, kind="stable")
    below, up_to = tied_places(np.take_along_axis(size, order, axis=1))
    sign = np.take_along_axis(np.sign(rows), order, axis=1)
    signs = np.zeros((len(rows), rows.shape[1] + 1), dtype=np.int64)
    np.cumsum(sign, axis=1, out=signs[:, 1:])
    through = np.take_along_axis(signs, up_to, axis=1)
    tied = through - np.take_along_axis(signs, below, axis=1) - sign
    own = (below + up_to + 1) * sign
    found = np.empty_like(rows)
    left = own.sum(axis=1, keepdims=True) - own - 2 * (signs[:, -1:] - through) - tied
    np.put_along_axis(found, order, left, axis=1)
    return found.reshape(d.shape)


def _significant(d: IntArray, left_out: IntArray, alpha: float) -> npt.NDArray[np.bool_]:
    """Whether the differences without one of them (each of ``left_out``) are significant on both sides."""
    n = len(d)
    keep = np.arange(n - 1) + (np.arange(n - 1) >= left_out[:, None])
    rows = d[keep]
    p = p_values_in_rows(rows, "pratt", "asymptotic")
    near = (p > NEAR[0] * alpha) & (p < NEAR[1] * alpha)
    exact = np.zeros_like(near) if n - 1 > EXACT_PAIRS else near | (n - 1 <= FEW)
    for row in np.flatnonzero(exact):
        p[row] = signed_ranks(rows[row], "pratt").p("two-sided", exact=True).value
    return np.asarray(p < alpha)


def stars_without_each(joint: Joint, level: float) -> BoolArray:
    """Whether each pair (column) is significant in the joint tests without the first data set, the second, and so on.

    Up to 14 data sets the joint tests are made again without each. With more, the critical value hardly depends on
    which one is left out: it is taken from all of them, in standard deviations of a signed-rank sum.
    """
    n = len(joint.pairs[0].whole)
    if n - 1 <= EXACT_ROWS:
        return np.array([_stars(joint, i, level) for i in range(n)])
    side = {"two-sided": 0, "greater": 1, "less": -1}[joint.alternative]
    sums = np.stack([sums_without_each(d.whole) for d in joint.pairs], axis=1)
    statistic = np.abs(sums) if side == 0 else side * sums
    return np.asarray(
        statistic > joint.maxima.critical(1 - level) * signed_rank_deviation(n - 1) / signed_rank_deviation(n)
    )


def _stars(joint: Joint, left_out: int, level: float) -> BoolArray:
    pairs = [replace(d, whole=np.delete(d.whole, left_out)) for d in joint.pairs]
    return np.array(joint_tests(pairs, alternative=joint.alternative, level=level).p_values) < 1 - level


def signed_rank_deviation(n: int) -> float:
    """The standard deviation of a signed-rank sum without ties."""
    return math.sqrt(n * (n + 1) * (2 * n + 1) / 6)


def centers_without_each(d: IntArray) -> FloatArray:
    """The pseudo-median of the differences without the first, without the second, and so on.

    >>> centers_without_each(np.array([1, 2, 9])).tolist()   # of 2, 9; of 1, 9; of 1, 2
    [5.5, 5.0, 1.5]
    """
    return np.array([pseudo_median(np.delete(d, i)) for i in range(len(d))])


def best_without_each(
    table: npt.ArrayLike, found: BestSet, *, higher_is_better: bool = True, estimand: Estimand = "typical"
) -> BoolArray:
    """Whether each method (column) may be the best without the first data set (row), without the second, and so on.

    ``found`` is the set of all data sets. Up to 14 data sets it is found again without each. With more, the critical
    value hardly depends on which one is left out: it is taken from all of them, in standard deviations.
    """
    scores = score_table(table).scores
    n, k = scores.shape
    if n - 1 <= EXACT_ROWS:
        again = (
            best_set(
                np.delete(scores, i, axis=0), higher_is_better=higher_is_better, estimand=estimand, level=found.level
            )
            for i in range(n)
        )
        return np.array([[not p < 1 - found.level for p in best.p_values] for best in again])
    pairs = pair_differences(scores.T if higher_is_better else -scores.T)
    leads = matrices_without_each(pairs, standardised_sums if estimand == "mean" else sums_without_each)
    leads[:, np.arange(k), np.arange(k)] = -np.inf
    criticals = np.array([critical_without_one(c, n, estimand) for c in found.critical_values])
    return np.asarray(leads.max(axis=1) <= criticals + 1e-9)


def critical_without_one(critical: float, n: int, estimand: Estimand) -> float:
    """The critical value of n − 1 data sets that is as many standard deviations (or t) as that of n."""
    if estimand == "typical" or critical**2 >= n:
        return critical * signed_rank_deviation(n - 1) / signed_rank_deviation(n) if estimand == "typical" else critical
    t = critical * math.sqrt((n - 1) / (n - critical**2))
    return t * math.sqrt((n - 1) / (n - 2 + t * t))


def standardised_sums(d: IntArray) -> FloatArray:
    """The sum over the root of the sum of squares of each row, without the first difference, the second, and so on."""
    values = d.astype(np.float64)
    size = np.sqrt(np.maximum((values * values).sum(axis=-1, keepdims=True) - values * values, 0))
    sums = values.sum(axis=-1, keepdims=True) - values
    return np.asarray(np.divide(sums, size, out=np.zeros_like(values), where=size > 0))


def mean_tests_without_each(d: IntArray) -> tuple[FloatArray, FloatArray]:
    """The mean, in units of d, and the two-sided p-value of the paired t-test, without each of the differences.

    As in :func:`paired_t`, p is 1 where all others are 0, and nan where they are equal but not 0.

    >>> means, p = mean_tests_without_each(np.array([3, 1, 2, 9]))
    >>> means.tolist(), p.round(4).tolist()
    ([4.0, 4.666666666666667, 4.333333333333333, 2.0], [0.2529, 0.1663, 0.2132, 0.0742])
    """
    n = len(d) - 1
    values = d.astype(np.float64)
    means = (values.sum() - values) / n
    around = values - values.mean()
    rest = around.sum() - around
    variance = ((around * around).sum() - around * around - rest * rest / n) / (n - 1)
    same = np.array([_all_equal(d, i) for i in range(len(d))])
    error = np.sqrt(np.where(same, np.nan, np.maximum(variance, 0)) / n)
    p = 2 * stdtr(n - 1, -np.abs(means / error))
    return means, np.where(same & (means == 0), 1.0, p)


def _all_equal(d: IntArray, left_out: int) -> bool:
    first = d[1 if left_out == 0 else 0]
    return int((d == first).sum()) - int(d[left_out] == first) == len(d) - 1
