"""What the rows of a study file must hold: numbers where these are declared, and references to rows that are there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairtrial.errors import StudyFileError

if TYPE_CHECKING:
    from fairtrial.store.study_file import StudyFile

__all__ = ["check_rows"]

TABLES = ("study", "session", "dataset", "method", "split", "trial", "verdict")  # arrays are checked as they are read
KINDS = {"INTEGER": "'integer'", "TEXT": "'text'", "BLOB": "'blob'", "REAL": "'real', 'integer'"}
ANY = "'integer', 'real', 'text', 'blob'"
REFERENCES = (
    ("split", "dataset", "dataset"),
    ("trial", "dataset", "dataset"),
    ("trial", "method", "method"),
    ("trial", "split", "split"),
    ("trial", "session", "session"),
)


def check_rows(file: StudyFile) -> None:
    """Refuse rows that SQLite takes and fairtrial never writes; one pass over each table but that of arrays."""
    for table in TABLES:
        _none(file, table, " OR ".join(_conditions(file, table)), "has a value of another kind than its column")
    for table, column, other in REFERENCES:
        lost = f"{column} IS NOT NULL AND {column} NOT IN (SELECT id FROM {other})"
        _none(file, table, lost, f"refers to a {other} that is not there")


def _none(file: StudyFile, table: str, wrong: str, what: str) -> None:
    number = "revision" if table == "study" else "id"
    found = file.query(f"SELECT {number} FROM {table} WHERE {wrong} LIMIT 1")
    if found:
        raise StudyFileError(
            f"{file.name} is damaged or was not made by fairtrial: row {found[0][0]} of its table {table!r} {what}; "
            "take a copy of the file that is whole"
        )


def _conditions(file: StudyFile, table: str) -> Iterator[str]:
    """What must not be true of a row."""
    for name, kind, needed in file.query('SELECT name, type, "notnull" FROM pragma_table_info(?)', table):
        null = "" if needed else ", 'null'"
        yield f"typeof({name}) NOT IN ({KINDS.get(kind, ANY)}{null})"
        if kind == "INTEGER" and name not in ("fold", "pid"):  # -1 is the fold of apparent errors
            yield f"{name} < 0"
    if table == "trial":
        yield "status NOT IN ('waiting', 'ok', 'failed')"
