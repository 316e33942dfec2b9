"""The study file: one SQLite database, written by one process at a time, readable by all."""

from __future__ import annotations

import json
import math
import sqlite3
import sys
import time
import zlib
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.definition import StudyDefinition
from fairtrial.errors import StudyFileError
from fairtrial.store.arrays import Stack, stack_up, stored_arrays
from fairtrial.store.checks.json import DEFINITION, FACTS, VERSIONS, Check, read_json, write_json
from fairtrial.store.checks.rows import check_rows
from fairtrial.store.checks.seals import NEW, row_seal, seal, sealing
from fairtrial.store.columns import SEAL, insertion, update
from fairtrial.store.connect import connect, lost_log, settle
from fairtrial.store.database import Database
from fairtrial.store.paths import Lock, real_path
from fairtrial.store.records import FILLED, REALS, Packed, Record, record_of, values_of
from fairtrial.store.schema import TABLES
from fairtrial.store.sessions import Session, now, this_session
from fairtrial.words import error_line

if TYPE_CHECKING:
    from fairtrial.data import Dataset
    from fairtrial.design import Plan
    from fairtrial.methods import Method
    from fairtrial.resampling import Split

_PLANNED = ("key", "revision", "position", "dataset", "method", "levels", "split", "replicate", SEAL)
_PLAN = insertion(
    "trial",
    _PLANNED,
    "ON CONFLICT (key) DO UPDATE SET "
    "revision = excluded.revision, position = excluded.position, method = excluded.method, levels = excluded.levels",
)
_WRITTEN = (*FILLED, "channels", "session")
_GIVEN = {  # by column, in SQL: the values of a record as they are stored; REAL turns whole numbers and -0.0 into 0.0
    name: f"?{place} + 0.0" if name in REALS else f"?{place}" for place, name in enumerate(_WRITTEN, start=1)
}
_GIVEN["attempts"] = "attempts + 1"
_COMPLETE = update(
    "trial",
    {**_GIVEN, SEAL: f"new_seal({SEAL}, {TABLES['trial'].sealed(_GIVEN)})"},
    f"key = ?{len(_WRITTEN) + 1} AND status <> 'ok'",
)
_PREDICTED = (
    f"INSERT OR REPLACE INTO array (trial, channel, dtype, shape, data, {SEAL}) "
    "SELECT id, ?2, ?3, ?4, ?5, ?6 FROM trial WHERE key = ?1 AND status <> 'ok'"
)
_DONE = (
    f"SELECT {', '.join(('id', 'key', *FILLED))} FROM trial "
    "WHERE revision = ? AND status <> 'waiting' ORDER BY position"
)
MERGE_SECONDS = 1.0  # between two merges of the log into the file: each takes some 10 ms, most of them waiting


class StudyFile:
    """A study file, open for reading or, under a lock, for writing. A context manager.

    Opening one runs nothing that is in it: definitions are JSON, arrays are raw bytes.
    """

    def __init__(self, path: str | Path | None, *, write: bool = False) -> None:
        self.path = None if path is None else real_path(path)
        self.name = "the study in memory" if path is None else str(path)  # the user's name for the file, for messages
        self.session: int | None = None
        self._definition: tuple[str, StudyDefinition] | None = None  # the text that was read last, and its content
        self._facts: dict[str, dict[str, Any]] = {}
        self._merged = -math.inf
        given = None if path is None else Path(path)
        self.lost_log = "" if write or self.path is None else lost_log(self.path)
        self._lock = Lock(given) if write and given is not None else None
        try:
            self._db = connect(given, write or path is None)
        except BaseException:
            self._release()
            raise
        self._inode = None if self.path is None else self.path.stat().st_ino

    def __enter__(self) -> StudyFile:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Merge the log into the file, so that this one file can be copied, and release the lock."""
        try:
            if self._lock is not None:
                settle(self._db)
            self._db.close()
        finally:
            self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # Writing the plan

    def register(self, plan: Plan) -> None:
        """Add the rows of a plan to the current revision of the study; trials that are done stay done.

        The position of a trial is its row in the plan. If the last revision has the same digest, its other rows are
        kept, after those of the plan: a part of a plan adds to the other parts and removes nothing. A new revision
        begins when the definition changes, or when other rows are requested than before. A damaged file is refused.
        """
        study = plan.study
        check_rows(self)
        with sealing(self._db):
            digest = study.digest()
            definition = replace(study.definition(), notices=plan.notices)
            text = json.dumps(definition.to_dict(), ensure_ascii=False)
            query = "SELECT revision, digest, definition FROM study ORDER BY revision DESC LIMIT 1"
            last = self._db.execute(query).fetchone()
            if last is not None and last[2] == text and self._begins_with(plan, last[0]):
                return
            row = {"created": now(), "digest": digest, "definition": text, SEAL: NEW}
            self._db.execute(insertion("study", tuple(row)), row)
            revision = self.revision()
            seal(self._db, "study", "revision = ?", revision)
            datasets = [self._dataset_id(d) for d in study.datasets]
            methods = [self._method_id(m) for m in study.methods]
            owners = [datasets[i] for i in plan.dataset_of_split.tolist()]
            splits = [self._split_id(*s) for s in zip(plan.splits, plan.split_digests, owners, strict=True)]
            levels = [write_json(chosen) for chosen in plan.levels]
            rows = (
                {
                    "key": trial.key,
                    "revision": revision,
                    "position": position,
                    "dataset": datasets[trial.dataset],
                    "method": methods[trial.method],
                    "levels": levels[level],
                    "split": splits[trial.split],
                    "replicate": trial.replicate,
                    SEAL: NEW,
                }
                for position, (trial, level) in enumerate(zip(plan.trials(), plan.level, strict=True))
            )
            self._db.executemany(_PLAN, rows)
            if last is not None and last[1] == digest:
                others = "UPDATE trial SET revision = ?, position = position + ? WHERE revision = ?"
                self._db.execute(others, (revision, len(plan), last[0]))
            for table in ("dataset", "method", "split"):
                seal(self._db, table, f"{SEAL} = {NEW}")
            seal(self._db, "trial", "revision = ?", revision)

    def _begins_with(self, plan: Plan, revision: int) -> bool:
        """Whether the rows of a plan are the first ones of a revision."""
        query = "SELECT key FROM trial WHERE revision = ? AND position < ? ORDER BY position"
        stored = (key for (key,) in self._db.execute(query, (revision, len(plan))))
        return all(a == b for a, b in zip_longest(stored, (trial.key for trial in plan.trials())))

    def _dataset_id(self, dataset: Dataset) -> int:
        truth = Packed.of(dataset.codes.astype("int32") if dataset.task == "classes" else dataset.target)
        facts = {
            "task": dataset.task,
            "classes": [str(c) for c in dataset.classes],
            "positive": None if dataset.positive is None else dataset.classes.index(dataset.positive),
            "n": dataset.n,
            "p": dataset.p,
            "source": dataset.source,
            "notes": [note.text for note in dataset.notes],
            "balance": list(dataset.balance.values()),
            "missing": dataset.missing,
            "nominal": sum(f.kind == "nominal" for f in dataset.features) / max(dataset.p, 1),
        }
        values = {"dtype": truth.dtype, "shape": _shape(truth.shape), "truth": truth.data}
        identity = {"fingerprint": dataset.fingerprint}
        return self._number("dataset", identity, {"name": dataset.name, "facts": write_json(facts), **values})

    def _method_id(self, method: Method) -> int:
        more = {"name": method.name, "canonical": write_json(method.canonical())}
        return self._number("method", {"digest": method.digest()}, more)

    def _split_id(self, split: Split, digest: bytes, dataset: int) -> int:
        identity = {"dataset": dataset, "digest": digest, "repeat": split.repeat, "fold": split.fold}
        sizes = {"n_train": split.n_train, "n_test": split.n_test}
        return self._number("split", identity, {**sizes, "test": _ints(split.test), "train": _ints(split.train)})

    def _number(self, table: str, identity: Mapping[str, object], more: Mapping[str, object]) -> int:
        """The number of the row with this identity; it is inserted where it is new, else it gets the new name."""
        row = {**identity, **more, SEAL: NEW}
        made = self._db.execute(insertion(table, tuple(row), "ON CONFLICT DO NOTHING"), row)
        if made.rowcount and made.lastrowid is not None:
            return made.lastrowid
        same = " AND ".join(f"{name} = :{name}" for name in identity)
        number = int(self._db.execute(f"SELECT id FROM {table} WHERE {same}", row).fetchone()[0])
        if "name" in row:
            self._db.execute(f"UPDATE {table} SET name = ? WHERE id = ?", (row["name"], number))
            seal(self._db, table, "id = ?", number)
        return number

    def waiting(self, rows: int = sys.maxsize, *, retry_failed: bool = False) -> Sequence[int]:
        """Positions of trials that are still to be run, in order; those of the last plan are below its ``rows``."""
        status = "status <> 'ok'" if retry_failed else "status = 'waiting'"
        query = f"SELECT position FROM trial WHERE revision = ? AND position < ? AND {status} ORDER BY position"
        return array("q", (row for (row,) in self._db.execute(query, (self.revision(), rows))))

    # Writing and reading records

    def begin_session(self) -> None:
        """Note who runs, where and with which versions; records appended from now on refer to it."""
        row = this_session().to_dict()
        row |= {"id": None, "versions": write_json(row["versions"]), "checks": 1, SEAL: NEW}
        with sealing(self._db):
            self.session = self._db.execute(insertion("session", tuple(row)), row).lastrowid
            seal(self._db, "session", "id = ?", self.session)
        self._merge_log()

    def _merge_log(self) -> None:
        """Merge the log into the file about once a second, so that little is lost where only the file is copied."""
        if time.monotonic() - self._merged >= MERGE_SECONDS:
            with suppress(StudyFileError, sqlite3.Error):  # what is in the log is safe there
                self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").close()
            self._merged = time.monotonic()

    def append(self, records: Sequence[Record]) -> None:
        """Write the records of some trials, durably, all or none. A trial that is done already stays as it is.

        A record that the database refuses is stored as a failed one, with the reason; the other records are stored as
        usual.
        """
        self._still_there()
        last = list({r.key: r for r in records}.values())
        try:
            self._append(last)
        except StudyFileError:
            raise  # the file is the trouble, for all records
        except Exception:  # noqa: BLE001 - what one record holds, found by writing each by itself
            self._append([self._takes(record) for record in last])

    def _takes(self, record: Record) -> Record:
        """The record; where the database does not take it, a failed record that says so."""
        try:
            with sealing(self._db):
                self._write([record])
                raise _Undone
        except _Undone:
            return record
        except StudyFileError:
            raise
        except Exception as error:  # noqa: BLE001 - of any kind: sqlite3 and json have many
            return Record(record.key, "failed", f"NotStorable: what it gave can't be stored ({error_line(error)})")

    def _still_there(self) -> None:
        """Refuse to write into a file that was removed or replaced: what is written would be lost with it."""
        if self.path is None:
            return
        try:
            if self.path.stat().st_ino == self._inode:
                return
        except OSError:
            pass
        raise StudyFileError(f"{self.name} was removed or replaced while it was being written; run again to begin anew")

    def _append(self, records: Sequence[Record]) -> None:
        with sealing(self._db):
            self._write(records)
        self._merge_log()

    def _write(self, records: Sequence[Record]) -> None:
        arrays = ((r.key, c, a.dtype, _shape(a.shape), a.data) for r in records for c, a in r.arrays.items())
        sealed = ((*array, row_seal("array", *array)) for array in arrays)
        self._db.executemany(_PREDICTED, sealed)  # first, since a trial that is done stays as it is
        rows = ((*values_of(r), ",".join(r.arrays) or None, self.session, r.key) for r in records)
        self._db.executemany(_COMPLETE, rows)

    def read(self) -> Iterator[Record]:
        """The records of all trials of the current revision that are done, in the order of the plan."""
        for row in self._db.rows(_DONE, (self.revision(),)):
            yield record_of(row, self.arrays(row["id"]), self.json)

    def arrays(self, trial: int) -> dict[str, Packed]:
        """The stored channels of one trial."""
        return {channel: packed for _, channel, packed in stored_arrays(self, [trial])}

    def stacks(self, trials: Sequence[int], only: Collection[str] | None = None) -> list[Stack]:
        """The stored channels of many trials (or some of their channels), one below the other."""
        return stack_up(stored_arrays(self, trials, only), trials)

    def channels(self) -> list[tuple[str, str, int]]:
        """The channels that are stored on each data set: its name, the channel, the number of axes."""
        return self.query(
            "SELECT DISTINCT d.name, a.channel, 1 + (INSTR(a.shape, ',') > 0) FROM array a "
            "JOIN trial t ON t.id = a.trial JOIN dataset d ON d.id = t.dataset WHERE t.revision = ? ORDER BY d.id, 2",
            self.revision(),
        )

    # Reading the study

    def revision(self) -> int:
        """The number of the current revision of the study."""
        last = self._db.execute("SELECT MAX(revision) FROM study").fetchone()[0]
        if last is None:
            raise StudyFileError(f"{self.name} holds no study yet; run one into it first")
        return int(last)

    def definition(self) -> StudyDefinition:
        """The current revision of the study; checked, so that its fields are what they must be."""
        check_rows(self, ["study"])
        query = "SELECT definition FROM study WHERE revision = ?"
        text = self._db.execute(query, (self.revision(),)).fetchone()[0]
        if self._definition is None or self._definition[0] != text:
            stored = self.json(text, DEFINITION, "the definition of a study")
            self._definition = text, StudyDefinition.from_dict(stored)
        return self._definition[1]

    def facts(self) -> dict[int, dict[str, Any]]:
        """The facts of each data set, by its number."""
        rows = self._db.execute("SELECT id, facts FROM dataset ORDER BY id").fetchall()
        for _, text in rows:
            if text not in self._facts:
                self._facts[text] = self.json(text, FACTS, "facts of data sets")
        return {number: self._facts[text] for number, text in rows}

    def json(self, text: object, check: Check, what: str) -> Any:
        """The checked content of JSON in this file; ``what`` names it in errors."""
        return read_json(text, check, what, self.name)

    def sessions(self) -> tuple[Session, ...]:
        """The sessions that ran the study, in their order."""
        check_rows(self, ["session"])
        names = [f.name for f in fields(Session)]
        found = map(dict, self._db.rows(f"SELECT {', '.join(names)} FROM session ORDER BY id"))
        return tuple(
            Session(**{**row, "versions": self.json(row["versions"], VERSIONS, "versions of sessions")})
            for row in found
        )

    @property
    def database(self) -> Database:
        """The connection, for checks of the file as a whole."""
        return self._db

    def copy_into(self, database: sqlite3.Connection) -> None:
        """Copy the file as it is at one moment, while somebody may be running it."""
        self._db.backup(database)

    def query(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """The rows of a query on the tables of :mod:`fairtrial.store.schema`, as tuples."""
        return self._db.execute(sql, parameters).fetchall()

    def rows(self, sql: str, *parameters: object) -> Iterator[sqlite3.Row]:
        """The rows of a query, one by one; their values have the names of their columns."""
        return iter(self._db.rows(sql, parameters))


class _Undone(Exception):
    """An error that rolls back what was only tried."""


def _shape(shape: tuple[int, ...]) -> str:
    return ",".join(map(str, shape))


def _ints(array: Any) -> bytes | None:
    return None if array is None else zlib.compress(array.astype("<i4").tobytes(), 1)
