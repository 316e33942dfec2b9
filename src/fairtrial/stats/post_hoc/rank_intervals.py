"""Which ranks could each method have? Intervals of ranks that hold for all methods at once."""

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

__all__ = ["rank_intervals"]

AT_ONCE = 5_000_000  # counts drawn: 40 MB


@procedure(question=POST_HOC, assumes="that of the test of pairs", references=(MOGSTAD_2024,))
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
    r"""For each method the ranks that it could have, from tests of all pairs over data sets (rows); 1 is the best.

    .. math:: 1 + \#\{\text{methods found better}\} \;\le\; \text{rank} \;\le\; k - \#\{\text{methods found worse}\}

    As the tests of all pairs together err with a probability of at most 1 − level, all intervals hold at once with at
    least this level. They answer "who could be the best?" (all whose interval starts at 1) and "are neighbours in the
    league table apart at all?", which an average rank with a standard error doesn't.

    ``pairwise``: ``test`` and ``adjust`` as in :func:`pairwise`; the p-values decide, the effects give the direction.
    Use an adjustment that controls the family-wise error. ``bootstrap``: ranks of the **mean scores**; data sets are
    drawn again ``draws`` times, and pairs differ whose studentised mean difference exceeds the quantile of the largest
    deviation of any pair (Mogstad et al. 2024); a note has the Monte Carlo error of that quantile. It holds for many
    data sets, and needs scores on one scale.

    The estimate is 1 + the number of methods whose estimated effect against it is better, ties counting half, so that
    it always lies in the interval. Equal methods share all ranks from first to last of their group.

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
                raise InputError("test must give an effect, whose sign says which method is better; this one has none")
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
    """Mean differences of all pairs, and which of them exceed the quantile of the largest studentised deviation."""
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
    note = f"critical value {limit:.4g}, between {around[0]:.4g} and {around[1]:.4g} within one Monte Carlo error"
    apart = usable & (np.abs(mean) > limit * np.where(usable, error, 1.0))  # without a spread nothing can be said
    gaps, different = np.zeros((k, k)), np.zeros((k, k), dtype=np.bool_)
    gaps[first, second], gaps[second, first] = mean, -mean
    different[first, second] = different[second, first] = apart
    return gaps, different, (note,)
