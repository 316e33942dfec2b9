"""The digest of what a study file knows: data, splits and the records of its trials, however they are laid out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from fairtrial.store.arrays import stored_arrays, stored_tests, stored_truth
from fairtrial.store.checks.json import LEVELS
from fairtrial.store.columns import OLDEST
from fairtrial.store.records import RESOURCE_COLUMNS, RESOURCES

if TYPE_CHECKING:
    from fairtrial.store.study_file import StudyFile

LATER = tuple(c.name for c in RESOURCE_COLUMNS if c.since > OLDEST)  # older files keep their digest
LEFT_OUT = ("source", "notes")  # facts of a data set that name files and folders
NAMES = (
    "t.key AS trial, t.levels, t.replicate, t.status, d.fingerprint, d.name AS dataset, m.digest AS method, "
    "m.name, s.digest AS split, s.repeat, s.fold"
)


def content_digest(file: StudyFile, trials: Collection[int]) -> str:
    """A hash of some trials that are done: their records and predictions, their splits, and the truth.

    It stays the same when the file is copied, made anonymous or compacted, when rows change their order, when arrays
    are compressed in another way, and when verdicts and sessions are added to the file's logs. Error messages and
    warnings are not in it, since they may name folders.
    """
    return digest_of_lines([*_datasets(file), *_splits(file, trials), *_trials(file, trials)])


def digest_of_lines(lines: Collection[str]) -> str:
    """A hash of texts, whatever their order.

    >>> digest_of_lines(["a", "b"]) == digest_of_lines(["b", "a"]) != digest_of_lines(["ab"])
    True
    """
    made = hashlib.blake2b(digest_size=16)
    for line in sorted(lines):
        text = line.encode("utf-8", "surrogatepass")
        made.update(len(text).to_bytes(8, "little") + text)
    return made.hexdigest()


def _datasets(file: StudyFile) -> Iterator[str]:
    facts = {row["name"]: row["id"] for row in file.rows("SELECT id, name FROM dataset")}
    for name, truth in stored_truth(file).items():
        known = {k: v for k, v in file.facts()[facts[name]].items() if k not in LEFT_OUT}
        yield _line("data set", name, known, truth.dtype.str, _hash(truth.tobytes()))


def _splits(file: StudyFile, trials: Collection[int]) -> Iterator[str]:
    used = "SELECT DISTINCT split FROM trial WHERE id IN (SELECT value FROM json_each(?))"
    tests = stored_tests(file)
    query = f"SELECT id, digest, repeat, fold FROM split WHERE id IN ({used})"
    for row in file.rows(query, json.dumps(list(trials))):
        yield _line("split", row["digest"].hex(), row["repeat"], row["fold"], _hash(tests[row["id"]].tobytes()))


def _trials(file: StudyFile, trials: Collection[int]) -> Iterator[str]:
    chosen = json.dumps(list(trials))
    arrays = dict(_arrays(file, trials))
    spent = ", ".join(f"t.{name}" for name in ("n_train", *RESOURCES))
    query = (
        f"SELECT t.id, t.training_scores, {NAMES}, {spent} FROM trial t JOIN dataset d ON d.id = t.dataset "
        "JOIN method m ON m.id = t.method JOIN split s ON s.id = t.split WHERE t.id IN (SELECT value FROM json_each(?))"
    )
    for row in file.rows(query, chosen):
        levels = file.json(row["levels"], LEVELS, "levels of trials")
        first = (name for name in row.keys()[4:] if name not in LATER)
        own = [row[name].hex() if isinstance(row[name], bytes) else row[name] for name in first]
        seen = [] if row["training_scores"] is None else [row["training_scores"]]  # older files keep their digest
        seen += [[name, row[name]] for name in LATER if row[name] is not None]
        yield _line("trial", row["trial"].hex(), levels, own, arrays.get(row["id"], []), *seen)


def _arrays(file: StudyFile, trials: Collection[int]) -> Iterator[tuple[int, list[object]]]:
    """The hashes of the predictions of each trial, by channel."""
    for trial, own in groupby(stored_arrays(file, list(trials)), key=itemgetter(0)):
        hashes: list[object] = []
        for _, channel, packed in own:
            kind, data = packed.opened()
            hashes.append([channel, kind, list(packed.shape), _hash(data)])
        yield trial, hashes


def _line(*parts: object) -> str:
    return json.dumps(parts, sort_keys=True)


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
