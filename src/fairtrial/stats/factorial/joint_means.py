"""Means of several effects over data sets, by a bootstrap of whole data sets, with intervals that hold together."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairtrial.stats.factorial.effect_results import spreads
from fairtrial.stats.outcome import Interval, Outcome
from fairtrial.stats.score_arrays import FloatArray, differences, random_draws, unit_of

DRAWS = 9_999
SMALLEST_ERROR = 0.25  # of a resample, in units of the sample's: a resample of equal values knows nothing of its error
BOOTSTRAP = "joint bootstrap"
NO_VARIANCE = "all values are equal and not zero: no error can be estimated from them"
BLOCK = 1 << 22  # numbers in memory at a time


@dataclass(frozen=True, slots=True, eq=False)
class JointMeans:
    """The mean of each column: the test of each alone, and intervals and p-values that hold for all together."""

    outcomes: tuple[Outcome, ...]
    intervals: tuple[Interval, ...]
    p_adjusted: tuple[float, ...]


def joint_means(
    values: FloatArray, *, test: str, null: str, quantity: str, level: float, draws: int = DRAWS, seed: int = 0
) -> JointMeans:
    r"""The means of columns over rows, with intervals whose half-widths are one multiple of the standard errors.

    Rows are drawn with replacement, each for all columns. The multiple is the quantile of the largest

    .. math:: |\bar x^*_j - \bar x_j| \Big/ \max(s^*_j, s_j / 4) \cdot \sqrt n

    over the columns j (a symmetric bootstrap-t). The lower limit of the resampled standard deviation keeps columns that
    are zero on most rows from having no upper bound. A column of zeros has p = 1; one of equal values has no error.
    """
    random = random_draws(draws, seed)
    n = len(values)
    unit = unit_of(values)
    means = (values / unit).mean(axis=0) * unit
    errors = np.array(spreads(values)) / math.sqrt(n)
    zero = np.array([not differences(column, np.zeros(n)).whole.any() for column in values.T])
    varies = (errors > 0) & ~zero
    with np.errstate(divide="ignore", invalid="ignore"):
        statistics = np.abs(means / errors)
    drawn = _resampled(values[:, varies], random, draws)
    largest = np.sort(drawn.max(axis=1, initial=0.0))
    joint, alone = np.where(zero, 1.0, math.nan), np.where(zero, 1.0, math.nan)
    joint[varies] = [_p(largest, t) for t in statistics[varies]]
    own = {int(j): np.sort(drawn[:, i]) for i, j in enumerate(np.flatnonzero(varies))}
    factor = _critical(largest, level)
    outcomes, intervals = [], []
    for j, mean in enumerate(np.where(zero, 0.0, means).tolist()):
        half, single = 0.0, 0.0
        if j in own:
            alone[j] = _p(own[j], float(statistics[j]))
            half, single = factor * float(errors[j]), _critical(own[j], level) * float(errors[j])
        elif not zero[j]:
            half = single = math.nan
        notes = (NO_VARIANCE,) if not zero[j] and j not in own else ()
        intervals.append(Interval(quantity, mean, mean - half, mean + half, level, BOOTSTRAP, notes))
        outcomes.append(
            Outcome(
                test=test,
                null=null,
                statistic=float(statistics[j]) * math.copysign(1, mean),
                p_value=float(alone[j]),
                n=n,
                method="bootstrap-t",
                effect=Interval(quantity, mean, mean - single, mean + single, level, "bootstrap-t", notes),
                p_floor=1 / (draws + 1) if j in own else 0.0,
                notes=notes,
            )
        )
    return JointMeans(tuple(outcomes), tuple(intervals), tuple(joint.tolist()))


def _resampled(values: FloatArray, random: np.random.Generator, draws: int) -> FloatArray:
    """The studentised distance of each resample's mean (rows) from the sample's, for each column."""
    n, k = values.shape
    if k == 0:
        return np.zeros((draws, 0))
    unit = unit_of(values)
    centred = values / unit - (values / unit).mean(axis=0)
    centred /= centred.std(axis=0, ddof=1)
    found = np.empty((draws, k))
    step = max(BLOCK // n, 1)
    for start in range(0, draws, step):
        size = min(step, draws - start)
        share = random.multinomial(n, np.full(n, 1 / n), size=size) / n
        mean = share @ centred
        spread = np.sqrt(np.maximum((share @ centred**2 - mean**2) * n / (n - 1), 0.0))
        found[start : start + size] = np.abs(mean) * math.sqrt(n) / np.maximum(spread, SMALLEST_ERROR)
    return found


def _p(drawn: FloatArray, statistic: float) -> float:
    """The share of draws (in rising order) that are as large as a statistic; the sample counts as a draw."""
    beyond = len(drawn) - int(np.searchsorted(drawn, statistic, side="left"))
    return (1 + beyond) / (1 + len(drawn))


def _critical(drawn: FloatArray, level: float) -> float:
    """The value that a statistic must exceed for its p-value to lie below 1 − level; infinite with too few draws."""
    rank = math.ceil(round((1 - level) * (1 + len(drawn)), 9)) - 1  # of the largest draws
    return float(drawn[-rank]) if rank >= 1 else math.inf
