"""The intermediate of measures of predicted numbers: residuals, and statistics over each fold."""

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

TIE = 1e-12
"""The relative distance from half of the weight that still counts as half: sums of weights are rounded."""


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """Residuals (truth minus prediction) of all instances, and statistics over each fold.

    Instances without weight are left out of all statistics.
    """

    needs: ClassVar[tuple[str, ...]] = ("value",)
    task: ClassVar[Task] = "values"

    residuals: FloatArray
    predicted: FloatArray
    predictions: Predictions

    @classmethod
    def read(cls, truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> Self:
        """Check numbers, as one fold."""
        channel_checks.one_length({"truth": truth, "predicted": predicted, "weights": weights})
        value = np.asarray(predicted)
        return Predictions.checked(truth, {"value": value}, n_classes=0, weights=weights).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Build from checked predictions, with one number per instance."""
        predicted = one_number("value", predictions)
        with far_numbers():
            return cls(predictions.truth - predicted, predicted, predictions)

    @property
    def truth(self) -> FloatArray:
        """The true values."""
        return self.predictions.truth

    @property
    def squares(self) -> FloatArray:
        """The squared residuals."""
        with far_numbers():
            return np.square(self.residuals)

    def mean(self, losses: FloatArray) -> FloatArray:
        """The weighted mean in each fold of one loss per instance."""
        weights = self.predictions.weights
        counted = losses if weights is None else np.where(weights > 0, losses, 0.0)
        with far_numbers():
            return self.predictions.mean(counted)

    def deviations(self, values: FloatArray) -> FloatArray:
        """The deviation of each value from the mean of its fold; exactly 0 if all values of a fold are equal."""
        folds = self.predictions.folds
        with far_numbers():
            shifted = values - folds.spread(self._first(values))
            return np.asarray(shifted - folds.spread(self.mean(shifted)))

    def variance(self, values: FloatArray) -> FloatArray:
        """The population variance (divided by n) in each fold."""
        with far_numbers():
            return self.mean(np.square(self.deviations(values)))

    def share(self, part: FloatArray, whole: FloatArray) -> FloatArray:
        """Divide part by whole, element by element; nan where the whole is 0."""
        with far_numbers():
            return ratio(part, whole)

    def largest(self, losses: FloatArray) -> FloatArray:
        """The largest loss in each fold; losses must not be negative."""
        rows, folds = self._counted()
        found = np.full(folds.count, -1.0)
        if folds.index is None:
            found[0] = losses[rows].max(initial=-1.0)
        else:
            np.maximum.at(found, folds.index, losses[rows])
        return np.where(found < 0, np.nan, found)

    def median(self, losses: FloatArray) -> FloatArray:
        """The weighted median in each fold; the mean of two losses where half of the weight is reached exactly."""
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
        """Return the values as they are: one per fold."""
        return values

    def _counted(self) -> tuple[IntArray | slice, Folds]:
        """The instances that have weight, and their folds."""
        folds, weights = self.predictions.folds, self.predictions.weights
        if weights is None:
            return slice(None), folds
        rows = np.flatnonzero(weights > 0)
        return rows, Folds(None if folds.index is None else folds.index[rows], folds.count, len(rows))

    def _first(self, values: FloatArray) -> FloatArray:
        """The first value with weight in each fold."""
        rows, folds = self._counted()
        return folds.first(values[rows]) if folds.n else np.full(folds.count, np.nan)


def far_numbers() -> AbstractContextManager[object]:
    """Silence numpy's warnings where a difference or a square exceeds the range of double precision (1.8e308).

    The error is then infinite, and the ratio of two such errors nan: these values need no warning.
    """
    return np.errstate(over="ignore", invalid="ignore")


def one_number(channel: str, predictions: Predictions) -> FloatArray:
    """Check a channel that has one number per instance."""
    values = channel_checks.numbers(channel, predictions.channel(channel))
    if values.shape != predictions.truth.shape or values.ndim != 1:
        raise InputError(
            f"truth and {channel} must be one number per instance, got the shapes "
            f"{predictions.truth.shape} and {values.shape}"
        )
    return values


def _next(ranked: FloatArray, passed: NDArray[np.bool_], first: IntArray, sizes: IntArray) -> FloatArray:
    """The first value in each fold that is not ``passed``, or else the last value; folds begin at ``first``."""
    return ranked[first + np.minimum(np.add.reduceat(passed, first, dtype=np.intp), sizes - 1)]
