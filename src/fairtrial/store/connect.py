"""Opening the database of a study file: for writing or only for reading, of this version or an older one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fairtrial.errors import StudyFileError
from fairtrial.store.columns import StoredTable
from fairtrial.store.connection_guard import check_schema, guard
from fairtrial.store.database import Database, plain_words
from fairtrial.store.lock import holder
from fairtrial.store.paths import check_kind, check_side_files, log_of, real_path
from fairtrial.store.schema import APPLICATION, NEW_COLUMNS, NEW_TABLES, TABLES, VERSION
from fairtrial.store.seals import recount, teach

SMALLEST = 512  # bytes of a page, and so of a database
OPEN = b"\2\2"  # in the header of a database whose last changes may be in a log beside it


def connect(path: Path | None, write: bool) -> Database:
    """The database at a path, checked and in its present form; None: a new one in memory."""
    if path is None:
        db = _connect(":memory:", None)
        _create(db)
        db.version = VERSION
        return db
    real = real_path(path)
    check_side_files(real)
    check_kind(path)
    if not write and not real.exists():
        raise StudyFileError(f"{path} does not exist; make it with `fairtrial run study.toml --into {path}`")
    size = real.stat().st_size if real.exists() else 0
    if not write and size == 0:
        raise StudyFileError(f"{path} is empty; run a study into it, or take another copy of it")
    if 0 < size < SMALLEST:  # SQLite takes a file of one byte for an empty one
        raise StudyFileError(f"{path} can't be opened as a study file: it is no database; give another path")
    db = _connect(str(real), path) if write else _connect_to_read(real, path)
    with _closed_on_error(db):
        if write and _is_empty(db):
            _create(db)
        db.version = version = _check(db, path)
        _check_size(db, path)
        if write:
            _bring_up(db, version)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
        else:
            _show_as_new(db, version)
    return db


def connect_to_note(path: Path, seconds: float) -> Database:
    """The database of a file of any version, to write a row into it; waits at most ``seconds`` for other writers."""
    real = real_path(path)
    check_side_files(real)
    db = _connect(str(real), path, seconds)
    with _closed_on_error(db):
        db.version = _check(db, path)
    return db


def settle(db: Database) -> None:
    """Merge the log into the file, and say in its header that it was closed, so that it can be copied alone.

    That must wait while another process reads the file, or the disk is full: the log stays, and nothing is lost.
    """
    with suppress(StudyFileError):
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode = DELETE")


def lost_log(path: Path) -> str:
    """What is wrong with a file that was not closed and whose log is not beside it, with the remedy; else nothing.

    The header is looked at twice, since a run may end between the looks.
    """
    real = real_path(path)
    if not _says_open(real) or log_of(real).exists() or holder(real) is not None or not _says_open(real):
        return ""
    return (
        f"it was not closed, and its log {log_of(real).name}, which may hold its last trials, is not beside it; copy "
        "both files (cp study.trial study.trial-wal FOLDER), or run the study into it again"
    )


def _says_open(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(20)[18:] == OPEN
    except OSError:
        return False


@contextmanager
def _closed_on_error(db: Database) -> Iterator[None]:
    """Close the connection where it can't be handed over."""
    try:
        yield
    except BaseException:
        db.close()
        raise


def _connect(address: str, path: Path | None, seconds: float = 5.0) -> Database:
    with plain_words(path):
        uri = address.startswith("file:")
        db: Database = sqlite3.connect(address, seconds, uri=uri, factory=Database)
    db.path = path
    with _closed_on_error(db):
        guard(db, path)
        teach(db)
    return db


def _connect_to_read(real: Path, path: Path) -> Database:
    """A connection that only reads; in a read-only folder, where SQLite can't make its side files, as a fixed file.

    So is a file that lacks its log: SQLite would make an empty one, and nobody would see that it was missing.
    """
    address = real.as_uri()
    if lost_log(real):
        return _connect(f"{address}?mode=ro&immutable=1", path)
    db = _connect(f"{address}?mode=ro", path)
    try:
        db.execute("SELECT 1 FROM sqlite_master").fetchall()
    except StudyFileError as error:
        db.close()
        if not isinstance(error.__cause__, sqlite3.OperationalError):
            raise
        log = log_of(real)
        if log.exists() and log.stat().st_size:  # a fixed file would be read without it
            raise StudyFileError(
                f"{path} can't be read here: its last trials are in {log.name}, which needs a folder that can be "
                f"written to; copy both there"
            ) from error
        db = _connect(f"{address}?mode=ro&immutable=1", path)
    return db


def _check_size(db: Database, path: Path) -> None:
    """Refuse a file that was cut off, before anything is read from it or written to it.

    SQLite notices when whole pages are missing, but it reads a part of a page as a page with zeros. Only the size is
    checked here: a check of all pages (PRAGMA quick_check) would read the whole file, which may have gigabytes. Damage
    inside is found when it is read: the tree of pages has its own checks, and each row its seal.
    """
    db.execute("BEGIN")
    try:
        filled = db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
        pages = db.execute("PRAGMA page_count").fetchone()
        log = log_of(real_path(path))
        if filled and not (log.exists() and log.stat().st_size):  # else the missing pages are in the log
            whole = pages[0] * db.execute("PRAGMA page_size").fetchone()[0]
            size = path.stat().st_size
            if size < whole:
                raise StudyFileError(
                    f"{path} was cut off: it has {size:,} of {whole:,} bytes; take a copy of it that is whole, or run "
                    "the study into a new file"
                )
    finally:
        db.execute("ROLLBACK")


def _is_empty(db: Database) -> bool:
    """Whether the database is new, or its making was interrupted."""
    return bool(db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0] == 0)


def _create(db: Database) -> None:
    """Create all tables at once: a crash leaves either nothing or a whole study file."""
    marks = (f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {VERSION}")
    with _at_once(db):
        for statement in (*(table.creation for table in TABLES.values()), *marks):
            db.execute(statement)
        recount(db)


@contextmanager
def _at_once(db: Database) -> Iterator[None]:
    """A transaction that also holds statements on tables and versions."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        yield


def _check(db: Database, path: Path) -> int:
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise StudyFileError(f"{path} is a database, but not a study file; give another path")
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise StudyFileError(f"{path} was made by a newer fairtrial (file version {version}, ours {VERSION}); update")
    if version < 1:
        raise StudyFileError(
            f"{path} has the file version {version}, which no fairtrial has written; take another copy"
        )
    check_schema(db, version, path)
    return version


def _bring_up(db: Database, version: int) -> None:
    """Add the columns and tables of newer versions, all at once: a crash leaves the old file or the new one.

    Rows that are there stay without seals: nobody knows whether they still are what was written.
    """
    if version == VERSION:
        return
    changes = [f"ALTER TABLE {table} ADD COLUMN {name} {kind}" for table, name, kind in _new_columns(version)]
    with _at_once(db):
        for change in (*changes, *(table.creation for table in _new_tables(version))):
            db.execute(change)
        recount(db)
        db.execute(f"PRAGMA user_version = {VERSION}")
    db.version = VERSION


def _show_as_new(db: Database, version: int) -> None:
    """Show the columns that an older file lacks with their default values, by views in this connection.

    The file, which is only read, stays as it is.
    """
    lacking: dict[str, list[str]] = {}
    for table, name, declaration in _new_columns(version):
        _, _, default = declaration.partition("DEFAULT ")
        lacking.setdefault(table, []).append(f"{default or 'NULL'} AS {name}")
    for table, columns in lacking.items():
        db.execute(f"CREATE TEMP VIEW {table} AS SELECT *, {', '.join(columns)} FROM main.{table}")
    for new in _new_tables(version):
        db.execute(f"CREATE TEMP VIEW {new.name} AS SELECT {', '.join(f'NULL AS {n}' for n in new.names)} WHERE 0")


def _new_tables(version: int) -> list[StoredTable]:
    return [table for number in range(version + 1, VERSION + 1) for table in NEW_TABLES[number]]


def _new_columns(version: int) -> list[tuple[str, str, str]]:
    return [column for number in range(version + 1, VERSION + 1) for column in NEW_COLUMNS[number]]
