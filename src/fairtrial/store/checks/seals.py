"""Seals: the digest that each row of a study file carries, and tallies of tables, by which missing rows are noticed.

A seal is made of the table's name and of all other fields of the row, as they are stored. Two functions in SQL make it
where the row is, so that sealing costs no second reading: ``row_seal`` and ``new_seal``, which also keeps the tally.

The tally of a table: what all its rows come to, so that one that is missing or doubled is noticed.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from fairtrial.store.columns import SEAL
from fairtrial.store.schema import TABLES, TALLIED

if TYPE_CHECKING:
    from fairtrial.store.database import Database


@dataclass(slots=True)
class Tally:
    """The number of rows of a table, and all seals joined by exclusive or."""

    rows: int = 0
    seals: int = 0

    def add(self, seal: int) -> None:
        """Count one more row."""
        self.rows += 1
        self.seals ^= seal


NEW = 0
"""The seal of a row that has just been inserted, until it gets its own."""

PLAIN = 2  # the version of marshal whose bytes depend on the values alone: later ones have references to objects


def row_seal(*row: Any) -> int:
    """The seal of a row: 63 bits of BLAKE2b over the table's name and the values.

    64 bits miss one of 10¹⁹ damages, where a CRC of 32 bits misses one of four billion and is made for short bursts in
    one piece; BLAKE2b takes about 1 µs for a row. Values of NULL at the end are left out: a column that a later version
    brings changes nothing.
    """
    end = len(row)
    while row[end - 1] is None:
        end -= 1
    return int.from_bytes(blake2b(marshal.dumps(row[:end], PLAIN), digest_size=8).digest(), "little") >> 1


def teach(db: Database) -> None:
    """Let statements on a connection use ``row_seal(table, …)`` and ``new_seal(old seal, table, …)``."""
    changes = db.changes

    def new_seal(old: int, *row: Any) -> int:
        made, change = row_seal(*row), changes[row[0]]
        change.seals ^= made
        if old:
            change.seals ^= old
        else:
            change.rows += 1
        return made

    db.create_function("row_seal", -1, row_seal, deterministic=True)
    db.create_function("new_seal", -1, new_seal)


def seal(db: Database, table: str, which: str, *given: object) -> None:
    """Seal some rows of a table anew, within :func:`sealing`."""
    made = f"new_seal({SEAL}, {TABLES[table].sealed()})"
    db.execute(f"UPDATE {table} SET {SEAL} = {made} WHERE {which}", given)


@contextmanager
def sealing(db: Database) -> Iterator[None]:
    """A transaction in which rows are sealed; the tallies of their tables are brought up at its end."""
    db.changes.clear()
    with db:
        try:
            yield
            for table, change in db.changes.items():
                _bring_up(db, table, change)
        finally:
            db.changes.clear()


def _bring_up(db: Database, table: str, change: Tally) -> None:
    if change == Tally() or table not in TALLIED:
        return
    more = "rows = rows + ?1, seals = (seals | ?2) - (seals & ?2)"
    db.execute(f"UPDATE tally SET {more} WHERE name = ?3", (change.rows, change.seals, table))
    db.execute(f"UPDATE tally SET {SEAL} = row_seal({TABLES['tally'].sealed()}) WHERE name = ?", (table,))


def seal_again(db: Database) -> None:
    """Seal the rows of all tables but that of arrays, after changes of any kind, and count anew."""
    for table in TALLIED:
        db.execute(f"UPDATE {table} SET {SEAL} = row_seal({TABLES[table].sealed()})")
    recount(db)


def counted(db: Database, table: str) -> Tally:
    """The tally of a table as its rows are now."""
    tally = Tally()
    for (kept,) in db.execute(f"SELECT {SEAL} FROM {table}"):
        tally.add(kept)
    return tally


def recount(db: Database) -> None:
    """Write the tallies of all tables as their rows are now."""
    db.execute("DELETE FROM tally")
    for number, table in enumerate(TALLIED, start=1):
        tally = counted(db, table)
        row = (number, table, tally.rows, 0, tally.seals)  # the column of unchecked rows was for older versions
        db.execute("INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?)", (*row, row_seal("tally", *row)))
