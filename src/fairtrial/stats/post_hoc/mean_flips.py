"""Joint sign flips of the differences of means: the largest of many t statistics at once.

Flipping the signs of whole rows keeps the dependence between methods, and the tails of their differences. The statistic
of a pair is its sum over the root of its sum of squares, which a flip does not change; t is a growing function of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.post_hoc.joint_flips import DRAWS, EXACT_ROWS, MORE_DRAWS, NEAR, Maxima, sign_flips
from fairtrial.stats.score_arrays import FloatArray, differences

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
