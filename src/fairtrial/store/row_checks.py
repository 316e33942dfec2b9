"""Checks of the rows of a study file: values of the kind that is declared, and references to rows that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.errors import StudyFileError
from fairtrial.store.schema import TABLES

if TYPE_CHECKING:
    from fairtrial.store.study_file import StudyFile

__all__ = ["check_rows"]


def check_rows(file: StudyFile) -> None:
    """Refuse rows that SQLite takes and fairtrial never writes; one pass over each table but that of arrays."""
    tables = [table for name, table in TABLES.items() if name != "array"]  # arrays are checked when they are read
    for table in tables:
        conditions = [condition for column in table.columns for condition in column.conditions()]
        _refuse(file, table.name, f"NOT ({' AND '.join(conditions)})", "has a value of another kind than its column")
    for table in tables:
        for column in table.columns:
            if other := column.refers_to:
                lost = f"{column.name} IS NOT NULL AND {column.name} NOT IN (SELECT id FROM {other})"
                _refuse(file, table.name, lost, f"refers to a {other} that is not there")


def _refuse(file: StudyFile, table: str, wrong: str, what: str) -> None:
    """Refuse a file that has a row of which ``wrong`` is true."""
    number = TABLES[table].names[0]
    found = file.query(f"SELECT {number} FROM {table} WHERE {wrong} LIMIT 1")
    if found:
        raise StudyFileError(
            f"{file.name} is damaged or was not made by fairtrial: row {found[0][0]} of its table {table!r} "
            f"{what}; take a copy of the file that is whole"
        )
