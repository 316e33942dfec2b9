"""Changes of study files as a stranger might make them who knows how rows are sealed."""

import sqlite3
from contextlib import closing
from pathlib import Path

from fairtrial.store.checks.seals import seal_again
from fairtrial.store.connect import connect
from fairtrial.store.schema import TABLES


def change(path, sql, *values) -> None:
    """Change rows of a study file, and seal them."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql, values)
    seal_file(path)


def seal_file(path) -> None:
    """Seal all rows of a study file as they are."""
    with closing(connect(Path(path), write=True)) as db:
        with db:
            seal_rows(db)
        db.execute("PRAGMA journal_mode = DELETE")


def seal_rows(db) -> None:
    seal_again(db)
    owner = {"trial": "(SELECT key FROM trial WHERE id = array.trial)"}
    db.execute(f"UPDATE array SET seal = row_seal({TABLES['array'].sealed(owner)})")
