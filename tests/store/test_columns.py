"""Columns as data: what is declared in one place is in all statements."""

import sqlite3
from dataclasses import dataclass, field

import pytest

from fairtrial.store.columns import StoredColumn, StoredTable, columns_of, insertion, stored, update


@dataclass
class Reading:
    key: int
    note: str = field(default="", metadata=stored("TEXT", "free text"))


class TestStoredColumn:
    def test_parts_of_a_declaration(self):
        column = StoredColumn("split", "INTEGER NOT NULL REFERENCES split")
        assert (column.kind, column.is_needed, column.refers_to) == ("INTEGER", True, "split")
        assert StoredColumn("begun", "REAL").refers_to is None

    @pytest.mark.parametrize(
        ("column", "good", "bad"),
        [
            (StoredColumn("x", "INTEGER"), [0, 7, None], [-1, 0.5, "a", b"a"]),
            (StoredColumn("x", "INTEGER NOT NULL", rule="x >= -1"), [-1, 3], [-2, None]),
            (StoredColumn("x", "REAL"), [-1, 0.5, None], ["a", b"a"]),
            (StoredColumn("x", "TEXT NOT NULL", rule="x IN ('ok')"), ["ok"], ["no", None, 1]),
        ],
    )
    def test_conditions(self, column, good, bad):
        db = sqlite3.connect(":memory:")
        query = f"SELECT {' AND '.join(column.conditions())} FROM (SELECT ? AS x)"
        assert [db.execute(query, (value,)).fetchone()[0] for value in good] == [1] * len(good)
        assert not any(db.execute(query, (value,)).fetchone()[0] for value in bad)
        db.close()


class TestStoredTable:
    def test_columns_stand_in_the_order_of_their_declaration(self):
        columns = (StoredColumn("id", "INTEGER PRIMARY KEY"), *columns_of(Reading).values(), StoredColumn("x", "REAL"))
        made = StoredTable("reading", columns, "UNIQUE (x)")
        db = sqlite3.connect(":memory:")
        db.execute(made.creation)
        assert [row[1] for row in db.execute("PRAGMA table_info(reading)")] == ["id", "note", "x"]
        assert "note TEXT,  -- free text" in made.creation
        assert made.names == ("id", "note", "x")
        db.close()


class TestColumnsOf:
    def test_fields_that_are_stored(self):
        assert columns_of(Reading) == {"note": StoredColumn("note", "TEXT", "free text")}


class TestStatements:
    def test_are_made_of_names(self):
        db = sqlite3.connect(":memory:")
        db.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
        db.execute(insertion("t", ("b", "a")), {"a": 1, "b": "x", "c": "not asked for"})
        assert db.execute("SELECT * FROM t").fetchall() == [(1, "x")]
        db.execute(update("t", {"b": "?1 || b"}, "a = ?2"), ("z", 1))
        assert db.execute("SELECT * FROM t").fetchall() == [(1, "zx")]
        db.close()
