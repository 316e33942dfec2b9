"""What a verdict must say of a situation of known truth, as data: kinds of statements with the fields that matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from fairtrial.statements import Statement
from fairtrial.stats import Interval
from fairtrial.verdict import Verdict


class Said(NamedTuple):
    """A statement of this kind, with these fields among others; an interval is its estimate and its ends."""

    kind: type[Statement]
    fields: dict[str, object]

    def matches(self, statement: Statement) -> bool:
        return isinstance(statement, self.kind) and all(
            _equals(getattr(statement, name), value) for name, value in self.fields.items()
        )


def said(kind: type[Statement], **fields: object) -> Said:
    return Said(kind, fields)


@dataclass(frozen=True)
class Situation:
    """A verdict, the first line of its page as a regular expression, what is found, and the marks of its table."""

    make: Callable[[], Verdict]
    first: str
    found: tuple[Said, ...]
    marks: dict[str, str] = field(default_factory=dict)


def _equals(found: object, expected: object) -> bool:
    if isinstance(found, Interval) and isinstance(expected, tuple):
        return (found.estimate, found.low, found.high) == pytest.approx(expected, abs=6e-4)
    if isinstance(expected, float):
        return found == pytest.approx(expected, rel=1e-3)
    if isinstance(expected, dict):
        return isinstance(found, dict) and expected.items() <= found.items()
    return found == expected
