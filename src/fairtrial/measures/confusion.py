"""The confusion matrix of each fold, and what it says about each class: what measures of labels work on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.measures import checks
from fairtrial.measures.folds import FloatArray, ratio
from fairtrial.measures.predictions import Average, Predictions, Task, check_average

__all__ = ["Confusion", "PerClass"]


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """The confusion matrix of each fold: ``counts[fold, truth, predicted]``, weighted if weights are given.

    ``elsewhere[fold, truth]`` counts predictions that are none of the classes: always wrong.

    >>> Confusion.read(["a", "a", "b"], ["a", "b", "b"]).counts[0]  # truth in rows
    array([[1., 1.],
           [0., 1.]])
    """

    needs: ClassVar[tuple[str, ...]] = ("label",)
    task: ClassVar[Task] = "classes"

    counts: FloatArray
    elsewhere: FloatArray

    @classmethod
    def read(
        cls,
        truth: ArrayLike,
        predicted: ArrayLike,
        *,
        classes: Sequence[object] | None = None,
        weights: ArrayLike | None = None,
    ) -> Self:
        """From labels of any kind, as one fold."""
        return _read(truth, predicted, classes=classes, weights=weights).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """One bincount over fold, truth and prediction."""
        k = predictions.n_classes
        predicted = checks.codes_of("label", predictions.channel("label"), k, lowest=-1)
        cells = predictions.truth * (k + 1) + np.where(predicted < 0, k, predicted)
        counts = predictions.folds.tally(cells, k * (k + 1), predictions.weights).reshape(-1, k, k + 1)
        return cls(counts[:, :, :k], counts[:, :, k])

    @property
    def actual(self) -> FloatArray:
        """Instances of each class: (folds, classes)."""
        return np.asarray(self.counts.sum(axis=2) + self.elsewhere)

    @property
    def total(self) -> FloatArray:
        """Instances of each fold."""
        return np.asarray(self.actual.sum(axis=1))

    @property
    def hits(self) -> FloatArray:
        """Instances of each class that are predicted right: (folds, classes)."""
        return self.counts.diagonal(axis1=1, axis2=2)

    @property
    def correct(self) -> FloatArray:
        """Instances of each fold that are predicted right."""
        return np.asarray(self.hits.sum(axis=1))

    def reduce(self, values: FloatArray) -> FloatArray:
        """A formula over the whole matrix has one value per fold already."""
        return values


@dataclass(frozen=True, slots=True, eq=False)
class PerClass:
    """True and false positives and negatives, each of shape (folds, classes), of the classes that are asked for.

    That is the positive class alone when there are two; each of them for a macro or a weighted average;
    their sum over the classes for a micro average. So one formula serves all of them.
    """

    needs: ClassVar[tuple[str, ...]] = ("label",)
    task: ClassVar[Task] = "classes"

    tp: FloatArray
    fp: FloatArray
    fn: FloatArray
    tn: FloatArray
    average: Average | None = None

    @classmethod
    def read(
        cls,
        truth: ArrayLike,
        predicted: ArrayLike,
        *,
        positive: object = None,
        average: Average | None = None,
        classes: Sequence[object] | None = None,
        weights: ArrayLike | None = None,
    ) -> Self:
        """From labels of any kind, as one fold; ``positive`` is a label, by default the last of two."""
        return _read(truth, predicted, positive=positive, average=average, classes=classes, weights=weights).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """From the confusion matrix. Sums leave out what they must not hold, so that an empty cell is exactly 0."""
        confusion = predictions.shared(Confusion)
        counts, same = confusion.counts, np.eye(predictions.n_classes, dtype=bool)
        wrong = np.where(same, 0.0, counts)
        others = np.where(same, 0.0, confusion.actual[:, :, None] - counts)
        tp, fp = confusion.hits, wrong.sum(axis=1)
        fn, tn = wrong.sum(axis=2) + confusion.elsewhere, others.sum(axis=1)
        tp, fp, fn, tn = (_chosen(count, predictions) for count in (tp, fp, fn, tn))
        return cls(tp, fp, fn, tn, predictions.average)

    def reduce(self, values: FloatArray) -> FloatArray:
        """The average over classes; undefined where it is undefined for a class that counts."""
        if self.average != "weighted":
            return np.asarray(values.mean(axis=1))
        actual = self.tp + self.fn
        return ratio(np.where(actual > 0, actual * values, 0.0).sum(axis=1), actual.sum(axis=1))


def _chosen(counts: FloatArray, predictions: Predictions) -> FloatArray:
    if predictions.average == "micro":
        return np.asarray(counts.sum(axis=1, keepdims=True))
    focus = predictions.focus
    return counts if focus is None else counts[:, [focus]]


def _read(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Sequence[object] | None,
    weights: ArrayLike | None,
) -> Predictions:
    check_average(average, positive)
    checks.one_length({"truth": truth, "predicted": predicted, "weights": weights})
    given = checks.labels("truth", truth), checks.labels("predicted", predicted)
    known, (actual, guess) = checks.encode(*given, classes)
    return Predictions.checked(
        actual,
        {"label": guess},
        n_classes=len(known),
        positive=checks.position(positive, known),
        average=average,
        weights=weights,
    )
