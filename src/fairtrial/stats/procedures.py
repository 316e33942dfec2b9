"""The registry of procedures: what each is for, what it tests, what it assumes, and where it comes from.

A procedure declares these facts where it is defined; ``fairtrial list tests``, the documentation and the references of
reports are made from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from fairtrial.errors import InputError
from fairtrial.stats.bibliography import Reference
from fairtrial.tables import Column, Table

__all__ = ["PROCEDURES", "Procedure", "procedure", "procedure_of", "to_table"]

Question: TypeAlias = Literal[
    "one method",
    "two methods, one data set",
    "several methods, one data set",
    "several measures at once",
    "over data sets",
    "which of several differ",
    "many p-values",
    "how large is it",
    "how probable is it",
    "how many does it take",
    "how a cost grows",
]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Procedure:
    """The facts of one procedure.

    ``null`` is empty where nothing is tested. ``test`` is the name that its outcomes carry, where it has one name.
    """

    function: Callable[..., Any]
    question: Question
    null: str
    assumes: str
    references: tuple[Reference, ...]
    test: str

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (self.function.__doc__ or "").split("\n")[0]


PROCEDURES: dict[str, Procedure] = {}


def procedure(
    *,
    question: Question,
    null: str = "",
    assumes: str = "",
    references: tuple[Reference, ...] = (),
    test: str = "",
) -> Callable[[F], F]:
    """Register a procedure; the function itself is returned as it is."""
    if question not in get_args(Question):
        raise InputError(f"question must be one of {', '.join(map(repr, get_args(Question)))}, got {question!r}")

    def register(function: F) -> F:
        PROCEDURES[function.__name__] = Procedure(function, question, null, assumes, references, test)
        return function

    return register


def procedure_of(test: str) -> Procedure | None:
    """The procedure whose outcomes carry this name.

    >>> from fairtrial import stats
    >>> procedure_of(stats.sign_test([5, 7, 8], [4, 5, 9]).test).name
    'sign_test'
    """
    return next((p for p in PROCEDURES.values() if test and p.test == test), None)


def to_table() -> Table:
    """What ``fairtrial list tests`` prints: every procedure, what it is for, and its question."""
    rows = sorted((p.question, p.name, p.summary) for p in PROCEDURES.values())
    columns = (Column("question", align="left"), Column("name", align="left"), Column("what it does", align="left"))
    return Table(columns=columns, rows=tuple(rows), caption="statistical procedures (fairtrial.stats)")
