"""The tables of a study file, as data; what a trial brings is declared with :class:`fairtrial.store.records.Record`.

The statements that make and fill its tables and the checks of rows follow from the columns. A new column says since
which version of the file it is there (``since=6``): older files are read as if it were empty, and get it when they are
written.
"""

from __future__ import annotations

from fairtrial.store.columns import SEAL, StoredTable
from fairtrial.store.columns import StoredColumn as Column
from fairtrial.store.records import RECORDED, RESOURCE_COLUMNS

APPLICATION = 0x66616972  # "fair", in SQLite's application_id
OUTCOME = ("status", "error", "warnings", "output")  # the first columns that a record fills
_SEAL = Column(SEAL, "INTEGER", "digest of the row")

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
                _SEAL,
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
                Column("checks", "INTEGER", "always 1"),
                _SEAL,
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
                _SEAL,
            ),
        ),
        StoredTable(
            "method",
            (
                Column("id", "INTEGER PRIMARY KEY"),
                Column("digest", "BLOB NOT NULL UNIQUE"),
                Column("name", "TEXT NOT NULL"),
                Column("canonical", "TEXT NOT NULL", "JSON"),
                _SEAL,
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
                _SEAL,
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
                *(RECORDED[name] for name in OUTCOME),
                *RESOURCE_COLUMNS,
                Column("session", "INTEGER REFERENCES session"),
                Column("attempts", "INTEGER NOT NULL DEFAULT 0", "how often it was run"),
                *(column for name, column in RECORDED.items() if name not in OUTCOME),
                Column("channels", "TEXT", "the channels that it has in the table array: label,probability"),
                _SEAL,
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
                _SEAL,
            ),
            "PRIMARY KEY (trial, channel)",
            sealed_by="trial",
        ),
        StoredTable(
            "verdict",
            (
                Column("id", "INTEGER PRIMARY KEY"),
                Column("made", "TEXT NOT NULL"),
                Column("trials", "INTEGER NOT NULL", "the number of trials that were done when it was made"),
                Column("question", "TEXT NOT NULL", "JSON"),
                Column("sentence", "TEXT NOT NULL"),
                _SEAL,
            ),
        ),
        StoredTable(
            "tally",
            (
                Column("id", "INTEGER PRIMARY KEY"),
                Column("name", "TEXT NOT NULL", "a table whose rows are counted: a missing one is noticed"),
                Column("rows", "INTEGER NOT NULL"),
                Column("unchecked", "INTEGER NOT NULL", "always 0"),
                Column("seals", "INTEGER NOT NULL", "exclusive or of all seals"),
                _SEAL,
            ),
        ),
    )
}

VERSION = max(column.since for table in TABLES.values() for column in table.columns)

TALLIED = tuple(name for name in TABLES if name not in ("array", "tally"))
"""The tables whose rows are counted. The arrays of a trial are named in its row."""


def schema(version: int = VERSION) -> str:
    """The statements that make the tables of a version."""
    return "\n".join(table.at(version).creation for table in TABLES.values())
