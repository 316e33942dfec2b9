"""The study file: one SQLite database, written by one process at a time, readable by all."""

from __future__ import annotations

import datetime
import json
import os
import platform
import shlex
import sqlite3
import sys
import zlib
from array import array
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.errors import StudyFileError
from fairtrial.store.arrays import Stack, stack_up, stored_arrays
from fairtrial.store.connect import connect
from fairtrial.store.json_checks import DEFINITION, FACTS, VERSIONS, WARNINGS, Check, a_mapping, read_json
from fairtrial.store.lock import Lock
from fairtrial.store.paths import real_path
from fairtrial.store.prediction_recheck import refused_trials
from fairtrial.store.records import Packed, Record
from fairtrial.store.schema import RESOURCES
from fairtrial.words import error_line

if TYPE_CHECKING:
    from fairtrial.design import Plan

__all__ = ["StudyFile", "versions"]

_COMPLETE = (
    "UPDATE trial SET status = ?, error = ?, warnings = ?, output = ?, "
    + ", ".join(f"{r} = ?" for r in RESOURCES)
    + ", begun = ?, n_train = ?, details = ?, session = ?, attempts = attempts + 1 WHERE key = ? AND status <> 'ok'"
)
_PREDICTED = "INSERT OR REPLACE INTO array SELECT id, ?, ?, ?, ? FROM trial WHERE key = ? AND status <> 'ok'"


def versions() -> dict[str, str]:
    """Versions that can change the numbers."""
    found = {"python": platform.python_version()}
    for package in ("fairtrial", "numpy", "scipy", "scikit-learn", "pandas"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


class StudyFile:
    """A study file, open for reading or, under a lock, for writing. A context manager.

    Opening one runs nothing that is in it: definitions are JSON, arrays are raw bytes.
    """

    def __init__(self, path: str | Path | None, *, write: bool = False) -> None:
        self.path = None if path is None else real_path(path)
        self.name = "the study in memory" if path is None else str(path)  # as the user calls it, for messages
        self.session: int | None = None
        self._definition: tuple[str, dict[str, Any]] | None = None  # what was read last
        self._facts: dict[str, dict[str, Any]] = {}
        given = None if path is None else Path(path)
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
        """Fold the write-ahead log back, so that the one file can be copied, and let go of the lock.

        While somebody else has the file open for reading, SQLite keeps its side files beside it; nothing is lost.
        """
        try:
            if self._lock is not None:
                with suppress(StudyFileError):  # a reader is there, or the disk is full: the log stays beside it
                    self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                    self._db.execute("PRAGMA journal_mode = DELETE")
            self._db.close()
        finally:
            self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # What is planned

    def register(self, plan: Plan) -> None:
        """Make the plan's rows the current revision of the study; what is already done stays done."""
        study = plan.study
        with self._db:
            digest = study.digest()
            notices = [notice.to_dict() for notice in plan.notices]
            definition = json.dumps({**study.to_dict(), "notices": notices}, ensure_ascii=False)
            last = self._db.execute("SELECT revision, definition FROM study ORDER BY revision DESC LIMIT 1").fetchone()
            if last is None or last[1] != definition:
                row = (_now(), digest, definition)
                self._db.execute("INSERT INTO study (created, digest, definition) VALUES (?, ?, ?)", row)
            revision = self.revision()
            datasets = [self._dataset_id(d) for d in study.datasets]
            methods = [self._method_id(m) for m in study.methods]
            owners = [datasets[i] for i in plan.dataset_of_split.tolist()]
            splits = [self._split_id(*s) for s in zip(plan.splits, plan.split_digests, owners, strict=True)]
            levels = [_json(chosen) for chosen in plan.levels]
            rows = (
                (t.key, revision, i, datasets[t.dataset], methods[t.method], levels[at], splits[t.split], t.replicate)
                for i, (t, at) in enumerate(zip(plan.trials(), plan.level, strict=True))
            )
            self._db.executemany(
                "INSERT INTO trial (key, revision, position, dataset, method, levels, split, replicate) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, "
                "position = excluded.position, levels = excluded.levels",
                rows,
            )

    def _dataset_id(self, dataset: Any) -> int:
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
        }
        row = (dataset.fingerprint, dataset.name, _json(facts), truth.dtype, _shape(truth.shape), truth.data)
        self._db.execute(
            "INSERT INTO dataset (fingerprint, name, facts, dtype, shape, truth) VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (fingerprint) DO UPDATE SET name = excluded.name",
            row,
        )
        return self._one("SELECT id FROM dataset WHERE fingerprint = ?", dataset.fingerprint)

    def _method_id(self, method: Any) -> int:
        digest = method.digest()
        self._db.execute(
            "INSERT INTO method (digest, name, canonical) VALUES (?, ?, ?) "
            "ON CONFLICT (digest) DO UPDATE SET name = excluded.name",
            (digest, method.name, _json(method.canonical())),
        )
        return self._one("SELECT id FROM method WHERE digest = ?", digest)

    def _split_id(self, split: Any, digest: bytes, dataset: int) -> int:
        row = (
            dataset,
            digest,
            split.repeat,
            split.fold,
            split.n_train,
            split.n_test,
            _ints(split.test),
            _ints(split.train),
        )
        made = self._db.execute(
            "INSERT INTO split (dataset, digest, repeat, fold, n_train, n_test, test, train) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dataset, digest, repeat, fold) DO NOTHING",
            row,
        )
        if made.rowcount and made.lastrowid is not None:
            return made.lastrowid
        query = "SELECT id FROM split WHERE dataset = ? AND digest = ? AND repeat = ? AND fold = ?"
        return self._one(query, dataset, digest, split.repeat, split.fold)

    def waiting(self, *, retry_failed: bool = False) -> Sequence[int]:
        """Rows of the registered plan that are still to be run, in their order."""
        wanted = "('waiting', 'failed')" if retry_failed else "('waiting')"
        query = f"SELECT position FROM trial WHERE revision = ? AND status IN {wanted} ORDER BY position"
        return array("q", (row for (row,) in self._db.execute(query, (self.revision(),))))

    # What was done

    def begin_session(self) -> None:
        """Note who runs, where and with which versions; records appended from now on refer to it."""
        row = (_now(), platform.node(), os.getpid(), shlex.join(sys.argv), _json(versions()))
        with self._db:
            cursor = self._db.execute(
                "INSERT INTO session (started, host, pid, command, versions, checks) VALUES (?, ?, ?, ?, ?, 1)", row
            )
        self.session = cursor.lastrowid

    def append(self, records: Sequence[Record]) -> None:
        """Write what became of some trials, durably, all or none. A trial that is done already stays as it is.

        A record that the database does not take becomes a failed one that says why: it takes no other with it.
        """
        self._still_there()
        last = list({r.key: r for r in records}.values())
        try:
            self._append(last)
        except StudyFileError:
            raise  # trouble with the file, which all records share
        except Exception:  # noqa: BLE001 - what one record holds, found by writing each by itself
            self._append([self._takes(record) for record in last])

    def _takes(self, record: Record) -> Record:
        """The record, or where the database does not take it, one that says so."""
        try:
            with self._db:
                self._write([record])
                raise _Undone
        except _Undone:
            return record
        except StudyFileError:
            raise
        except Exception as error:  # noqa: BLE001 - of any kind: sqlite3 and json have many
            return Record(record.key, "failed", f"NotStorable: what it gave can't be stored ({error_line(error)})")

    def _still_there(self) -> None:
        """Writing into a file that was removed or replaced would be lost with it."""
        if self.path is None:
            return
        try:
            if self.path.stat().st_ino == self._inode:
                return
        except OSError:
            pass
        raise StudyFileError(f"{self.name} was removed or replaced while it was being written; run again to begin anew")

    def _append(self, records: Sequence[Record]) -> None:
        with self._db:
            self._write(records)

    def _write(self, records: Sequence[Record]) -> None:
        arrays = [(c, a.dtype, _shape(a.shape), a.data, r.key) for r in records for c, a in r.arrays.items()]
        self._db.executemany(_PREDICTED, arrays)  # before the trial is done, since then it stays as it is
        self._db.executemany(_COMPLETE, ((*_completion(r), self.session, r.key) for r in records))

    def demote(self) -> int:
        """Trials that were stored unchecked and that no measure takes become failed ones; gives how many.

        After that the sessions of before count as checked.
        """
        refused = refused_trials(self)
        with self._db:
            spent = ", ".join(f"{name} = NULL" for name in RESOURCES)
            failed = f"UPDATE trial SET status = 'failed', error = ?, {spent} WHERE id = ?"
            self._db.executemany(failed, ((reason, trial) for trial, reason in refused.items()))
            self._db.executemany("DELETE FROM array WHERE trial = ?", ((trial,) for trial in refused))
            self._db.execute("UPDATE session SET checks = 1 WHERE checks IS NULL")
        return len(refused)

    def read(self) -> Iterator[Record]:
        """All trials of the current revision that are done, in the order of the plan."""
        columns = ", ".join(RESOURCES)
        query = f"SELECT id, key, status, error, warnings, output, begun, n_train, details, {columns} FROM trial "
        query += "WHERE revision = ? AND status <> 'waiting' ORDER BY position"
        for row in self._db.execute(query, (self.revision(),)):
            trial, key, status, error, warnings, output, begun, n_train, details, *resources = row
            yield Record(
                key,
                status,
                error,
                tuple((text, count) for text, count in self.json(warnings or "[]", WARNINGS, "warnings")),
                output or "",
                {k: v for k, v in zip(RESOURCES, resources, strict=True) if v is not None},
                self.arrays(trial),
                begun,
                n_train,
                self.json(details or "{}", a_mapping, "details of trials"),
            )

    def arrays(self, trial: int) -> dict[str, Packed]:
        """The stored channels of one trial."""
        return {channel: packed for _, channel, packed in stored_arrays(self, "a.trial = ?", trial)}

    def stacks(self, trials: Sequence[int], only: Collection[str] | None = None) -> list[Stack]:
        """The stored channels of many trials (or some of their channels), one below the other."""
        which = "a.trial IN (SELECT value FROM json_each(?))"
        which += "" if only is None else " AND channel IN (SELECT value FROM json_each(?))"
        given = (json.dumps(list(trials)), *([] if only is None else [json.dumps(sorted(only))]))
        return stack_up(stored_arrays(self, which, *given), trials)

    def channels(self) -> list[tuple[str, str, int]]:
        """Which channels there are on which data set: its name, the channel, the number of axes."""
        return self.query(
            "SELECT DISTINCT d.name, a.channel, 1 + (INSTR(a.shape, ',') > 0) FROM array a "
            "JOIN trial t ON t.id = a.trial JOIN dataset d ON d.id = t.dataset WHERE t.revision = ? ORDER BY d.id, 2",
            self.revision(),
        )

    # What is there

    def revision(self) -> int:
        """The number of the current revision of the study."""
        last = self._db.execute("SELECT MAX(revision) FROM study").fetchone()[0]
        if last is None:
            raise StudyFileError(f"{self.name} holds no study yet; run one into it first")
        return int(last)

    def definition(self) -> dict[str, Any]:
        """The current revision of the study, as plain data; checked, so that its fields are what they must be."""
        query = "SELECT definition FROM study WHERE revision = ?"
        text = self._db.execute(query, (self.revision(),)).fetchone()[0]
        if self._definition is None or self._definition[0] != text:
            self._definition = text, self.json(text, DEFINITION, "the definition of a study")
        return self._definition[1]

    def facts(self) -> dict[int, dict[str, Any]]:
        """What is known of each data set, by its number."""
        rows = self._db.execute("SELECT id, facts FROM dataset ORDER BY id").fetchall()
        for _, text in rows:
            if text not in self._facts:
                self._facts[text] = self.json(text, FACTS, "facts of data sets")
        return {number: self._facts[text] for number, text in rows}

    def json(self, text: object, check: Check, what: str) -> Any:
        """The content of JSON in this file, checked; what it should hold is for the error."""
        return read_json(text, check, what, self.name)

    def sessions(self) -> list[dict[str, Any]]:
        """Who ran, when, where and with which versions."""
        query = "SELECT id, started, host, pid, command, versions FROM session ORDER BY id"
        keys = ("id", "started", "host", "pid", "command")
        return [
            dict(zip(keys, row[:5], strict=True), versions=self.json(row[5], VERSIONS, "versions of sessions"))
            for row in self._db.execute(query)
        ]

    def copy_into(self, database: sqlite3.Connection) -> None:
        """Copy the file as it is at one moment, while somebody may be running it."""
        self._db.backup(database)

    def query(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Rows of a query on the tables of :mod:`fairtrial.store.schema`."""
        return self._db.execute(sql, parameters).fetchall()

    def rows(self, sql: str, *parameters: object) -> Iterator[tuple[Any, ...]]:
        """The same, row by row."""
        return iter(self._db.execute(sql, parameters))

    def _one(self, sql: str, *parameters: object) -> int:
        return int(self._db.execute(sql, parameters).fetchone()[0])


class _Undone(Exception):
    """Rolls back what was only tried."""


def _completion(record: Record) -> tuple[object, ...]:
    warnings = _json(record.warnings) if record.warnings else None
    resources = (record.resources.get(r) for r in RESOURCES)
    details = _json(record.details) if record.details else None
    known = (record.status, record.error, warnings, record.output or None)
    return (*known, *resources, record.begun, record.n_train, details)


def _shape(shape: tuple[int, ...]) -> str:
    return ",".join(map(str, shape))


def _ints(array: Any) -> bytes | None:
    return None if array is None else zlib.compress(array.astype("<i4").tobytes(), 1)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
