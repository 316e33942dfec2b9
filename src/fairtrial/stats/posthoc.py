"""Which of several methods differ: all pairs, or each against a control, with p-values adjusted for their number."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtr, ndtri

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.adjust import adjust as adjusted_p
from fairtrial.stats.comparisons import Comparisons
from fairtrial.stats.domains import sign_test, wilcoxon
from fairtrial.stats.exact import Tail
from fairtrial.stats.outcome import Interval, Outcome, check_level
from fairtrial.stats.scores import score_table
from fairtrial.stats.studentized_range import range_quantile, range_tail

__all__ = [
    "PAIR_TESTS",
    "PairTest",
    "cliques",
    "compare_pairs",
    "critical_difference",
    "nemenyi",
    "pairwise",
    "versus_control",
]

PairTest: TypeAlias = Callable[[npt.ArrayLike, npt.ArrayLike], Outcome]
PAIR_TESTS: Mapping[str, Callable[..., Outcome]] = {"wilcoxon": wilcoxon, "sign": sign_test}

POOL_NOTE = (
    "the verdict on two methods depends on which others are in the pool, since ranks are shared; "
    "pairwise Wilcoxon tests don't have this trait (Benavoli, Corani & Mangili 2016)"
)


def compare_pairs(
    columns: Sequence[npt.ArrayLike],
    pairs: Sequence[tuple[int, int]],
    *,
    test: str | PairTest = "wilcoxon",
    adjust: str = "holm",
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Comparisons:
    """One test for each pair of columns, the p-values adjusted for the number of pairs.

    ``test`` is ``"wilcoxon"`` or ``"sign"``, for one score per data set, or any function of two columns that gives an
    Outcome; ``functools.partial`` sets its options. For scores over folds of one data set:

    >>> from functools import partial
    >>> from fairtrial.stats import corrected_t
    >>> folds = [0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80], [0.61, 0.63, 0.66, 0.60]
    >>> found = compare_pairs(folds, [(0, 1), (0, 2)], test=partial(corrected_t, test_share=0.25), names="ABC")
    >>> print(found)
    Corrected resampled t: mean difference, first minus second
    first  second   effect       low     high      p  p (Holm)
    A      B       0.03000  −0.01438  0.07438  0.121     0.121
    A      C        0.2050    0.1348   0.2752  0.003     0.005  *
    intervals are per comparison; * p (Holm, 2 comparisons) < 0.05
    """
    check_level(level)
    labels = tuple(names) if names is not None else tuple(str(j) for j in range(len(columns)))
    if len(labels) != len(columns):
        raise InputError(f"names must be {len(columns)} names, one for each column, got {len(labels)}")
    run = _pair_test(test, level)
    outcomes = tuple(run(columns[i], columns[j]) for i, j in pairs)
    p = adjusted_p([outcome.p_value for outcome in outcomes], adjust)
    return Comparisons(labels, tuple((int(i), int(j)) for i, j in pairs), outcomes, tuple(p.tolist()), adjust, level)


def _pair_test(test: str | PairTest, level: float) -> PairTest:
    if callable(test):
        return test
    if test not in PAIR_TESTS:
        raise UnknownName.among("test of pairs", test, PAIR_TESTS)
    return partial(PAIR_TESTS[test], level=level)


def _all_pairs(k: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(k) for j in range(i + 1, k)]


def pairwise(
    table: npt.ArrayLike,
    *,
    test: str | PairTest = "wilcoxon",
    adjust: str = "holm",
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Comparisons:
    """Every method against every other, over data sets (rows); k methods make k(k − 1)/2 tests.

    Null hypothesis for each pair: that of the test. ``test`` and ``adjust`` are as in :func:`compare_pairs`. Holm holds
    the family-wise error by itself: no omnibus test such as Friedman's is needed first. What the test of one pair finds
    doesn't depend on the other methods; only its adjusted p-value does.

    References: Benavoli, Corani & Mangili (2016), JMLR 17(5):1-10, https://jmlr.org/papers/v17/benavoli16a.html;
    García & Herrera (2008), JMLR 9:2677-2694, https://jmlr.org/papers/v9/garcia08a.html.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
    >>> found = pairwise(scores, names=["A", "B", "C"])
    >>> [round(p, 4) for p in found.p_adjusted]
    [0.0234, 0.0234, 0.8359]
    """
    scores = score_table(table, names)
    columns = list(scores.scores.T)
    return compare_pairs(columns, _all_pairs(scores.k), test=test, adjust=adjust, names=scores.names, level=level)


def versus_control(
    table: npt.ArrayLike,
    control: str | int,
    *,
    test: str | PairTest = "wilcoxon",
    adjust: str = "holm",
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Comparisons:
    """Every other method against one control, over data sets (rows); k methods make k − 1 tests.

    Null hypothesis for each: that of the test. The control is the second of each pair: a positive effect means that the
    method has larger scores than the control. Name the control before you see the scores; a control picked because it
    came out best belongs in :func:`pairwise`.

    Reference: Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
    >>> found = versus_control(scores, "B", names=["A", "B", "C"])
    >>> found.pairs, found.p_adjusted
    (((0, 1), (2, 1)), (0.0156, 0.8359))
    """
    scores = score_table(table, names)
    where = _column(control, scores.names)
    pairs = [(j, where) for j in range(scores.k) if j != where]
    return compare_pairs(list(scores.scores.T), pairs, test=test, adjust=adjust, names=scores.names, level=level)


def _column(control: str | int, names: tuple[str, ...]) -> int:
    if isinstance(control, str):
        if control not in names:
            raise UnknownName.among("method", control, names)
        return names.index(control)
    if not 0 <= control < len(names):
        raise InputError(f"control must be a name or a column from 0 to {len(names) - 1}, got {control!r}")
    return control


def critical_difference(k: int, n: int, *, level: float = 0.95) -> float:
    r"""Nemenyi's critical difference of average ranks for k methods on n data sets.

    .. math:: CD = q_\alpha \sqrt{\frac{k(k+1)}{6n}}

    with :math:`q_\alpha` the upper quantile of the studentised range of k values with infinite degrees of freedom,
    divided by :math:`\sqrt 2`.

    References: Nemenyi (1963), Distribution-free multiple comparisons, Princeton; Demšar (2006), JMLR 7:1-30,
    https://jmlr.org/papers/v7/demsar06a.html.

    >>> critical_difference(4, 14)   # q is 2.569 for k = 4
    1.2536
    """
    check_level(level)
    if k != int(k) or k < 2:
        raise InputError(f"k must be a number of methods of at least 2, got {k!r}")
    if n != int(n) or n < 1:
        raise InputError(f"n must be a number of data sets of at least 1, got {n!r}")
    return range_quantile(1 - level, int(k)) / math.sqrt(2) * math.sqrt(k * (k + 1) / (6 * n))


def nemenyi(
    table: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Comparisons:
    r"""Nemenyi's test: which methods differ in average rank over N data sets (rows)?

    Null hypothesis for each pair: the two have the same expected rank among these k methods.

    .. math:: z = (R_i - R_j) \Big/ \sqrt{\frac{k(k+1)}{6N}}

    The adjusted p is the chance that the range of k standard normal values reaches :math:`|z|\sqrt 2`, so that
    p < 1 − level exactly when the ranks differ by more than :func:`critical_difference`. (García & Herrera call
    Bonferroni over the pairs' own p-values by the same name.) The outcomes' p-values and intervals are those of one
    comparison alone. Ties share ranks; the variance isn't corrected for them, as is usual.

    The effect is the difference of average ranks, positive where the first has the larger scores; in
    ``details["average_ranks"]`` rank 1 is the best.

    **The verdict on two methods depends on which others are in the pool**: adding bystanders can turn p from 0.9999
    to below 0.0001. :func:`pairwise` doesn't have this trait.

    References: Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html;
    Benavoli, Corani & Mangili (2016), JMLR 17(5):1-10, https://jmlr.org/papers/v17/benavoli16a.html.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
    >>> found = nemenyi(scores, names=["A", "B", "C"])
    >>> found.details["average_ranks"], found.p_adjusted
    ([1.0, 2.5, 2.5], (0.0076, 0.0076, 1.0))
    """
    check_level(level)
    scores = score_table(table, names)
    n, k = scores.n, scores.k
    ranks = scores.doubled_ranks(higher_is_better=higher_is_better).sum(axis=0) / (2 * n)
    heights = -ranks if higher_is_better else ranks
    error = math.sqrt(k * (k + 1) / (6 * n))
    pairs = _all_pairs(k)
    gaps = [float(heights[i] - heights[j]) for i, j in pairs]
    return Comparisons(
        names=scores.names,
        pairs=tuple(pairs),
        outcomes=tuple(_rank_outcome(gap, error, n, level) for gap in gaps),
        p_adjusted=tuple(range_tail(math.sqrt(2) * abs(gap) / error, k).value for gap in gaps),
        adjusted="Nemenyi",
        level=level,
        notes=(POOL_NOTE,),
        details={"average_ranks": ranks.tolist(), "critical_difference": critical_difference(k, n, level=level)},
    )


def _rank_outcome(gap: float, error: float, n: int, level: float) -> Outcome:
    z = gap / error
    tail = Tail(float(ndtr(-abs(z))), float(log_ndtr(-abs(z))) / math.log(10)).doubled()
    critical = -float(ndtri((1 - level) / 2))
    bounds = gap - critical * error, gap + critical * error
    return Outcome(
        test="Difference of average ranks",
        null="the first and the second have the same expected rank among these methods",
        statistic=z,
        critical_value=critical,
        p_value=tail.value,
        log10_p=tail.log10,
        n=n,
        method="asymptotic",
        effect=Interval("difference of average ranks", gap, *bounds, level, "normal"),
    )


def cliques(different: npt.ArrayLike) -> list[tuple[int, ...]]:
    """The largest groups of methods none of which differs from another, each of at least two: the bars of a diagram.

    A group is left out only when it is part of a larger one. "Not different" isn't transitive and, for pairwise tests,
    needn't follow the order of the ranks either: a bar must never span a method that differs from one of its ends.
    (Bron & Kerbosch 1973, doi:10.1145/362342.362367, with pivots.)

    >>> cliques([[0, 0, 1], [0, 0, 0], [1, 0, 0]])   # only the first and the third differ
    [(0, 1), (1, 2)]
    """
    matrix = np.asarray(different, dtype=np.bool_)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or (matrix != matrix.T).any():
        raise InputError(f"different must be a square symmetric matrix of yes and no, got shape {matrix.shape}")
    alike = [{j for j in np.flatnonzero(~row).tolist() if j != i} for i, row in enumerate(matrix)]
    found: list[tuple[int, ...]] = []
    _grow(set(), set(range(len(alike))), set(), alike, found)
    return sorted(group for group in found if len(group) > 1)


def _grow(
    group: set[int], candidates: set[int], done: set[int], alike: list[set[int]], found: list[tuple[int, ...]]
) -> None:
    if not candidates and not done:
        found.append(tuple(sorted(group)))
        return
    pivot = max(candidates | done, key=lambda v: len(candidates & alike[v]))
    for v in sorted(candidates - alike[pivot]):
        _grow(group | {v}, candidates & alike[v], done & alike[v], alike, found)
        candidates = candidates - {v}
        done = done | {v}
