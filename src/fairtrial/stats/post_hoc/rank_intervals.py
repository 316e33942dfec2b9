"""Simultaneous confidence intervals for the ranks of several methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.bibliography import MOGSTAD_2024
from fairtrial.stats.distributions.replicates import resample_counts
from fairtrial.stats.groups import check_magnitude
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.post_hoc.pairwise import PairTest, pairwise
from fairtrial.stats.procedures import POST_HOC, procedure
from fairtrial.stats.score_arrays import BoolArray, FloatArray, ScoreTable, random_draws, score_table

AT_ONCE = 5_000_000  # bootstrap counts in memory at a time: 40 MB


@procedure(question=POST_HOC, assumes="the assumptions of the test of pairs", references=(MOGSTAD_2024,))
def rank_intervals(
    table: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    method: Literal["pairwise", "bootstrap"] = "pairwise",
    test: str | PairTest = "wilcoxon",
    adjust: str = "holm",
    names: Sequence[str] | None = None,
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
) -> tuple[Interval, ...]:
    r"""Simultaneous confidence intervals for the ranks of methods (columns) over data sets (rows); rank 1 is the best.

    .. math:: 1 + \#\{\text{methods found better}\} \;\le\; \text{rank} \;\le\; k - \#\{\text{methods found worse}\}

    The interval of a method holds the ranks that the tests of all pairs do not rule out. All intervals hold together
    with at least this level, since the tests control the family-wise error at 1 − level. They show which methods could
    be the best (those whose interval starts at 1) and whether neighbours in the ranking differ, which an average rank
    with a standard error does not.

    With ``method="pairwise"``, ``test`` and ``adjust`` are as in :func:`pairwise`; the adjusted p-values decide, and
    the effects give the direction. Use an adjustment that controls the family-wise error. ``method="bootstrap"`` is
    about ranks of the **mean scores**: data sets are resampled ``draws`` times, and two methods differ if their
    studentised mean difference exceeds the quantile of the largest deviation of any pair (Mogstad et al. 2024). A note
    gives the Monte Carlo error of that quantile. It needs many data sets and scores on the same scale.

    The estimate is 1 plus the number of methods with a better estimated effect, ties counting half. It always lies in
    the interval. If several methods are equal, the interval of each holds all ranks of their group.

    Reference: Mogstad, Romano, Shaikh & Wilhelm (2024), Review of Economic Studies 91:476-518,
    doi:10.1093/restud/rdad006.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
    >>> for interval in rank_intervals(scores, names=["A", "B", "C"]):
    ...     print(interval)
    rank of A 1.000, 95 % interval [1.000, 1.000] (Wilcoxon signed ranks, holm)
    rank of B 2.000, 95 % interval [2.000, 3.000] (Wilcoxon signed ranks, holm)
    rank of C 3.000, 95 % interval [2.000, 3.000] (Wilcoxon signed ranks, holm)
    """
    check_level(level)
    scores = score_table(table, names)
    notes: tuple[str, ...] = ()
    if method == "pairwise":
        found = pairwise(scores.scores, test=test, adjust=adjust, names=scores.names, level=level)
        gaps = np.zeros((scores.k, scores.k))
        for (i, j), outcome in zip(found.pairs, found.outcomes, strict=True):
            if outcome.effect is None:
                raise InputError(
                    "test must return an Outcome with an effect, whose sign says which method is better, "
                    f"but {test!r} returns none"
                )
            gaps[i, j], gaps[j, i] = outcome.effect.estimate, -outcome.effect.estimate
        different, how = found.different(), f"{found.outcomes[0].test}, {adjust}"
    elif method == "bootstrap":
        gaps, different, notes = _bootstrap(scores, level, draws, seed)
        how = f"bootstrap of means, {draws:,} draws"
    else:
        raise InputError(f"method must be 'pairwise' or 'bootstrap', got {method!r}")
    better = gaps < 0 if higher_is_better else gaps > 0  # [i, j]: j is better than i
    return tuple(
        replace(_interval(name, better, gaps, different, i, level, how), notes=notes)
        for i, name in enumerate(scores.names)
    )


def _interval(
    name: str, better: BoolArray, gaps: FloatArray, different: BoolArray, i: int, level: float, how: str
) -> Interval:
    k = len(better)
    tied = (gaps[i] == 0).sum() - 1
    low = 1 + int((different[i] & better[i]).sum())
    high = k - int((different[i] & ~better[i] & (gaps[i] != 0)).sum())
    return Interval(f"rank of {name}", float(1 + better[i].sum() + tied / 2), float(low), float(high), level, how)


def _bootstrap(
    scores: ScoreTable, level: float, draws: int, seed: int
) -> tuple[FloatArray, BoolArray, tuple[str, ...]]:
    """Mean differences of all pairs, which pairs differ by a bootstrap of the largest deviation, and a note."""
    check_magnitude([scores.scores])
    random, (n, k) = random_draws(draws, seed), scores.scores.shape
    first, second = np.triu_indices(k, 1)
    d = scores.scores[:, first] - scores.scores[:, second]
    mean, error = d.mean(axis=0), d.std(axis=0, ddof=1) / np.sqrt(n)
    usable = error > 1e-12 * np.abs(scores.scores).max(initial=1e-300)
    centred, largest = d[:, usable] - mean[usable], np.zeros(draws)
    at_once = max(AT_ONCE // n, 1)
    for start in range(0, draws if usable.any() else 0, at_once):
        size = min(at_once, draws - start)
        counts = resample_counts(random, n, size) / n
        away = counts @ centred
        spread = np.sqrt(np.maximum(counts @ centred**2 - away**2, 0) / (n - 1))
        ratio = np.divide(np.abs(away), spread, out=np.full(away.shape, np.inf), where=spread > 0)
        largest[start : start + size] = ratio.max(axis=1)
    limit = np.quantile(largest, level, method="higher")
    off = np.sqrt(level * (1 - level) / draws)
    around = np.quantile(largest, np.clip([level - off, level + off], 0, 1), method="higher")
    note = f"critical value {limit:.4g}; one Monte Carlo standard error reaches from {around[0]:.4g} to {around[1]:.4g}"
    apart = usable & (np.abs(mean) > limit * np.where(usable, error, 1.0))  # pairs with zero variance are not tested
    gaps, different = np.zeros((k, k)), np.zeros((k, k), dtype=np.bool_)
    gaps[first, second], gaps[second, first] = mean, -mean
    different[first, second] = different[second, first] = apart
    return gaps, different, (note,)
