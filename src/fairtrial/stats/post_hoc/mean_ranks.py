"""Tests of average ranks over data sets: critical differences, Nemenyi's test, Bonferroni-Dunn's test.

Ranks are shared by all methods of the table, so that the result for two of them depends on the others.

Groups of methods that do not differ: the bars of a critical-difference diagram and the letters of a table.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from fairtrial.errors import InputError
from fairtrial.stats.arguments import check_option, number
from fairtrial.stats.bibliography import (
    BENAVOLI_2016,
    BRON_KERBOSCH_1973,
    DEMSAR_2006,
    DUNN_1961,
    GARCIA_HERRERA_2008,
    GRAMM_2007,
    NEMENYI_1963,
    PIEPHO_2004,
)
from fairtrial.stats.comparisons import POOL_NOTE, Comparisons, all_pairs
from fairtrial.stats.distributions.simultaneous import tukey_quantile, tukey_tails
from fairtrial.stats.distributions.tail import normal_tail
from fairtrial.stats.multiplicity import adjust as adjusted_p
from fairtrial.stats.outcome import Interval, Null, Outcome, check_level
from fairtrial.stats.over_datasets.aligned_quade import aligned_ranks, quade_weights
from fairtrial.stats.procedures import MANY_DATA_SETS, POST_HOC, procedure
from fairtrial.stats.score_arrays import BoolArray, FloatArray, ScoreTable, numbers, score_table, which_column
from fairtrial.words import is_one_of

NULL = "the two methods have the same expected rank among these methods"
WORKS = (BENAVOLI_2016, DEMSAR_2006, GARCIA_HERRERA_2008)
NULL_CONTROL = "the method and the control have the same expected rank among these methods"


@procedure(question=POST_HOC, assumes=MANY_DATA_SETS, references=(DEMSAR_2006, DUNN_1961, NEMENYI_1963))
def critical_difference(
    k: int, n: int, *, level: float = 0.95, comparisons: Literal["all", "control"] = "all"
) -> float:
    r"""Critical difference of two average ranks, for k methods on n data sets (Nemenyi or Bonferroni-Dunn).

    .. math:: CD = q_\alpha \sqrt{\frac{k(k+1)}{6n}}

    Two methods differ if their average ranks differ by more than CD. With ``comparisons="all"`` (Nemenyi),
    :math:`q_\alpha` is the upper quantile of the studentised range of k values with infinite degrees of freedom,
    divided by :math:`\sqrt 2`. With ``"control"`` (Bonferroni-Dunn) it is the two-sided normal quantile at
    :math:`\alpha / (k - 1)`. The quantiles are computed, not read from a table, for any k and any level. Demšar's table
    has 2.724 for Bonferroni-Dunn with k = 9 at 0.05; the right value is 2.734.

    References: Nemenyi (1963), Distribution-free multiple comparisons, Princeton; Dunn (1961),
    doi:10.1080/01621459.1961.10482090; Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html.

    >>> critical_difference(4, 14)   # q is 2.569 for k = 4
    1.2536
    >>> critical_difference(4, 14, comparisons="control")   # q is 2.394
    1.1681
    """
    check_level(level)
    if not isinstance(k, Integral) or not 2 <= number(k) < math.inf:
        raise InputError(f"k must be the number of methods, a whole number of at least 2, got {k!r}")
    if not isinstance(n, Integral) or not 1 <= number(n) < math.inf:
        raise InputError(f"n must be the number of data sets, a whole number of at least 1, got {n!r}")
    check_option("comparisons", comparisons, ("all", "control"))
    if comparisons == "all":
        quantile = tukey_quantile(1 - level, int(k), math.inf) / math.sqrt(2)
    else:
        quantile = -float(ndtri((1 - level) / (2 * (k - 1))))
    return quantile * float(math.sqrt(k * (k + 1) / (6 * n)))


@procedure(question=POST_HOC, null=NULL, assumes=MANY_DATA_SETS, references=WORKS)
def nemenyi(
    table: npt.ArrayLike,
    *,
    adjust: Literal["studentized-range", "bonferroni"] = "studentized-range",
    higher_is_better: bool = True,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Comparisons:
    r"""Nemenyi's test: which methods differ in average rank over N data sets (rows)?

    Null hypothesis for each pair: the two methods have the same expected rank among these k methods.

    .. math:: z = (R_i - R_j) \Big/ \sqrt{\frac{k(k+1)}{6N}}

    Two procedures have this name. ``adjust="studentized-range"`` is that of Demšar (2006) and of the
    critical-difference diagram: the adjusted p is the probability that the range of k standard normal values reaches
    :math:`|z|\sqrt 2`, so that p < 1 − level exactly when the ranks differ by more than :func:`critical_difference`.
    ``adjust="bonferroni"`` is that of García & Herrera (2008): the two-sided normal p times k(k − 1)/2, which is a
    little more conservative. The outcomes' own p-values and intervals are those of one comparison. Tied methods share
    the mean of their ranks; as usual, the variance is not corrected for ties.

    The effect is the difference of average ranks of rising scores, positive if the first has the larger scores; in
    ``details["average_ranks"]`` rank 1 is the best.

    **The result for two methods depends on which other methods are compared**: adding methods can change p from 0.9999
    to below 0.0001. :func:`pairwise` does not have this property.

    References: Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html;
    García & Herrera (2008), JMLR 9:2677-2694, https://jmlr.org/papers/v9/garcia08a.html;
    Benavoli, Corani & Mangili (2016), JMLR 17(5):1-10, https://jmlr.org/papers/v17/benavoli16a.html.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
    >>> found = nemenyi(scores, names=["A", "B", "C"])
    >>> found.details["average_ranks"], found.p_adjusted
    ([1.0, 2.5, 2.5], (0.0076, 0.0076, 1.0))
    >>> nemenyi(scores, adjust="bonferroni").p_adjusted
    (0.0081, 0.0081, 1.0)
    """
    check_level(level)
    if not is_one_of(adjust, ("studentized-range", "bonferroni")):
        raise InputError(
            f"adjust must be 'studentized-range' or 'bonferroni', got {adjust!r}; "
            "use pairwise(table, test='friedman') for others"
        )
    scores = score_table(table, names)
    n, k = scores.n, scores.k
    pairs = all_pairs(k)
    outcomes = rank_outcomes(scores, pairs, "friedman", level)
    if adjust == "bonferroni":
        p = tuple(adjusted_p([o.p_value for o in outcomes], "bonferroni").tolist())
    else:
        ranges = math.sqrt(2) * np.abs([o.statistic for o in outcomes])
        p = tuple(tail.value for tail in tukey_tails(ranges, k, math.inf))
    return Comparisons(
        names=scores.names,
        pairs=tuple(pairs),
        outcomes=outcomes,
        p_adjusted=p,
        adjusted="Nemenyi" if adjust == "studentized-range" else "bonferroni",
        level=level,
        notes=(POOL_NOTE,),
        details={
            "average_ranks": _average_ranks(scores, higher_is_better),
            "critical_difference": critical_difference(k, n, level=level),
        },
    )


@procedure(question=POST_HOC, null=NULL_CONTROL, assumes=MANY_DATA_SETS, references=(DEMSAR_2006, DUNN_1961))
def bonferroni_dunn(
    table: npt.ArrayLike,
    control: str | int,
    *,
    higher_is_better: bool = True,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Comparisons:
    r"""Bonferroni-Dunn's test: which methods differ from a control in average rank over N data sets (rows)?

    Null hypothesis for each method: it has the same expected rank as the control among these k methods.

    The statistic is that of :func:`nemenyi`, and its two-sided normal p is multiplied by k − 1. The adjusted p is below
    1 − level exactly when the ranks differ by more than ``critical_difference(k, n, comparisons="control")``, which is
    in ``details``. The control is the second of each pair. Holm's adjustment rejects at least as much at the same
    family-wise error: ``versus_control(table, control, test="friedman")``. As with all average ranks, the result for a
    method depends on which others are in the table.

    References: Dunn (1961), doi:10.1080/01621459.1961.10482090; Demšar (2006), JMLR 7:1-30,
    https://jmlr.org/papers/v7/demsar06a.html.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
    >>> found = bonferroni_dunn(scores, "B", names=["A", "B", "C"])
    >>> found.pairs, found.p_adjusted
    (((0, 1), (2, 1)), (0.0054, 1.0))
    """
    check_level(level)
    scores = score_table(table, names)
    where = which_column(control, scores.names)
    pairs = [(j, where) for j in range(scores.k) if j != where]
    outcomes = rank_outcomes(scores, pairs, "friedman", level)
    return Comparisons(
        names=scores.names,
        pairs=tuple(pairs),
        outcomes=outcomes,
        p_adjusted=tuple(adjusted_p([o.p_value for o in outcomes], "bonferroni").tolist()),
        adjusted="bonferroni",
        level=level,
        notes=(POOL_NOTE,),
        details={
            "average_ranks": _average_ranks(scores, higher_is_better),
            "critical_difference": critical_difference(scores.k, scores.n, level=level, comparisons="control"),
        },
    )


def _average_ranks(scores: ScoreTable, higher_is_better: bool) -> list[float]:
    ranks = scores.doubled_ranks(higher_is_better=higher_is_better).sum(axis=0) / (2 * scores.n)
    return [float(r) for r in ranks]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Average ranks, larger for larger scores, and the standard error of their difference under the null hypothesis.

    ``published`` is the standard error that García et al. (2010) print.
    """

    quantity: str
    heights: FloatArray
    error: float
    published: float


def rank_outcomes(
    scores: ScoreTable, pairs: Sequence[tuple[int, int]], ranking: str, level: float
) -> tuple[Outcome, ...]:
    """The z-tests of differences of average ranks: ``friedman``, ``aligned`` or ``quade`` ranks."""
    found = RANKINGS[ranking](scores)
    return tuple(_rank_outcome(found, float(found.heights[i] - found.heights[j]), scores.n, level) for i, j in pairs)


def _rank_outcome(ranking: Ranking, gap: float, n: int, level: float) -> Outcome:
    z = gap / ranking.error if ranking.error else 0.0
    tail = normal_tail(z, "two-sided")
    critical = -float(ndtri((1 - level) / 2))
    bounds = gap - critical * ranking.error, gap + critical * ranking.error
    return Outcome(
        test=f"Difference of {ranking.quantity}",
        null=NULL,
        statistic=z,
        critical_value=critical,
        p_value=tail.value,
        log10_p=tail.log10,
        n=n,
        method="asymptotic",
        null_distribution=Null("normal"),
        effect=Interval(f"difference of {ranking.quantity} of rising scores", gap, *bounds, level, "normal"),
        notes=() if ranking.error else ("all methods are tied on every data set",),
        details={} if ranking.published == ranking.error else {"published_z": gap / ranking.published},
    )


def _permutation_error(ranks: FloatArray) -> float:
    """The standard error of the difference of two column means, if all orders within each row are equally likely."""
    n, k = ranks.shape
    spread = float(((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum()) / (k - 1)
    return math.sqrt(2 * spread) / float(n)


def _friedman(scores: ScoreTable) -> Ranking:
    n, k = scores.n, scores.k
    heights = scores.doubled_ranks(higher_is_better=False).sum(axis=0) / (2 * n)
    error = math.sqrt(k * (k + 1) / (6 * n))
    return Ranking("average ranks", heights, error, error)


def _aligned(scores: ScoreTable) -> Ranking:
    n, k = scores.n, scores.k
    ranks = aligned_ranks(scores) / 2
    published = math.sqrt(k * (k * n + 1) / 6)
    return Ranking("average aligned ranks", ranks.mean(axis=0), _permutation_error(ranks), published)


def _quade(scores: ScoreTable) -> Ranking:
    n, k = scores.n, scores.k
    ranks = quade_weights(scores)[:, None] / 2 * scores.doubled_ranks(higher_is_better=False) / 2
    weighted = ranks * (2 / (n + 1))  # then the column means are averages weighted by the ranks of the data sets
    published = math.sqrt(k * (k + 1) * (2 * n + 1) * (k - 1) / (18 * n * (n + 1)))
    return Ranking("weighted average ranks", weighted.mean(axis=0), _permutation_error(weighted), published)


RANKINGS: Mapping[str, Callable[[ScoreTable], Ranking]] = {"friedman": _friedman, "aligned": _aligned, "quade": _quade}


LETTERS = string.ascii_letters + "αβγδεζηθικλμνξοπρστυφχψω"


@procedure(question=POST_HOC, references=(BRON_KERBOSCH_1973,))
def cliques(different: npt.ArrayLike) -> list[tuple[int, ...]]:
    """Maximal groups of methods that do not differ from each other: the bars of a critical-difference diagram.

    A group has at least two methods and is not part of a larger group. "Not different" is not transitive, and for
    pairwise tests it need not follow the order of the ranks: a bar must never span a method that differs from one of
    its ends. The algorithm is that of Bron & Kerbosch (1973, doi:10.1145/362342.362367), with pivots.

    >>> cliques([[0, 0, 1], [0, 0, 0], [1, 0, 0]])   # only the first and the third differ
    [(0, 1), (1, 2)]
    """
    return [group for group in _maximal_groups(_matrix(different)) if len(group) > 1]


@procedure(question=POST_HOC, references=(GRAMM_2007, PIEPHO_2004))
def letters(different: npt.ArrayLike, *, order: Sequence[int] | None = None) -> list[str]:
    """Compact letter display: two methods share a letter exactly when they do not differ.

    Each letter stands for a group of methods that do not differ from each other. The groups are those of Piepho's
    insert-and-absorb algorithm: the groups of :func:`cliques`, and each method that differs from all others. Letters
    that the others make redundant are then removed, starting with the last. ``order`` lists the methods from the best
    to the worst, so that the best gets an "a"; without it the given order is used.

    Methods that share a letter have **not been shown to be equal**: no difference was found.

    References: Piepho (2004), Journal of Computational and Graphical Statistics 13:456-466, doi:10.1198/1061860043515;
    Gramm et al. (2007), on displays with as few letters as possible.

    >>> letters([[0, 0, 1], [0, 0, 0], [1, 0, 0]])   # only the first and the third differ
    ['a', 'ab', 'b']
    >>> letters([[0, 0, 1], [0, 0, 0], [1, 0, 0]], order=[2, 1, 0])
    ['b', 'ab', 'a']
    """
    matrix = _matrix(different)
    k = len(matrix)
    ranking = list(range(k)) if order is None else list(order)
    if len(ranking) != k or set(ranking) != set(range(k)):
        raise InputError(f"order must list every method from 0 to {k - 1} once, got {ranking!r}")
    groups = _needed(_maximal_groups(matrix[np.ix_(ranking, ranking)]))
    if len(groups) > len(LETTERS):
        raise InputError(
            f"different must form at most {len(LETTERS)} groups, one for each letter, got {len(groups)}; "
            "use cliques instead"
        )
    found = [""] * k
    for letter, group in zip(LETTERS, groups, strict=False):
        for place in group:
            found[ranking[place]] += letter
    return found


def _needed(groups: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The groups without those whose pairs (or whose only member) are all in other groups, checked from the last."""
    kept = list(groups)
    for group in reversed(groups):
        others = [set(other) for other in kept if other != group]
        if all(any({i, j} <= other for other in others) for i in group for j in group):
            kept.remove(group)
    return kept


def _matrix(different: npt.ArrayLike) -> BoolArray:
    matrix = numbers(different, "different")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or (matrix != matrix.T).any():
        raise InputError(
            f"different must be a square symmetric matrix of True and False, got an array of shape {matrix.shape}"
        )
    if not np.isin(matrix, (0, 1)).all():
        raise InputError("different must hold True (1) or False (0) only; if you have p-values, pass p < 0.05")
    return matrix.astype(np.bool_)


def _maximal_groups(matrix: BoolArray) -> list[tuple[int, ...]]:
    """All maximal cliques of the graph that joins methods that do not differ, sorted."""
    alike = [{j for j in np.flatnonzero(~row).tolist() if j != i} for i, row in enumerate(matrix)]
    found: list[tuple[int, ...]] = []
    _grow(set(), set(range(len(alike))), set(), alike, found)
    return sorted(found)


def _grow(
    group: set[int], candidates: set[int], done: set[int], alike: list[set[int]], found: list[tuple[int, ...]]
) -> None:
    """Bron and Kerbosch's recursion: add to ``found`` all maximal cliques that contain the group."""
    if not candidates and not done:
        found.append(tuple(sorted(group)))
        return
    pivot = max(candidates | done, key=lambda v: len(candidates & alike[v]))
    for v in sorted(candidates - alike[pivot]):
        _grow(group | {v}, candidates & alike[v], done & alike[v], alike, found)
        candidates = candidates - {v}
        done = done | {v}
