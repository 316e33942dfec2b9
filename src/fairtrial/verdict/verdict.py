"""The verdict: the answer first, then the evidence, the test and why, what was checked, what would change it."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from fairtrial.design import Question
from fairtrial.measures import Measure
from fairtrial.notices import Notice
from fairtrial.results.absentees import Absentee
from fairtrial.stats import Comparisons, Outcome
from fairtrial.tables import Table
from fairtrial.tables.render import escape_html, escape_markdown, json_text, plain
from fairtrial.verdict.absent_methods import absentees_of
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.words import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Verdict", "render_as", "wrap_remarks"]

WIDTH = 118
INDENT = 10


@dataclass(frozen=True, eq=False)
class Verdict:
    """The answer to a question. ``print(verdict)`` says it; ``to_table``, ``to_dict`` and ``figure`` show more."""

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

    @property
    def sentence(self) -> str:
        """The answer; before it, who did not run."""
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
        """The methods that are left out, since most of their trials failed, or most of those on a data set."""
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
    def parts(self) -> dict[str, Finding]:
        """Findings per data set, where each is judged by itself."""
        return dict(self.finding.parts)

    def to_table(self) -> Table:
        return self.finding.table

    def remarks(self) -> Iterator[tuple[str, str]]:
        """Labelled lines that follow the table."""
        yield "Test", f"{self.finding.test} Why: {self.why}. ({self.reference})"
        for notice in self.notices:
            yield "Checked", str(notice)
        for text in self.stable:
            yield "Stable", text
        for text in self.finding.next_steps:
            yield "Next", text

    def __str__(self) -> str:
        lines = [*map(visible, self.finding.sentences), "", str(self.to_table()), ""]
        return "\n".join([*lines, *wrap_remarks(self.remarks())])

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "answer": self.sentence,
            "sentences": list(self.finding.sentences),
            "winner": self.winner,
            "order": list(self.finding.order),
            "question": self.question.to_dict(),
            "measure": self.measure.name,
            "higher_is_better": self.measure.higher_is_better,
            "rule": self.rule,
            "test": self.finding.test,
            "why": self.why,
            "reference": self.reference,
            "table": self.to_table().to_dict(),
            "comparisons": None if self.comparisons is None else self.comparisons.to_dict(),
            "omnibus": None if self.omnibus is None else self.omnibus.to_dict(),
            "parts": {d: {"sentences": list(f.sentences), "table": f.table.to_dict()} for d, f in self.finding.parts},
            "checks": [{"fine": n.is_fine, "text": n.text, **n.to_dict()} for n in self.notices],
            "stable": list(self.stable),
            "next": list(self.finding.next_steps),
            "failed_trials": self.failed,
            "did_not_run": [absentee.to_dict() for absentee in self.did_not_run],
        }

    def render(self, how: str) -> str:
        """The verdict as text, json, csv (the table), md or latex."""
        return render_as(how, self, " ".join(self.finding.sentences))

    def figure(self) -> Figure:
        """The picture that fits: a critical-difference diagram over data sets, else dots and intervals."""
        from fairtrial.figures import figure_for

        return figure_for(self)

    def _repr_html_(self) -> str:
        sentences = "".join(f"<p><strong>{escape_html(s)}</strong></p>" for s in self.finding.sentences)
        remarks = "".join(f"<li>{escape_html(label)}: {escape_html(text)}</li>" for label, text in self.remarks())
        return f"{sentences}{self.to_table().to_html()}<ul>{remarks}</ul>"


def wrap_remarks(remarks: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Labelled texts as lines that fit the terminal; the same label is written once, a long one on its own line."""
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    width = max(60, min(WIDTH, columns)) - INDENT
    last = ""
    for label, text in remarks:
        head = label if label != last else ""
        last = label
        if len(head) >= INDENT:
            yield head
            head = ""
        first, *others = textwrap.wrap(visible(text), width, break_long_words=False, break_on_hyphens=False)
        yield f"{head:<{INDENT}}{first}"
        yield from (" " * (INDENT + 2 * (label == "Checked")) + line for line in others)


class Renderable(Protocol):
    """What one verdict, and verdicts at several levels, have in common."""

    def to_table(self) -> Table: ...

    def to_dict(self) -> dict[str, Any]: ...

    def remarks(self) -> Iterator[tuple[str, str]]: ...


def render_as(how: str, verdict: Renderable, answer: str, charts: Iterable[Table] = ()) -> str:
    """A verdict as text, json, csv (its table), latex or md; in the last ``charts`` follow the table."""
    if how == "text":
        return str(verdict)
    if how == "json":
        return json_text(plain(verdict.to_dict()))
    table = verdict.to_table().render(how)
    if how != "md":
        return table
    shown = [part for chart in charts for part in (chart.to_markdown(), "")]
    remarks = [f"- **{escape_markdown(label)}** {escape_markdown(text)}" for label, text in verdict.remarks()]
    return "\n".join([escape_markdown(answer), "", table, "", *shown, *remarks])
