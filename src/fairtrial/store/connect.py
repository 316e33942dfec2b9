"""Opening the database of a study file: for writing or only for reading, of this version or an older one."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from fairtrial.errors import StudyFileError
from fairtrial.store.schema import APPLICATION, NEW_COLUMNS, SCHEMA, VERSION

__all__ = ["connect"]


def connect(path: Path | None, write: bool) -> sqlite3.Connection:
    """The database at a path, checked and in its present form; None: a new one in memory."""
    if path is None:
        db = sqlite3.connect(":memory:")
        _create(db)
        return db
    if path.is_dir():
        raise StudyFileError(f"{path} must be a study file, but it is a folder; give a file such as study.trial")
    if not write and not path.exists():
        raise StudyFileError(f"{path} does not exist; make it with `fairtrial run study.toml --into {path}`")
    try:
        db = sqlite3.connect(path) if write else _connect_to_read(path)
        if write and _is_empty(db):
            _create(db)
        version = _check(db, path)
        _bring_up(db, version) if write else _show_as_new(db, version)
        if write:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error as error:
        raise StudyFileError(f"{path} can't be opened as a study file: {error}") from error
    return db


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """Read-only; where even SQLite's side files can't be made (a read-only folder), as an unchanging file."""
    address = path.resolve().as_uri()
    db = sqlite3.connect(f"{address}?mode=ro", uri=True)
    try:
        db.execute("SELECT 1 FROM sqlite_master").fetchall()
    except sqlite3.OperationalError:
        db.close()
        db = sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True)
    return db


def _is_empty(db: sqlite3.Connection) -> bool:
    """Whether the database is new, or its making was interrupted."""
    return bool(db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0] == 0)


def _create(db: sqlite3.Connection) -> None:
    """All at once: a crash leaves either nothing or a whole study file."""
    marks = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
    db.executescript(f"BEGIN; {SCHEMA} {marks} COMMIT;")


def _check(db: sqlite3.Connection, path: Path) -> int:
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise StudyFileError(f"{path} is a database, but not a study file; give another path")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise StudyFileError(f"{path} was made by a newer fairtrial (file version {version}, ours {VERSION}); update")
    return int(version)


def _bring_up(db: sqlite3.Connection, version: int) -> None:
    """Add what newer versions have, all at once: a crash leaves the old file or the new one."""
    if version == VERSION:
        return
    changes = [f"ALTER TABLE {table} ADD COLUMN {name} {kind};" for table, name, kind in _new_columns(version)]
    db.executescript(f"BEGIN; {' '.join(changes)} PRAGMA user_version = {VERSION}; COMMIT;")


def _show_as_new(db: sqlite3.Connection, version: int) -> None:
    """An older file that is only read stays as it is: views in this connection show what it lacks as empty."""
    lacking: dict[str, list[str]] = {}
    for table, name, _ in _new_columns(version):
        lacking.setdefault(table, []).append(f"NULL AS {name}")
    for table, columns in lacking.items():
        db.execute(f"CREATE TEMP VIEW {table} AS SELECT *, {', '.join(columns)} FROM main.{table}")


def _new_columns(version: int) -> list[tuple[str, str, str]]:
    return [column for number in range(version + 1, VERSION + 1) for column in NEW_COLUMNS[number]]
