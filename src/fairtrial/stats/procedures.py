"""The registry of procedures: what each is for, what it tests, what it assumes, and where it comes from.

A procedure declares these facts where it is defined, in the words below where several share them. The list of
``fairtrial list tests``, the page of all procedures and the references of reports are made from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NewType, TypeVar

from fairtrial.stats.bibliography import Reference
from fairtrial.tables import Column, Table

__all__ = ["PROCEDURES", "QUESTIONS", "Procedure", "procedure", "procedure_of", "to_table"]

Question = NewType("Question", str)
F = TypeVar("F", bound=Callable[..., Any])

ONE_METHOD = Question("one method")
TWO_METHODS = Question("two methods, one data set")
SEVERAL_METHODS = Question("several methods, one data set")
SEVERAL_MEASURES = Question("several measures at once")
OVER_DATASETS = Question("over data sets")
POST_HOC = Question("which of several differ")
MANY_P_VALUES = Question("many p-values")
EFFECT_SIZES = Question("how large is it")
BAYES = Question("how probable is it")
POWER = Question("how many does it take")
GROWTH = Question("how a cost grows")
QUESTIONS = (
    *(ONE_METHOD, TWO_METHODS, SEVERAL_METHODS, SEVERAL_MEASURES, OVER_DATASETS, POST_HOC, MANY_P_VALUES),
    *(EFFECT_SIZES, BAYES, POWER, GROWTH),
)

INSTANCES = "independent test instances; about these fitted models"
MANY_INSTANCES = f"many {INSTANCES}"
TRIALS = "independent trials with one probability of success"
PAIRS = "independent pairs"
SAMPLES = "independent samples"
BOOTSTRAPPED = "bootstrap samples of independent instances"
DATA_SETS = "independent data sets, one score per method on each"
MANY_DATA_SETS = f"{DATA_SETS}, many of them"
ONE_SCALE = f"{DATA_SETS}, of one scale"
COMPARABLE = f"{DATA_SETS}; differences that can be compared between data sets"
NORMAL = "normal scores or differences, independent or with test_share"
NORMAL_GROUPS = "independent scores, normal within groups, of one variance; folds take test_share"
JOINTLY_NORMAL = "independent rows, jointly normal differences; folds take test_share"
OF_THE_TEST = "that of the test"


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
