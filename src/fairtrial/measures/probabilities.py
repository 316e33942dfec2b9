"""Measures that need probabilities: means of a loss of each instance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import checks
from fairtrial.measures.folds import FloatArray
from fairtrial.measures.predictions import Predictions, Task
from fairtrial.measures.registry import examples, measure

__all__ = ["Probabilities", "brier", "log_loss"]

TOLERANCE = 1e-5
"""How far from 1 a row may sum: what rounding to single precision leaves."""


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """The probability of each class for each instance: shape (instances, classes)."""

    needs: ClassVar[tuple[str, ...]] = ("probability",)
    task: ClassVar[Task] = "classes"

    matrix: FloatArray
    predictions: Predictions

    @classmethod
    def read(
        cls,
        truth: ArrayLike,
        probabilities: ArrayLike,
        *,
        positive: object = None,
        classes: Sequence[object] | None = None,
        weights: ArrayLike | None = None,
    ) -> Self:
        """From labels of any kind and a column per class, in the order of ``classes`` (by default sorted).

        With two classes one column, the probability of the positive class, is enough.
        """
        checks.one_length({"truth": truth, "probabilities": probabilities, "weights": weights})
        known, (actual,) = checks.encode(checks.labels("truth", truth), None, classes)
        return Predictions.checked(
            actual,
            {"probability": np.asarray(probabilities)},
            n_classes=len(known),
            positive=checks.position(positive, known),
            weights=weights,
        ).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Checked: a column per class, from 0 to 1, rows that sum to 1."""
        matrix = checks.numbers("probability", predictions.channel("probability"))
        if matrix.ndim == 1:
            matrix = _both_columns(matrix, predictions)
        if matrix.shape[1:] != (predictions.n_classes,):
            raise InputError(
                f"probability must have a column for each of the {predictions.n_classes} classes, "
                f"got the shape {matrix.shape}; name all classes if truth does not show them"
            )
        _check(matrix)
        return cls(matrix, predictions)

    @property
    def of_truth(self) -> FloatArray:
        """The probability that was given to the class that came true."""
        return np.asarray(self.matrix[np.arange(len(self.matrix)), self.predictions.truth])

    def mean(self, losses: FloatArray) -> FloatArray:
        """The weighted mean of per-instance losses in each fold."""
        return self.predictions.mean(losses)

    def reduce(self, values: FloatArray) -> FloatArray:
        """One value per fold already."""
        return values


def _both_columns(of_positive: FloatArray, predictions: Predictions) -> FloatArray:
    if predictions.n_classes != 2:
        raise InputError(
            f"probability with a single column is for 2 classes, but there are {predictions.n_classes}; "
            "give a column per class, or name all classes if truth does not show them"
        )
    pair = (1 - of_positive, of_positive) if predictions.focus == 1 else (of_positive, 1 - of_positive)
    return np.stack(pair, axis=1)


def _check(matrix: FloatArray) -> None:
    if matrix.min() < -TOLERANCE or matrix.max() > 1 + TOLERANCE:
        outside = (matrix.min(axis=1) < -TOLERANCE) | (matrix.max(axis=1) > 1 + TOLERANCE)
        raise InputError(f"probability must lie between 0 and 1, but {checks.rows(outside)} not: {matrix[outside][0]}")
    sums = matrix @ np.ones(matrix.shape[1])
    off = np.abs(sums - 1) > TOLERANCE
    if off.any():
        raise InputError(f"probability must sum to 1 over the classes, but {checks.rows(off)} off: {sums[off][0]:g}")


@measure(
    "Brier score",
    of=Probabilities,
    worst=1.0,
    best=0.0,
    per_instance=True,
    range="0 to 1; 0 to 2 with more than two classes",
    use_when="probabilities are used as such, and none should ruin the mean",
    beware="classes are very rare: always saying 0 scores well",
    aliases=("brier_score", "brier_score_loss"),
)
def brier(p: Probabilities) -> FloatArray:
    r"""Mean squared distance between the probabilities and what came true.

    .. math:: \frac1n \sum_i (p_{i+} - y_i)^2 \quad (K = 2), \qquad
              \frac1n \sum_i \sum_{k=1}^K (p_{ik} - [y_i = k])^2 \quad (K > 2)

    As is customary, and as scikit-learn does, two classes count once (0 to 1) and more have Brier's original sum
    (0 to 2): don't compare the two. With two classes ``probabilities`` may be one column, of the positive class.
    A proper scoring rule: honest probabilities score best. Undefined (nan) only for an empty fold.

    Reference: Brier (1950), Monthly Weather Review 78:1-3, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    >>> brier([1, 0, 1], [0.9, 0.2, 0.5])  # (0.01 + 0.04 + 0.25) / 3
    0.1
    >>> brier(["a", "b", "c"], [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.2, 0.2, 0.6]])
    0.1467
    """
    distance = p.matrix.copy()
    distance[np.arange(len(distance)), p.predictions.truth] -= 1
    squares = np.einsum("ij,ij->i", distance, distance)
    return p.mean(squares / 2 if p.predictions.n_classes <= 2 else squares)


@measure(
    "Log loss",
    of=Probabilities,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    use_when="probabilities are used as such, and being sure and wrong must hurt",
    beware="a method says exactly 0: the size of its loss is then a convention",
    aliases=("cross_entropy", "negative_log_likelihood"),
)
def log_loss(p: Probabilities) -> FloatArray:
    r"""Mean of minus the natural logarithm of the probability that was given to what came true.

    .. math:: -\frac1n \sum_i \ln p_{i, y_i}

    A proper scoring rule. A probability of 0 for what came true would make it infinite: like scikit-learn we raise
    it to the machine epsilon of double precision (2.2e-16), a loss of 36.04, so that one row does not erase all others.
    Undefined (nan) only for an empty fold. Also called cross-entropy; divide by ln 2 for bits.

    Reference: Good (1952), Journal of the Royal Statistical Society B 14:107-114,
    doi:10.1111/j.2517-6161.1952.tb00104.x.

    >>> log_loss([1, 0, 1], [0.9, 0.2, 0.5])  # −(ln 0.9 + ln 0.8 + ln 0.5) / 3
    0.3406
    """
    return p.mean(-np.log(p.of_truth.clip(np.finfo(float).eps, 1.0)))


__test__ = examples(__name__)
