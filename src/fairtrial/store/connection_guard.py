"""The guard of connections: opening a study file executes nothing of it, whoever made it.

A database can hold more than tables: triggers run when a row is written, views and generated columns when they are
read, checks and default values when a row is inserted. A study file has none of these, so a file that has some is
refused before anything else is read. As a second protection, each connection is set to allow nothing but plain tables.
"""

from __future__ import annotations

import functools
import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from fairtrial.errors import StudyFileError
from fairtrial.store.paths import log_of, real_path
from fairtrial.store.schema import NEW_COLUMNS, NEW_TABLES, SCHEMA, VERSION
from fairtrial.words import shortened, visible

if TYPE_CHECKING:
    from fairtrial.store.database import Database

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
    foreign = source is not None and source not in _tables(VERSION)  # our own views have the names of tables
    unlocks = action == sqlite3.SQLITE_PRAGMA and first == "writable_schema"
    return sqlite3.SQLITE_DENY if foreign or unlocks or action in FORBIDDEN else sqlite3.SQLITE_OK


def check_schema(db: Database, version: int, path: Path) -> None:
    """Refuse a file that has anything but the plain tables of its version.

    The columns are compared, not the SQL, since the tables of upgraded files were written in another way. The SQL is
    only searched for words that the list of columns does not show, such as checks.
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
def _tables(version: int) -> dict[str, frozenset[Column]]:
    """The tables of a file version, with their columns."""
    versions = range(version + 1, VERSION + 1)
    later = {column[:2] for number in versions for column in NEW_COLUMNS[number]}
    new = {table.name for number in versions for table in NEW_TABLES[number]}
    db = sqlite3.connect(":memory:")
    db.executescript(SCHEMA)
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {
        name: frozenset(column for column in _columns(db, name) if (name, column[0]) not in later)
        for name in names
        if name not in new
    }


def _columns(db: sqlite3.Connection, table: str) -> frozenset[Column]:
    """The columns of a table: name, type, NOT NULL, default value, place in the primary key, hidden."""
    return frozenset(tuple(row[1:]) for row in db.execute(f"PRAGMA table_xinfo({table})"))


@functools.cache
def _vocabulary() -> frozenset[str]:
    """All words in the statements that define a study file's tables."""
    added = " ".join(" ".join(column) for columns in NEW_COLUMNS.values() for column in columns)
    return frozenset(_words(f"{SCHEMA} {added}"))


def _words(sql: str) -> list[str]:
    return TOKENS.findall(COMMENTS.sub(" ", sql))
