"""t-tests of two methods on one data set: corrected for scores over folds or resamples, and plain.

Test of two methods from the losses of one cross-validation, by a central limit theorem.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fairtrial.measures.channel_checks import same_rows
from fairtrial.stats.arguments import share_ratio
from fairtrial.stats.bibliography import (
    BAYLE_2020,
    BOUCKAERT_FRANK_2004,
    DIETTERICH_1998,
    NADEAU_BENGIO_2003,
    STUDENT_1908,
)
from fairtrial.stats.distributions.student_t import t_bounds, t_inference, t_outcome
from fairtrial.stats.one_method.cross_validation import Spread, clt_notes, mean_and_error
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import TWO_METHODS, procedure
from fairtrial.stats.score_arrays import FloatArray, IntArray, differences, paired_scores, unit_of

CORRELATED = "normal differences; the scores of any two resamples have the same correlation, test_share"
WORKS_CORRECTED = (NADEAU_BENGIO_2003, BOUCKAERT_FRANK_2004)
NO_FOLDS = "independent pairs (not folds), normal differences"
WORKS_PAIRED = (DIETTERICH_1998, STUDENT_1908)
NULL = "both methods have the same expected score"
CLOSE = 1e-6  # of the scores or of the critical value: closer than this, each pair is tested by itself


@procedure(
    question=TWO_METHODS, null=NULL, assumes=CORRELATED, references=WORKS_CORRECTED, test="Corrected resampled t"
)
def corrected_t(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    test_share: float,
    overlap: float = 1.0,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""Corrected resampled t-test of two methods, for scores over folds or resamples of one data set.

    Null hypothesis: both methods, trained on samples of this size from this population, have the same expected score.

    With :math:`d_i = a_i - b_i` over :math:`k` resamples and :math:`q` the ratio of test to training size,

    .. math:: t = \bar d \Big/ \sqrt{\left(\tfrac1k + \lambda q\right) s_d^2}, \qquad t \sim t_{k-1},
              \qquad q = \frac{\text{test share}}{1 - \text{test share}},

    where the plain paired t-test has :math:`q = 0` and rejects far too often. ``test_share`` is the share of the data
    that is held out each time: 0.1 for 10-fold, once or repeated. ``overlap`` is :math:`\lambda`, 1 in Nadeau and
    Bengio's test. The correction is a heuristic. For a single k-fold it is conservative. For repeated k-fold it depends
    on the learner: with ten times 10-fold it calls a difference between equal methods in 2 to 4 % of the cases for
    linear discriminants and naive Bayes, but in 9 to 12 % for 1-nearest-neighbour. With ``overlap=1.75`` it stays below
    5 % for all of them. Verdicts use one constant for each scheme: 1.75 there, 1.6 for ten times 5-fold, 1.38 for 30
    holdouts of a third, 0.9 of a half (``fairtrial lab schemes``). The interval for the mean difference
    uses the same variance.

    If all differences are zero, p is 1 and the statistic is nan. If all are equal but not zero, their variance is zero:
    the statistic is infinite and p is nan. A note says so in both cases. Whether differences are equal is decided after
    rounding (docs/statistics.md, "Rounding before ranking").

    References: Nadeau & Bengio (2003), Machine Learning 52:239-281, doi:10.1023/A:1024068626366;
    Bouckaert & Frank (2004), doi:10.1007/978-3-540-24775-3_3.

    >>> outcome = corrected_t([0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80], test_share=0.25)
    >>> outcome.statistic, outcome.p_value
    (2.1514, 0.1205)
    >>> print(outcome.effect)
    mean difference 0.03000, 95 % interval [−0.01438, 0.07438] (corrected t)
    """
    return t_outcome(
        *paired_scores(a, b),
        ratio=share_ratio(test_share, overlap),
        test="Corrected resampled t",
        null=NULL,
        method="corrected t",
        alternative=alternative,
        level=level,
    )


@procedure(question=TWO_METHODS, null=NULL, assumes=NO_FOLDS, references=WORKS_PAIRED, test="Paired t")
def paired_t(
    a: npt.ArrayLike, b: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> Outcome:
    r"""Paired t-test of two methods, for differences that are independent of each other (not folds).

    Null hypothesis: both methods have the same expected score: the expected difference is zero.

    .. math:: t = \bar d \Big/ \sqrt{s_d^2 / k}, \qquad t \sim t_{k-1}

    **Do not use it for folds or resamples of one data set:** they share training instances, so that the differences
    are not independent. With ten times 10-fold, it rejects a true null hypothesis in more than half of all studies. On
    the k folds of one cross-validation this is the *k-fold t-test* of many papers; on the means of repeats it is the
    *t-test on run means*. Use :func:`corrected_t` in both cases. Undefined cases are as in :func:`corrected_t`.

    Reference: Student (1908), Biometrika 6:1-25, doi:10.1093/biomet/6.1.1; on folds Dietterich (1998),
    doi:10.1162/089976698300017197.

    >>> outcome = paired_t([0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80])
    >>> outcome.statistic, outcome.p_value
    (3.2863, 0.0462)
    """
    note = (
        "this test assumes independent differences; use corrected_t for scores over folds or resamples of one data set"
    )
    return t_outcome(
        *paired_scores(a, b),
        ratio=0.0,
        test="Paired t",
        null=NULL,
        method="paired t",
        alternative=alternative,
        level=level,
        notes=(note,),
    )


def corrected_t_signs(scores: FloatArray, *, test_share: float, overlap: float = 1.0, level: float = 0.95) -> IntArray:
    """The sign of each significant difference of all pairs of methods by :func:`corrected_t`, for all pairs at once.

    ``scores`` has resamples in rows and methods in columns. Row i and column j of the result is +1 where method i has
    the higher mean and the test rejects, −1 where j has, and 0 where it does not reject.

    >>> scores = np.array([[0.82, 0.71, 0.80], [0.80, 0.70, 0.81], [0.86, 0.74, 0.85], [0.84, 0.73, 0.85]])
    >>> corrected_t_signs(scores, test_share=0.25).tolist()
    [[0, 1, 0], [-1, 0, -1], [0, 1, 0]]
    """
    k, methods = scores.shape
    values = scores / unit_of(scores)
    d = values[:, :, None] - values[:, None, :]
    mean, deviation = d.mean(axis=0), d.std(axis=0, ddof=1)
    reach = t_bounds(0.0, 1.0, k - 1, level, "two-sided")[1]
    limit = reach * math.sqrt(1 / k + share_ratio(test_share, overlap)) * deviation
    signs = np.where(np.abs(mean) > limit, np.sign(mean), 0).astype(np.int64)
    unclear = (deviation < CLOSE) | (np.abs(np.abs(mean) - limit) < CLOSE * limit)
    for i, j in np.argwhere(np.triu(unclear, 1)).tolist():
        found = corrected_t(scores[:, i], scores[:, j], test_share=test_share, overlap=overlap, level=level)
        rejected = found.p_value < 1 - level
        signs[i, j] = int(np.sign(found.statistic)) if rejected else 0
        signs[j, i] = -signs[i, j]
    signs[np.arange(methods), np.arange(methods)] = 0
    return signs


ASSUMES = "stable algorithms and many instances; the answer is about the models of these folds"
NULL_OF_FOLDS = "the models fitted on these folds have, on average, the same error on new instances"


@procedure(
    question=TWO_METHODS, null=NULL_OF_FOLDS, assumes=ASSUMES, references=(BAYLE_2020,), test="Cross-validation CLT"
)
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
        null=NULL_OF_FOLDS,
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
