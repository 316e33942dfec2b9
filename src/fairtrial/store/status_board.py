"""The status of a study as a document: a row for each pair while there are few, else a board of data sets × methods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fairtrial.store.status import FailureGroup, PairStatus, StudyStatus
from fairtrial.tables import Column, Document, Paragraph, Table, formats
from fairtrial.tables.render_text import width
from fairtrial.words import listed, part_of, plural, verb

MOST_ROWS = 24
"""With more pairs than this the terminal shows a board."""

MOST_REASONS = 15
MOST_LEVELS = 30
LONGEST_NAME = 28


def status_table(status: StudyStatus) -> Table:
    """A table with a row for each data set and method."""
    columns = (
        Column("data set", align="left"),
        Column("method", align="left"),
        Column("done"),
        Column("failed"),
        Column("missing"),
        Column("time spent", formats.duration),
        Column("time left", formats.duration),
    )
    rows = tuple((p.dataset, p.method, p.done, p.failed, p.missing, p.seconds, p.left) for p in status.pairs)
    notes = (*_running(status), *_times(status), *_again(status), *_failures(status))
    return Table(columns=columns, rows=rows, caption=_counts(status), notes=notes)


def status_board(status: StudyStatus, within: int | None = None) -> Table:
    """A board with a mark for each data set and method; methods are numbered where their names don't fit ``within``."""
    methods = list(dict.fromkeys(p.method for p in status.pairs))
    datasets = list(dict.fromkeys(p.dataset for p in status.pairs))
    cells = {(p.dataset, p.method): p for p in status.pairs}
    marks = {place: _mark(pair, status.holder is not None) for place, pair in cells.items()}
    titles, notes = methods, []
    if within is not None and _wide(datasets, methods, list(marks.values())) > within:
        titles = [str(i) for i, _ in enumerate(methods, 1)]
        notes = ["methods: " + ", ".join(f"{i} {name}" for i, name in enumerate(methods, 1))]
    columns = (
        Column("data set", align="left"),
        *(Column(title) for title in titles),
        Column("spent", formats.duration),
        Column("left", formats.duration),
    )
    rows = tuple(
        (_cut(d), *(marks.get((d, m), "") for m in methods), *_sums([p for p in status.pairs if p.dataset == d]))
        for d in datasets
    )
    return Table(columns=columns, rows=rows, caption="data sets × methods", notes=(*notes, *_legend(marks.values())))


def status_document(status: StudyStatus, within: int | None = None) -> Document:
    """The status of a study as it is printed; a board of many pairs fits ``within`` characters."""
    path = f" · {status.path}" if status.path is not None else ""
    lines = (f"{_counts(status)}{path}", *_running(status), *_times(status), *_again(status))
    if len(status.pairs) <= MOST_ROWS:
        table = replace(status_table(status), caption="", notes=())
    else:
        table = status_board(status, within)
    levels = (_levels(status),) if status.levels else ()
    return Document((*map(Paragraph, lines), table, *levels, *map(Paragraph, _failures(status))))


def _counts(status: StudyStatus) -> str:
    done = part_of(status.done, status.total, "trial")
    return f"{done} done, {formats.count(status.failed)} failed, {formats.count(status.missing)} missing"


def _running(status: StudyStatus) -> Iterator[str]:
    """What is missing of the file; the process that writes it now, and its session; else the last session."""
    if status.lost_log:
        yield f"not whole: {status.lost_log}"
    session = status.session
    if session is None:
        yield "the study has not been run yet" if status.holder is None else f"being written by {status.holder}"
        return
    when = session.started[:16].replace("T", " ")
    by = f" on {session.host}: {session.command}" if session.host else ""  # an anonymous copy has no host
    what = f"session {session.id}, begun {when} UTC{by}"
    if status.holder is None:
        yield f"not running; last run in {what}"
        return
    yield f"being run by {status.holder} ({what})"
    yield f"trials that ended in the last minute: {formats.count(status.lately)}"


def _times(status: StudyStatus) -> Iterator[str]:
    text = f"computing: {formats.duration(status.seconds)} spent"
    if status.missing:
        text += f", about {formats.duration(status.left)} left" if status.left else ""
        if status.unknown:
            text += f"; unknown for {plural(status.unknown, 'pair')} without any trial so far"
    yield text
    if status.wait is not None and status.missing:
        pace = formats.significant(2)(status.pace)
        yield f"done in about {formats.duration(status.wait)}, at the present pace of {pace} s of computing a second"


def _again(status: StudyStatus) -> Iterator[str]:
    if status.again:
        yield f"{plural(status.again, 'trial')} {verb(status.again, 'was', 'were')} run more than once"


def _failures(status: StudyStatus) -> list[str]:
    shown = [_reason(group) for group in status.failures[:MOST_REASONS]]
    if rest := len(status.failures) - len(shown):
        shown.append(f"and {plural(rest, 'other reason')} (--format json has all)")
    if shown:
        shown.append("`fairtrial run … --retry-failed` runs failed trials again")
    return shown


def _reason(group: FailureGroup) -> str:
    where = [f"{name} ({n})" for name, n in sorted(group.datasets.items(), key=lambda item: -item[1])]
    return f"failed: {group.method}, {formats.count(group.count)}×: {group.reason}; on {listed(where)}"


def _levels(status: StudyStatus) -> Table:
    names = list(dict.fromkeys(name for part in status.levels for name in part.levels))
    columns = (*(Column(name, str) for name in names), Column("done"), Column("failed"), Column("missing"))
    rows = tuple(
        (*(part.levels.get(n, "–") for n in names), part.done, part.failed, part.missing) for part in status.levels
    )
    more = len(rows) - MOST_LEVELS
    notes = (f"and {plural(more, 'other combination')}",) if more > 0 else ()
    return Table(columns=columns, rows=rows[:MOST_LEVELS], caption="at each level of the factors", notes=notes)


def _mark(pair: PairStatus, running: bool) -> str:
    """The mark of a pair; :func:`_legend` says what the marks mean."""
    if pair.missing == pair.total:
        text = "·"
    elif pair.missing == 0:
        text = "✓"
    else:
        text = f"{min(99, max(1, 100 * (pair.total - pair.missing) // pair.total))} %"
    failed = f" {formats.count(pair.failed)}!" if pair.failed else ""
    return ("▸" if running and pair.lately and pair.missing else "") + text + failed


def _legend(marks: Iterable[str]) -> Iterator[str]:
    text = " ".join(marks)
    meanings = {"✓": "✓ all trials ended", "%": "45 % of the trials ended", "·": "· none yet", "!": "3! failed trials",
                "▸": "▸ some ended in the last minute"}  # fmt: skip
    yield ", ".join(meaning for mark, meaning in meanings.items() if mark in text)


def _sums(pairs: list[PairStatus]) -> tuple[float, float | None]:
    """The time spent and left on a data set; None for the time left where a pair has no estimate."""
    left = [p.left for p in pairs]
    return sum(p.seconds for p in pairs), None if None in left else sum(seconds or 0.0 for seconds in left)


def _cut(name: str) -> str:
    return name if width(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _wide(datasets: list[str], methods: list[str], marks: list[str]) -> int:
    """The width of a board that has the names of the methods."""
    widest = max(map(width, marks))
    return max(width(_cut(d)) for d in datasets) + sum(2 + max(width(m), widest) for m in methods) + 24
