"""The rows of a study file in the user's words, and the errors that name a damaged one."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from fairtrial.errors import StudyFileError
from fairtrial.store.schema import TABLES
from fairtrial.words import shortened, visible

if TYPE_CHECKING:
    from fairtrial.store.database import Database

ALTERED = "is not what was written"
DAMAGED = " is damaged or was not made by fairtrial: "
REMEDY = "take a copy of the file that is whole; `fairtrial check` lists all that is damaged"
KEYS = {"study": "revision", "array": "trial, CAST(channel AS BLOB)"}  # what identifies rows; in all other tables: id
LONGEST = 60  # characters of a name
TRIAL = (
    "SELECT m.name, d.name, 'repeat ' || s.repeat || ', fold ' || s.fold || ', replicate ' || t.replicate FROM trial t "
    "LEFT JOIN method m ON m.id = t.method LEFT JOIN dataset d ON d.id = t.dataset LEFT JOIN split s ON s.id = t.split "
    "WHERE t.id = ?"
)
WORDS = {  # by table: the query for the words, and their form
    "trial": (TRIAL, "the trial of {} on {}, {}"),
    "array": (TRIAL, "of the trial of {} on {}, {}"),
    "split": (
        "SELECT s.repeat, s.fold, d.name FROM split s LEFT JOIN dataset d ON d.id = s.dataset WHERE s.id = ?",
        "repeat {}, fold {} of {}",
    ),
    "dataset": ("SELECT name FROM dataset WHERE id = ?", "the data set {}"),
    "method": ("SELECT name FROM method WHERE id = ?", "the method {}"),
    "session": ("SELECT started FROM session WHERE id = ?", "the run that began {}"),
    "verdict": ("SELECT made FROM verdict WHERE id = ?", "the verdict of {}"),
    "tally": ("SELECT name FROM tally WHERE id = ?", "the number of rows of {}"),
}


def named(db: sqlite3.Connection, table: str, row: tuple[object, ...]) -> str:
    """The name of a row: its number and, as far as can be read, what it is."""
    number, *others = row
    channel = [c.decode(errors="replace") if isinstance(c, bytes) else str(c) for c in others]
    place = f"row {number} of its table {table!r}" if not channel else f"{visible(channel[0])!r} in its table 'array'"
    if table not in WORDS:
        return f"{place} (revision {number} of the study)"
    query, form = WORDS[table]
    try:
        found = sqlite3.Cursor(db).execute(query, (number,)).fetchone()
    except (sqlite3.Error, UnicodeDecodeError):  # what it refers to is damaged, too
        found = None
    if found is None:
        return place if not channel else f"{place} of trial {number}"
    words = form.format(*("?" if word is None else shortened(visible(str(word)), LONGEST) for word in found))
    return f"{place} ({words})"


NO_ROW = "its table 'sqlite_schema'"  # where no row of a table holds what is wrong


def row_that_is_no_text(db: sqlite3.Connection) -> str:
    """The name of the first row that holds text that is no UTF-8."""
    for table in TABLES.values():
        for column in (c.name for c in table.columns if c.kind == "TEXT"):
            query = f"SELECT CAST({column} AS BLOB), {KEYS.get(table.name, 'id')} FROM {table.name}"
            try:
                for data, *row in sqlite3.Cursor(db).execute(query):
                    if data is not None and data.decode(errors="replace").encode() != data:
                        return named(db, table.name, tuple(row))
            except (sqlite3.Error, UnicodeDecodeError):
                continue  # the table is broken in another way
    return NO_ROW


def damaged_row(db: Database, table: str, row: tuple[object, ...], wrong: str) -> StudyFileError:
    """The error for a row that is not what fairtrial wrote."""
    return refused(db, f"{named(db, table, row)} {wrong}")


def refused(db: Database, what: str) -> StudyFileError:
    """The error for a damaged file."""
    name = db.path or "the study in memory"
    return StudyFileError(f"{name}{DAMAGED}{what}; {REMEDY}")


def trouble_of(error: StudyFileError) -> str:
    """What is wrong by an error that :func:`refused` made; another error as it is."""
    return str(error).rpartition(DAMAGED)[2].removesuffix(f"; {REMEDY}")
