"""An answer: statements with their evidence, shown as one page, whatever was asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.notices import Notice
from fairtrial.statements import Role, Statement, Text, by_role, say, with_words
from fairtrial.stats.bibtex import names_of_works
from fairtrial.tables import Answer as AnswerBlock
from fairtrial.tables import Block, Document, Facts, Paragraph, Point, Shown, Strong, Table, render_result
from fairtrial.verdict.claims.steadiness import Fragile
from fairtrial.verdict.claims.support import ByTest, DidNotRun, NextStep, Refused
from fairtrial.verdict.words.wording import Scope
from fairtrial.words import as_sentence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.design import Question
    from fairtrial.measures import Measure
    from fairtrial.results import Results

MOST_ROWS = 12
"""Methods in the table of a page; the rest is counted."""

MOST_DOUBTS = 3
MOST_STEPS = MOST_FRAGILE = 1

MORE = "print(answer.full): every check and reason · print(answer.explained): how to read the columns"


class Answer(Shown):
    """The answer to a question, with its evidence: verdicts, effects, surfaces, ablations and robust settings.

    ``print`` shows the page, ``full`` has every check, reason and reference of the same claims, ``explained`` also how
    to read the columns; ``render("md")`` writes the page in another format, ``figure()`` draws it; ``to_table()``,
    ``to_document()`` and ``to_dict()`` give it as data.
    """

    if TYPE_CHECKING:  # fields of some kinds of answers, and properties of others

        @property
        def question(self) -> Question: ...

        @property
        def measure(self) -> Measure: ...

        @property
        def statements(self) -> tuple[Statement, ...]: ...

        @property
        def scope(self) -> Scope: ...

        @property
        def results(self) -> Results | None: ...

        @property
        def why(self) -> str: ...

        @property
        def reference(self) -> str: ...

    def to_table(self) -> Table:
        """The evidence as one table."""
        raise NotImplementedError

    def more_tables(self) -> tuple[Table, ...]:
        """Further tables, for the full page."""
        return ()

    def figure(self) -> Figure:
        """Draw the answer."""
        raise NotImplementedError

    def read(self) -> str:
        """How the data were read, in words; empty where nothing is to be said."""
        return ""

    def explanations(self) -> tuple[tuple[str, str], ...]:
        """What the columns of the table mean, by their titles."""
        return ()

    def own_data(self) -> dict[str, Any]:
        """The parts of :meth:`to_dict` that belong to this kind of answer."""
        return {}

    @property
    def failed(self) -> int:
        """The number of failed trials."""
        return 0 if self.results is None else len(self.results.failures)

    @property
    def path(self) -> Path | None:
        """The study file, where there is one."""
        return None if self.results is None else self.results.path

    def said(self, role: Role) -> tuple[Text, ...]:
        """The statements of a role, in words."""
        return tuple(say(s, self.scope) for s in by_role(self.statements)[role])

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer in sentences: grave doubts, methods that did not run, what was found, and what to choose."""
        return self._grave() + tuple(text.render() for role in (Role.ANSWER, Role.CHOICE) for text in self.said(role))

    @property
    def answer(self) -> str:
        """The first sentence of the answer, about the methods that ran."""
        first = next(s for s in by_role(self.statements)[Role.ANSWER] if not isinstance(s, DidNotRun))
        return say(first, self.scope).render()

    @property
    def absence(self) -> str:
        """The sentence that names the methods that did not run, and why; empty where all ran."""
        return Text.joined(say(s, self.scope) for s in self.statements if isinstance(s, DidNotRun)).render()

    @property
    def sentence(self) -> str:
        """The answer; before it what is said about methods that did not run, and grave doubts."""
        return Text.joined((self.absence, *self._grave(), self.answer)).render()

    def _grave(self) -> tuple[str, ...]:
        """Grave doubts, which stand before the answer."""
        if self.is_refused:
            return ()
        doubts = (s for s in by_role(self.statements)[Role.DOUBT] if isinstance(s, Notice) and s.severity == "grave")
        return tuple(as_sentence(n.sentence, self._names()) for n in doubts)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What guards found."""
        refused = [s.reason for s in self.statements if isinstance(s, Refused)]
        return (*refused, *(s for s in self.statements if isinstance(s, Notice)))

    @property
    def stable(self) -> tuple[str, ...]:
        """How stable the answer is, in words."""
        return tuple(text.render() for text in self.said(Role.STABILITY))

    @property
    def next_steps(self) -> tuple[NextStep, ...]:
        """What would settle what is open."""
        return tuple(s for s in by_role(self.statements)[Role.NEXT] if isinstance(s, NextStep))

    @property
    def is_refused(self) -> bool:
        """Whether data or plan leave no answer."""
        return any(isinstance(s, Refused) for s in self.statements)

    @property
    def test(self) -> str:
        """The test, in words."""
        return Text.joined(self.said(Role.TEST), "; ").render()

    @property
    def test_details(self) -> tuple[str, ...]:
        """How tests and intervals were made, and how often they err."""
        return tuple(d for s in self.statements if isinstance(s, ByTest) for d in s.details)

    def page_remarks(self) -> Iterator[tuple[str, str | Point]]:
        """The lines of the page below the table."""
        return self._remarks()

    def points(self) -> tuple[Point, ...]:
        """The notices as points of a document."""
        return tuple(Point(notice.is_fine, notice.text) for notice in self.notices)

    def answer_blocks(self) -> tuple[Block, ...]:
        """The sentences of the answer: methods that did not run, grave doubts, what was found, and what to choose."""
        roles = by_role(self.statements)
        before = (*([self.absence] if self.absence else []), *self._grave())
        blocks = [Paragraph(Strong(text)) for text in before]
        found = [s for s in (*roles[Role.ANSWER], *roles[Role.CHOICE]) if not isinstance(s, DidNotRun)]
        texts = [say(s, self.scope).render() for s in found if not s.only_full]
        return (*blocks, AnswerBlock(texts[0]), *map(Paragraph, texts[1:]))

    def further_answers(self) -> tuple[Block, ...]:
        """The sentences of the answer that stand on the full page only."""
        roles = by_role(self.statements)
        return tuple(
            Paragraph(say(s, self.scope).render())
            for s in (*roles[Role.ANSWER], *roles[Role.CHOICE])
            if s.only_full and not isinstance(s, DidNotRun)
        )

    def _names(self) -> tuple[str, ...]:
        """Names with which a sentence may begin, and which stay as they are."""
        return ()

    def to_document(self, *, full: bool = False, explain: bool = False) -> Document:
        """The page: answer, choice, one table, and a line each for reading, test, doubts and next steps.

        ``full`` adds every check, reason and reference, ``explain`` what the columns mean.
        """
        table = self.to_table() if full else self.page_table()
        blocks: list[Block] = [*self.answer_blocks(), *(self.further_answers() if full else ()), table]
        blocks += self.more_tables() if full else ()
        if explain and (texts := self.explanations()):
            blocks.append(Facts(texts))
        blocks.append(Facts(tuple(self.full_remarks() if full else self.page_remarks())))
        return Document(tuple(blocks))

    def page_table(self) -> Table:
        """The table of the page: without a caption, and of very many methods the first."""
        return replace(self._short(self.to_table()), caption="")

    @property
    def full(self) -> Document:
        """The page with every check, reason and reference."""
        return self.to_document(full=True)

    @property
    def explained(self) -> Document:
        """The page with what its columns mean."""
        return self.to_document(explain=True)

    def _short(self, table: Table) -> Table:
        """The table of the page: the first methods, those that are asked about by name, and the yardsticks."""
        return table

    def _remarks(self) -> Iterator[tuple[str, str | Point]]:
        if read := self.read():
            yield "Read", read
        roles = by_role(self.statements)
        if test := self.test:
            yield "Test", test
        short = [s for s in roles[Role.DOUBT] if not s.only_full]
        doubts = [s for s in short if not (isinstance(s, Notice) and s.severity == "grave")]
        for doubt in doubts[:MOST_DOUBTS]:
            yield "Beware", doubt.sentence if isinstance(doubt, Notice) else say(doubt, self.scope).render()
        if len(doubts) > MOST_DOUBTS:
            yield "Beware", f"and {len(doubts) - MOST_DOUBTS} more on the full page"
        fragile = [s for s in roles[Role.STABILITY] if isinstance(s, Fragile) and not s.only_full]
        for hangs in fragile[:MOST_FRAGILE]:
            yield "Fragile", say(hangs, self.scope).render()
        for step in [s for s in roles[Role.NEXT] if not s.only_full][:MOST_STEPS]:
            yield "Next", say(step, self.scope).render()

    def full_remarks(self) -> Iterator[tuple[str, str | Point]]:
        """The lines of the full page: every check, reason and reference."""
        if read := self.read():
            yield "Read", read
        roles = by_role(self.statements)
        for s in roles[Role.TEST]:
            details = s.details if isinstance(s, ByTest) else ()
            works = f" ({names_of_works(self.reference)})" if self.reference else ""
            why = f" Why: {self.why}.{works}" if self.why and not self.is_refused else ""
            yield "Test", "; ".join((say(s, self.scope).render(), *details)) + "." + why
        for doubt in roles[Role.DOUBT]:
            if not (isinstance(doubt, Notice) and doubt.severity == "grave" and not self.is_refused):
                yield "Beware", say(doubt, self.scope).render()
        for s in roles[Role.CHECK]:
            yield "Checked", Point(getattr(s, "is_fine", True), say(s, self.scope).render())
        for s in roles[Role.STABILITY]:
            yield s.title or ("Fragile" if isinstance(s, Fragile) else "Stable"), say(s, self.scope).render()
        for text in self.said(Role.NEXT):
            yield "Next", text.render()

    def to_dict(self) -> dict[str, Any]:
        """The whole answer as plain data: statements with their words, tables, and what belongs to its kind."""
        statements = [with_words(s, self.scope) for own in by_role(self.statements).values() for s in own]
        return {
            "answer": self.sentence,
            "statements": statements,
            "question": self.question.to_dict(),
            "measure": self.measure.name,
            "higher_is_better": self.measure.higher_is_better,
            "why": self.why,
            "reference": self.reference,
            "table": self.to_table().to_dict(),
            "more_tables": [table.to_dict() for table in self.more_tables()],
            "failed_trials": self.failed,
            **self.own_data(),
        }

    def render(self, how: str, *, full: bool = False, explain: bool = False) -> str:
        """The page in one of the output formats: text, md, html; json; csv and latex have its table alone."""
        if (full or explain) and how in ("text", "md", "html"):
            return self.to_document(full=full, explain=explain).render(how)
        return render_result(self, how)
