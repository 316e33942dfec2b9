"""What measures of predicted numbers are made from: residuals, and statistics of each fold."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.fold_axis import FloatArray, Folds, IntArray, ratio
from fairtrial.measures.predictions import Predictions, Task
from fairtrial.measures.ranking import Order, running_totals

__all__ = ["Residuals", "far_numbers", "one_number"]

TIE = 1e-12
"""How near to half of the weight counts as half, relative to it: sums of weights are rounded."""


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """Truth minus prediction of each instance, and statistics of anything over each fold.

    Instances without weight are left out of all of them.
    """

    needs: ClassVar[tuple[str, ...]] = ("value",)
    task: ClassVar[Task] = "values"

    residuals: FloatArray
    predicted: FloatArray
    predictions: Predictions

    @classmethod
    def read(cls, truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> Self:
        """From numbers, as one fold."""
        channel_checks.one_length({"truth": truth, "predicted": predicted, "weights": weights})
        value = np.asarray(predicted)
        return Predictions.checked(truth, {"value": value}, n_classes=0, weights=weights).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """One number per instance."""
        predicted = one_number("value", predictions)
        with far_numbers():
            return cls(predictions.truth - predicted, predicted, predictions)

    @property
    def truth(self) -> FloatArray:
        """What came true."""
        return self.predictions.truth

    @property
    def squares(self) -> FloatArray:
        """Of the residuals."""
        with far_numbers():
            return np.square(self.residuals)

    def mean(self, losses: FloatArray) -> FloatArray:
        """The weighted mean of per-instance losses in each fold."""
        weights = self.predictions.weights
        counted = losses if weights is None else np.where(weights > 0, losses, 0.0)
        with far_numbers():
            return self.predictions.mean(counted)

    def deviations(self, values: FloatArray) -> FloatArray:
        """Of each instance from the mean of its fold; exactly 0 where all values of a fold are the same."""
        folds = self.predictions.folds
        with far_numbers():
            shifted = values - folds.spread(self._first(values))
            return np.asarray(shifted - folds.spread(self.mean(shifted)))

    def variance(self, values: FloatArray) -> FloatArray:
        """In each fold, of the population: divided by n."""
        with far_numbers():
            return self.mean(np.square(self.deviations(values)))

    def share(self, part: FloatArray, whole: FloatArray) -> FloatArray:
        """Element by element; undefined where the whole is 0."""
        with far_numbers():
            return ratio(part, whole)

    def largest(self, losses: FloatArray) -> FloatArray:
        """In each fold, of losses from 0 upwards."""
        rows, folds = self._counted()
        found = np.full(folds.count, -1.0)
        if folds.index is None:
            found[0] = losses[rows].max(initial=-1.0)
        else:
            np.maximum.at(found, folds.index, losses[rows])
        return np.where(found < 0, np.nan, found)

    def median(self, losses: FloatArray) -> FloatArray:
        """In each fold, where half of the weight is reached; the middle of two where it is reached exactly."""
        weights = self.predictions.weights
        order = Order.of(-losses, self.predictions.folds)
        ranked = losses.take(order.rows)
        amounts = np.ones(len(losses)) if weights is None else weights.take(order.rows)
        first = np.cumsum(order.groups.sizes) - order.groups.sizes
        total, reached = np.add.reduceat(amounts, first), running_totals(amounts, order.groups.sizes)
        below, above = (reached < np.repeat(total / 2 * (1 + tie), order.groups.sizes) for tie in (-TIE, TIE))
        found = np.full(order.groups.count, np.nan)
        with far_numbers():
            pair = _next(ranked, below, first, order.groups.sizes) + _next(ranked, above, first, order.groups.sizes)
            found[order.groups.filled] = np.where(total > 0, pair / 2, np.nan)
        return found

    def reduce(self, values: FloatArray) -> FloatArray:
        """One value per fold already."""
        return values

    def _counted(self) -> tuple[IntArray | slice, Folds]:
        """The instances that have weight, and their folds."""
        folds, weights = self.predictions.folds, self.predictions.weights
        if weights is None:
            return slice(None), folds
        rows = np.flatnonzero(weights > 0)
        return rows, Folds(None if folds.index is None else folds.index[rows], folds.count, len(rows))

    def _first(self, values: FloatArray) -> FloatArray:
        """In each fold, of those with weight."""
        rows, folds = self._counted()
        return folds.first(values[rows]) if folds.n else np.full(folds.count, np.nan)


def far_numbers() -> AbstractContextManager[object]:
    """Numbers so far apart that their difference or its square exceeds the range of double precision (1.8e308) have an
    infinite error, and nan comes of dividing two such: values that say so, without a warning."""
    return np.errstate(over="ignore", invalid="ignore")


def one_number(channel: str, predictions: Predictions) -> FloatArray:
    """The channel of that name: one number per instance, as truth has."""
    values = channel_checks.numbers(channel, predictions.channel(channel))
    if values.shape != predictions.truth.shape or values.ndim != 1:
        raise InputError(
            f"truth and {channel} must be one number per instance, got the shapes "
            f"{predictions.truth.shape} and {values.shape}"
        )
    return values


def _next(ranked: FloatArray, passed: NDArray[np.bool_], first: IntArray, sizes: IntArray) -> FloatArray:
    """In each fold, which begins at ``first``, the value after those that are passed, or the last."""
    return ranked[first + np.minimum(np.add.reduceat(passed, first, dtype=np.intp), sizes - 1)]
