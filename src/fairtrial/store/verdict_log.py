"""The log of verdicts in a study file: adding data and looking again is optional stopping."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.errors import StudyFileError
from fairtrial.store.checks.json import parsed, write_json
from fairtrial.store.checks.seals import NEW, seal, sealing
from fairtrial.store.columns import SEAL, insertion
from fairtrial.store.connect import connect_to_note, lost_log, settle
from fairtrial.store.database import Database
from fairtrial.store.paths import Lock
from fairtrial.store.sessions import now


@dataclass(frozen=True, slots=True)
class EarlierVerdicts:
    """What was asked of a study before: on how many smaller sets of trials, and about which measures in all."""

    on_fewer_trials: int = 0
    measures: tuple[str, ...] = ()


def log_verdict(path: Path, question: Mapping[str, Any], sentence: str) -> EarlierVerdicts | None:
    """Note a verdict, and return what was asked of the study before.

    The same question on the same trials is noted once. The result is None if the file can't be written, because it is
    read-only or a run is under way: a verdict never waits for its note. Nor is one that lacks its log, since writing
    would hide that.
    """
    if lost_log(path):
        return None
    try:
        lock = Lock(path)
    except StudyFileError:
        return None
    try:
        with closing(connect_to_note(path, seconds=1)) as db:
            with sealing(db):
                found = _note(db, write_json(question), sentence)
            settle(db)
            return found
    except (StudyFileError, sqlite3.Error):
        return None
    finally:
        lock.release()


def _note(db: Database, question: str, sentence: str) -> EarlierVerdicts:
    done = db.execute(
        "SELECT COUNT(*) FROM trial WHERE status <> 'waiting' AND revision = (SELECT MAX(revision) FROM study)"
    ).fetchone()[0]
    known = db.execute("SELECT 1 FROM verdict WHERE trials = ? AND question = ?", (done, question)).fetchone()
    if known is None:
        row: dict[str, object] = {"made": now(), "trials": done, "question": question, "sentence": sentence}
        row |= {SEAL: NEW}
        seal(db, "verdict", "id = ?", db.execute(insertion("verdict", tuple(row)), row).lastrowid)
    fewer = int(db.execute("SELECT COUNT(DISTINCT trials) FROM verdict WHERE trials < ?", (done,)).fetchone()[0])
    return EarlierVerdicts(fewer, _measures(q for (q,) in db.execute("SELECT question FROM verdict ORDER BY rowid")))


def _measures(questions: Iterable[str]) -> tuple[str, ...]:
    """The measures that were asked for, each once; questions that can't be read are left out."""
    found: dict[str, None] = {}
    for text in questions:
        try:
            asked = parsed(text)
        except ValueError:
            continue
        if isinstance(asked, dict) and isinstance(asked.get("measure"), str):
            found[asked["measure"]] = None
    return tuple(found)
