"""How a verdict and its table show methods that did not run and failed trials."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fairtrial.results.absentees import Absentee
from fairtrial.results.failure_policy import MARK
from fairtrial.tables import Across, Marked, Table
from fairtrial.verdict.claims.support import DidNotRun, NextStep, next_step
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.words import MOST_NAMED, listed, plural

ROW = "did not run"


def with_absentees(finding: Finding, absent: Sequence[Absentee]) -> Finding:
    """The finding with the methods that did not run in its first sentence, and below the others in its table."""
    if not absent:
        return finding
    return replace(
        finding,
        statements=(DidNotRun(tuple(absent)), *finding.statements, _to_have_them(absent)),
        table=with_rows_of_absentees(finding.table, absent),
    )


def _to_have_them(absent: Sequence[Absentee]) -> NextStep:
    """What must be done to say something about methods that did not run."""
    names = listed(dict.fromkeys(a.method for a in absent))
    if all(a.unit == "trial" for a in absent):
        return next_step("repair", f"repair {names}, and run the trials again (--retry-failed)", rank=-1)
    return next_step("bring", f"bring the scores of {names} that are missing", rank=-1)


def with_rows_of_absentees(table: Table, absent: Sequence[Absentee]) -> Table:
    """The table with a row for each method that did not run, without numbers; a note where rows aren't methods."""
    keys = [c.key for c in table.columns]
    if not absent or keys[0] != "method":
        return replace(table, notes=(*table.notes, *(f"{a.method} {a.brief}" for a in absent)))
    blank: tuple[object, ...] = (None,) * (len(keys) - 2)
    rows = [
        (a.method, *blank, Across(a.brief)) if keys[-1] == "mark" else (a.method, _did_not_run_cell(a), *blank)
        for a in absent
    ]
    return replace(table, rows=(*table.rows, *rows))


def _did_not_run_cell(absentee: Absentee) -> Marked:
    return Marked(None, text=ROW, note=str(absentee))


def legend(evidence: Evidence, shown: Sequence[str] | None = None, text: str | None = None) -> tuple[str, ...]:
    """The meaning of the mark, if a mean that is shown contains failed trials; else nothing."""
    names, scored = evidence.methods if shown is None else shown, evidence.scored if text is None else text
    return (f"{MARK} {scored}",) if scored and any(map(evidence.stood_in, names)) else ()


def failed_note(evidence: Evidence) -> tuple[str, ...]:
    """Methods that did not run on a data set, below a table that has a cell for each."""
    cells = [a for d in evidence.datasets for a in evidence.absent_on.get(d, ())]
    more = len(cells) - MOST_NAMED
    return (*map(str, cells[:MOST_NAMED]), *((f"and {plural(more, 'more such cell')}",) if more > 0 else ()))


def left_out(absent: Sequence[Absentee]) -> tuple[str, ...]:
    """Methods that are not in a table or a figure, without the reasons."""
    return (f"left out: {listed([f'{a.method} {a.state}' for a in absent])}",) if absent else ()


def absentees_of(evidence: Evidence, finding: Finding) -> tuple[Absentee, ...]:
    """All methods that the finding leaves out: on the whole, or on data sets that are judged by themselves."""
    return (*evidence.absent, *_on_parts(evidence, finding))


def _on_parts(evidence: Evidence, finding: Finding) -> Iterator[Absentee]:
    for name in evidence.datasets if finding.each else ():
        yield from evidence.absent_on.get(name, ())
