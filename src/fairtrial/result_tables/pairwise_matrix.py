"""All pairs of methods, as the verdict tests them: difference, wins and p of each, as a matrix or in rows.

McNemar's tests of pairs of methods, on the instances of each data set.

How tables of pairs are laid out: a matrix for a few methods, a row for each pair for many.

Wins, losses and ties of every pair of methods over data sets, on the whole or at each level of a factor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import write_one
from fairtrial.errors import UnknownName
from fairtrial.result_tables.chosen_part import (
    chosen_part,
    is_bounded,
    levels_along,
    scores_of_pairs,
    test_in_brief,
    verdict_on_pairs,
)
from fairtrial.result_tables.named_tables import table_of
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.distributions.binomial import sign_tail
from fairtrial.stats.multiplicity import TITLES
from fairtrial.tables import Column, Strong, Table, formats
from fairtrial.verdict import Evidence, Verdict
from fairtrial.verdict.absent_methods import failed_note, left_out
from fairtrial.verdict.designs.decide import Pair
from fairtrial.verdict.designs.over_datasets import per_set
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.wins_chart import ORDER, Wins, in_numbers, win_counts, win_rule
from fairtrial.verdict.words.wording import Wording, span_of
from fairtrial.words import plural

if TYPE_CHECKING:
    from fairtrial.results import Results


MOST_IN_A_MATRIX = 15
"""With more methods than this a matrix can't be read, and a table of pairs has a row for each."""

LONGEST_TITLE = 14  # characters: with longer names the columns of a matrix have numbers instead
WIDEST_TITLES = 100  # characters of all titles together


def labels_of(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels of rows and those of columns: names, or numbers above the columns where names are long.

    >>> labels_of(["tree", "forest"])
    (('tree', 'forest'), ('tree', 'forest'))
    >>> labels_of(["tree", "a forest of a hundred trees"])
    (('1 tree', '2 a forest of a hundred trees'), ('1', '2'))
    """
    if max(map(len, names)) <= LONGEST_TITLE and sum(map(len, names)) <= WIDEST_TITLES:
        return tuple(names), tuple(names)
    return tuple(f"{i} {name}" for i, name in enumerate(names, 1)), tuple(str(i) for i in range(1, len(names) + 1))


EXPLAIN_MATRIX = (
    "Methods stand from best to worst. Each cell compares the method of its row with that of its column, in three "
    "lines: the difference (row minus column), {wins}and the p-value. A star behind p means that the two differ."
)
EXPLAIN_ROWS = (
    "Each row compares two methods; the first is the one with the better mean. The difference is first minus second, "
    "and a star at the end means that the two differ."
)
TOO_FEW = (
    "there are too few data sets for tests of all pairs together: each p and each interval is for its pair alone, and "
    "no pair is called different"
)


@dataclass(frozen=True, slots=True)
class _Tested:
    """A tested pair of methods by name, the better mean first; effects are positive where the first is better."""

    dataset: str
    first: str
    second: str
    pair: Pair


@table_of("pairwise")
def pairwise_table(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    control: str | None = None,
    level: float | None = None,
    adjust: str | None = None,
) -> Table:
    """All pairs that the verdict tests, adjusted as it adjusts them; a matrix for up to 15 methods."""
    part = chosen_part(results, dataset, methods)
    verdict = verdict_on_pairs(part, measure=measure, control=control, level=level, adjust=adjust)
    made = _Made(verdict, tuple(_tested(verdict)))
    few = 2 < len(verdict.evidence.methods) <= MOST_IN_A_MATRIX
    if verdict.finding.parts or verdict.question.control is not None or not few:
        return made.rows_of_pairs()
    return made.matrix()


def _findings(verdict: Verdict) -> list[tuple[str, Finding]]:
    """The findings by data set; under an empty name, where one finding is about all data sets."""
    return list(verdict.finding.parts) or [("", verdict.finding)]


def _tested(verdict: Verdict) -> Iterator[_Tested]:
    for dataset, finding in _findings(verdict):
        names = () if finding.comparisons is None else finding.comparisons.names
        place = {name: i for i, name in enumerate(finding.order)}
        found = []
        for pair in finding.pairs:
            seen = pair.swapped() if place[names[pair.first]] > place[names[pair.second]] else pair
            found.append(_Tested(dataset, names[seen.first], names[seen.second], seen))
        yield from sorted(found, key=lambda t: (place[t.first], place[t.second]))


@dataclass(frozen=True, slots=True)
class _Made:
    """The tables of one verdict, with all its tested pairs from the best method on."""

    verdict: Verdict
    tested: tuple[_Tested, ...]

    @property
    def words(self) -> Wording:
        evidence = self.verdict.evidence
        several = len(evidence.datasets) > 1 and not self.verdict.finding.parts
        return Wording(evidence.measure, evidence.as_ratio and several)

    def difference(self) -> formats.Formatter:
        """The format of differences: enough decimals for all intervals."""
        found = [self.words.as_measured(t.pair.effect) for t in self.tested if t.pair.effect is not None]
        ends = [n for s in found for n in (s.estimate, s.low, s.high, formats.half_width((s.low, s.high)))]
        return formats.over(self.words.difference, ends)

    def rows_of_pairs(self) -> Table:
        """A row for each pair."""
        level, write = f"{100 * self.verdict.question.level:g} % interval", self.difference()
        parts = bool(self.verdict.finding.parts)
        wins = any(t.pair.spread is not None for t in self.tested)
        columns = (
            *((Column("data set", align="left"),) if parts else ()),
            Column("first", align="left"),
            Column("second", align="left"),
            Column(self.kind, write, key="difference"),
            Column(level, formats.span(write), key="interval"),
            *((Column("wins"), Column("ties"), Column("losses")) if wins else ()),
            *((Column("p (alone)", formats.p_value, key="p"),) if self.p_title != "p" else ()),
            Column(self.p_title, formats.p_value, key="p_adjusted"),
            Column("", align="left", key="mark"),
        )
        rows = tuple((*((t.dataset,) if parts else ()), *self._row(t, wins)) for t in self.tested)
        caption = f"{self.about()}, all tested pairs: first minus second" if self.kind == "difference" else (
            f"{self.about()}, all tested pairs: ratio of first to second"
        )  # fmt: skip
        return Table(columns, rows, caption, self.notes(), explain=EXPLAIN_ROWS)

    def _row(self, tested: _Tested, wins: bool) -> tuple[object, ...]:
        pair = tested.pair
        size = None if pair.effect is None else self.words.as_measured(pair.effect)
        counts = () if not wins else (None,) * 3 if pair.spread is None else pair.spread.wins
        estimate = None if size is None else size.estimate
        alone = (pair.p_value,) if self.p_title != "p" else ()
        star = "*" if self.bounded and pair.different else ""
        return tested.first, tested.second, estimate, span_of(size), *counts, *alone, pair.p_adjusted, star

    def matrix(self) -> Table:
        """The upper triangle, from the best method to the worst: three lines for each method."""
        order = self.verdict.finding.order
        found = {(t.first, t.second): t for t in self.tested}
        wins = any(t.pair.spread is not None for t in found.values())
        labels, titles = labels_of(order)
        write, rows = self.difference(), []
        heads = [self.kind, *(["wins–ties–losses"] if wins else []), self.p_title if self.bounded else "p (alone)"]
        for i, first in enumerate(order[:-1]):
            cells = [self._lines(found.get((first, second)), write, wins) for second in order[i + 1 :]]
            for line, head in enumerate(heads):
                name = Strong(labels[i]) if line == 0 else ""
                rows.append((name, head, *[""] * i, *(cell[line] for cell in cells)))
        if titles != tuple(order):  # numbers above columns: the last method, too, needs a row to be named
            rows.append((Strong(labels[-1]), *[""] * len(order)))
        columns = (Column("method", align="left"), Column("", align="left", key="line"), *map(Column, titles[1:]))
        rules = tuple(range(len(heads), len(rows), len(heads)))
        caption = f"{self.about()}: the row's method against the column's, all pairs"
        explain = EXPLAIN_MATRIX.format(wins="the data sets on which the row wins, ties and loses, " if wins else "")
        return Table(
            columns,
            tuple(rows),
            caption,
            self.notes(intervals=False),
            rules,
            explain=explain,
            long=self.rows_of_pairs(),
        )

    def _lines(self, tested: _Tested | None, write: formats.Formatter, wins: bool) -> tuple[str, ...]:
        if tested is None:
            return (formats.UNDEFINED,) * (2 + wins)
        pair = tested.pair
        size = "" if pair.effect is None else write(self.words.as_measured(pair.effect).estimate)
        counts = ("–".join(map(str, pair.spread.wins)) if pair.spread is not None else "",) if wins else ()
        if not self.bounded:
            return size, *counts, formats.p_value(pair.p_value)
        p = formats.p_value(pair.p_adjusted) + ("*" if pair.different else "")
        return Strong(size) if pair.different else size, *counts, p

    @property
    def kind(self) -> str:
        return "ratio" if self.words.ratio else "difference"

    @property
    def bounded(self) -> bool:
        return all(is_bounded(finding) for _, finding in _findings(self.verdict))

    @property
    def p_title(self) -> str:
        found = next(f.comparisons for _, f in _findings(self.verdict) if f.comparisons is not None)
        alone = len(found.pairs) == 1 and found.adjusted == "none"
        return "p" if alone else f"p ({TITLES.get(found.adjusted, found.adjusted)})"

    def about(self) -> str:
        """What is compared, over what."""
        evidence, name = self.verdict.evidence, self.words.name
        if self.verdict.finding.parts:
            return f"{name} on each of {plural(len(evidence.datasets), 'data set')}"
        if len(evidence.datasets) == 1:
            return f"{name} on {evidence.datasets[0]}, mean over {evidence.dependence[0].scheme}"
        estimand = self.verdict.question.estimand
        typical = f"{estimand} {self.kind}{' (Hodges–Lehmann)' if estimand == 'typical' else ''}"
        return f"{name}, {per_set(evidence)}, {typical} over {plural(len(evidence.datasets), 'data set')}"

    def notes(self, *, intervals: bool = True) -> tuple[str, ...]:
        verdict = self.verdict
        found = next(f.comparisons for _, f in _findings(self.verdict) if f.comparisons is not None)
        alpha = f"{1 - verdict.question.level:.3g}"
        own = "hold for all pairs together" if found.simultaneous else "are those of each pair alone"
        where = f"; intervals {own}" if intervals else ""
        lower = "" if verdict.measure.higher_is_better else f"; lower {self.words.name} is better"
        return (
            test_in_brief(verdict),
            f"* {self.p_title} < {alpha}{where}{lower}" if self.bounded else TOO_FEW + lower,
            *left_out(verdict.evidence.absent),
            *((verdict.evidence.scored,) if verdict.evidence.scored else ()),
        )


EXPLAIN = (
    "Each row compares two methods on one data set. Instances on which both are right, or both wrong, say nothing "
    "about which is better; the test asks whether those on which only one is right are divided as by tossing a coin. "
    "The difference is that of the two accuracies, first minus second."
)


@table_of("mcnemar")
def mcnemar_table(
    results: Results,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    level: float | None = None,
) -> Table:
    """How often both, one or none of two methods are right, with McNemar's test."""
    return replace(results.mcnemar(*(methods or ()), dataset=dataset, level=level).to_table(), explain=EXPLAIN)


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
