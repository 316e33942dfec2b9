"""The units of evidence over data sets: single data sets, or families of data sets that belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairtrial.errors import InputError, UnknownName
from fairtrial.results.provenance import A_DATASET
from fairtrial.verdict.evidence import Evidence, FloatArray
from fairtrial.words import plural


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Scores on the scale of the comparison: units in rows, methods and then yardsticks in columns.

    A unit is a data set, or a family of data sets that are versions of one source: these are one piece of evidence, and
    their scores are averaged. ``members`` has the numbers of the data sets of each unit; ``noun`` is the word for one;
    ``dropped`` data sets were left out, since they lack scores.
    """

    names: tuple[str, ...]
    scores: FloatArray
    members: tuple[tuple[int, ...], ...]
    noun: str = A_DATASET
    dropped: int = 0

    @property
    def n(self) -> int:
        return len(self.names)

    @property
    def datasets(self) -> int:
        return sum(map(len, self.members))

    def without(self, i: int) -> Units:
        """All units but one."""
        names, members = ((*all_[:i], *all_[i + 1 :]) for all_ in (self.names, self.members))
        return replace(self, names=names, members=members, scores=np.delete(self.scores, i, axis=0))

    def averaged(self, values: FloatArray) -> FloatArray:
        """Values of the data sets (rows), averaged over the members of each unit."""
        return values if self.n == self.datasets else np.stack([values[list(own)].mean(axis=0) for own in self.members])

    @property
    def each(self) -> str:
        """The word for one unit."""
        return self.noun if self.n == self.datasets else "family"

    @property
    def several(self) -> str:
        """The word for several units."""
        return f"{self.noun}s" if self.n == self.datasets else "families"

    @property
    def counted(self) -> str:
        """The number of units in few words, after :attr:`in_words` has said it in full: '10 families'."""
        return plural(self.n, self.each, self.several)

    @property
    def in_words(self) -> str:
        """The number of units: '12 data sets', or '10 families of data sets (30 in all)'."""
        if self.n == self.datasets:
            return plural(self.n, self.noun)
        return f"{plural(self.n, 'family', 'families')} of {self.noun}s ({self.datasets} in all)"

    @property
    def such(self) -> str:
        """The data that an answer is about: 'on data sets such as these 12'."""
        dropped = f" (of {self.datasets + self.dropped}: the others lack scores)" if self.dropped else ""
        many = f"{self.n:,}" if self.n == self.datasets else self.in_words
        return f"on {self.noun}s such as these {many}{dropped}"


def units_of(evidence: Evidence, family: Mapping[str, Sequence[str]]) -> Units:
    """The units of the evidence: each family is one, and so is each data set that is in none."""
    home: dict[str, str] = {}
    for name, members in family.items():
        for dataset in members:
            if dataset not in evidence.datasets:
                raise UnknownName.among(f"data set for the family {name!r}", dataset, evidence.datasets)
            if dataset in home:
                raise InputError(
                    f"a data set can be in one family only, but {dataset!r} is in {home[dataset]!r} and {name!r}; "
                    "take it out of one of them"
                )
            home[dataset] = name
    if alone := [d for d in evidence.datasets if d not in home and d in family]:
        raise InputError(f"family {alone[0]!r} has the name of a data set that is not in it; give it another name")
    of = [home.get(d, d) for d in evidence.datasets]
    names = tuple(dict.fromkeys(of))
    rows = tuple(tuple(i for i, name in enumerate(of) if name == unit) for unit in names)
    single = Units(names, evidence.comparable, rows, evidence.unit, evidence.dropped)
    return replace(single, scores=single.averaged(evidence.comparable))
