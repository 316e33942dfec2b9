"""Which of several methods differ: all pairs, or each against a control, with p-values adjusted for their number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.adjust import ALL_PAIRS
from fairtrial.stats.adjust import adjust as adjusted_p
from fairtrial.stats.bibliography import BENAVOLI_2016, DEMSAR_2006, GARCIA_2010, GARCIA_HERRERA_2008
from fairtrial.stats.comparisons import POOL_NOTE, Comparisons, all_pairs
from fairtrial.stats.groups import refuse_one_array
from fairtrial.stats.outcome import Outcome, check_level
from fairtrial.stats.over_datasets.sign_test import sign_test
from fairtrial.stats.over_datasets.wilcoxon import wilcoxon
from fairtrial.stats.post_hoc.mean_ranks import RANKINGS, rank_outcomes
from fairtrial.stats.procedures import OF_THE_TEST, POST_HOC, procedure
from fairtrial.stats.score_arrays import FloatArray, method_names, numbers, score_table, which_column

__all__ = ["PAIR_TESTS", "PairTest", "compare_pairs", "pairwise", "versus_control"]

NULL = "for each pair: that of the test"
NULL_CONTROL = "for each method and the control: that of the test"
NAMED_BEFOREHAND = "that of the test; a control named beforehand"

PairTest: TypeAlias = Callable[[npt.ArrayLike, npt.ArrayLike], Outcome]
PAIR_TESTS: Mapping[str, Callable[..., Outcome]] = {"wilcoxon": wilcoxon, "sign": sign_test}

TRANSITIVE_NOTE = (
    "this adjustment assumes that methods alike to a third are alike, as equal expected ranks are; the null hypotheses "
    "of this test needn't be: adjust='holm' assumes nothing"
)


@procedure(question=POST_HOC, null="for each pair: that of the test", assumes=OF_THE_TEST, references=(GARCIA_2010,))
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
    Outcome; ``functools.partial`` sets its options. Or it is ``"friedman"``, ``"aligned"`` or ``"quade"``: z-tests of
    differences of average ranks, of ranks of scores without their data set's mean, or of ranks weighted by the data
    sets' ranges (see :func:`friedman`, :func:`aligned_friedman`, :func:`quade`), in which all columns take part. Their
    standard error is that of random orders within data sets,
    ``sqrt(2 · spread of the ranks within data sets / (k − 1)) / N``, so that no pair can be further apart than the
    test of all methods allows. García et al. (2010, doi:10.1016/j.ins.2009.12.010) print other ones, with which it can:
    for aligned ranks about ``sqrt((k − 1)/k)`` times as large, for Quade's ``sqrt((k − 1)/2)`` times;
    ``details["published_z"]`` has theirs.

    ``adjust`` is any of :func:`adjust`; ``"shaffer"`` and ``"bergmann_hommel"`` need all pairs of columns.

    For scores over folds of one data set:

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
    if hasattr(columns, "iloc"):
        raise InputError("columns must be a list of columns, got a DataFrame; use pairwise or versus_control for it")
    refuse_one_array(columns, "columns")
    labels = method_names(names, range(len(columns)))
    wanted = _checked_pairs(pairs, len(columns))
    ranked = isinstance(test, str) and test in RANKINGS
    if ranked:
        outcomes = rank_outcomes(score_table(numbers(list(columns), "columns").T), wanted, str(test), level)
    else:
        run = _pair_test(test, level)
        outcomes = tuple(run(columns[i], columns[j]) for i, j in wanted)
        if not all(isinstance(outcome, Outcome) for outcome in outcomes):
            raise InputError(f"test must be a function of two columns that gives an Outcome, got {test!r}")
    p = _adjusted([outcome.p_value for outcome in outcomes], wanted, len(columns), adjust)
    notes = ((POOL_NOTE,) if ranked else ()) + ((TRANSITIVE_NOTE,) if adjust in ALL_PAIRS and not ranked else ())
    return Comparisons(labels, wanted, outcomes, tuple(p.tolist()), adjust, level, notes)


def _checked_pairs(pairs: Sequence[tuple[int, int]], k: int) -> tuple[tuple[int, int], ...]:
    everyone = set(range(k))
    for pair in pairs:
        if len(pair) != 2 or not set(pair) <= everyone or pair[0] == pair[1]:
            raise InputError(f"pairs must be of two different columns from 0 to {k - 1}, got {pair!r}")
    return tuple((int(i), int(j)) for i, j in pairs)


def _adjusted(p: list[float], pairs: tuple[tuple[int, int], ...], k: int, how: str) -> FloatArray:
    if how not in ALL_PAIRS or not p:
        return adjusted_p(p, how)
    place = {pair: where for where, pair in enumerate(all_pairs(k))}
    where = [place[min(pair), max(pair)] for pair in pairs]
    if sorted(where) != list(range(len(place))):
        raise InputError(
            f"adjustment {how!r} needs each of the {len(place)} pairs of {k} methods once, got {len(pairs)}; use 'holm'"
        )
    ordered = np.empty(len(p))
    ordered[where] = p
    return adjusted_p(ordered, how)[where]


def _pair_test(test: str | PairTest, level: float) -> PairTest:
    if callable(test):
        return test
    if test not in PAIR_TESTS:
        raise UnknownName.among("test of pairs", test, (*PAIR_TESTS, *RANKINGS))
    return partial(PAIR_TESTS[test], level=level)


@procedure(question=POST_HOC, null=NULL, assumes=OF_THE_TEST, references=(BENAVOLI_2016, GARCIA_HERRERA_2008))
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
    doesn't depend on the other methods; only its adjusted p-value does (unless the test is one of average ranks).

    ``pairwise(table, test="friedman", adjust="bergmann_hommel")`` is the sharpest of García & Herrera's procedures.

    References: Benavoli, Corani & Mangili (2016), JMLR 17(5):1-10, https://jmlr.org/papers/v17/benavoli16a.html;
    García & Herrera (2008), JMLR 9:2677-2694, https://jmlr.org/papers/v9/garcia08a.html.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
    >>> found = pairwise(scores, names=["A", "B", "C"])
    >>> [round(p, 4) for p in found.p_adjusted]
    [0.0234, 0.0234, 0.8359]
    """
    scores = score_table(table, names)
    columns = list(scores.scores.T)
    return compare_pairs(columns, all_pairs(scores.k), test=test, adjust=adjust, names=scores.names, level=level)


@procedure(question=POST_HOC, null=NULL_CONTROL, assumes=NAMED_BEFOREHAND, references=(DEMSAR_2006,))
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
    where = which_column(control, scores.names)
    pairs = [(j, where) for j in range(scores.k) if j != where]
    return compare_pairs(list(scores.scores.T), pairs, test=test, adjust=adjust, names=scores.names, level=level)
