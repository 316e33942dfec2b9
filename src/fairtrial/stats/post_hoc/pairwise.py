"""Tests of pairs of several methods: all pairs, or each against a control, with adjusted p-values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures.channel_checks import list_of
from fairtrial.stats.arguments import is_whole
from fairtrial.stats.bibliography import BENAVOLI_2016, DEMSAR_2006, GARCIA_2010, GARCIA_HERRERA_2008
from fairtrial.stats.comparisons import POOL_NOTE, Comparisons, all_pairs
from fairtrial.stats.groups import refuse_one_array
from fairtrial.stats.multiplicity import ALL_PAIRS
from fairtrial.stats.multiplicity import adjust as adjusted_p
from fairtrial.stats.outcome import Outcome, check_level
from fairtrial.stats.over_datasets.sign_test import sign_test
from fairtrial.stats.over_datasets.wilcoxon import wilcoxon
from fairtrial.stats.post_hoc.mean_ranks import RANKINGS, rank_outcomes
from fairtrial.stats.procedures import OF_THE_TEST, POST_HOC, procedure
from fairtrial.stats.score_arrays import FloatArray, method_names, numbers, score_table, which_column
from fairtrial.words import is_one_of, plural

NULL = "for each pair, the null hypothesis of the test"
NULL_CONTROL = "for each method and the control, the null hypothesis of the test"
NAMED_BEFOREHAND = f"{OF_THE_TEST}; a control chosen before the scores are seen"

PairTest: TypeAlias = Callable[[npt.ArrayLike, npt.ArrayLike], Outcome]
PAIR_TESTS: Mapping[str, Callable[..., Outcome]] = {"wilcoxon": wilcoxon, "sign": sign_test}

TRANSITIVE_NOTE = (
    "this adjustment assumes transitive null hypotheses (if A equals B and B equals C, then A equals C); "
    "those of this test need not be transitive, and adjust='holm' does not assume it"
)


@procedure(question=POST_HOC, null=NULL, assumes=OF_THE_TEST, references=(GARCIA_2010,))
def compare_pairs(
    columns: Sequence[npt.ArrayLike],
    pairs: Sequence[tuple[int, int]],
    *,
    test: str | PairTest = "wilcoxon",
    adjust: str = "holm",
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Comparisons:
    """Tests of chosen pairs of methods (columns), with p-values adjusted for the number of pairs.

    ``test`` is one of:

    - ``"wilcoxon"`` or ``"sign"``, for one score per data set;
    - a function of two columns that returns an Outcome; ``functools.partial`` sets its options;
    - ``"friedman"``, ``"aligned"`` or ``"quade"``: z-tests of the differences of average ranks, of average aligned
      ranks, or of average ranks weighted by the ranges of the data sets (see :func:`friedman`,
      :func:`aligned_friedman`, :func:`quade`). All columns take part in the ranks.

    The standard error of these z-tests is that of random permutations within data sets,
    ``sqrt(2 · sum of squares of the ranks within data sets / (k − 1)) / N``, which is consistent with the test of all
    methods. García et al. (2010, doi:10.1016/j.ins.2009.12.010) print standard errors that are not: about
    ``sqrt((k − 1)/k)`` times as large for aligned ranks, and ``sqrt((k − 1)/2)`` times for Quade's;
    ``details["published_z"]`` has their z.

    ``adjust`` is any adjustment of :func:`adjust`; ``"shaffer"`` and ``"bergmann_hommel"`` need all pairs of columns.

    An example with scores over the folds of one data set:

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
        raise InputError("columns must be a list of columns, got a DataFrame; use pairwise or versus_control instead")
    refuse_one_array(columns, "columns")
    columns = list_of("columns", columns, "columns, one for each method")
    labels = method_names(names, range(len(columns)))
    wanted = _checked_pairs(pairs, len(columns))
    ranked = isinstance(test, str) and test in RANKINGS
    if ranked:
        outcomes = rank_outcomes(score_table(numbers(list(columns), "columns").T), wanted, str(test), level)
    else:
        run = _pair_test(test, level)
        outcomes = tuple(run(columns[i], columns[j]) for i, j in wanted)
        if not all(isinstance(outcome, Outcome) for outcome in outcomes):
            raise InputError(
                f"test must be a function of two columns that returns an Outcome, but {test!r} returns something else"
            )
    p = _adjusted([outcome.p_value for outcome in outcomes], wanted, len(columns), adjust)
    notes = ((POOL_NOTE,) if ranked else ()) + (
        (TRANSITIVE_NOTE,) if is_one_of(adjust, ALL_PAIRS) and not ranked else ()
    )
    return Comparisons(labels, wanted, outcomes, tuple(p.tolist()), adjust, level, notes)


def _checked_pairs(pairs: Sequence[tuple[int, int]], k: int) -> tuple[tuple[int, int], ...]:
    wanted = list_of("pairs", pairs, "pairs of column numbers")
    for pair in wanted:
        if not _is_pair(pair, k):
            raise InputError(
                f"pairs must hold the numbers of two different columns, from 0 to {k - 1}, but one of them is {pair!r}"
            )
    return tuple((int(i), int(j)) for i, j in wanted)


def _is_pair(pair: object, k: int) -> bool:
    if not isinstance(pair, Sequence | np.ndarray) or len(pair) != 2:
        return False
    first, second = pair
    return all(is_whole(number) and 0 <= number < k for number in pair) and first != second


def _adjusted(p: list[float], pairs: tuple[tuple[int, int], ...], k: int, how: str) -> FloatArray:
    """The adjusted p-values of the pairs, in their order."""
    if not is_one_of(how, ALL_PAIRS) or not p:
        return adjusted_p(p, how)
    place = {pair: where for where, pair in enumerate(all_pairs(k))}
    where = [place[min(pair), max(pair)] for pair in pairs]
    if sorted(where) != list(range(len(place))):
        raise InputError(
            f"adjustment {how!r} needs each of the {len(place)} pairs of {k} methods once, "
            f"got {plural(len(pairs), 'pair')}; use 'holm'"
        )
    ordered = np.empty(len(p))
    ordered[where] = p
    return adjusted_p(ordered, how)[where]


def _pair_test(test: str | PairTest, level: float) -> PairTest:
    if callable(test):
        return test
    if not is_one_of(test, PAIR_TESTS):
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
    """Tests of all pairs of methods (columns) over data sets (rows), with adjusted p-values.

    Null hypothesis for each pair: that of the test. ``test`` and ``adjust`` are as in :func:`compare_pairs`. With k
    methods there are k(k − 1)/2 tests. Holm's adjustment controls the family-wise error by itself: no omnibus test such
    as Friedman's is needed first. The test of a pair does not depend on the other methods, only its adjusted p-value
    does (unless the test is one of average ranks).

    ``pairwise(table, test="friedman", adjust="bergmann_hommel")`` has the most power of García & Herrera's procedures.

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
    """Tests of all other methods against one control over data sets (rows), with adjusted p-values.

    Null hypothesis for each method and the control: that of the test. With k methods there are k − 1 tests. The control
    is the second of each pair: a positive effect means that the method has larger scores than the control. Choose the
    control before you see the scores; if you choose the method that came out best, use :func:`pairwise`.

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
