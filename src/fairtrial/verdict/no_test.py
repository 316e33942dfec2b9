"""Where no test is possible: the means, why there is no more, and what would allow a test."""

from __future__ import annotations

import numpy as np

from fairtrial.design import FEWEST_DATASETS, Question
from fairtrial.tables import Column, Table
from fairtrial.verdict.absent_methods import failed_note, legend
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.units import Units, units_of
from fairtrial.verdict.wording import Wording
from fairtrial.words import part_of, verb

__all__ = ["describe_only"]


def describe_only(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Describe the methods by their means, where what is known does not allow a test."""
    words = Wording(evidence.measure)
    k = len(evidence.methods)
    means = evidence.comparable.mean(axis=0)
    order = sorted(range(k), key=lambda m: -evidence.sign * means[m])
    columns, rows = _rows(evidence, question, words)
    test, step = _lacking(evidence, question)
    sentences = (
        f"Whether the methods differ in {words.name} is open: {test}.",
        _highest(evidence, order[0], words),
    )
    what = "value" if evidence.measure.combine == "pooled" else "mean"
    return Finding(
        sentences=sentences,
        table=Table(
            columns=columns,
            rows=rows,
            caption=f"{words.name}, one {what} per {'family' if question.family else 'data set'} and method",
            notes=(*legend(evidence, evidence.columns), *failed_note(evidence)),
        ),
        test="none.",
        order=tuple(evidence.methods[m] for m in order),
        next_steps=(step,),
    )


def _rows(
    evidence: Evidence, question: Question, words: Wording
) -> tuple[tuple[Column, ...], tuple[tuple[object, ...], ...]]:
    """The mean of each method on each data set, or family of them; of two methods with their difference."""
    units, names = units_of(evidence, question.family), evidence.columns
    two = len(evidence.methods) == 2
    means = units.averaged(evidence.means)
    first, *others = (Column(m, words.value) for m in names)
    columns = (Column("family" if question.family else "data set", align="left"), first, *others)
    if two:
        columns += (Column(f"{names[0]} − {names[1]}", words.difference, key="difference"),)
    rows = []
    for i, name in enumerate(units.names):
        cells = [float(x) for x in means[i]] if question.family else [evidence.cell(i, m) for m in names]
        rows.append((name, *cells, *((float(means[i, 0] - means[i, 1]),) if two else ())))
    return columns, tuple(rows)


def _highest(evidence: Evidence, best: int, words: Wording) -> str:
    """The method with the best mean, and on how many data sets it is the best."""
    name, n, k = evidence.methods[best], len(evidence.datasets), len(evidence.methods)
    word = words.better_word if k == 2 else words.best_word
    means = evidence.comparable[:, :k].mean(axis=0)
    second = sorted(range(k), key=lambda m: -evidence.sign * means[m])[1]
    lead = "" if evidence.as_ratio else f", ahead of {evidence.methods[second]} by " + (
        words.value(abs(float(means[best] - means[second])))
    )  # fmt: skip
    if n == 1:
        return f"{name} has the {word} {words.name}{lead}."
    first = int((np.argmax(evidence.sign * evidence.means[:, :k], axis=1) == best).sum())
    kind, mean = ("geometric mean", np.exp(means[best])) if evidence.as_ratio else ("mean", means[best])
    where = part_of(first, n, "data set")
    value = words.value(float(mean))
    return f"{name} has the {word} {kind} ({value}{lead}), and the {word} {words.name} on {where}."


def _lacking(evidence: Evidence, question: Question) -> tuple[str, str]:
    """The reason why no test is possible, and what would allow one."""
    if optimistic := next((d.caution for d in evidence.dependence if d.optimistic), None):
        return optimistic, "an honest resampling, such as '10x10-fold'"
    units = units_of(evidence, question.family)
    reason, step = _too_little(evidence, units)
    if question.family:
        return reason, f"{FEWEST_DATASETS} or more families of data sets, or {step}"
    return reason, f"{step}, or {FEWEST_DATASETS} or more data sets"


def _too_little(evidence: Evidence, units: Units) -> tuple[str, str]:
    few = f"{units.in_words} {verb(units.n, 'is', 'are')} too few to compare over"
    if all(d.scheme == "one test set" for d in evidence.dependence):
        step = "one test set and a measure that is an average over instances (such as accuracy, brier or mae)"
        return f"{few}, and {evidence.measure.name} of fixed models is one number per test set, without spread", step
    if caution := next((d.caution for d in evidence.dependence if d.caution), None):
        return f"{few}, and {caution}", "another resampling, where the data allow one (resampling='10x10-fold')"
    if evidence.measure.combine == "pooled":
        step = "the mean over folds, if the measure is defined on them, which has a spread to judge by"
        return f"{few}, and a measure of pooled folds is one number a repeat, and repeats share their data", step
    if all(len(f) < 2 for f in evidence.folds):
        step = "scores of more splits (resampling='10x10-fold'), or a question about these models (about='model')"
        return f"{few}, and one score per method and data set has no spread", step
    return (
        f"{few}, and the split scheme of the scores is unknown",
        "say how the splits were made (resampling='10x10-fold')",
    )
