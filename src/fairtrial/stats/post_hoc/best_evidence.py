"""What comparisons with the best are made from: for all pairs of methods leads, residuals, own tests and ends."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit

from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.distributions.signed_rank import SignedRanks, agree_at_zero, rank_bounds, untied_below, walsh_sum
from fairtrial.stats.over_datasets.wilcoxon import EXACT_PAIRS
from fairtrial.stats.post_hoc.wilcoxon_matrix import wilcoxon_matrix
from fairtrial.stats.score_arrays import Differences, FloatArray, IntArray, differences, doubled_midranks

SMALLEST = 1e-12  # of a difference of means: an end at zero that a test has excluded is moved off by it


@dataclass(frozen=True, slots=True, eq=False)
class TypicalLeads:
    """Typical leads (pseudo-medians) of methods (rows) over others (columns), with doubled signed-rank sums.

    ``statistics`` and ``p`` are those of each pair's own test. ``spread`` is the standard deviation of a statistic
    under its null hypothesis over that without ties. ``residuals`` has the signed ranks of pairs (columns) on data sets
    (rows), and ``residual_spread`` the same ratio of their flipped sums. A statistic is at most ``most``.
    """

    pairs: dict[tuple[int, int], Differences]
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
        found = {(i, j): differences(columns[i], columns[j]) for i, j in all_pairs(k)}
        statistics, estimates, spread = np.zeros((k, k)), np.zeros((k, k)), np.zeros((k, k))
        ranks = np.empty((n, len(found)), dtype=np.float32 if n * (n + 1) < 2**24 else np.float64)
        count = n * (n + 1) // 2
        for column, ((i, j), d) in enumerate(found.items()):
            signed = doubled_midranks(np.abs(d.whole)) * np.sign(d.whole)
            total = int(signed.sum())
            turn = -1 if (total or int(d.whole.sum())) < 0 else 1  # the order of the two methods must not matter
            lower, upper = _walsh_sums(turn * d.whole, (count + 1) // 2, count // 2 + 1)
            residuals = 4 * turn * d.whole - 2 * lower - 1  # none is zero and no two are opposite, as in joint flips
            equal = not d.whole.any()  # nothing can be flipped
            ranks[:, column] = 0 if equal else turn * doubled_midranks(np.abs(residuals)) * np.sign(residuals)
            statistics[i, j], estimates[i, j] = total, d.value(turn * (lower + upper) / 4)
            spread[i, j] = spread[j, i] = math.sqrt(float((signed.astype(np.float64) ** 2).sum()) / _variance(n))
        return cls(
            pairs=found,
            n=n,
            statistics=statistics - statistics.T,
            estimates=estimates - estimates.T,
            p=wilcoxon_matrix(columns.T, zeros="pratt"),
            spread=spread,
            residuals=ranks,
            residual_spread=np.sqrt((ranks.astype(np.float64) ** 2).sum(axis=0) / _variance(n)),
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
        d, sign = self._pair(i, j)
        low, high = (
            d.value(end) for end in rank_bounds(sign * d.whole, level, "two-sided", exact=self.n <= EXACT_PAIRS)
        )
        rejected = bool(self.p[i, j] < 1 - level)
        return agree_at_zero((low, high), rejected=rejected, positive=self.statistics[i, j] > 0, least=d.value(0.25))

    def ends(self, i: int, j: int, critical: float) -> tuple[float, float]:
        """The smallest and largest lead of i over j whose statistic does not exceed the critical value."""
        count = self.n * (self.n + 1) // 2
        first = math.ceil((count - critical / 2) / 2) if math.isfinite(critical) else 0
        if first <= 0:
            return -math.inf, math.inf
        d, sign = self._pair(i, j)
        low, high = (d.value(end / 2) for end in _walsh_sums(sign * d.whole, first, count - first + 1))
        lead = self.statistics[i, j]
        return agree_at_zero((low, high), rejected=abs(lead) > critical, positive=lead > 0, least=d.value(0.25))

    def _pair(self, i: int, j: int) -> tuple[Differences, int]:
        return (self.pairs[i, j], 1) if i < j else (self.pairs[j, i], -1)


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
        residuals = np.zeros((n, k * (k - 1) // 2))
        for column, (i, j) in enumerate(all_pairs(k)):
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
                residuals[:, column] = values / math.sqrt(rest)
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
        return np.ones(self.residuals.shape[1])

    def border(self, alpha: float) -> float:
        return mean_border(self.n, alpha)

    def own_p(self, statistics: FloatArray) -> FloatArray:
        return np.where(statistics > 0, 2 * stdtr(self.n - 1, -_as_t(np.maximum(statistics, 0.0), self.n)), 1.0)

    def own_ends(self, i: int, j: int, level: float) -> tuple[float, float]:
        return self.ends(i, j, self.border(1 - level))

    def ends(self, i: int, j: int, critical: float) -> tuple[float, float]:
        if critical >= self.most:
            return -math.inf, math.inf
        lead, reach = float(self.estimates[i, j]), float(_as_t(np.array(critical), self.n) * self.errors[i, j])
        rejected = bool(abs(self.statistics[i, j]) > critical)
        return agree_at_zero(
            (lead - reach, lead + reach), rejected=rejected, positive=lead > 0, least=SMALLEST * abs(lead)
        )


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


def _walsh_sums(d: IntArray, *positions: int) -> list[int]:
    ordered = np.sort(d)
    return [walsh_sum(ordered, position) for position in positions]


def _as_t(statistics: FloatArray, n: int) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(statistics * np.sqrt((n - 1) / np.maximum(n - statistics**2, 0)))


def _variance(n: int) -> float:
    """The variance of a doubled signed-rank sum without ties."""
    return 4 * n * (n + 1) * (2 * n + 1) / 6
