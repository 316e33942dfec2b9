"""Two or more methods over six or more data sets: joint tests of all pairs, the winner, and how it varies."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import FEWEST_DATASETS, Question
from fairtrial.stats import best_set, friedman, paired_t, power, wilcoxon
from fairtrial.stats.post_hoc.left_out import winners_without_each
from fairtrial.stats.score_arrays import differences
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.absent_methods import legend
from fairtrial.verdict.compare_methods import Compared, compare, on_scale, side_of, wanted_pairs
from fairtrial.verdict.comparison_table import Cells, beaten_in_words, comparison_table
from fairtrial.verdict.decide import is_within
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.pair_tests import SIMULTANEOUS, Tests, jointly, one_by_one
from fairtrial.verdict.sentences import unbeaten_sentences
from fairtrial.verdict.single_datasets import single_datasets_table
from fairtrial.verdict.spread import Spread, difference_bounds, noise_within, spread_of
from fairtrial.verdict.units import Units, units_of
from fairtrial.verdict.wording import Wording
from fairtrial.words import listed, plural

__all__ = ["over_datasets", "per_set"]

POWER = 0.8
WORST_CASE = "on rows of real tables that were moved to equal means, such tests erred in 9 to 22 % instead of 5 %"


def over_datasets(evidence: Evidence, question: Question, adjust: str) -> Finding:
    """Compare all pairs, or each method with the control, on the means of the data sets.

    The claim that one method is the winner, and the claims about all pairs, each hold at the question's level.
    """
    if evidence.measure.compare == "log-ratio" and not evidence.as_ratio:
        question = replace(question, smallest_difference=None)
    k = len(evidence.methods)
    units = units_of(evidence, question.family)
    delta = on_scale(question.delta, evidence.as_ratio)
    tests = _tests(evidence, question, adjust, units)
    compared = compare(
        evidence,
        question,
        tests,
        means=units.scores.mean(axis=0),
        delta=delta,
        spreads=_spreads(evidence, question, tests, units, delta),
    )
    higher = evidence.measure.higher_is_better
    if k > 2:
        scores = units.scores[:, :k]
        compared = replace(compared, omnibus=friedman(scores, higher_is_better=higher))
        if question.control is None and question.estimand == "typical":
            found = best_set(scores, higher_is_better=higher, names=evidence.methods, level=question.level)
            compared = replace(compared, best=tuple(m for m in compared.order if evidence.methods[m] in found.members))
    return compared.finding(
        f"on data sets such as these {units.in_words.removesuffix(' data sets')}",
        more_sentences=unbeaten_sentences(evidence, lambda i: _unbeaten(evidence, units, i, question.level)),
        table=_table(compared, units),
        more_tables=(single_datasets_table(compared, units),),
        test=_test(compared, units),
        stable=(_leave_one_out(compared, units, adjust),),
        next_steps=tuple(_next(compared, units)),
    )


def _tests(evidence: Evidence, question: Question, adjust: str, units: Units) -> Tests:
    """The tests that the question asks for: joint ones by default, else pair after pair."""
    columns, wanted = list(units.scores.T), wanted_pairs(evidence, question)
    delta = on_scale(question.delta, evidence.as_ratio)
    side = side_of(evidence, question, delta)
    if question.estimand == "mean":
        return one_by_one(
            columns, wanted, test=paired_t, names=evidence.methods, level=question.level, adjust=adjust, side=side
        )
    if adjust == SIMULTANEOUS:
        return jointly(columns, wanted, names=evidence.methods, level=question.level, side=side)
    test = partial(wilcoxon, zeros="pratt")
    return one_by_one(
        columns, wanted, test=test, names=evidence.methods, level=question.level, adjust=adjust, side=side
    )


def _spreads(evidence: Evidence, question: Question, tests: Tests, units: Units, delta: float | None) -> list[Spread]:
    """How the difference of each tested pair varies over the units."""
    found = []
    for (i, j), narrow in zip(tests.comparisons.pairs, tests.narrow, strict=True):
        average = delta is not None and narrow is not None and is_within(narrow, delta)
        found.append(
            spread_of(
                evidence.sign * differences(units.scores[:, i], units.scores[:, j]).values(),
                delta=delta,
                level=question.level,
                pairs=tests.family,
                bounds=difference_bounds(evidence),
                noise=noise_within(evidence, i, j) if average else math.nan,
            )
        )
    return found


def _average_ranks(evidence: Evidence, units: Units) -> NDArray[np.float64]:
    outcome = friedman(
        units.scores[:, : len(evidence.methods)],
        higher_is_better=evidence.measure.higher_is_better,
        method="chi-square",
    )
    return np.asarray(outcome.details["average_ranks"], dtype=np.float64)


def _table(compared: Compared, units: Units) -> Table:
    evidence, question = compared.evidence, compared.question
    k, words = len(evidence.methods), Wording(evidence.measure, evidence.as_ratio)
    ranks = _average_ranks(evidence, units)
    means = units.scores.mean(axis=0)

    def mean(m: int) -> object:
        center = math.exp(means[m]) if evidence.as_ratio else float(means[m])
        return evidence.overall(evidence.methods[m], center) if m < k else center

    kind = f"{question.estimand} {'ratio' if evidence.as_ratio else 'difference'}"
    estimator = " (Hodges–Lehmann)" if question.estimand == "typical" else ""
    return comparison_table(
        compared,
        words,
        mean=Cells(Column("geometric mean" if evidence.as_ratio else "mean", words.value, key="mean"), mean),
        beside=Cells(Column("mean rank", formats.fixed(2)), lambda m: float(ranks[m]) if m < k else None),
        wins=Cells(
            Column("wins–ties–losses", formats.auto, key="wins_ties_losses"),
            lambda m: _wins(compared, m),
        ),
        yardstick=lambda i: f": {_beaten(evidence, units, i, question.level)}",
        caption=f"{words.name}, {per_set(evidence)}, then over {units.in_words}",
        effect=f"{kind}{estimator}",
        legend=legend(evidence),
    )


def per_set(evidence: Evidence) -> str:
    """What the score of a data set is, in words."""
    schemes = {d.scheme for d in evidence.dependence}
    if len(schemes) == 1 and (scheme := schemes.pop()) not in ("unknown", "one test set"):
        return f"mean over {scheme} per data set"
    return "one score per data set"


def _wins(compared: Compared, m: int) -> str | None:
    pair = compared.against_reference().get(m)
    if pair is None or pair.spread is None:
        return None
    wins = pair.spread.wins
    return f"{wins[0]}–{wins[1]}–{wins[2]}"


def _beaten(evidence: Evidence, units: Units, yardstick: int, level: float) -> str:
    """Which methods beat the yardstick, in words."""
    if evidence.is_resource:
        return "shown only"
    fails = _unbeaten(evidence, units, yardstick, level)
    return "undefined here" if fails is None else beaten_in_words(fails)


def _unbeaten(evidence: Evidence, units: Units, yardstick: int, level: float) -> list[str] | None:
    """The methods that don't clearly beat the yardstick, each tested by itself; None where that can't be tested."""
    k = len(evidence.methods)
    column = units.scores[:, k + yardstick]
    if evidence.is_resource or np.isnan(column).any():
        return None
    better = evidence.sign * (units.scores[:, :k] - column[:, None])
    zero = np.zeros(len(column))
    tests = [wilcoxon(better[:, m], zero, zeros="pratt", alternative="greater", interval=False) for m in range(k)]
    return [evidence.methods[m] for m in range(k) if not tests[m].p_value < 1 - level]


def _test(compared: Compared, units: Units) -> str:
    outcomes, question = compared.comparisons.outcomes, compared.question
    over = f"over {units.in_words}"
    if question.estimand == "mean":
        return f"paired t of the means {over}{compared.family}; {WORST_CASE}."
    methods = {o.method for o in outcomes}
    how = "exact" if methods == {"exact"} else " and ".join(sorted(methods))
    if len(compared.pairs) == 1:
        return f"Wilcoxon signed ranks {over}, {how}."
    level = f"{100 * (1 - question.level):.3g} %"
    claims = (
        f"; to be the winner, a method must beat every other in its own test at {level}, which needs no adjustment"
        if question.control is None and compared.tests.side.is_both
        else ""
    )
    return f"Wilcoxon signed ranks {over}{compared.family}{claims}."


def _leave_one_out(compared: Compared, units: Units, adjust: str) -> str:
    """Whether the answer depends on a single data set, in words."""
    n = units.n
    if n - 1 < FEWEST_DATASETS:
        return "can't be tried: with one data set less, no difference could be significant"
    if compared.question.control is None and compared.question.estimand == "typical":
        of_all: object = compared.winner
        same = "no winner" if of_all is None else "the same winner"
        scores = units.scores[:, : len(compared.evidence.methods)]
        higher, level = compared.evidence.measure.higher_is_better, compared.question.level
        found: list[object] = list(winners_without_each(scores, higher_is_better=higher, level=level))
    else:
        of_all, same = _conclusions(compared, units, adjust), "the same answer"
        found = [
            _conclusions(compared, replace(units, names=units.names[1:], scores=np.delete(units.scores, i, 0)), adjust)
            for i in range(n)
        ]
    hinges = [name for name, without in zip(units.names, found, strict=True) if without != of_all]
    if not hinges:
        return f"{same} whichever data set is left out"
    return f"{same} in {n - len(hinges)} of {n} cases when one data set is left out; it hinges on {listed(hinges)}"


def _conclusions(compared: Compared, units: Units, adjust: str) -> list[tuple[bool, int | None]]:
    """Which pairs differ, and who is ahead in them."""
    tests = _tests(compared.evidence, compared.question, adjust, units)
    found = compare(compared.evidence, compared.question, tests, means=units.scores.mean(axis=0), delta=None)
    return [(p.different, p.ahead if p.different else None) for p in found.pairs]


def _next(compared: Compared, units: Units) -> list[str]:
    """How many data sets would settle what is open between the reference and its nearest rival."""
    evidence, question, reference = compared.evidence, compared.question, compared.reference
    against = compared.against_reference()
    undecided = [m for m in compared.order if m in against and against[m].decision == "undecided"]
    if not undecided or compared.winner is not None:
        return []
    rival = undecided[0]
    n = units.n
    d = units.scores[:, reference] - units.scores[:, rival]
    needed = _data_sets_needed(float(d.mean()), float(d.std(ddof=1)), len(compared.pairs), question.level, 50 * n)
    names = f"{evidence.methods[reference]} and {evidence.methods[rival]}"
    if needed is None:
        return [
            f"to detect a difference between {names} as small as the one seen would take more than "
            f"{plural(50 * n, 'data set')}"
        ]
    if needed <= n:
        return [f"{names} differ unevenly, and on some data sets not at all; look at the data sets one by one"]
    return [
        f"about {plural(needed - n, 'more data set')} would settle whether {names} differ, if they go on differing as "
        f"they do here (power {POWER})"
    ]


def _data_sets_needed(mean: float, sd: float, pairs: int, level: float, most: int) -> int | None:
    """The number of data sets at which Wilcoxon's test finds the difference, Bonferroni over pairs; None above most."""
    if sd == 0 or mean == 0:
        return None
    effect, each = abs(mean) / sd, 1 - (1 - level) / pairs

    def reached(n: int) -> float:  # sample_size asks the same, but imports a solver, which takes longer than all this
        return power("wilcoxon", n=n, effect=effect, level=each).power

    found = bisect_left(range(most + 1), POWER, lo=FEWEST_DATASETS, key=reached)
    return found if found <= most else None
