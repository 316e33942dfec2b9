"""All pairs of methods, as the verdict tests them: difference, wins and p of each, as a matrix or in rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairtrial.result_tables.chosen_part import chosen_part, is_bounded, test_in_brief, verdict_on_pairs
from fairtrial.result_tables.named_tables import table_of
from fairtrial.result_tables.pair_layout import MOST_IN_A_MATRIX, labels_of
from fairtrial.stats.adjust import TITLES
from fairtrial.tables import Column, Strong, Table, formats
from fairtrial.verdict import Verdict
from fairtrial.verdict.absent_methods import left_out
from fairtrial.verdict.designs.decide import Pair
from fairtrial.verdict.designs.over_datasets import per_set
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.wording import Wording, span_of
from fairtrial.words import plural

if TYPE_CHECKING:
    from fairtrial.results import Results

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
