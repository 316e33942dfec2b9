"""Anonymous copies of study files, for papers under blind review: they say nothing of the machine and its user."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from fairtrial.store.checks.json import anything, read_json
from fairtrial.store.checks.rows import check_rows
from fairtrial.store.checks.seals import seal_again
from fairtrial.store.connect import connect
from fairtrial.store.database import Database
from fairtrial.store.paths import new_file
from fairtrial.store.records import RECORDED
from fairtrial.store.study_file import StudyFile
from fairtrial.tables.private import hide_places, hide_source

FREE = {"text", "notes", "canonical", "recipe", "facts", "sentence", "remedy", "evidence", "split_warnings", "merged"}
"""The fields of definitions and facts that hold free text. All others are names, labels and numbers, which stay."""


def anonymous_copy(file: StudyFile, into: str | Path) -> Path:
    """Write a copy of a study file without hosts, processes, command lines and folders, and return its path.

    Files keep their base names: sources of data sets, parameters that are paths, paths in the output of methods. Names
    of data sets and methods, true values, predictions and the keys of trials stay the same, so that a verdict on the
    copy is the same and the copy can be resumed. ``into`` must not exist; it appears when it is complete. The original
    is only read.
    """
    check_rows(file)
    with new_file(Path(into), "copy") as beside:
        with closing(sqlite3.connect(beside)) as copy:
            file.copy_into(copy)
        with closing(connect(beside, write=True)) as db:
            db.execute("PRAGMA journal_mode = DELETE")  # one file, which can be renamed
            with db:
                _clean(db)
                seal_again(db)
        with closing(sqlite3.connect(beside)) as copy:
            copy.execute("VACUUM")  # free pages still hold the old texts
    return Path(into)


def _clean(db: Database) -> None:
    hosts = [host for (host,) in db.execute("SELECT DISTINCT host FROM session")]
    db.execute("UPDATE session SET host = '', pid = 0, command = ''")
    for table, column in (("study", "definition"), ("dataset", "facts"), ("verdict", "question")):
        _rewrite(db, table, column, _in_json(_free))
    _rewrite(db, "method", "canonical", _in_json(_all))
    _rewrite(db, "verdict", "sentence", lambda text: hide_places(text, hosts))  # it may quote the error of a method
    for recorded in RECORDED.values():
        if recorded.json:
            _rewrite(db, "trial", recorded.name, _in_json(lambda text: _all(text, hosts)))
        elif recorded.kind == "TEXT" and not recorded.rule:
            _rewrite(db, "trial", recorded.name, lambda text: hide_places(text, hosts))


def _rewrite(db: Database, table: str, column: str, change: Callable[[str], str]) -> None:
    rows = db.execute(f"SELECT rowid, {column} FROM {table} WHERE {column} IS NOT NULL").fetchall()
    changed = ((change(text), row) for row, text in rows)
    db.executemany(f"UPDATE {table} SET {column} = ?1 WHERE rowid = ?2 AND {column} <> ?1", changed)


def _in_json(change: Callable[[Any], Any]) -> Callable[[str], str]:
    """A change of data as a change of their JSON text, which stays as it is where the data do."""

    def changed(text: str) -> str:
        before = read_json(text, anything, "JSON", "the study file")
        after = change(before)
        return text if after == before else json.dumps(after, ensure_ascii=False)

    return changed


def _free(value: Any) -> Any:
    """Data whose free texts name no places."""
    if isinstance(value, list):
        return [_free(item) for item in value]
    if isinstance(value, dict):
        return {name: _change(name)(item) for name, item in value.items()}
    return value


def _all(value: Any, hosts: Sequence[str] = ()) -> Any:
    """Data in which no text names places."""
    if isinstance(value, list):
        return [_all(item, hosts) for item in value]
    if isinstance(value, dict):
        return {name: _all(item, hosts) for name, item in value.items()}
    return hide_places(value, hosts) if isinstance(value, str) else value


def _change(name: str) -> Callable[[Any], Any]:
    return _source if name == "source" else _all if name in FREE else _free


def _source(value: Any) -> Any:
    return hide_source(value) if isinstance(value, str) else value
