"""The check of whole study files: every page, row and array is what was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from fairtrial.data.file_text import check_name
from fairtrial.doors import door
from fairtrial.errors import StudyFileError
from fairtrial.shown import ShownAsText
from fairtrial.store.arrays import stored_arrays, stored_tests, stored_truth
from fairtrial.store.checks.json import DEFINITION, FACTS, LEVELS, VERSIONS, Check, a_mapping, anything
from fairtrial.store.checks.row_names import KEYS, named, refused, trouble_of
from fairtrial.store.checks.rows import one_moment, table_troubles
from fairtrial.store.connect import lost_log
from fairtrial.store.paths import check_kind
from fairtrial.store.records import RECORDED
from fairtrial.store.schema import TABLES, TALLIED
from fairtrial.store.study_file import StudyFile
from fairtrial.words import plural

MOST_NAMED = 20  # things that are wrong
AT_ONCE = 100  # trials
COUNTED = {
    "trial": "trial", "array": "array", "dataset": "data set", "method": "method", "split": "split",
    "session": "session", "verdict": "verdict",
}  # fmt: skip
JSON: tuple[tuple[str, str, Check], ...] = (
    ("study", "definition", DEFINITION),
    ("session", "versions", VERSIONS),
    ("dataset", "facts", FACTS),
    ("method", "canonical", anything),
    ("trial", "levels", LEVELS),
    *(("trial", column.name, column.json) for column in RECORDED.values() if column.json),
    ("verdict", "question", a_mapping),
)

Shown = Callable[[int, int], None]  # trials whose arrays have been read, and all


@dataclass(frozen=True, slots=True)
class FileCheck(ShownAsText):
    """The outcome of a check: the number of rows by table, and what is damaged.

    ``waiting`` is the number of trials that have not been run. ``lost_log``: the first damage is a missing log, and
    says what to do.
    """

    path: Path
    rows: Mapping[str, int]
    damage: tuple[str, ...]
    waiting: int = 0
    lost_log: bool = False

    @property
    def is_whole(self) -> bool:
        return not self.damage

    def __str__(self) -> str:
        if not self.is_whole:
            first, *others = self.damage
            more = [f"also: {text}" for text in others[: MOST_NAMED - 1]]
            more += ["and more that is not listed"] if len(others) >= MOST_NAMED else []
            more += [] if self.lost_log else ["Take a copy of the file that is whole."]
            return "\n".join([f"{self.path} is damaged: {first}", *more])
        trials, *others = (plural(self.rows[table], noun) for table, noun in COUNTED.items())
        trials += f" ({self.rows['trial'] - self.waiting:,} of them done)" if self.waiting else ""
        counts = ", ".join([trials, *others])
        return f"{self.path} is whole: {counts}."


@door
def check_file(path: str | Path, shown: Shown | None = None) -> FileCheck:
    """Check a study file: pages, indexes, rows with their digests, references, JSON, and that each array unpacks.

    The file is only read. One that is not there or is for another command is an error; one that can't be opened is
    damaged.
    """
    check_name(path)
    if not Path(path).is_file():
        raise StudyFileError(f"{path} is not a file; give a study file (.trial)")
    check_kind(Path(path))
    lost = tuple(filter(None, [lost_log(Path(path))]))
    try:
        with StudyFile(path) as file, one_moment(file.database):
            damage = (*lost, *islice(_troubles(file, shown), MOST_NAMED + 1))
            rows = {} if damage else {name: _count(file, name) for name in TABLES}
            waiting = 0 if damage else _count(file, "trial WHERE status = 'waiting'")
    except StudyFileError as error:
        return FileCheck(Path(path), {}, (*lost, trouble_of(error)), lost_log=bool(lost))
    return FileCheck(Path(path), rows, damage, waiting, bool(lost))


def refuse_damaged(file: StudyFile) -> None:
    """Refuse a file with any damage, naming the first row that is damaged."""
    with one_moment(file.database):
        for trouble in _troubles(file):
            raise refused(file.database, trouble)


def _count(file: StudyFile, which: str) -> int:
    return int(file.query(f"SELECT COUNT(*) FROM {which}")[0][0])


def _troubles(file: StudyFile, shown: Shown | None = None) -> Iterator[str]:
    """All that is wrong with a file, in words; what stands on damaged rows is not looked at."""
    found = False
    tables = ("tally", *TALLIED, "array")
    for step in (_pages(file), *(table_troubles(file.database, name, pages=False) for name in tables)):
        for trouble in step:
            found = True
            yield trouble
    if not found:
        yield from _json_troubles(file)
        yield from _array_troubles(file, shown)


def _pages(file: StudyFile) -> Iterator[str]:
    for (text,) in file.query(f"PRAGMA main.integrity_check({MOST_NAMED})"):
        if text != "ok":
            yield f"its pages ({' '.join(str(text).removeprefix('*** in database main ***').split())})"


def _json_troubles(file: StudyFile) -> Iterator[str]:
    db = file.database
    for table, column, check in JSON:
        query = f"SELECT {column}, {KEYS.get(table, 'id')} FROM {table} WHERE {column} IS NOT NULL"
        for text, *row in db.execute(query):
            try:
                file.json(text, check, f"the {column} of {named(db, table, tuple(row))}")
            except StudyFileError as error:
                yield trouble_of(error)


def _array_troubles(file: StudyFile, shown: Shown | None) -> Iterator[str]:
    """Truth, splits and predictions that can't be unpacked; predictions that are missing or not what was written."""
    trials = [number for (number,) in file.query("SELECT id FROM trial ORDER BY id")]
    for read in (stored_truth, stored_tests) if trials else ():
        try:
            read(file)
        except StudyFileError as error:
            yield trouble_of(error)
    for start in range(0, len(trials), AT_ONCE):
        chosen = trials[start : start + AT_ONCE]
        if _trouble(file, chosen):
            yield from filter(None, (_trouble(file, [trial]) for trial in chosen))
        if shown is not None:
            shown(start + len(chosen), len(trials))


def _trouble(file: StudyFile, trials: list[int]) -> str:
    """What is wrong with the arrays of some trials; empty: nothing."""
    try:
        for _, _, packed in stored_arrays(file, trials):
            packed.opened()
    except StudyFileError as error:
        return trouble_of(error)
    return ""
