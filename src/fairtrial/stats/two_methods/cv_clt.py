"""Test of two methods from the losses of one cross-validation, by a central limit theorem."""

from __future__ import annotations

import math

import numpy.typing as npt

from fairtrial.measures.channel_checks import same_rows
from fairtrial.stats.bibliography import BAYLE_2020
from fairtrial.stats.distributions.student_t import t_inference
from fairtrial.stats.one_method.cross_validation import Spread, clt_notes, mean_and_error
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import TWO_METHODS, procedure
from fairtrial.stats.score_arrays import differences, paired_scores

ASSUMES = "stable algorithms and many instances; the answer is about the models of these folds"
NULL = "the models fitted on these folds have, on average, the same error on new instances"


@procedure(question=TWO_METHODS, null=NULL, assumes=ASSUMES, references=(BAYLE_2020,), test="Cross-validation CLT")
def cv_clt(
    losses_a: npt.ArrayLike,
    losses_b: npt.ArrayLike,
    *,
    folds: npt.ArrayLike,
    spread: Spread = "all",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""z-test of two methods from the loss of each instance in one k-fold cross-validation (Bayle et al. 2020).

    Null hypothesis: the models fitted on these folds have, on average, the same error on new instances.

    With :math:`h_i` the difference of the two methods' losses on instance i, each from the model that was not trained
    on it,

    .. math:: z = \frac{\sqrt n\, \bar h}{\hat\sigma}, \qquad
              \hat\sigma^2_{\text{all}} = \frac1n \sum_i (h_i - \bar h)^2, \qquad
              \hat\sigma^2_{\text{within}} = \frac1k \sum_j s_j^2,

    where :math:`s_j^2` is the variance within fold j. The test has more power than :func:`corrected_t`, but a narrower
    question: it is about these fitted models, not about the methods over other training sets. It needs stable
    algorithms (one more instance hardly changes the model) and many instances; a note appears below 100.

    If all differences are zero, p is 1. If all are equal but not zero, their variance is zero and p is nan, with a
    note.

    Reference: Bayle, Bayle, Janson & Mackey (2020), Cross-validation confidence intervals for test error, NeurIPS 33,
    arXiv:2007.12671.

    >>> first = [0] * 150 + [1] * 50
    >>> second = [0] * 130 + [1] * 70
    >>> outcome = cv_clt(first, second, folds=[i % 10 for i in range(200)])
    >>> outcome.statistic, outcome.p_value
    (-4.7140, 2.4285e-06)
    """
    check_alternative(alternative)
    check_level(level)
    same_rows({"losses_a": losses_a, "losses_b": losses_b, "folds": folds})
    a, b = paired_scores(losses_a, losses_b)
    h = differences(a, b).values()
    mean, error = mean_and_error(h, folds, spread)
    found = t_inference(mean, error, math.inf, alternative, level)
    return Outcome(
        test="Cross-validation CLT",
        null=NULL,
        statistic=found.statistic,
        p_value=found.tail.value,
        log10_p=found.tail.log10,
        n=len(h),
        alternative=alternative,
        method="normal approximation",
        null_distribution=Null("normal"),
        effect=Interval("mean difference of losses", mean, found.low, found.high, level, "central limit theorem"),
        notes=(*clt_notes(len(h)), *found.notes),
        details={"standard_error": error, "spread": spread},
    )
