"""Every verdict on a study file is noted in it: adding data and looking again is optional stopping."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from fairtrial.errors import StudyFileError
from fairtrial.store.connect import connect_to_note
from fairtrial.store.lock import Lock

__all__ = ["log_verdict"]


def log_verdict(path: Path, question: Mapping[str, Any], sentence: str) -> int | None:
    """Note a verdict and give on how many smaller sets of trials verdicts were made before.

    The same question on the same trials is noted once. None where the file can't be written: it is read-only, or a run
    is under way; a verdict never waits for its note.
    """
    try:
        lock = Lock(path)
    except StudyFileError:
        return None
    try:
        with closing(connect_to_note(path, seconds=1)) as db, db:
            return _note(db, json.dumps(question, sort_keys=True, ensure_ascii=False), sentence)
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
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
        row = (now, done, question, sentence)
        db.execute("INSERT INTO verdict (made, trials, question, sentence) VALUES (?, ?, ?, ?)", row)
    return int(db.execute("SELECT COUNT(DISTINCT trials) FROM verdict WHERE trials < ?", (done,)).fetchone()[0])
