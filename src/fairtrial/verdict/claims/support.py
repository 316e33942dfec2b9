"""What stands beside every answer: the test, methods that did not run, why there is no verdict, what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairtrial.notices import Notice
from fairtrial.results.absentees import Absentee
from fairtrial.statements import Role, Statement, Text

Action = Literal["say what matters", "more data", "more repeats", "run on", "repair", "ask", "bring"]
"""What a next step does: state δ, add data sets or instances, add repeats, let a run go on, mend and run again, ask
another question, bring what is missing."""


@dataclass(frozen=True, slots=True)
class ByTest(Statement):
    """The test: the family of claims, what was tested over what, and what to know of it, for the full page."""

    role = Role.TEST
    family: str
    test: str
    over: str = ""
    details: tuple[str, ...] = ()
    none: bool = False


@dataclass(frozen=True, slots=True)
class DidNotRun(Statement):
    """Methods that did not run, so that nothing is said about them."""

    role = Role.ANSWER
    rank = -2
    methods: tuple[Absentee, ...]


@dataclass(frozen=True, slots=True)
class Refused(Statement):
    """There is no verdict, since data or plan leave none; ``others`` more grave notices stand below."""

    role = Role.ANSWER
    rank = -1
    reason: Notice
    others: int = 0
    scales: Notice | None = None


@dataclass(frozen=True, slots=True)
class NextStep(Statement):
    """What would settle what is open: what to do, how much of what, between which methods.

    ``low`` and ``high`` are the range of ``amount`` by the uncertainty of the spread. ``words`` say a step that no
    numbers describe.
    """

    role = Role.NEXT
    action: Action
    amount: int | None = None
    unit: str = ""
    methods: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    words: Text | None = None
    rank: int = 0  # type: ignore[misc]


def next_step(action: Action, words: str, rank: int = 0) -> NextStep:
    """A step in words."""
    return NextStep(action, words=Text(words), rank=rank)
