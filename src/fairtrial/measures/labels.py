"""Measures that need predicted labels: formulas over the counts of a confusion matrix."""

from __future__ import annotations

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures.confusion import Confusion, PerClass
from fairtrial.measures.folds import FloatArray, ratio
from fairtrial.measures.registry import examples, measure

__all__ = ["accuracy", "average_recall", "error_rate", "f_measure", "precision", "recall"]


@measure(
    "Accuracy",
    of=Confusion,
    worst=0.0,
    best=1.0,
    per_instance=True,
    use_when="the classes occur in the test data as they will in use, and all mistakes cost the same",
    beware="one class is rare: predicting the other one always scores high",
    aliases=("accuracy_score",),
)
def accuracy(c: Confusion) -> FloatArray:
    r"""Share of instances that are predicted right.

    .. math:: \text{accuracy} = \frac1n \sum_i [\hat y_i = y_i]

    Undefined (nan) only for an empty fold. A label that is none of the classes counts as wrong.

    >>> accuracy(["cat", "cat", "dog", "cow"], ["cat", "dog", "dog", "dog"])
    0.5
    >>> accuracy([1, 0, 0], [1, 1, 0], weights=[2, 1, 1])
    0.75
    """
    return ratio(c.correct, c.total)


@measure(
    "Error rate",
    of=Confusion,
    worst=1.0,
    best=0.0,
    per_instance=True,
    use_when="as accuracy; differences between very good methods show better",
    beware="one class is rare: predicting the other one always has few errors",
    aliases=("misclassification_rate", "zero_one_loss"),
)
def error_rate(c: Confusion) -> FloatArray:
    r"""Share of instances that are predicted wrong.

    .. math:: \text{error} = \frac1n \sum_i [\hat y_i \ne y_i] = 1 - \text{accuracy}

    Undefined (nan) only for an empty fold. Also called misclassification rate or zero-one loss.

    >>> error_rate([1, 1, 1, 0], [1, 1, 1, 1])
    0.25
    """
    return ratio(c.total - c.correct, c.total)


@measure(
    "Average recall",
    of=Confusion,
    worst=0.0,
    best=1.0,
    undefined="a class has no instance",
    use_when="all classes matter alike, however rare; it is the expected accuracy if any class balance is as likely",
    beware="the class balance of the test data is the one of the application",
    aliases=("balanced_accuracy", "macro_recall", "unweighted_average_recall"),
)
def average_recall(c: Confusion) -> FloatArray:
    r"""Mean over the classes of the share of their instances that is predicted right.

    .. math:: \frac1K \sum_{k=1}^K \frac{TP_k}{TP_k + FN_k}

    Undefined (nan) when a class has no instance: scikit-learn's ``balanced_accuracy_score`` averages the
    classes that are there, and so compares folds by different yardsticks. Also called balanced accuracy; with
    two classes it is the mean of true positive and true negative rate.

    Reference: Brodersen et al. (2010), ICPR, doi:10.1109/ICPR.2010.764.

    >>> average_recall([1] * 80 + [0] * 20, [1] * 60 + [0] * 40)  # 60 of 80 and 20 of 20; accuracy is 0.8
    0.875
    """
    return np.asarray(ratio(c.hits, c.actual).mean(axis=1))


@measure(
    "Precision",
    of=PerClass,
    worst=0.0,
    best=1.0,
    undefined="nothing is predicted to be of the class",
    use_when="acting on a false alarm is what costs, and true negatives don't matter",
    beware="the class balance changes: so does precision, for the same method",
    aliases=("ppv", "positive_predictive_value"),
)
def precision(c: PerClass) -> FloatArray:
    r"""Share of predicted positives that are positive.

    .. math:: \text{precision} = \frac{TP}{TP + FP}

    Of the positive class when there are two (``positive=``, by default the last in sorted order), the mean over
    the classes when there are more; ``average`` asks for ``"macro"``, ``"micro"`` or ``"weighted"`` (by the number
    of instances) in any case. Undefined (nan) when nothing is predicted positive; scikit-learn says 0.
    Also called positive predictive value.

    >>> precision([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0])  # TP 2, FP 1, FN 2: recall would be 0.5
    0.6667
    >>> precision([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], positive=0)
    0.3333
    """
    return ratio(c.tp, c.tp + c.fp)


@measure(
    "Recall",
    of=PerClass,
    worst=0.0,
    best=1.0,
    undefined="the class has no instance",
    use_when="a missed positive is what costs",
    beware="alone: predicting everything positive gives 1",
    aliases=("tpr", "sensitivity", "hit_rate", "true_positive_rate"),
)
def recall(c: PerClass) -> FloatArray:
    r"""Share of positives that are predicted positive.

    .. math:: \text{recall} = \frac{TP}{TP + FN}

    Classes and averages as in :func:`precision`. Undefined (nan) when there are no positives.
    Also called true positive rate, sensitivity, hit rate.

    >>> recall([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0])  # TP 2, FN 2, FP 1: precision would be 0.6667
    0.5
    """
    return ratio(c.tp, c.tp + c.fn)


@measure(
    "F-measure",
    of=PerClass,
    worst=0.0,
    best=1.0,
    undefined="the class neither occurs nor is predicted",
    use_when="positives are to be found among many negatives that don't matter",
    beware="true negatives matter, or folds have few positives (then pool the folds: Forman & Scholz 2010)",
    aliases=("f1", "f_score", "f1_score", "dice"),
)
def f_measure(c: PerClass, *, beta: float = 1.0) -> FloatArray:
    r"""Harmonic mean of precision and recall; ``beta`` is how many times as much recall matters.

    .. math:: F_\beta = \frac{(1 + \beta^2)\, TP}{(1 + \beta^2)\, TP + \beta^2\, FN + FP}

    Classes and averages as in :func:`precision`. In this form it is 0, not undefined, when nothing is predicted
    positive though there are positives; undefined (nan) when there are neither. It ignores true negatives.
    Also called F1 (``beta=1``) or Dice coefficient.

    References: van Rijsbergen (1979), Information Retrieval; on combining folds, Forman & Scholz (2010),
    SIGKDD Explorations 12:49-57, doi:10.1145/1882471.1882479.

    >>> f_measure([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0])  # precision 2/3, recall 1/2
    0.5714
    >>> f_measure([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], beta=2)
    0.5263
    """
    if not 0 < beta < np.inf:
        raise InputError(f"beta must be a positive number (1 for F1), got {beta!r}")
    b2 = beta * beta
    return ratio((1 + b2) * c.tp, (1 + b2) * c.tp + b2 * c.fn + c.fp)


__test__ = examples(__name__)
