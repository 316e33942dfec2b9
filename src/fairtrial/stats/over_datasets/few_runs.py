"""Few runs (seeds) on many tasks: the interquartile mean and the probability of improvement.

Runs are drawn again within each task (a stratified bootstrap), tasks are kept as they are: what is said holds for
these tasks and further runs, not for other tasks.
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

__all__ = ["interquartile_mean", "probability_of_improvement"]

AT_ONCE = 2_000_000


@procedure(
    question=OVER_DATASETS, assumes="independent runs on each task; scores of one scale", references=(AGARWAL_2021,)
)
def interquartile_mean(
    scores: npt.ArrayLike,
    *,
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
    quantity: str = "interquartile mean",
) -> Interval:
    r"""The mean of the middle half of all scores, runs (rows) × tasks (columns), with a stratified bootstrap interval.

    .. math:: \text{IQM} = \frac{1}{m - 2c} \sum_{i = c+1}^{m - c} x_{(i)}, \qquad c = \lfloor m / 4 \rfloor,

    over the m scores of all runs and tasks together, sorted. It uses far more of the data than a median and isn't
    carried off by a few tasks as a mean is. Tasks must be on one scale (normalised scores).

    Interval: percentiles over ``draws`` replicates, in each of which runs are drawn again within every task. With few
    runs it is too narrow, with R runs by about :math:`\sqrt{(R-1)/R}`. The note has the Monte Carlo error of the
    bounds. One run only: no spread, the bounds are nan.

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
    r"""How likely a run of the first method beats a run of the second on a task picked at random.

    .. math:: P(X > Y) = \frac1T \sum_{t=1}^{T} \frac{1}{R_X R_Y}
              \sum_{i, j} \Big( [x_{it} > y_{jt}] + \tfrac12 [x_{it} = y_{jt}] \Big)

    for runs (rows) × tasks (columns), with as many tasks but not necessarily as many runs. ½ means that neither is
    better; it says how often, not by how much. Larger scores are taken to be better: turn the sign of errors.
    Interval: percentiles of a bootstrap that draws runs of each method again within every task; the note has its Monte
    Carlo error. Runs that are all above, or all below: the interval is a point, and the note says that it means little.

    Reference: Agarwal et al. (2021), NeurIPS 34, arXiv:2108.13264.

    >>> probability_of_improvement([[3, 1], [5, 2]], [[2, 2], [4, 2]]).estimate   # tasks: 3 of 4, and half of 2 of 4
    0.5
    """
    check_level(level)
    x, y = _runs(first, "first"), _runs(second, "second")
    if x.shape[1] != y.shape[1]:
        raise InputError(f"first and second must have the same tasks (columns), got {x.shape[1]} and {y.shape[1]}")
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
        raise InputError(f"{name} must be a table of runs (rows) and tasks (columns), got shape {x.shape}")
    missing = int((~np.isfinite(x)).sum())
    if missing:
        raise InputError(f"{name} must be finite, but {missing} of {x.size} are not; choose a failure policy")
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
        alone = ("one run only: no spread between runs",)
        return Interval(quantity, float(estimate), math.nan, math.nan, level, how, alone)
    tail = (1 - level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    away = math.sqrt(tail * (1 - tail) / len(drawn))
    around = np.quantile(drawn, np.clip([tail - away, tail + away, 1 - tail - away, 1 - tail + away], 0, 1))
    error = max(around[1] - around[0], around[3] - around[2]) / 2
    notes = [f"{len(drawn):,} draws: Monte Carlo error of the bounds about {error:.2g}"]
    if low == high:
        notes.append("all draws agree: too few runs for an interval that means much")
    return Interval(quantity, float(estimate), float(low), float(high), level, how, tuple(notes))
