"""Rank tests of several methods over data sets that use the size of differences: aligned ranks and Quade's test."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy.typing as npt
from scipy.special import chdtri

from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import CONOVER_1999, GARCIA_2010, HODGES_LEHMANN_1962, QUADE_1979
from fairtrial.stats.distributions.fisher_f import f_critical, f_tail
from fairtrial.stats.distributions.rank_sums import (
    ALL_ALIKE,
    APPROXIMATION_NOTE,
    RankSumP,
    random_orders_note,
    rank_sum_distribution,
    rank_sum_p,
    same_order_tail,
)
from fairtrial.stats.distributions.tail import Tail, chi_square_tail
from fairtrial.stats.outcome import Interval, Outcome, check_level
from fairtrial.stats.procedures import ONE_SCALE, OVER_DATASETS, procedure
from fairtrial.stats.score_arrays import IntArray, ScoreTable, doubled_midranks, score_table

WORKS_ALIGNED = (GARCIA_2010, HODGES_LEHMANN_1962)
NULL = "on every data set all assignments of the scores to the methods are equally likely"
NULL_QUADE = "on every data set all rankings of the methods are equally likely"


@procedure(
    question=OVER_DATASETS, null=NULL, assumes=ONE_SCALE, references=WORKS_ALIGNED, test="Friedman's aligned ranks"
)
def aligned_friedman(
    table: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    method: Literal["auto", "exact", "monte-carlo", "chi-square"] = "auto",
    level: float = 0.95,
    draws: int = 20_000,
    seed: int = 0,
) -> Outcome:
    r"""Friedman's aligned ranks test of k methods (columns) over N data sets (rows).

    Null hypothesis: on every data set all assignments of the scores to the methods are equally likely; no method tends
    to score higher.

    The mean of its data set is subtracted from each score, and all kN differences are ranked together; rank 1 is the
    best, and tied ones share the mean of their ranks. With these ranks :math:`r_{ij}`, their column means
    :math:`\bar r_j` and row means :math:`\bar r_i`

    .. math:: T = (k - 1) \frac{N^2 \sum_j (\bar r_j - (kN+1)/2)^2}{\sum_{ij} (r_{ij} - \bar r_i)^2}.

    Unlike :func:`friedman` the test uses the size of differences, within and between data sets. That gives more power
    for few methods, but needs scores on the same scale on all data sets. The formula of the papers, which differs only
    if there are ties, is in ``details["without_tie_correction"]``.

    ``method``: ``exact`` counts all orders of the aligned ranks within each data set; ``monte-carlo`` draws random
    orders (see :func:`friedman`); ``chi-square`` uses the distribution :math:`\chi^2_{k-1}`. ``auto`` is exact where
    that takes about a second, which is the case for few data sets only, since aligned ranks are nearly all different.
    Otherwise it draws for up to 50 data sets, and takes chi-square for more. If all methods are tied on every data set,
    p is 1 and the statistic is nan.

    References: Hodges & Lehmann (1962), doi:10.1214/aoms/1177704575; García et al. (2010),
    doi:10.1016/j.ins.2009.12.010.

    >>> outcome = aligned_friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.7], [0.6, 0.5, 0.4], [0.9, 0.7, 0.8]])
    >>> outcome.statistic, outcome.p_value, outcome.details["average_ranks"]
    (5.8524, 0.0648, [2.5, 7.875, 9.125])
    """
    check_level(level)
    scores = score_table(table)
    ranks = aligned_ranks(scores)
    if higher_is_better:
        ranks = 2 * (ranks.size + 1) - ranks
    n, k = ranks.shape
    details = _spread(ranks)
    m = k * n
    plain = m * (m + 1) * (2 * m + 1) / 6 - float((ranks.sum(axis=1) ** 2).sum()) / (4 * k)
    plain = details["chi_square"] * details["within"] / plain if plain > 0 else math.nan
    details |= {"without_tie_correction": plain, "without_tie_correction_p": chi_square_tail(plain, k - 1).value}
    details["chi_square_p"] = chi_square_tail(details["chi_square"], k - 1).value
    found, critical = _p_value(ranks, details, method, "chi-square", 1 - level, draws, seed)
    return Outcome(
        test="Friedman's aligned ranks",
        null=NULL,
        statistic=details["chi_square"],
        critical_value=critical,
        p_value=found.tail.value,
        log10_p=found.tail.log10,
        p_error=found.error,
        p_floor=found.floor,
        n=n,
        method=found.method,
        effect=_share(details, n, k, level),
        df=k - 1,
        null_distribution=rank_sum_distribution(found.method, ranks, details["chi_square"], draws, seed),
        notes=_notes(details, found, method, draws),
        details=details,
    )


@procedure(
    question=OVER_DATASETS, null=NULL_QUADE, assumes=ONE_SCALE, references=(CONOVER_1999, QUADE_1979), test="Quade"
)
def quade(
    table: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    method: Literal["auto", "exact", "monte-carlo", "f"] = "auto",
    level: float = 0.95,
    draws: int = 20_000,
    seed: int = 0,
) -> Outcome:
    r"""Quade's test of k methods (columns) over N data sets (rows), which weights data sets by the range of scores.

    Null hypothesis: on every data set all rankings of the methods are equally likely; no method tends to rank higher.

    The methods are ranked on each data set (:math:`r_{ij}`, 1 is the best), and the data sets are ranked by the range
    of their scores (:math:`Q_i`); ties share the mean of their ranks. With :math:`S_{ij} = Q_i (r_{ij} - (k+1)/2)` and
    :math:`S_j = \sum_i S_{ij}`

    .. math:: F = \frac{(N-1) B}{A - B}, \qquad A = \sum_{ij} S_{ij}^2, \quad B = \frac1N \sum_j S_j^2.

    This A is right also with ties. The closed form of the papers, :math:`N(N+1)(2N+1)k(k+1)(k-1)/72`, is not;
    ``details["without_tie_correction"]`` has the F that it gives. Comparing ranges needs scores on the same scale on
    all data sets.

    ``method``: ``exact`` counts all orders within data sets; ``monte-carlo`` draws random permutations (see
    :func:`friedman`); ``f`` uses the distribution :math:`F_{k-1,(k-1)(N-1)}`. ``auto`` is exact where that takes about
    a second; otherwise it draws for up to 50 data sets, and takes F for more. If all data sets rank the methods alike,
    F is infinite or nearly so, and the exact p is :math:`(1/k!)^{N-1}`, which ``f`` then gives as well. If all methods
    are tied on every data set, p is 1 and the statistic is nan.

    References: Quade (1979), doi:10.1080/01621459.1979.10481670; Conover (1999), Practical Nonparametric Statistics.

    >>> outcome = quade([[0.9, 0.8, 0.7], [0.8, 0.7, 0.7], [0.6, 0.5, 0.4], [0.9, 0.7, 0.8]])
    >>> outcome.statistic, outcome.p_value, outcome.details["average_ranks"]   # weighted by the ranks of the ranges
    (6.8667, 0.0463, [1.0, 2.35, 2.65])
    """
    check_level(level)
    scores = score_table(table)
    weights = quade_weights(scores)
    doubled = scores.doubled_ranks(higher_is_better=higher_is_better)
    n, k = doubled.shape
    details = _spread(weights[:, None] * doubled, unit=4)
    between, within = details["between"] / n, details["within"]
    closed = n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72
    f, plain = _f(between, within, n), _f(between, closed, n)
    df = k - 1, (k - 1) * (n - 1)
    details |= {
        "f": f,
        "f_p": (same_order_tail(doubled) if math.isinf(f) else f_tail(f, *df)).value,
        "without_tie_correction": plain,
        "without_tie_correction_p": (same_order_tail(doubled) if math.isinf(plain) else f_tail(plain, *df)).value,
        "average_ranks": [float(r) for r in (weights[:, None] * doubled).sum(axis=0) / (2 * n * (n + 1))],
    }
    weighted = weights[:, None] * doubled
    found, critical = _p_value(weighted, details, method, "f", 1 - level, draws, seed)
    return Outcome(
        test="Quade",
        null=NULL_QUADE,
        statistic=f,
        critical_value=critical,
        p_value=found.tail.value,
        log10_p=found.tail.log10,
        p_error=found.error,
        p_floor=found.floor,
        n=n,
        method=found.method,
        effect=_share(details, n, k, level),
        df=df,
        null_distribution=rank_sum_distribution(found.method, weighted, details["chi_square"], draws, seed),
        notes=_notes(details, found, method, draws),
        details=details,
    )


def _f(between: float, within: float, n: int) -> float:
    """Quade's F: nan if nothing varies, infinite if all data sets rank the methods alike."""
    if within <= 0:
        return math.nan
    rest = within - between
    return (n - 1) * between / rest if rest > 1e-9 * within else math.inf


def _spread(ranks: IntArray, unit: int = 2) -> dict[str, Any]:
    """Sums of squares between methods and within data sets, and chi-square, of ranks multiplied by ``unit``."""
    n, k = ranks.shape
    values = ranks / unit
    sums = values.sum(axis=0)
    between = float(((sums - sums.mean()) ** 2).sum())
    within = float(((values - values.mean(axis=1, keepdims=True)) ** 2).sum())
    return {
        "average_ranks": [float(r) for r in sums / n],
        "rank_sums": [float(r) for r in sums],
        "between": between,
        "within": within,
        "chi_square": (k - 1) * between / within if within > 0 else math.nan,
    }


def _p_value(
    ranks: IntArray, details: dict[str, Any], method: str, formula: str, alpha: float, draws: int, seed: int
) -> tuple[RankSumP, float]:
    """The p-value with its method, and the critical value of the statistic."""
    n, k = ranks.shape
    check_option("method", method, ("auto", "exact", "monte-carlo", formula))
    if math.isnan(details["chi_square"]):
        return RankSumP(Tail(1.0, 0.0), "exact"), math.nan
    found = None if method == formula else rank_sum_p(ranks, method, draws, seed)
    if found is not None:
        return found, math.nan
    if formula == "chi-square":
        return RankSumP(chi_square_tail(details["chi_square"], k - 1), formula), float(chdtri(k - 1, alpha))
    f, df = details["f"], (k - 1, (k - 1) * (n - 1))
    return RankSumP(same_order_tail(ranks) if math.isinf(f) else f_tail(f, *df), formula), f_critical(*df, 1 - alpha)


def _share(details: dict[str, Any], n: int, k: int, level: float) -> Interval:
    share = details["chi_square"] / (n * (k - 1))
    return Interval("share of the ranks' spread between methods", share, math.nan, math.nan, level, "no interval")


def _notes(details: dict[str, Any], found: RankSumP, method: str, draws: int) -> tuple[str, ...]:
    if math.isnan(details["chi_square"]):
        return ("all methods are tied on every data set",)
    if found.method == "monte-carlo":
        formula, p = ("F", details["f_p"]) if "f_p" in details else ("chi-square", details["chi_square_p"])
        return (random_orders_note(found, draws, formula, p),)
    if found.method == "f" and math.isinf(details["f"]):
        return (ALL_ALIKE,)
    return (APPROXIMATION_NOTE,) if method == "auto" and found.method != "exact" else ()


def aligned_ranks(scores: ScoreTable) -> IntArray:
    """Twice the rank of each score among all scores, after subtracting the mean of its data set; the smallest first."""
    whole = scores.whole()
    aligned = whole * scores.k - whole.sum(axis=1, keepdims=True)
    return doubled_midranks(aligned.ravel()).reshape(whole.shape)


def quade_weights(scores: ScoreTable) -> IntArray:
    """Twice the rank of each data set among all data sets by the range of its scores, the smallest first."""
    whole = scores.whole()
    return doubled_midranks(whole.max(axis=1) - whole.min(axis=1))
