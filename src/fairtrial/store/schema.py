"""The tables of a study file, as data; what a trial brings is declared with :class:`fairtrial.store.records.Record`.

A new column says ``since`` which file version it is there. The version of the file, the statements that make and fill
its tables, the checks of rows, and the upgrade of older files all follow from the columns.
"""

from __future__ import annotations

from fairtrial.store.columns import StoredColumn as Column
from fairtrial.store.columns import StoredTable
from fairtrial.store.records import RECORDED, RESOURCE_COLUMNS

__all__ = ["APPLICATION", "NEW_COLUMNS", "SCHEMA", "TABLES", "VERSION"]

APPLICATION = 0x66616972  # "fair", in SQLite's application_id

TABLES = {
    table.name: table
    for table in (
        StoredTable(
            "study",
            (
                Column("revision", "INTEGER PRIMARY KEY"),
                Column("created", "TEXT NOT NULL"),
                Column("digest", "BLOB NOT NULL"),
                Column("definition", "TEXT NOT NULL", "JSON: question, methods, resampling, measures, policy…"),
            ),
        ),
        StoredTable(
            "session",
            (
                Column("id", "INTEGER PRIMARY KEY"),
                Column("started", "TEXT NOT NULL"),
                Column("host", "TEXT NOT NULL"),
                Column("pid", "INTEGER NOT NULL"),
                Column("command", "TEXT NOT NULL"),
                Column("versions", "TEXT NOT NULL", "JSON"),
                Column("checks", "INTEGER", "1: predictions were checked when they were stored", since=3),
            ),
        ),
        StoredTable(
            "dataset",
            (
                Column("id", "INTEGER PRIMARY KEY"),
                Column("fingerprint", "TEXT NOT NULL UNIQUE"),
                Column("name", "TEXT NOT NULL"),
                Column("facts", "TEXT NOT NULL", "JSON: task, classes, positive, n, p, source…"),
                Column("dtype", "TEXT NOT NULL"),
                Column("shape", "TEXT NOT NULL"),
                Column("truth", "BLOB NOT NULL"),
            ),
        ),
        StoredTable(
            "method",
            (
                Column("id", "INTEGER PRIMARY KEY"),
                Column("digest", "BLOB NOT NULL UNIQUE"),
                Column("name", "TEXT NOT NULL"),
                Column("canonical", "TEXT NOT NULL", "JSON"),
            ),
        ),
        StoredTable(
            "split",
            (
                Column("id", "INTEGER PRIMARY KEY"),
                Column("dataset", "INTEGER NOT NULL REFERENCES dataset"),
                Column("digest", "BLOB NOT NULL"),
                Column("repeat", "INTEGER NOT NULL"),
                Column("fold", "INTEGER NOT NULL", "-1: the fold of apparent errors", rule="fold >= -1"),
                Column("n_train", "INTEGER NOT NULL"),
                Column("n_test", "INTEGER NOT NULL"),
                Column("test", "BLOB NOT NULL", "zlib of little-endian int32"),
                Column("train", "BLOB", "NULL: all that is not tested"),
            ),
            "UNIQUE (dataset, digest, repeat, fold)",
        ),
        StoredTable(
            "trial",
            (
                Column("id", "INTEGER PRIMARY KEY"),
                Column("key", "BLOB NOT NULL UNIQUE"),
                Column("revision", "INTEGER NOT NULL", "the last revision of the study that has this trial"),
                Column("position", "INTEGER NOT NULL", "its place in the order of the run"),
                Column("dataset", "INTEGER NOT NULL REFERENCES dataset"),
                Column("method", "INTEGER NOT NULL REFERENCES method"),
                Column("levels", "TEXT NOT NULL", "JSON: levels of the factors"),
                Column("split", "INTEGER NOT NULL REFERENCES split"),
                Column("replicate", "INTEGER NOT NULL"),
                Column("attempts", "INTEGER NOT NULL DEFAULT 0", "how often it was run", since=2),
                *RECORDED.values(),
                *RESOURCE_COLUMNS,
                Column("session", "INTEGER REFERENCES session"),
            ),
        ),
        StoredTable(
            "array",
            (
                Column("trial", "INTEGER NOT NULL REFERENCES trial"),
                Column("channel", "TEXT NOT NULL"),
                Column("dtype", "TEXT NOT NULL", 'numpy\'s, such as "<f8": data are zlib; "raw <f8": not compressed'),
                Column("shape", "TEXT NOT NULL", '"15,3"'),
                Column("data", "BLOB NOT NULL"),
            ),
            "PRIMARY KEY (trial, channel)",
        ),
        StoredTable(
            "verdict",
            (
                Column("id", "INTEGER PRIMARY KEY"),
                Column("made", "TEXT NOT NULL"),
                Column("trials", "INTEGER NOT NULL", "the number of trials that were done when it was made"),
                Column("question", "TEXT NOT NULL", "JSON"),
                Column("sentence", "TEXT NOT NULL"),
            ),
        ),
    )
}

VERSION = max(column.since for table in TABLES.values() for column in table.columns)

NEW_COLUMNS = {  # by the version that brought them: (table, column, declaration)
    version: tuple(
        (table.name, column.name, column.declaration)
        for table in TABLES.values()
        for column in table.columns
        if column.since == version
    )
    for version in range(2, VERSION + 1)
}

SCHEMA = "\n".join(table.creation for table in TABLES.values())
