"""One verdict at each level of what was varied, and one answer from all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fairtrial.choices import VerdictOptions
from fairtrial.design import Level, Question, write_levels, write_one
from fairtrial.errors import InputError
from fairtrial.measures import Measure
from fairtrial.notices import Notice, look
from fairtrial.resampling import score_unit
from fairtrial.results.absentees import Absentee, DidNotRun, sentence_about
from fairtrial.results.analyses.order_effects import ROW_ORDER, OrderEffects, order_effects
from fairtrial.statements import Remark, Role, Statement, Text
from fairtrial.tables import Answer as AnswerBlock
from fairtrial.tables import Block, Column, Marked, Paragraph, Strong, Table
from fairtrial.verdict.absent_methods import legend
from fairtrial.verdict.answer import Answer
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.wins_chart import Wins, pairs_chart
from fairtrial.verdict.words.levels import LevelWords, answer_over_levels, findings_of, level_means, winners_at
from fairtrial.verdict.words.wording import Scope, Wording
from fairtrial.words import MOST_NAMED, listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

OTHER_LEVELS = "at_chosen_levels"
"""The guard which says that a verdict holds at its level alone: here the verdicts of all levels stand together."""

FAILED = Marked(None, text="failed", note="did not run at this level")


@dataclass(frozen=True, eq=False)
class LevelVerdicts(Answer):
    """The verdicts at all combinations of levels; ``print`` shows them, ``charts`` count wins, ``figure`` draws them.

    ``verdicts[i]`` is the verdict at ``levels[i]``. ``left_out`` has the levels at which too few methods ran for a
    verdict, with the reason.
    """

    results: Results
    levels: tuple[Mapping[str, Level], ...]
    verdicts: tuple[Verdict, ...]
    left_out: tuple[tuple[Mapping[str, Level], str], ...] = ()

    @classmethod
    def of(cls, results: Results, verdict_at: Callable[[Mapping[str, Level]], Verdict]) -> LevelVerdicts:
        """Make a verdict at each level; raise the reason at the first level if no level has one."""
        judged: list[tuple[Mapping[str, Level], Verdict]] = []
        left_out: list[tuple[Mapping[str, Level], str]] = []
        for levels in results.levels():
            try:
                judged.append((levels, verdict_at(levels)))
            except DidNotRun as error:
                left_out.append((levels, str(error)))
        if not judged:
            raise DidNotRun(f"at {write_levels(left_out[0][0])}, {left_out[0][1]}")
        return cls(results, tuple(a for a, _ in judged), tuple(v for _, v in judged), tuple(left_out))

    @classmethod
    def over(cls, results: Results, options: VerdictOptions) -> LevelVerdicts:
        """Make a verdict at each level of the results, with these options."""
        if not results.factors:
            raise InputError("these results have no factors with several levels; take results.verdict()")
        if not results.levels():
            raise InputError("no trial has been run yet at any level of the factors; let the run go on")
        return cls.of(results, lambda levels: results.at(levels).verdict(**options))

    def __iter__(self) -> Iterator[tuple[Mapping[str, Level], Verdict]]:
        return iter(zip(self.levels, self.verdicts, strict=True))

    @property
    def measure(self) -> Measure:
        """The measure that the question is about."""
        return self.verdicts[0].measure

    @property
    def question(self) -> Question:
        """The question, which is the same at every level."""
        return self.verdicts[0].question

    @property
    def scope(self) -> Scope:
        """What the statements are about."""
        return self.verdicts[0].scope

    @property
    def why(self) -> str:
        """Why this test."""
        return self.verdicts[0].why

    @property
    def reference(self) -> str:
        """The works behind the test."""
        return self.verdicts[0].reference

    @property
    def evidence(self) -> Evidence:
        """The evidence at the first level."""
        return self.verdicts[0].evidence

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The answer over all levels, the test, what guards found at which levels, and what was not judged."""
        absent = tuple(self._absentees())
        answer = Remark(Role.ANSWER, Text(self._answer()), "levels")
        gone = (Remark(Role.ANSWER, Text(text), "did not run", -2) for text in absent)
        tested = [s for s in self.verdicts[0].statements if s.role == Role.TEST]
        alone = (
            Remark(Role.CHECK, Text(f"at {write_levels(levels)}: {verdict.answer}"), "level", -1)
            for levels, verdict in self
        )
        return (*gone, answer, *tested, *alone, *self._notices())

    def _answer(self) -> str:
        """The methods with the best mean and the winners, with their levels; for each data set that has a verdict."""
        if self.verdicts[0].question.claim is not None:
            return " ".join(f"At {write_levels(levels)}: {verdict.answer}" for levels, verdict in self)
        order = self.order_effects
        return answer_over_levels(self._words, self.verdicts) + (f" {order.sentence}" if order else "")

    def _grave(self) -> tuple[str, ...]:
        """Nothing: grave doubts are those of single levels, and stand with these."""
        return ()

    @property
    def absence(self) -> str:
        """The sentences that name the methods that did not run, and at which levels; empty where all ran."""
        return " ".join(self._absentees())

    @property
    def answer(self) -> str:
        """The answer over all levels."""
        return self._answer()

    @cached_property
    def order_effects(self) -> OrderEffects | None:
        """By how much the order of the training rows matters, where that is what was varied; else None."""
        if tuple(self.results.factors) != (ROW_ORDER,):
            return None
        try:
            return order_effects(self.results, self.measure.name)
        except InputError:  # too few scores
            return None

    @property
    def _words(self) -> LevelWords:
        return LevelWords(tuple(self.results.factors), self.levels)

    def _absentees(self) -> Iterator[str]:
        """Sentences about methods that ran at no level or not at some levels, and about levels without a verdict."""
        always, some = self._never_ran()
        if always:
            yield sentence_about(always)
        if some:
            absent = [f"{who} at {listed(places)}: {a.why}" for who, (places, a) in some.items()]
            left = len(absent) - MOST_NAMED
            more = f"; {plural(left, 'other')} did not run at some level" if left > 0 else ""
            yield f"{'; '.join(absent[:MOST_NAMED])}{more}."
        for levels, why in self.left_out:
            yield f"Nothing is said at {write_levels(levels)}: {why}."

    def _never_ran(self) -> tuple[list[Absentee], dict[str, tuple[list[str], Absentee]]]:
        """The methods that ran at no level, and those that did not run at some levels, with these levels."""
        found: dict[str, list[tuple[str, Absentee]]] = {}
        for levels, verdict in self:
            for a in verdict.did_not_run:
                found.setdefault(f"{a.method} {a.state}", []).append((write_levels(levels), a))
        every = {who for who, own in found.items() if len(own) == len(self.levels) and not self.left_out}
        always = [_add_up([a for _, a in own]) for who, own in found.items() if who in every]
        some = {who: ([p for p, _ in own], own[0][1]) for who, own in found.items() if who not in every}
        return always, some

    @property
    def control(self) -> str | None:
        """The method that all others are compared with, where there is one."""
        return self.verdicts[0].question.control

    def to_table(self) -> Table:
        """The means of the methods at each level, over splits and then over data sets."""
        words = Wording(self.measure)
        names = self._columns()
        rows = []
        for levels, verdict in self:
            means = _cells(verdict.evidence)
            place = (write_one(name, levels[name]) if name in levels else "–" for name in self.results.factors)
            n = len(verdict.evidence.datasets)
            rows.append((*place, n, *(means.get(m, FAILED) for m in names), _all_winners(verdict)))
        columns = (
            *(Column(name) for name in self.results.factors),
            Column("data sets"),
            *(Column(name, words.value) for name in names),
            Column(f"{'beat' if self.control else 'beats'} {self.control or 'all others'}", align="left", key="winner"),
        )
        kind = "geometric mean " if self.verdicts[0].evidence.as_ratio else ""
        splits = f"{score_unit(d for verdict in self.verdicts for d in verdict.evidence.dependence)}s"
        caption = f"{words.name}, mean over {splits} and then {kind}over data sets, at each level"
        return Table(columns=columns, rows=tuple(rows), caption=caption, notes=tuple(self._notes()))

    def _columns(self) -> tuple[str, ...]:
        """The methods that ran at some level, yardsticks last."""
        there = {m for verdict in self.verdicts for m in verdict.evidence.columns}
        return tuple(m for m in self.results.method_names() if m in there)

    def _notes(self) -> Iterator[str]:
        for levels, verdict in self:
            place = write_levels(levels)
            yield from (f"{place}: {text}" for text in legend(verdict.evidence, verdict.evidence.columns))
            yield from (f"{place}: {a}" for a in verdict.evidence.absent if a.method in self._columns())
        yield from map(str, self._never_ran()[0])
        yield from (f"{write_levels(levels)}: {why}" for levels, why in self.left_out)
        counts = {len(verdict.evidence.datasets) for verdict in self.verdicts}
        if len(counts) > 1:
            yield "means at different levels are of different data sets"
        if yardsticks := [m for m in self._columns() if m in self.verdicts[0].evidence.yardsticks]:
            yield f"yardstick: {listed(yardsticks)}"

    def charts(self, wins: Wins = "by mean") -> tuple[Table, ...]:
        """Charts of wins, losses and ties of all pairs over data sets, one for each level."""
        made = []
        for levels, verdict in self:
            chart = pairs_chart(verdict.evidence, verdict.question, wins)
            first, *others = chart.columns
            heading = Column(write_levels(levels), first.format, align="left", key=first.key)
            made.append(Table((heading, *others), chart.rows, caption=chart.caption, notes=chart.notes))
        return tuple(made)

    def more_tables(self) -> tuple[Table, ...]:
        """What the order of rows does, and charts of wins at each level."""
        charts = self.charts() if self.has_charts else ()
        others = (Table(chart.columns, chart.rows) for chart in charts[1:])  # the caption of the first holds for all
        return (*((self.order_effects.to_table(),) if self.order_effects else ()), *charts[:1], *others)

    def answer_blocks(self) -> tuple[Block, ...]:
        """The sentences of the verdicts: methods that did not run, and the answer."""
        absence = (Paragraph(Strong(self.absence)),) if self.absence else ()
        return (*absence, AnswerBlock(self.answer))

    def _notices(self) -> tuple[Notice, ...]:
        """The notices of all levels, each with its level unless all have it, and those of the levels together."""
        found: dict[str, tuple[Notice, list[str]]] = {}
        for i, verdict in enumerate(self.verdicts):
            for notice in verdict.notices:
                if notice.guard != OTHER_LEVELS:
                    found.setdefault(str(notice), (notice, []))[1].append(self._words.one(i))
        each = (
            notice
            if len(places) == len(self.verdicts)
            else replace(notice, sentence=f"at {listed(places)}: {notice.sentence}")
            for notice, places in found.values()
        )
        return (*each, *look("levels", self))

    @property
    def has_charts(self) -> bool:
        """Whether there are pairs to compare over several data sets, at every level."""
        return all(len(v.evidence.methods) > 1 and len(v.evidence.datasets) > 1 for v in self.verdicts)

    def own_data(self) -> dict[str, Any]:
        """What only verdicts at levels have."""
        return {
            "factors": {name: list(levels) for name, levels in self.results.factors.items()},
            "at_levels": dict(self.results.chosen),
            "levels": [{"levels": dict(levels), **verdict.to_dict()} for levels, verdict in self],
            **({"order_effects": self.order_effects.to_dict()} if self.order_effects else {}),
            "left_out": [{"levels": dict(levels), "why": why} for levels, why in self.left_out],
        }

    def figure(self) -> Figure:
        """Draw the measure against the levels of the first factor."""
        return self.results.figure("levels", measure=self.measure.name)


def _cells(evidence: Evidence) -> dict[str, object]:
    """The means for a table; those that contain failed trials are marked."""
    return {name: evidence.overall(name, mean) for name, mean in level_means(evidence).items()}


def _add_up(absent: Sequence[Absentee]) -> Absentee:
    """Add up a method's absences at all levels, under the most frequent reason."""
    reason = Counter(a.reason for a in absent).most_common(1)[0][0]
    return replace(absent[0], failed=sum(a.failed for a in absent), total=sum(a.total for a in absent), reason=reason)


def _all_winners(verdict: Verdict) -> str:
    """The winners in words, with their data sets where each data set has a verdict of its own."""
    won = {name: winners_at(verdict, name) for name in findings_of(verdict)}
    several = len(won) > 1
    return ", ".join(f"{listed(w)} on {where}" if several else listed(w) for where, w in won.items() if w) or "none"
