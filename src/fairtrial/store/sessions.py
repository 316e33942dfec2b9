"""Sessions: who ran a study, when, on which machine and with which versions.

The plan as it was stored before the first trial: what was asked before anybody could see a result.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import platform
import shlex
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any

from fairtrial.definition import StudyDefinition
from fairtrial.errors import InputError
from fairtrial.store.checks.json import DEFINITION, moment, write_json

if TYPE_CHECKING:
    from fairtrial.design import Question
    from fairtrial.store.study_file import StudyFile


@dataclass(frozen=True, slots=True)
class Session:
    """One run of a study: its number, when it began, host, process, command line and versions of packages.

    Host, process and command are empty in an anonymous copy.
    """

    id: int
    started: str
    host: str
    pid: int
    command: str
    versions: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain data."""
        return asdict(self)


def this_session(number: int = 0) -> Session:
    """The session of this process, beginning now; the study file gives it its number."""
    return Session(number, now(), platform.node(), os.getpid(), shlex.join(sys.argv), versions())


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that can change the numbers."""
    found = {"python": platform.python_version()}
    for package in ("fairtrial", "numpy", "scipy", "scikit-learn", "pandas"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def now() -> str:
    """This moment, as study files write it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


DROPPED = """
    SELECT DISTINCT m.id, m.name FROM trial t JOIN method m ON m.id = t.method WHERE t.status <> 'waiting'
    AND t.method NOT IN (SELECT method FROM trial WHERE revision = ?1)
    AND t.dataset IN (SELECT dataset FROM trial WHERE revision = ?1)
    AND m.canonical NOT LIKE '%"sklearn.dummy.%' ORDER BY m.id
"""


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """The revision of a study that was stored last before its first trial.

    ``stored`` and ``began`` are the moments when it was stored and when the first run began. ``digest`` is a hash of
    the question and of all that determines the numbers: data, methods, factors, resampling and seed. The tests follow
    from these by the rule table.
    """

    stored: str
    began: str
    digest: str
    question: Question
    definition: StudyDefinition


def plan_before_trials(file: StudyFile) -> StoredPlan | None:
    """The plan that the file had before its first trial; None if it is not known, or if nothing has been run.

    A merged file has only the revision that merging made, after the trials.
    """
    began = min((s.started for s in file.sessions()), key=lambda text: moment(text, file.name), default=None)
    if began is None or file.definition().merged is not None:
        return None
    first = moment(began, file.name)
    for revision, created in file.query("SELECT revision, created FROM study ORDER BY revision DESC"):
        if moment(created, file.name) <= first:
            return _stored(file, revision, created, began)
    return None


def _stored(file: StudyFile, revision: int, created: str, began: str) -> StoredPlan | None:
    """The plan of a revision; None if its question is none that can be read."""
    from fairtrial.design import Question

    (digest, text), *_ = file.query("SELECT digest, definition FROM study WHERE revision = ?", revision)
    stored = file.json(text, DEFINITION, "the definition of a study")
    try:
        question = Question.from_dict(stored["question"])
    except (InputError, TypeError):
        return None
    asked = {name: part for name, part in stored["question"].items() if name != "text"}
    whole = hashlib.blake2b(bytes(digest) + write_json(asked).encode(), digest_size=16)
    return StoredPlan(created, began, whole.hexdigest(), question, StudyDefinition.from_dict(stored))


def dropped_methods(file: StudyFile) -> tuple[str, ...]:
    """The methods that were tried on data sets of the study and are not in it any more; baselines are not named.

    Trials stay in the file when a study is changed, so that a pilot in the same file is known, however long ago it was.
    """
    return tuple(name for _, name in file.query(DROPPED, file.revision()))
