"""Merging of studies that were made on the same splits into a new study file; their own files are only read."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.definition import StudyDefinition
from fairtrial.doors import door
from fairtrial.errors import InputError, StudyFileError
from fairtrial.shown import ShownAsText
from fairtrial.store.atomic_file import new_file
from fairtrial.store.columns import SEAL
from fairtrial.store.connect import connect
from fairtrial.store.database import Database
from fairtrial.store.json_checks import LEVELS
from fairtrial.store.lock import holder
from fairtrial.store.merge_rules import Part, agree, joint_definition
from fairtrial.store.schema import TABLES
from fairtrial.store.seals import NEW, recount
from fairtrial.store.sessions import now
from fairtrial.store.study_file import StudyFile
from fairtrial.words import plural, verb

AT_ONCE = 5000  # trials
IDENTITY = {
    "session": ("started", "host", "pid", "command"),
    "dataset": ("fingerprint",),
    "method": ("digest",),
    "split": ("dataset", "digest", "repeat", "fold"),
}
"""By which columns rows of two files are the same; a table stands after those that it refers to."""


@dataclass(frozen=True, slots=True)
class Merged(ShownAsText):
    """The outcome of a merge: the new study file, its counts, and notes on what was decided."""

    path: Path
    datasets: int
    methods: int
    trials: int
    again: int
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        kinds = ((self.datasets, "data set"), (self.methods, "method"), (self.trials, "trial"))
        counts = [plural(n, noun) for n, noun in kinds]
        were = verb(self.again, "was", "were")
        twice = f"; {plural(self.again, 'trial')} {were} there more than once, with the same predictions"
        lines = [f"{self.path}: {', '.join(counts)}{twice if self.again else ''}"]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


@door
def merge_studies(paths: Sequence[str | Path], into: str | Path, *, accept_versions: bool = False) -> Merged:
    """Join study files that were made on the same splits: more methods, data sets, repeats or levels of factors.

    Files that don't fit together are refused with the reason: other splits or another seed, one name for two methods or
    for two data sets, the same trial with other predictions, other package versions (unless these are accepted). What
    can only be one, such as the question, is taken from the first file, with a message. ``into`` must not exist; it
    appears when it is complete. The studies themselves are only read.
    """
    target = Path(into)
    if isinstance(paths, (str, Path)) or len(paths) < 2:
        raise InputError(f"paths must be two study files or more, got {paths!r}")
    with new_file(target, "merge") as beside, ExitStack() as stack:
        parts = []
        for path in paths:
            file = stack.enter_context(StudyFile(path))
            file.query("BEGIN")  # read the study as it is at one moment: somebody may be running it
            parts.append(Part.of(file))
        for i, part in enumerate(parts):
            for earlier in parts[:i]:
                agree(earlier, part, accept_versions)
        with closing(connect(beside, write=True)) as db:
            db.execute("PRAGMA journal_mode = DELETE")  # one file, which can be renamed
            with db:
                return _Merging(db, parts).run(target)


class _Merging:
    """A merge under way: rows are copied with all their columns, and get new numbers."""

    def __init__(self, db: Database, parts: Sequence[Part]) -> None:
        self.db, self.parts = db, parts
        self.again = 0
        self.recovered = 0
        self.seen: dict[bytes, _Seen] = {}
        self.known: dict[tuple[Any, ...], int] = {}
        self.cells: dict[tuple[object, ...], bytes] = {}

    def run(self, target: Path) -> Merged:
        definition, notes = joint_definition(self.parts)
        self._study(definition)
        for part in self.parts:
            self._copy(part)
        self._verdicts()
        recount(self.db)
        notes += [f"{part.name} is being run: merged as it was now" for part in self.parts if _is_run(part)]
        notes += [f"{part.name} is not whole: {part.file.lost_log}" for part in self.parts if part.file.lost_log]
        if self.recovered:
            trials, latter = plural(self.recovered, "trial"), verb(self.recovered, "is", "are")
            notes.append(f"{trials} failed in one file and went well in another: the latter {latter} kept")
        return Merged(
            path=target,
            datasets=len(definition.datasets),
            methods=len(definition.methods),
            trials=len(self.seen),
            again=self.again,
            notes=tuple(notes),
        )

    def _study(self, definition: StudyDefinition) -> None:
        from fairtrial.design import digest_of

        text = json.dumps(definition.to_dict(), ensure_ascii=False)
        row = {"revision": 1, "created": now(), "digest": digest_of(definition), "definition": text, SEAL: NEW}
        self._insert("study", [row])

    def _copy(self, part: Part) -> None:
        numbers: dict[str, Mapping[Any, Any]] = {}
        for table, identity in IDENTITY.items():
            numbers[table] = self._numbers(part, table, identity, numbers)
        numbers["session"] = {**numbers["session"], None: None}
        query = "SELECT * FROM trial WHERE revision = ? ORDER BY position"
        rows = map(dict, part.file.rows(query, part.file.revision()))
        while block := list(itertools.islice(rows, AT_ONCE)):
            self._same_predictions(part, block)
            self._new_trials(part, block, numbers)

    def _numbers(
        self, part: Part, table: str, identity: Sequence[str], numbers: Mapping[str, Mapping[Any, Any]]
    ) -> dict[Any, int]:
        """Copy the rows of a table that trials refer to and that are not there yet, and give the new number of each."""
        found: dict[Any, int] = {}
        used = f"SELECT DISTINCT {table} FROM trial WHERE revision = ?"
        query = f"SELECT * FROM {table} WHERE id IN ({used}) ORDER BY id"
        for row in map(dict, part.file.rows(query, part.file.revision())):
            old = row.pop("id")
            row |= _renumbered(table, row, numbers)
            key = (table, *(row[name] for name in identity))
            if key not in self.known:
                self.known[key] = sum(k[0] == table for k in self.known) + 1
                self._insert(table, [{**row, "id": self.known[key]}])
            found[old] = self.known[key]
        return found

    def _same_predictions(self, part: Part, block: Sequence[Mapping[str, Any]]) -> None:
        """Refuse trials that are there already with other predictions; all bits must be equal."""
        both = [row for row in block if row["status"] == "ok" and self._status(row["key"]) == "ok"]
        by_owner: dict[int, list[Mapping[str, Any]]] = {}
        for row in both:
            by_owner.setdefault(self.seen[row["key"]].owner, []).append(row)
        for owner, rows in by_owner.items():
            earlier = self.parts[owner]
            mine = [row["id"] for row in rows]
            theirs = [self.seen[row["key"]].source for row in rows]
            if _predicted(part.file, mine) != _predicted(earlier.file, theirs):
                pairs = zip(mine, theirs, strict=True)
                bad = next(m for m, t in pairs if _predicted(part.file, [m]) != _predicted(earlier.file, [t]))
                raise StudyFileError(
                    f"the same trial must have the same predictions in {earlier.name} and {part.name}, but "
                    f"{_place(part.file, bad)} differs: the method does not depend on its seed alone, or it has "
                    "changed without another version="
                )
        self.again += len(both)

    def _status(self, key: bytes) -> str | None:
        return self.seen[key].status if key in self.seen else None

    def _new_trials(
        self, part: Part, block: Sequence[Mapping[str, Any]], numbers: Mapping[str, Mapping[Any, Any]]
    ) -> None:
        order = {"waiting": 0, "failed": 1, "ok": 2}
        taken: dict[int, int] = {}
        owner = self.parts.index(part)
        for row in block:
            at = _renumbered("trial", row, numbers)
            self._one_in_its_cell(part, row, at)
            known = self.seen.get(row["key"])
            if known is not None and order[row["status"]] <= order[known.status]:
                self.recovered += known.status == "ok" and row["status"] == "failed"
                continue
            number = len(self.seen) + 1 if known is None else known.number
            self.recovered += known is not None and known.status == "failed"
            self.seen[row["key"]] = _Seen(number, row["status"], owner, row["id"])
            taken[row["id"]] = number
            self._insert("trial", [{**row, **at, "id": number, "revision": 1, "position": number - 1}])
        self._arrays(part, taken)

    def _one_in_its_cell(self, part: Part, row: Mapping[str, Any], at: Mapping[str, Any]) -> None:
        """Refuse two trials of a method at one level on one split, which would both be counted."""
        levels = sorted(part.file.json(row["levels"], LEVELS, "levels of trials").items())
        cell = (at["dataset"], at["method"], *levels, at["split"], row["replicate"])
        if self.cells.setdefault(cell, row["key"]) != row["key"]:
            earlier = self.parts[self.seen[self.cells[cell]].owner]
            raise StudyFileError(
                f"there must be one trial of a method at a level on a split, but {_place(part.file, row['id'])} is "
                f"not the same in {earlier.name} and {part.name}; run one of the studies again"
            )

    def _arrays(self, part: Part, taken: Mapping[int, int]) -> None:
        query = "SELECT * FROM array WHERE trial IN (SELECT value FROM json_each(?))"
        rows = map(dict, part.file.rows(query, json.dumps(list(taken))))
        self._insert("array", ({**row, "trial": taken[row["trial"]]} for row in rows))

    def _verdicts(self) -> None:
        """Copy all verdicts on the parts: looking again at a part is looking again at the whole."""
        names = [name for name in TABLES["verdict"].names if name not in ("id", SEAL)]
        query = f"SELECT {', '.join(names)}, seal FROM verdict"
        rows = {row[:-1]: row[-1] for part in self.parts for row in part.file.query(query)}
        numbered = ((number, *row, rows[row]) for number, row in enumerate(sorted(rows), start=1))
        self._insert("verdict", (dict(zip(("id", *names, SEAL), row, strict=True)) for row in numbered))

    def _insert(self, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Insert whole rows; a trial that failed elsewhere is replaced by the one that went well."""
        self.db.executemany(TABLES[table].sealed_copy(), rows)


def _renumbered(table: str, row: Mapping[str, Any], numbers: Mapping[str, Mapping[Any, Any]]) -> dict[str, Any]:
    """The columns of a row that refer to other tables, with the new numbers of the rows there."""
    columns = TABLES[table].columns
    return {c.name: numbers[c.refers_to][row[c.name]] for c in columns if c.refers_to is not None}


@dataclass(frozen=True, slots=True)
class _Seen:
    """A trial that has been copied: its new number and status, the part that it came from, and its number there."""

    number: int
    status: str
    owner: int
    source: int


def _predicted(file: StudyFile, trials: Sequence[int]) -> list[tuple[object, ...]]:
    """The predictions of some trials, in a form that can be compared."""
    return sorted(
        (stack.places, name, array.dtype.str, array.shape, array.tobytes())
        for stack in file.stacks(trials)
        for name, array in stack.channels.items()
    )


def _place(file: StudyFile, trial: int) -> str:
    (row,) = file.rows(
        "SELECT m.name AS method, d.name AS dataset, repeat, fold, levels FROM trial t "
        "JOIN method m ON m.id = t.method JOIN dataset d ON d.id = t.dataset JOIN split s ON s.id = t.split "
        "WHERE t.id = ?",
        trial,
    )
    chosen = file.json(row["levels"], LEVELS, "levels of trials")
    at = "".join(f", {name} {level}" for name, level in chosen.items())
    return f"{row['method']} on {row['dataset']} (repeat {row['repeat']}, fold {row['fold']}{at})"


def _is_run(part: Part) -> bool:
    return part.file.path is not None and holder(part.file.path) is not None
