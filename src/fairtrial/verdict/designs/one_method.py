"""One method: its level on one data set, over several, or of one fixed model on the instances of a test set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairtrial.design import Question
from fairtrial.statements import Remark, Role, Text
from fairtrial.stats import Interval, mean_interval, new_dataset_range
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.absent_methods import failed_note, legend
from fairtrial.verdict.claims.support import ByTest, next_step
from fairtrial.verdict.designs.fixed_models import way_of
from fairtrial.verdict.designs.over_datasets import per_set
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.estimates import level_on, seeds_beside, within_range
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.wording import Scope, Wording, span_of
from fairtrial.verdict.yardsticks.given import beaten_in_words, given_yardsticks

FEW_DATASETS = 10
HELD_ON_FEW = "with skewed scores on 6 to 10 data sets it held in 92 to 93 % instead of 95 % in the lab"
ESTIMATED = "one method is estimated, without a test"
COMPARE_IT = "a claim (claim=…), a yardstick (yardsticks=…) or another method would make it a finding"


def estimate_on_one(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Estimate one method on one data set, with an interval that is valid for the resampling used."""
    words = Wording(evidence.measure)
    method, dependence = evidence.methods[0], evidence.dependence[0]
    levels = [level_on(evidence, m, question.level) for m in range(len(evidence.columns))]
    means = [float(evidence.means[0, m]) if i is None else i.estimate for m, i in enumerate(levels)]
    level = levels[0]
    inside = span_of(level) is not None
    found = words.level(means[0], span_of(level))
    sentence = f"{method} has a mean {words.name} of {found} on {evidence.datasets[0]}."
    columns = (Column("method", align="left"), Column("mean", words.value), _interval_column(words, question.level))
    cells = [evidence.overall(m, mean) for m, mean in zip(evidence.columns, means, strict=True)]
    if dependence.seeds:
        cells = [seeds_beside(evidence, 0, m) for m in evidence.columns]
    rows = (*zip(evidence.columns, cells, map(span_of, levels), strict=True), *_given_rows(evidence, question))
    spread = " ± their standard deviation" if dependence.seeds else ""
    caption = f"{words.name} on {evidence.datasets[0]}, mean over {dependence.scheme}{spread}"
    how = f"interval: {level.method}" if inside and level is not None else "its scores allow no interval"
    how += " (Bates, Hastie & Tibshirani 2023)" if evidence.nested is not None and inside else ""
    notes = (*legend(evidence, evidence.columns), *_given_notes(evidence, question))
    table = Table(columns=columns, rows=rows, caption=caption, notes=notes)
    scope = Scope(words, f"on {evidence.datasets[0]}", level=question.level)
    return Finding((estimated(sentence), ByTest("", ESTIMATED, details=(how,))), table, scope, order=(method,))


def estimated(text: str, *, rank: int = 0) -> Remark:
    """The sentence about the level of one method."""
    return Remark(Role.ANSWER, Text(text), "estimate", rank)


def _interval_column(words: Wording, level: float) -> Column:
    return Column(f"{100 * level:.4g} % interval", formats.span(words.value), key="interval")


def _given_rows(evidence: Evidence, question: Question) -> tuple[tuple[object, ...], ...]:
    """The rows of what the question gives: the claim and the yardsticks."""
    yardsticks = given_yardsticks(evidence, question)
    return (*_claim_row(question), *((f"{y.name} (yardstick, as given)", y.level, None) for y in yardsticks))


def _given_notes(evidence: Evidence, question: Question) -> tuple[str, ...]:
    """The notes on yardsticks that the question gives: where they have no level, and whether they are beaten."""
    given = given_yardsticks(evidence, question)
    beaten = (f"{y.name}: {beaten_in_words(y.fails)}" for y in given if y.fails is not None)
    return (*beaten, *(note for y in given for note in y.notes))


def _claim_row(question: Question, blank: int = 0) -> tuple[tuple[object, ...], ...]:
    """The row of the claim, if there is one, with that many empty cells at its end."""
    return () if question.claim is None else (("claim, as given", float(question.claim), None, *(None,) * blank),)


def estimate_over_datasets(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Estimate one method on several data sets: its level on each, and over all of them."""
    words = Wording(evidence.measure, evidence.as_ratio)
    units = units_of(evidence, question.family)
    overall = words.effect(mean_interval(units.scores[:, 0], level=question.level))
    overall = within_range(overall, evidence.measure)
    found = words.level(overall.estimate, span_of(overall))
    kind = "geometric mean" if evidence.as_ratio else "mean"
    on_new = within_range(words.effect(new_dataset_range(units.scores[:, 0])), evidence.measure)
    sure = f"With {formats.percent(question.level)} confidence the mean on such {units.noun}s is in that interval"
    if (ends := span_of(on_new)) is not None:
        low, high = words.values(*ends)
        sure += f"; on a new one expect between {low} and {high} ({formats.percent(on_new.level)})"
    few = (HELD_ON_FEW,) if units.n <= FEW_DATASETS else ()
    return Finding(
        statements=(
            estimated(f"{evidence.methods[0]} has a {kind} {words.name} of {found} over {units.in_words}."),
            *([estimated(f"{sure}.", rank=1)] if span_of(overall) is not None else []),
            ByTest("", ESTIMATED, details=("t interval over the means of the data sets", *few)),
            *(() if question.yardsticks or evidence.yardsticks else (next_step("ask", COMPARE_IT),)),
        ),
        table=table_of_datasets(evidence, question),
        summary=summary_over_datasets(evidence, question, overall),
        scope=Scope(words, units.such, units.each, units.several, units.n, level=question.level),
        order=evidence.methods,
    )


def summary_over_datasets(evidence: Evidence, question: Question, overall: Interval) -> Table:
    """One row: the mean of a method over data sets with its interval; and what is given beside it."""
    words = Wording(evidence.measure, evidence.as_ratio)
    columns = (
        Column(words.name, align="left", key="method"),
        Column("geometric mean" if evidence.as_ratio else "mean", words.value, key="mean"),
        Column(f"{100 * question.level:.4g} % interval", formats.ends(words.value), key="interval"),
    )
    row = (evidence.methods[0], overall.estimate, span_of(overall))
    k = len(evidence.methods)
    means = evidence.comparable.mean(axis=0)
    shown = np.exp(means) if evidence.as_ratio else means
    beside = [(f"{y} (yardstick)", float(shown[k + i]), None) for i, y in enumerate(evidence.yardsticks)]
    return Table(columns, (row, *beside, *_given_rows(evidence, question)))


def table_of_datasets(
    evidence: Evidence,
    question: Question,
    *,
    level: float | None = None,
    more: Sequence[tuple[Column, Sequence[object]]] = (),
    notes: Sequence[str] = (),
) -> Table:
    """One method on several data sets: a row for each, with an interval of that data set alone.

    ``level`` is that of the intervals, by default the question's; ``more`` are columns to be added, with their cells.
    """
    words, method = Wording(evidence.measure, evidence.as_ratio), evidence.methods[0]
    level, given = question.level if level is None else level, given_yardsticks(evidence, question)
    columns = (
        Column("data set", align="left"),
        Column("mean", words.value),
        _interval_column(words, level),
        *(Column(y, words.value) for y in evidence.yardsticks),
        *(Column(f"{y.name}, as given", words.value, key=f"{y.name} given") for y in given),
        *(column for column, _ in more),
    )
    rows: list[tuple[object, ...]] = []
    for i, name in enumerate(evidence.datasets):
        one = evidence.on(i)
        ends = span_of(level_on(one, 0, level)) if one.methods else None
        levels = (question.level_of(y.name, name) for y in given)
        beside = (*(evidence.cell(i, y) for y in evidence.yardsticks), *levels, *(cells[i] for _, cells in more))
        rows.append((name, evidence.cell(i, method), ends, *beside))
    rows += _claim_row(question, blank=len(columns) - 3)
    if all(row[2] is None for row in rows):  # one score on each data set has no interval
        columns, rows = (*columns[:2], *columns[3:]), [(*row[:2], *row[3:]) for row in rows]
    caption = f"{words.name} of {method}, {per_set(evidence)}"
    marked = legend(evidence, evidence.columns, evidence.scored_alone)
    marks = (*marked, *failed_note(evidence), *_given_notes(evidence, question))
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=(*notes, *marks))


def estimate_on_instances(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Estimate one fixed model on one test set, with the interval that its instances (or clusters) allow."""
    way = way_of(evidence, question.level)
    words, level = Wording(evidence.measure), way.level(0)
    found = words.level(float(evidence.means[0, 0]), span_of(level))
    method, dataset = evidence.methods[0], evidence.datasets[0]
    return Finding(
        statements=(
            estimated(f"The {words.name} of {method} on instances such as those of {dataset} is {found}."),
            ByTest("", "one model is estimated, without a test", details=(f"{level.method} interval over {way.over}",)),
        ),
        table=table_on_instances(evidence, question, level, way.over),
        scope=Scope(words, f"on instances such as those of {dataset}", level=question.level),
        order=(method,),
    )


def table_on_instances(evidence: Evidence, question: Question, level: Interval, over: str) -> Table:
    """One fixed model on one test set, with its interval; ``over`` counts the instances or clusters."""
    words = Wording(evidence.measure)
    columns = (
        Column("method", align="left"),
        Column(words.name, words.value, key="mean"),
        _interval_column(words, question.level),
    )
    row = (evidence.methods[0], float(evidence.means[0, 0]), span_of(level))
    known = zip(evidence.yardsticks, evidence.means[0, 1:].tolist(), strict=True)
    rows = (row, *((f"{name} (yardstick)", mean, None) for name, mean in known), *_given_rows(evidence, question))
    caption = f"{words.name} on {evidence.datasets[0]}, over {over}"
    notes = _given_notes(evidence, question)
    return Table(columns=columns, rows=rows, caption=caption, notes=notes)
