"""The keys of trials: hashes of all that determines their numbers, so that no trial is ever done twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.factors import Level, SettingDigests, TrainingFactor, of_methods, write_setting
from fairtrial.errors import InputError
from fairtrial.resampling import Split

if TYPE_CHECKING:
    from fairtrial.design.study import Study


class TrialKeys:
    """The keys of the trials of a plan.

    A key is a hash of the data, the method with its parameters set, the levels of factors of the training data, the
    split, the replicate and the study's seed. A method at a setting and a method that was given these parameters have
    the same key: they are the same trial.
    """

    def __init__(
        self, study: Study, levels: Sequence[Mapping[str, Level]], splits: Sequence[Split], digests: Sequence[bytes]
    ) -> None:
        self._study, self._levels, self._splits, self._split_digests = study, levels, splits, digests
        self._fingerprints = [bytes.fromhex(d.fingerprint) for d in study.datasets]
        self._on_methods = {f.name for f in of_methods(study.factors)}
        self._digests: dict[tuple[object, ...], bytes] = {}
        self._settings = [SettingDigests(method, study.factors) for method in study.methods]
        self._parts: dict[int, str] = {}

    def key(self, dataset: int, method: int, split: int, replicate: int, level: int) -> bytes:
        """The key of the trial of a method at a combination of levels; data set, method… are numbers."""
        place = self._splits[split]  # its repeat and fold count: on tiny data two partitions may be the same
        text = f"[{self._part(level)}, {replicate}, {self._study.seed}, [{place.repeat}, {place.fold}]]"
        parts = self._fingerprints[dataset] + self._digest(method, level) + self._split_digests[split] + text.encode()
        return hashlib.blake2b(parts, digest_size=16).digest()

    def refuse_twins(self, cells: NDArray[np.int32]) -> None:
        """Refuse two settings that are the same method with the same training data."""
        if not self._on_methods:
            return
        seen: dict[tuple[bytes, str], tuple[int, int]] = {}
        for level, method in cells.tolist():
            other = seen.setdefault((self._digest(method, level), self._part(level)), (level, method))
            if other != (level, method):
                names = [
                    write_setting(self._study.methods[m].name, self._levels[v]) for v, m in (other, (level, method))
                ]
                raise InputError(
                    f"each setting must differ from the others, but {names[0]!r} and {names[1]!r} are the same class "
                    "with the same parameters; leave one of them out"
                )

    def _part(self, level: int) -> str:
        """The part of a combination of levels that determines the training data, as JSON."""
        if level not in self._parts:
            own = {f.name: f for f in self._study.factors if isinstance(f, TrainingFactor)}
            there = [(n, v) for n, v in self._levels[level].items() if n in own and isinstance(v, (int, float))]
            part = {n: own[n].part(v) for n, v in there if own[n].changes(v)}
            self._parts[level] = json.dumps(part, sort_keys=True)
        return self._parts[level]

    def _digest(self, method: int, level: int) -> bytes:
        """A hash of a method with its parameters set."""
        own = {name: v for name, v in self._levels[level].items() if name in self._on_methods}
        place = (method, *((name, type(v), v) for name, v in own.items()))
        if place not in self._digests:
            self._digests[place] = self._settings[method].at(own)
        return self._digests[place]
