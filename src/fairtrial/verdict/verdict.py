"""The verdict: the answer first, then the evidence, the test, why this test, what was checked, what would change it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.design import Question
from fairtrial.doors import door
from fairtrial.measures import Measure
from fairtrial.notices import Notice
from fairtrial.results.absentees import Absentee
from fairtrial.results.how_read import Reading
from fairtrial.stats import Comparisons, Outcome
from fairtrial.stats.bibtex import names_of_works
from fairtrial.tables import Answer, Block, Document, Facts, Paragraph, Point, Shown, Strong, Table, render_result
from fairtrial.verdict.absent_methods import absentees_of
from fairtrial.verdict.asked_when import AskedWhen
from fairtrial.verdict.basis import Basis
from fairtrial.verdict.claims.claims import Claim
from fairtrial.verdict.designs.decide import Pair
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.guards.doubts import REFUSED, left_to_say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Verdict"]

MOST_ROWS, SHOWN_ROWS = 25, 15  # a printed table with more than 25 methods shows the first 15
MOST_WITH_MORE_TABLES = 15  # methods, beyond which only reports and exports have more than the first table
NEAREST_ROWS = 5  # of a second table


@door
@dataclass(frozen=True, eq=False)
class Verdict(Shown):
    """The answer to a question, with its evidence.

    ``print(verdict)`` shows it, ``render("md")`` writes it in another format, ``figure()`` draws it; ``to_table()``,
    ``to_document()`` and ``to_dict()`` give it as data.
    """

    question: Question
    measure: Measure
    rule: str
    why: str
    reference: str
    finding: Finding
    notices: tuple[Notice, ...]
    stable: tuple[str, ...]
    evidence: Evidence
    failed: int = 0
    path: Path | None = None
    asked: AskedWhen = field(default_factory=AskedWhen)
    basis: Basis | None = None
    reading: Reading | None = None

    @property
    def sentence(self) -> str:
        """The answer; before it, the sentence about methods that did not run."""
        return f"{self.absence} {self.answer}".lstrip()

    @property
    def absence(self) -> str:
        """The sentence that names the methods that did not run, and why; empty where all ran."""
        return self.finding.sentences[0] if self.did_not_run else ""

    @property
    def answer(self) -> str:
        """The answer alone, about the methods that ran."""
        return self.finding.sentences[1 if self.did_not_run else 0]

    @property
    def did_not_run(self) -> tuple[Absentee, ...]:
        """The methods that are left out, since most of their trials failed, over all data sets or on one."""
        return absentees_of(self.evidence, self.finding)

    @property
    def winner(self) -> str | None:
        """The method that beats all others, where there is one."""
        return self.finding.winner

    @property
    def comparisons(self) -> Comparisons | None:
        """The tests of all pairs."""
        return self.finding.comparisons

    @property
    def omnibus(self) -> Outcome | None:
        """Friedman's test, where it applies; it is reported and decides nothing."""
        return self.finding.omnibus

    @property
    def joint_test(self) -> Outcome | None:
        """The test of all methods, or of several measures, at once, where one was asked for."""
        return self.finding.joint_test

    @property
    def claim(self) -> Claim | None:
        """The test of what the question claims about one method, where it claims something."""
        return self.finding.claim

    @property
    def parts(self) -> dict[str, Finding]:
        """The findings on each data set, where each has a verdict of its own."""
        return dict(self.finding.parts)

    def to_table(self) -> Table:
        """The table of the methods, with what was estimated and tested."""
        return self.finding.table

    def to_document(self) -> Document:
        """The verdict as it is printed: the answer, the table, and remarks on the test and what was checked."""
        more = self.finding.more_tables if len(self.evidence.methods) <= MOST_WITH_MORE_TABLES else ()
        tables = (self._short_table(), *map(_nearest_rows, more))
        return Document((*self.answer_blocks(), *tables, Facts(tuple(self._remarks()))))

    def _short_table(self) -> Table:
        """The table with the first methods only, and all yardsticks, if there are very many methods."""
        table, k = self.to_table(), len(self.evidence.methods)
        if k <= MOST_ROWS or len(table.rows) < k or table.columns[0].key != "method" or table.rule_before:
            return table
        rest = f"and {k - SHOWN_ROWS} other methods: all are in the report, and with --format csv or to_table()"
        return replace(table, rows=(*table.rows[:SHOWN_ROWS], *table.rows[k:]), notes=(rest, *table.notes))

    def answer_blocks(self) -> tuple[Block, ...]:
        """The sentences of the verdict: methods that did not run, the answer, and additions to it."""
        absence = (Paragraph(Strong(self.absence)),) if self.absence else ()
        return (*absence, Answer(self.answer), *map(Paragraph, self.finding.sentences[len(absence) + 1 :]))

    def points(self) -> tuple[Point, ...]:
        """The notices as points of a document."""
        return tuple(map(_point, self.notices))

    def _remarks(self) -> Iterator[tuple[str, str | Point]]:
        if self.reading is not None:
            yield "Read", self.reading.sentence(self.measure)
        why = f" Why: {self.why}. ({names_of_works(self.reference)})"
        yield "Test", self.finding.test + ("" if self.finding.test == REFUSED else why)
        for notice in self.notices:
            if text := left_to_say(self.finding, notice):
                yield "Checked", Point(notice.is_fine, text)
        for text in self.stable:
            yield "Stable", text
        for text in self.finding.next_steps:
            yield "Next", text

    def to_dict(self) -> dict[str, Any]:
        """The whole verdict as plain data, with all that :func:`fairtrial.verdict.verify` needs to make it again."""
        return {
            "answer": self.sentence,
            "sentences": list(self.finding.sentences),
            "winner": self.winner,
            "best": list(self.finding.best),
            "order": list(self.finding.order),
            "question": self.question.to_dict(),
            "measure": self.measure.name,
            **self._jointly(),
            "higher_is_better": self.measure.higher_is_better,
            "rule": self.rule,
            "test": self.finding.test,
            "why": self.why,
            "reference": self.reference,
            "table": self.to_table().to_dict(),
            "more_tables": [table.to_dict() for table in self.finding.more_tables],
            "decisions": [self._decision(pair) for pair in self.finding.pairs],
            "comparisons": None if self.comparisons is None else self.comparisons.to_dict(),
            "claim": None if self.claim is None else self.claim.to_dict(),
            "omnibus": None if self.omnibus is None else self.omnibus.to_dict(),
            "parts": {d: _plain(f) for d, f in self.finding.parts},
            "checks": [{"fine": n.is_fine, "text": n.text, **n.to_dict()} for n in self.notices],
            "stable": list(self.stable),
            "next": list(self.finding.next_steps),
            "failed_trials": self.failed,
            "did_not_run": [absentee.to_dict() for absentee in self.did_not_run],
            "scores": self._scores(),
            "asked": self.asked.to_dict(),
            **({} if self.reading is None else {"read": self.reading.to_dict()}),
            **({} if self.basis is None else self.basis.to_dict()),
        }

    def _jointly(self) -> dict[str, Any]:
        """The test of all methods or measures at once, where one was asked for."""
        if self.joint_test is None:
            return {}
        return {"measures": list(self.finding.measures), "joint_test": self.joint_test.to_dict()}

    def _scores(self) -> dict[str, dict[str, float]]:
        """The mean of each method and yardstick on each data set, after the failure policy."""
        rows = zip(self.evidence.datasets, self.evidence.means.tolist(), strict=True)
        return {name: dict(zip(self.evidence.columns, row, strict=True)) for name, row in rows}

    def _decision(self, pair: Pair) -> dict[str, Any]:
        """What was decided about two methods, by name."""
        first, second = (self.evidence.methods[m] for m in (pair.first, pair.second))
        return {"first": first, "second": second, "different": pair.different, "decision": pair.decision}

    def render(self, how: str) -> str:
        """The verdict in one of the output formats: text, md, html; json; csv and latex have its table alone."""
        return render_result(self, how)

    def figure(self) -> Figure:
        """Draw what fits: a critical-difference diagram over data sets, else dots and intervals."""
        from fairtrial.figures import figure_for

        return figure_for(self)

    def methods_paragraph(self, how: str = "text") -> str:
        r"""A paragraph on design and analysis for a paper: ``"text"``, ``"md"`` or ``"latex"`` (with ``\cite``)."""
        from fairtrial.report.write_up import methods_paragraph

        return methods_paragraph(self, how)

    def bibtex(self) -> str:
        """The BibTeX entries of the works that :meth:`methods_paragraph` cites."""
        from fairtrial.report.write_up import bibtex

        return bibtex(self)


def _nearest_rows(table: Table) -> Table:
    """The first methods of a second table: of those far behind nobody asks how far on single data sets."""
    if len(table.rows) <= NEAREST_ROWS + 1:
        return table
    rest = f"and {len(table.rows) - NEAREST_ROWS} other methods: all are in the report"
    return replace(table, rows=table.rows[:NEAREST_ROWS], notes=(rest, *table.notes))


def _point(notice: Notice) -> Point:
    return Point(notice.is_fine, notice.text)


def _plain(part: Finding) -> dict[str, Any]:
    """The finding on one data set as plain data."""
    claim = {} if part.claim is None else {"claim": part.claim.to_dict()}
    return {"sentences": list(part.sentences), "table": part.table.to_dict(), **claim}
