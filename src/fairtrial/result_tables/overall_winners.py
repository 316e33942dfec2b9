"""Counts of winners: on how many data sets each method is the best, and how many of its wins are significant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.result_tables.chosen_part import chosen_part, scores_of_pairs
from fairtrial.result_tables.named_tables import table_of
from fairtrial.stats.score_arrays import ScoreTable
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict import Evidence
from fairtrial.verdict.absent_methods import failed_note, left_out
from fairtrial.verdict.wins_chart import significant_signs, which_ran
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural

if TYPE_CHECKING:
    from fairtrial.results import Results

WARNING = (
    "counting only significant wins is not better than counting all: a test says how improbable a result is if there "
    "is no difference, it can't tell random wins from others (Demšar 2006); for a claim take the verdict over data sets"
)
EXPLAIN = (
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
        explain = EXPLAIN
    else:
        counts += _significant(signs, which_ran(evidence))
        columns += [
            Column("significant wins", formats.count, key="significant_wins"),
            Column("losses", formats.count, key="significant_losses"),
            Column("beats all others", formats.count, key="beats_all"),
        ]
        notes += [_on_tests(signs, question), WARNING]
        explain = EXPLAIN + EXPLAIN_TESTS
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
