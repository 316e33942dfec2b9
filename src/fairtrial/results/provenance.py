"""Provenance: where results come from, a study that was run, or a table that was read.

What a published table prints beside its scores: uncertainties and signs, which no test uses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fairtrial.choices import Spread
from fairtrial.store import Session, StoredPlan

A_DATASET = "data set"
UNITS = ("task", "question", "instance", "issue", "problem", "item", "query", "prompt", "example", "document")


def unit_of(title: str) -> str:
    """The word for what the rows of a table are, from the title of the column that names them.

    >>> unit_of("instance_id"), unit_of("Task"), unit_of("dataset"), unit_of("name")
    ('instance', 'task', 'data set', 'data set')
    """
    words = re.split(r"[\W_]+", title.lower())
    return next((word for word in UNITS if word in words), A_DATASET)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where results come from: the sessions that ran the study, or the name of the table that was read.

    The study itself is in :attr:`Results.definition`; ``plan`` is what it was before its first trial, where that is
    known; ``dropped`` are methods that were tried on its data sets and left out afterwards. ``reader`` and ``reading``
    are the function that read a table, and the options that it was given. ``unit`` is the word for what its rows are.
    ``other_levels`` are the levels of factors that were left out when one was chosen; ``part`` are the ``methods`` and
    ``datasets`` that were chosen.
    """

    sessions: tuple[Session, ...] = ()
    source: str = ""
    plan: StoredPlan | None = None
    reader: str = ""
    reading: Mapping[str, Any] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    unit: str = A_DATASET
    other_levels: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    part: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The machines that ran the study, each once."""
        return tuple(dict.fromkeys(session.host for session in self.sessions))


SPREAD_TITLES: dict[str, Spread] = {
    "standard_error": "standard error",
    "standard_deviation": "standard deviation",
    "half_width": "interval",
}
"""The titles of columns with uncertainties, and what each of them is."""

Cell = tuple[str, str, str]
"""A data set, a method and a measure; the measure is empty in a table that has one measure only."""


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """Uncertainties and signs as they were published, of each data set, method and measure.

    ``kind`` says what the uncertainties are. Signs stand behind the scores or, if their column has a ``title`` of its
    own, in a column of that title.
    """

    kind: Spread = "none"
    spreads: Mapping[Cell, float] = field(default_factory=dict)
    signs: Mapping[Cell, str] = field(default_factory=dict)
    title: str = ""

    def spread(self, dataset: str, method: str, measure: str) -> float:
        """The uncertainty of a score; nan where there is none."""
        found = self.spreads.get((dataset, method, measure))
        return self.spreads.get((dataset, method, ""), float("nan")) if found is None else found

    def sign(self, dataset: str, method: str, measure: str) -> str:
        """The sign of a score; empty where there is none."""
        found = self.signs.get((dataset, method, measure))
        return self.signs.get((dataset, method, ""), "") if found is None else found
