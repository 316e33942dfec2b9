"""Methods compared over several data sets, each data set one independent piece of evidence.

Give one score per method and data set (the mean over its folds). Scores are rounded to 12 significant digits of the
largest before anything is ranked, so that float noise doesn't break ties.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import chdtri, fdtri

from fairtrial.errors import InputError
from fairtrial.stats.exact import Tail, friedman_null, sign_critical, sign_tail
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.rank_sums import chi_square_tail, exact_friedman, rank_statistics
from fairtrial.stats.scores import Differences, IntArray, differences, paired_scores, score_table
from fairtrial.stats.signed_rank import (
    SignedRanks,
    agree_at_zero,
    pairs_used,
    pseudo_median,
    rank_bounds,
    signed_ranks,
)

__all__ = ["friedman", "sign_test", "wilcoxon"]

EXACT_PAIRS = 300
FRIEDMAN_WORK = 500_000  # arrangements, about 50 ms
FRIEDMAN_MOST_WORK = 10_000_000


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
    for ties, without continuity correction); ``auto`` is exact up to 300 pairs.

    ``zeros``: ``drop`` leaves equal scores out, also out of the effect; ``pratt`` ranks them but gives them no sign;
    ``split`` gives half of their ranks to each side (one of an odd number is left out) and refers the sums to the
    distribution over all ranks, as in Demšar (2006). With ``drop`` a note has the number of zeros and the p under
    ``split``. All scores equal: p = 1.

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
        details=_signed_rank_details(d.whole, used, ranks),
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
    if zeros != "drop":
        return (f"{count} of {len(d)} pairs are equal",)
    p = signed_ranks(pairs_used(d, "split"), "split").p(alternative, exact=exact).value
    return (f"{count} of {len(d)} pairs are equal and were dropped; with their ranks split p = {p:.4g}",)


def _signed_rank_details(d: IntArray, used: IntArray, ranks: SignedRanks) -> dict[str, Any]:
    n = len(used)
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return {
        "r_plus": ranks.plus / 2,
        "r_minus": ranks.minus / 2,
        "zeros": int((d == 0).sum()),
        "z": ranks.z,
        "z_without_tie_correction": (ranks.plus - ranks.minus) / 4 / spread if n else math.nan,
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

    ``ties``: ``drop`` leaves equal scores out; ``split`` counts half of them as wins and half as losses (one of an odd
    number is left out), as in Demšar (2006). No wins and no losses: p = 1.

    The effect is the median of the differences used, between the two order statistics that invert the same test:
    it leaves out 0 exactly when p < 1 − level.

    Reference: Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html; Dixon & Mood (1946),
    doi:10.1080/01621459.1946.10501898.

    >>> outcome = sign_test([5, 7, 8, 6, 9, 4, 3], [4, 5, 5, 5, 4, 5, 3])
    >>> outcome.p_value, outcome.details
    (0.21875, {'wins': 5, 'losses': 1, 'ties': 1})
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
        details={"wins": wins, "losses": losses, "ties": equal},
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
    return (f"{equal} of {n} pairs are equal: {'dropped' if ties == 'drop' else 'split evenly'}",) if equal else ()


def friedman(
    table: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    method: Literal["auto", "exact", "chi-square", "iman-davenport"] = "auto",
    level: float = 0.95,
) -> Outcome:
    r"""Friedman's test of k methods (columns) over N data sets (rows).

    Null hypothesis: on every data set all orders of the methods are equally likely; none tends to rank higher.

    On each data set the methods are ranked, 1 is the best, ties share. With rank sums :math:`R_j` and ranks
    :math:`r_{ij}`

    .. math:: \chi^2 = (k-1)\,\frac{\sum_j (R_j - N(k+1)/2)^2}{\sum_{ij} r_{ij}^2 - N k (k+1)^2 / 4}

    which is corrected for ties; ``details["without_tie_correction"]`` has
    :math:`\tfrac{12}{N k (k+1)} \sum_j R_j^2 - 3 N (k+1)`, smaller when there are ties.

    ``method``: ``exact`` counts all orders of the observed ranks within each data set, ties and all; ``chi-square``
    refers to :math:`\chi^2_{k-1}`, conservative for small N; ``iman-davenport`` refers
    :math:`F = (N-1)\chi^2 / (N(k-1) - \chi^2)` to :math:`F_{k-1,(k-1)(N-1)}`, too liberal for small N.
    ``auto`` is exact where that takes a moment (k = 3 to about N = 75, k = 4 to 18, k = 5 to 7 without ties, less
    with them), else chi-square.

    The effect is Kendall's coefficient of concordance :math:`W = \chi^2 / (N(k-1))`: 1 when all data sets order the
    methods alike. All methods tied on every data set: p = 1, the statistic is nan.

    References: Friedman (1937), doi:10.1080/01621459.1937.10503522; Iman & Davenport (1980),
    doi:10.1080/03610928008827904; Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html.

    >>> outcome = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.7], [0.6, 0.5, 0.4], [0.9, 0.7, 0.8]])
    >>> outcome.statistic, outcome.p_value, outcome.method
    (6.5333, 0.0370, 'exact')
    >>> outcome.details["average_ranks"]
    [1.0, 2.375, 2.625]
    """
    _check_option("method", method, ("auto", "exact", "chi-square", "iman-davenport"))
    check_level(level)
    scores = score_table(table)
    doubled = scores.doubled_ranks(higher_is_better=higher_is_better)
    n, k = doubled.shape
    details = rank_statistics(doubled)
    tail, chosen, critical = _friedman_p(doubled, details, method, 1 - level)
    f = chosen == "iman-davenport"
    return Outcome(
        test="Friedman",
        null="on every data set all orders of the methods are equally likely",
        statistic=details["iman_davenport" if f else "chi_square"],
        critical_value=critical,
        p_value=tail.value,
        log10_p=tail.log10,
        n=n,
        method=chosen,
        effect=Interval("Kendall's W", details["kendall_w"], math.nan, math.nan, level, "no interval"),
        df=(k - 1, (k - 1) * (n - 1)) if f else k - 1,
        notes=_friedman_notes(details, chosen),
        details=details,
    )


def _friedman_p(doubled: IntArray, details: dict[str, Any], method: str, alpha: float) -> tuple[Tail, str, float]:
    """The p-value, how it was found, and the critical value of the statistic."""
    n, k = doubled.shape
    if math.isnan(details["chi_square"]):
        return Tail(1.0, 0.0), "exact", math.nan
    if method == "iman-davenport":
        p = details["iman_davenport_p"]
        return Tail(p, math.nan), method, float(fdtri(k - 1, (k - 1) * (n - 1), 1 - alpha))
    null = None
    if method != "chi-square":
        null = friedman_null(doubled, FRIEDMAN_MOST_WORK if method == "exact" else FRIEDMAN_WORK)
    if null is not None:
        p, critical = exact_friedman(doubled, null, alpha)
        return Tail(p, math.log10(p)), "exact", critical
    if method == "exact":
        raise InputError(f"method 'exact' is too much work for {n} data sets and {k} methods; use 'chi-square'")
    return chi_square_tail(details["chi_square"], k - 1), "chi-square", float(chdtri(k - 1, alpha))


def _friedman_notes(details: dict[str, Any], method: str) -> tuple[str, ...]:
    if math.isnan(details["chi_square"]):
        return ("all methods are tied on every data set",)
    if method == "iman-davenport" and math.isinf(details["iman_davenport"]):
        return ("every data set orders the methods alike, so that F is infinite: prefer the exact p",)
    return ()
