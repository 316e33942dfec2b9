"""Placements: for each instance, the share of instances of the other class that are ranked on the right side of it.

Their mean is the area under the ROC curve, and their variances give DeLong's variance of the area.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.measures import Folds, Order
from fairtrial.measures import channel_checks as channel
from fairtrial.stats.score_arrays import BoolArray, FloatArray
from fairtrial.words import part_of, quoted


class Placements(NamedTuple):
    """The area under the ROC curve, and the placement of each positive and of each negative."""

    area: float
    of_positives: FloatArray
    of_negatives: FloatArray

    def variance(self) -> float:
        """DeLong's estimate of the variance of the area."""
        total = 0.0
        for own in self[1:]:
            n, centred = len(own), own - self.area
            total += float(centred @ centred) / (n * (n - 1)) if n > 1 else math.nan
        return total

    def difference_variance(self, other: Placements) -> float:
        """DeLong's variance of the difference of two areas on the same instances, from the differences of placements.

        Two variances minus twice the covariance would lose all digits if the rankings hardly differ.
        """
        gaps = Placements(self.area - other.area, self.of_positives - other.of_positives, self[2] - other[2])
        if max(float(np.abs(gap).max()) for gap in gaps[1:]) < 1e-14:
            return 0.0  # the rankings are the same except for rounding errors
        return gaps.variance()


def placements(positive: BoolArray, scores: FloatArray) -> Placements:
    """The placements of all instances, from their classes and their scores (higher for positives).

    >>> placements(np.array([True, False, True, False]), np.array([3.0, 1.0, 2.0, 2.0]))
    Placements(area=0.875, of_positives=array([1.  , 0.75]), of_negatives=array([1.  , 0.75]))
    """
    n, m = len(positive), int(positive.sum())
    order = Order.of(scores, Folds(None, 1, n))
    is_positive, ends = positive.take(order.rows), order.groups.ends
    above = np.cumsum(is_positive, dtype=np.int64)  # the number of positives that score at least as high
    if ends is None:
        right = np.where(is_positive, n - m - np.arange(1, n + 1) + above, above).astype(np.float64)
    else:
        sizes = np.diff(ends, prepend=-1)
        upper = above.take(ends)
        positives_above = upper - np.diff(upper, prepend=0) / 2  # positives with an equal score count half
        negatives_above = (ends + 1 - sizes / 2) - positives_above
        right = np.where(is_positive, n - m - np.repeat(negatives_above, sizes), np.repeat(positives_above, sizes))
    placed = np.empty(n)
    placed[order.rows] = right
    of_positives, of_negatives = placed[positive] / (n - m), placed[~positive] / m
    return Placements(float(of_positives.mean()), of_positives, of_negatives)


def positives(truth: npt.ArrayLike, positive: object) -> BoolArray:
    """Which instances are positive: those of the class ``positive``, or of the last of two classes. Both must occur."""
    channel.one_length({"truth": truth})
    array = np.asarray(truth)
    if array.ndim == 1 and array.dtype.kind == "b" and positive is None:
        found = array
    elif array.ndim == 1 and array.size and array.dtype.kind in "iu" and positive is None and array.min() >= 0:
        found = array.astype(np.bool_) if array.max() <= 1 else _positives_by_label(array, positive)
    else:
        found = _positives_by_label(array, positive)
    if not 0 < found.sum() < len(found):
        raise InputError(
            f"truth must hold positives and negatives, got {part_of(int(found.sum()), len(found), 'positive instance')}"
        )
    return found


def _positives_by_label(truth: npt.ArrayLike, positive: object) -> BoolArray:
    known, (codes,) = channel.encode(channel.labels("truth", truth), None, None)
    if len(known) != 2:
        raise InputError(f"truth must hold two classes, got {len(known)}: {quoted(known.tolist())}")
    place = channel.position(positive, known)
    return np.asarray(codes == (1 if place is None else place))


def instance_scores(name: str, values: npt.ArrayLike, n: int) -> FloatArray:
    """Check one score for each instance, and return them as an array."""
    array = channel.numbers(name, values, infinite=True)
    if array.shape != (n,):
        raise InputError(
            f"{name} must hold one score for each of the {n} instances of truth, got an array of shape {array.shape}"
        )
    return array
