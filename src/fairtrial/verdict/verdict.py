"""The verdict: the answer of a comparison, its table, and the statements behind it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.design import Question
from fairtrial.doors import door
from fairtrial.measures import Measure
from fairtrial.resampling import score_unit
from fairtrial.results.absentees import Absentee
from fairtrial.results.how_read import Reading
from fairtrial.results.provenance import A_DATASET
from fairtrial.results.score_measures import is_known_measure
from fairtrial.shown import drawn
from fairtrial.statements import Role, Statement, with_words
from fairtrial.stats import Comparisons, Outcome
from fairtrial.tables import Across, Table
from fairtrial.verdict.absent_methods import absentees_of
from fairtrial.verdict.answer import MOST_ROWS, Answer
from fairtrial.verdict.claims.best import Choice
from fairtrial.verdict.claims.level import Claim
from fairtrial.verdict.designs.comparison_table import explanations
from fairtrial.verdict.designs.decide import Pair
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Basis, Finding
from fairtrial.verdict.preregistered import AskedWhen
from fairtrial.verdict.words.wording import Scope, Wording
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results


@door
@dataclass(frozen=True, eq=False)
class Verdict(Answer):
    """The answer to a question about methods, with its evidence.

    ``print(verdict)`` shows the page, ``verdict.full`` every check, reason and reference, ``verdict.explained`` also
    what the columns mean. ``render("md")`` writes it in another format, ``figure()`` draws it; ``to_table()``,
    ``to_document()`` and ``to_dict()`` give it as data.
    """

    question: Question
    measure: Measure
    rule: str
    why: str
    reference: str
    finding: Finding
    evidence: Evidence
    asked: AskedWhen = field(default_factory=AskedWhen)
    basis: Basis | None = None
    reading: Reading | None = None
    failed: int = 0
    path: Path | None = None

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All that was found, as data."""
        return self.finding.statements

    @property
    def scope(self) -> Scope:
        """What the statements are about, and how their numbers are written."""
        return self.finding.scope

    @property
    def results(self) -> Results | None:
        """The results that were asked."""
        return None if self.basis is None else self.basis.results

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
        """The tests of pairs: with the control, or of all pairs, which are another family than the page's."""
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

    def more_tables(self) -> tuple[Table, ...]:
        """Further tables, for the full page."""
        return self.finding.more_tables

    def read(self) -> str:
        """How the data were read; of a study its size."""
        evidence = self.evidence
        if self.reading is not None:
            text = self.reading.sentence(self.measure)
            if not is_known_measure(self.measure.name):
                text += f", {'higher' if self.measure.higher_is_better else 'lower'} is better"
            unknown = any(n.guard == "shared_splits" and n.severity == "warning" for n in self.notices)
            if len(evidence.methods) == 1 or not unknown or evidence.unit != A_DATASET:
                return text
            seeds = score_unit(evidence.dependence) == "seed"
            return f"{text}; {'the same split is' if seeds else 'equal splits are'} assumed"
        schemes = list(dict.fromkeys(d.scheme for d in evidence.dependence))
        size = f"{plural(len(evidence.datasets), evidence.unit)} × {plural(len(evidence.methods), 'method')}"
        return f"{size}, {listed(schemes)}, {Wording(self.measure).name}"

    def explanations(self) -> tuple[tuple[str, str], ...]:
        """What the columns of the table mean, by their titles."""
        return explanations(self.to_table(), self.finding.compared)

    def _names(self) -> tuple[str, ...]:
        return tuple(f"{m} " for m in self.evidence.columns)

    def _short(self, table: Table) -> Table:
        if self.finding.summary is not None:
            return self.finding.summary
        if table.columns[0].key == "pair":
            return _first_pairs(table)
        k = len(self.evidence.methods)
        if k <= MOST_ROWS or len(table.rows) < k or table.columns[0].key != "method" or table.rule_before:
            return table
        named = {self.question.control, *(s.cheaper for s in self.finding.of_kind(Choice))}
        named |= {s.method for s in self.finding.of_kind(Choice)}
        kept = [row for i, row in enumerate(table.rows[:k]) if i < MOST_ROWS or row[0] in named]
        left = [row for row in table.rows[:k] if row not in kept]
        out = sum(row[-1] == "out" for row in left)
        state = "all out" if out == len(left) else f"{out} of them out" if out else ""
        rest = (f"and {plural(len(left), 'other')}", *(None,) * (len(table.columns) - 2), Across(state))
        return replace(table, rows=(*kept, rest, *table.rows[k:]))

    def own_data(self) -> dict[str, Any]:
        """What only verdicts have, with all that :func:`fairtrial.verdict.verify` needs to make it again."""
        finding = self.finding
        compared = finding.compared
        pairs = finding.pairs if compared is not None and compared.family != "best" else ()
        asked = compared is not None and compared.family != "best"
        return {
            "winner": self.winner,
            "best": list(finding.best),
            "order": list(finding.order),
            **self._jointly(),
            "rule": self.rule,
            "family": None if compared is None else compared.family,
            "leads": None if finding.leads is None else finding.leads.to_dict(),
            "decisions": [self._decision(pair) for pair in pairs],
            "comparisons": self.comparisons.to_dict() if asked and self.comparisons is not None else None,
            "claim": None if self.claim is None else self.claim.to_dict(),
            "omnibus": None if self.omnibus is None else self.omnibus.to_dict(),
            "parts": {d: _plain(f) for d, f in finding.parts},
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

    def figure(self) -> Figure:
        """Draw what fits: each method's lead with its interval, differences from the control, or dots."""
        return drawn("figure_for", self)

    def methods_paragraph(self, how: str = "text") -> str:
        r"""A paragraph on design and analysis for a paper: ``"text"``, ``"md"`` or ``"latex"`` (with ``\cite``)."""
        from fairtrial.report.write_up import methods_paragraph

        return methods_paragraph(self, how)

    def bibtex(self) -> str:
        """The BibTeX entries of the works that :meth:`methods_paragraph` cites."""
        from fairtrial.report.write_up import bibtex

        return bibtex(self)


def _first_pairs(table: Table) -> Table:
    """The first pairs of a table of all pairs; the others are counted."""
    left = table.rows[MOST_ROWS:]
    if not left:
        return table
    differ = sum(row[-1] == "differ" for row in left)
    rest = (
        f"and {plural(len(left), 'other')}",
        *(None,) * (len(table.columns) - 2),
        Across(f"{differ} of them differ"),
    )
    return replace(table, rows=(*table.rows[:MOST_ROWS], rest))


def _plain(part: Finding) -> dict[str, Any]:
    """The finding on one data set as plain data."""
    claim = {} if part.claim is None else {"claim": part.claim.to_dict()}
    said = [with_words(s, part.scope) for s in part.statements if s.role == Role.ANSWER]
    return {"winner": part.winner, "statements": said, "table": part.table.to_dict(), **claim}
