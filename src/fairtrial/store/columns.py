"""Columns of the study file as data: each is declared once, and statements in SQL are made from their names."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from fairtrial.store.checks.json import Check

SEAL = "seal"  # the column of each table with the digest of the other columns
NO_CHANGES: Mapping[str, str] = {}
OLDEST = 5  # the oldest version of a file that is read: earlier ones were written before the first release
KINDS = {"INTEGER": "'integer'", "TEXT": "'text'", "BLOB": "'blob'", "REAL": "'real', 'integer'"}


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """A column of a table: its name and its declaration in SQL.

    ``about`` is a comment for whoever opens the file with another program. ``json`` checks the content of a column
    that holds JSON. ``rule`` is what must be true of every value, in SQL; by default whole numbers are not negative.
    ``shown`` says whether a column that trials fill is part of the table of trials in results. ``since`` is the first
    version of the file that has it: a later one must allow NULL, and it stands behind those of earlier versions.
    """

    name: str
    declaration: str
    about: str = ""
    json: Check | None = None
    rule: str = ""
    shown: bool = True
    since: int = OLDEST

    @property
    def kind(self) -> str:
        """The type in SQL: INTEGER, REAL, TEXT or BLOB."""
        return self.declaration.split()[0]

    @property
    def is_needed(self) -> bool:
        """Whether every row must have a value."""
        return "NOT NULL" in self.declaration

    @property
    def refers_to(self) -> str | None:
        """The table whose rows the column numbers; None where it is no reference."""
        _, _, table = self.declaration.partition("REFERENCES ")
        return table or None

    def conditions(self) -> Iterable[str]:
        """The conditions on every value, in SQL."""
        null = "" if self.is_needed else ", 'null'"
        yield f"typeof({self.name}) IN ({KINDS[self.kind]}{null})"
        if self.rule or self.kind == "INTEGER":
            yield f"({self.name} IS NULL OR {self.rule or f'{self.name} >= 0'})"


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table of the study file: its columns, and what holds of several of them together.

    ``sealed_by`` is the table whose key seals its rows, in place of a number that is another one in each file.
    """

    name: str
    columns: tuple[StoredColumn, ...]
    constraint: str = ""
    sealed_by: str = ""

    def __post_init__(self) -> None:
        in_order = sorted(self.columns, key=lambda c: (c.name == SEAL, c.since))  # so that older seals stay valid
        object.__setattr__(self, "columns", tuple(in_order))

    def at(self, version: int) -> StoredTable:
        """The table as it is in files of a version."""
        return replace(self, columns=tuple(c for c in self.columns if c.since <= version))

    def after(self, version: int) -> tuple[StoredColumn, ...]:
        """The columns that files of a version lack."""
        return tuple(c for c in self.columns if c.since > version)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns."""
        return tuple(c.name for c in self.columns)

    @property
    def creation(self) -> str:
        """The statement that makes the table, with comments."""
        parts = [(f"{c.name} {c.declaration}", c.about) for c in self.columns]
        parts += [(self.constraint, "")] if self.constraint else []
        last = len(parts) - 1
        lines = [
            f"    {sql}{',' * (i < last)}{f'  -- {about}' if about else ''}" for i, (sql, about) in enumerate(parts)
        ]
        return "\n".join([f"CREATE TABLE {self.name} (", *lines, ");"])

    def sealed(self, new: Mapping[str, str] = NO_CHANGES) -> str:
        """What the seal of a row is made of, in SQL: the table, then all other columns; ``new`` has those that change.

        >>> StoredTable("t", (StoredColumn("a", "REAL"), StoredColumn("seal", "INTEGER"))).sealed({"a": "?1 + 0.0"})
        "'t', ?1 + 0.0"
        """
        return ", ".join([f"'{self.name}'", *(new.get(c.name, c.name) for c in self.columns if c.name != SEAL)])

    def sealed_copy(self) -> str:
        """The statement that inserts whole rows of other files, sealed.

        A row that has the same key as a former one replaces it.
        """
        made = f"row_seal({self.sealed({name: f':{name}' for name in self.names})})"
        kept = f":{SEAL}" if self.sealed_by else made
        values = [kept if name == SEAL else f":{name}" for name in self.names]
        return f"INSERT OR REPLACE INTO {self.name} ({', '.join(self.names)}) VALUES ({', '.join(values)})"


def stored(
    declaration: str, about: str = "", *, json: Check | None = None, rule: str = "", shown: bool = True
) -> Mapping[str, StoredColumn]:
    """The metadata of a dataclass field that is kept in a column of its name; see :class:`StoredColumn`."""
    return {"column": StoredColumn("", declaration, about, json, rule, shown)}


def columns_of(cls: Any) -> dict[str, StoredColumn]:
    """The columns that the fields of a dataclass are kept in, by name."""
    return {f.name: replace(f.metadata["column"], name=f.name) for f in fields(cls) if "column" in f.metadata}


@functools.cache
def insertion(table: str, names: tuple[str, ...], conflict: str = "") -> str:
    """The SQL statement that inserts rows; each row is a mapping from column names to values.

    >>> insertion("method", ("digest", "name"), "ON CONFLICT DO NOTHING")
    'INSERT INTO method (digest, name) VALUES (:digest, :name) ON CONFLICT DO NOTHING'
    """
    places = ", ".join(f":{name}" for name in names)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places}) {conflict}".rstrip()


def update(table: str, values: Mapping[str, str], which: str) -> str:
    """The statement that sets columns to values in SQL.

    >>> update("trial", {"status": "?1", "attempts": "attempts + 1"}, "key = ?2")
    'UPDATE trial SET status = ?1, attempts = attempts + 1 WHERE key = ?2'
    """
    return f"UPDATE {table} SET {', '.join(f'{name} = {value}' for name, value in values.items())} WHERE {which}"
