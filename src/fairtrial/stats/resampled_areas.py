"""The area under the ROC curve on resamples: sorted once, re-weighed each time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairtrial.errors import InputError
from fairtrial.stats.areas import placements
from fairtrial.stats.replicates import chunks, resample_counts
from fairtrial.stats.resampled_measures import Compared
from fairtrial.stats.scores import BoolArray, FloatArray, IntArray

__all__ = ["Areas"]


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """How one model ranks: positives and negatives in ascending order, and how many negatives each positive passes.

    ``below`` counts the negatives that score lower, ``upto`` those that score at most as high; None where both agree.
    ``positives`` and ``negatives`` give the order; None where it is that in which they were counted.
    """

    positives: IntArray | None
    negatives: IntArray | None
    below: IntArray
    upto: IntArray | None

    def areas(self, of_positives: IntArray, of_negatives: IntArray) -> FloatArray:
        """Of pairs, with how often each positive and each negative was drawn in each replicate, those in order."""
        up = of_positives if self.positives is None else of_positives.take(self.positives, axis=1)
        down = of_negatives if self.negatives is None else of_negatives.take(self.negatives, axis=1)
        passed = np.zeros((len(down), down.shape[1] + 1), dtype=np.int64)
        np.cumsum(down, axis=1, out=passed[:, 1:])
        lower = passed.take(self.below, axis=1)
        if self.upto is None:
            return np.asarray(np.einsum("ij,ij->i", up, lower), dtype=np.float64)
        lower += passed.take(self.upto, axis=1)
        return np.asarray(np.einsum("ij,ij->i", up, lower) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """Areas of one or more models on the same instances.

    Positives and negatives are counted in the order of the first model, so that its counts need no shuffling.
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
        if any(np.isnan(s).any() for s in scores):
            raise InputError("scores must be numbers, but some are nan; see why, or drop those instances")
        base = tuple(np.argsort(scores[0][chosen]) for chosen in (positive, ~positive))
        orders = tuple(_order(s[positive][base[0]], s[~positive][base[1]], i == 0) for i, s in enumerate(scores))
        return cls(positive, scores, orders)

    def observed(self) -> FloatArray:
        return np.array([placements(self.positive, scores).area for scores in self.scores])

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        n, m = len(self.positive), int(self.positive.sum())
        parts = []
        for b in chunks(count, n):
            drawn = random.binomial(n, m / n, b)  # so many positives
            up = resample_counts(random, m, b, drawn)
            down = resample_counts(random, n - m, b, n - drawn)
            pairs = drawn * (n - drawn) * 1.0
            pairs[pairs == 0] = np.nan  # a resample of one class alone has no area
            parts.append(np.column_stack([order.areas(up, down) / pairs for order in self.orders]))
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


def _order(up: FloatArray, down: FloatArray, counted: bool) -> Order:
    """From the scores of positives and negatives, in the order in which they are counted."""
    positives, negatives = np.argsort(up), np.argsort(down)
    up, down = up[positives], down[negatives]
    below, upto = np.searchsorted(down, up, "left"), np.searchsorted(down, up, "right")
    tied = bool((below != upto).any())
    return Order(None if counted else positives, None if counted else negatives, below, upto if tied else None)
