"""Effect sizes from signs and ranks, which need no scale: how often is a score of one method the larger one?

The intervals invert tests whose variance depends on the hypothesis (score intervals). They stay within the range of the
quantity, and they do not shrink to a point if all values of one sample are larger.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from fairtrial.errors import InputError
from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import (
    CLIFF_1993,
    KERBY_2014,
    KING_2011,
    NEWCOMBE_2006,
    TANGO_1998,
    VARGHA_DELANEY_2000,
)
from fairtrial.stats.one_method.auc_interval import newcombe
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import EFFECT_SIZES, PAIRS, SAMPLES, procedure
from fairtrial.stats.score_arrays import (
    FloatArray,
    IntArray,
    differences,
    doubled_midranks,
    paired_scores,
    sample,
    whole_values,
)
from fairtrial.stats.two_methods.mcnemar import tango


@procedure(question=EFFECT_SIZES, assumes=SAMPLES, references=(CLIFF_1993, NEWCOMBE_2006, VARGHA_DELANEY_2000))
def vargha_delaney(
    a: npt.ArrayLike, b: npt.ArrayLike, *, method: Literal["newcombe", "cliff"] = "newcombe", level: float = 0.95
) -> Interval:
    r"""Vargha and Delaney's A: the probability that a value of the first sample is larger than one of the second.

    .. math:: A = P(a > b) + \tfrac12 P(a = b)

    over all pairs of values from two **independent** samples. It is ½ if neither sample tends to be larger. A is Mann
    and Whitney's U divided by :math:`n_a n_b`, and the area under the ROC curve. Values count as equal after rounding
    (docs/statistics.md, "Rounding before ranking"). For paired scores see :func:`superiority`.

    ``method``: ``newcombe`` (default) is the interval of all A with :math:`(\hat A - A)^2 \le z^2 V(A)`,

    .. math:: V(A) = \frac{A(1-A)}{n_a n_b}\left[1 + N^* \frac{1-A}{2-A} + N^* \frac{A}{1+A}\right], \qquad
              N^* = \tfrac12 (n_a + n_b) - 1.

    At A = ½ this is the variance of Mann and Whitney's test without ties under the null hypothesis: the interval
    excludes ½ exactly when that test rejects. ``cliff`` is Cliff's asymmetric interval with his unbiased variance. It
    adapts to the variances of the data, but shrinks to a point if the samples do not overlap.

    References: Vargha & Delaney (2000), doi:10.3102/10769986025002101; Newcombe (2006), Statistics in Medicine
    25:559-573, doi:10.1002/sim.2324; Cliff (1993), doi:10.1037/0033-2909.114.3.494.

    >>> print(vargha_delaney([0.82, 0.85, 0.91, 0.88], [0.80, 0.85, 0.79, 0.84, 0.81]))
    probability of superiority 0.8750, 95 % interval [0.4755, 0.9793] (Newcombe)
    """
    check_level(level)
    check_option("method", method, ("newcombe", "cliff"))
    found = _dominance(sample(a, "a"), sample(b, "b"))
    estimate = (found.delta + 1) / 2
    if method == "newcombe":
        low, high = newcombe(estimate, -float(ndtri((1 - level) / 2)), len(found.rows), len(found.columns))
        name = "Newcombe"
    else:
        low, high = ((bound + 1) / 2 for bound in _cliff(found, level))
        name = "Cliff"
    return Interval("probability of superiority", estimate, low, high, level, name)


@procedure(question=EFFECT_SIZES, assumes=SAMPLES, references=(CLIFF_1993,))
def cliffs_delta(
    a: npt.ArrayLike, b: npt.ArrayLike, *, method: Literal["newcombe", "cliff"] = "newcombe", level: float = 0.95
) -> Interval:
    r"""Cliff's delta: the probability that a value of the first sample is larger minus that it is smaller.

    .. math:: \delta = P(a > b) - P(a < b) = 2A - 1

    for two independent samples, from −1 to 1, with A and the intervals as in :func:`vargha_delaney`. By convention
    values below 0.147 are called negligible, below 0.33 small, below 0.474 medium; what matters depends on your
    problem.

    Reference: Cliff (1993), doi:10.1037/0033-2909.114.3.494.

    >>> print(cliffs_delta([0.82, 0.85, 0.91, 0.88], [0.80, 0.85, 0.79, 0.84, 0.81]))
    Cliff's delta 0.7500, 95 % interval [−0.04904, 0.9587] (Newcombe)
    """
    found = vargha_delaney(a, b, method=method, level=level)
    bounds = 2 * found.estimate - 1, 2 * found.low - 1, 2 * found.high - 1
    return replace(found, quantity="Cliff's delta", estimate=bounds[0], low=bounds[1], high=bounds[2])


class _Dominance(NamedTuple):
    """The signs of all differences between values of two samples: row means, column means, number of untied pairs."""

    rows: FloatArray
    columns: FloatArray
    untied: int

    @property
    def delta(self) -> float:
        return float(self.rows.mean())


def _dominance(a: FloatArray, b: FloatArray) -> _Dominance:
    """The dominance of two samples, counted in sorted samples since all pairs of large ones don't fit into memory."""
    x, y = np.split(whole_values(np.r_[a, b]), [len(a)])
    below, above = _counts_around(x, np.sort(y))
    right, left = _counts_around(y, np.sort(x))
    return _Dominance((below - above) / len(y), (left - right) / len(x), int((below + above).sum()))


def _counts_around(values: FloatArray, ordered: FloatArray) -> tuple[IntArray, IntArray]:
    """For each value, the numbers of ordered values below it and above it."""
    return np.searchsorted(ordered, values), len(ordered) - np.searchsorted(ordered, values, "right")


def _cliff(found: _Dominance, level: float) -> tuple[float, float]:
    """Cliff's interval for delta, from the variances of row and column means (Cliff 1996; Feng & Cliff 2004)."""
    m, n = len(found.rows), len(found.columns)
    if min(m, n) < 2:
        raise InputError(f"method 'cliff' needs at least two values in each sample, got {m} and {n}; use 'newcombe'")
    delta = found.delta
    rows, columns = found.rows - delta, found.columns - delta
    cells = found.untied - m * n * delta**2
    variance = (n**2 * float(rows @ rows) + m**2 * float(columns @ columns) - cells) / (m * n * (m - 1) * (n - 1))
    variance = max(variance, (1 - delta**2) / (m * n - 1))
    z = -float(ndtri((1 - level) / 2))
    reach = z * math.sqrt(variance) * math.sqrt((1 - delta**2) ** 2 + z * z * variance)
    bottom = 1 - delta**2 + z * z * variance
    if bottom == 0:
        return delta, delta
    return (delta - delta**3 - reach) / bottom, (delta - delta**3 + reach) / bottom


@procedure(question=EFFECT_SIZES, assumes=PAIRS, references=(TANGO_1998,))
def superiority(a: npt.ArrayLike, b: npt.ArrayLike, *, level: float = 0.95) -> Interval:
    r"""Probability of superiority of paired scores: the share of pairs in which the first score is larger.

    .. math:: P(a_i > b_i) + \tfrac12 P(a_i = b_i)

    over pairs of scores on the same data sets (or instances); a tie counts as half a win. With w wins and l losses in n
    pairs the estimate is :math:`\tfrac12 + (w - l) / 2n`. The interval is Tango's score interval for the difference of
    the shares of wins and losses. It contains all values that

    .. math:: T(\Delta) = \frac{w - l - n\Delta}{\sqrt{n\,(2 \tilde p_l + \Delta (1 - \Delta))}}

    does not reject, where :math:`\tilde p_l` is the maximum likelihood estimate of the share of losses under
    :math:`\Delta`. The interval excludes ½ exactly when the sign test by normal approximation (McNemar's chi-square)
    rejects. It does not shrink to a point if all pairs are ties or all are wins. Scores count as tied after rounding
    (docs/statistics.md, "Rounding before ranking").

    Reference: Tango (1998), Statistics in Medicine 17:891-908,
    doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.

    >>> print(superiority([5, 7, 8, 6, 9, 4, 3], [4, 5, 5, 5, 4, 5, 3]))   # 5 wins, 1 loss, 1 tie
    probability of superiority 0.7857, 95 % interval [0.4430, 0.9394] (Tango)
    """
    check_level(level)
    d = differences(*paired_scores(a, b)).whole
    wins, losses, n = int((d > 0).sum()), int((d < 0).sum()), len(d)
    low, high = tango(wins, losses, n, 1 - level)
    estimate = 0.5 + (wins - losses) / (2 * n)
    return Interval("probability of superiority", estimate, (1 + low) / 2, (1 + high) / 2, level, "Tango")


@procedure(question=EFFECT_SIZES, assumes=PAIRS, references=(KERBY_2014, KING_2011))
def rank_biserial(a: npt.ArrayLike, b: npt.ArrayLike, *, level: float = 0.95) -> Interval:
    r"""Matched-pairs rank-biserial correlation: the effect size of Wilcoxon's signed-rank test, from −1 to 1.

    .. math:: r = \frac{R^+ - R^-}{R^+ + R^-}

    with the rank sums of the positive and the negative differences of :func:`wilcoxon`, where zero differences are left
    out and tied ones share the mean of their ranks. It is 1 if all differences are positive. It estimates the
    probability that the mean of two differences is positive minus that it is negative.

    The interval contains all ρ with :math:`(r - \rho)^2 \le z^2 s^2 (1 - \rho^2)`, where
    :math:`s^2 = \sum \text{rank}^2 / (\sum \text{rank})^2` is the variance under the null hypothesis, tied ranks
    included. It excludes 0 exactly when Wilcoxon's test by normal approximation rejects, and does not shrink to a point
    at ±1. In our simulations (normal, Laplace and exponential differences, 8 to 40 pairs, r from 0 to 0.97) the
    coverage of 95 % intervals was 92 to 98 %; that of the usual interval by Fisher's transformation was 26 to 94 %. If
    all differences are zero, the result is nan, with a note.

    References: Kerby (2014), doi:10.2466/11.IT.3.1; King, Rosopa & Minium (2011), Statistical Reasoning in the
    Behavioral Sciences.

    >>> print(rank_biserial([0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74], [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66]))
    rank-biserial correlation 0.9286, 95 % interval [0.1049, 0.9966] (score)
    """
    check_level(level)
    d = differences(*paired_scores(a, b)).whole
    used = d[d != 0]
    if not len(used):
        note = "all differences are zero: there is nothing to rank"
        return Interval("rank-biserial correlation", math.nan, math.nan, math.nan, level, "score", (note,))
    ranks = doubled_midranks(np.abs(used)).astype(np.float64)
    total = float(ranks.sum())
    r = float(ranks @ np.sign(used)) / total
    k = float(ndtri((1 - level) / 2)) ** 2 * float(ranks @ ranks) / total**2
    centre, reach = r / (1 + k), math.sqrt(k * (1 - r * r + k)) / (1 + k)
    low = -1.0 if r == -1 else centre - reach
    high = 1.0 if r == 1 else centre + reach
    return Interval("rank-biserial correlation", r, low, high, level, "score")
