"""Notices: what a guard found, in a form that can be shown, stored and raised; and the register of all guards.

A guard is a function that looks at data, a plan, a run or results and yields a :class:`Notice` for each thing that a
person should know before the numbers are believed. It stands in the room that sees its input, and whoever has such an
input calls :func:`look` once, so that a new guard needs no call of its own:

>>> @guard(stage="plan", sees="demo")
... def odd_number(n: int) -> Iterator[Notice]:
...     "A number that can't be halved."
...     if n % 2:
...         yield Notice(f"{n} is odd", about="n", evidence={"n": n}, remedy="take an even number")
>>> [found] = look("demo", 7)
>>> print(found)
! 7 is odd; take an even number
>>> found.guard, found.stage
('odd_number', 'plan')
>>> forget("odd_number")
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, ParamSpec, get_args

from fairtrial.errors import FairtrialError, InputError
from fairtrial.shown import ShownAsText
from fairtrial.statements import Role, Statement, Text, says

Stage = Literal["data", "plan", "run", "verdict"]
Severity = Literal["fine", "note", "warning", "doubt", "grave", "refusal"]

STAGES: tuple[Stage, ...] = get_args(Stage)
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""How grave a notice is, from harmless to fatal.

``fine``: looked at and in order. ``note``: worth knowing before the run, and printed by the plan. ``warning``: a reason
for care; one of data or plan is stored with the study and repeated in its verdict. ``doubt``: what must be known to use
the answer, and is said right after it. ``grave``: a doubt about the answer itself, which is said before it.
``refusal``: nothing can be done with this input; :func:`check` raises it.
"""

Parameters = ParamSpec("Parameters")


@dataclass(frozen=True, slots=True)
class Notice(Statement, ShownAsText):
    """A finding of a guard: a sentence, how grave it is, the numbers behind it, what it is about, what to do.

    It is a statement: a doubt where it is a ``doubt`` or ``grave`` (these come first), else something that was checked.

    ``about`` is the name of a data set or a method, or empty; ``evidence`` holds what JSON can hold. ``guard`` and
    ``stage`` are filled in by :func:`guard`.
    """

    sentence: str
    severity: Severity = "warning"
    about: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict, hash=False)
    remedy: str = ""
    guard: str = ""
    stage: Stage = "data"

    @property
    def role(self) -> Role:  # type: ignore[override]
        """A doubt, or something that was checked."""
        return Role.DOUBT if self.severity in ("doubt", "grave") else Role.CHECK

    @property
    def rank(self) -> int:  # type: ignore[override]
        """Grave notices first."""
        return -1 if self.severity == "grave" else 0

    @property
    def is_fine(self) -> bool:
        """Whether the guard looked and found all in order."""
        return self.severity == "fine"

    @property
    def text(self) -> str:
        """The sentence, and what to do."""
        return f"{self.sentence}; {self.remedy}" if self.remedy else self.sentence

    def __str__(self) -> str:
        return f"{'✓' if self.is_fine else '!'} {self.text}"

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Notice:
        """The notice that :meth:`to_dict` described; fields of other versions are left out."""
        known = {f.name for f in fields(cls)}
        return cls(**{name: value for name, value in stored.items() if name in known})

    def map_text(self, change: Callable[[str], str]) -> Notice:
        """This notice with its texts changed, for instance without the names of places.

        >>> print(Notice("a is odd", remedy="drop a").map_text(str.upper))
        ! A IS ODD; DROP A
        """
        return replace(self, sentence=change(self.sentence), remedy=change(self.remedy))

    def refusal(self, kind: type[FairtrialError] = InputError) -> FairtrialError:
        """The error that stops the work, to be raised; its message is the text, and ``error.notice`` this notice.

        >>> raise Notice("the target must vary", remedy="choose another column").refusal()
        Traceback (most recent call last):
        fairtrial.errors.InputError: the target must vary; choose another column
        """
        error = kind(self.text)
        error.notice = self
        return error


class Note(str):
    """A remark of whoever reads or prepares data, with its severity and what it is about, set where it is made.

    >>> note = Note("x has no score on iris: left out", "doubt")
    >>> print(note, note.severity)
    x has no score on iris: left out doubt
    """

    severity: Severity
    about: str

    def __new__(cls, text: str, severity: Severity = "warning", about: str = "") -> Note:
        made = super().__new__(cls, text)
        made.severity, made.about = severity, about
        return made


@says(Notice)
def _(notice: Notice, words: object) -> Text:  # noqa: ARG001
    return Text(notice.text)


Look = Callable[Parameters, Iterator[Notice]]


@dataclass(frozen=True, slots=True)
class Guard:
    """A registered guard: its name, when it looks, at which input, what for, and the function."""

    name: str
    stage: Stage
    sees: str
    looks_for: str
    look: Callable[..., Iterator[Notice]]

    @property
    def room(self) -> str:
        """The part of fairtrial that has the guard; for a guard from elsewhere, its module."""
        return self.look.__module__.removeprefix("fairtrial.").partition(".")[0]


_guards: dict[str, Guard] = {}


def guard(*, stage: Stage, sees: str) -> Callable[[Look[Parameters]], Look[Parameters]]:
    """Register a guard that looks at ``stage``; ``sees`` names its input.

    The first line of the docstring says what the guard looks for. All guards that see the same input take the same
    arguments, so that :func:`look` can ask them all. A guard signs its notices; those of other guards that it passes on
    keep their signature.
    """

    def register(function: Look[Parameters]) -> Look[Parameters]:
        name = function.__name__

        @functools.wraps(function)
        def signed(*args: Parameters.args, **options: Parameters.kwargs) -> Iterator[Notice]:
            for notice in function(*args, **options):
                yield notice if notice.guard else replace(notice, guard=name, stage=stage)

        known = _guards.get(name)
        if known is not None and known.look.__module__ != function.__module__:
            raise InputError(f"a guard called {name!r} exists already, in {known.look.__module__}; choose another name")
        looks_for = (inspect.getdoc(function) or "").partition("\n")[0]
        _guards[name] = Guard(name, stage, sees, looks_for, signed)
        return signed

    return register


def look(sees: str, *inputs: Any) -> Iterator[Notice]:
    """The findings of all guards that see this kind of input, in the order in which they were registered."""
    for registered in list(_guards.values()):
        if registered.sees == sees:
            yield from registered.look(*inputs)


def check(sees: str, *inputs: Any) -> None:
    """Raise the first refusal of the guards that see this kind of input.

    >>> @guard(stage="data", sees="demo")
    ... def no_rows(n: int) -> Iterator[Notice]:
    ...     "A table without rows."
    ...     if n == 0:
    ...         yield Notice("a table must have rows, got none", "refusal")
    >>> check("demo", 7)
    >>> check("demo", 0)
    Traceback (most recent call last):
    fairtrial.errors.InputError: a table must have rows, got none
    >>> forget("no_rows")
    """
    for notice in look(sees, *inputs):
        if notice.severity == "refusal":
            raise notice.refusal()


def all_guards() -> tuple[Guard, ...]:
    """The guards of all rooms that have been imported, by stage."""
    return tuple(sorted(_guards.values(), key=lambda g: STAGES.index(g.stage)))


def forget(name: str) -> None:
    """Take a guard out again, for tests and notebooks."""
    del _guards[name]
