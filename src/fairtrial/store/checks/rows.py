"""Checks of the rows of a study file, whenever they are read: what fairtrial wrote is there, and nothing else.

Values are of the kind that is declared, and references lead to rows that are there. The trees of pages and the indexes
are whole, so that a row is found by its number. Each row has the seal of its content, and each table its tally.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fairtrial.errors import StudyFileError
from fairtrial.store.checks.row_names import ALTERED, KEYS, named, refused, row_that_is_no_text
from fairtrial.store.checks.seals import Tally, row_seal
from fairtrial.store.columns import SEAL, StoredTable
from fairtrial.store.schema import TABLES, TALLIED
from fairtrial.words import plural, verb

if TYPE_CHECKING:
    from fairtrial.store.database import Database
    from fairtrial.store.study_file import StudyFile


def check_rows(file: StudyFile, tables: Collection[str] = ("tally", *TALLIED)) -> None:
    """Refuse a file with rows that fairtrial did not write, or without some that it did; arrays are checked when read.

    It is one pass over each table, some 5 µs for a row.
    """
    db = file.database
    with one_moment(db):
        for name in tables:
            for trouble in table_troubles(db, name):
                raise refused(db, trouble)


def notes_on_digests(file: StudyFile) -> Iterator[str]:
    """A note on a log that is missing."""
    if file.lost_log:
        yield f"the study file is not whole: {file.lost_log}"


@contextmanager
def one_moment(db: Database) -> Iterator[None]:
    """Read the file as it is at one moment: somebody may be running it."""
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN")
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def table_troubles(db: Database, name: str, *, pages: bool = True) -> Iterator[str]:
    """What is wrong with a table, in words: its rows, the rows that they refer to, its pages and indexes.

    The seals of arrays are left to those who read them.
    """
    table = TABLES[name]
    conditions = [condition for column in table.columns for condition in column.conditions()]
    try:
        yield from _rows_with(
            db, name, f"NOT ({' AND '.join(conditions)})", "has a value of another kind than its column"
        )
        for column in table.columns:
            if other := column.refers_to:
                lost = f"{column.name} IS NOT NULL AND {column.name} NOT IN (SELECT id FROM {other})"
                yield from _rows_with(db, name, lost, f"refers to a {other} that is not there")
        if pages and (broken := broken_pages(db, name)):
            yield f"its table {name!r} ({broken})"
        if name != "array":
            yield from _seal_troubles(db, table)
    except StudyFileError as error:
        if getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        yield f"its table {name!r} ({broken_pages(db, name) or error.__cause__})"


def broken_pages(db: Database, table: str) -> str:
    """The first thing that is wrong with the pages or indexes of a table, in SQLite's words; empty: nothing."""
    try:
        found = str(db.execute(f"PRAGMA main.integrity_check({table})").fetchone()[0])
    except StudyFileError as error:
        return str(error.__cause__)
    return "" if found == "ok" else " ".join(found.removeprefix("*** in database main ***").split())


def _rows_with(db: Database, table: str, wrong: str, what: str) -> Iterator[str]:
    """The rows of which ``wrong`` is true, each with what is wrong, in words."""
    for row in db.execute(f"SELECT {_key(table)} FROM {table} WHERE {wrong}"):
        yield f"{named(db, table, tuple(row))} {what}"


def _key(table: str) -> str:
    return KEYS.get(table, "id")


def _seal_troubles(db: Database, table: StoredTable) -> Iterator[str]:
    """Rows that are not what was written, and a table that lacks some or has others."""
    tally = Tally()

    def altered(kept: int | None, *row: Any) -> bool:
        if not isinstance(kept, int):
            return True
        tally.add(kept)
        return kept != row_seal(*row)

    db.create_function("altered", -1, altered)
    try:
        yield from _rows_with(db, table.name, f"altered({SEAL}, {table.sealed()})", ALTERED)
    except sqlite3.OperationalError:  # row_seal was not called, since a text could not be given to it
        yield f"{row_that_is_no_text(db)} holds text that is no UTF-8"
        return
    if table.name in TALLIED:
        row = db.execute("SELECT rows, seals FROM tally WHERE name = ?", (table.name,)).fetchone()
        wrong = row is None or Tally(*row) != tally
    else:
        wrong = tally.rows != len(TALLIED)
    if wrong:
        rows = plural(tally.rows, "row")
        yield f"its table {table.name!r} has {rows}, which {verb(tally.rows, 'is', 'are')} not all that was written"
