"""Label measures of one class at a time: formulas over true and false positives and negatives.

With two classes they are about the positive class (``positive=``, by default the last in sorted order); with more they
are the mean over the classes. ``average="macro"``, ``"micro"`` or ``"weighted"`` (by the number of instances) sets
another average.
"""

from __future__ import annotations

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures.confusion_matrix import PerClass
from fairtrial.measures.fold_axis import FloatArray, ratio
from fairtrial.measures.registry import add_alias, examples, measure


def true_and_false_positive_rate(c: PerClass) -> tuple[FloatArray, FloatArray]:
    """The two rates of ROC space, which don't depend on the class balance."""
    return ratio(c.tp, c.tp + c.fn), ratio(c.fp, c.fp + c.tn)


@measure(
    "Precision",
    of=PerClass,
    worst=0.0,
    best=1.0,
    undefined="nothing is predicted to be of the class",
    use_when="false alarms are costly, and true negatives don't matter",
    beware="the class balance changes: precision changes too, for the same method",
    aliases=("ppv", "positive_predictive_value", "precision_score"),
)
def precision(c: PerClass) -> FloatArray:
    r"""Share of predicted positives that are positive.

    .. math:: \text{precision} = \frac{TP}{TP + FP}

    With two classes it is about the positive class (``positive=``, by default the last in sorted order); with more it
    is the mean over the classes. ``average="macro"``, ``"micro"`` or ``"weighted"`` (by the number of instances) sets
    another average. With ``prior`` it is the precision to be expected where positives have that share. Undefined (nan)
    when nothing is predicted positive; scikit-learn returns 0. Also called positive predictive value.

    >>> precision([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0])  # TP 2, FP 1, FN 2: recall would be 0.5
    0.6667
    >>> precision([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], positive=0)
    0.3333
    >>> precision([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], prior=0.1)  # 0.1 · 1/2 against 0.9 · 1/2
    0.1
    """
    return ratio(c.tp, c.tp + c.fp)


@measure(
    "Recall",
    of=PerClass,
    worst=0.0,
    best=1.0,
    undefined="the class has no instance",
    use_when="missed positives are costly",
    beware="it is used alone: predicting everything positive gives 1",
    aliases=("tpr", "sensitivity", "hit_rate", "true_positive_rate", "recall_score"),
)
def recall(c: PerClass) -> FloatArray:
    r"""Share of positives that are predicted positive.

    .. math:: \text{recall} = \frac{TP}{TP + FN}

    Classes and averages are as in :func:`precision`. Undefined (nan) when there are no positives.
    Also called true positive rate, sensitivity, hit rate.

    >>> recall([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0])  # TP 2, FN 2, FP 1: precision would be 0.6667
    0.5
    """
    return ratio(c.tp, c.tp + c.fn)


@measure(
    "Specificity",
    of=PerClass,
    worst=0.0,
    best=1.0,
    undefined="all instances are of the class",
    use_when="false alarms are costly",
    beware="it is used alone: predicting everything negative gives 1",
    aliases=("tnr", "true_negative_rate", "selectivity"),
)
def specificity(c: PerClass) -> FloatArray:
    r"""Share of negatives that are predicted negative.

    .. math:: \text{specificity} = \frac{TN}{TN + FP}

    Classes and averages are as in :func:`precision`. Undefined (nan) when there are no negatives.
    Also called true negative rate.

    >>> specificity([1, 1, 0, 0, 0], [1, 0, 0, 0, 1])  # TN 2, FP 1
    0.6667
    """
    return ratio(c.tn, c.tn + c.fp)


@measure(
    "False positive rate",
    of=PerClass,
    worst=1.0,
    best=0.0,
    undefined="all instances are of the class",
    use_when="the share of false alarms among negatives matters; it is the x axis of ROC space",
    beware="it is used alone (predicting everything negative gives 0), or negatives are many: 1 % of them is a lot",
    aliases=("false_positive_rate", "fallout", "fall_out", "false_alarm_rate"),
)
def fpr(c: PerClass) -> FloatArray:
    r"""Share of negatives that are predicted positive.

    .. math:: \text{fpr} = \frac{FP}{FP + TN} = 1 - \text{specificity}

    Classes and averages are as in :func:`precision`. Undefined (nan) when there are no negatives.
    Also called fallout or false alarm rate.

    >>> fpr([1, 1, 0, 0, 0], [1, 0, 0, 0, 1])  # FP 1, TN 2
    0.3333
    """
    return ratio(c.fp, c.fp + c.tn)


@measure(
    "False negative rate",
    of=PerClass,
    worst=1.0,
    best=0.0,
    undefined="the class has no instance",
    use_when="the share of missed positives matters",
    beware="it is used alone: predicting everything positive gives 0",
    aliases=("false_negative_rate", "miss_rate"),
)
def fnr(c: PerClass) -> FloatArray:
    r"""Share of positives that are predicted negative.

    .. math:: \text{fnr} = \frac{FN}{FN + TP} = 1 - \text{recall}

    Classes and averages are as in :func:`precision`. Undefined (nan) when there are no positives.
    Also called miss rate.

    >>> fnr([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 1, 0])  # FN 1, TP 3
    0.25
    """
    return ratio(c.fn, c.fn + c.tp)


@measure(
    "Negative predictive value",
    of=PerClass,
    worst=0.0,
    best=1.0,
    undefined="everything is predicted to be of the class",
    use_when="negative predictions must be trusted, because nobody checks them",
    beware="the class balance changes: it changes too, for the same method",
    aliases=("negative_predictive_value",),
)
def npv(c: PerClass) -> FloatArray:
    r"""Share of predicted negatives that are negative.

    .. math:: \text{npv} = \frac{TN}{TN + FN}

    Classes and averages are as in :func:`precision`. Undefined (nan) when nothing is predicted negative.

    >>> npv([1, 1, 1, 0, 0], [1, 0, 0, 0, 1])  # TN 1, FN 2
    0.3333
    """
    return ratio(c.tn, c.tn + c.fn)


@measure(
    "False discovery rate",
    of=PerClass,
    worst=1.0,
    best=0.0,
    undefined="nothing is predicted to be of the class",
    use_when="predicted positives are checked, and checking is costly",
    beware="the class balance changes: it changes too, for the same method",
    aliases=("false_discovery_rate",),
)
def fdr(c: PerClass) -> FloatArray:
    r"""Share of predicted positives that are negative.

    .. math:: \text{fdr} = \frac{FP}{FP + TP} = 1 - \text{precision}

    Classes and averages are as in :func:`precision`. Undefined (nan) when nothing is predicted positive.

    >>> fdr([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 1, 0])  # FP 1, TP 3
    0.25
    """
    return ratio(c.fp, c.fp + c.tp)


@measure(
    "False omission rate",
    of=PerClass,
    worst=1.0,
    best=0.0,
    undefined="everything is predicted to be of the class",
    use_when="nobody checks negative predictions, and a positive among them is costly",
    beware="the class balance changes: it changes too, for the same method",
)
def false_omission_rate(c: PerClass) -> FloatArray:
    r"""Share of predicted negatives that are positive.

    .. math:: \text{for} = \frac{FN}{FN + TN} = 1 - \text{npv}

    Classes and averages are as in :func:`precision`. Undefined (nan) when nothing is predicted negative.

    >>> false_omission_rate([1, 1, 0, 0, 0], [1, 0, 0, 0, 0])  # FN 1, TN 3
    0.25
    """
    return ratio(c.fn, c.fn + c.tn)


@measure(
    "F-measure",
    of=PerClass,
    worst=0.0,
    best=1.0,
    undefined="the class neither occurs nor is predicted",
    use_when="positives are to be found among many negatives that don't matter",
    beware="true negatives matter, or folds have few positives (use combine='pooled': Forman & Scholz 2010)",
    aliases=("f1", "f_score", "f1_score", "dice"),
)
def f_measure(c: PerClass, *, beta: float = 1.0) -> FloatArray:
    r"""Harmonic mean of precision and recall; recall counts ``beta`` times as much as precision.

    .. math:: F_\beta = \frac{(1 + \beta^2)\, TP}{(1 + \beta^2)\, TP + \beta^2\, FN + FP}

    Classes and averages are as in :func:`precision`. It is 0, not undefined, when there are positives but none is
    predicted. Undefined (nan) when there are neither. It ignores true negatives.
    Also called F1 (``beta=1``) or Dice coefficient.

    References: van Rijsbergen (1979), Information Retrieval; on combining folds, Forman & Scholz (2010),
    SIGKDD Explorations 12:49-57, doi:10.1145/1882471.1882479.

    >>> f_measure([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0])  # precision 2/3, recall 1/2
    0.5714
    >>> f_measure([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], beta=2)
    0.5263
    """
    if not 0 < beta < 1e9:
        raise InputError(f"beta must be a positive number (1 for F1), got {beta!r}")
    b2 = beta * beta
    return ratio((1 + b2) * c.tp, (1 + b2) * c.tp + b2 * c.fn + c.fp)


@measure(
    "Jaccard index",
    of=PerClass,
    worst=0.0,
    best=1.0,
    undefined="the class neither occurs nor is predicted",
    use_when="the overlap of segments or sets is the usual scale; it ranks as the F-measure does",
    beware="true negatives matter: it ignores them",
    aliases=("jaccard_score", "iou", "critical_success_index", "threat_score"),
)
def jaccard(c: PerClass) -> FloatArray:
    r"""Share of true positives among all instances that are positive or predicted positive.

    .. math:: J = \frac{TP}{TP + FP + FN} = \frac{F_1}{2 - F_1}

    Classes and averages are as in :func:`precision`. Undefined (nan) when there are neither positives nor predicted
    positives.
    Also called intersection over union, critical success index.

    >>> jaccard([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0])  # TP 2, FP 1, FN 2; F1 would be 0.5714
    0.4
    """
    return ratio(c.tp, c.tp + c.fp + c.fn)


@measure(
    "Predicted positive rate",
    of=PerClass,
    worst=np.nan,
    best=np.nan,
    range="0 to 1",
    use_when="the number of positive predictions is limited, or should match the share of positives",
    beware="methods are compared: more is neither better nor worse",
    aliases=("ppr", "alarm_rate"),
)
def predicted_positive_rate(c: PerClass) -> FloatArray:
    r"""Share of instances that are predicted positive: the classifier's estimate of the share of positives.

    .. math:: \text{ppr} = \frac{TP + FP}{n} = \text{pos} \cdot \text{tpr} + (1 - \text{pos}) \cdot \text{fpr}

    Neither higher nor lower is better. With more than two classes, choose one (``positive=``): the mean over all
    classes means nothing. Undefined (nan) only for an empty fold.

    >>> predicted_positive_rate([1] * 80 + [0] * 920, [1] * 75 + [0] * 5 + [1] * 10 + [0] * 910)
    0.085
    """
    return ratio(c.tp + c.fp, c.tp + c.fp + c.fn + c.tn)


@measure(
    "Informedness",
    of=PerClass,
    worst=-1.0,
    best=1.0,
    range="−1 to 1, 0 by chance",
    undefined="the class has no instance, or all instances are of it",
    use_when="both kinds of mistake count equally whatever the class balance, on a scale where chance is 0",
    beware="the class balance of the test data is the one of the application",
    aliases=("youden", "youden_j", "bookmaker_informedness"),
)
def informedness(c: PerClass) -> FloatArray:
    r"""True positive rate minus false positive rate: 0 for chance, 1 for perfect predictions.

    .. math:: J = \text{tpr} - \text{fpr} = \text{recall} + \text{specificity} - 1

    Classes and averages are as in :func:`precision`. Undefined (nan) when positives or negatives are missing.
    With two classes it is twice the average recall minus 1. Also called Youden's J.

    Reference: Youden (1950), Cancer 3:32-35, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3.

    >>> informedness([1, 1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0, 1])  # 3/4 − 1/3
    0.4167
    """
    tpr, fpr = true_and_false_positive_rate(c)
    return tpr - fpr


add_alias("f2", "f_measure(beta=2)")
add_alias("macro_f1", "f_measure(average='macro')")
add_alias("micro_f1", "f_measure(average='micro')")
add_alias("weighted_f1", "f_measure(average='weighted')")
add_alias("macro_precision", "precision(average='macro')")

__test__ = examples(__name__)
