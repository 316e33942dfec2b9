"""Measures that need scores: formulas over how the instances are ranked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.errors import InputError
from fairtrial.measures import checks
from fairtrial.measures.folds import FloatArray, Folds, IntArray, ratio
from fairtrial.measures.predictions import Predictions, Task
from fairtrial.measures.registry import examples, measure

__all__ = ["Order", "Ranking", "auc"]


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Instances sorted within their folds, lowest score first, and where groups of equal scores begin.

    ``rows`` are the instances; ``ties`` the places in ``rows`` at which a new score (or fold) begins;
    ``fold`` the fold of each such group; ``starts`` the first group of each fold that is not empty.
    """

    rows: IntArray
    ties: IntArray
    fold: IntArray
    starts: IntArray
    folds: Folds

    @classmethod
    def of(cls, scores: FloatArray, folds: Folds) -> Order:
        """One sort by fold and score."""
        rows = _sorted(scores, folds)
        ranked = scores.take(rows)
        new = np.empty(len(rows), dtype=bool)
        new[0] = True
        np.not_equal(ranked[1:], ranked[:-1], out=new[1:])
        if folds.index is None:
            ties = np.flatnonzero(new)
            return cls(rows, ties, np.zeros(len(ties), np.intp), np.zeros(1, np.intp), folds)
        fold = folds.index[rows]
        new[1:] |= fold[1:] != fold[:-1]
        ties = np.flatnonzero(new)
        starts = np.flatnonzero(np.r_[True, fold[ties][1:] != fold[ties][:-1]])
        return cls(rows, ties, fold[ties], starts, folds)

    def grouped(self, values: FloatArray) -> FloatArray:
        """Sums over each group of equal scores."""
        return np.add.reduceat(values.take(self.rows), self.ties)

    def below(self, groups: FloatArray) -> FloatArray:
        """For each group, the sum over the groups of the same fold that score lower.

        The running total starts anew in each fold, so that rounding does not pile up over the folds.
        """
        steps = groups.copy()
        steps[self.starts[1:]] -= np.add.reduceat(groups, self.starts)[:-1]
        return np.cumsum(steps) - groups

    def per_fold(self, groups: FloatArray) -> FloatArray:
        """Sums over the groups of each fold."""
        out = np.zeros(self.folds.count)
        out[self.fold[self.starts]] = np.add.reduceat(groups, self.starts)
        return out

    def wins(self, positive: FloatArray, negative: FloatArray) -> FloatArray:
        """Pairs of a positive and a negative in which the positive scores higher, ties by half (Mann–Whitney's U).

        This is the rank sum of the positives with midranks for ties, less its smallest possible value.
        """
        p, q = self.grouped(positive), self.grouped(negative)
        return self.per_fold(p * (self.below(q) + q / 2))


def _sorted(scores: FloatArray, folds: Folds) -> IntArray:
    """By score, then by fold with a stable sort of 16 bits at a time (radix): three times as fast as a lexsort."""
    rows = np.argsort(scores)
    if folds.index is None:
        return rows
    for shift in range(0, (folds.count - 1).bit_length(), 16):
        digits = (folds.index[rows] >> shift).astype(np.uint16)
        rows = rows[np.argsort(digits, kind="stable")]
    return rows


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The ranking of each fold by the score of each class that is asked for: the positive one, or all.

    ``classes`` are their codes, ``orders`` the rankings, in the same sequence.
    """

    needs: ClassVar[tuple[str, ...]] = ("score",)
    task: ClassVar[Task] = "classes"

    classes: tuple[int, ...]
    orders: tuple[Order, ...]
    predictions: Predictions

    @classmethod
    def read(
        cls,
        truth: ArrayLike,
        scores: ArrayLike,
        *,
        positive: object = None,
        classes: Sequence[object] | None = None,
        weights: ArrayLike | None = None,
    ) -> Self:
        """From labels of any kind and scores, one per instance (higher: more positive) or a column per class."""
        checks.one_length({"truth": truth, "scores": scores, "weights": weights})
        known, (actual,) = checks.encode(checks.labels("truth", truth), None, classes)
        return Predictions.checked(
            actual,
            {"score": np.asarray(scores)},
            n_classes=len(known),
            positive=checks.position(positive, known),
            weights=weights,
        ).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """One sort for each class that is asked for.

        With more than two classes a probability is taken where there is one, even beside a score: the columns of a
        softmax model's scores can't be compared between instances, those of its probabilities can.
        """
        several = predictions.n_classes > 2 and "probability" in predictions.channels
        scores = checks.numbers("score", predictions.channel("probability" if several else "score"), infinite=True)
        classes, columns = _columns(scores, predictions)
        orders = tuple(Order.of(column, predictions.folds) for column in columns)
        return cls(classes, orders, predictions)

    def against_rest(self) -> FloatArray:
        """For each class, the share of pairs with an instance of another class that are in order: (folds, classes)."""
        truth = self.predictions.truth
        return np.stack([self._share(order, truth == k, truth != k) for k, order in self._asked()], axis=1)

    def against_each(self) -> FloatArray:
        """For each ordered pair of classes, the same by the score of the first: (folds, pairs)."""
        truth, every = self.predictions.truth, range(self.predictions.n_classes)
        pairs = ((order, k, j) for k, order in self._asked() for j in every if j != k)
        return np.stack([self._share(order, truth == k, truth == j) for order, k, j in pairs], axis=1)

    def reduce(self, values: FloatArray) -> FloatArray:
        """The mean over classes or pairs; undefined where one of them is."""
        return np.asarray(values.mean(axis=1))

    def _asked(self) -> list[tuple[int, Order]]:
        return list(zip(self.classes, self.orders, strict=True))

    def _share(self, order: Order, positive: NDArray[np.bool_], negative: NDArray[np.bool_]) -> FloatArray:
        weights, folds = self.predictions.weights, self.predictions.folds
        p, q = positive.astype(float), negative.astype(float)
        if weights is not None:
            p, q = p * weights, q * weights
        return ratio(order.wins(p, q), folds.sum(p) * folds.sum(q))


def _columns(scores: FloatArray, predictions: Predictions) -> tuple[tuple[int, ...], list[FloatArray]]:
    """The classes that are asked for, and the scores of each."""
    k, focus = predictions.n_classes, predictions.focus
    if scores.ndim == 1 and focus is not None:
        return (focus,), [scores]
    if scores.ndim == 2 and scores.shape[1] == k:
        asked = tuple(range(k)) if focus is None else (focus,)
        return asked, [np.ascontiguousarray(scores[:, c]) for c in asked]
    raise InputError(f"score must have a column for each of the {k} classes, got the shape {scores.shape}")


@measure(
    "Area under the ROC curve",
    of=Ranking,
    worst=0.0,
    best=1.0,
    range="0 to 1, 0.5 by chance",
    undefined="a class has no instance",
    use_when="instances are to be ranked, or the threshold will be chosen later",
    beware="only the top of the ranking matters, or probabilities must be right: it sees neither",
    aliases=("roc_auc", "roc_auc_score", "c_statistic"),
)
def auc(r: Ranking, *, multiclass: Literal["ovr", "ovo"] = "ovr") -> FloatArray:
    r"""Probability that a random positive scores higher than a random negative, ties by half.

    .. math:: \text{AUC} = \frac{1}{n_+ n_-} \sum_{i \in +,\, j \in -} \left([s_i > s_j] + \tfrac12 [s_i = s_j]\right)

    With two classes ``scores`` has one score per instance, higher for the positive class (``positive=``, by default
    the last in sorted order), or a column per class. With more classes it has a column per class, and the result is
    the mean over classes of each against the rest (``"ovr"``), or over pairs of classes (``"ovo"``: Hand & Till's M,
    which does not depend on the class balance). Undefined (nan) when a class has no instance.
    The same as Mann–Whitney's U over :math:`n_+ n_-`; also called c-statistic.

    References: Hanley & McNeil (1982), Radiology 143:29-36, doi:10.1148/radiology.143.1.7063747;
    Hand & Till (2001), Machine Learning 45:171-186, doi:10.1023/A:1010920819831.

    >>> auc([0, 0, 0, 1, 1], [0.1, 0.4, 0.8, 0.4, 0.9])  # of 6 pairs 4 are in order, 1 is tied
    0.75
    """
    if multiclass not in ("ovr", "ovo"):
        raise InputError(f"multiclass must be 'ovr' or 'ovo', got {multiclass!r}")
    return r.against_each() if multiclass == "ovo" and len(r.classes) > 1 else r.against_rest()


__test__ = examples(__name__)
