"""Doubts where they belong: a grave one about data or plan leaves no verdict, the remedies of others are next steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fairtrial.notices import Notice
from fairtrial.statements import Role, Statement, Text
from fairtrial.tables import Table
from fairtrial.verdict.claims.support import ByTest, DidNotRun, NextStep, Refused
from fairtrial.verdict.finding import Finding

SPOILING = ("data", "plan")
ABOUT_AN_ANSWER = ("one_scale",)
"""Guards whose notices say what an answer would mean."""

NOTHING_TO_SHOW = "same_method_twice"
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
