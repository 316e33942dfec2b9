"""Is the difference too small to matter? Equivalence and non-inferiority of two methods."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.arguments import number, share_ratio
from fairtrial.stats.bibliography import SCHUIRMANN_1987, WELLEK_2010
from fairtrial.stats.distributions.student_t import t_bounds, t_outcome, t_tail
from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_level
from fairtrial.stats.procedures import NORMAL, TWO_METHODS, procedure
from fairtrial.stats.score_arrays import paired_scores

__all__ = ["equivalence", "non_inferiority"]

NULL = "the expected difference is at least the margin, one way or the other"
NULL_NON_INFERIORITY = "the first is worse by the margin or more"
FOLDS = "scores are taken as independent; for folds or repeats of one data set give test_share"


@procedure(question=TWO_METHODS, null=NULL, assumes=NORMAL, references=(SCHUIRMANN_1987,), test="Equivalence (TOST)")
def equivalence(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    margin: float | Sequence[float],
    test_share: float | None = None,
    level: float = 0.95,
) -> Outcome:
    r"""Two one-sided tests (TOST): is the mean difference inside a margin that doesn't matter?

    Null hypothesis: the expected difference is *at least* the margin, one way or the other. Rejecting it shows
    equivalence; a large p of an ordinary test never does.

    With :math:`d_i = a_i - b_i`, the margin :math:`(-\delta, \delta)` or ``(low, high)``, and the standard error of
    :func:`corrected_t` (q = 0 without ``test_share``),

    .. math:: t_1 = \frac{\bar d - \delta_{low}}{se}, \quad t_2 = \frac{\bar d - \delta_{high}}{se}, \qquad
              p = \max\bigl(P(T \ge t_1),\ P(T \le t_2)\bigr), \quad T \sim t_{k-1}.

    The statistic is the one of the two that decides. The interval is that at 2·level − 1 (90 % for a level of 95 %): it
    lies inside the margin exactly when p < 1 − level. Choose the margin before you see the scores.

    Differences without spread: p = 0 inside the margin and 1 outside would claim too much; p is nan, with a note.

    Reference: Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15:657-680, doi:10.1007/BF01068419.

    >>> first, second = [0.82, 0.80, 0.86, 0.84, 0.81], [0.81, 0.81, 0.85, 0.84, 0.80]
    >>> outcome = equivalence(first, second, margin=0.02)
    >>> outcome.p_value, outcome.effect.low, outcome.effect.high
    (0.0081, -0.0045, 0.0125)
    """
    low, high = _margin(margin)
    if not 0.5 < number(level) < 1:
        raise InputError(f"level must lie strictly between 0.5 and 1 (0.95 for 95 %), got {level!r}")
    found = _t(a, b, test_share, level)
    effect = _at(found, 2 * level - 1)
    t, tail, notes = _inside(found, low, high)
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
    r"""Is the first method at most a margin worse than the second? For a method that is cheaper, smaller or simpler.

    Null hypothesis: the first is worse by ``margin`` or more.

    .. math:: t = \frac{\bar d + \delta}{se}, \qquad p = P(T \ge t), \quad T \sim t_{k-1}

    with :math:`d_i = a_i - b_i` (``higher_is_better=False``: the other way round, :math:`t = (\bar d - \delta)/se` and
    the lower tail) and the standard error of :func:`corrected_t`. The interval is one-sided at the level: it stays
    above :math:`-\delta` exactly when p < 1 − level. Choose the margin before you see the scores. A margin of 0 is the
    ordinary one-sided test of superiority. Differences without spread: p nan, with a note.

    Reference: Wellek (2010), Testing Statistical Hypotheses of Equivalence and Noninferiority, 2nd edition.

    >>> first, second = [0.82, 0.80, 0.86, 0.84, 0.81], [0.81, 0.81, 0.85, 0.84, 0.80]
    >>> outcome = non_inferiority(first, second, margin=0.01)
    >>> outcome.p_value, outcome.effect.low, outcome.effect.high
    (0.0124, -0.0045, inf)
    """
    if not 0 <= number(margin) < math.inf:
        raise InputError(f"margin must be how much worse still doesn't matter, 0 or more, got {margin!r}")
    found = _t(a, b, test_share, level)
    alternative: Alternative = "greater" if higher_is_better else "less"
    edge = -margin if higher_is_better else margin
    t, tail, notes = _one_sided(found, edge, alternative)
    mean, error = _mean(found), found.details["standard_error"]
    bounds = t_bounds(mean, error, found.n - 1, level, alternative) if error > 0 else (math.nan, math.nan)
    return Outcome(
        test="Non-inferiority",
        null=f"the first is worse by {margin:g} or more",
        statistic=t,
        critical_value=t_bounds(0.0, 1.0, found.n - 1, level, "less")[1],
        p_value=tail.value,
        log10_p=tail.log10,
        n=found.n,
        alternative=alternative,
        method=found.method,
        effect=Interval("mean difference", mean, *bounds, level, found.method),
        df=found.df,
        notes=(*(() if test_share is not None else (FOLDS,)), *notes),
        details={"margin": margin, "standard_error": error},
    )


def _margin(margin: float | Sequence[float]) -> tuple[float, float]:
    both = isinstance(margin, Sequence) and len(margin) == 2
    low, high = map(number, margin) if both else (-number(margin), number(margin))  # type: ignore[arg-type]
    if not -math.inf < low < high < math.inf:
        raise InputError(f"margin must be a positive number or (low, high) with low below high, got {margin!r}")
    return low, high


def _t(a: npt.ArrayLike, b: npt.ArrayLike, test_share: float | None, level: float) -> Outcome:
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


def _at(found: Outcome, level: float) -> Interval:
    """The interval at another level."""
    mean, error = _mean(found), found.details["standard_error"]
    bounds = t_bounds(mean, error, found.n - 1, level, "two-sided") if error > 0 else (math.nan, math.nan)
    return Interval("mean difference", mean, *bounds, level, found.method)


def _one_sided(found: Outcome, edge: float, alternative: Alternative) -> tuple[float, Tail, tuple[str, ...]]:
    error = found.details["standard_error"]
    if error > 0:
        t = (_mean(found) - edge) / error
        return t, t_tail(t, found.n - 1, alternative), ()
    return math.nan, Tail(math.nan, math.nan), ("all differences are equal: without spread the test is undefined",)


def _inside(found: Outcome, low: float, high: float) -> tuple[float, Tail, tuple[str, ...]]:
    """The less significant of the two sides decides."""
    above, below = _one_sided(found, low, "greater"), _one_sided(found, high, "less")
    return above if above[1].value > below[1].value else below
