"""Intermediates of label measures: the confusion matrix of each fold, and its counts for each class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.channel_checks import Classes
from fairtrial.measures.fold_axis import FloatArray, IntArray, ratio
from fairtrial.measures.predictions import Average, Predictions, Prior, Task, check_average


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """The confusion matrix of each fold: ``counts[fold, truth, predicted]``, weighted if weights are given.

    ``elsewhere[fold, truth]`` counts predictions that are none of the classes; they are always wrong. ``positive`` is
    the class that two-class measures are about; None with more than two classes.

    >>> Confusion.read(["a", "a", "b"], ["a", "b", "b"]).counts[0]  # truth in rows
    array([[1., 1.],
           [0., 1.]])
    """

    needs: ClassVar[tuple[str, ...]] = ("label",)
    task: ClassVar[Task] = "classes"
    settings: ClassVar[tuple[str, ...]] = ("prior",)

    counts: FloatArray
    elsewhere: FloatArray
    positive: int | None = None

    @classmethod
    def read(
        cls,
        truth: ArrayLike,
        predicted: ArrayLike,
        *,
        positive: object = None,
        classes: Classes = None,
        prior: Prior = None,
        weights: ArrayLike | None = None,
    ) -> Self:
        """Count labels of any kind, as one fold.

        ``positive`` is a label, by default the last of two. ``prior`` is the class balance for which the measure is to
        hold: the share of the positive class if there are two, or the shares of all classes in their order.
        """
        read = _read(truth, predicted, positive=positive, classes=classes, prior=prior, weights=weights)
        return read.shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Count with one bincount over fold, truth and prediction; for another class balance, reweight these counts."""
        if predictions.prior is not None:
            return replace(predictions, prior=None).shared(cls).reweighed(predictions.prior)
        k = predictions.n_classes
        predicted = channel_checks.codes_of("label", predictions.channel("label"), k, lowest=-1)
        unseen = predicted.min() < 0

        def cells(part: slice) -> IntArray:
            codes = predictions.truth[part] * (k + 1)
            codes += np.where(predicted[part] < 0, k, predicted[part]) if unseen else predicted[part]
            return codes

        counts = predictions.folds.tally_parts(cells, k * (k + 1), predictions.weights).reshape(-1, k, k + 1)
        return cls(counts[:, :, :k], counts[:, :, k], predictions.declared)

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return int(self.counts.shape[1])

    @property
    def actual(self) -> FloatArray:
        """Number of instances of each class: (folds, classes)."""
        return np.asarray(self.counts.sum(axis=2) + self.elsewhere)

    @property
    def predicted(self) -> FloatArray:
        """Number of instances predicted to be of each class: (folds, classes)."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def total(self) -> FloatArray:
        """Number of instances in each fold."""
        return np.asarray(self.actual.sum(axis=1))

    @property
    def hits(self) -> FloatArray:
        """Number of instances of each class that are predicted right: (folds, classes)."""
        return self.counts.diagonal(axis1=1, axis2=2)

    @property
    def correct(self) -> FloatArray:
        """Number of instances in each fold that are predicted right."""
        return np.asarray(self.hits.sum(axis=1))

    @property
    def recalls(self) -> FloatArray:
        """Share of each class that is predicted right: (folds, classes), nan for a class without instances."""
        return ratio(self.hits, self.actual)

    def shares(self, prior: Prior) -> FloatArray:
        """The share of each class in a class balance."""
        return class_shares(prior, self.n_classes, self.positive)

    def reweighed(self, prior: Prior) -> Self:
        """The matrix to be expected if the classes occurred with other shares and were predicted equally well.

        The rows of the matrix are scaled; its total stays. The fold is undefined (nan) if a class with a share above 0
        has no instance.
        """
        factor = ratio(self.shares(prior) * self.total[:, None], self.actual)
        factor[:, self.shares(prior) == 0] = 0
        counts, elsewhere = self.counts * factor[:, :, None], self.elsewhere * factor
        return type(self)(counts, elsewhere, self.positive)

    def reduce(self, values: FloatArray) -> FloatArray:
        """Return the values as they are: a formula over the whole matrix gives one value per fold."""
        return values


def class_shares(prior: Prior, n_classes: int, positive: int | None) -> FloatArray:
    """The share of each class, from the share of the positive class of two, or from all shares.

    >>> class_shares(0.2, 2, positive=1), class_shares((0.5, 0.3, 0.2), 3, positive=None)
    (array([0.8, 0.2]), array([0.5, 0.3, 0.2]))
    """
    shares = channel_checks.numbers("prior", prior if prior is not None else ())
    if shares.ndim == 0 and n_classes == 2 and positive is not None:
        of_positive = float(shares)
        shares = np.array([1 - of_positive, of_positive] if positive == 1 else [of_positive, 1 - of_positive])
    if shares.shape != (n_classes,) or shares.min() < 0 or abs(shares.sum() - 1) > 1e-9:
        must = "the share of the positive class (0.2), or " if n_classes == 2 else ""
        raise InputError(f"prior must be {must}{n_classes} shares of the classes that sum to 1, got {prior!r}")
    return shares


@dataclass(frozen=True, slots=True, eq=False)
class PerClass:
    """True and false positives and negatives of each class in each fold, of shape (folds, classes).

    With two classes, the second axis holds the positive class alone; for a macro or a weighted average each class; for
    a micro average the sum over the classes. So one formula serves all averages.
    """

    needs: ClassVar[tuple[str, ...]] = ("label",)
    task: ClassVar[Task] = "classes"
    settings: ClassVar[tuple[str, ...]] = ("average", "prior")

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
        classes: Classes = None,
        prior: Prior = None,
        weights: ArrayLike | None = None,
    ) -> Self:
        """Count labels of any kind, as one fold; ``positive`` is a label, by default the last of two."""
        return _read(
            truth, predicted, positive=positive, average=average, classes=classes, prior=prior, weights=weights
        ).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Count from the confusion matrix."""
        return cls.of(predictions.shared(Confusion), predictions.focus, predictions.average)

    @classmethod
    def of(cls, confusion: Confusion, focus: int | None, average: Average | None) -> Self:
        """Count for one class or for all classes."""
        # Terms are left out of sums, not subtracted afterwards, so that an empty cell is exactly 0.
        counts, same = confusion.counts, np.eye(confusion.n_classes, dtype=bool)
        wrong = np.where(same, 0.0, counts)
        others = np.where(same, 0.0, confusion.actual[:, :, None] - counts)
        tp, fp = confusion.hits, wrong.sum(axis=1)
        fn, tn = wrong.sum(axis=2) + confusion.elsewhere, others.sum(axis=1)
        tp, fp, fn, tn = (_chosen(count, focus, average) for count in (tp, fp, fn, tn))
        return cls(tp, fp, fn, tn, average)

    def reduce(self, values: FloatArray) -> FloatArray:
        """The average over classes; undefined where the measure is undefined for a class that counts."""
        if self.average != "weighted":
            return np.asarray(values.mean(axis=1))
        actual = self.tp + self.fn
        return ratio(np.where(actual > 0, actual * values, 0.0).sum(axis=1), actual.sum(axis=1))


def _chosen(counts: FloatArray, focus: int | None, average: Average | None) -> FloatArray:
    if average == "micro":
        return np.asarray(counts.sum(axis=1, keepdims=True))
    return counts if focus is None else counts[:, [focus]]


def _read(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object,
    average: Average | None = None,
    classes: Classes,
    prior: Prior,
    weights: ArrayLike | None,
) -> Predictions:
    check_average(average, positive)
    channel_checks.one_length({"truth": truth, "predicted": predicted, "weights": weights})
    given = channel_checks.labels("truth", truth), channel_checks.labels("predicted", predicted)
    known, (actual, guess) = channel_checks.encode(*given, classes)
    return Predictions.checked(
        actual,
        {"label": guess},
        n_classes=len(known),
        positive=channel_checks.position(positive, known),
        average=average,
        prior=prior,
        weights=weights,
    )
