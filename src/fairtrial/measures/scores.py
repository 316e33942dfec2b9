"""Measures of predicted scores: formulas over the steps of the ROC curve."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.channel_checks import Classes
from fairtrial.measures.fold_axis import FloatArray, Folds, ratio
from fairtrial.measures.ranking import Order, Ranking, Steps
from fairtrial.measures.registry import examples, measure
from fairtrial.words import is_one_of, shown


@measure(
    "Area under the ROC curve",
    of=Ranking,
    worst=0.0,
    best=1.0,
    range="0 to 1, 0.5 by chance",
    undefined="a class has no instance",
    use_when="instances are to be ranked, or the threshold will be chosen later",
    beware="only the top of the ranking matters, or probabilities must be calibrated: it measures neither",
    aliases=("roc_auc", "roc_auc_score", "auroc", "auc_roc", "c_statistic"),
)
def auc(r: Ranking, *, multiclass: Literal["ovr", "ovo"] = "ovr") -> FloatArray:
    r"""Probability that a random positive scores higher than a random negative; ties count ½.

    .. math:: \text{AUC} = \frac{1}{n_+ n_-} \sum_{i \in +,\, j \in -} \left([s_i > s_j] + \tfrac12 [s_i = s_j]\right)

    With two classes ``scores`` has one score per instance, higher for the positive class (``positive=``, by default
    the last in sorted order), or a column per class. With more classes it has a column per class, and the result is
    the mean over classes, each one-vs-rest (``"ovr"``), or over pairs of classes (``"ovo"``: Hand & Till's M,
    which does not depend on the class balance). Undefined (nan) when a class has no instance.
    It is Mann–Whitney's U divided by :math:`n_+ n_-`; also called c-statistic.

    It does not depend on the class balance. As a mean over cost ratios, it weights them differently for each method
    (Hand 2009).

    References: Hanley & McNeil (1982), Radiology 143:29-36, doi:10.1148/radiology.143.1.7063747;
    Hand & Till (2001), Machine Learning 45:171-186, doi:10.1023/A:1010920819831;
    Hand (2009), Machine Learning 77:103-123, doi:10.1007/s10994-009-5119-5.

    >>> auc([0, 0, 0, 1, 1], [0.1, 0.4, 0.8, 0.4, 0.9])  # of 6 pairs 4 are in order, 1 is tied
    0.75
    """
    if not is_one_of(multiclass, ("ovr", "ovo")):
        raise InputError(f"multiclass must be 'ovr' or 'ovo', got {multiclass!r}")
    return r.against_each() if multiclass == "ovo" and len(r.classes) > 1 else r.against_rest()


@measure(
    "Partial area under the ROC curve",
    of=Ranking,
    worst=0.0,
    best=1.0,
    range="0 to 1, 0.5 by chance",
    undefined="a class has no instance",
    use_when="only low false positive rates are useful, as in screening",
    beware="a fold has few negatives: perhaps none of them lies in the part that counts",
)
def partial_auc(r: Ranking, *, max_fpr: float = 0.1, standardised: bool = True) -> FloatArray:
    r"""Area under the ROC curve up to a false positive rate, rescaled to the scale of the whole area.

    With :math:`A` the area left of :math:`m` = ``max_fpr``, which is :math:`m^2 / 2` by chance and :math:`m` for a
    perfect ranking, McClish's form is

    .. math:: \frac12 \left(1 + \frac{A - m^2 / 2}{m - m^2 / 2}\right)

    ``standardised=False`` gives :math:`A` itself, from 0 to :math:`m`. The curve is linear between its points, also
    where ``max_fpr`` lies between two of them. For a ranking worse than chance the value can fall below 0.5, at worst
    to :math:`(1 - m) / (2 - m)`. With more than two classes it is the mean over classes, each one-vs-rest.
    Undefined (nan) when a class has no instance.

    Reference: McClish (1989), Medical Decision Making 9:190-195, doi:10.1177/0272989X8900900307.

    >>> partial_auc([0, 0, 0, 0, 1, 1], [1, 2, 3, 5, 4, 6], max_fpr=0.5)  # A = (1 + 2) / 8, whole area 7/8
    0.8333
    """
    if not (channel_checks.is_number(max_fpr) and 0 < max_fpr <= 1):
        raise InputError(f"max_fpr must lie above 0 and be at most 1 (0.1 for the first tenth), got {shown(max_fpr)}")
    area = r.of_each(lambda steps: steps.area_up_to(max_fpr))
    if not standardised:
        return area
    by_chance = max_fpr**2 / 2
    return (1 + (area - by_chance) / (max_fpr - by_chance)) / 2


@measure(
    "Average precision",
    of=Ranking,
    worst=0.0,
    best=1.0,
    range="0 to 1, the share of positives by chance",
    undefined="a class has no instance",
    use_when="positives are rare, and only the top of the ranking is used",
    beware="data sets differ in their share of positives: that share is the level of chance",
    aliases=("average_precision_score", "pr_auc", "auprc", "auc_pr", "prauc"),
)
def average_precision(r: Ranking) -> FloatArray:
    r"""Mean precision over thresholds, weighted by the gain in recall: the area under the precision–recall steps.

    .. math:: \text{AP} = \sum_t (R_t - R_{t-1}) P_t

    over the distinct scores :math:`t` from the highest down; equal scores enter together. There is no interpolation:
    straight lines between points of a precision–recall curve are too optimistic (Davis & Goadrich). With more than two
    classes it is the mean over classes, each one-vs-rest. Undefined (nan) when a class has no instance;
    scikit-learn then returns 0 or 1.

    Reference: Davis & Goadrich (2006), ICML 233-240, doi:10.1145/1143844.1143874.

    >>> average_precision([0, 1, 0, 1, 1], [5, 4, 3, 2, 1])  # (1/2 + 2/4 + 3/5) / 3; reversed 0.8667
    0.5333
    """
    return r.of_each(Steps.mean_precision)


@measure(
    "Expected accuracy of a random split",
    of=Ranking,
    worst=0.25,
    best=0.75,
    range="0.25 to 0.75, 0.5 by chance",
    undefined="a class has no instance, or there are more than two classes",
    use_when="rankings are compared by accuracy, and nothing is known about the threshold",
    beware="something is known about the threshold: then it is not random",
)
def split_accuracy(r: Ranking) -> FloatArray:
    r"""Expected accuracy when the ranking is split at a random position.

    With :math:`n` instances there are :math:`n + 1` positions, all equally likely. Instances above the split are
    predicted positive; ties are broken at random. With :math:`\pi` the share of positives,

    .. math:: E[\text{acc}] = \frac{n}{n+1}\, \pi (1 - \pi) (2\,\text{AUC} - 1) + \frac12

    The factor :math:`\pi (1 - \pi)` is often printed as 1/4, which holds only for a balanced test set. Weights enter
    the area and the share; :math:`n` is the number of instances with weight. Undefined (nan) when a class has no
    instance, and for more than two classes unless ``positive=`` names one, against all others.

    Reference: Flach (2012), Machine Learning, Cambridge University Press, section 12.1, doi:10.1017/CBO9780511973000.

    >>> split_accuracy([0, 1, 0, 0], [1, 4, 3, 2])  # AUC 1, share 1/4: 4/5 · 3/16 + 1/2; right are 3 4 3 2 1 of 4
    0.65
    """
    if len(r.classes) > 1:
        return np.full((r.predictions.folds.count, 1), np.nan)
    n = r.instances()[:, None]
    positives, negatives = r.of_each(lambda s: s.positives), r.of_each(lambda s: s.negatives)
    balance = ratio(positives * negatives, (positives + negatives) ** 2)
    return n / (n + 1) * balance * (2 * r.against_rest() - 1) + 0.5


def pairwise_auc(
    truth: ArrayLike,
    scores: ArrayLike,
    *,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> float:
    r"""Mean area over all pairs of classes, from one score per instance, each pair in its better direction.

    .. math:: \frac{2}{K (K - 1)} \sum_{j < k} \max(A_{jk}, 1 - A_{jk})

    with :math:`A_{jk}` the share of pairs of instances in which the one of class :math:`k` scores higher; ties count ½.
    It is for a marker, or a score of severity, against several grades, as in pROC's ``multiclass.roc`` (where the
    medians decide the direction of a pair). The direction is chosen from the same data, so chance gives more than 0.5:
    it is optimistic, and not suitable to compare methods by. For a score per class use ``auc(…, multiclass="ovo")``.
    Undefined (nan) when a class has no instance, or there is only one.

    Reference: Hand & Till (2001), Machine Learning 45:171-186, doi:10.1023/A:1010920819831.

    >>> pairwise_auc(["low", "low", "mid", "mid", "top"], [1, 3, 2, 5, 4])  # 3/4, 1 and 1/2
    0.75
    """
    channel_checks.one_length({"truth": truth, "scores": scores, "weights": weights})
    known, (actual,) = channel_checks.encode(channel_checks.labels("truth", truth), None, classes)
    marker, w = channel_checks.numbers("scores", scores, infinite=True), channel_checks.weights_of(weights)
    if marker.ndim != 1:
        raise InputError(f"scores must be one number per instance, got the shape {marker.shape}; see auc for columns")
    order = Order.of(marker, Folds.of(None, len(marker)))
    pairs = combinations(range(len(known)), 2)
    areas = np.array([order.steps(actual == k, actual == j, w).area()[0] for j, k in pairs])
    return float(np.maximum(areas, 1 - areas).mean()) if len(areas) else float("nan")


__test__ = examples(__name__)
