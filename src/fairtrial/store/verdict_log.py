"""The log of verdicts in a study file: adding data and looking again is optional stopping."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from fairtrial.errors import StudyFileError
from fairtrial.store.columns import insertion
from fairtrial.store.connect import connect_to_note
from fairtrial.store.json_checks import write_json
from fairtrial.store.lock import Lock
from fairtrial.store.sessions import now

__all__ = ["log_verdict"]


def log_verdict(path: Path, question: Mapping[str, Any], sentence: str) -> int | None:
    """Note a verdict, and return the number of smaller sets of trials that had verdicts before.

    The same question on the same trials is noted once. None where the file can't be written: it is read-only, or a run
    is under way; a verdict never waits for its note.
    """
    try:
        lock = Lock(path)
    except StudyFileError:
        return None
    try:
        with closing(connect_to_note(path, seconds=1)) as db, db:
            return _note(db, write_json(question), sentence)
    except (StudyFileError, sqlite3.Error):
        return None
    finally:
        lock.release()


def _note(db: sqlite3.Connection, question: str, sentence: str) -> int:
    done = db.execute(
        "SELECT COUNT(*) FROM trial WHERE status <> 'waiting' AND revision = (SELECT MAX(revision) FROM study)"
    ).fetchone()[0]
    known = db.execute("SELECT 1 FROM verdict WHERE trials = ? AND question = ?", (done, question)).fetchone()
    if known is None:
        row = {"made": now(), "trials": done, "question": question, "sentence": sentence}
        db.execute(insertion("verdict", tuple(row)), row)
    return int(db.execute("SELECT COUNT(DISTINCT trials) FROM verdict WHERE trials < ?", (done,)).fetchone()[0])
