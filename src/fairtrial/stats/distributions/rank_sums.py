"""Rank sums of several methods over data sets: Friedman's and related statistics, and their p-values."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from fairtrial.errors import InputError
from fairtrial.stats.distributions.chi_square import chi_square_tail
from fairtrial.stats.distributions.fisher_f import f_tail
from fairtrial.stats.distributions.rank_sum_null import (
    MOST_WORK,
    SECOND_OF_WORK,
    RankSumNull,
    arrangement_counts,
    friedman_null,
    friedman_sample,
)
from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.outcome import Chances, Null
from fairtrial.stats.score_arrays import IntArray, random_draws

APPROXIMATION_NOTE = "there are too many orders to count them all: p is an approximation for many data sets"
ALL_ALIKE = "all data sets rank the methods alike: F is infinite, and p is the exact probability of that"
FEW_DATA_SETS = 50  # for more, the relative error of chi-square, about 1/N, is below that of 20,000 random permutations
FEW_RANKS = 5_000  # for more ranks in a table, 20,000 random permutations take over a second


def rank_statistics(doubled: IntArray) -> dict[str, Any]:
    """Friedman's statistic and Iman and Davenport's F (with and without tie correction), Kendall's W, average ranks."""
    n, k = doubled.shape
    sums = doubled.sum(axis=0) / 2
    between = float(((sums - n * (k + 1) / 2) ** 2).sum())
    within = _within(doubled)
    chi_square = (k - 1) * between / within if within > 0 else math.nan
    plain = 12 * between / (n * k * (k + 1))
    f, plain_f = (_iman_davenport(x, n, k) for x in (chi_square, plain))
    df = k - 1, (k - 1) * (n - 1)
    return {
        "average_ranks": (sums / n).tolist(),
        "rank_sums": sums.tolist(),
        "chi_square": chi_square,
        "chi_square_p": chi_square_tail(chi_square, k - 1).value,
        "without_tie_correction": plain,
        "without_tie_correction_p": chi_square_tail(plain, k - 1).value,
        "kendall_w": chi_square / (n * (k - 1)),
        "iman_davenport": f,
        "iman_davenport_p": (same_order_tail(doubled) if math.isinf(f) else f_tail(f, *df)).value,
        "iman_davenport_without_tie_correction": plain_f,
        "iman_davenport_without_tie_correction_p": (
            same_order_tail(doubled) if math.isinf(plain_f) else f_tail(plain_f, *df)
        ).value,
    }


def _iman_davenport(chi_square: float, n: int, k: int) -> float:
    rest = n * (k - 1) - chi_square
    return math.inf if rest <= 1e-12 * n * k else (n - 1) * chi_square / rest


class RankSumP(NamedTuple):
    """A p-value of rank sums and the method that computed it.

    ``error`` is its Monte Carlo standard error, ``floor`` the smallest p-value that the number of draws allows, and
    ``null`` the exact null distribution where it was counted.
    """

    tail: Tail
    method: str
    error: float = 0.0
    floor: float = 0.0
    null: RankSumNull | None = None


def rank_sum_p(ranks: IntArray, method: str, draws: int, seed: int, *, every_sum: bool = False) -> RankSumP | None:
    """The p-value of rank sums if all orders within rows are equally likely, by exact counting or random draws.

    ``auto`` counts if that takes at most a second. Otherwise it draws for up to 50 data sets (not counting data sets on
    which all methods tie), and returns ``None`` for more: use the approximation. ``every_sum`` asks for the whole null
    distribution.
    """
    random = random_draws(draws, seed)
    if method in ("auto", "exact"):
        observed = _square(ranks)
        work = MOST_WORK if method == "exact" else SECOND_OF_WORK
        null = friedman_null(ranks, work, None if every_sum else observed)
        if null is not None:
            return RankSumP(null.tail(observed), "exact", null=null)
    if method == "exact":
        n, k = ranks.shape
        raise InputError(
            f"method 'exact' would take too long for {n} data sets and {k} methods; use 'monte-carlo' or 'auto'"
        )
    ranks = ranks[np.ptp(ranks, axis=1) > 0]
    if method == "auto" and (len(ranks) > FEW_DATA_SETS or ranks.size > FEW_RANKS):
        return None
    observed = _square(ranks)
    hits = sum(int((drawn >= observed).sum()) for drawn in friedman_sample(ranks, draws, random))
    p = (1 + hits) / (1 + draws)
    return RankSumP(Tail(p, math.log10(p)), "monte-carlo", math.sqrt(p * (1 - p) / draws), 1 / (1 + draws))


def rank_sum_distribution(method: str, ranks: IntArray, statistic: float, draws: int, seed: int) -> Null:
    """The null distribution by the method of a p-value; ``statistic`` is chi-square of the rank sums."""
    n, k = ranks.shape
    if method == "chi-square":
        return Null("chi-square", k - 1)
    if method in ("f", "iman-davenport"):
        return Null("F", (k - 1, (k - 1) * (n - 1)))
    name, drawn = "χ² of the rank sums", draws if method == "monte-carlo" else 0
    name += f", from {drawn:,} random orders" if drawn else ""
    return Null(name, observed=statistic, side="greater", chances=partial(_rank_sum_chances, ranks, drawn, seed))


def _rank_sum_chances(ranks: IntArray, draws: int, seed: int) -> Chances:
    """Chi-square of rank sums under all orders within rows, or under the observed and the random ones of p."""
    ranks = ranks[np.ptp(ranks, axis=1) > 0]
    if draws:
        drawn = [*friedman_sample(ranks, draws, random_draws(draws, seed)), np.array([_square(ranks)])]
        squares, counts = np.unique(np.concatenate(drawn), return_counts=True)
        null: RankSumNull | None = RankSumNull(squares, counts.astype(np.float64))
    else:
        null = friedman_null(ranks, MOST_WORK)
    assert null is not None, "the p-value was counted in the same way"
    between = null.squares - ranks.sum() ** 2 / ranks.shape[1]
    spread = ((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum()
    return (ranks.shape[1] - 1) * between / spread, null.probability


def _square(ranks: IntArray) -> int:
    """The sum of squared rank sums."""
    sums = ranks.sum(axis=0)
    return int((sums * sums).sum())


def random_orders_note(found: RankSumP, draws: int, formula: str, p: float) -> str:
    """The note of a p-value from random permutations: their number, its standard error, and an approximate p."""
    error = f"standard error {found.error:.2g}"
    return f"p is from {draws:,} random permutations, {error}; {formula} would give p = {p:.3g}"


def same_order_tail(ranks: IntArray) -> Tail:
    """The exact p-value if every data set orders the methods alike, where F is infinite."""
    ways = arrangement_counts(np.sort(ranks, axis=1))
    log10 = -float(np.log10(ways[1:]).sum())
    return Tail(10.0**log10, log10)


def exact_critical(doubled: IntArray, null: RankSumNull, alpha: float) -> float:
    """The smallest value of Friedman's statistic whose exact p-value is below alpha; nan if there is none."""
    n, k = doubled.shape
    square = null.critical(alpha)
    if square is None:
        return math.nan
    between = (float(square) - n * n * k * (k + 1) ** 2) / 4
    return float((k - 1) * between / _within(doubled))


def _within(doubled: IntArray) -> float:
    """The sum of squares of the ranks within data sets; 0 if all methods are tied."""
    n, k = doubled.shape
    return float((doubled * doubled).sum() - n * k * (k + 1) ** 2) / 4
