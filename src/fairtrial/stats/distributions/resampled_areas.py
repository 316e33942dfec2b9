"""The area under the ROC curve on resamples: sorted once, re-weighed each time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairtrial.errors import InputError
from fairtrial.stats.distributions.placements import placements
from fairtrial.stats.distributions.replicates import chunks, resample_counts, resample_places
from fairtrial.stats.distributions.resampled_measures import Compared
from fairtrial.stats.score_arrays import BoolArray, FloatArray, IntArray

__all__ = ["Areas"]


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """How one model ranks: its negatives in ascending order, and how many of them each positive passes.

    ``below`` counts the negatives that score lower, ``upto`` those that score at most as high; None where both agree.
    ``negatives`` gives the order; None where it is that in which they are counted.
    """

    negatives: IntArray | None
    below: IntArray
    upto: IntArray | None

    @classmethod
    def of(cls, up: FloatArray, down: FloatArray) -> Order:
        """From the scores of positives and negatives, in the order in which they are counted."""
        counted = bool((down[1:] >= down[:-1]).all())
        negatives = None if counted else np.argsort(down)
        down = down if negatives is None else down[negatives]
        below, upto = np.searchsorted(down, up, "left"), np.searchsorted(down, up, "right")
        return cls(negatives, below, upto if (below != upto).any() else None)

    def areas(self, drawn: IntArray, starts: IntArray, of_negatives: IntArray) -> FloatArray:
        """Pairs in order in each replicate, from the positives drawn and how often each negative was.

        ``starts`` says where among those drawn a replicate begins.
        """
        down = of_negatives if self.negatives is None else of_negatives.take(self.negatives, axis=1)
        passed = np.zeros((len(down), down.shape[1] + 1), dtype=np.int64)
        np.cumsum(down, axis=1, out=passed[:, 1:])
        lower = passed.take(self.below, axis=1)
        if self.upto is not None:
            lower += passed.take(self.upto, axis=1)
        sums = np.add.reduceat(lower.ravel().take(drawn), starts)
        return np.asarray(sums / (1 if self.upto is None else 2))


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """Areas of one or more models on the same instances.

    Positives and negatives are counted in the order of the first model, so that its counts need no shuffling and
    those who pass about as many negatives stand together.
    """

    positive: BoolArray
    scores: tuple[FloatArray, ...]
    orders: tuple[Order, ...]

    @classmethod
    def of(cls, these: Compared) -> Areas:
        focus = these.n_classes - 1 if these.positive is None else these.positive
        positive = np.asarray(these.truth == focus)
        if not 0 < positive.sum() < len(positive):
            raise InputError(f"truth must hold positives and negatives, got {positive.sum()} of {len(positive)}")
        scores = tuple(np.asarray(m, dtype=np.float64) for m in these.models)
        base = tuple(np.argsort(scores[0][chosen]) for chosen in (positive, ~positive))
        orders = tuple(Order.of(s[positive][base[0]], s[~positive][base[1]]) for s in scores)
        return cls(positive, scores, orders)

    def observed(self) -> FloatArray:
        return np.array([placements(self.positive, scores).area for scores in self.scores])

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        n, m = len(self.positive), int(self.positive.sum())
        parts = []
        for b in chunks(count, n):
            ups = random.binomial(n, m / n, b)  # so many positives
            drawn = resample_places(random, m, b, ups)
            starts = np.minimum(np.cumsum(ups) - ups, max(len(drawn) - 1, 0))
            down = resample_counts(random, n - m, b, n - ups)
            pairs = ups * (n - ups) * 1.0
            pairs[pairs == 0] = np.nan  # a resample of one class alone has no area
            if len(drawn):
                parts.append(np.column_stack([order.areas(drawn, starts, down) / pairs for order in self.orders]))
            else:
                parts.append(np.full((b, len(self.orders)), np.nan))
        return np.concatenate(parts)

    def without_each(self) -> tuple[FloatArray, FloatArray]:
        n, columns = len(self.positive), []
        for scores in self.scores:
            found, left_out = placements(self.positive, scores), np.empty(n)
            for chosen, own in ((self.positive, found.of_positives), (~self.positive, found.of_negatives)):
                k = len(own)
                left_out[chosen] = (k * found.area - own) / (k - 1) if k > 1 else np.nan
            columns.append(left_out)
        return np.column_stack(columns), np.ones(n)

    def differing(self) -> int:
        first, second = self.scores
        return int((first != second).sum())
