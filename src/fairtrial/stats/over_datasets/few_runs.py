"""Few runs (seeds) on many tasks: the interquartile mean and the probability of improvement.

A stratified bootstrap resamples the runs within each task and keeps the tasks. So the intervals are about further runs
on these tasks, not about other tasks.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.bibliography import AGARWAL_2021
from fairtrial.stats.distributions.replicates import resample_counts
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import OVER_DATASETS, procedure
from fairtrial.stats.score_arrays import FloatArray, numbers, random_draws
from fairtrial.words import part_of, verb

AT_ONCE = 2_000_000  # scores in memory at a time


@procedure(
    question=OVER_DATASETS,
    assumes="independent runs on each task; all scores on the same scale",
    references=(AGARWAL_2021,),
)
def interquartile_mean(
    scores: npt.ArrayLike,
    *,
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
    quantity: str = "interquartile mean",
) -> Interval:
    r"""Interquartile mean of the scores of runs (rows) on tasks (columns), with a stratified bootstrap interval.

    .. math:: \text{IQM} = \frac{1}{m - 2c} \sum_{i = c+1}^{m - c} x_{(i)}, \qquad c = \lfloor m / 4 \rfloor,

    is the mean of the middle half of the m scores of all runs and tasks. It uses far more of the data than a median,
    and a few extreme tasks do not dominate it as they do a mean. All tasks must be on the same scale (normalised
    scores).

    The interval has percentiles of ``draws`` bootstrap replicates, each of which resamples the runs within every task.
    With few runs it is too narrow, by a factor of about :math:`\sqrt{(R-1)/R}` for R runs. The note gives the Monte
    Carlo error of the bounds. With one run there is no variance, and the bounds are nan.

    Reference: Agarwal, Schwarzer, Castro, Courville & Bellemare (2021), Deep Reinforcement Learning at the Edge of the
    Statistical Precipice, NeurIPS 34, arXiv:2108.13264.

    >>> scores = [[0.1, 0.5, 0.9, 4.0], [0.2, 0.4, 0.8, 5.0], [0.3, 0.6, 0.7, 9.0]]   # 3 runs, 4 tasks
    >>> found = interquartile_mean(scores)
    >>> found.estimate   # of 0.4, 0.5, 0.6, 0.7, 0.8, 0.9
    0.65
    """
    check_level(level)
    x = _runs(scores, "scores")
    return _with_interval(quantity, _middle_mean(x[None])[0], _drawn_means(x, draws, seed), len(x), level)


@procedure(question=OVER_DATASETS, assumes="independent runs on each task", references=(AGARWAL_2021,))
def probability_of_improvement(
    first: npt.ArrayLike, second: npt.ArrayLike, *, level: float = 0.95, draws: int = 2000, seed: int = 0
) -> Interval:
    r"""Probability of improvement: that a run of the first method beats a run of the second on a random task.

    .. math:: P(X > Y) = \frac1T \sum_{t=1}^{T} \frac{1}{R_X R_Y}
              \sum_{i, j} \Big( [x_{it} > y_{jt}] + \tfrac12 [x_{it} = y_{jt}] \Big)

    for runs (rows) × tasks (columns). Both methods need the same tasks, but not the same number of runs. A value of ½
    means that neither is better; the value says how often the first is better, not by how much. Larger scores are
    better: change the sign of errors. The interval has percentiles of a bootstrap that resamples the runs of each
    method within every task; the note gives its Monte Carlo error. If all runs of one method are better on every task,
    the interval shrinks to a point, and a note warns of it.

    Reference: Agarwal et al. (2021), NeurIPS 34, arXiv:2108.13264.

    >>> probability_of_improvement([[3, 1], [5, 2]], [[2, 2], [4, 2]]).estimate   # tasks: 3 of 4, and half of 2 of 4
    0.5
    """
    check_level(level)
    x, y = _runs(first, "first"), _runs(second, "second")
    if x.shape[1] != y.shape[1]:
        raise InputError(
            f"first and second must have the same tasks (columns), got {x.shape[1]} and {y.shape[1]} columns"
        )
    random = random_draws(draws, seed, 2)
    estimate, drawn = 0.0, np.zeros(draws)
    for own, other in zip(x.T, y.T, strict=True):
        wins = (own[:, None] > other) + 0.5 * (own[:, None] == other)
        estimate += float(wins.mean()) / x.shape[1]
        first, second = (resample_counts(random, n, draws) / n for n in wins.shape)
        drawn += ((first @ wins) * second).sum(axis=1) / x.shape[1]
    return _with_interval("probability of improvement", estimate, drawn, min(len(x), len(y)), level)


def _runs(scores: npt.ArrayLike, name: str) -> FloatArray:
    x = numbers(scores, name)
    if x.ndim != 2 or x.size == 0:
        raise InputError(f"{name} must be a table of runs (rows) and tasks (columns), got an array of shape {x.shape}")
    missing = int((~np.isfinite(x)).sum())
    if missing:
        raise InputError(
            f"{name} must be finite, but {part_of(missing, x.size, 'score')} {verb(missing, 'is', 'are')} "
            "not; choose a failure policy"
        )
    return x


def _middle_mean(tables: FloatArray) -> FloatArray:
    ordered = np.sort(tables.reshape(len(tables), -1), axis=1)
    cut = ordered.shape[1] // 4
    middle: FloatArray = ordered[:, cut : ordered.shape[1] - cut].mean(axis=1)
    return middle


def _drawn_means(x: FloatArray, draws: int, seed: int) -> FloatArray:
    random, (runs, tasks) = random_draws(draws, seed, 2), x.shape
    size = max(AT_ONCE // x.size, 1)
    found = []
    for start in range(0, draws, size):
        rows = random.integers(runs, size=(min(size, draws - start), runs, tasks))
        found.append(_middle_mean(x[rows, np.arange(tasks)]))
    return np.concatenate(found)


def _with_interval(quantity: str, estimate: float, drawn: FloatArray, runs: int, level: float) -> Interval:
    how = "stratified bootstrap, percentiles"
    if runs < 2:
        note = "one run has no variance between runs: there is no interval"
        return Interval(quantity, float(estimate), math.nan, math.nan, level, how, (note,))
    tail = (1 - level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    away = math.sqrt(tail * (1 - tail) / len(drawn))
    around = np.quantile(drawn, np.clip([tail - away, tail + away, 1 - tail - away, 1 - tail + away], 0, 1))
    error = max(around[1] - around[0], around[3] - around[2]) / 2
    notes = [f"{len(drawn):,} draws; Monte Carlo standard error of a bound: {error:.2g}"]
    if low == high:
        notes.append("all draws are equal: there are too few runs for a meaningful interval")
    return Interval(quantity, float(estimate), float(low), float(high), level, how, tuple(notes))
