"""Merging of studies that were made on the same splits into a new study file; their own files are only read.

Rules of merging: the studies that are refused, and the definition of the joint study.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from fairtrial.definition import DefinedDataset, DefinedFactor, DefinedMethod, StudyDefinition
from fairtrial.doors import door
from fairtrial.errors import InputError, StudyFileError
from fairtrial.notices import Notice
from fairtrial.shown import ShownAsText
from fairtrial.store.checks.json import LEVELS, write_json
from fairtrial.store.checks.seals import NEW, recount
from fairtrial.store.checks.whole_file import refuse_damaged
from fairtrial.store.columns import SEAL
from fairtrial.store.connect import connect
from fairtrial.store.database import Database
from fairtrial.store.paths import holder, new_file
from fairtrial.store.schema import TABLES
from fairtrial.store.sessions import now
from fairtrial.store.study_file import StudyFile
from fairtrial.words import listed, plural, verb

OWN_RULES = (
    "datasets", "methods", "resampling", "factors", "layout", "replicates", "dependence", "measures", "notices",
    "merged", "training_scores",
)  # fmt: skip
COUNTED = ("scheme", "repeats", "caution")  # what may differ: one study has more repeats; a wording has changed
FIRST_COUNTS = {
    "question": "the question",
    "failures": "the failure policy",
    "time_limit": "the time limit",
    "memory_limit": "the memory limit",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A study file that is merged, with its definition and versions."""

    file: StudyFile
    definition: StudyDefinition
    versions: Mapping[str, str]

    @classmethod
    def of(cls, file: StudyFile) -> Part:
        refuse_damaged(file)
        sessions = file.sessions()
        return cls(file, file.definition(), sessions[-1].versions if sessions else {})

    @property
    def name(self) -> str:
        return self.file.name

    def splits(self) -> dict[tuple[str, int, int], bytes]:
        """The digest of each split that the study uses, by fingerprint, repeat and fold."""
        rows = self.file.rows(
            "SELECT d.fingerprint, s.repeat, s.fold, s.digest FROM split s JOIN dataset d ON d.id = s.dataset "
            "WHERE s.id IN (SELECT DISTINCT split FROM trial WHERE revision = ?)",
            self.file.revision(),
        )
        return {(row["fingerprint"], row["repeat"], row["fold"]): row["digest"] for row in rows}


def agree(first: Part, other: Part, accept_versions: bool) -> None:
    """Refuse two studies that don't go together, with the reason."""
    both = f"{first.name} and {other.name}"
    seeds = first.definition.seed, other.definition.seed
    if seeds[0] != seeds[1]:
        raise StudyFileError(f"{both} must have one seed, got {seeds[0]} and {seeds[1]}: their splits are not the same")
    _same_by_name(first, other, both)
    _same_splits(first, other, both)
    _same_factors(first, other, both)
    pairs = [(k, first.versions[k], other.versions[k]) for k in first.versions if k in other.versions]
    changed = [f"{k} {before} and {now}" for k, before, now in pairs if before != now]
    if changed and not accept_versions:
        raise StudyFileError(
            f"{both} were run under other versions ({listed(changed)}), which may change the numbers; "
            "merge them with --accept-versions (accept_versions=True), or run one of them again"
        )


def _same_by_name(first: Part, other: Part, both: str) -> None:
    """Refuse data sets, or methods, that have one name and are not the same."""
    contents = {d.name: d.fingerprint for d in first.definition.datasets}
    for d in other.definition.datasets:
        if contents.get(d.name, d.fingerprint) != d.fingerprint:
            raise _two_meanings(both, "data", d.name, "has other content in each")
    forms = {m.name: m.canonical for m in first.definition.methods}
    for m in other.definition.methods:
        if forms.get(m.name, m.canonical) != m.canonical:
            raise _two_meanings(both, "method", m.name, f"is {_difference(forms[m.name], m.canonical)}")


def _two_meanings(both: str, what: str, name: str, differs: str) -> StudyFileError:
    return StudyFileError(
        f"{both} must mean the same {what} by one name, but {name!r} {differs}; rename one of them and run "
        "that study again: nothing is done twice"
    )


def _same_splits(first: Part, other: Part, both: str) -> None:
    kinds = [{k: v for k, v in p.definition.dependence.items() if k not in COUNTED} for p in (first, other)]
    if kinds[0] != kinds[1]:
        schemes = [p.definition.dependence["scheme"] for p in (first, other)]
        raise StudyFileError(f"{both} must be made on the same splits, got {schemes[0]} and {schemes[1]}")
    known, names = first.splits(), {d.fingerprint: d.name for d in first.definition.datasets}
    for (fingerprint, repeat, fold), digest in other.splits().items():
        if known.get((fingerprint, repeat, fold), digest) != digest:
            raise StudyFileError(
                f"{both} must be made on the same splits, but those of {names[fingerprint]!r} differ "
                f"(first in repeat {repeat}, fold {fold})"
            )


def _same_factors(first: Part, other: Part, both: str) -> None:
    """Refuse other factors, or factors made in another way: one level would mean two kinds of training data."""
    one, two = ({f.name: f for f in part.definition.factors} for part in (first, other))
    if one.keys() != two.keys():
        raise StudyFileError(
            f"{both} must vary the same factors, got {listed(one) or 'none'} and {listed(two) or 'none'}"
        )
    for name in one:
        options = [_without_new_values(a[name], b[name]) for a, b in ((one, two), (two, one))]
        if options[0] != options[1]:
            raise StudyFileError(
                f"{both} must vary {name} in the same way, but {_difference(*options)}; run one of them again with the "
                "options of the other"
            )
        if not options[0].get("hold_size"):
            continue
        levels = [sorted(f[name].levels) for f in (one, two)]
        if levels[0] != levels[1]:
            raise StudyFileError(
                f"{both} must have the same levels of {name}, got {levels[0]} and {levels[1]}: with hold_size all "
                "levels have as many rows as the scarcest of them, so that one level is not the same in both; run one "
                "of them again with the levels of both"
            )


def _without_new_values(factor: DefinedFactor, other: DefinedFactor) -> dict[str, Any]:
    """The options of a factor, without values of levels that the other study does not have."""
    common = other.options.get("values", {})
    values = {name: form for name, form in factor.options.get("values", {}).items() if name in common}
    return {**factor.options, **({"values": values} if "values" in factor.options else {})}


def _difference(first: object, other: object) -> str:
    """The first difference of two canonical forms, in words: 'a: 1 in the one and 2 in the other'."""
    if isinstance(first, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*first, *other]):
            if first.get(key) != other.get(key):
                inner = _difference(first.get(key), other.get(key))
                return inner if key in ("estimator", "params") else f"{key} {inner}"
    one, two = (json.dumps(form, ensure_ascii=False) for form in (first, other))
    return f"{one} in the one and {two} in the other"


def joint_definition(parts: Sequence[Part]) -> tuple[StudyDefinition, list[str]]:
    """The definition of the joint study, and notes on what was decided: in doubt the first study counts."""
    definitions = [part.definition for part in parts]
    first = definitions[0]
    most = max(definitions, key=lambda d: d.dependence["repeats"])
    joint = replace(
        first,
        datasets=_datasets(definitions),
        methods=_methods(definitions),
        resampling=most.resampling,
        dependence=most.dependence,
        factors=tuple(_all_levels(factor, definitions) for factor in first.factors),
        layout=first.layout if all(d.layout == first.layout for d in definitions) else None,
        replicates=max(d.replicates or 1 for d in definitions) if any(d.replicates for d in definitions) else None,
        measures=tuple(dict.fromkeys(m for d in definitions for m in d.measures)),
        training_scores=any(d.training_scores for d in definitions) or None,
        notices=joint_notices(definitions),
        merged=tuple(Path(part.name).name for part in parts),
    )
    return joint, [*_decided(parts), *_renamed(parts)]


def _datasets(definitions: Iterable[StudyDefinition]) -> tuple[DefinedDataset, ...]:
    """The data sets of all studies, each once, by its first name and with the most repeats that it has."""
    found: dict[str, DefinedDataset] = {}
    for d in (d for definition in definitions for d in definition.datasets):
        known = found.setdefault(d.fingerprint, d)
        if _repeats(d) > _repeats(known):
            found[d.fingerprint] = replace(known, dependence=d.dependence)
    return tuple(found.values())


def _repeats(dataset: DefinedDataset) -> int:
    """The number of repeats on a data set; 0 in older files, which do not say."""
    return 0 if dataset.dependence is None else int(dataset.dependence["repeats"])


def _methods(definitions: Iterable[StudyDefinition]) -> tuple[DefinedMethod, ...]:
    """The methods of all studies, each once; a method that any study lists is not a yardstick."""
    found: dict[str, DefinedMethod] = {}
    for m in (m for definition in definitions for m in definition.methods):
        key = write_json(m.canonical)
        known = found.setdefault(key, m)
        found[key] = replace(known, yardstick=known.yardstick and m.yardstick)
    return tuple(sorted(found.values(), key=lambda m: m.yardstick))


def _all_levels(factor: DefinedFactor, definitions: Iterable[StudyDefinition]) -> DefinedFactor:
    """A factor with its levels in all studies."""
    same = [f for d in definitions for f in d.factors if f.name == factor.name]
    levels = list(dict.fromkeys(level for f in same for level in f.levels))
    numbers = all(isinstance(level, (int, float)) and not isinstance(level, bool) for level in levels)
    values = {name: form for f in same for name, form in f.options.get("values", {}).items()}
    options = {**factor.options, "values": values} if values else factor.options
    return replace(factor, levels=tuple(sorted(levels) if numbers else levels), options=options)


def _decided(parts: Sequence[Part]) -> list[str]:
    """Notes on what can only be one in the joint study, and differs between the parts."""
    first, *others = parts
    names = [f.name for f in fields(StudyDefinition) if f.name not in OWN_RULES]
    differ = [n for n in names if any(getattr(p.definition, n) != getattr(first.definition, n) for p in others)]
    return [f"{FIRST_COUNTS.get(name, name)} of {first.name} is kept; others differ" for name in differ]


def _renamed(parts: Sequence[Part]) -> list[str]:
    """Notes on data sets and methods that have another name in a later file."""
    first: dict[tuple[str, str], str] = {}
    notes: dict[str, list[str]] = {"data set": [], "method": []}
    for part in parts:
        datasets = (("data set", d.fingerprint, d.name) for d in part.definition.datasets)
        methods = (("method", write_json(m.canonical), m.name) for m in part.definition.methods)
        for kind, identity, name in (*datasets, *methods):
            known = first.setdefault((kind, identity), name)
            if known != name:
                notes[kind].append(f"{name!r} of {part.name} is called {known!r}, as before")
    return [note for own in notes.values() for note in own]


def joint_notices(definitions: Iterable[StudyDefinition]) -> tuple[Notice, ...]:
    """The notices of several studies that are merged: what a guard found about one thing, as the first study has it."""
    found: dict[tuple[str, str], list[Notice]] = {}
    for definition in definitions:
        own: dict[tuple[str, str], list[Notice]] = {}
        for notice in definition.notices:
            own.setdefault((notice.guard, notice.about), []).append(notice)
        found = own | found
    by_text = {(n.about, n.text): n for notices in found.values() for n in notices}
    return tuple(by_text.values())


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
