"""The pairs of a verdict as data of figures: ranks, all pairs, one pair on each data set, and its null distribution.

The null distribution of the test that a verdict made of two methods.

How to read the pictures of a verdict, and the lines of Python that make them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fairtrial.choices import RankTests
from fairtrial.design import FEWEST_DATASETS
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.comparisons.critical_difference import CriticalDifferenceData, critical_difference_data
from fairtrial.figures.comparisons.dataset_differences import DatasetDifferencesData, dataset_differences_data
from fairtrial.figures.comparisons.null_distribution import NullData, curve_null, with_notes
from fairtrial.figures.comparisons.pairwise_map import PairwiseData, pairwise_data
from fairtrial.figures.comparisons.rank_rows import RanksData, ranks_data
from fairtrial.stats import bonferroni_dunn, cliques, corrected_t, nemenyi
from fairtrial.stats.multiplicity import TITLES
from fairtrial.tables import Picture, formats
from fairtrial.verdict.designs.decide import Pair, rank_sets
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural, shortened

MOST_IN_DIAGRAM = 15
"""Methods that a critical-difference diagram of a verdict or report has at most; more have rank intervals."""

MOST_ASKED_FOR = 25
"""Methods that a critical-difference diagram has at most, even if it is asked for."""


def critical_difference_of(verdict: Verdict, test: RankTests | None = None) -> CriticalDifferenceData:
    """The critical-difference diagram of a verdict: by its own tests or, on request, by a test of average ranks.

    With a control it shows who differs from the control; otherwise groups of methods that are not distinguishable.
    """
    evidence = verdict.evidence
    n, k = len(evidence.datasets), len(evidence.methods)
    if k < 3 or n < FEWEST_DATASETS:
        named = "Nemenyi's diagram" if test == "nemenyi" else "a critical-difference diagram"
        raise InputError(
            f"{named} needs 3 methods and {FEWEST_DATASETS} data sets at least, got {k} and {n}; "
            "verdict.figure() draws what fits"
        )
    if k > MOST_ASKED_FOR and verdict.question.control is None and test is None:
        raise InputError(
            f"a critical-difference diagram of all pairs can be read for {MOST_ASKED_FOR} methods at most, got {k}; "
            "draw 'ranks' or 'pairwise' instead"
        )
    if test is not None:
        return _by_average_ranks(verdict, test)
    if verdict.omnibus is None or verdict.comparisons is None:
        raise InputError(f"a critical-difference diagram needs tests over data sets, but {verdict.why}")
    ranks = verdict.omnibus.details["average_ranks"]
    note = f"decided by {tested_in_words(verdict)}"
    control = verdict.question.control
    if control is not None:
        better, worse = _differing_from(verdict, control)
        return critical_difference_data(
            evidence.methods, ranks, (), note=note, control=control, better=better, worse=worse
        )
    return critical_difference_data(evidence.methods, ranks, cliques(_different(verdict)), note=note)


def _by_average_ranks(verdict: Verdict, test: RankTests) -> CriticalDifferenceData:
    """The classical diagrams, whose tests depend on which other methods are compared."""
    evidence, level, control = verdict.evidence, verdict.question.level, verdict.question.control
    k, n = len(evidence.methods), len(evidence.datasets)
    scores, higher = evidence.comparable[:, :k], evidence.measure.higher_is_better
    if test == "nemenyi":
        if control is not None:
            raise InputError("test='nemenyi' compares all pairs; leave control out, or ask for 'bonferroni_dunn'")
        found = nemenyi(scores, higher_is_better=higher, names=evidence.methods, level=level)
        return critical_difference_data(
            found.names,
            found.details["average_ranks"],
            cliques(found.different()),
            critical_difference=found.details["critical_difference"],
            note=f"Nemenyi, {plural(n, 'data set')}, level {1 - level:.3g}; {found.notes[0]}",
        )
    if control is None:
        raise InputError("test='bonferroni_dunn' compares with a control; give control, such as control='ridge'")
    found = bonferroni_dunn(scores, control, higher_is_better=higher, names=evidence.methods, level=level)
    ranks = found.details["average_ranks"]
    own = ranks[evidence.methods.index(control)]
    differ = found.different()[evidence.methods.index(control)]
    return critical_difference_data(
        found.names,
        ranks,
        (),
        critical_difference=found.details["critical_difference"],
        control=control,
        better=[name for name, r, d in zip(found.names, ranks, differ, strict=True) if d and r < own],
        worse=[name for name, r, d in zip(found.names, ranks, differ, strict=True) if d and r > own],
        note=f"Bonferroni–Dunn, {plural(n, 'data set')}, level {1 - level:.3g}; {found.notes[0]}",
    )


def _different(verdict: Verdict) -> npt.NDArray[np.bool_]:
    """Which methods differ; a winner differs from every other, whatever the tests of all pairs together say."""
    assert verdict.comparisons is not None
    different = verdict.comparisons.different()
    if verdict.winner is not None:
        winner = verdict.comparisons.names.index(verdict.winner)
        different[winner, :] = different[:, winner] = True
        different[winner, winner] = False
    return different


def _differing_from(verdict: Verdict, control: str) -> tuple[list[str], list[str]]:
    """The methods that are better and worse than the control."""
    names, where = verdict.evidence.methods, verdict.evidence.methods.index(control)
    better: list[str] = []
    worse: list[str] = []
    for pair in verdict.finding.pairs:
        other = pair.first if pair.second == where else pair.second
        if pair.winner is not None:
            (better if pair.winner == other else worse).append(names[other])
    return better, worse


def tested_in_words(verdict: Verdict) -> str:
    """The tests of a verdict in words: which, of how many pairs, how adjusted, and at which level."""
    comparisons = verdict.comparisons
    assert comparisons is not None
    n, level = len(comparisons.pairs), f"at level {1 - comparisons.level:.3g}"
    which = "each pair" if verdict.question.control is None else "each method and the control"
    if n == 1 or comparisons.adjusted == "none":
        return f"{comparisons.outcomes[0].test} of {which}, {level}"
    how = TITLES.get(comparisons.adjusted, comparisons.adjusted)
    alone = verdict.winner is not None and (_different(verdict) != comparisons.different()).any()
    winner = "; the winner beats each other method in its own test" if alone else ""
    return f"{comparisons.outcomes[0].test} of {which}, {how} over {plural(n, 'pair')}, {level}{winner}"


def _all_pairs(verdict: Verdict, kind: str) -> Sequence[Pair]:
    """The pairs of a verdict in which every method was compared with every other."""
    k, pairs = len(verdict.evidence.methods), verdict.finding.pairs
    if verdict.question.control is not None:
        raise InputError(f"a figure of {kind!r} needs all pairs, not only those with a control; leave control out")
    if k < 2 or len(pairs) != k * (k - 1) // 2:
        raise InputError(f"a figure of {kind!r} needs a test of all pairs, but here {verdict.why}")
    return pairs


def _estimated_ranks(pairs: Sequence[Pair], k: int) -> list[float]:
    """The rank of each method by the estimated differences: ties count half."""
    ranks = [1.0] * k
    for pair in pairs:
        ahead = pair.ahead
        for m in (pair.first, pair.second):
            ranks[m] += 0.5 if ahead is None else float(ahead != m)
    return ranks


def ranks_of(verdict: Verdict) -> RanksData:
    """The rank intervals of a verdict's methods; they hold together, as the tests of all pairs do."""
    pairs, names = _all_pairs(verdict, "ranks"), verdict.evidence.methods
    k = len(names)
    winner = None if verdict.winner is None else names.index(verdict.winner)
    tested = f"Ranks are ruled out by {tested_in_words(verdict)}."
    return ranks_data(names, _estimated_ranks(pairs, k), rank_sets(pairs, k, winner), tested=tested)


def pairwise_of(verdict: Verdict) -> PairwiseData:
    """The differences of all pairs of a verdict, in the direction of the measure, methods from best to worst."""
    pairs, evidence = _all_pairs(verdict, "pairwise"), verdict.evidence
    k, words = len(evidence.methods), _wording(evidence)
    ranks, different = _estimated_ranks(pairs, k), _different(verdict)
    order = sorted(range(k), key=lambda m: (ranks[m], verdict.finding.order.index(evidence.methods[m])))
    values = np.full((k, k), np.nan)
    p_values: list[list[object]] = [[1.0] * k for _ in range(k)]
    for pair in pairs:
        i, j = order.index(pair.first), order.index(pair.second)
        values[i, j] = in_measure(pair, evidence, words)[0]
        values[j, i] = in_measure(pair.swapped(), evidence, words)[0]
        p_values[i][j] = p_values[j][i] = pair.p_adjusted
    return pairwise_data(
        [evidence.methods[m] for m in order],
        values,
        p_values,
        different[np.ix_(order, order)],
        quantity=f"{'ratio' if words.ratio else 'difference'} of {words.name}",
        higher_is_better=evidence.measure.higher_is_better,
        ratio=words.ratio,
        tested=f"Decided by {tested_in_words(verdict)}.",
    )


def in_measure(pair: Pair, evidence: Evidence, words: Wording) -> tuple[float, float, float]:
    """Estimate and interval in the direction and on the scale of the measure, instead of 'positive is better'."""
    if pair.effect is None:
        return math.nan, math.nan, math.nan
    effect = words.effect(pair.effect if evidence.sign > 0 else pair.effect.negated())
    return effect.estimate, effect.low, effect.high


def _wording(evidence: Evidence) -> Wording:
    return Wording(evidence.measure, evidence.as_ratio and len(evidence.datasets) > 1)


def leading_pair(verdict: Verdict, methods: Sequence[str] | None = None) -> tuple[str, str]:
    """The two methods that are asked for, or the best and the next one; with a control, the best other and it."""
    known, control = verdict.evidence.methods, verdict.question.control
    if methods is not None:
        for name in methods:
            if name not in known:
                raise UnknownName.among("method of these results", name, known)
        if len(methods) != 2 or methods[0] == methods[1]:
            raise InputError(f"methods must be two different methods, such as 'forest,ridge', got {list(methods)!r}")
        return methods[0], methods[1]
    ordered = verdict.finding.order or known
    if len(ordered) < 2:
        raise InputError("this figure is about two methods, but there is only one")
    if control is not None:
        return next(name for name in ordered if name != control), control
    first = verdict.winner or next((name for name in ordered if name in verdict.finding.best), ordered[0])
    return first, next(name for name in ordered if name != first)


def pair_of(verdict: Verdict, first: str, second: str) -> Pair | None:
    """The decision about two methods, seen from the first; None where they were not compared."""
    i, j = (verdict.evidence.methods.index(name) for name in (first, second))
    for pair in verdict.finding.pairs:
        if (pair.first, pair.second) == (i, j):
            return pair
        if (pair.first, pair.second) == (j, i):
            return pair.swapped()
    return None


def dataset_differences_of(verdict: Verdict, methods: Sequence[str] | None = None) -> DatasetDifferencesData:
    """The differences of two methods on each data set, with intervals where the splits allow them."""
    evidence, question = verdict.evidence, verdict.question
    first, second = leading_pair(verdict, methods)
    i, j = evidence.methods.index(first), evidence.methods.index(second)
    words = _wording(evidence)
    ran = [d for d in range(len(evidence.datasets)) if not (evidence.gone(d, first) or evidence.gone(d, second))]
    if not ran:
        raise InputError(f"{first} and {second} did not run on the same data set")
    rows = np.array([_on_dataset(evidence, d, i, j, question.level, ratio=words.ratio) for d in ran])
    pair = pair_of(verdict, first, second)
    overall = None
    if pair is not None and pair.effect is not None and len(evidence.datasets) > 1:
        overall = words.effect(pair.effect if evidence.sign > 0 else pair.effect.negated())
    return dataset_differences_data(
        [evidence.datasets[d] for d in ran],
        first,
        second,
        *rows.T,
        quantity=f"{'ratio' if words.ratio else 'difference'} of {words.name}",
        overall=overall,
        smallest_difference=question.delta,
        ratio=words.ratio,
        higher_is_better=evidence.measure.higher_is_better,
        level=question.level,
    )


def _on_dataset(evidence: Evidence, d: int, i: int, j: int, level: float, *, ratio: bool) -> tuple[float, float, float]:
    """The difference (or ratio) of two methods on a data set, and its interval; nan where there is none.

    The interval of a ratio is that of its logarithm, to first order.
    """
    folds, dependence = evidence.folds[d], evidence.dependence[d]
    a, b = folds[:, i], folds[:, j]
    center = math.log(a.mean() / b.mean()) if ratio else float(a.mean() - b.mean())
    low = high = math.nan
    if dependence.known and len(folds) > 1 and not np.isnan([a, b]).any():
        a, b = (a / a.mean(), b / b.mean()) if ratio else (a, b)
        found = corrected_t(a, b, test_share=dependence.test_share, overlap=dependence.overlap, level=level).effect
        assert found is not None
        half = (found.high - found.low) / 2
        low, high = center - half, center + half
    return (math.exp(center), math.exp(low), math.exp(high)) if ratio else (center, low, high)


def null_of(verdict: Verdict, methods: Sequence[str] | None = None) -> NullData:
    """The null distribution of the test of two methods, by default the leading ones, with the observed statistic."""
    if verdict.comparisons is None:
        raise InputError(f"a figure of 'null_distribution' needs a test of two methods, but here {verdict.why}")
    first, second = leading_pair(verdict, methods)
    number, turned = _find(verdict, first, second)
    if turned and verdict.question.alternative != "two-sided":
        first, second, turned = second, first, False
    sign = -verdict.evidence.sign if turned else verdict.evidence.sign
    outcome, alpha = verdict.comparisons.outcomes[number], _alpha(verdict, number)[0]
    return with_notes(curve_null(outcome, alpha=alpha, sign=sign, of=first), _notes(verdict, number, first, second))


def _find(verdict: Verdict, first: str, second: str) -> tuple[int, bool]:
    """The number of the comparison of two methods, and whether it was made from the second one."""
    comparisons = verdict.comparisons
    assert comparisons is not None
    i, j = comparisons.names.index(first), comparisons.names.index(second)
    for number, pair in enumerate(comparisons.pairs):
        if pair in ((i, j), (j, i)):
            return number, pair == (j, i)
    raise InputError(f"{first} and {second} were not compared with each other, only with the control")


def _alpha(verdict: Verdict, number: int) -> tuple[float, str]:
    """The level at which this test decides by itself, and why it is that."""
    comparisons = verdict.comparisons
    assert comparisons is not None
    alpha, m = 1 - verdict.question.level, len(comparisons.pairs)
    names = {comparisons.names[i] for i in comparisons.pairs[number]}
    if m > 1 and verdict.winner in names:
        return alpha, f"{verdict.winner} is the winner since it beats every other in such a test of its own."
    if m > 1 and verdict.finding.leads is not None and verdict.finding.leads.critical_values:
        other = f"{verdict.winner} is the winner by its own tests; this one decides nothing."
        return alpha, other if verdict.winner else "A winner must beat every other method in such a test of its own."
    if comparisons.adjusted == "bonferroni" and m > 1:
        return alpha / m, f"α is {alpha:.3g} divided by the number of pairs, {m} (Bonferroni)."
    if m > 1 and comparisons.adjusted != "none":
        p = formats.p_equals(verdict.finding.pairs[number].p_adjusted)
        return alpha, f"This is the test of the pair by itself; together with all {plural(m, 'pair')}, {p}."
    return alpha, ""


def _notes(verdict: Verdict, number: int, first: str, second: str) -> list[str]:
    """Which methods were compared, and by which level the test decides."""
    compared = f"{shortened(first, 80)} against {shortened(second, 80)}, by {Wording(verdict.measure).name}."
    return [text for text in (compared, _alpha(verdict, number)[1]) if text]


HOW_TO_READ = {
    "leads": (
        "Each dot is how far a method is ahead of the one that the axis names, each line its interval. A method whose "
        "line lies to one side of the upright line is shown to be ahead, or behind."
    ),
    "critical_difference": (
        "Each method stands at its average rank over the data sets, the best at the left. A bar joins methods of which "
        "no two are distinguishable; a bar may pass a method that has no dot on it and is not in the group."
    ),
    "ranks": (
        "Each line shows the ranks that a method may have, the best methods at the top. Methods whose lines share no "
        "rank differ; a long line means that little is known about the method."
    ),
    "pairwise": (
        "Each cell compares the method of its row with that of its column: the colour says which one is better and by "
        "how much. Filled cells are pairs that differ; outlined ones are not distinguishable."
    ),
    "dataset_differences": (
        "Each dot is the difference between the two methods on one data set, sorted by size. Dots on both sides of 0 "
        "mean that the better method depends on the data set."
    ),
    "dots": (
        "Each dot is the mean of a method on a data set; colour and shape say which method. Dots that lie close "
        "together mean that the choice of the method matters little there."
    ),
    "decision_path": "The questions are asked from the top; the answers of this study lead to the test at the end.",
    "null_distribution": (
        "The grey shape shows how often each value of the statistic would come about if both methods were equal. "
        "An observed value in the shaded region would be too rare for that."
    ),
}
"""How to read each kind of picture."""


WITH_CONTROL = ("leads", "null_distribution", "decision_path")
"""The kinds of pictures that can be drawn against a control."""


def with_reading_help(kind: str, picture: Picture, verdict: Verdict) -> Picture:
    """The picture with what it takes to read it and to make it again."""
    control = f", control={verdict.question.control!r}" if verdict.question.control and kind in WITH_CONTROL else ""
    call = f"results.figure({kind!r}, measure={verdict.measure.name!r}{control})"
    call = "ft.figures.figures_for(verdict)[-1].figure" if kind == "dots" else call
    compared = verdict.finding.compared
    if kind == "leads" and compared is not None and compared.family == "pairs":  # results.figure draws the default's
        call = "ft.figures.leads_figure(ft.figures.leads_of(verdict))"
    return replace(picture, explain=HOW_TO_READ[kind], call=call)
