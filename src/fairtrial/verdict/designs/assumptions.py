"""The assumptions of a t-test, looked at where one was used: they are said in full, and never choose the test."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from fairtrial.tables import formats

ENOUGH = 30  # differences, from which on their mean is nearly normal whatever they are
FEWEST, MOST = 5, 5000  # for which Royston's approximation holds


def shapiro_francia(x: NDArray[np.float64]) -> float:
    r"""The p-value of Shapiro and Francia's test of normality; nan for fewer than 5 values, or equal ones.

    Null hypothesis: the values come from a normal distribution. The statistic is the squared correlation of the sorted
    values with normal scores, and :math:`\ln(1 - W')` is nearly normal.

    Reference: Royston (1993), Statistics in Medicine 12:181-184, doi:10.1002/sim.4780120209.

    >>> round(shapiro_francia(np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 30])), 4) < 0.01
    True
    """
    n = len(x)
    if not FEWEST <= n <= MOST or np.ptp(x) == 0:
        return math.nan
    scores = ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    w = float(np.corrcoef(np.sort(x), scores)[0, 1] ** 2)
    if w >= 1:
        return 1.0
    log = math.log(n)
    middle = math.log(log) - log
    mean, deviation = -1.2725 + 1.0521 * middle, 1.0308 - 0.26758 * (math.log(log) + 2 / log)
    return float(1 - ndtr((math.log(1 - w) - mean) / deviation))


def of_t(d: NDArray[np.float64]) -> str:
    """What t assumes of these differences, and whether it looks true: continuous, normal or more than 30, random."""
    n, kinds = len(d), len(np.unique(d))
    continuous = "continuous" if 2 * kinds > n else f"of {kinds} values only"
    p = shapiro_francia(d)
    if math.isnan(p):
        normal = "too few to tell whether they are normal"
    else:
        normal = f"{'nearly normal' if p >= 0.05 else 'not normal'} (Shapiro–Francia, {formats.p_equals(p)})"
        normal += ", which matters little for more than 30" if p < 0.05 and n > ENOUGH else ""
    wanted = "random differences that are continuous, and normal or more than 30"
    return f"t assumes {wanted}; these {n} are {continuous}, {normal}"
