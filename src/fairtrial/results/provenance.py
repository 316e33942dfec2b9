"""Provenance: where results come from, a study that was run, or a table that was read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
