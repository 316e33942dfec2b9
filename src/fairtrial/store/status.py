"""The progress of a study, read from its file without numpy, so that the answer comes at once.

The status of a study as a document: a row for each pair while there are few, else a board of data sets × methods.
"""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairtrial.store.checks.json import LEVELS, moment
from fairtrial.store.checks.rows import check_rows
from fairtrial.store.paths import holder
from fairtrial.store.sessions import Session
from fairtrial.store.study_file import StudyFile
from fairtrial.tables import Column, Document, Paragraph, Shown, Table, formats, render_result
from fairtrial.tables.private import hide_command, hide_places
from fairtrial.tables.render_text import width
from fairtrial.words import listed, part_of, plural, verb

LATELY = 60.0  # seconds
SPENT = "(fit_time + COALESCE(predict_time, 0))"
COUNTS = "SUM(status = 'ok') AS done, SUM(status = 'failed') AS failed, SUM(status = 'waiting') AS missing"


@dataclass(frozen=True, slots=True)
class PairStatus:
    """The trials of one method on one data set.

    ``seconds`` is the time that they took so far. ``each`` is the time that one of them is expected to take, estimated
    from similar trials (None where there are none). ``lately`` is the number that ended in the last minute.
    """

    dataset: str
    method: str
    done: int
    failed: int
    missing: int
    seconds: float
    each: float | None
    lately: int

    @property
    def total(self) -> int:
        return self.done + self.failed + self.missing

    @property
    def left(self) -> float | None:
        """The expected seconds of computing for the missing trials; None where no estimate is possible."""
        if not self.missing:
            return 0.0
        return None if self.each is None else self.missing * self.each


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Trials of one method that failed for one reason, with their number on each data set."""

    method: str
    reason: str
    datasets: Mapping[str, int]

    @property
    def count(self) -> int:
        return sum(self.datasets.values())


@dataclass(frozen=True, slots=True)
class LevelStatus:
    """The trials at one combination of factor levels."""

    levels: Mapping[str, Any]
    done: int
    failed: int
    missing: int


@dataclass(frozen=True, slots=True)
class StudyStatus(Shown):
    """The progress of a study: who runs it, what is done, what failed.

    A trial gets into the file when it has ended. ``holder`` is the process that writes the file now, and ``lately`` the
    number of trials that ended in the last minute. ``pace`` is the number of seconds of computing done in a second,
    which is about the number of busy workers. ``again`` counts trials that were run more than once. ``lost_log`` says
    what is wrong where a part of the file was not copied; it is empty where nothing is.
    """

    path: Path | None
    pairs: tuple[PairStatus, ...]
    failures: tuple[FailureGroup, ...]
    levels: tuple[LevelStatus, ...]
    again: int
    holder: str | None
    session: Session | None
    pace: float | None
    lost_log: str = ""

    @property
    def done(self) -> int:
        return sum(p.done for p in self.pairs)

    @property
    def failed(self) -> int:
        return sum(p.failed for p in self.pairs)

    @property
    def missing(self) -> int:
        return sum(p.missing for p in self.pairs)

    @property
    def total(self) -> int:
        return self.done + self.failed + self.missing

    @property
    def lately(self) -> int:
        return sum(p.lately for p in self.pairs)

    @property
    def seconds(self) -> float:
        """The seconds of computing so far."""
        return sum(p.seconds for p in self.pairs)

    @property
    def left(self) -> float:
        """The expected seconds of computing for the missing trials, over the pairs with an estimate."""
        return sum(p.left or 0.0 for p in self.pairs)

    @property
    def unknown(self) -> int:
        """The number of pairs without an estimate for their missing trials."""
        return sum(p.left is None for p in self.pairs)

    @property
    def wait(self) -> float | None:
        """The expected seconds until the running study is done; None where no estimate is possible."""
        if self.holder is None or not self.pace or self.unknown:
            return None
        return self.left / self.pace

    def to_table(self) -> Table:
        """A row for each data set and method."""

        return status_table(self)

    def to_document(self, within: int | None = None) -> Document:
        """The status as it is printed, with a board of data sets × methods that fits ``within`` characters."""

        return status_document(self, within)

    def render(self, how: str) -> str:
        """The status in one of the output formats: text, md, html; json; csv and latex have a row for each pair."""
        return render_result(self, how)

    def to_dict(self) -> dict[str, Any]:
        """The whole status as plain data, for scripts."""
        totals = ("done", "failed", "missing", "total", "seconds", "left", "wait", "lately", "again", "pace", "holder")
        pair = ("dataset", "method", "done", "failed", "missing", "seconds", "left", "lately")
        level = ("levels", "done", "failed", "missing")
        failure = ("method", "reason", "count", "datasets")
        return {
            "file": None if self.path is None else str(self.path),
            **{name: getattr(self, name) for name in totals},
            "lost_log": self.lost_log,
            "session": None if self.session is None else self.session.to_dict(),
            "pairs": [{name: getattr(p, name) for name in pair} for p in self.pairs],
            "levels": [{name: getattr(part, name) for name in level} for part in self.levels],
            "failures": [{name: getattr(f, name) for name in failure} for f in self.failures],
        }


def study_status(file: StudyFile, now: float | None = None) -> StudyStatus:
    """Read the progress of a study's current revision; ``now`` (seconds since 1970) is for tests."""
    check_rows(file)
    now = time.time() if now is None else now
    sessions = file.sessions()
    elsewhere = {session.host for session in sessions} - {platform.node(), ""}
    began = moment(sessions[-1].started, file.name).timestamp() if sessions else now
    counts = _Counts(file, file.revision(), sessions[-1].id if sessions else 0, max(began, now - LATELY))
    return StudyStatus(
        path=None if file.path is None else Path(file.name),
        pairs=tuple(_with_guesses(counts.pairs(), counts.sizes())),
        failures=tuple(_hidden(counts.failures(), elsewhere)),
        levels=tuple(counts.levels()),
        again=counts.again(),
        holder=None if file.path is None else holder(file.path),
        session=_without_places(sessions[-1], elsewhere) if sessions else None,
        pace=counts.pace(now, began),
        lost_log=file.lost_log,
    )


def _without_places(session: Session, elsewhere: Collection[str]) -> Session:
    """A session without the host and the folders of somebody else's machine: files are passed on."""
    if session.host not in elsewhere:
        return session
    return replace(session, host="another machine", pid=0, command=hide_command(session.command))


def _hidden(groups: Iterable[FailureGroup], elsewhere: Collection[str]) -> Iterator[FailureGroup]:
    for group in groups:
        yield replace(group, reason=hide_places(group.reason, elsewhere)) if elsewhere else group


class _Counts:
    """The queries on trials, each one pass; only the first sorts them all."""

    def __init__(self, file: StudyFile, revision: int, session: int, since: float) -> None:
        self.file, self.revision, self.session, self.since = file, revision, session, since
        self.datasets: dict[int, str] = dict(file.query("SELECT id, name FROM dataset"))
        self.methods: dict[int, str] = dict(file.query("SELECT id, name FROM method"))

    def pairs(self) -> list[PairStatus]:
        rows = self.file.rows(
            f"SELECT dataset, method, {COUNTS}, TOTAL({SPENT}) AS seconds, AVG({SPENT}) AS each FROM trial "
            "WHERE revision = ? GROUP BY dataset, method ORDER BY dataset, method",
            self.revision,
        )
        lately = self._lately()
        return [
            PairStatus(
                dataset=self.datasets[row["dataset"]],
                method=self.methods[row["method"]],
                done=row["done"],
                failed=row["failed"],
                missing=row["missing"],
                seconds=row["seconds"],
                each=row["each"],
                lately=lately.get((row["dataset"], row["method"]), (0,))[0],
            )
            for row in rows
        ]

    def _lately(self) -> dict[tuple[int, int], tuple[int, float]]:
        """The number of trials of each pair that ended lately, and the seconds that they took since then."""
        rows = self.file.rows(
            f"SELECT dataset, method, COUNT(*), TOTAL(MIN({SPENT}, begun + {SPENT} - ?1)) FROM trial "
            f"WHERE revision = ?2 AND begun + {SPENT} > ?1 GROUP BY dataset, method",
            self.since,
            self.revision,
        )
        return {(d, m): (n, spent) for d, m, n, spent in rows}

    def again(self) -> int:
        query = "SELECT COUNT(*) FROM trial WHERE revision = ? AND attempts > 1"
        return int(self.file.query(query, self.revision)[0][0])

    def pace(self, now: float, began: float) -> float | None:
        """The seconds of computing done in a second: in the last minute or, if no trial ended in it, in the session."""
        since, spent = self.since, sum(seconds for _, seconds in self._lately().values())
        if not spent:
            query = f"SELECT TOTAL({SPENT}) FROM trial WHERE revision = ? AND session = ?"
            since, spent = began, self.file.query(query, self.revision, self.session)[0][0]
        return spent / (now - since) if spent and now > since else None

    def sizes(self) -> dict[str, float]:
        """The size of each data set: the logarithm of instances times features."""
        return {self.datasets[i]: math.log(max(1, f["n"] * f["p"])) for i, f in self.file.facts().items()}

    def levels(self) -> list[LevelStatus]:
        if not self.file.definition().factors:
            return []
        rows = self.file.rows(f"SELECT levels, {COUNTS} FROM trial WHERE revision = ? GROUP BY levels", self.revision)
        found = [
            LevelStatus(
                levels=self.file.json(row["levels"], LEVELS, "levels of trials"),
                done=row["done"],
                failed=row["failed"],
                missing=row["missing"],
            )
            for row in rows
        ]
        names = [f.name for f in self.file.definition().factors]
        return sorted(found, key=lambda part: [_sorted_by(part.levels, name) for name in names])

    def failures(self) -> list[FailureGroup]:
        """The failed trials grouped by method and reason, the largest group first."""
        rows = self.file.rows(
            "SELECT method, dataset, SUBSTR(error, 1, INSTR(error || CHAR(10), CHAR(10)) - 1) AS reason, COUNT(*) AS n "
            "FROM trial WHERE revision = ? AND status = 'failed' GROUP BY method, dataset, reason",
            self.revision,
        )
        groups: dict[tuple[str, str], dict[str, int]] = {}
        for row in rows:
            group = self.methods[row["method"]], row["reason"] or "no reason is known"
            groups.setdefault(group, {})[self.datasets[row["dataset"]]] = row["n"]
        found = [FailureGroup(method, reason, where) for (method, reason), where in groups.items()]
        return sorted(found, key=lambda group: -group.count)


def _with_guesses(pairs: Sequence[PairStatus], sizes: Mapping[str, float]) -> list[PairStatus]:
    """The pairs, with an estimate of a trial's time for those that have not run yet.

    The estimate is the time of the method on the data set nearest in size. If the method ran on no data set, it is the
    mean of the other methods on this data set.
    """
    known = {(p.dataset, p.method): p.each for p in pairs if p.each is not None}

    def guess(pair: PairStatus) -> float | None:
        own = [(abs(sizes[d] - sizes[pair.dataset]), each) for (d, m), each in known.items() if m == pair.method]
        if own:
            return min(own)[1]
        others = [each for (d, _), each in known.items() if d == pair.dataset]
        return sum(others) / len(others) if others else None

    return [p if p.each is not None or not p.missing else replace(p, each=guess(p)) for p in pairs]


def _sorted_by(levels: Mapping[str, Any], name: str) -> tuple[int, float, str]:
    """The place of a combination of levels by one factor: numbers, then other levels, then those without it."""
    if name not in levels:
        return 2, 0.0, ""
    level = levels[name]
    number = isinstance(level, (int, float)) and not isinstance(level, bool)
    return (0, float(level), "") if number else (1, 0.0, str(level))


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
