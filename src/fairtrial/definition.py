"""The definition of a study: what a study file says about its study, with a typed field for each thing.

:meth:`fairtrial.design.Study.definition` makes it, and the study file keeps it as JSON. It is plain data: to read one
needs neither numpy nor the classes of the methods that it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from fairtrial.choices import FailurePolicy, Memory, Timing
from fairtrial.notices import Notice

LEFT_OUT: Mapping[str, bool] = {"left_out": True}
"""Metadata of a field that is not written where it is None: older files, and some studies, do not have it."""


@dataclass(frozen=True, kw_only=True)
class _Defined:
    """Data that are written as a mapping from the names of their fields to values of JSON."""

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain data, in the order in which they are declared."""
        values = {f.name: (getattr(self, f.name), f.metadata.get("left_out")) for f in fields(self)}
        return {name: _plain(value) for name, (value, left_out) in values.items() if not (left_out and value is None)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """The data that :meth:`to_dict` wrote, or an older version of it; what is not known here is left out."""
        return cls(**{f.name: stored[f.name] for f in fields(cls) if f.name in stored})


def _plain(value: object) -> object:
    if isinstance(value, (_Defined, Notice)):
        return value.to_dict()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


@dataclass(frozen=True, kw_only=True)
class DefinedDataset(_Defined):
    """A data set of a study: its name, what identifies its content, and how its splits depend on each other.

    ``dependence`` has the fields of :class:`fairtrial.resampling.Dependence`.
    """

    name: str
    fingerprint: str
    source: str | None = None
    dependence: Mapping[str, Any] | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, kw_only=True)
class DefinedMethod(_Defined):
    """A method of a study: its name, its canonical form, and what its author declared.

    ``configurations`` is the number of configurations that it is tuned over, None for baselines; ``recipe`` is how it
    is written in Python.
    """

    name: str
    canonical: Mapping[str, Any]
    recipe: str | None = field(default=None, metadata=LEFT_OUT)
    facts: Mapping[str, str] = field(default_factory=dict)
    yardstick: bool = False
    threads: bool | None = field(default=None, metadata=LEFT_OUT)
    configurations: int | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, kw_only=True)
class DefinedFactor(_Defined):
    """A factor of a study: its name, its levels, and whatever options it has.

    Options of a factor on methods are ``of``, ``when``, ``role``, ``ordered``, the ends of a range (``linear`` or
    ``log``; then no levels are listed), and the canonical form of the ``values`` that names of levels stand for.
    """

    name: str
    levels: tuple[Any, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def shown(self) -> tuple[Any, ...]:
        """The levels; of a range, a text with its ends."""
        ends = self.options.get("linear") or self.options.get("log")
        return (f"{ends[0]:g}–{ends[1]:g}",) if ends else self.levels

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain data; options stand beside the name."""
        return {"name": self.name, "levels": list(self.levels), **self.options}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """The factor that :meth:`to_dict` wrote."""
        options = {name: value for name, value in stored.items() if name not in ("name", "levels")}
        return cls(name=stored["name"], levels=tuple(stored["levels"]), options=options)


@dataclass(frozen=True, kw_only=True)
class StudyDefinition(_Defined):
    """All that a study file says about its study; fields that older files lack have default values.

    ``question`` has the fields of :class:`fairtrial.design.Question`; ``resampling`` has ``scheme`` and the fields of
    that scheme; ``dependence`` is that of all data sets, for files that have none for each.
    ``layout`` has the kind and the options of the plan, None for all combinations; ``replicates`` is None for one.
    ``notices`` are those of data and plan, and ``merged`` names the files that a merged study was made of.
    """

    question: Mapping[str, Any]
    datasets: tuple[DefinedDataset, ...]
    methods: tuple[DefinedMethod, ...]
    resampling: Mapping[str, Any]
    factors: tuple[DefinedFactor, ...] = ()
    layout: Mapping[str, Any] | None = field(default=None, metadata=LEFT_OUT)
    replicates: int | None = field(default=None, metadata=LEFT_OUT)
    dependence: Mapping[str, Any]
    measures: tuple[str, ...]
    seed: int
    failures: FailurePolicy
    time_limit: float | None = None
    memory_limit: int | None = None
    timing: Timing = "shared"
    memory: Memory = "mark"
    training_scores: bool | None = field(default=None, metadata=LEFT_OUT)
    notices: tuple[Notice, ...] = ()
    merged: tuple[str, ...] | None = field(default=None, metadata=LEFT_OUT)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """The definition that :meth:`to_dict` wrote, now or in an older version."""
        parts: dict[str, Any] = {
            "datasets": map(DefinedDataset.from_dict, stored["datasets"]),
            "methods": map(DefinedMethod.from_dict, stored["methods"]),
            "factors": map(DefinedFactor.from_dict, stored.get("factors", ())),
            "measures": stored["measures"],
            "notices": (*_texts_about_splits(stored), *map(Notice.from_dict, stored.get("notices", ()))),
            **({"merged": stored["merged"]} if "merged" in stored else {}),
        }
        whole = {**stored, **{name: tuple(items) for name, items in parts.items()}}
        return cls(**{f.name: whole[f.name] for f in fields(cls) if f.name in whole})

    def method(self, name: str) -> DefinedMethod | None:
        """The method of that name; None where the study has none."""
        return next((m for m in self.methods if m.name == name), None)


def _texts_about_splits(stored: Mapping[str, Any]) -> tuple[Notice, ...]:
    """The warnings about splits in files of earlier versions, which were texts for each data set, as notices."""
    texts = stored.get("split_warnings") or {}
    return tuple(Notice(text, about=name, guard="splits", stage="plan") for name, own in texts.items() for text in own)
