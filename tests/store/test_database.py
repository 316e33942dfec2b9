"""Troubles with the file are told in words, and mistakes in a query stay what they are."""

import os
import sqlite3
from contextlib import contextmanager
from pathlib import Path

import pytest

from fairtrial.errors import StudyFileError
from fairtrial.store import Packed, Record, StudyFile, database
from fairtrial.store.database import plain_words


class TestWords:
    def test_a_full_disk_is_one_sentence_and_frees_the_lock(self, tmp_path, plan):
        path = tmp_path / "a.trial"
        file = StudyFile(path, write=True)
        file.register(plan)
        pages = file.query("PRAGMA page_count")[0][0]
        file.query(f"PRAGMA max_page_count = {pages}")  # SQLite's own "disk full"
        big = Record(plan.trial(0).key, "ok", arrays={"value": Packed("<f8", (50_000,), os.urandom(400_000))})
        with pytest.raises(StudyFileError, match=r"can't be written: .*full; what was written before is safe"):
            file.append([big])
        file.close()
        StudyFile(path, write=True).close()

    def test_a_mistake_in_a_query_stays_what_it_is(self, file):
        with pytest.raises(sqlite3.OperationalError, match="no such column: nonsense"):
            file.query("SELECT nonsense FROM trial")

    @pytest.mark.parametrize(
        ("code", "words"),
        [
            (sqlite3.SQLITE_READONLY, r"a\.trial can't be written: it is read-only; allow writing"),
            (
                sqlite3.SQLITE_IOERR | 10 << 8,
                r"a\.trial can't be read or written: odd; what was written before is safe",
            ),
            (sqlite3.SQLITE_NOTADB, r"a\.trial can't be opened as a study file: it is no database"),
        ],
    )
    def test_codes_of_sqlite_by_hand(self, code, words):
        error = sqlite3.OperationalError("odd")
        error.sqlite_errorcode = code
        with pytest.raises(StudyFileError, match=words), plain_words(Path("a.trial")):
            raise error

    def test_text_that_is_no_utf_8(self, file):
        file.query("UPDATE method SET name = CAST(x'ff00' AS TEXT)")
        with pytest.raises(StudyFileError, match=r"row 1 of its table 'method' holds text that is no UTF-8"):
            file.query("SELECT name FROM method")


def test_an_interrupted_statement_is_over(tmp_path, monkeypatch):
    """Ctrl-C while the log was merged: its statement lived on in the traceback, and the end of the run was refused."""

    @contextmanager
    def interrupted(*_):
        yield
        raise KeyboardInterrupt

    db = sqlite3.connect(tmp_path / "a.db", factory=database.Database)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE a (b)")
    with monkeypatch.context() as patched:
        patched.setattr(database, "plain_words", interrupted)
        with pytest.raises(KeyboardInterrupt) as held:
            db.execute("PRAGMA wal_checkpoint(PASSIVE)")
    with db:
        db.execute("INSERT INTO a VALUES (1)")
    assert held.value is not None, "with its traceback, which holds the statement"
    assert db.execute("SELECT b FROM a").fetchall() == [(1,)]
    db.close()
