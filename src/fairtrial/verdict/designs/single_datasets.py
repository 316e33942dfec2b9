"""The second table over data sets: the mean difference, and what the difference is on single data sets."""

from __future__ import annotations

import math

from fairtrial.stats import Interval
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.designs.compare_methods import Compared
from fairtrial.verdict.designs.spread import Spread
from fairtrial.verdict.designs.units import Units
from fairtrial.verdict.guards.score_guards import DIVERGED
from fairtrial.verdict.words.wording import Wording, span_of
from fairtrial.words import plural

NORMAL_WIDTH = 3.6  # standard deviations, about, in the range of 90 % of new data sets
SKEWED = 0.25  # standard deviations between mean and pseudo-median: 4 % of samples of 6 normal differences have more


def single_datasets_table(compared: Compared, units: Units) -> Table:
    """A row for each method against the reference: its mean difference, and on how many data sets it matters."""
    evidence, question = compared.evidence, compared.question
    words = Wording(evidence.measure, evidence.as_ratio)
    against = compared.against_reference()
    delta = question.delta
    rows: list[tuple[object, ...]] = []
    for m in compared.order:
        spread = against[m].spread if m in against else None
        if spread is not None:
            assumed = bool(spread.new.notes) and (_is_odd(compared, spread) or _is_skewed(against[m].effect, spread))
            odd = assumed or _is_diverged(compared, spread)
            rows.append((evidence.methods[m], *_cells(spread, words, delta is not None, odd)))
    reference = evidence.methods[compared.leader]
    size = "ratio" if evidence.as_ratio else "difference"
    kind = f"mean {size}"
    by = "" if delta is None else f" by ≥ {words.delta(delta)}"
    counts = tuple(Column(f"{title}{by}", key=title) for title in ("better", "worse"))
    columns: tuple[Column, ...] = (
        Column("method", align="left"),
        Column(kind, words.difference, key="mean_difference"),
        Column(f"{100 * question.level:g} % interval", formats.span(words.difference), key="mean_interval"),
        *(counts if delta is not None else ()),
        Column(f"a new {units.each} (90 %)", formats.span(words.difference), key="new_dataset"),
    )
    tests = compared.tests.family
    notes = [
        f"{kind}: {'geometric, ' if evidence.as_ratio else ''}with its interval (t, Bonferroni over "
        f"{plural(tests, 'pair')})"
    ]
    sample = next((p.spread for p in compared.pairs if p.spread is not None), None)
    if all(row[-1] is None for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    elif sample is not None:
        unit = units.each
        notes.append(f"a new {unit}: where the {size} on a further such {unit} is expected, {_how(sample)}")
    what = f"on how many of {units.counted} a method is better or worse" if delta is not None else (
        f"the mean {size} over {units.counted}{', and its range' if columns[-1].key == 'new_dataset' else ''}"
    )  # fmt: skip
    caption = f"on single {units.several}, against {reference}: {what}"
    return Table(columns, tuple(rows), caption=caption, notes=tuple(notes))


def _is_odd(compared: Compared, spread: Spread) -> bool:
    """Whether differences can't be normally distributed: many are equal, or some are those of failed trials."""
    failed = compared.evidence.failed
    return spread.mostly_equal or (failed is not None and bool(failed.any()))


def _is_skewed(typical: Interval | None, spread: Spread) -> bool:
    """Whether the mean is so far from the typical difference that differences can hardly be normally distributed."""
    sd = (spread.new.high - spread.new.low) / NORMAL_WIDTH
    return typical is not None and abs(typical.estimate - spread.mean.estimate) > SKEWED * sd


def _is_diverged(compared: Compared, spread: Spread) -> bool:
    """Whether a ratio on a new data set is that of a score which seems to have diverged."""
    return compared.evidence.as_ratio and max(abs(spread.new.low), abs(spread.new.high)) >= math.log(DIVERGED)


def _how(spread: Spread) -> str:
    """How the range on a new data set is found."""
    return "between order statistics" if not spread.new.notes else "if these are normally distributed"


def _cells(spread: Spread, words: Wording, counted: bool, odd: bool) -> tuple[object, ...]:
    mean, new = map(words.as_measured, (spread.mean, spread.new))
    counts = (spread.above, spread.below) if counted else ()
    return mean.estimate, span_of(mean), *counts, None if odd else span_of(new)
