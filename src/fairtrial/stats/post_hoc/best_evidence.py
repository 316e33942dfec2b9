"""What comparisons with the best are made from: for all pairs of methods leads, residuals, own tests and ends."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit

from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.distributions.signed_rank import (
    SignedRanks,
    agree_at_zero,
    rank_bounds,
    untied_below,
    walsh_sums_in_rows,
)
from fairtrial.stats.over_datasets.wilcoxon import EXACT_PAIRS
from fairtrial.stats.post_hoc.wilcoxon_matrix import wilcoxon_matrix
from fairtrial.stats.score_arrays import (
    Differences,
    FloatArray,
    IntArray,
    PairDifferences,
    blocks_of_rows,
    differences,
    doubled_ranks_in_rows,
    pair_differences,
)

SMALLEST = 1e-12  # of a difference of means: an end at zero that a test has excluded is moved off by it


@dataclass(frozen=True, slots=True, eq=False)
class TypicalLeads:
    """Typical leads (pseudo-medians) of methods (rows) over others (columns), with doubled signed-rank sums.

    ``statistics`` and ``p`` are those of each pair's own test. ``spread`` is the standard deviation of a statistic
    under its null hypothesis over that without ties. ``residuals`` has the signed ranks of pairs (rows) on data sets
    (columns), and ``residual_spread`` the same ratio of their flipped sums. A statistic is at most ``most``.
    """

    pairs: PairDifferences
    n: int
    statistics: FloatArray
    estimates: FloatArray
    p: FloatArray
    spread: FloatArray
    residuals: FloatArray
    residual_spread: FloatArray
    most: float
    tolerance: float = 0.5

    @classmethod
    def of(cls, columns: FloatArray) -> TypicalLeads:
        """The evidence of scores of methods (rows), larger ones being better."""
        k, n = columns.shape
        pairs = pair_differences(columns)
        totals, estimates, spread, residual_spread = np.empty((4, len(pairs.whole)))
        ranks = np.empty(pairs.whole.shape, dtype=np.float32 if n * (n + 1) < 2**24 else np.float64)
        count = n * (n + 1) // 2
        for block in blocks_of_rows(len(ranks), n):
            whole = pairs.whole[block]
            signed = _signed_ranks(whole)
            total, sums = signed.sum(axis=1), whole.sum(axis=1)
            turn = np.where(np.where(total == 0, sums, total) < 0, -1, 1)  # the order of the two must not matter
            turned = turn[:, None] * whole
            lower, upper = walsh_sums_in_rows(turned, (count + 1) // 2, count // 2 + 1)
            # none is zero and no two are opposite, as in joint flips; where all are equal nothing can be flipped
            residuals = np.where(whole.any(axis=1), turn, 0)[:, None] * _signed_ranks(
                4 * turned - 2 * lower[:, None] - 1
            )
            ranks[block], totals[block] = residuals, total
            estimates[block] = pairs.in_scores(turn * (lower + upper) / 4, block)
            spread[block], residual_spread[block] = (
                np.sqrt((r.astype(np.float64) ** 2).sum(axis=1) / _variance(n)) for r in (signed, residuals)
            )
        return cls(
            pairs=pairs,
            n=n,
            statistics=_of_pairs(totals, k, -1),
            estimates=_of_pairs(estimates, k, -1),
            p=wilcoxon_matrix(columns.T, zeros="pratt"),
            spread=_of_pairs(spread, k),
            residuals=ranks,
            residual_spread=residual_spread,
            most=float(n * (n + 1)),
        )

    def border(self, alpha: float) -> float:
        """A statistic without ties above which a pair's own two-sided test rejects, and below which it does not."""
        return rank_border(self.n, alpha)

    def own_p(self, statistics: FloatArray) -> FloatArray:
        """The two-sided p-values of these statistics without ties; 1 of negative ones."""
        if self.n > EXACT_PAIRS:
            return np.asarray(np.minimum(2 * ndtr(-statistics / math.sqrt(_variance(self.n))), 1.0))
        below, exponent = untied_below(self.n)
        rest = np.ceil((self.most - statistics) / 4 - 0.25).astype(np.int64)  # the smaller rank sum
        tail = np.ldexp(below[np.clip(rest, 0, len(below) - 1)], exponent - self.n)
        return np.where(rest < 0, 0.0, np.where(rest < len(below), np.minimum(2 * tail, 1.0), 1.0))

    def own_ends(self, i: int, j: int, level: float) -> tuple[float, float]:
        """The interval of the pair's own test, for the lead of i over j."""
        rows, signs = self.pairs.with_method(i)
        place = j - (j > i)
        d = Differences(signs[place] * self.pairs.whole[rows[place]], int(self.pairs.exponents[rows[place]]))
        low, high = (d.value(end) for end in rank_bounds(d.whole, level, "two-sided", exact=self.n <= EXACT_PAIRS))
        rejected = bool(self.p[i, j] < 1 - level)
        return agree_at_zero((low, high), rejected=rejected, positive=self.statistics[i, j] > 0, least=d.value(0.25))

    def ends(self, i: int, critical: float) -> tuple[FloatArray, FloatArray]:
        """The smallest and largest lead of i over each other whose statistic does not exceed the critical value."""
        others = np.delete(np.arange(len(self.statistics)), i)
        count = self.n * (self.n + 1) // 2
        first = math.ceil((count - critical / 2) / 2) if math.isfinite(critical) else 0
        if first <= 0:
            return np.full(len(others), -math.inf), np.full(len(others), math.inf)
        rows, signs = self.pairs.with_method(i)
        sums = walsh_sums_in_rows(signs[:, None] * self.pairs.whole[rows], first, count - first + 1)
        low, high = (self.pairs.in_scores(end / 2, rows) for end in sums)
        least = self.pairs.in_scores(np.full(len(rows), 0.25), rows)
        return _agree_at_zero(low, high, self.statistics[i, others], critical, least)


@dataclass(frozen=True, slots=True, eq=False)
class MeanLeads:
    """Leads of means, as typical ones.

    A statistic is a sum over the root of its sum of squares, of which t is a growing function.
    """

    n: int
    statistics: FloatArray
    estimates: FloatArray
    p: FloatArray
    errors: FloatArray
    residuals: FloatArray
    most: float
    tolerance: float = 1e-9

    @classmethod
    def of(cls, columns: FloatArray) -> MeanLeads:
        """The evidence of scores of methods (rows), larger ones being better."""
        k, n = columns.shape
        statistics, estimates, errors = np.zeros((k, k)), np.zeros((k, k)), np.zeros((k, k))
        same = np.zeros((k, k), dtype=np.bool_)
        residuals = np.zeros((k * (k - 1) // 2, n))
        for row, (i, j) in enumerate(all_pairs(k)):
            d = differences(columns[i], columns[j])
            values = d.values()
            unit = float(np.abs(values).max()) or 1.0  # squares of large and of tiny differences are no numbers
            values /= unit
            mean, squares = float(values.mean()), float((values * values).sum())
            statistics[i, j] = n * mean / math.sqrt(squares) if squares else 0.0
            estimates[i, j] = unit * mean
            same[i, j] = same[j, i] = bool((d.whole == d.whole[0]).all())
            if not same[i, j]:
                values -= mean
                rest = float((values * values).sum())
                residuals[row] = values / math.sqrt(rest)
                errors[i, j] = errors[j, i] = unit * math.sqrt(rest / (n * (n - 1)))
        estimates = estimates - estimates.T
        t = np.divide(np.abs(estimates), errors, out=np.zeros_like(errors), where=errors > 0)
        constant = np.where(estimates == 0, 1.0, 2.0 ** (1 - n))
        p = np.where(same, constant, 2 * stdtr(n - 1, -t))
        return cls(n, statistics - statistics.T, estimates, p, errors, residuals, math.sqrt(n))

    @property
    def spread(self) -> FloatArray:
        return np.ones_like(self.statistics)

    @property
    def residual_spread(self) -> FloatArray:
        return np.ones(len(self.residuals))

    def border(self, alpha: float) -> float:
        return mean_border(self.n, alpha)

    def own_p(self, statistics: FloatArray) -> FloatArray:
        return np.where(statistics > 0, 2 * stdtr(self.n - 1, -_as_t(np.maximum(statistics, 0.0), self.n)), 1.0)

    def own_ends(self, i: int, j: int, level: float) -> tuple[float, float]:
        low, high = self.ends(i, self.border(1 - level))
        return float(low[j - (j > i)]), float(high[j - (j > i)])

    def ends(self, i: int, critical: float) -> tuple[FloatArray, FloatArray]:
        others = np.delete(np.arange(len(self.statistics)), i)
        if critical >= self.most:
            return np.full(len(others), -math.inf), np.full(len(others), math.inf)
        lead, reach = self.estimates[i, others], _as_t(np.array(critical), self.n) * self.errors[i, others]
        statistics = np.copysign(self.statistics[i, others], lead)
        return _agree_at_zero(lead - reach, lead + reach, statistics, critical, SMALLEST * np.abs(lead))


Evidence = TypicalLeads | MeanLeads


def rank_border(n: int, alpha: float) -> float:
    """The border of the doubled signed-rank sum of n differences without ties, which no sum is near."""
    ranks = SignedRanks(2 * np.arange(1, n + 1), 0, n * (n + 1))
    smaller = ranks.critical(alpha / 2, exact=n <= EXACT_PAIRS)
    return float(n * (n + 1) - (2 * smaller + 1 if smaller >= 0 else -1))


def mean_border(n: int, alpha: float) -> float:
    """The border of the sum over the root of the sum of squares, from that of t."""
    t = -float(stdtrit(n - 1, alpha / 2))
    return t * math.sqrt(n / (n - 1 + t * t))


def _signed_ranks(whole: IntArray) -> IntArray:
    """The doubled midranks of the sizes in each row, with their signs; 0 has none."""
    return doubled_ranks_in_rows(np.abs(whole)) * np.sign(whole)


def _of_pairs(values: FloatArray, k: int, below: int = 1) -> FloatArray:
    """The values of all pairs as a matrix, which below its diagonal has them times ``below``."""
    matrix = np.zeros((k, k))
    matrix[np.triu_indices(k, 1)] = values
    return matrix + below * matrix.T


def _agree_at_zero(
    low: FloatArray, high: FloatArray, leads: FloatArray, critical: float, least: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """:func:`agree_at_zero` of many bounds."""
    ends = [
        agree_at_zero((a, b), rejected=abs(lead) > critical, positive=lead > 0, least=smallest)
        for a, b, lead, smallest in zip(low.tolist(), high.tolist(), leads.tolist(), least.tolist(), strict=True)
    ]
    lows, highs = np.array(ends).reshape(-1, 2).T
    return lows, highs


def _as_t(statistics: FloatArray, n: int) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(statistics * np.sqrt((n - 1) / np.maximum(n - statistics**2, 0)))


def _variance(n: int) -> float:
    """The variance of a doubled signed-rank sum without ties."""
    return 4 * n * (n + 1) * (2 * n + 1) / 6
