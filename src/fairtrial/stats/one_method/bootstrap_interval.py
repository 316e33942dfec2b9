"""Bootstrap interval of any statistic of independent values."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.bibliography import DICICCIO_EFRON_1996, EFRON_1987, EFRON_TIBSHIRANI_1993
from fairtrial.stats.distributions.replicates import (
    METHODS,
    MOST_GROUPS,
    Corrections,
    Replicates,
    acceleration,
    bootstrap_bounds,
    check_replicates,
    chunks,
    monte_carlo_notes,
    small_sample_notes,
)
from fairtrial.stats.distributions.tail import tail_share
from fairtrial.stats.outcome import Alternative, Interval, check_alternative, check_level
from fairtrial.stats.procedures import ONE_METHOD, procedure
from fairtrial.stats.score_arrays import FloatArray, sample
from fairtrial.words import is_one_of, part_of, plural, verb

ASSUMES = "independent values"
SAME_ON_ALL = "the statistic has the same value on all resamples, so that the bootstrap gives no interval"

Statistic = Callable[..., npt.ArrayLike]
Method = Literal["bca", "percentile", "basic", "studentized"]


@procedure(question=ONE_METHOD, assumes=ASSUMES, references=(DICICCIO_EFRON_1996, EFRON_1987, EFRON_TIBSHIRANI_1993))
def bootstrap_interval(
    values: npt.ArrayLike,
    *,
    statistic: Statistic = np.mean,
    method: Method = "bca",
    standard_error: Statistic | None = None,
    replicates: int = 9999,
    seed: int = 0,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    quantity: str = "",
) -> Interval:
    r"""Bootstrap interval for any statistic of independent values, such as a median, a trimmed mean or a ratio.

    The values are resampled with replacement ``replicates`` times, and the statistic is computed on each resample. With
    :math:`G^{-1}(\alpha)` the quantile of these replicates and :math:`\hat\theta` the statistic of the values
    themselves, ``method`` is one of:

    - ``bca`` (default): :math:`G^{-1}` at
      :math:`\Phi\!\left(z_0 + \frac{z_0 + z_\alpha}{1 - a(z_0 + z_\alpha)}\right)`, :math:`z_0` from the share of
      replicates below :math:`\hat\theta` (equal ones count half) and the acceleration a from the jackknife. It corrects
      for bias and for a variance that changes with the statistic, and is second-order accurate.
    - ``percentile``: from :math:`G^{-1}(\alpha/2)` to :math:`G^{-1}(1 - \alpha/2)`.
    - ``basic``: the percentile interval reflected at the estimate, from
      :math:`2\hat\theta - G^{-1}(1 - \alpha/2)` to :math:`2\hat\theta - G^{-1}(\alpha/2)`.
    - ``studentized``: :math:`\hat\theta - \widehat{se}\, q_{1-\alpha/2}` with q the quantile of
      :math:`(\theta^* - \hat\theta)/se^*`. It needs ``standard_error``, a function with the arguments of ``statistic``
      (for the mean it is built in). It is the most accurate for means, and unstable for correlations and the like.

    ``statistic(resamples, axis=-1)`` gets many resamples at a time, as the rows of an array; ``np.median`` is one, and
    you may write your own. For up to 8 values all resamples are listed with their probabilities and nothing is random
    (except for ``studentized``, which always draws). For more values a note gives the Monte Carlo error of the bounds.
    A statistic that has the same value on all resamples has no interval: the bounds are nan, with a note.

    The bootstrap is for many values. For fewer than about 20 all of these intervals are too narrow, ``studentized``
    least; a note says so for the others. **Do not use it for scores over folds**, which are not independent; see
    :func:`cv_interval`. For measures of predictions see :func:`measure_interval`.

    References: Efron (1987), doi:10.1080/01621459.1987.10478410; Efron & Tibshirani (1993), An Introduction to the
    Bootstrap; DiCiccio & Efron (1996), doi:10.1214/ss/1032280214.

    >>> found = bootstrap_interval([0.80, 0.82, 0.79, 0.90, 0.85], statistic=np.median, method="percentile")
    >>> print(found)
    median 0.8200, 95 % interval [0.7900, 0.9000] (percentile bootstrap)
    5 values: bootstrap intervals from fewer than 20 are often too narrow
    """
    check_alternative(alternative)
    check_level(level)
    check_replicates(replicates, seed)
    x = sample(values)
    if len(x) < 2:
        raise InputError(f"values must hold at least two numbers, since resamples of one are all equal, got {len(x)}")
    if not is_one_of(method, (*METHODS, "studentized")):
        raise UnknownName.among("bootstrap interval", method, (*METHODS, "studentized"))
    quantity = quantity or getattr(statistic, "__name__", "statistic").replace("<lambda>", "statistic")
    estimate = float(_per_row(statistic, x[None, :])[0])
    if method == "studentized":
        error = _standard_error(statistic, standard_error)
        return _studentized(x, statistic, error, estimate, replicates, seed, alternative, level, quantity)
    found = _replicates(x, statistic, replicates, seed)
    if found.values[0] == found.values[-1]:
        return Interval(quantity, estimate, math.nan, math.nan, level, METHODS[method], (SAME_ON_ALL,))
    corrections = Corrections(0.0, 0.0)
    if method == "bca":
        corrections = Corrections.of(found, estimate, acceleration(_leave_one_out(x, statistic)))
    bounds = bootstrap_bounds(found, estimate, method, level, alternative, corrections)
    notes = (*small_sample_notes(len(x), "value"), *monte_carlo_notes(found, level, alternative))
    return Interval(quantity, estimate, *bounds, level, METHODS[method], notes)


def _per_row(statistic: Statistic, rows: FloatArray) -> FloatArray:
    """The statistic of each row, checked."""
    try:
        with np.errstate(all="ignore"):  # undefined values are refused below
            found = np.asarray(statistic(rows, axis=-1), dtype=np.float64)
    except TypeError as error:
        raise InputError(
            f"statistic must take an array of resamples (rows) and axis=-1, like np.median, but raises: {error}"
        ) from error
    if found.shape != rows.shape[:1]:
        raise InputError(
            f"statistic must return one number for each of {rows.shape[0]} rows, got an array of shape {found.shape}"
        )
    undefined = int((~np.isfinite(found)).sum())
    if undefined:
        raise InputError(
            f"statistic must be a finite number on every resample, but {part_of(undefined, len(found), 'value')} "
            f"{verb(undefined, 'is', 'are')} not"
        )
    return found


LISTED = 8  # values: all of their resamples, at most 6,435 different ones, are listed


def _replicates(x: FloatArray, statistic: Statistic, replicates: int, seed: int) -> Replicates:
    n = len(x)
    if n <= LISTED:
        rows = np.array(list(combinations_with_replacement(range(n), n)))
        counts = (rows[:, :, None] == np.arange(n)).sum(axis=1)
        shares = np.exp(gammaln(n + 1) - gammaln(counts + 1).sum(axis=1) - n * math.log(n))
        return Replicates.listed(_per_row(statistic, x[rows]), shares / shares.sum())
    random = np.random.default_rng(seed)
    parts = [_per_row(statistic, x[random.integers(0, n, (b, n))]) for b in chunks(replicates, n)]
    return Replicates.of(np.concatenate(parts))


def _leave_one_out(x: FloatArray, statistic: Statistic) -> FloatArray:
    """The statistic with each value left out in turn, or each of 1,000 groups of about equal size."""
    n = len(x)
    if n <= MOST_GROUPS:
        rest = x[(np.arange(1, n) + np.arange(n)[:, None]) % n]
        return _per_row(statistic, rest)
    size = n // MOST_GROUPS
    shuffled = np.random.default_rng(n).permutation(x)[: size * MOST_GROUPS]
    groups = shuffled.reshape(MOST_GROUPS, size)
    return np.array([_per_row(statistic, np.delete(groups, g, axis=0).reshape(1, -1))[0] for g in range(MOST_GROUPS)])


def _standard_error(statistic: Statistic, given: Statistic | None) -> Statistic:
    if given is not None:
        return given
    if statistic is not np.mean:
        raise InputError(
            "method 'studentized' needs standard_error, a function with the arguments of statistic, "
            "unless the statistic is np.mean; give one or use 'bca'"
        )
    return lambda rows, axis: np.std(rows, axis=axis, ddof=1) / math.sqrt(rows.shape[axis])


def _studentized(
    x: FloatArray,
    statistic: Statistic,
    standard_error: Statistic,
    estimate: float,
    replicates: int,
    seed: int,
    alternative: Alternative,
    level: float,
    quantity: str,
) -> Interval:
    random, n = np.random.default_rng(seed), len(x)
    own = float(_per_row(standard_error, x[None, :])[0])
    distances, errors = [], []
    for b in chunks(replicates, n):
        rows = x[random.integers(0, n, (b, n))]
        distances.append(_per_row(statistic, rows) - estimate)
        errors.append(_per_row(standard_error, rows))
    distance, error = np.concatenate(distances), np.concatenate(errors)
    usable = error > 0  # a resample that repeats a single value has a standard error of 0
    name = "studentized bootstrap"
    if own == 0 or not usable.any():
        note = "all values are equal: their variance is zero, and there is no interval"
        return Interval(quantity, estimate, math.nan, math.nan, level, name, (note,))
    found = Replicates.of(estimate - own * distance[usable] / error[usable])
    if found.values[0] == found.values[-1]:
        return Interval(quantity, estimate, math.nan, math.nan, level, name, (SAME_ON_ALL,))
    tail = tail_share(level, alternative)
    low = -math.inf if alternative == "less" else found.low(tail)
    high = math.inf if alternative == "greater" else found.high(tail)
    without = int((~usable).sum())
    note = f"{plural(without, 'resample')} with a standard error of 0 {verb(without, 'was', 'were')} left out"
    dropped = (note,) if without else ()
    return Interval(
        quantity, estimate, low, high, level, name, (*monte_carlo_notes(found, level, alternative), *dropped)
    )
