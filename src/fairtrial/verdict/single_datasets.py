"""The second table over data sets: the mean difference, and what the difference is on single data sets."""

from __future__ import annotations

from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.compare_methods import Compared
from fairtrial.verdict.spread import Spread
from fairtrial.verdict.units import Units
from fairtrial.verdict.wording import Wording, span_of
from fairtrial.words import plural

__all__ = ["single_datasets_table"]


def single_datasets_table(compared: Compared, units: Units) -> Table:
    """A row for each method against the reference: its mean difference, and on how many data sets it matters."""
    evidence, question = compared.evidence, compared.question
    words = Wording(evidence.measure, evidence.as_ratio)
    against = compared.against_reference()
    rows = []
    for m in compared.order:
        spread = against[m].spread if m in against else None
        if spread is not None:
            rows.append((evidence.methods[m], *_cells(spread, words)))
    reference = evidence.methods[compared.reference]
    kind = "mean ratio" if evidence.as_ratio else "mean difference"
    delta = question.delta
    by = "" if delta is None else f" by ≥ {words.delta(delta)}"
    columns = (
        Column("method", align="left"),
        Column(kind, words.difference, key="mean_difference"),
        Column(f"{100 * question.level:g} % interval", formats.span(words.difference), key="mean_interval"),
        Column(f"better{by}", key="better"),
        Column("neither", key="neither"),
        Column(f"worse{by}", key="worse"),
        Column("a new data set (90 %)", formats.span(words.difference), key="new_dataset"),
    )
    tests = compared.tests.family
    family = f"t, Bonferroni over {plural(tests, 'pair')}" if tests > 1 else "t"
    notes = [f"{kind}: {'geometric, ' if evidence.as_ratio else ''}with its interval ({family})"]
    sample = next((p.spread for p in compared.pairs if p.spread is not None), None)
    if sample is not None:
        how = "between order statistics" if not sample.new.notes else "if differences are normally distributed"
        notes.append(f"a new data set: where the difference on a further such data set is expected, {how}")
    return Table(
        columns=columns,
        rows=tuple(rows),
        caption=f"on single data sets: on how many of {units.in_words} a method is better or worse than {reference}",
        notes=tuple(notes),
    )


def _cells(spread: Spread, words: Wording) -> tuple[object, ...]:
    mean, new = map(words.as_measured, (spread.mean, spread.new))
    return mean.estimate, span_of(mean), spread.above, spread.inside, spread.below, span_of(new)
