"""One method: its level on one data set, over several, or of one fixed model on the instances of a test set."""

from __future__ import annotations

from fairtrial.design import Question
from fairtrial.stats import mean_interval
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.absent_methods import failed_note, legend
from fairtrial.verdict.estimates import level_on, within_range
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.fixed_models import way_of
from fairtrial.verdict.over_datasets import per_set
from fairtrial.verdict.wording import Wording, span_of
from fairtrial.words import plural

__all__ = ["estimate_on_instances", "estimate_on_one", "estimate_over_datasets"]


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
    columns = (
        Column("method", align="left"),
        Column("mean", words.value),
        Column(f"{100 * question.level:g} % interval", formats.span(words.value), key="interval"),
    )
    cells = (evidence.overall(m, mean) for m, mean in zip(evidence.columns, means, strict=True))
    rows = tuple(zip(evidence.columns, cells, map(span_of, levels), strict=True))
    caption = f"{words.name} on {evidence.datasets[0]}, mean over {dependence.scheme}"
    how = f"; interval: {level.method}" if inside and level is not None else ", and its scores allow no interval"
    how += " (Bates, Hastie & Tibshirani 2023)" if evidence.nested is not None and inside else ""
    test = f"no test: one method is estimated{how}."
    table = Table(columns=columns, rows=rows, caption=caption, notes=legend(evidence, evidence.columns))
    return Finding((sentence,), table, test, order=(method,))


def estimate_over_datasets(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Estimate one method on several data sets: its level on each, and over all of them."""
    words = Wording(evidence.measure, evidence.as_ratio)
    columns = (
        Column("data set", align="left"),
        Column("mean", words.value),
        Column(f"{100 * question.level:g} % interval", formats.span(words.value), key="interval"),
        *(Column(y, words.value) for y in evidence.yardsticks),
    )
    rows = []
    method = evidence.methods[0]
    for i, name in enumerate(evidence.datasets):
        one = evidence.on(i)
        level = span_of(level_on(one, 0, question.level)) if one.methods else None
        rows.append((name, evidence.cell(i, method), level, *(evidence.cell(i, y) for y in evidence.yardsticks)))
    overall = words.effect(mean_interval(evidence.comparable[:, 0], level=question.level))
    overall = within_range(overall, evidence.measure)
    found = words.level(overall.estimate, span_of(overall))
    kind = "geometric mean" if evidence.as_ratio else "mean"
    over = f"over {plural(len(evidence.datasets), 'data set')}"
    sentence = f"{method} has a {kind} {words.name} of {found} {over}."
    caption = f"{words.name} of {method}, {per_set(evidence)}"
    notes = (*legend(evidence, evidence.columns), *failed_note(evidence))
    table = Table(columns=columns, rows=tuple(rows), caption=caption, notes=notes)
    test = "no test: one method is estimated; t interval over the means of the data sets."
    return Finding((sentence,), table, test, order=(method,))


def estimate_on_instances(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Estimate one fixed model on one test set, with the interval that its instances (or clusters) allow."""
    way = way_of(evidence, question.level)
    words = Wording(evidence.measure)
    level = way.level(way.columns[0])
    ends = span_of(level)
    method, dataset, mean = evidence.methods[0], evidence.datasets[0], float(evidence.means[0, 0])
    columns = (
        Column("method", align="left"),
        Column(words.name, words.value, key="mean"),
        Column(f"{100 * question.level:g} % interval", formats.span(words.value), key="interval"),
    )
    return Finding(
        sentences=(
            f"The {words.name} of {method} on instances such as those of {dataset} is {words.level(mean, ends)}.",
        ),
        table=Table(
            columns=columns, rows=((method, mean, ends),), caption=f"{words.name} on {dataset}, over {way.over}"
        ),
        test=f"no test: one model is estimated; {level.method} interval over {way.over}.",
        order=(method,),
    )
