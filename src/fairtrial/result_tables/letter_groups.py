"""The ranking: methods from best to worst, with the letters of those that are not distinguishable.

Counts of winners: on how many data sets each method is the best, and how many of its wins are significant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.result_tables.chosen_part import (
    chosen_part,
    is_bounded,
    scores_of_pairs,
    test_in_brief,
    verdict_on_pairs,
)
from fairtrial.result_tables.named_tables import table_of
from fairtrial.stats import letters
from fairtrial.stats.score_arrays import ScoreTable
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict import Evidence, Verdict
from fairtrial.verdict.absent_methods import failed_note, left_out
from fairtrial.verdict.designs.decide import rank_sets
from fairtrial.verdict.wins_chart import significant_signs, which_ran
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import from_to, plural, quoted

if TYPE_CHECKING:
    from fairtrial.results import Results


EXPLAIN = (
    "Methods stand from best to worst. Two methods that share a letter in the column 'group' are not distinguishable, "
    "which does not mean that they are equal; two without a common letter differ. 'ranks' are the ranks that the tests "
    "do not rule out."
)
MANY_GROUPS = "there are more groups of methods than letters; take results.table('pairwise')"
PLAIN = "methods that share a letter are not distinguishable: the tests of all pairs together find no difference"
TOO_FEW = "; these data sets are too few to find any"
WINNER = "; the winner beats each other one in its own test, and shares its letter with none"


@table_of("ranking")
def ranking(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    level: float | None = None,
    adjust: str | None = None,
) -> Table:
    """The methods of a verdict with means, ranks, intervals against the best, and letter groups."""
    part = chosen_part(results, dataset, methods)
    part = replace(part, question=replace(part.question, control=None))
    verdict = verdict_on_pairs(part, measure=measure, level=level, adjust=adjust)
    if verdict.finding.parts:
        raise InputError(
            f"a ranking over {len(verdict.evidence.datasets)} data sets has no tests, since they are too few; name one "
            f"(dataset='…', --dataset) of {quoted(verdict.evidence.datasets)}"
        )
    return _with_letters(verdict)


def _with_letters(verdict: Verdict) -> Table:
    """The table of the verdict with columns of rank intervals and letters after the means, and all that explains it."""
    tables = (verdict.to_table(), *verdict.more_tables())
    table, k = next(t for t in tables if t.columns[0].key == "method"), len(verdict.evidence.methods)
    groups, note = _groups(verdict)
    names = verdict.evidence.methods
    winner = None if verdict.winner is None else names.index(verdict.winner)
    ranks = zip(names, rank_sets(verdict.finding.pairs, k, winner), strict=True)
    cells = {name: (from_to(*own), groups.get(name)) for name, own in ranks}
    more = (Column("ranks", key="rank_interval"), *((Column("group", align="left"),) if groups else ()))
    columns = (*table.columns[:2], *more, *table.columns[2:])
    rows = tuple(
        (*row[:2], *(cells[str(row[0])] if i < k else (None, None))[: len(more)], *row[2:])
        for i, row in enumerate(table.rows)
    )
    lower = () if verdict.measure.higher_is_better else (f"lower {Wording(verdict.measure).name} is better",)
    notes = (note, *table.notes, test_in_brief(verdict), *lower)
    made = replace(table, columns=columns, rows=rows, notes=notes, explain=EXPLAIN)
    return replace(made, long=_numbers_apart(made))


def _numbers_apart(table: Table) -> Table:
    """The table with a column for each number of a rank interval, and of wins, ties and losses."""
    parts = {"rank_interval": ("rank_low", "rank_high"), "wins_ties_losses": ("wins", "ties", "losses")}
    columns: list[Column] = []
    for column in table.columns:
        columns += [Column(name) for name in parts[column.key]] if column.key in parts else [column]
    rows = []
    for row in table.rows:
        cells: list[object] = []
        for column, cell in zip(table.columns, row, strict=True):
            cells += _numbers_in(cell, len(parts[column.key])) if column.key in parts else [cell]
        rows.append(tuple(cells))
    return replace(table, columns=tuple(columns), rows=tuple(rows))


def _numbers_in(cell: object, count: int) -> list[object]:
    """The numbers of a cell such as '5–3–6'; a single one stands for both ends of an interval.

    >>> _numbers_in("5–3–6", 3), _numbers_in("2", 2), _numbers_in(None, 2)
    ([5, 3, 6], [2, 2], [None, None])
    """
    if not cell:
        return [None] * count
    found: list[object] = [int(text) for text in str(cell).split("–")]
    return found if len(found) == count else found * count


def _groups(verdict: Verdict) -> tuple[dict[str, str], str]:
    """The letters of each method, and what they mean."""
    names, order = verdict.evidence.methods, verdict.finding.order
    try:
        found = letters(_different(verdict), order=[names.index(name) for name in order])
    except InputError:
        return {}, MANY_GROUPS
    if not is_bounded(verdict.finding):
        return dict(zip(names, found, strict=True)), PLAIN + TOO_FEW
    note = PLAIN if verdict.finding.winner is None else PLAIN + WINNER
    return dict(zip(names, found, strict=True)), note


def _different(verdict: Verdict) -> NDArray[np.bool_]:
    """Which pairs differ, by the tests of all pairs together; the winner differs from all others."""
    names = verdict.evidence.methods
    matrix = np.zeros((len(names), len(names)), dtype=np.bool_)
    for pair in verdict.finding.pairs:
        matrix[pair.first, pair.second] = matrix[pair.second, pair.first] = pair.different
    if verdict.winner is not None:
        best = names.index(verdict.winner)
        matrix[best] = matrix[:, best] = True
        matrix[best, best] = False
    return matrix


WARNING = (
    "counting only significant wins is not better than counting all: a test says how improbable a result is if there "
    "is no difference, it can't tell random wins from others (Demšar 2006); for a claim take the verdict over data sets"
)
EXPLAIN_WINNERS = (
    "Each row is a method, those with the most first places on top. 'best alone' counts the data sets on which no "
    "other method has as good a mean, and 'tied best' those on which it shares the best mean; in 'first places, "
    "ties split' a tie of two counts ½ for each, so that the column adds up to the number of data sets."
)
EXPLAIN_TESTS = (
    " 'significant wins' counts tests of one pair on one data set, and 'beats all others' the data sets on which a "
    "method is significantly better than each other one."
)


@table_of("winners")
def winners(
    results: Results,
    *,
    measure: str | None = None,
    methods: Sequence[str] | None = None,
    level: float | None = None,
) -> Table:
    """Data sets on which each method is the best, and its significant wins where a test on each data set is valid."""
    evidence, question = scores_of_pairs(chosen_part(results, methods=methods), measure=measure, level=level)
    first = _firsts(evidence)
    alone, tied = first * (first.sum(axis=1, keepdims=True) == 1), first * (first.sum(axis=1, keepdims=True) > 1)
    shared = (first / first.sum(axis=1, keepdims=True)).sum(axis=0)
    counts = [alone.sum(axis=0), tied.sum(axis=0), shared, which_ran(evidence).sum(axis=0)]
    columns = [
        Column("method", align="left"),
        Column("best alone", formats.count, key="best_alone"),
        Column("tied best", formats.count, key="tied_best"),
        Column("first places, ties split", formats.fixed(2) if tied.any() else formats.count, key="ties_shared"),
        Column("data sets", formats.count, key="datasets"),
    ]
    notes = ["no test is made for first places"]
    try:
        signs = significant_signs(evidence, question.level)
    except InputError as error:
        notes.append(f"significant wins are not counted: {str(error).partition(';')[0]}")
        explain = EXPLAIN_WINNERS
    else:
        counts += _significant(signs, which_ran(evidence))
        columns += [
            Column("significant wins", formats.count, key="significant_wins"),
            Column("losses", formats.count, key="significant_losses"),
            Column("beats all others", formats.count, key="beats_all"),
        ]
        notes += [_on_tests(signs, question), WARNING]
        explain = EXPLAIN_WINNERS + EXPLAIN_TESTS
    order = sorted(range(len(evidence.methods)), key=lambda m: (-shared[m], -alone.sum(axis=0)[m]))
    rows = tuple((evidence.methods[m], *(column[m].item() for column in counts)) for m in order)
    words = Wording(evidence.measure)
    caption = (
        f"{words.name}: on how many of {plural(len(evidence.datasets), 'data set')} each method has the "
        f"{words.best_word} mean"
    )
    notes += [*left_out(evidence.absent), *failed_note(evidence), *_scored(evidence)]
    return Table(tuple(columns), rows, caption, tuple(notes), explain=explain)


def _scored(evidence: Evidence) -> tuple[str, ...]:
    """How failed trials are scored, where there are any on a data set on which their method ran."""
    return (evidence.scored_alone,) if evidence.scored_alone else ()


def _firsts(evidence: Evidence) -> NDArray[np.int64]:
    """1 for each data set (row) and method (column) with the best mean there, of those that ran."""
    means, ran = evidence.means[:, : len(evidence.methods)], which_ran(evidence)
    worst = -evidence.sign * np.inf
    first = np.zeros(means.shape, dtype=np.int64)
    for i, row in enumerate(means):
        own = np.flatnonzero(ran[i])
        if len(own) == 0:
            continue
        table = ScoreTable(row[own][None], tuple(map(str, own)))
        ranks = table.doubled_ranks(higher_is_better=worst < 0)[0]
        first[i, own[ranks == ranks.min()]] = 1
    return first


def _significant(signs: NDArray[np.int64], ran: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """Significant wins and losses of each method over data sets and others, and data sets on which it beats all."""
    others = ran.sum(axis=1, keepdims=True) - 1
    beats = (signs > 0).sum(axis=2)
    return [beats.sum(axis=0), (signs < 0).sum(axis=2).sum(axis=0), ((beats == others) & (others > 0)).sum(axis=0)]


def _on_tests(signs: NDArray[np.int64], question: Question) -> str:
    n, k, _ = signs.shape
    tests = n * k * (k - 1) // 2
    chance = formats.significant(2)((1 - question.level) * tests)
    return (
        f"significant: corrected resampled t on the data set at {1 - question.level:.3g}, unadjusted; of {tests:,} "
        f"tests about {chance} would be significant if no method differed"
    )
