"""The tables of a study file."""

import sqlite3

import pytest

from fairtrial.store import RESOURCES
from fairtrial.store.schema import schema


def tables(db) -> dict[str, dict[str, tuple]]:
    """Type, whether it must be there, and default value of each column, by table."""
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
    return {name: {row[1]: row[2:5] for row in db.execute(f"PRAGMA table_info({name})")} for name in names}


@pytest.fixture
def new():
    db = sqlite3.connect(":memory:")
    db.executescript(schema())
    yield tables(db)
    db.close()


def test_resources_are_columns_of_trials(new):
    assert {name: new["trial"][name][0] for name in RESOURCES} == dict.fromkeys(RESOURCES, "REAL")
