"""Where no test is possible: the means, why there is no more, and what would allow a test."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fairtrial.design import FEWEST_DATASETS, Question, smallest_p
from fairtrial.resampling import score_unit
from fairtrial.statements import Remark, Role, Text
from fairtrial.stats import Outcome, friedman
from fairtrial.stats.outcome import bound_if
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.absent_methods import failed_note, legend
from fairtrial.verdict.claims.support import ByTest, next_step
from fairtrial.verdict.designs.next_steps import fewest_for_all_pairs
from fairtrial.verdict.designs.units import Units, units_of
from fairtrial.verdict.estimates import seeds_beside
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.wording import Scope, Wording
from fairtrial.words import part_of, verb

WHY_NOT_SEEDS = "few data sets, and seeds on one split of each, which all share their training and test data"
Rows = tuple[tuple[Column, ...], tuple[tuple[object, ...], ...]]


def describe_only(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Describe the methods by their means, where what is known does not allow tests of pairs.

    Of three or more methods Friedman's test may still show that they are not all equal: it takes few data sets.
    """
    words = Wording(evidence.measure)
    units = units_of(evidence, question.family)
    k = len(evidence.methods)
    means = evidence.comparable.mean(axis=0)
    order = sorted(range(k), key=lambda m: -evidence.sign * means[m])
    reason, step = _lacking(evidence, question, units)
    omnibus = _omnibus(evidence, units)
    test = "none" if omnibus is None else "none of pairs"
    details = () if omnibus is None else (_friedman(omnibus),)
    return Finding(
        statements=(
            Remark(Role.ANSWER, Text(_open(evidence, question, units, omnibus, reason)), "open"),
            Remark(Role.ANSWER, Text(_highest(evidence, order, words)), "means", 1),
            ByTest("", test, details=details, none=omnibus is None),
            next_step("bring", step),
        ),
        table=_table(evidence, question, units, order, omnibus),
        scope=Scope(words, units.such, units.each, units.several, units.n, k, question.delta, question.level),
        why=WHY_NOT_SEEDS if score_unit(evidence.dependence) == "seed" else "",
        order=tuple(evidence.methods[m] for m in order),
        omnibus=omnibus,
    )


def _omnibus(evidence: Evidence, units: Units) -> Outcome | None:
    """Friedman's test of three or more methods, where their scores are honest."""
    k = len(evidence.methods)
    if k < 3 or units.n < 2 or any(d.optimistic for d in evidence.dependence):
        return None
    return friedman(units.scores[:, :k], higher_is_better=evidence.measure.higher_is_better)


def _friedman(omnibus: Outcome) -> str:
    p = formats.p_equals(bound_if(omnibus.p_value, omnibus.at_floor))
    statistic = formats.significant(5)(omnibus.statistic)
    return f"Friedman ({omnibus.method}) of all methods: chi-square {statistic}, {p}"


def _open(evidence: Evidence, question: Question, units: Units, omnibus: Outcome | None, reason: str) -> str:
    """The answer: what is open, and why; not all are equal if Friedman's test says so."""
    name, k = Wording(evidence.measure).name, len(evidence.methods)
    if omnibus is None:
        return f"Whether the methods differ in {name} is open: {reason}."
    p = formats.p_equals(bound_if(omnibus.p_value, omnibus.at_floor))
    if not omnibus.p_value < 1 - question.level:
        shown = f"No difference in {name} is shown between these {k} methods (Friedman, {p})"
        return f"{shown}, which is no sign that they are equal: {reason}."
    return (
        f"These {k} methods are not all equal in {name} {units.such} (Friedman, {p}), but which of "
        f"them differ is open: {reason}."
    )


def _table(
    evidence: Evidence, question: Question, units: Units, order: Sequence[int], omnibus: Outcome | None
) -> Table:
    """The mean of each method on each data set, or family of them, with what there is more of in rows."""
    words = Wording(evidence.measure)
    what = "value" if evidence.measure.combine == "pooled" else "mean"
    if score_unit(evidence.dependence) == "seed" and units.n == units.datasets:
        what += " ± standard deviation over seeds"
    if omnibus is not None and len(evidence.methods) > units.n:
        columns, rows = _methods_in_rows(evidence, units, order, omnibus)
    else:
        columns, rows = _units_in_rows(evidence, question, units)
    return Table(
        columns=columns,
        rows=rows,
        caption=f"{words.name}, one {what} per {_unit(question)} and method",
        notes=(*legend(evidence, evidence.columns, evidence.scored_alone), *failed_note(evidence)),
    )


def _unit(question: Question) -> str:
    return "family" if question.family else "data set"


def _cells(evidence: Evidence, units: Units) -> list[list[object]]:
    """The scores as they are shown: units in rows, methods and then yardsticks in columns."""
    if units.n == units.datasets:
        return [[seeds_beside(evidence, i, m) for m in evidence.columns] for i in range(units.n)]
    return [[float(x) for x in row] for row in units.averaged(evidence.means)]


def _units_in_rows(evidence: Evidence, question: Question, units: Units) -> Rows:
    """A row for each data set; of two methods with their difference."""
    words, names = Wording(evidence.measure), evidence.columns
    two = len(evidence.methods) == 2
    columns = (Column(_unit(question), align="left"), *(Column(m, words.value) for m in names))
    if two:
        columns += (Column(f"{names[0]} − {names[1]}", words.difference, key="difference"),)
    means = units.averaged(evidence.means)
    rows = []
    for i, (name, cells) in enumerate(zip(units.names, _cells(evidence, units), strict=True)):
        rows.append((name, *cells, *((float(means[i, 0] - means[i, 1]),) if two else ())))
    return columns, tuple(rows)


def _methods_in_rows(evidence: Evidence, units: Units, order: Sequence[int], omnibus: Outcome) -> Rows:
    """A row for each method from best to worst, then the yardsticks."""
    words, k = Wording(evidence.measure), len(evidence.methods)
    means = units.scores.mean(axis=0)
    ranks = omnibus.details["average_ranks"]
    cells = _cells(evidence, units)
    columns = (
        Column("method", align="left", key="method"),
        Column(_kind(evidence), words.value, key="mean"),
        Column("mean rank", formats.decimals(2)),
        *(Column(name, words.value) for name in units.names),
    )
    rows = [
        (
            evidence.columns[m],
            math.exp(means[m]) if evidence.as_ratio else float(means[m]),
            float(ranks[m]) if m < k else None,
            *(row[m] for row in cells),
        )
        for m in (*order, *range(k, len(evidence.columns)))
    ]
    return columns, tuple(rows)


def _kind(evidence: Evidence) -> str:
    return "geometric mean" if evidence.as_ratio else "mean"


def _highest(evidence: Evidence, order: Sequence[int], words: Wording) -> str:
    """The method with the best mean, the next one, and on how many data sets the first is the best."""
    best, n, k = order[0], len(evidence.datasets), len(evidence.methods)
    first, second = (evidence.comparable[:, m].mean() for m in order[:2])
    rival = evidence.methods[order[1]]
    if evidence.as_ratio:
        mean = words.value(math.exp(first))
        lead = f"; {formats.significant(3)(math.exp(first - second))} times that of {rival}, which is next"
    else:
        mean, lead = words.value(float(first)), f", ahead of {rival} by {words.value(abs(float(first - second)))}"
    word = words.better_word if k == 2 else words.best_word
    start = f"{evidence.methods[best]} has the {word}"
    if n == 1:
        return f"{start} {words.name}{lead}."
    where = _where_first(evidence, best, words)
    return f"{start} {_kind(evidence)} ({mean}{lead}), and the {word} {words.name} on {where}."


def _where_first(evidence: Evidence, best: int, words: Wording) -> str:
    """On how many data sets a method is the best, and on how many of these another has the same score as printed."""
    n, k = len(evidence.datasets), len(evidence.methods)
    scores = evidence.means[:, :k]
    highest = evidence.sign * (evidence.sign * scores).max(axis=1)
    tops = scores[:, best] == highest
    alike = [sum(words.value(float(x)) == words.value(float(row[best])) for x in row) > 1 for row in scores]
    shared = int((tops & np.array(alike)).sum())
    if not tops.any():
        written = ([words.value(float(x)) for x in numbers] for numbers in (scores[:, best], highest))
        level = sum(own == top for own, top in zip(*written, strict=True))
        return f"none of {n} data sets" + (f" (on {level} it has the digits of the best)" if level else "")
    ties = f" (on {shared} of them with another that has the same digits)" if shared else ""
    return part_of(int(tops.sum()), n, "data set") + ties


def _lacking(evidence: Evidence, question: Question, units: Units) -> tuple[str, str]:
    """The reason why no test of pairs is possible, and what would allow one."""
    if optimistic := next((d.caution for d in evidence.dependence if d.optimistic), None):
        return optimistic, "an honest resampling, such as '10x10-fold'"
    reason, step = _too_little(evidence, units)
    more = f"{FEWEST_DATASETS} or more {'families of ' if question.family else ''}data sets"
    k = len(evidence.methods)
    pairs = k * (k - 1) // 2 if question.control is None else k - 1
    if pairs > 1:
        enough = fewest_for_all_pairs(pairs, question.level)
        more += f" ({enough} or more for all {pairs} pairs together)"
    return reason, f"{more}, or {step}" if question.family else f"{step}, or {more}"


def _too_little(evidence: Evidence, units: Units) -> tuple[str, str]:
    few = f"{units.in_words} {verb(units.n, 'is', 'are')} too few to compare over"
    if units.n > 1:
        least = formats.significant(3)(smallest_p(units.n))
        few = f"{units.in_words} are too few to compare pairs over (signed ranks give no p below {least})"
    fixed = all(d.scheme == "one test set" for d in evidence.dependence)
    if fixed and len(evidence.datasets) > 1:
        alone = "the instances of one test set, and these are several"
        return f"{few}, and fixed models are compared by {alone}", "the predictions on each test set by itself"
    if fixed:
        step = "one test set and a measure that is an average over instances (such as accuracy, brier or mae)"
        return f"{few}, and {evidence.measure.name} of fixed models is one number per test set, without spread", step
    if score_unit(evidence.dependence) == "seed":
        return f"{few}, and {evidence.dependence[0].caution}", "scores on several splits of the data"
    if caution := next((d.caution for d in evidence.dependence if d.caution), None):
        return f"{few}, and {caution}", "another resampling, where the data allow one (resampling='10x10-fold')"
    if evidence.measure.combine == "pooled":
        step = "the mean over folds, if the measure is defined on them, which has a spread to judge by"
        return f"{few}, and a measure of pooled folds is one number a repeat, and repeats share their data", step
    if all(len(f) < 2 for f in evidence.folds):
        step = "scores of more splits (resampling='10x10-fold'), or predictions of these models (about='model')"
        return f"{few}, and one score per method and data set has no spread", step
    return (
        f"{few}, and the split scheme of the scores is unknown",
        "say how the splits were made (resampling='10x10-fold')",
    )
