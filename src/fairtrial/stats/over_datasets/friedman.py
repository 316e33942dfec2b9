"""Friedman's test of several methods over data sets by their ranks, exact where the orders can be counted."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy.typing as npt
from scipy.special import chdtri

from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import DEMSAR_2006, FRIEDMAN_1937, IMAN_DAVENPORT_1980
from fairtrial.stats.distributions.fisher_f import f_critical, f_tail
from fairtrial.stats.distributions.rank_sums import (
    ALL_ALIKE,
    APPROXIMATION_NOTE,
    RankSumP,
    exact_critical,
    random_orders_note,
    rank_statistics,
    rank_sum_distribution,
    rank_sum_p,
    same_order_tail,
)
from fairtrial.stats.distributions.tail import Tail, chi_square_tail
from fairtrial.stats.outcome import Interval, Outcome, check_level
from fairtrial.stats.procedures import DATA_SETS, MANY_DATA_SETS, OVER_DATASETS, procedure
from fairtrial.stats.score_arrays import IntArray, score_table

WORKS = (DEMSAR_2006, IMAN_DAVENPORT_1980)
NULL = "on every data set all rankings of the methods are equally likely"

METHODS = ("auto", "exact", "chi-square", "iman-davenport", "monte-carlo")


@procedure(question=OVER_DATASETS, null=NULL, assumes=DATA_SETS, references=(FRIEDMAN_1937,), test="Friedman")
def friedman(
    table: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    method: Literal["auto", "exact", "chi-square", "iman-davenport", "monte-carlo"] = "auto",
    level: float = 0.95,
    draws: int = 20_000,
    seed: int = 0,
) -> Outcome:
    r"""Friedman's test of k methods (columns) over N data sets (rows).

    Null hypothesis: on every data set all rankings of the methods are equally likely; no method tends to rank higher.

    On each data set the scores are rounded (docs/statistics.md, "Rounding before ranking") and the methods ranked; rank
    1 is the best, and tied methods share the mean of their ranks. With rank sums :math:`R_j` and ranks :math:`r_{ij}`

    .. math:: \chi^2 = (k-1)\,\frac{\sum_j (R_j - N(k+1)/2)^2}{\sum_{ij} r_{ij}^2 - N k (k+1)^2 / 4}

    is corrected for ties. ``details["without_tie_correction"]`` has the uncorrected
    :math:`\tfrac{12}{N k (k+1)} \sum_j R_j^2 - 3 N (k+1)`, which is smaller if there are ties and which Demšar (2006)
    prints; ``details`` also has its p-value and its F.

    ``method``: ``exact`` counts all orders of the observed ranks within each data set, tied ranks included;
    ``chi-square`` uses the distribution :math:`\chi^2_{k-1}`, which is conservative for small N; ``iman-davenport``
    compares :math:`F = (N-1)\chi^2 / (N(k-1) - \chi^2)` with :math:`F_{k-1,(k-1)(N-1)}`, which rejects too often for
    small N. ``monte-carlo`` draws random permutations and counts the observed one:
    :math:`p = (1 + \#\{\chi^2_b \ge \chi^2\}) / (1 + \text{draws})`, with its standard error in ``p_error``.

    ``auto`` is exact where that takes about a second: up to N = 300 for k = 3, 50 for k = 4, 15 for k = 5, 8 for k = 6
    and 4 for k = 7 (fewer if there are ties). Otherwise it is ``monte-carlo`` for up to 50 data sets, where chi-square
    has a larger error than random draws, and ``chi-square`` for more; a note says which. ``method="exact"`` accepts
    about ten seconds of work. Data sets on which all methods tie don't count for these limits.

    The effect is Kendall's coefficient of concordance :math:`W = \chi^2 / (N(k-1))`, which is 1 if all data sets rank
    the methods alike. If all methods are tied on every data set, p is 1 and the statistic is nan.

    References: Friedman (1937), doi:10.1080/01621459.1937.10503522; Iman & Davenport (1980),
    doi:10.1080/03610928008827904; Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html.

    >>> outcome = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.7], [0.6, 0.5, 0.4], [0.9, 0.7, 0.8]])
    >>> outcome.statistic, outcome.p_value, outcome.method
    (6.5333, 0.0370, 'exact')
    >>> outcome.details["average_ranks"]
    [1.0, 2.375, 2.625]
    """
    check_option("method", method, METHODS)
    check_level(level)
    scores = score_table(table)
    doubled = scores.doubled_ranks(higher_is_better=higher_is_better)
    n, k = doubled.shape
    details = rank_statistics(doubled)
    found, critical = _friedman_p(doubled, details, method, 1 - level, draws, seed)
    f = found.method == "iman-davenport"
    return Outcome(
        test="Friedman",
        null=NULL,
        statistic=details["iman_davenport" if f else "chi_square"],
        critical_value=critical,
        p_value=found.tail.value,
        log10_p=found.tail.log10,
        p_error=found.error,
        p_floor=found.floor,
        n=n,
        method=found.method,
        effect=Interval("Kendall's W", details["kendall_w"], math.nan, math.nan, level, "no interval"),
        df=(k - 1, (k - 1) * (n - 1)) if f else k - 1,
        null_distribution=rank_sum_distribution(found.method, doubled, details["chi_square"], draws, seed),
        notes=_friedman_notes(details, found, method, draws),
        details=details,
    )


def _friedman_p(
    doubled: IntArray, details: dict[str, Any], method: str, alpha: float, draws: int, seed: int
) -> tuple[RankSumP, float]:
    """The p-value with its method, and the critical value of the statistic."""
    n, k = doubled.shape
    if math.isnan(details["chi_square"]):
        return RankSumP(Tail(1.0, 0.0), "exact"), math.nan
    if method == "iman-davenport":
        f, df = details["iman_davenport"], (k - 1, (k - 1) * (n - 1))
        tail = same_order_tail(doubled) if math.isinf(f) else f_tail(f, *df)
        return RankSumP(tail, method), f_critical(*df, 1 - alpha)
    found = None if method == "chi-square" else rank_sum_p(doubled, method, draws, seed, every_sum=True)
    if found is None:
        tail = chi_square_tail(details["chi_square"], k - 1)
        return RankSumP(tail, "chi-square"), float(chdtri(k - 1, alpha))
    return found, math.nan if found.null is None else exact_critical(doubled, found.null, alpha)


def _friedman_notes(details: dict[str, Any], found: RankSumP, method: str, draws: int) -> tuple[str, ...]:
    if math.isnan(details["chi_square"]):
        return ("all methods are tied on every data set",)
    if found.method == "monte-carlo":
        return (random_orders_note(found, draws, "chi-square", details["chi_square_p"]),)
    if found.method == "chi-square" and method == "auto":
        return (APPROXIMATION_NOTE,)
    if found.method == "iman-davenport" and math.isinf(details["iman_davenport"]):
        return (ALL_ALIKE,)
    return ()


@procedure(question=OVER_DATASETS, null=NULL, assumes=MANY_DATA_SETS, references=WORKS)
def iman_davenport(table: npt.ArrayLike, *, higher_is_better: bool = True, level: float = 0.95) -> Outcome:
    r"""Iman and Davenport's F form of Friedman's test of k methods (columns) over N data sets (rows).

    Null hypothesis: on every data set all rankings of the methods are equally likely; no method tends to rank higher.

    .. math:: F = \frac{(N-1)\,\chi^2}{N(k-1) - \chi^2}, \qquad F \sim F_{k-1,\,(k-1)(N-1)} \text{ approximately}

    with Friedman's :math:`\chi^2`, corrected for ties. It was proposed because the chi-square approximation is
    conservative. For few data sets its p-value is too small, the more so the smaller it is: for 5 data sets and 3
    methods, ranked alike but for one exchange of neighbours, the exact p is 0.0085, chi-square gives 0.0150, and this
    gives 0.00066. :func:`friedman` is exact there; since F grows with :math:`\chi^2`, its exact p-value is also that of
    F. If all data sets rank the methods alike, F is infinite, and p is the exact probability of that,
    :math:`(1/k!)^{N-1}` without ties. If all methods are tied on every data set, p is 1 and the statistic is nan.

    References: Iman & Davenport (1980), doi:10.1080/03610928008827904; Demšar (2006), JMLR 7:1-30,
    https://jmlr.org/papers/v7/demsar06a.html.

    >>> outcome = iman_davenport([[0.9, 0.8, 0.7], [0.8, 0.7, 0.7], [0.6, 0.5, 0.4], [0.9, 0.7, 0.8]])
    >>> outcome.statistic, outcome.df, outcome.p_value
    (13.3636, (2, 6), 0.0061)
    """
    return friedman(table, higher_is_better=higher_is_better, method="iman-davenport", level=level)
