"""The table of a verdict: methods from best to worst, each with its difference to the best or to the control."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fairtrial.stats import Interval
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.compare_methods import Compared
from fairtrial.verdict.decide import rank_sets
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.wording import Wording, span_of
from fairtrial.words import listed

__all__ = ["Cells", "beaten_in_words", "comparison_table"]

RANK_INTERVAL = "rank interval: the ranks among these methods that the tests do not rule out"


@dataclass(frozen=True, slots=True)
class Cells:
    """A column, and what stands in it for a method or, after the methods, a yardstick, by number."""

    column: Column
    of: Callable[[int], object]


def comparison_table(
    compared: Compared,
    words: Wording,
    *,
    mean: Cells,
    beside: Cells,
    wins: Cells | None = None,
    yardstick: Callable[[int], str],
    caption: str,
    note: str,
    legend: Sequence[str] = (),
) -> Table:
    """The table of a comparison: a row for each method, from best to worst.

    The columns are mean and what stands ``beside`` it, rank interval, difference with interval and p-value, ``wins``
    and a mark. Against a control there is no rank interval. Yardsticks come last, with what ``yardstick`` says of each.
    """
    evidence, question = compared.evidence, compared.question
    k = len(evidence.methods)
    sets, against = rank_sets(compared.pairs, k), compared.against_reference()
    rows: list[tuple[object, ...]] = []
    for m in compared.order:
        row = (evidence.methods[m], mean.of(m), beside.of(m), *(() if question.control else (_places(sets[m]),)))
        if m in against:
            pair = against[m]
            effect = _raw(pair.effect, evidence, words)
            row += (None if effect is None else effect.estimate, span_of(effect), pair.p_adjusted)
            row += (*((wins.of(m),) if wins else ()), "*" if pair.different else "")
        else:
            row += (None, None, None, *((None,) if wins else ()), "")
        rows.append(row)
    blank = (None,) * (3 + (not question.control) + (wins is not None))
    rows += [
        (name, mean.of(k + i), beside.of(k + i), *blank, f"yardstick{yardstick(i)}")
        for i, name in enumerate(evidence.yardsticks)
    ]
    rows += [(name, float(given), None, *blank, "yardstick, as given") for name, given in question.yardsticks.items()]
    columns = (
        Column("method", align="left"),
        mean.column,
        beside.column,
        *(() if question.control else (Column("rank interval", key="rank_interval"),)),
        Column(f"against {evidence.methods[compared.reference]}", words.difference, key="effect"),
        Column(f"{100 * question.level:g} % interval", formats.span(words.difference), key="interval"),
        Column(f"p ({compared.adjustment})", formats.p_value, key="p_adjusted"),
        *((wins.column,) if wins else ()),
        Column("", align="left", key="mark"),
    )
    notes = (note, *(() if question.control else (RANK_INTERVAL,)), *legend)
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=notes)


def beaten_in_words(fails: Sequence[str]) -> str:
    """Which methods beat a yardstick, given those that don't clearly do."""
    return "every method beats it" if not fails else f"not clearly beaten by {listed(fails)}"


def _raw(effect: Interval | None, evidence: Evidence, words: Wording) -> Interval | None:
    """An effect in the measure's own direction and scale, from one that is positive where better."""
    if effect is None:
        return None
    return words.effect(effect if evidence.sign > 0 else effect.negated())


def _places(which: tuple[int, int]) -> str:
    low, high = which
    return str(low) if low == high else f"{low}–{high}"
