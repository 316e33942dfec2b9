"""DeLong's test of the difference of two areas under the ROC curve."""

from __future__ import annotations

import math

import numpy.typing as npt
from scipy.special import ndtri

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks as channel
from fairtrial.stats.bibliography import DELONG_1988, SUN_XU_2014
from fairtrial.stats.distributions.rank_sums import Placements, instance_scores, placements, positives
from fairtrial.stats.distributions.student_t import t_inference
from fairtrial.stats.distributions.tail import tail_share
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import MANY_INSTANCES, TWO_METHODS, procedure

NULL = "both models have the same area under the ROC curve on new instances from the same population"

EQUAL_AREAS = "the two areas are equal and their difference has zero variance"
UNDEFINED = (
    "the two areas differ but their difference has zero variance: the test is undefined; use measure_permutation"
)


@procedure(
    question=TWO_METHODS, null=NULL, assumes=MANY_INSTANCES, references=(DELONG_1988, SUN_XU_2014), test="DeLong"
)
def delong(
    truth: npt.ArrayLike,
    scores_a: npt.ArrayLike,
    scores_b: npt.ArrayLike,
    *,
    truth_b: npt.ArrayLike | None = None,
    positive: object = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""DeLong's test of the difference of two areas under the ROC curve, of two fitted models on the same instances.

    Null hypothesis: both models have the same area under the ROC curve on new instances from the same population.

    .. math:: z = \frac{A_a - A_b}{\sqrt{\operatorname{var}_a + \operatorname{var}_b - 2 \operatorname{cov}_{ab}}}

    The variances and the covariance come from the placements V and W (see :func:`auc_interval`): that of V over the
    positives divided by their number, plus that of W over the negatives divided by theirs. Ties count half. The
    interval of the difference inverts the test: it excludes 0 exactly when p < 1 − level.

    ``truth_b`` is for two independent test sets: ``scores_b`` belong to *other* instances, and ``truth_b`` are their
    true classes. Then there is no covariance, and t with Welch's degrees of freedom replaces z, as in pROC.

    If both models rank the instances alike, p is 1. If the areas differ but the variance is zero (a perfect ranking
    against a perfectly wrong one), the test is undefined: p is nan, with a note, and :func:`measure_permutation` gives
    an answer. The test is an approximation for many instances. It is about these two models, not about retraining them.

    References: DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595; Sun & Xu (2014),
    doi:10.1109/LSP.2014.2337313.

    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> outcome = delong(truth, [1, 2, 3, 5, 4, 6, 7, 8], [5, 1, 6, 2, 4, 3, 8, 7])
    >>> outcome.statistic, outcome.p_value, outcome.details["areas"]
    (0.8429, 0.3993, [0.9375, 0.75])
    """
    check_alternative(alternative)
    check_level(level)
    of_b = {"truth": truth, "scores_a": scores_a, "scores_b": scores_b}
    if truth_b is not None:
        of_b = {"truth_b": truth_b, "scores_b": scores_b}
        channel.same_rows({"truth": truth, "scores_a": scores_a})
    channel.same_rows(of_b)
    first = positives(truth, positive)
    second = first if truth_b is None else positives(truth_b, positive)
    a = placements(first, instance_scores("scores_a", scores_a, len(first)))
    b = placements(second, instance_scores("scores_b", scores_b, len(second)))
    return compare_areas(a, b, paired=truth_b is None, alternative=alternative, level=level)


def compare_areas(
    a: Placements, b: Placements, *, paired: bool = True, alternative: Alternative = "two-sided", level: float = 0.95
) -> Outcome:
    """:func:`delong` from the placements of two models."""
    sizes = [(len(p.of_positives), len(p.of_negatives)) for p in (a, b)]
    variances = a.variance(), b.variance()
    if math.isnan(sum(variances)):
        raise InputError(
            "truth must hold at least two positives and two negatives, since a single one has no variance, "
            f"got {sizes[0][0]} and {sizes[0][1]}" + ("" if paired else f" (truth_b: {sizes[1][0]} and {sizes[1][1]})")
        )
    difference, variance = a.area - b.area, a.difference_variance(b) if paired else sum(variances)
    covariance = (sum(variances) - variance) / 2
    df = math.inf if paired else _welch(a, b, variance)
    found = t_inference(
        difference, math.sqrt(variance), df, alternative, level, when_zero=EQUAL_AREAS, when_undefined=UNDEFINED
    )
    return Outcome(
        test="DeLong",
        null=NULL,
        statistic=found.statistic,
        critical_value=-float(ndtri(tail_share(level, alternative))) if paired else math.nan,
        p_value=found.tail.value,
        log10_p=found.tail.log10,
        n=sum(sizes[0]) if paired else sum(sizes[0]) + sum(sizes[1]),
        alternative=alternative,
        method="normal approximation" if paired else "t, unpaired",
        effect=Interval("difference of AUCs", difference, max(found.low, -1.0), min(found.high, 1.0), level, "DeLong"),
        df=None if paired else df,
        null_distribution=Null("t", df),
        notes=found.notes,
        details={"areas": [a.area, b.area], "variances": list(variances), "covariance": covariance},
    )


def _welch(a: Placements, b: Placements, variance: float) -> float:
    """Welch's degrees of freedom for two independent areas, each with its number of instances less one."""
    parts = [(p.variance(), len(p.of_positives) + len(p.of_negatives) - 1) for p in (a, b)]
    total = sum(v**2 / df for v, df in parts)
    return variance**2 / total if total > 0 else math.nan
