"""Opening the database of a study file: for writing or only for reading.

The guard of connections: opening a study file executes nothing of it, whoever made it.

A database can hold more than tables: triggers run when a row is written, views and generated columns when they are
read, checks and default values when a row is inserted. A study file has none of these, so a file that has some is
refused before anything else is read. As a second protection, each connection is set to allow nothing but plain tables.
"""

from __future__ import annotations

import functools
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fairtrial.errors import StudyFileError
from fairtrial.store.checks.seals import recount, teach
from fairtrial.store.columns import OLDEST
from fairtrial.store.database import Database, plain_words
from fairtrial.store.paths import check_kind, check_side_files, holder, log_of, real_path
from fairtrial.store.schema import APPLICATION, TABLES, VERSION, schema
from fairtrial.words import shortened, visible

STEPS = 1_000_000  # steps of SQLite's machine, some 20 ms, between two looks at how long a query takes
STEPS_PER_BYTE = 100  # a query takes a few steps for a row, and sorting some more; a row has many bytes
FEWEST_STEPS = 100_000_000  # steps that a query on any file may take: some seconds
LIMITS = {
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 200,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
}
FORBIDDEN = {
    sqlite3.SQLITE_ATTACH,
    sqlite3.SQLITE_DETACH,
    sqlite3.SQLITE_CREATE_TRIGGER,
    sqlite3.SQLITE_CREATE_TEMP_TRIGGER,
    sqlite3.SQLITE_CREATE_VIEW,  # temporary ones are our own
    sqlite3.SQLITE_CREATE_VTABLE,
    sqlite3.SQLITE_RECURSIVE,
}
COMMENTS = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
TOKENS = re.compile(r"\w+|'[^']*'|\S")

Column = tuple[object, ...]


def guard(db: Database, path: Path | None) -> None:
    """Set what a connection may do, whatever the file says."""
    for limit, value in LIMITS.items():
        db.setlimit(limit, value)
    db.set_authorizer(_authorize)
    if path is not None:
        db.most_steps = functools.partial(_most_steps, real_path(path))
        db.set_progress_handler(db.takes_too_long, STEPS)
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")


def _most_steps(path: Path) -> float:
    """The most steps that a query may take, in millions, by the size of the file and its log, which may grow."""
    parts = (path, log_of(path))
    size = sum(part.stat().st_size for part in parts if part.exists())
    return (FEWEST_STEPS + STEPS_PER_BYTE * size) / STEPS


def _authorize(action: int, first: str | None, _: str | None, __: str | None, source: str | None) -> int:
    """Whether a statement may do what it wants; ``source`` is the trigger or view that wants it."""
    foreign = source is not None and source not in _tables()
    unlocks = action == sqlite3.SQLITE_PRAGMA and first == "writable_schema"
    return sqlite3.SQLITE_DENY if foreign or unlocks or action in FORBIDDEN else sqlite3.SQLITE_OK


def check_schema(db: Database, path: Path, version: int = VERSION) -> None:
    """Refuse a file that has anything but the plain tables of its version.

    The columns are compared. The SQL is only searched for words that the list of columns does not show, such as checks.
    """
    expected = _tables(version)
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    for kind, name, table, sql in rows:
        automatic = kind == "index" and sql is None and table in expected
        if not automatic and (kind, name) not in {("table", known) for known in expected}:
            raise _refused(path, f"it holds the {shortened(visible(f'{kind} {name!r}'), 80)}")
        strange = [] if sql is None else [t for t in _words(sql) if t not in _vocabulary()]
        if strange:
            raise _refused(path, f"its table {name!r} says {shortened(visible(strange[0]), 40)}")
    missing = [name for name in expected if ("table", name) not in {row[:2] for row in rows}]
    if missing:
        raise _refused(path, f"it lacks the table {missing[0]!r}")
    for name, columns in expected.items():
        if _columns(db, name) != columns:
            raise _refused(path, f"its table {name!r} has other columns")


def _refused(path: Path, what: str) -> StudyFileError:
    return StudyFileError(
        f"{path} is not a study file as fairtrial writes them: {what}; nothing in it was run. "
        "Ask whoever made it for a file as fairtrial wrote it"
    )


@functools.cache
def _tables(version: int = VERSION) -> dict[str, frozenset[Column]]:
    """Our tables in files of a version, with their columns."""
    db = sqlite3.connect(":memory:")
    db.executescript(schema(version))
    return {name: _columns(db, name) for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _columns(db: sqlite3.Connection, table: str) -> frozenset[Column]:
    """The columns of a table: name, type, NOT NULL, default value, place in the primary key, hidden."""
    return frozenset(tuple(row[1:]) for row in db.execute(f"PRAGMA table_xinfo({table})"))


@functools.cache
def _vocabulary() -> frozenset[str]:
    """All words in the statements that define a study file's tables."""
    return frozenset(_words(schema()))


def _words(sql: str) -> list[str]:
    return TOKENS.findall(COMMENTS.sub(" ", sql))


SMALLEST = 512  # bytes of a page, and so of a database
OPEN = b"\2\2"  # in the header of a database whose last changes may be in a log beside it


def connect(path: Path | None, write: bool) -> Database:
    """The database at a path, checked and in its present form; None: a new one in memory."""
    if path is None:
        db = _connect(":memory:", None)
        _create(db)
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
        version = _check(db, path)
        _check_size(db, path)
        if version < VERSION:
            _bring_up(db, version) if write else _show_as_new(db, version)
        if write:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
    return db


def connect_to_note(path: Path, seconds: float) -> Database:
    """The database of a file, to write a row into it; waits at most ``seconds`` for other writers."""
    real = real_path(path)
    check_side_files(real)
    db = _connect(str(real), path, seconds)
    with _closed_on_error(db):
        if (version := _check(db, path)) < VERSION:
            _bring_up(db, version)
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


def _bring_up(db: Database, version: int) -> None:
    """Add the columns that an older file lacks: a crash leaves the old file or the new one. All seals stay valid."""
    with _at_once(db):
        for table in TABLES.values():
            for column in table.after(version):
                db.execute(f"ALTER TABLE {table.name} ADD COLUMN {column.name} {column.declaration}")
        db.execute(f"PRAGMA user_version = {VERSION}")


def _show_as_new(db: Database, version: int) -> None:
    """Show the columns that an older file lacks as empty, by views of this connection; the file stays as it is."""
    for table in TABLES.values():
        if lacking := ", ".join(f"NULL AS {column.name}" for column in table.after(version)):
            db.execute(f"CREATE TEMP VIEW {table.name} AS SELECT *, {lacking} FROM main.{table.name}")


def _check(db: Database, path: Path) -> int:
    """The version of a file; what is no study file, and one of a version that is not read, is refused."""
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise StudyFileError(f"{path} is a database, but not a study file; give another path")
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise StudyFileError(f"{path} was made by a newer fairtrial (file version {version}, ours {VERSION}); update")
    if 1 <= version < OLDEST:
        raise StudyFileError(
            f"{path} was made before the first release of fairtrial (file version {version}); "
            "it is not read any more: run the study again"
        )
    if version < 1:
        raise StudyFileError(
            f"{path} has the file version {version}, which no fairtrial has written; take another copy"
        )
    check_schema(db, path, version)
    return version
