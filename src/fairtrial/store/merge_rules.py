"""Do studies go together? What is refused, and what the study of all of them is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.errors import StudyFileError
from fairtrial.store.row_checks import check_rows
from fairtrial.store.stored_notices import joint_notices
from fairtrial.store.study_file import StudyFile
from fairtrial.words import listed

__all__ = ["Part", "agree", "joint_definition"]

OWN_RULES = (
    "question",
    "datasets",
    "methods",
    "resampling",
    "factors",
    "dependence",
    "measures",
    "notices",
    "split_warnings",
)
COUNTED = ("scheme", "repeats", "caution")  # what may differ: one study has more repeats; a wording has changed
FIRST_COUNTS = {
    "question": "the question",
    "failures": "the failure policy",
    "time_limit": "the time limit",
    "memory_limit": "the memory limit",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One of the study files, with its definition and versions."""

    file: StudyFile
    definition: Mapping[str, Any]
    versions: Mapping[str, str]

    @classmethod
    def of(cls, file: StudyFile) -> Part:
        check_rows(file)
        sessions = file.sessions()
        return cls(file, file.definition(), sessions[-1]["versions"] if sessions else {})

    @property
    def name(self) -> str:
        return self.file.name

    def splits(self) -> dict[tuple[str, int, int], bytes]:
        """The digest of each split that the study uses, by fingerprint, repeat and fold."""
        rows = self.file.query(
            "SELECT d.fingerprint, s.repeat, s.fold, s.digest FROM split s JOIN dataset d ON d.id = s.dataset "
            "WHERE s.id IN (SELECT DISTINCT split FROM trial WHERE revision = ?)",
            self.file.revision(),
        )
        return {(fingerprint, repeat, fold): digest for fingerprint, repeat, fold, digest in rows}


def agree(first: Part, other: Part, accept_versions: bool) -> None:
    """Refuse, with the reason, what would make one study of two that don't go together."""
    both = f"{first.name} and {other.name}"
    seeds = first.definition["seed"], other.definition["seed"]
    if seeds[0] != seeds[1]:
        raise StudyFileError(f"{both} must have one seed, got {seeds[0]} and {seeds[1]}: their splits are not the same")
    _same_by_name(first, other, both, "datasets")
    _same_by_name(first, other, both, "methods")
    _same_splits(first, other, both)
    _same_factors(first, other, both)
    pairs = [(k, first.versions[k], other.versions[k]) for k in first.versions if k in other.versions]
    changed = [f"{k} {before} and {now}" for k, before, now in pairs if before != now]
    if changed and not accept_versions:
        raise StudyFileError(
            f"{both} were run under other versions ({', '.join(changed)}), which may change the numbers; "
            "merge them with --accept-versions (accept_versions=True), or run one of them again"
        )


def _same_by_name(first: Part, other: Part, both: str, kind: str) -> None:
    """Data sets, or methods, that have one name must be the same."""
    what, identity = ("data", "fingerprint") if kind == "datasets" else ("method", "canonical")
    known = {thing["name"]: thing[identity] for thing in first.definition[kind]}
    for name, own in ((thing["name"], thing[identity]) for thing in other.definition[kind]):
        if known.get(name, own) != own:
            differs = "has other content in each" if what == "data" else f"is {_difference(known[name], own)}"
            raise StudyFileError(
                f"{both} must mean the same {what} by one name, but {name!r} {differs}; rename one of them and run "
                "that study again: nothing is done twice"
            )


def _same_splits(first: Part, other: Part, both: str) -> None:
    kinds = [{k: v for k, v in p.definition["dependence"].items() if k not in COUNTED} for p in (first, other)]
    if kinds[0] != kinds[1]:
        schemes = [p.definition["dependence"]["scheme"] for p in (first, other)]
        raise StudyFileError(f"{both} must be made on the same splits, got {schemes[0]} and {schemes[1]}")
    known, names = first.splits(), {d["fingerprint"]: d["name"] for d in first.definition["datasets"]}
    for (fingerprint, repeat, fold), digest in other.splits().items():
        if known.get((fingerprint, repeat, fold), digest) != digest:
            raise StudyFileError(
                f"{both} must be made on the same splits, but those of {names[fingerprint]!r} differ "
                f"(first in repeat {repeat}, fold {fold})"
            )


def _same_factors(first: Part, other: Part, both: str) -> None:
    """The same factors, made in the same way: else one level would mean two kinds of training data."""
    one, two = ({f["name"]: f for f in part.definition.get("factors", ())} for part in (first, other))
    if one.keys() != two.keys():
        raise StudyFileError(
            f"{both} must vary the same factors, got {listed(one) or 'none'} and {listed(two) or 'none'}"
        )
    for name in one:
        options = [{k: v for k, v in f[name].items() if k not in ("name", "levels")} for f in (one, two)]
        if options[0] != options[1]:
            raise StudyFileError(
                f"{both} must vary {name} in the same way, but {_difference(*options)}; run one of them again with the "
                "options of the other"
            )
        levels = [sorted(f[name]["levels"]) for f in (one, two)]
        if options[0].get("hold_size") and levels[0] != levels[1]:
            raise StudyFileError(
                f"{both} must have the same levels of {name}, got {levels[0]} and {levels[1]}: with hold_size all "
                "levels have as many rows as the scarcest of them, so that one level is not the same in both; run one "
                "of them again with the levels of both"
            )


def _difference(first: object, other: object) -> str:
    """Where two canonical forms part: 'a: 1 in the one and 2 in the other'."""
    if isinstance(first, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*first, *other]):
            if first.get(key) != other.get(key):
                inner = _difference(first.get(key), other.get(key))
                return inner if key in ("estimator", "params") else f"{key} {inner}"
    one, two = (json.dumps(form, ensure_ascii=False) for form in (first, other))
    return f"{one} in the one and {two} in the other"


def joint_definition(parts: Sequence[Part]) -> tuple[dict[str, Any], list[str]]:
    """The study of all parts, and what was decided: in doubt the first counts."""
    definitions = [part.definition for part in parts]
    first = definitions[0]
    most = max(definitions, key=lambda d: d["dependence"]["repeats"])
    joint: dict[str, Any] = {
        **{k: v for d in reversed(definitions) for k, v in d.items()},
        "datasets": _datasets(definitions),
        "methods": _methods(definitions),
        "resampling": most["resampling"],
        "dependence": most["dependence"],
        "factors": [_all_levels(f["name"], definitions) for f in first.get("factors", ())],
        "measures": list(dict.fromkeys(m for d in definitions for m in d["measures"])),
        "notices": joint_notices(definitions),
        "merged": [Path(part.name).name for part in parts],
    }
    joint.pop("split_warnings", None)  # they are among the notices
    renamed = [*_renamed(parts, "datasets", "fingerprint"), *_renamed(parts, "methods", "canonical")]
    return joint, [*_decided(parts), *renamed]


def _datasets(definitions: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each data set once, by its first name, with the most repeats that it has anywhere."""
    found: dict[str, dict[str, Any]] = {}
    for d in (d for definition in definitions for d in definition["datasets"]):
        known = found.setdefault(d["fingerprint"], dict(d))
        if _repeats(d) > _repeats(known):
            known["dependence"] = d["dependence"]
    return list(found.values())


def _repeats(dataset: Mapping[str, Any]) -> int:
    """How many of the data set's own; files of before have none."""
    return int(dataset["dependence"]["repeats"]) if "dependence" in dataset else 0


def _methods(definitions: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each method once; one that was listed anywhere is no yardstick."""
    found: dict[str, dict[str, Any]] = {}
    for m in (m for definition in definitions for m in definition["methods"]):
        known = found.setdefault(json.dumps(m["canonical"], sort_keys=True), dict(m))
        known["yardstick"] = known["yardstick"] and m["yardstick"]
    return sorted(found.values(), key=lambda m: m["yardstick"])


def _all_levels(name: str, definitions: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    own = [f for d in definitions for f in d["factors"] if f["name"] == name]
    levels = list(dict.fromkeys(level for f in own for level in f["levels"]))
    numbers = all(isinstance(level, (int, float)) for level in levels)
    return {**own[0], "levels": sorted(levels) if numbers else levels}


def _decided(parts: Sequence[Part]) -> list[str]:
    """What can only be one, and was not."""
    first, *others = parts
    keys = [k for k in dict.fromkeys(k for p in parts for k in p.definition) if k == "question" or k not in OWN_RULES]
    differ = [k for k in keys if any(p.definition.get(k) != first.definition.get(k) for p in others)]
    return [f"{FIRST_COUNTS.get(k, k)} of {first.name} is kept; others differ" for k in differ if k != "merged"]


def _renamed(parts: Sequence[Part], kind: str, identity: str) -> list[str]:
    """Things that have another name in a later file."""
    first: dict[str, str] = {}
    notes = []
    for part in parts:
        for thing in part.definition[kind]:
            known = first.setdefault(json.dumps(thing[identity], sort_keys=True), thing["name"])
            if known != thing["name"]:
                notes.append(f"{thing['name']!r} of {part.name} is called {known!r}, as before")
    return notes
