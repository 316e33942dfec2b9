"""Confusion matrices with labels, to print, and to compute every label measure from.

Intermediates of label measures: the confusion matrix of each fold, and its counts for each class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.channel_checks import Classes
from fairtrial.measures.fold_axis import FloatArray, IntArray, ratio
from fairtrial.measures.predictions import AVERAGES, Average, Predictions, Prior, Task, check_average
from fairtrial.measures.registry import find_entry
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed, quoted


class _Counts:
    """What the whole matrix and its margins share: ``hits`` and ``actual`` instances of each class, by fold."""

    __slots__ = ()

    needs: ClassVar[tuple[str, ...]] = ("label",)
    task: ClassVar[Task] = "classes"
    settings: ClassVar[tuple[str, ...]] = ("prior",)

    if TYPE_CHECKING:

        @property
        def hits(self) -> FloatArray: ...

        @property
        def actual(self) -> FloatArray: ...

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
        return read.shared(cls)  # type: ignore[type-var]

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return int(self.actual.shape[1])

    @property
    def total(self) -> FloatArray:
        """Number of instances in each fold."""
        return np.asarray(self.actual.sum(axis=1))

    @property
    def correct(self) -> FloatArray:
        """Number of instances in each fold that are predicted right."""
        return np.asarray(self.hits.sum(axis=1))

    @property
    def recalls(self) -> FloatArray:
        """Share of each class that is predicted right: (folds, classes), nan for a class without instances."""
        return ratio(self.hits, self.actual)

    def reduce(self, values: FloatArray) -> FloatArray:
        """Return the values as they are: a formula over the matrix or its margins gives one value per fold."""
        return values


@dataclass(frozen=True, slots=True, eq=False)
class Confusion(_Counts):
    """The confusion matrix of each fold: ``counts[fold, truth, predicted]``, weighted if weights are given.

    ``elsewhere[fold, truth]`` counts predictions that are none of the classes; they are always wrong. ``positive`` is
    the class that two-class measures are about; None with more than two classes.

    >>> Confusion.read(["a", "a", "b"], ["a", "b", "b"]).counts[0]  # truth in rows
    array([[1., 1.],
           [0., 1.]])
    """

    counts: FloatArray
    elsewhere: FloatArray
    positive: int | None = None

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
    def hits(self) -> FloatArray:
        """Number of instances of each class that are predicted right: (folds, classes)."""
        return self.counts.diagonal(axis1=1, axis2=2)

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


MANY_CLASSES = 30
"""Beyond, what is right and the margins are counted alone where they are enough: a matrix grows with their square."""


def by_margins(predictions: Predictions) -> bool:
    """Whether margins are counted without the matrix: whole counts of many classes in their own balance."""
    return predictions.n_classes > MANY_CLASSES and predictions.weights is None and predictions.prior is None


@dataclass(frozen=True, slots=True, eq=False)
class Margins(_Counts):
    """What is right of each class in each fold, and how often it occurs and is predicted: (folds, classes).

    >>> Margins.read(["a", "a", "b"], ["a", "b", "b"]).predicted[0]
    array([1., 2.])
    """

    hits: FloatArray
    actual: FloatArray
    predicted: FloatArray

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Count each class by itself where they are many, else from the confusion matrix."""
        if not by_margins(predictions):
            return cls.of(predictions.shared(Confusion))
        k, truth = predictions.n_classes, predictions.truth
        labels = channel_checks.codes_of("label", predictions.channel("label"), k, lowest=-1)
        at = (np.where(labels == truth, truth, k), truth, np.where(labels < 0, k, labels))
        return cls(*(predictions.folds.tally(codes, k + 1, None)[:, :k] for codes in at))

    @classmethod
    def of(cls, confusion: Confusion) -> Self:
        """The margins of a confusion matrix."""
        return cls(confusion.hits, confusion.actual, confusion.predicted)


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
        """Count from the confusion matrix; of many classes from its margins, which are whole numbers."""
        if not by_margins(predictions):
            return cls.of(predictions.shared(Confusion), predictions.focus, predictions.average)
        m = predictions.shared(Margins)
        fp, fn = m.predicted - m.hits, m.actual - m.hits
        counts = (m.hits, fp, fn, m.total[:, None] - m.actual - fp)
        tp, fp, fn, tn = (_chosen(count, predictions.focus, predictions.average) for count in counts)
        return cls(tp, fp, fn, tn, predictions.average)

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


PER_CLASS = ("precision", "recall", "specificity", "f_measure")
MOST_PRINTED = 100  # classes; of more, only the most frequent confusions are printed


@dataclass(frozen=True, slots=True, eq=False)
class ConfusionMatrix(Shown):
    """A confusion matrix: the number of instances by true class (rows) and predicted class (columns).

    ``counts[j, k]`` is the number (or the weight) of instances of class j that are predicted to be k, ``elsewhere[j]``
    of those that are predicted to be none of the classes. ``positive`` is the label that two-class measures are about.
    ``notes`` say what is not in the counts.

    >>> matrix = ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=10)
    >>> print(matrix)
    85 of 100 predicted right (accuracy 0.850)
    instances, truth in rows, predictions in columns
    truth \\ predicted  negative  positive  all  recall
    negative                 10        10   20   0.500
    positive                  5        75   80   0.938
    ──────────────────────────────────────────────────
    all                      15        85  100
    >>> matrix.measure("average_recall"), matrix.measure("precision")
    (0.71875, 0.8824)
    >>> matrix.reweighed(0.5).measure("accuracy")  # as many positives as negatives
    0.71875
    """

    counts: FloatArray
    classes: tuple[object, ...]
    positive: object = None
    elsewhere: FloatArray | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        counts = channel_checks.numbers("counts", self.counts)
        k = len(self.classes)
        if counts.shape != (k, k):
            raise InputError(
                f"counts must be {k} rows (truth) of {k} numbers (predictions), one for each class, "
                f"got the shape {counts.shape}"
            )
        elsewhere = channel_checks.numbers("elsewhere", np.zeros(k) if self.elsewhere is None else self.elsewhere)
        if elsewhere.shape != (k,):
            raise InputError(f"elsewhere must be {k} numbers, one for each true class, got the shape {elsewhere.shape}")
        if (counts < 0).any() or (elsewhere < 0).any():
            raise InputError(f"counts and elsewhere must not be negative, got {min(counts.min(), elsewhere.min()):g}")
        if len(set(self.classes)) != k:
            raise InputError(f"classes must differ from each other, got {quoted(self.classes)}")
        if self.positive is not None and self.positive not in self.classes:
            raise InputError(f"positive must be one of the classes {quoted(self.classes)}, got {self.positive!r}")
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "elsewhere", elsewhere)

    @classmethod
    def of_table(
        cls, *, tp: float, fn: float, fp: float, tn: float, classes: tuple[object, object] = ("negative", "positive")
    ) -> Self:
        """Make a matrix of the four cells of a contingency table; the second class is the positive one."""
        return cls(np.array([[tn, fp], [fn, tp]], float), classes, classes[1])

    @classmethod
    def of_rates(cls, *, tpr: float, tnr: float, positives: float, n: float = 1.0) -> Self:
        """Make a matrix of what papers report: both rates, the share of positives, the number of instances.

        >>> ConfusionMatrix.of_rates(tpr=0.75, tnr=1.0, positives=0.8, n=100).counts
        array([[20.,  0.],
               [20., 60.]])
        """
        for name, share in (("tpr", tpr), ("tnr", tnr), ("positives", positives)):
            if not 0 <= share <= 1:
                raise InputError(f"{name} must be a share from 0 to 1, got {share!r}")
        pos, neg = n * positives, n * (1 - positives)
        return cls.of_table(tp=pos * tpr, fn=pos * (1 - tpr), fp=neg * (1 - tnr), tn=neg * tnr)

    @property
    def total(self) -> float:
        """The number of instances."""
        return float(self._confusion.total[0])

    @property
    def tpr(self) -> float:
        """The true positive rate, for two classes."""
        return self.measure("recall")

    @property
    def fpr(self) -> float:
        """The false positive rate, for two classes."""
        return self.measure("fpr")

    def measure(self, name: str, *, positive: object = None, average: Average | None = None) -> float:
        """Compute any label measure, by its name."""
        check_average(average, positive)
        found = find_entry(name)
        prior = found.settings.get("prior")
        confusion = replace(self._confusion, positive=self._focus(positive))
        confusion = confusion if prior is None else confusion.reweighed(prior)  # type: ignore[arg-type]
        if found.of in (Confusion, Margins):
            return float(found.of_shared(confusion if found.of is Confusion else Margins.of(confusion))[0])
        if found.of is not PerClass:
            raise InputError(
                f"{name} can't be computed from a confusion matrix: it needs "
                f"{listed(found.facts.needs) or 'the records of trials'}; choose a label measure"
            )
        how = average or found.settings.get("average")
        focus = None if how is not None else self._focus(positive)
        return float(found.of_shared(PerClass.of(confusion, focus, how))[0])  # type: ignore[arg-type]

    def reweighed(self, prior: Prior) -> ConfusionMatrix:
        """The matrix to be expected if the classes occurred with other shares; recalls and total stay."""
        empty = (self._confusion.actual[0] == 0) & (self._confusion.shares(prior) > 0)
        if empty.any():
            missing = self.classes[int(np.flatnonzero(empty)[0])]
            raise InputError(f"prior must be 0 for {missing!r}, of which the matrix has no instance, got {prior!r}")
        other = self._confusion.reweighed(prior)
        return replace(self, counts=other.counts[0], elsewhere=other.elsewhere[0])

    def per_class(self, names: Sequence[str] = PER_CLASS) -> Table:
        """A table of measures of each class (one-vs-rest), and of their averages."""
        averages = [(how, *(self.measure(n, average=how) for n in names), self.total) for how in AVERAGES]
        rows = [
            (str(label), *(self.measure(n, positive=label) for n in names), float(n_class))
            for label, n_class in zip(self.classes, self._confusion.actual[0], strict=True)
        ]
        columns = (
            Column("class", align="left"),
            *(Column(n.replace("_", " "), formats.fixed(3), key=n) for n in names),
            Column("instances", _amount),
        )
        caption = "each class against all others (one-vs-rest), and averages over the classes"
        return Table(columns, (*rows, *averages), caption=caption, rule_before=(len(rows),))

    def to_table(self) -> Table:
        """The matrix as a table, with margins and the recall of each class."""
        extra = self._elsewhere.any()
        names = [str(c) for c in self.classes] + (["none of them"] if extra else [])
        body = np.column_stack([self.counts, self._elsewhere]) if extra else self.counts
        columns = (
            Column("truth \\ predicted", align="left", key="truth"),
            *(Column(n, _amount) for n in names),
            Column("all", _amount),
            Column("recall", formats.fixed(3)),
        )
        rows = [
            (str(label), *row.tolist(), float(row.sum()), float(share))
            for label, row, share in zip(self.classes, body, self._confusion.recalls[0], strict=True)
        ]
        rows.append(("all", *body.sum(axis=0).tolist(), self.total, None))
        caption = "instances, truth in rows, predictions in columns"
        return Table(columns, tuple(rows), caption=caption, notes=self.notes, rule_before=(len(rows) - 1,))

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return {
            "classes": list(self.classes),
            "counts": self.counts.tolist(),
            "elsewhere": self._elsewhere.tolist(),
            "positive": self.positive,
        }

    def __str__(self) -> str:
        right = float(self._confusion.correct[0])
        first = f"{_amount(right)} of {_amount(self.total)} predicted right (accuracy {self.measure('accuracy'):.3f})"
        return f"{first}\n{self.to_table() if len(self.classes) <= MOST_PRINTED else self.confusions()}"

    def confusions(self, most: int = 20) -> Table:
        """The most frequent confusions of one class with another: what there is to see where classes are many."""
        wrong = self.counts * (1 - np.eye(len(self.classes)))
        first = np.argsort(-wrong, axis=None, kind="stable")[:most]
        places = [(i, j) for i, j in zip(*np.unravel_index(first, wrong.shape), strict=True) if wrong[i, j] > 0]
        rows = [(str(self.classes[i]), str(self.classes[j]), float(wrong[i, j])) for i, j in places]
        columns = (Column("truth", align="left"), Column("predicted", align="left"), Column("instances", _amount))
        n = len(self.classes)
        caption = f"the {len(rows)} most frequent confusions of {n:,} classes; to_table() has all {n * n:,} counts"
        return Table(columns, tuple(rows), caption=caption, notes=self.notes)

    @property
    def _elsewhere(self) -> FloatArray:
        return np.zeros(len(self.classes)) if self.elsewhere is None else self.elsewhere

    @property
    def _confusion(self) -> Confusion:
        return Confusion(self.counts[None], self._elsewhere[None], self._focus(None))

    def _focus(self, positive: object) -> int | None:
        """The code of the positive class; by default the last of two classes, none of more."""
        label = self.positive if positive is None else positive
        if label is None:
            return len(self.classes) - 1 if len(self.classes) == 2 else None
        if label not in self.classes:
            raise InputError(f"positive must be one of the classes {quoted(self.classes)}, got {label!r}")
        return self.classes.index(label)


def _amount(value: object) -> str:
    """Write a whole number as a count, any other with four digits."""
    whole = isinstance(value, float) and value.is_integer()
    return formats.count(value) if whole else formats.significant(4)(value)


def confusion_matrix(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> ConfusionMatrix:
    """Make the confusion matrix of labels of any kind; classes are sorted, or in the order of ``classes``.

    >>> print(confusion_matrix(["cat", "cat", "dog", "cow"], ["cat", "dog", "dog", "dog"]).to_table())
    instances, truth in rows, predictions in columns
    truth \\ predicted  cat  cow  dog  all  recall
    cat                  1    0    1    2   0.500
    cow                  0    0    1    1   0.000
    dog                  0    0    1    1   1.000
    ─────────────────────────────────────────────
    all                  1    0    3    4
    """
    channel_checks.one_length({"truth": truth, "predicted": predicted, "weights": weights})
    given = channel_checks.labels("truth", truth), channel_checks.labels("predicted", predicted)
    known, _ = channel_checks.encode(*given, classes)
    counted = Confusion.read(truth, predicted, positive=positive, classes=classes, weights=weights)
    return ConfusionMatrix(counted.counts[0], tuple(known.tolist()), positive, counted.elsewhere[0])
