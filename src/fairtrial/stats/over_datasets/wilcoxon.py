"""Two methods compared over several data sets, each data set one independent piece of evidence.

Give one score per method and data set (the mean over its folds). Scores are rounded to 12 significant digits of the
largest before anything is ranked, so that float noise doesn't break ties.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.distributions.normal import normal_tail
from fairtrial.stats.distributions.signed_rank import (
    SignedRanks,
    agree_at_zero,
    pairs_used,
    pseudo_median,
    rank_bounds,
    signed_ranks,
)
from fairtrial.stats.distributions.tail import sign_critical, sign_tail
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.score_arrays import Differences, IntArray, differences, paired_scores

__all__ = ["sign_test", "wilcoxon"]

EXACT_PAIRS = 300


def _check_option(name: str, value: str, options: tuple[str, ...]) -> None:
    if value not in options:
        raise InputError(f"{name} must be one of {', '.join(map(repr, options))}, got {value!r}")


def wilcoxon(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    zeros: Literal["drop", "split", "pratt"] = "drop",
    method: Literal["auto", "exact", "asymptotic"] = "auto",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    interval: bool = True,
) -> Outcome:
    r"""Wilcoxon's signed-ranks test of two methods over data sets.

    Null hypothesis: the differences :math:`d_i = a_i - b_i` are symmetric about zero.

    The :math:`|d_i|` are ranked, ties sharing the mean of their ranks, and the ranks of the positive and of the
    negative differences are added up,

    .. math:: R^+ = \sum_{d_i > 0} \operatorname{rank} |d_i|, \qquad R^- = \sum_{d_i < 0} \operatorname{rank} |d_i|.

    The statistic is the sum that is small under the alternative: :math:`T = \min(R^+, R^-)`, or :math:`R^-` for
    ``greater`` and :math:`R^+` for ``less``. The null is rejected when it is at most ``critical_value`` (nan when the
    data sets are too few for the level).

    ``method``: ``exact`` counts the :math:`2^n` ways to give the observed ranks their signs, ties and all;
    ``asymptotic`` is the normal approximation with the variance :math:`\sum \operatorname{rank}_i^2 / 4` (corrected
    for ties, without continuity correction); ``auto`` is exact up to 300 pairs. ``details`` has the normal p of other
    conventions: ``continuity_corrected_p``, what R's ``wilcox.test`` gives when there are ties or zeros, and
    ``without_tie_correction_p``, Demšar's.

    ``zeros``: ``drop`` leaves equal scores out, also out of the effect; ``pratt`` ranks them but gives them no sign;
    ``split`` gives half of their ranks to each side (one of an odd number is left out) and refers the sums to the
    distribution over all ranks, as in Demšar (2006). A note has the number of zeros and the p under ``split``, or that
    under ``drop`` for the other two. All scores equal: p = 1.

    The effect is the Hodges-Lehmann pseudo-median, the median of all means of two differences, with the interval of
    those shifts that the same test doesn't reject: it leaves out 0 exactly when p < 1 − level. With fewer than 6 pairs
    it is unbounded at 95 %. ``interval=False`` leaves it out, for speed.

    References: Wilcoxon (1945), doi:10.2307/3001968; Pratt (1959), doi:10.1080/01621459.1959.10501526;
    Hodges & Lehmann (1963), doi:10.1214/aoms/1177704172; Demšar (2006), JMLR 7:1-30,
    https://jmlr.org/papers/v7/demsar06a.html.

    >>> forest = [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74]
    >>> bayes = [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66]
    >>> print(wilcoxon(forest, bayes))
    Wilcoxon signed ranks (exact)
      p = 0.031, statistic 1.0000, n = 7
      pseudo-median difference 0.04000, 95 % interval [0.01000, 0.06500] (Hodges-Lehmann)
      null hypothesis: the differences between the first and the second are symmetric about zero
    """
    _check_option("zeros", zeros, ("drop", "split", "pratt"))
    _check_option("method", method, ("auto", "exact", "asymptotic"))
    check_alternative(alternative)
    check_level(level)
    d = differences(*paired_scores(a, b))
    used = pairs_used(d.whole, zeros)
    ranks = signed_ranks(used, zeros)
    exact = method == "exact" or (method == "auto" and len(used) <= EXACT_PAIRS)
    tail = ranks.p(alternative, exact=exact)
    critical = ranks.critical((1 - level) / (2 if alternative == "two-sided" else 1), exact=exact)
    effect = None
    if interval:
        rejected = tail.value < 1 - level
        effect = _pseudo_median(d, used, ranks, level, alternative, exact=exact, rejected=rejected)
    return Outcome(
        test="Wilcoxon signed ranks",
        null="the differences between the first and the second are symmetric about zero",
        statistic=ranks.sum_for(alternative) / 2 if len(ranks.ranks) else math.nan,
        critical_value=critical / 2 if critical >= 0 else math.nan,
        p_value=tail.value,
        log10_p=tail.log10,
        n=len(used),
        alternative=alternative,
        method="exact" if exact else "asymptotic",
        effect=effect,
        notes=_zero_notes(d.whole, zeros, alternative, exact=exact),
        details=_signed_rank_details(d.whole, used, ranks, alternative),
    )


def _pseudo_median(
    d: Differences,
    used: IntArray,
    ranks: SignedRanks,
    level: float,
    alternative: Alternative,
    *,
    exact: bool,
    rejected: bool,
) -> Interval:
    data = used if len(used) else d.whole
    low, high = rank_bounds(data, level, alternative, exact=exact)
    bounds = agree_at_zero(
        (d.value(low), d.value(high)), rejected=rejected, positive=ranks.plus > ranks.minus, least=d.value(0.25)
    )
    notes = ("too few pairs for an interval at this level",) if bounds == (-math.inf, math.inf) else ()
    return Interval("pseudo-median difference", d.value(pseudo_median(data)), *bounds, level, "Hodges-Lehmann", notes)


def _zero_notes(d: IntArray, zeros: str, alternative: Alternative, *, exact: bool) -> tuple[str, ...]:
    count = int((d == 0).sum())
    if count == 0:
        return ()
    if count == len(d):
        return ("all scores are equal",)
    many = {"drop": "are equal and were dropped", "split": "are equal and have their ranks split",
            "pratt": "are equal and were ranked without a sign"}[zeros]  # fmt: skip
    single = {"drop": "is equal and was dropped", "split": "is equal and has its rank split",
              "pratt": "is equal and was ranked without a sign"}[zeros]  # fmt: skip
    done, them = (single, ("its rank", "it")) if count == 1 else (many, ("their ranks", "them"))
    other, told = ("split", f"with {them[0]} split") if zeros == "drop" else ("drop", f"with {them[1]} dropped")
    p = signed_ranks(pairs_used(d, other), other).p(alternative, exact=exact).value
    return (f"{count} of {len(d)} pairs {done}; {told} p = {p:.4g}",)


def _signed_rank_details(d: IntArray, used: IntArray, ranks: SignedRanks, alternative: Alternative) -> dict[str, Any]:
    n = len(used)
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    plain = (ranks.plus - ranks.minus) / 4 / spread if n else math.nan
    return {
        "r_plus": ranks.plus / 2,
        "r_minus": ranks.minus / 2,
        "zeros": int((d == 0).sum()),
        "z": ranks.z,
        "z_without_tie_correction": plain,
        "without_tie_correction_p": normal_tail(plain, alternative).value,
        "continuity_corrected_p": ranks.continuity_corrected(alternative).value,
    }


def sign_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    ties: Literal["drop", "split"] = "drop",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""Sign test of two methods over data sets: wins against losses.

    Null hypothesis: on a data set where they differ, each method is as likely to win as the other.

    With w wins of the first in n data sets, :math:`P(B \ge w)` and :math:`P(B \le w)` are added up exactly from
    :math:`B \sim \text{Binomial}(n, \tfrac12)`; the two-sided p is twice the smaller. The statistic is w.
    ``critical_value``: w must be at least so large (two-sided: or the losses; for ``less`` the losses alone).
    ``details["z"]`` is what the normal approximation would start from; the exact p needs none.

    ``ties``: ``drop`` leaves equal scores out; ``split`` counts half of them as wins and half as losses (one of an odd
    number is left out), as in Demšar (2006). No wins and no losses: p = 1.

    The effect is the median of the differences used, between the two order statistics that invert the same test:
    it leaves out 0 exactly when p < 1 − level.

    Reference: Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html; Dixon & Mood (1946),
    doi:10.1080/01621459.1946.10501898.

    >>> outcome = sign_test([5, 7, 8, 6, 9, 4, 3], [4, 5, 5, 5, 4, 5, 3])
    >>> outcome.p_value, outcome.details
    (0.21875, {'wins': 5, 'losses': 1, 'ties': 1, 'z': 1.6330})
    """
    _check_option("ties", ties, ("drop", "split"))
    check_alternative(alternative)
    check_level(level)
    d = differences(*paired_scores(a, b))
    used = np.sort(pairs_used(d.whole, ties))
    n, even = len(used), int((used == 0).sum()) // 2
    wins, losses = int((used > 0).sum()) + even, int((used < 0).sum()) + even
    small = {"greater": losses, "less": wins, "two-sided": min(wins, losses)}[alternative]
    tail = sign_tail(n, small).doubled() if alternative == "two-sided" else sign_tail(n, small)
    below = sign_critical(n, (1 - level) / (2 if alternative == "two-sided" else 1))
    bounds = _order_bounds(d, used if n else np.sort(d.whole), level, alternative)
    bounds = agree_at_zero(bounds, rejected=tail.value < 1 - level, positive=wins > losses, least=d.value(0.25))
    equal = len(d.whole) - int((d.whole != 0).sum())
    return Outcome(
        test="Sign test",
        null="where the first and the second differ, each is as likely to be larger",
        statistic=float(wins),
        critical_value=float(n - below) if below >= 0 else math.nan,
        p_value=tail.value,
        log10_p=tail.log10,
        n=n,
        alternative=alternative,
        effect=Interval("median difference", d.value(_median(used)), *bounds, level, "order statistics"),
        notes=_tie_notes(equal, len(d.whole), ties),
        details={"wins": wins, "losses": losses, "ties": equal, "z": (wins - losses) / math.sqrt(n) if n else math.nan},
    )


def _median(ordered: IntArray) -> float:
    return float(np.median(ordered)) if len(ordered) else 0.0


def _order_bounds(d: Differences, ordered: IntArray, level: float, alternative: Alternative) -> tuple[float, float]:
    n = len(ordered)
    below = sign_critical(n, (1 - level) / (2 if alternative == "two-sided" else 1))
    low = d.value(ordered[below]) if below >= 0 and alternative != "less" else -math.inf
    high = d.value(ordered[n - 1 - below]) if below >= 0 and alternative != "greater" else math.inf
    return low, high


def _tie_notes(equal: int, n: int, ties: str) -> tuple[str, ...]:
    if equal == n:
        return ("all scores are equal",)
    verb = "is" if equal == 1 else "are"
    return (f"{equal} of {n} pairs {verb} equal: {'dropped' if ties == 'drop' else 'split evenly'}",) if equal else ()
