"""A connection to SQLite whose errors say what is wrong with the study file, and what to do."""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairtrial.errors import StudyFileError
from fairtrial.store.checks.row_names import NO_ROW, REMEDY, row_that_is_no_text
from fairtrial.store.checks.seals import Tally

SAFE = "what was written before is safe"
WORDS = {  # by SQLite's code: what is wrong, and what to do
    sqlite3.SQLITE_FULL: f"can't be written: the disk is full; {SAFE}: make room and run again",
    sqlite3.SQLITE_IOERR: (
        "can't be read or written: {error}; " + SAFE + ": look whether the disk is full, gone or broken, or a limit on "
        "the size of files holds (ulimit -f), and run again"
    ),
    sqlite3.SQLITE_READONLY: "can't be written: it is read-only; allow writing (chmod u+w), or run into another file",
    sqlite3.SQLITE_CANTOPEN: "can't be opened: {error}; look whether its folder is there and may be written to",
    sqlite3.SQLITE_CORRUPT: (
        "is damaged or was cut off ({error}); take a copy of it that is whole, or run the study into a new file"
    ),
    sqlite3.SQLITE_NOTADB: "can't be opened as a study file: it is no database; give another path",
    sqlite3.SQLITE_BUSY: "is held by another program ({error}); close what has it open, and run again",
    sqlite3.SQLITE_LOCKED: "is held by another program ({error}); close what has it open, and run again",
    sqlite3.SQLITE_AUTH: "wants to do what no study file may ({error}); nothing in it was run",
    sqlite3.SQLITE_INTERRUPT: "takes far longer to read than its size explains; it was not made by fairtrial",
}


@contextmanager
def plain_words(path: Path | None, db: sqlite3.Connection | None = None) -> Iterator[None]:
    """Turn errors of SQLite about the file into words; mistakes in a query stay as they are."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        code = getattr(error, "sqlite_errorcode", None)
        if isinstance(db, Database) and _was_stopped(error, db):
            raise KeyboardInterrupt from None
        words = None if code is None else WORDS.get(code & 0xFF)  # the higher bits are details
        if isinstance(error, UnicodeDecodeError) or (code is None and "Could not decode" in str(error)):
            row = "its table 'sqlite_schema'" if db is None else row_that_is_no_text(db)
            words = f"is damaged: {row} holds text that is no UTF-8; {REMEDY}"
        if words is None:
            raise
        raise StudyFileError(f"{path or 'the study in memory'} {words.format(error=error)}") from error


def _was_stopped(error: Exception, db: Database) -> bool:
    """Whether Ctrl-C came while SQLite asked us something: how long it may go on, or for the seal of a row."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
        return not db.has_taken_too_long
    return "user-defined function" in str(error) and row_that_is_no_text(db) == NO_ROW


class Database(sqlite3.Connection):
    """A connection that knows its file, for messages."""

    path: Path | None = None
    changes: defaultdict[str, Tally]  # of the tallies of tables, in the transaction under way
    has_taken_too_long = False
    steps: float = 0  # millions of steps that the query under way has taken: see :mod:`fairtrial.store.connect`
    most_steps: Callable[[], float] = staticmethod(lambda: math.inf)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.changes = defaultdict(Tally)

    def takes_too_long(self) -> bool:
        """Whether the query under way has taken more steps than the size of the file explains."""
        self.steps += 1
        self.has_taken_too_long = self.steps > self.most_steps()
        return self.has_taken_too_long

    def cursor(self, factory: Any = None) -> Any:
        return super().cursor(factory or Cursor)

    def execute(self, sql: str, parameters: Any = (), /) -> Cursor:
        return Cursor(self).execute(sql, parameters)  # sqlite3's own makes a plain cursor, whatever cursor() makes

    def rows(self, sql: str, parameters: Any = (), /) -> Cursor:
        """The rows of a query, whose values have the names of their columns: ``row["status"]``."""
        cursor = Cursor(self)
        cursor.row_factory = sqlite3.Row
        return cursor.execute(sql, parameters)

    def executemany(self, sql: str, rows: Iterable[Any], /) -> Cursor:
        return Cursor(self).executemany(sql, rows)

    def executescript(self, sql: str, /) -> Cursor:
        return Cursor(self).executescript(sql)

    def commit(self) -> None:
        with plain_words(self.path):
            super().commit()

    def __exit__(self, *error: Any) -> Any:
        with plain_words(self.path):
            return super().__exit__(*error)


class Cursor(sqlite3.Cursor):
    """A cursor of such a connection: a damaged page may be met at any row."""

    connection: Database

    def execute(self, sql: str, parameters: Any = (), /) -> Cursor:
        self.connection.steps = 0
        try:
            with plain_words(self.connection.path, self.connection):
                super().execute(sql, parameters)
        except BaseException:  # Ctrl-C, too: while a statement is under way, nothing that was done can be committed
            self.close()
            raise
        return self

    def executemany(self, sql: str, rows: Iterable[Any], /) -> Cursor:
        self.connection.steps = -math.inf  # our own rows, however many
        with plain_words(self.connection.path, self.connection):
            super().executemany(sql, rows)
        return self

    def executescript(self, sql: str, /) -> Cursor:
        with plain_words(self.connection.path, self.connection):
            super().executescript(sql)
        return self

    def fetchone(self) -> Any:
        with plain_words(self.connection.path, self.connection):
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with plain_words(self.connection.path, self.connection):
            return super().fetchall()

    def fetchmany(self, size: int | None = None) -> list[Any]:
        with plain_words(self.connection.path, self.connection):
            return super().fetchmany(self.arraysize if size is None else size)

    def __iter__(self) -> Any:
        with plain_words(self.connection.path, self.connection):
            yield from iter(super().fetchone, None)
