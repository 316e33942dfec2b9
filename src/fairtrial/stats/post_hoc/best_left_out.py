"""The methods that may be best, and tests of means, when one data set is left out, without repeating all for each."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from fairtrial.choices import Estimand
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.post_hoc.best_methods import BestSet, best_set
from fairtrial.stats.post_hoc.joint_flips import EXACT_ROWS
from fairtrial.stats.post_hoc.left_out import signed_rank_deviation, sums_without_each
from fairtrial.stats.score_arrays import BoolArray, FloatArray, IntArray, differences, score_table


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
    columns = scores.T if higher_is_better else -scores.T
    leads = np.full((n, k, k), -np.inf)  # of each rival (last) over each method
    for m, j in all_pairs(k):
        d = differences(columns[j], columns[m])
        lead = standardised_sums(d.whole) if estimand == "mean" else sums_without_each(d.whole)
        leads[:, m, j], leads[:, j, m] = lead, -lead
    criticals = np.array([critical_without_one(c, n, estimand) for c in found.critical_values])
    return np.asarray(leads.max(axis=2) <= criticals + 1e-9)


def critical_without_one(critical: float, n: int, estimand: Estimand) -> float:
    """The critical value of n − 1 data sets that is as many standard deviations (or t) as that of n."""
    if estimand == "typical" or critical**2 >= n:
        return critical * signed_rank_deviation(n - 1) / signed_rank_deviation(n) if estimand == "typical" else critical
    t = critical * math.sqrt((n - 1) / (n - critical**2))
    return t * math.sqrt((n - 1) / (n - 2 + t * t))


def standardised_sums(d: IntArray) -> FloatArray:
    """The sum over the root of the sum of squares, without the first difference, without the second, and so on."""
    values = d.astype(np.float64)
    size = np.sqrt(np.maximum((values * values).sum() - values * values, 0))
    return np.asarray(np.divide(values.sum() - values, size, out=np.zeros_like(values), where=size > 0))


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
