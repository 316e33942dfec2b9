"""A connection to a study file allows nothing but plain tables, and no query that takes for ever."""

import sqlite3

import pytest

from fairtrial.errors import StudyFileError
from fairtrial.store import StudyFile, check_rows, connect
from fairtrial.store.checks import rows

LOOPS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"


class TestGuard:
    @pytest.mark.parametrize(
        "sql",
        [LOOPS, "ATTACH ':memory:' AS x", "CREATE VIEW x AS SELECT 1",
         "PRAGMA writable_schema = 1", "CREATE TEMP TRIGGER x AFTER INSERT ON verdict BEGIN DELETE FROM trial; END"],
    )  # fmt: skip
    def test_a_connection_allows_nothing_but_tables(self, file, sql):
        with pytest.raises(StudyFileError, match="wants to do what no study file may"):
            file.query(sql)

    def test_a_query_that_takes_too_long_is_stopped(self, file, monkeypatch):
        monkeypatch.setattr(connect, "FEWEST_STEPS", 3_000_000)
        monkeypatch.setattr(connect, "STEPS_PER_BYTE", 0)
        with pytest.raises(StudyFileError, match="takes far longer to read than its size explains"):
            file.query("SELECT COUNT(*) FROM trial a, trial b, trial c, trial d, trial e, trial f, trial g, trial h")
        assert file.query("SELECT 1") == [(1,)]


class TestCtrlC:
    """It ends a query as one that takes too long, and a check as a row that is no text: neither is said of the file."""

    def test_in_a_query(self, file):
        def stopped():
            raise KeyboardInterrupt

        file.database.set_progress_handler(stopped, 10)
        with pytest.raises(KeyboardInterrupt):
            file.query("SELECT COUNT(*) FROM trial a, trial b, trial c, trial d")
        file.database.set_progress_handler(None, 10)
        assert file.query("SELECT 1") == [(1,)]

    def test_in_a_check(self, file, monkeypatch):
        def stopped(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr(rows, "row_seal", stopped)
        with pytest.raises(KeyboardInterrupt):
            check_rows(file)


class TestCheckSchema:
    """All that a stranger could have put into a file: test_hostile.py."""

    @pytest.mark.parametrize(
        ("sql", "words"),
        [
            ("CREATE INDEX x ON trial (abs(id))", "it holds the index 'x'; nothing in it was run"),
            ("CREATE TABLE x (y)", "it holds the table 'x'"),
            ("DROP TABLE verdict", "it lacks the table 'verdict'"),
            ("ALTER TABLE trial ADD COLUMN status2 TEXT", "its table 'trial' says status2"),
            ("ALTER TABLE method DROP COLUMN canonical", "its table 'method' has other columns"),
        ],
    )
    def test_says_what_is_strange(self, tmp_path, sql, words):
        path = tmp_path / "a.trial"
        StudyFile(path, write=True).close()
        db = sqlite3.connect(path)
        db.execute(sql)
        db.close()
        with pytest.raises(StudyFileError, match=rf"is not a study file as fairtrial writes them: {words}"):
            StudyFile(path)
