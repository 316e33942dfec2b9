"""Label measures over the whole confusion matrix; those of one class at a time are in rates.py."""

from __future__ import annotations

from typing import Literal

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures.confusion_matrix import Confusion, Margins
from fairtrial.measures.fold_axis import FloatArray, ratio
from fairtrial.measures.registry import examples, find_entry, is_known, measure
from fairtrial.words import is_one_of


@measure(
    "Accuracy",
    of=Margins,
    worst=0.0,
    best=1.0,
    per_instance=True,
    use_when="the test data have the class balance in deployment, and all mistakes cost the same",
    beware="one class is rare: always predicting the other one scores high",
    aliases=("accuracy_score", "acc", "correct"),
)
def accuracy(c: Margins) -> FloatArray:
    r"""Share of instances that are predicted right.

    .. math:: \text{accuracy} = \frac1n \sum_i [\hat y_i = y_i]

    Undefined (nan) only for an empty fold. A label that is none of the classes counts as wrong. With ``prior`` it is
    the expected accuracy where the classes have those shares.

    >>> accuracy(["cat", "cat", "dog", "cow"], ["cat", "dog", "dog", "dog"])
    0.5
    >>> accuracy([1, 0, 0], [1, 1, 0], weights=[2, 1, 1])
    0.75
    """
    return ratio(c.correct, c.total)


@measure(
    "Error rate",
    of=Margins,
    worst=1.0,
    best=0.0,
    per_instance=True,
    use_when="accuracy is suitable, and very good methods are compared: differences are easier to see",
    beware="one class is rare: always predicting the other one has few errors",
    aliases=("misclassification_rate", "zero_one_loss", "error", "err"),
)
def error_rate(c: Margins) -> FloatArray:
    r"""Share of instances that are predicted wrong.

    .. math:: \text{error} = \frac1n \sum_i [\hat y_i \ne y_i] = 1 - \text{accuracy}

    Undefined (nan) only for an empty fold. Also called misclassification rate or zero-one loss.

    >>> error_rate([1, 1, 1, 0], [1, 1, 1, 1])
    0.25
    """
    return ratio(c.total - c.correct, c.total)


@measure(
    "Average recall",
    of=Margins,
    worst=0.0,
    best=1.0,
    undefined="a class has no instance",
    use_when="all classes matter equally, even rare ones; or the class balance in deployment is unknown",
    beware="the test data have the class balance in deployment: then accuracy is what counts",
    aliases=("balanced_accuracy", "balanced_acc", "bal_acc", "macro_recall", "unweighted_average_recall"),
)
def average_recall(c: Margins) -> FloatArray:
    r"""Mean recall over the classes.

    .. math:: \frac1K \sum_{k=1}^K \frac{TP_k}{TP_k + FN_k}

    It is the expected accuracy if any class balance is equally likely. With two classes it is the mean of true positive
    and true negative rate. Undefined (nan) when a class has no instance: scikit-learn's ``balanced_accuracy_score``
    averages over the classes that occur, so that folds are measured differently. Also called balanced accuracy.

    Reference: Brodersen et al. (2010), ICPR, doi:10.1109/ICPR.2010.764.

    >>> average_recall([1] * 80 + [0] * 20, [1] * 60 + [0] * 40)  # 60 of 80 and 20 of 20; accuracy is 0.8
    0.875
    """
    return np.asarray(c.recalls.mean(axis=1))


@measure(
    "Geometric mean of the recalls",
    of=Margins,
    worst=0.0,
    best=1.0,
    undefined="a class has no instance",
    use_when="every class must be found: missing one completely is as bad as missing all",
    beware="folds are small: it is 0 as soon as one rare class is never predicted right",
    aliases=("gmean", "geometric_mean"),
)
def g_mean(c: Margins) -> FloatArray:
    r"""Geometric mean of the recalls of all classes.

    .. math:: \left(\prod_{k=1}^K \frac{TP_k}{TP_k + FN_k}\right)^{1/K}

    With two classes it is the root of sensitivity times specificity. Undefined (nan) when a class has no instance.

    Reference: Kubat, Holte & Matwin (1998), Machine Learning 30:195-215, doi:10.1023/A:1007452223027.

    >>> g_mean([1, 1, 1, 1, 0, 0], [1, 0, 0, 0, 0, 0])  # recalls 1/4 and 1; average recall would be 0.625
    0.5
    """
    return np.asarray(c.recalls.prod(axis=1) ** (1 / c.n_classes))


@measure(
    "Matthews correlation coefficient",
    of=Confusion,
    worst=-1.0,
    best=1.0,
    range="−1 to 1, 0 by chance",
    undefined="all instances are of one class, or all are predicted to be of one class",
    use_when="one number must summarise the whole confusion matrix of an unbalanced problem",
    beware="the class balance changes: it changes too, for the same method",
    aliases=("matthews_corrcoef", "phi", "phi_coefficient"),
)
def mcc(c: Confusion) -> FloatArray:
    r"""Correlation between truth and prediction, as indicators of the classes.

    .. math:: \text{MCC} = \frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP+FP)(TP+FN)(TN+FP)(TN+FN)}} \quad (K = 2)

    and Gorodkin's :math:`R_K` with more classes. Undefined (nan) when truth or prediction has a single class;
    scikit-learn returns 0. A prediction that is none of the classes counts as a class of its own.

    References: Matthews (1975), Biochimica et Biophysica Acta 405:442-451, doi:10.1016/0005-2795(75)90109-9;
    Gorodkin (2004), Computational Biology and Chemistry 28:367-374, doi:10.1016/j.compbiolchem.2004.09.006.

    >>> mcc([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0])  # TP 2, FN 2, FP 1, TN 1
    0.0
    >>> mcc([1, 1, 1, 0, 0], [1, 1, 0, 0, 0])  # (2 · 2 − 0 · 1) / √(2 · 3 · 2 · 3)
    0.6667
    """
    total = c.total[:, None]
    truth, predicted, hits = ratio(c.actual, total), ratio(_with_elsewhere(c), total), ratio(c.hits, total)
    false = ratio(np.where(np.eye(c.n_classes, dtype=bool), 0.0, c.counts).sum(axis=1), total)
    covariance = (hits * _others(truth) - false * truth).sum(axis=1)
    spread = (truth * _others(truth)).sum(axis=1) * (predicted * _others(predicted)).sum(axis=1)
    return ratio(covariance, np.sqrt(spread))


def _with_elsewhere(c: Confusion) -> FloatArray:
    """The number of predictions of each class, and of none of the classes: (folds, classes + 1)."""
    return np.column_stack([c.predicted, c.elsewhere.sum(axis=1)])


def _others(shares: FloatArray) -> FloatArray:
    """The sum over the other classes, for each class; exactly 0 where one class has everything."""
    return shares @ (1 - np.eye(shares.shape[1]))


@measure(
    "Cohen's kappa",
    of=Confusion,
    worst=-1.0,
    best=1.0,
    range="−1 to 1, 0 by chance",
    undefined="all instances are of one class, and all are predicted to be of it",
    use_when="agreement should be counted beyond what the class shares alone would give",
    beware="classes are very unbalanced: it is then low even for good methods (the kappa paradox)",
    aliases=("cohen_kappa", "cohens_kappa", "cohen_kappa_score"),
)
def kappa(c: Confusion, *, disagreement: Literal["equal", "linear", "quadratic"] = "equal") -> FloatArray:
    r"""Agreement beyond chance, as a share of the largest possible agreement beyond chance.

    .. math:: \kappa = 1 - \frac{\sum_{jk} w_{jk}\, n_{jk}}{\sum_{jk} w_{jk}\, n_{j\cdot} n_{\cdot k} / n}

    with :math:`w_{jk} = [j \ne k]`. For ordered classes ``disagreement="linear"`` sets :math:`w_{jk} = |j - k|` and
    ``"quadratic"`` :math:`(j - k)^2`; a prediction that is none of the classes gets the largest of these weights.
    Undefined (nan) when chance alone would always agree.

    Reference: Cohen (1960), Educational and Psychological Measurement 20:37-46, doi:10.1177/001316446002000104.

    >>> kappa([1] * 25 + [0] * 25, [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15)  # 0.7 agree, 0.5 by chance
    0.4
    """
    weights = _disagreement(disagreement, c.n_classes)
    observed = (np.concatenate([c.counts, c.elsewhere[:, :, None]], axis=2) * weights).sum(axis=(1, 2))
    truth, predicted = ratio(c.actual, c.total[:, None]), ratio(_with_elsewhere(c), c.total[:, None])
    expected = np.einsum("fj,jk,fk->f", truth, weights, predicted)
    return 1 - ratio(ratio(observed, c.total), expected)


def _disagreement(how: str, k: int) -> FloatArray:
    """The weight of predicting class k when class j is true; the last column is for labels that are no class."""
    powers = {"equal": 0, "linear": 1, "quadratic": 2}
    if not is_one_of(how, powers):
        raise InputError(f"disagreement must be 'equal', 'linear' or 'quadratic', got {how!r}")
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
    off = np.column_stack([distance, np.full(k, max(k - 1, 1))]).astype(float)
    return np.where(off > 0, off ** powers[how], 0.0)


__test__ = examples(__name__)


def looks_at_one_class(name: str) -> bool:
    """Whether a measure may depend on which of two classes is the positive one: any but those of this file.

    >>> looks_at_one_class("precision"), looks_at_one_class("accuracy")
    (True, False)
    """
    return not is_known(name) or find_entry(name).of not in (Confusion, Margins)
