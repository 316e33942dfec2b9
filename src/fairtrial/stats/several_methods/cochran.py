"""Cochran's Q test of several classifiers on the same instances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import COCHRAN_1950
from fairtrial.stats.outcome import Outcome
from fairtrial.stats.over_datasets.friedman import friedman
from fairtrial.stats.procedures import INSTANCES, SEVERAL_METHODS, procedure
from fairtrial.stats.score_arrays import score_table
from fairtrial.words import listed

NULL = "on every instance all classifiers are equally likely to be right"


@procedure(question=SEVERAL_METHODS, null=NULL, assumes=INSTANCES, references=(COCHRAN_1950,), test="Cochran's Q")
def cochran_q(
    table: npt.ArrayLike,
    *,
    method: Literal["auto", "exact", "monte-carlo", "chi-square"] = "auto",
    names: Sequence[str] | None = None,
    level: float = 0.95,
    draws: int = 20_000,
    seed: int = 0,
) -> Outcome:
    r"""Cochran's Q test: are several classifiers (columns) equally often right on the same instances (rows)?

    Null hypothesis: on every instance all classifiers are equally likely to be right. ``table`` says which classifier
    is right (True, 1) or wrong (False, 0) on which instance. The answer is about these fitted models, not about
    retraining them.

    With :math:`G_j` the number of instances on which classifier j of k is right, and :math:`L_i` the number of
    classifiers that are right on instance i,

    .. math:: Q = (k - 1) \frac{k \sum_j G_j^2 - (\sum_j G_j)^2}{k \sum_i L_i - \sum_i L_i^2}

    which is Friedman's statistic with its correction for ties. ``exact`` counts, for each instance, all ways to choose
    which classifiers are right; ``monte-carlo`` draws such ways at random; ``chi-square`` compares Q with
    :math:`\chi^2_{k-1}`; ``auto`` chooses as in :func:`friedman`, by the number of instances on which the classifiers
    disagree. For two classifiers it is McNemar's test (Q is its chi-square without continuity correction).

    The effect is Kendall's W, Q divided by its largest possible value :math:`N(k-1)`; accuracies are in ``details``.
    Instances on which all classifiers are right, or all are wrong, do not change Q. If there are no others, p is 1 and
    the statistic is nan.

    Reference: Cochran (1950), doi:10.1093/biomet/37.3-4.256.

    >>> outcome = cochran_q([[1, 1, 0], [1, 0, 0], [1, 1, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1], [1, 0, 0]])
    >>> outcome.statistic, outcome.p_value, outcome.method
    (4.3333, 0.1893, 'exact')
    """
    scores = score_table(table, names)
    if not np.isin(scores.scores, [0, 1]).all():
        bad = np.unique(scores.scores[~np.isin(scores.scores, [0, 1])])
        raise InputError(
            "table must say right (True, 1) or wrong (False, 0) for each instance and classifier, "
            f"got {listed(f'{v:g}' for v in bad)}; compare predictions with the truth first"
        )
    check_option("method", method, ("auto", "exact", "monte-carlo", "chi-square"))
    found = friedman(scores.scores, method=method, level=level, draws=draws, seed=seed)
    nothing = math.isnan(found.details["chi_square"])
    agreed = int((np.ptp(scores.scores, axis=1) == 0).sum())
    return Outcome(
        test="Cochran's Q",
        null=NULL,
        statistic=found.details["chi_square"],
        critical_value=found.critical_value,
        p_value=found.p_value,
        log10_p=found.log10_p,
        p_error=found.p_error,
        p_floor=found.p_floor,
        n=scores.n,
        method=found.method,
        effect=found.effect,
        df=scores.k - 1,
        null_distribution=found.null_distribution,
        notes=("all classifiers are right and wrong on the same instances",) if nothing else found.notes,
        details={
            "accuracies": scores.scores.mean(axis=0).tolist(),
            "chi_square_p": 1.0 if nothing else found.details["chi_square_p"],
            "disagreements": scores.n - agreed,
        },
    )
