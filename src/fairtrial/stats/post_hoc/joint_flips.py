"""Joint sign flips of whole rows: the null distribution of many signed-rank statistics at once.

Where the differences between methods are symmetric about their pseudo-medians, a data set's row of residuals is as
likely as the same row with all its signs turned. Flipping whole rows keeps the dependence between the pairs of methods,
so that the largest statistic of all pairs has one critical value, without the loss of Bonferroni's or Holm's
adjustment.

Joint sign flips of the differences of means: the largest of many t statistics at once.

Flipping the signs of whole rows keeps the dependence between methods, and the tails of their differences. The statistic
of a pair is its sum over the root of its sum of squares, which a flip does not change; t is a growing function of it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.distributions.signed_rank import walsh_sums_in_rows
from fairtrial.stats.score_arrays import Differences, FloatArray, IntArray, differences, doubled_midranks, random_draws

EXACT_ROWS = 13  # up to so many data sets all 2ⁿ flips are counted
DRAWS = 9_999
MORE_DRAWS = 99_999  # where a p-value lies too near to the border to be decided by fewer
NEAR = 3  # Monte Carlo standard errors
AT_ONCE = 20_000_000  # random signs and sums in one block: 80 MB
CACHED = 512  # flips whose sums are looked at together, while they are near the processor


@functools.cache
def _libraries() -> Any:
    """The libraries of linear algebra in this process, which are looked for once."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Products in one thread: they are small, and several threads wait for each other beside a busy core."""
    with _libraries().limit(limits=1, user_api="blas"):
        yield


@dataclass(frozen=True, slots=True)
class Family:
    """Pairs (columns) that are tested together: on both sides, or each on the side that its sign names."""

    columns: IntArray
    signs: IntArray | None = None

    def statistics(self, sums: FloatArray) -> FloatArray:
        """The statistics of the family from the signed-rank sums of all pairs, in the last axis."""
        own = sums[..., self.columns]
        return np.abs(own) if self.signs is None else own * self.signs.astype(own.dtype)

    def largest(self, sums: FloatArray) -> FloatArray:
        """The largest statistic under each flip (column), from the signed-rank sums of all pairs (rows)."""
        up = self.columns if self.signs is None else self.columns[self.signs > 0]
        down = self.columns if self.signs is None else self.columns[self.signs < 0]
        ends = [sums[up].max(axis=0)] if len(up) else []
        ends += [-sums[down].min(axis=0)] if len(down) else []
        return np.asarray(np.maximum.reduce(ends))


@dataclass(frozen=True, slots=True)
class Maxima:
    """The largest statistic of a family under each flip, in ascending order.

    ``exact``: all flips are counted. Otherwise flips are random draws, and the observed signs count as one more.
    Statistics that differ by less than ``tolerance`` are equal; signed-rank sums are whole numbers.
    """

    values: FloatArray
    exact: bool
    tolerance: float = 0.5

    def p(self, statistic: float) -> float:
        """The share of flips whose largest statistic is at least ``statistic``."""
        reached = len(self.values) - int(np.searchsorted(self.values, statistic - self.tolerance))
        return reached / len(self.values) if self.exact else (reached + 1) / (len(self.values) + 1)

    @property
    def floor(self) -> float:
        """The smallest p-value that random draws can give; 0 where all flips are counted."""
        return 0.0 if self.exact else 1 / (len(self.values) + 1)

    def p_error(self, p: float) -> float:
        """The Monte Carlo standard error of a p-value; 0 where all flips are counted."""
        return 0.0 if self.exact else math.sqrt(p * (1 - p) / (len(self.values) + 1))

    def critical(self, alpha: float) -> float:
        """The largest statistic whose p-value is not below ``alpha``; larger ones are significant."""
        reached = alpha * len(self.values) if self.exact else alpha * (len(self.values) + 1) - 1
        needed = math.ceil(reached - 1e-9)
        return float(self.values[-needed]) if needed > 0 else math.inf


@dataclass(frozen=True, slots=True)
class JointFlips:
    """The signed ranks of the residuals of pairs (columns) on data sets (rows), doubled to keep ties whole."""

    ranks: FloatArray
    seed: int = 0
    draws: int = DRAWS

    @property
    def exact(self) -> bool:
        """Whether all flips are counted."""
        return len(self.ranks) <= EXACT_ROWS

    @one_thread()
    def maxima(self, families: Sequence[Family]) -> list[Maxima]:
        """The distribution of the largest statistic of each family."""
        found: list[list[FloatArray]] = [[] for _ in families]
        ranks = np.ascontiguousarray(self.ranks.T)
        for flips in sign_flips(*self.ranks.shape, seed=self.seed, draws=self.draws):
            for start in range(0, len(flips), CACHED):
                sums = ranks @ flips[start : start + CACHED].T.astype(ranks.dtype)
                for family, blocks in zip(families, found, strict=True):
                    blocks.append(family.largest(sums))
        return [Maxima(np.sort(np.concatenate(blocks)).astype(np.float64), self.exact) for blocks in found]

    def decided(self, families: Sequence[Family], sums: FloatArray, alpha: float) -> list[Maxima]:
        """The distributions, from ten times as many flips where a p-value lies within three errors of ``alpha``."""
        found = self.maxima(families)
        if self.exact or self.draws >= MORE_DRAWS:
            return found
        p = [(m, m.p(s)) for m, f in zip(found, families, strict=True) for s in f.statistics(sums).tolist()]
        if any(abs(value - alpha) < NEAR * maxima.p_error(alpha) for maxima, value in p):
            return replace(self, draws=MORE_DRAWS).maxima(families)
        return found


def sign_flips(n: int, columns: int, *, seed: int, draws: int) -> Iterator[IntArray]:
    """Rows of n signs, all of them for few rows, else random ones; in blocks whose ``columns`` sums fit into memory."""
    if n <= EXACT_ROWS:
        yield 1 - 2 * (np.arange(2**n)[:, None] >> np.arange(n) & 1)
        return
    generator = random_draws(draws, seed)
    size = max(AT_ONCE // max(columns, n), 1)
    for done in range(0, draws, size):
        bits = generator.integers(0, 2, (min(size, draws - done), n), dtype=np.int8)
        yield np.asarray(1 - 2 * bits)


def joint_flips(pairs: Sequence[Differences], *, seed: int = 0, draws: int = DRAWS) -> JointFlips:
    """The joint flips of the residuals of these differences, one for each pair of methods."""
    ranks = np.column_stack([_residual_ranks(d.whole) for d in pairs])
    small = np.abs(ranks).sum(axis=0).max() < 2**24  # whole numbers that single precision holds
    return JointFlips(ranks.astype(np.float32 if small else np.float64), seed, draws)


def _residual_ranks(d: IntArray) -> IntArray:
    """Doubled signed ranks of the differences less their pseudo-median.

    The residuals are taken just above the middle Walsh average, where none is zero and no two are opposite: these would
    come from the estimate alone.
    """
    residuals = 4 * d - 2 * walsh_sums(d, (len(d) * (len(d) + 1) // 2 + 1) // 2)[0] - 1
    return doubled_midranks(np.abs(residuals)) * np.sign(residuals)


def walsh_sums(d: IntArray, *positions: int) -> list[int]:
    """The sums of two differences (or twice one) at these positions from below, counted from 1."""
    return [int(found) for (found,) in walsh_sums_in_rows(d[None], *positions)]


def signed_sum(d: IntArray) -> int:
    """The doubled signed-rank sum of the differences themselves; zeros are ranked and have no sign.

    It is twice the number of positive Walsh averages less the negative ones, and so agrees with intervals whose limits
    are Walsh averages.
    """
    return int((doubled_midranks(np.abs(d)) * np.sign(d)).sum())


SAME = 1e-9  # statistics that differ by less are equal: the rest is rounding


@dataclass(frozen=True, slots=True)
class MeanFlips:
    """Scores of methods (columns) on data sets (rows), larger ones being better, and what follows for each pair.

    ``lead[m, j]`` is the sum of the differences by which j is ahead of m, and ``size[m, j]`` the root of the sum of
    their squares, 0 where all scores of both are equal.
    """

    scores: FloatArray
    lead: FloatArray
    size: FloatArray
    seed: int = 0
    draws: int = DRAWS

    @property
    def exact(self) -> bool:
        """Whether all flips are counted."""
        return len(self.scores) <= EXACT_ROWS

    @property
    def statistics(self) -> FloatArray:
        """For each method (row) the standardised lead of each other one (column); 0 where they are equal."""
        return _over(self.lead, self.size)

    @one_thread()
    def rivals(self) -> list[Maxima]:
        """For each method the distribution of the largest lead of any other under the flips."""
        k = self.scores.shape[1]
        found: list[list[FloatArray]] = [[] for _ in range(k)]
        for flips in sign_flips(*self.scores.shape, seed=self.seed, draws=self.draws):
            sums = flips @ self.scores
            for m in range(k):
                leads = _over(sums - sums[:, [m]], self.size[m])
                found[m].append(np.delete(leads, m, axis=1).max(axis=1))
        return [Maxima(np.sort(np.concatenate(blocks)), self.exact, SAME) for blocks in found]

    def decided(self, alpha: float) -> list[Maxima]:
        """The distributions, from ten times as many flips where a p-value lies within three errors of ``alpha``."""
        found = self.rivals()
        if self.exact or self.draws >= MORE_DRAWS:
            return found
        largest = strongest(self.statistics)
        near = (abs(m.p(s) - alpha) < NEAR * m.p_error(alpha) for m, s in zip(found, largest, strict=True))
        return replace(self, draws=MORE_DRAWS).rivals() if any(near) else found


def mean_flips(scores: FloatArray, *, seed: int = 0, draws: int = DRAWS) -> MeanFlips:
    """The joint flips of all pairs of columns; differences are rounded as everywhere else."""
    k = scores.shape[1]
    lead, size = np.zeros((k, k)), np.zeros((k, k))
    for m, j in all_pairs(k):
        d = differences(scores[:, j], scores[:, m]).values()
        lead[m, j], lead[j, m] = d.sum(), -d.sum()
        unit = np.abs(d).max() or 1.0  # squares of large and of tiny differences are no numbers
        size[m, j] = size[j, m] = unit * np.sqrt(((d / unit) ** 2).sum())
    return MeanFlips(scores, lead, size, seed, draws)


def strongest(statistics: FloatArray) -> list[float]:
    """For each method (row) the largest statistic of any other."""
    return [float(np.delete(row, m).max()) for m, row in enumerate(statistics)]


def _over(lead: FloatArray, size: FloatArray) -> FloatArray:
    return np.divide(lead, size, out=np.zeros_like(lead), where=size > 0)
