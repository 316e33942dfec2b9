"""The tables of a study file: what newer versions brought is in them, and old files come to the same."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from fairtrial.store import RESOURCES, StudyFile
from fairtrial.store.schema import NEW_COLUMNS, SCHEMA, VERSION

FILES = Path(__file__).parent / "files"


def tables(db) -> dict[str, dict[str, tuple]]:
    """Type, whether it must be there, and default value of each column, by table."""
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
    return {name: {row[1]: row[2:5] for row in db.execute(f"PRAGMA table_info({name})")} for name in names}


@pytest.fixture
def new():
    db = sqlite3.connect(":memory:")
    db.executescript(SCHEMA)
    yield tables(db)
    db.close()


def test_each_version_brought_something_and_the_last_is_ours():
    assert sorted(NEW_COLUMNS) == list(range(2, VERSION + 1))


def test_new_columns_are_declared_as_in_a_new_file(new):
    for table, column, declaration in (c for columns in NEW_COLUMNS.values() for c in columns):
        kind, needed, default = new[table][column]
        words = f"{kind} NOT NULL DEFAULT {default}" if needed else kind
        assert declaration == words


def test_resources_are_columns_of_trials(new):
    assert {name: new["trial"][name][0] for name in RESOURCES} == dict.fromkeys(RESOURCES, "REAL")


@pytest.mark.parametrize("version", range(1, VERSION))
def test_a_file_that_is_brought_up_has_the_columns_of_a_new_one(tmp_path, new, version):
    path = shutil.copy(FILES / f"version{version}.trial", tmp_path / "old.trial")
    StudyFile(path, write=True).close()
    db = sqlite3.connect(path)
    assert tables(db) == new
    db.close()
