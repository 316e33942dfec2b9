"""The table of a verdict: methods from best to worst, each with its difference to the best or to the control."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.compare_methods import Compared
from fairtrial.verdict.decide import Pair, rank_sets
from fairtrial.verdict.wording import Wording, span_of
from fairtrial.verdict.yardsticks import beaten_in_words, given_yardsticks
from fairtrial.words import from_to, plural

__all__ = ["Cells", "beaten_in_words", "comparison_table"]

RANK_INTERVAL = "ranks: the rank interval, which are the ranks of a method that the tests do not rule out"
WINNER_ALONE = "(*)"


@dataclass(frozen=True, slots=True)
class Cells:
    """A column, and a function that gives the cell of a method, or of a yardstick, by its number."""

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
    effect: str,
    legend: Sequence[str] = (),
) -> Table:
    """The table of a comparison: a row for each method, from best to worst.

    The columns are the mean, the column ``beside`` it, the rank interval, the difference with its interval and p-value,
    ``wins`` and a mark. Against a control there is no rank interval. ``effect`` says what the difference is. Yardsticks
    come last, each with the text of ``yardstick``; those that the question gives say themselves who beats them.
    """
    evidence, question = compared.evidence, compared.question
    k = len(evidence.methods)
    ranked = question.control is None
    sets, against = rank_sets(compared.pairs, k, compared.winner), compared.against_reference()
    rows: list[tuple[object, ...]] = []
    for m in compared.order:
        row = (evidence.methods[m], mean.of(m), beside.of(m), *((from_to(*sets[m]),) if ranked else ()))
        if m in against:
            pair = against[m]
            size = None if pair.effect is None else words.as_measured(pair.effect)
            row += (None if size is None else size.estimate, span_of(size), pair.p_adjusted)
            row += (*((wins.of(m),) if wins else ()), _mark(compared, pair))
        else:
            row += (None, None, None, *((None,) if wins else ()), "")
        rows.append(row)
    blank = (None,) * (3 + ranked + (wins is not None))
    rows += [
        (name, mean.of(k + i), beside.of(k + i), *blank, f"yardstick{yardstick(i)}")
        for i, name in enumerate(evidence.yardsticks)
    ]
    given = given_yardsticks(evidence, question)
    rows += [(yardstick.name, yardstick.level, None, *blank, yardstick.text) for yardstick in given]
    p_title = f"p ({compared.adjustment})" if compared.tests.family > 1 else "p"
    columns = (
        Column("method", align="left"),
        mean.column,
        beside.column,
        *((Column("ranks", key="rank_interval"),) if ranked else ()),
        Column(f"against {evidence.methods[compared.reference]}", words.difference, key="effect"),
        Column(f"{100 * question.level:g} % interval", formats.span(words.difference), key="interval"),
        Column(p_title, formats.p_value, key="p_adjusted"),
        *((wins.column,) if wins else ()),
        Column("", align="left", key="mark"),
    )
    notes = (
        *_notes(compared, effect),
        *((RANK_INTERVAL,) if ranked else ()),
        *legend,
        *(n for y in given for n in y.notes),
    )
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=notes)


def _mark(compared: Compared, pair: Pair) -> str:
    if pair.different:
        return "*"
    return WINNER_ALONE if compared.winner in (pair.first, pair.second) else ""


def _notes(compared: Compared, effect: str) -> Iterator[str]:
    """What the differences are, for what their intervals hold, and what the marks mean."""
    tests, question = compared.tests, compared.question
    reference = compared.evidence.methods[compared.reference]
    together = compared.tested_together
    alpha = f"{1 - question.level:.3g}"
    if tests.comparisons.simultaneous:
        yield f"against {reference}: {effect}; intervals hold for all {together} together; * {_star(compared)}"
    elif not tests.bounded:
        few = "there are too few data sets for intervals that hold for all"
        yield f"against {reference}: {effect}; {few} {together} together, so each interval is for its pair alone"
    elif tests.family == 1:
        yield f"against {reference}: {effect} and its interval; * {_star(compared)}"
    else:
        family = f"{compared.adjustment}, {plural(tests.family, 'pair')}"
        yield f"against {reference}: {effect} and its interval, for that pair alone; * p ({family}) < {alpha}"
    if any(_mark(compared, p) == WINNER_ALONE for p in compared.pairs):
        yield f"{WINNER_ALONE} beaten by the winner in a test of this pair alone (p < {alpha}), as a winner needs"


def _star(compared: Compared) -> str:
    if compared.question.alternative == "not worse":
        return f"not worse than {compared.question.control} by as much as matters"
    return f"{1 if compared.evidence.as_ratio and len(compared.evidence.datasets) > 1 else 0} lies outside"
