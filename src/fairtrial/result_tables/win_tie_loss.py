"""Wins, losses and ties of every pair of methods over data sets, on the whole or at each level of a factor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import write_one
from fairtrial.errors import UnknownName
from fairtrial.result_tables.chosen_part import chosen_part, levels_along, scores_of_pairs
from fairtrial.result_tables.named_tables import table_of
from fairtrial.result_tables.pair_layout import MOST_IN_A_MATRIX, labels_of
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.distributions.binomial import sign_tail
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict import Evidence
from fairtrial.verdict.absent_methods import failed_note, left_out
from fairtrial.verdict.wins_chart import ORDER, Wins, in_numbers, win_counts, win_rule
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural

if TYPE_CHECKING:
    from fairtrial.results import Results

TESTS = ("sign", "corrected_t")
"""``sign`` adds the p-value of the sign test; ``corrected_t`` counts significant wins only."""

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Level:
    """The counts at one level of a factor; its name is empty where there is no factor."""

    name: str
    evidence: Evidence
    counts: Counts
    rule: str


@table_of("win_tie_loss")
def win_tie_loss_table(
    results: Results,
    *,
    measure: str | None = None,
    methods: Sequence[str] | None = None,
    factor: str | None = None,
    level: float | None = None,
    test: str | None = None,
) -> Table:
    """The chart of Dietterich (2000): each method against each other, at each level of a factor if there is one."""
    if test is not None and test not in TESTS:
        raise UnknownName.among("test of wins", test, TESTS)
    wins: Wins = "significant" if test == "corrected_t" else "by mean"
    part = chosen_part(results, methods=methods)
    along = levels_along(part, factor)
    at = [("", part)] if along is None else [(write_one(along[0], one), part.at({along[0]: one})) for one in along[1]]
    found = []
    for name, own in at:
        evidence, question = scores_of_pairs(own, measure=measure, level=level)
        found.append(_Level(name, evidence, win_counts(evidence, question, wins), win_rule(evidence, question, wins)))
    return _table(found, along[0] if along else "", test)


def _table(found: Sequence[_Level], factor: str, test: str | None) -> Table:
    with_p = test == "sign"
    names = tuple(dict.fromkeys(name for one in found for name in one.evidence.methods))
    long = _long(found, factor, with_p=with_p)
    words = Wording(found[0].evidence.measure)
    sets = sorted({len(one.evidence.datasets) for one in found})
    over = plural(sets[0], "data set") if len(sets) == 1 else f"{sets[0]} to {sets[-1]} data sets"
    at = f", at each level of {factor}" if factor else ""
    rule = found[0].rule.removesuffix("; no test is made") if with_p else found[0].rule
    notes = tuple(dict.fromkeys((rule, *_p_note(with_p), *(n for one in found for n in _notes(one)))))
    if len(names) > MOST_IN_A_MATRIX:
        caption = f"{words.name}: wins, losses and ties of the first method against the second over {over}{at}"
        return Table(
            long.columns, long.rows, caption, notes, explain=_explain(found, test, "first method", "second method")
        )
    labels, titles = labels_of(names)
    last = 0 if titles == names else -1  # numbers above columns: the first method, too, needs a row to be named
    rows, rules = _triangles(found, names, last, with_p=with_p, levels=bool(factor))
    first = (Column(factor, align="left"),) if factor else ()
    columns = (*first, Column("method", align="left"), *map(Column, titles[:-1]))
    rows = [tuple(labels[names.index(c)] if j == len(first) else c for j, c in enumerate(row)) for row in rows]
    more = ", in brackets p of the sign test" if with_p else ""
    only = "significant " if test == "corrected_t" else ""
    caption = f"{words.name}: each cell has {only}{ORDER}{more}, over {over}{at}"
    return Table(columns, tuple(rows), caption, notes, rules, explain=_explain(found, test, "row", "column"), long=long)


def _triangles(
    found: Sequence[_Level], names: Sequence[str], last: int, *, with_p: bool, levels: bool
) -> tuple[list[tuple[str, ...]], tuple[int, ...]]:
    """The lower triangle at each level, the last method first; the level stands in its first row."""
    rows: list[tuple[str, ...]] = []
    rules = []
    for one in found:
        rules.append(len(rows))
        for i in range(len(names) - 1, last, -1):
            cells = [_cell(one, names[i], names[j], with_p=with_p) for j in range(i)]
            head = ((one.name if len(rows) == rules[-1] else ""),) if levels else ()
            rows.append((*head, names[i], *cells, *[""] * (len(names) - 1 - i)))
    return rows, tuple(rules[1:])


def _cell(one: _Level, first: str, second: str, *, with_p: bool) -> str:
    known = one.evidence.methods
    if first not in known or second not in known:
        return formats.UNDEFINED
    counts = one.counts[known.index(first), known.index(second)]
    return f"{in_numbers(counts)} ({formats.p_value(sign_p(counts))})" if with_p else in_numbers(counts)


def sign_p(counts: Counts) -> float:
    """The two-sided p-value of the sign test; ties are split evenly, and an odd one is left out.

    >>> sign_p(np.array([5, 1, 2]))   # 6 of 8
    0.2891
    """
    wins, losses, ties = counts.tolist()
    wins, losses = wins + ties // 2, losses + ties // 2
    return min(1.0, 2 * sign_tail(wins + losses, min(wins, losses)).value) if wins + losses else 1.0


def _long(found: Sequence[_Level], factor: str, *, with_p: bool) -> Table:
    """A row for each level and pair, with a column for each number."""
    rows: list[tuple[object, ...]] = []
    for one in found:
        names = one.evidence.methods
        for i, j in all_pairs(len(names)):
            head = (one.name,) if factor else ()
            counts = one.counts[i, j]
            rows.append((*head, names[i], names[j], *counts.tolist(), *((sign_p(counts),) if with_p else ())))
    columns = (
        *((Column(factor, align="left"),) if factor else ()),
        Column("first", align="left"),
        Column("second", align="left"),
        *(Column(title, formats.count) for title in ("wins", "losses", "ties")),
        *((Column("p (sign test)", formats.p_value, key="p_sign"),) if with_p else ()),
    )
    return Table(columns, tuple(rows))


def _p_note(with_p: bool) -> tuple[str, ...]:
    return ("p: two-sided sign test of each pair by itself, unadjusted; ties are split evenly",) if with_p else ()


def _notes(one: _Level) -> tuple[str, ...]:
    at = f"{one.name}: " if one.name else ""
    return tuple(at + text for text in (*left_out(one.evidence.absent), *failed_note(one.evidence)))


def _explain(found: Sequence[_Level], test: str | None, row: str, column: str) -> str:
    """How to read the counts, with a pair of the table as an example."""
    one = next(one for one in found if len(one.evidence.methods) > 1)
    i, j = (0, 1) if row == "first method" else (1, 0)
    first, second = one.evidence.methods[i], one.evidence.methods[j]
    wins, losses, ties = one.counts[i, j].tolist()
    at = f" at {one.name}" if one.name else ""
    counted = f"The numbers are wins, losses and ties of the {row} against the {column}, counted over data sets."
    sets = plural(wins, "data set")
    if test == "corrected_t":
        example = f"{first} is significantly better than {second} on {sets}{at}, significantly worse on {losses}"
        return (
            f"{counted} For example, {example}, and on {ties} no difference is found, which is not the same as a tie."
        )
    example = f"{first} is better than {second} on {sets}{at}, worse on {losses}, and equal on {ties}"
    return f"{counted} For example, {example}. Small differences count as much as large ones."
