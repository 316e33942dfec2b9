"""Rules of merging: the studies that are refused, and the definition of the joint study."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from fairtrial.definition import DefinedDataset, DefinedFactor, DefinedMethod, StudyDefinition
from fairtrial.errors import StudyFileError
from fairtrial.notices import Notice
from fairtrial.store.json_checks import write_json
from fairtrial.store.study_file import StudyFile
from fairtrial.store.whole_check import refuse_damaged
from fairtrial.words import listed

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
