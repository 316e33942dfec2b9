"""Tests of whether a difference is too small to matter: equivalence and non-inferiority of two methods."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.arguments import number, share_ratio
from fairtrial.stats.bibliography import SCHUIRMANN_1987, WELLEK_2010
from fairtrial.stats.distributions.student_t import NO_VARIANCE, t_bounds, t_outcome, t_tail
from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_level
from fairtrial.stats.procedures import NORMAL, TWO_METHODS, procedure
from fairtrial.stats.score_arrays import paired_scores

NULL = "the absolute expected difference is at least the margin"
NULL_NON_INFERIORITY = "the first method is worse than the second by the margin or more"
FOLDS = "the scores are taken as independent; give test_share if they are scores over folds or repeats of one data set"


@procedure(question=TWO_METHODS, null=NULL, assumes=NORMAL, references=(SCHUIRMANN_1987,), test="Equivalence (TOST)")
def equivalence(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    margin: float | Sequence[float],
    test_share: float | None = None,
    level: float = 0.95,
) -> Outcome:
    r"""Equivalence test of two methods (TOST, two one-sided t-tests): is the mean difference within a margin?

    Null hypothesis: the absolute expected difference is *at least* the margin. Rejecting it shows equivalence; a large
    p-value of an ordinary test never does.

    With :math:`d_i = a_i - b_i`, the margin :math:`(-\delta, \delta)` or ``(low, high)``, and the standard error of
    :func:`corrected_t` (without ``test_share`` its q is 0),

    .. math:: t_1 = \frac{\bar d - \delta_{low}}{se}, \quad t_2 = \frac{\bar d - \delta_{high}}{se}, \qquad
              p = \max\bigl(P(T \ge t_1),\ P(T \le t_2)\bigr), \quad T \sim t_{k-1}.

    The statistic is that of the one-sided test with the larger p-value. The interval has the level 2·level − 1 (90 %
    for a level of 95 %): it lies inside the margin exactly when p < 1 − level. Choose the margin before you see the
    scores.

    If all differences are equal, their variance is zero and p is nan, with a note: 0 inside the margin and 1 outside
    would claim too much.

    Reference: Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15:657-680, doi:10.1007/BF01068419.

    >>> first, second = [0.82, 0.80, 0.86, 0.84, 0.81], [0.81, 0.81, 0.85, 0.84, 0.80]
    >>> outcome = equivalence(first, second, margin=0.02)
    >>> outcome.p_value, outcome.effect.low, outcome.effect.high
    (0.0081, -0.0045, 0.0125)
    """
    low, high = _margin(margin)
    if not 0.5 < number(level) < 1:
        raise InputError(f"level must lie strictly between 0.5 and 1 (0.95 for 95 %), got {level!r}")
    found = _t_test(a, b, test_share, level)
    effect = _interval_at(found, 2 * level - 1)
    t, tail, notes = _two_one_sided(found, low, high)
    return Outcome(
        test="Equivalence (TOST)",
        null=f"the expected difference is not between {low:g} and {high:g}",
        statistic=t,
        critical_value=t_bounds(0.0, 1.0, found.n - 1, level, "less")[1],
        p_value=tail.value,
        log10_p=tail.log10,
        n=found.n,
        method=found.method,
        effect=effect,
        df=found.df,
        null_distribution=Null("t", found.n - 1, side="greater" if _mean(found) < (low + high) / 2 else "less"),
        notes=(*(() if test_share is not None else (FOLDS,)), *notes),
        details={"margin": [low, high], "standard_error": found.details["standard_error"]},
    )


@procedure(
    question=TWO_METHODS, null=NULL_NON_INFERIORITY, assumes=NORMAL, references=(WELLEK_2010,), test="Non-inferiority"
)
def non_inferiority(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    margin: float,
    test_share: float | None = None,
    level: float = 0.95,
    higher_is_better: bool = True,
) -> Outcome:
    r"""Non-inferiority test (one-sided t-test): is the first method worse than the second by less than a margin?

    It is for a first method that is cheaper, smaller or simpler than the second.

    Null hypothesis: the first method is worse than the second by ``margin`` or more.

    .. math:: t = \frac{\bar d + \delta}{se}, \qquad p = P(T \ge t), \quad T \sim t_{k-1}

    with :math:`d_i = a_i - b_i` and the standard error of :func:`corrected_t`. With ``higher_is_better=False``,
    :math:`t = (\bar d - \delta)/se` and p is the lower tail. The interval is one-sided: it stays above :math:`-\delta`
    exactly when p < 1 − level. Choose the margin before you see the scores. A margin of 0 gives the ordinary one-sided
    test of superiority. If all differences are equal, their variance is zero and p is nan, with a note.

    Reference: Wellek (2010), Testing Statistical Hypotheses of Equivalence and Noninferiority, 2nd edition.

    >>> first, second = [0.82, 0.80, 0.86, 0.84, 0.81], [0.81, 0.81, 0.85, 0.84, 0.80]
    >>> outcome = non_inferiority(first, second, margin=0.01)
    >>> outcome.p_value, outcome.effect.low, outcome.effect.high
    (0.0124, -0.0045, inf)
    """
    if not 0 <= number(margin) < math.inf:
        raise InputError(
            f"margin must be a finite number of at least 0, the loss of score that does not matter, got {margin!r}"
        )
    found = _t_test(a, b, test_share, level)
    alternative: Alternative = "greater" if higher_is_better else "less"
    edge = -margin if higher_is_better else margin
    t, tail, notes = _one_sided(found, edge, alternative)
    mean, error = _mean(found), found.details["standard_error"]
    bounds = t_bounds(mean, error, found.n - 1, level, alternative) if error > 0 else (math.nan, math.nan)
    return Outcome(
        test="Non-inferiority",
        null=f"the first method is worse than the second by {margin:g} or more",
        statistic=t,
        critical_value=t_bounds(0.0, 1.0, found.n - 1, level, "less")[1],
        p_value=tail.value,
        log10_p=tail.log10,
        n=found.n,
        alternative=alternative,
        method=found.method,
        effect=Interval("mean difference", mean, *bounds, level, found.method),
        df=found.df,
        null_distribution=found.null_distribution,
        notes=(*(() if test_share is not None else (FOLDS,)), *notes),
        details={"margin": margin, "standard_error": error},
    )


def _margin(margin: float | Sequence[float]) -> tuple[float, float]:
    both = isinstance(margin, Sequence) and len(margin) == 2
    low, high = map(number, margin) if both else (-number(margin), number(margin))  # type: ignore[arg-type]
    if not -math.inf < low < high < math.inf:
        raise InputError(f"margin must be a positive number or (low, high) with low below high, got {margin!r}")
    return low, high


def _t_test(a: npt.ArrayLike, b: npt.ArrayLike, test_share: float | None, level: float) -> Outcome:
    check_level(level)
    return t_outcome(
        *paired_scores(a, b),
        ratio=share_ratio(test_share),
        test="",
        null="",
        method="t" if test_share is None else "corrected t",
        alternative="two-sided",
        level=level,
    )


def _mean(found: Outcome) -> float:
    return math.nan if found.effect is None else found.effect.estimate


def _interval_at(found: Outcome, level: float) -> Interval:
    """The two-sided interval of the mean difference at another level."""
    mean, error = _mean(found), found.details["standard_error"]
    bounds = t_bounds(mean, error, found.n - 1, level, "two-sided") if error > 0 else (math.nan, math.nan)
    return Interval("mean difference", mean, *bounds, level, found.method)


def _one_sided(found: Outcome, edge: float, alternative: Alternative) -> tuple[float, Tail, tuple[str, ...]]:
    """The one-sided t-test of the mean difference against ``edge``."""
    error = found.details["standard_error"]
    if error > 0:
        t = (_mean(found) - edge) / error
        return t, t_tail(t, found.n - 1, alternative), ()
    return math.nan, Tail(math.nan, math.nan), (NO_VARIANCE,)


def _two_one_sided(found: Outcome, low: float, high: float) -> tuple[float, Tail, tuple[str, ...]]:
    """The one-sided test with the larger p-value, which decides."""
    above, below = _one_sided(found, low, "greater"), _one_sided(found, high, "less")
    return above if above[1].value > below[1].value else below
