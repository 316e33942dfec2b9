"""The area under the ROC curve on resamples: instances are sorted once, and each resample changes their weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairtrial.errors import InputError
from fairtrial.stats.distributions.placements import placements
from fairtrial.stats.distributions.replicates import chunks, resample_counts, resample_places
from fairtrial.stats.distributions.resampled_measures import ModelPredictions
from fairtrial.stats.score_arrays import BoolArray, FloatArray, IntArray
from fairtrial.words import part_of


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The ranking of the instances by one model: negatives in ascending order, and each positive's position among them.

    For each positive, ``below`` is the number of negatives that score lower, and ``upto`` of those that score at most
    as high; ``upto`` is None if there are no ties. ``negatives`` sorts the negatives; it is None if they are already
    sorted.
    """

    negatives: IntArray | None
    below: IntArray
    upto: IntArray | None

    @classmethod
    def of(cls, up: FloatArray, down: FloatArray) -> Order:
        """The ranking from the scores of the positives and of the negatives, in the order in which they are counted."""
        counted = bool((down[1:] >= down[:-1]).all())
        negatives = None if counted else np.argsort(down)
        down = down if negatives is None else down[negatives]
        below, upto = np.searchsorted(down, up, "left"), np.searchsorted(down, up, "right")
        return cls(negatives, below, upto if (below != upto).any() else None)

    def areas(self, drawn: IntArray, starts: IntArray, of_negatives: IntArray) -> FloatArray:
        """The number of correctly ordered pairs in each replicate.

        ``drawn`` are the positives of all replicates, ``starts`` the positions at which a replicate begins, and
        ``of_negatives`` the number of times that each negative was drawn.
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
    """The areas under the ROC curve of one or more models on the same instances.

    Positives and negatives are sorted by the scores of the first model, which makes lookups for this model fast: its
    counts need no reordering, and positives with similar positions are next to each other.
    """

    positive: BoolArray
    scores: tuple[FloatArray, ...]
    orders: tuple[Order, ...]

    @classmethod
    def of(cls, models: ModelPredictions) -> Areas:
        """The areas of these models, whose predictions are scores."""
        focus = models.n_classes - 1 if models.positive is None else models.positive
        positive = np.asarray(models.truth == focus)
        if not 0 < positive.sum() < len(positive):
            raise InputError(
                "truth must hold positives and negatives, "
                f"got {part_of(int(positive.sum()), len(positive), 'positive instance')}"
            )
        scores = tuple(np.asarray(m, dtype=np.float64) for m in models.models)
        base = tuple(np.argsort(scores[0][chosen]) for chosen in (positive, ~positive))
        orders = tuple(Order.of(s[positive][base[0]], s[~positive][base[1]]) for s in scores)
        return cls(positive, scores, orders)

    def observed(self) -> FloatArray:
        return np.array([placements(self.positive, scores).area for scores in self.scores])

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        n, m = len(self.positive), int(self.positive.sum())
        parts = []
        for b in chunks(count, n):
            ups = random.binomial(n, m / n, b)  # the number of positives in each replicate
            drawn = resample_places(random, m, b, ups)
            starts = np.minimum(np.cumsum(ups) - ups, max(len(drawn) - 1, 0))
            down = resample_counts(random, n - m, b, n - ups)
            pairs = ups * (n - ups) * 1.0
            pairs[pairs == 0] = np.nan  # a resample with only one class has no area
            if len(drawn):
                parts.append(np.column_stack([order.areas(drawn, starts, down) / pairs for order in self.orders]))
            else:
                parts.append(np.full((b, len(self.orders)), np.nan))
        return np.concatenate(parts)

    def leave_one_out(self) -> tuple[FloatArray, FloatArray]:
        n, columns = len(self.positive), []
        for scores in self.scores:
            found, left_out = placements(self.positive, scores), np.empty(n)
            for chosen, own in ((self.positive, found.of_positives), (~self.positive, found.of_negatives)):
                k = len(own)
                left_out[chosen] = (k * found.area - own) / (k - 1) if k > 1 else np.nan
            columns.append(left_out)
        return np.column_stack(columns), np.ones(n)

    def count_differing(self) -> int:
        first, second = self.scores
        return int((first != second).sum())
