"""Doubts where they belong: a grave one about data or plan leaves no verdict, the remedies of others are next steps.

Data sets that seem to be versions of one source count once, and the answer says what it would be otherwise.

The table of all guards, from the data to the verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from fairtrial.design import Question
from fairtrial.notices import Notice, all_guards
from fairtrial.statements import Role, Statement, Text
from fairtrial.tables import Column, Table
from fairtrial.verdict.claims.support import ByTest, DidNotRun, NextStep, Refused
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.words import listed

if TYPE_CHECKING:
    pass


SPOILING = ("data", "plan")
ABOUT_AN_ANSWER = ("one_scale",)
"""Guards whose notices say what an answer would mean."""

TESTED = ("effect", "interval", "p_adjusted", "wins_ties_losses", "mark")


def with_notices(finding: Finding, notices: Sequence[Notice]) -> Finding:
    """The finding with these notices, and what would remove a doubt among its next steps.

    A grave notice about data or plan leaves no verdict: there is no winner, and nothing is said about the scores. After
    a grave one there are no other steps: more data would not help a comparison that is spoilt.
    """
    grave = [n for n in notices if n.severity == "grave"]
    spoilt = [n for n in grave if n.stage in SPOILING]
    if spoilt:
        return _refused(finding, notices, spoilt)
    doubts = grave or [n for n in notices if n.severity == "doubt"]
    kept = finding.without(Role.NEXT) if grave else finding
    return kept.adding(*notices, *_remedies(doubts))


def _refused(finding: Finding, notices: Sequence[Notice], spoilt: Sequence[Notice]) -> Finding:
    scales = next((n for n in notices if n.guard == "scales_apart" and n.severity == "grave"), None)
    kept: list[Statement] = [s for s in finding.statements if isinstance(s, DidNotRun)]
    kept += [Refused(spoilt[0], len(spoilt) - 1, scales), ByTest("", "none", none=True)]
    kept += [n for n in notices if n is not spoilt[0] and n.guard not in ABOUT_AN_ANSWER]
    kept += _remedies([*spoilt, *([scales] if scales else [])])
    return replace(
        finding,
        statements=tuple(kept),
        table=_means_only(finding.table, comparable=scales is None),
        winner=None,
        best=(),
        compared=None,
        more_tables=(),
    )


def _remedies(notices: Iterable[Notice]) -> list[NextStep]:
    """What would remove these doubts, each once."""
    texts = dict.fromkeys(n.remedy for n in notices if n.remedy)
    return [NextStep("repair", words=Text(text), rank=-1) for text in texts]


def is_spoilt(notices: Iterable[Notice]) -> bool:
    """Whether data or plan leave no verdict."""
    return any(n.severity == "grave" and n.stage in SPOILING for n in notices)


def _means_only(table: Table, *, comparable: bool) -> Table:
    """The table without what was tested: names and means; without these where scores are not comparable."""
    left_out = TESTED if comparable else (*TESTED, "mean")
    kept = [j for j, c in enumerate(table.columns) if c.key not in left_out]
    columns = tuple(table.columns[j] for j in kept)
    rows = tuple(tuple(row[j] for j in kept) for row in table.rows)
    return replace(table, columns=columns, rows=rows, notes=())


GUARD = "parts_of_sources"
NO_FAMILIES = {"none": ()}


def by_sources(notices: Sequence[Notice], evidence: Evidence, question: Question) -> tuple[Question, Question | None]:
    """The question that is answered, and the other one: with each source of data sets as a family, and with none.

    The other one is None where no guard doubts that data sets are independent.
    """
    if dict(question.family) == NO_FAMILIES:
        return replace(question, family={}), None
    doubt = _doubt(notices)
    if doubt is None or question.domains == "these":
        return question, None
    family = {name if name not in evidence.datasets else f"{name} …": own for name, own in _families(doubt).items()}
    together = replace(question, family=family)
    return (together, question) if doubt.evidence["counted"] else (question, together)


def counted_once(
    notices: Sequence[Notice], finding: Finding, other: Finding, evidence: Evidence, question: Question
) -> tuple[Notice, ...]:
    """The notices, of which the doubt says how sources were counted, and what the answer is if they count otherwise."""
    doubt = _doubt(notices)
    assert doubt is not None
    n, same = len(evidence.datasets), _is_same(finding, other)
    if doubt.evidence["counted"]:
        units = units_of(evidence, question.family).n
        text = f"; parts of one source are not independent evidence, so each source counts once ({units} in all); "
        text += f"counted as {n} (--family none), "
        told = replace(doubt, sentence=f"{doubt.sentence}{text}{_compared(finding, other)}{_more(finding, other)}")
    elif same:
        text = "; if each source counts once, the answer is the same"
        told = replace(doubt, severity="fine", sentence=f"{doubt.sentence}{text}", remedy="")
    else:
        text = f"; if each source counts once, {_compared(finding, other)}{_more(finding, other)}"
        sure = doubt.evidence["by"] == "versions"  # first parts and sizes may be alike by chance
        told = replace(doubt, severity="doubt" if sure else "warning", sentence=f"{doubt.sentence}{text}")
    return tuple(told if notice is doubt else notice for notice in notices)


def is_stronger(finding: Finding, other: Finding) -> bool:
    """Whether a finding claims a winner that another one has not, or puts more methods out."""
    if finding.winner != other.winner:
        return finding.winner is not None
    return finding.winner is None and bool(other.best) and set(finding.best) < set(other.best)


def not_counted(notices: Sequence[Notice]) -> tuple[Notice, ...]:
    """The notices, whose sources are not counted."""
    return tuple(
        replace(n, evidence={**n.evidence, "counted": False, "by": "versions"}) if n is _doubt(notices) else n
        for n in notices
    )


def _families(doubt: Notice) -> Mapping[str, Sequence[str]]:
    return cast("Mapping[str, Sequence[str]]", doubt.evidence["families"])


def _doubt(notices: Sequence[Notice]) -> Notice | None:
    return next((n for n in notices if n.guard == GUARD and "families" in n.evidence), None)


def _is_same(finding: Finding, other: Finding) -> bool:
    """Whether two findings have the same winner, the same methods that may be best, and as many pairs that differ."""
    return (finding.winner, set(finding.best), _more(finding, other)) == (other.winner, set(other.best), "")


def _more(finding: Finding, singly: Finding) -> str:
    """How many pairs are shown to differ if each data set counts, where these are not as many."""
    if singly.leads is not None or len(singly.pairs) == 1:
        return ""
    here, there = (sum(p.different for p in f.pairs) for f in (finding, singly))
    return "" if here == there else f", and {there} instead of {here} pairs would differ"


def _compared(finding: Finding, singly: Finding) -> str:
    """What is the same and what is another in the second of two findings."""
    if singly.winner is not None:
        return f"{singly.winner} would {'still ' if singly.winner == finding.winner else ''}be the best"
    if not singly.best:
        return "no method would be shown to be the best"
    if set(singly.best) == set(finding.best):
        return f"the same {len(singly.best)} methods could be the best"
    return f"the best would be one of {len(singly.best)}: {listed(singly.best)}"


def guards_table() -> Table:
    """All guards, for ``fairtrial list guards``: this room can import all that have some.

    >>> guards_table().cells()[0][:2]
    ['revealing_feature', 'data']
    """
    import fairtrial.design.plan_guards
    import fairtrial.engine.run  # noqa: F401 - both register their guards

    titles = ("guard", "stage", "looks for", "room")
    rows = tuple((g.name, g.stage, g.looks_for.rstrip("."), g.room) for g in all_guards())
    return Table(tuple(Column(t, align="left") for t in titles), rows, caption="guards, in the order of a study")
