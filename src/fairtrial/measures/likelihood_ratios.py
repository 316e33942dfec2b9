"""Label measures of medical tests: likelihood ratios and the diagnostic odds ratio of one class at a time.

The class and the averages over classes are chosen as in rates.py.
"""

from __future__ import annotations

import numpy as np

from fairtrial.measures.confusion_matrix import PerClass
from fairtrial.measures.fold_axis import FloatArray, ratio
from fairtrial.measures.rates import true_and_false_positive_rate
from fairtrial.measures.registry import examples, measure


def _ratio_or_infinite(top: FloatArray, bottom: FloatArray) -> FloatArray:
    """Divide as :func:`ratio` does, except that a positive number over 0 is infinite."""
    return np.where((bottom == 0) & (top > 0), np.inf, ratio(top, bottom))


@measure(
    "Positive likelihood ratio",
    of=PerClass,
    worst=0.0,
    best=np.inf,
    range="0 upwards, 1 by chance",
    compare="log-ratio",
    undefined="none or all instances are of the class, or nothing is predicted to be of it",
    use_when="a positive prediction should update odds, as a medical test does",
    beware="there are hardly any false positives: it is then large and uncertain",
    aliases=("lr_plus",),
)
def positive_likelihood_ratio(c: PerClass) -> FloatArray:
    r"""Factor by which a positive prediction raises the odds of being positive.

    .. math:: LR^+ = \frac{\text{tpr}}{\text{fpr}}

    Infinite without false positives. Undefined (nan) when positives or negatives are missing, or nothing is predicted
    positive. Classes and averages are as in :func:`precision`.

    >>> positive_likelihood_ratio([1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 1, 0, 0, 0])  # 3/4 over 1/4
    3.0
    """
    return _ratio_or_infinite(*true_and_false_positive_rate(c))


@measure(
    "Negative likelihood ratio",
    of=PerClass,
    worst=np.inf,
    best=0.0,
    range="0 upwards, 1 by chance",
    compare="log-ratio",
    undefined="none or all instances are of the class, or everything is predicted to be of it",
    use_when="a negative prediction should rule something out, as a medical test does",
    beware="there are hardly any true negatives: it is then large and uncertain",
    aliases=("lr_minus",),
)
def negative_likelihood_ratio(c: PerClass) -> FloatArray:
    r"""Factor by which a negative prediction changes the odds of being positive.

    .. math:: LR^- = \frac{\text{fnr}}{\text{tnr}}

    Infinite without true negatives. Undefined (nan) when positives or negatives are missing, or nothing is predicted
    negative. Classes and averages are as in :func:`precision`.

    >>> negative_likelihood_ratio([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 1])  # 1/4 over 1/2
    0.5
    """
    return _ratio_or_infinite(ratio(c.fn, c.fn + c.tp), ratio(c.tn, c.tn + c.fp))


@measure(
    "Diagnostic odds ratio",
    of=PerClass,
    worst=0.0,
    best=np.inf,
    range="0 upwards, 1 by chance",
    compare="log-ratio",
    undefined="a row or a column of the contingency table is empty",
    use_when="tests are summarised over studies with different class balances",
    beware="a cell is small: it is then very uncertain",
    aliases=("dor",),
)
def diagnostic_odds_ratio(c: PerClass) -> FloatArray:
    r"""Odds of a positive prediction among positives, divided by those among negatives.

    .. math:: \text{DOR} = \frac{TP \cdot TN}{FP \cdot FN} = \frac{LR^+}{LR^-}

    Infinite when false positives or false negatives are missing. Undefined (nan) when positives, negatives, or
    predictions of either are missing. Classes and averages are as in :func:`precision`.

    Reference: Glas et al. (2003), Journal of Clinical Epidemiology 56:1129-1135, doi:10.1016/S0895-4356(03)00177-X.

    >>> diagnostic_odds_ratio([1, 1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0, 1])  # 3 · 2 / (1 · 1)
    6.0
    """
    tp, fp, fn, tn = (ratio(count, c.tp + c.fp + c.fn + c.tn) for count in (c.tp, c.fp, c.fn, c.tn))
    complete = np.logical_and.reduce([margin > 0 for margin in (tp + fn, fp + tn, tp + fp, fn + tn)])
    return np.where(complete, _ratio_or_infinite(tp * tn, fp * fn), np.nan)


__test__ = examples(__name__)
