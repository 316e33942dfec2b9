"""The registry of procedures: the question, null hypothesis, assumptions and references of each.

A procedure declares these facts where it is defined; assumptions that several procedures share are the constants below.
``fairtrial list tests``, the page of all procedures and the references of reports are made from the registry.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NewType, TypeVar, cast

import numpy as np

import fairtrial.stats
from fairtrial.doors import door
from fairtrial.errors import CallError, InputError
from fairtrial.stats.bibliography import Reference
from fairtrial.tables import Column, Table

Question = NewType("Question", str)
F = TypeVar("F", bound=Callable[..., Any])

ONE_METHOD = Question("one method")
TWO_METHODS = Question("two methods, one data set")
SEVERAL_METHODS = Question("several methods, one data set")
SEVERAL_MEASURES = Question("several measures at once")
OVER_DATASETS = Question("over data sets")
POST_HOC = Question("which of several methods differ")
MANY_P_VALUES = Question("many p-values")
EFFECT_SIZES = Question("effect sizes")
BAYES = Question("Bayesian comparisons")
POWER = Question("power and sample size")
GROWTH = Question("how a cost grows")
FACTORIAL = Question("which factors matter")
SURFACE = Question("which setting is best")
QUESTIONS = (
    *(ONE_METHOD, TWO_METHODS, SEVERAL_METHODS, SEVERAL_MEASURES, OVER_DATASETS, POST_HOC, MANY_P_VALUES),
    *(EFFECT_SIZES, BAYES, POWER, GROWTH, FACTORIAL, SURFACE),
)

INSTANCES = "independent test instances; the answer is about these fitted models"
MANY_INSTANCES = f"many {INSTANCES}"
TRIALS = "independent trials with the same probability of success"
PAIRS = "independent pairs"
SAMPLES = "independent samples"
BOOTSTRAPPED = "bootstrap samples of independent instances"
DATA_SETS = "independent data sets, one score per method on each"
MANY_DATA_SETS = f"{DATA_SETS}; many data sets"
ONE_SCALE = f"{DATA_SETS}; all scores on the same scale"
COMPARABLE = f"{DATA_SETS}; differences comparable in size between data sets"
FOLDS_NEED_SHARE = "scores over folds need test_share"
NORMAL = f"normal scores or differences, independent; {FOLDS_NEED_SHARE}"
NORMAL_GROUPS = f"independent scores, normal within groups, with equal variances; {FOLDS_NEED_SHARE}"
JOINTLY_NORMAL = f"independent rows, jointly normal differences; {FOLDS_NEED_SHARE}"
OF_THE_TEST = "the assumptions of the test"


@dataclass(frozen=True, slots=True)
class Procedure:
    """The facts of one procedure: its function, question, null hypothesis, assumptions and references.

    ``null`` is empty where nothing is tested. ``test`` is the name that its outcomes carry; it is empty where outcomes
    carry several names.
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
        """The first line of the function's docstring."""
        return (self.function.__doc__ or "").split("\n")[0]


class Procedures(Mapping[str, Procedure]):
    """All procedures by name; their modules are imported when one is asked for, or all of them."""

    def __init__(self) -> None:
        self._known: dict[str, Procedure] = {}

    def add(self, found: Procedure) -> None:
        self._known[found.name] = found

    def __getitem__(self, name: str) -> Procedure:
        if name not in self._known and name in fairtrial.stats.__all__:
            getattr(fairtrial.stats, name)  # imports its module
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        for name in fairtrial.stats.__all__:
            getattr(fairtrial.stats, name)
        return iter(self._known)

    def __len__(self) -> int:
        return sum(1 for _ in self)


PROCEDURES = Procedures()


def procedure(
    *,
    question: Question,
    null: str = "",
    assumes: str = "",
    references: tuple[Reference, ...] = (),
    test: str = "",
) -> Callable[[F], F]:
    """Decorator that registers a procedure; its options of type bool are refused if they are neither True nor False."""

    def register(function: F) -> F:
        checked = door(_with_checked_flags(function))
        PROCEDURES.add(Procedure(checked, question, null, assumes, references, test))
        return checked

    return register


def _with_checked_flags(function: F) -> F:
    """The function; ``higher_is_better="no"`` would count as true, an array as neither, and columns are no table."""
    parameters = inspect.signature(function).parameters.values()
    flags = {p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.annotation in (bool, "bool")}
    of_table = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD] == ["table"]
    if not flags and not of_table:
        return function

    @functools.wraps(function)
    def checked(*args: Any, **given: Any) -> Any:
        if of_table and len(args) > 1:
            raise CallError(
                f"{function.__name__} takes one table, data sets × methods, got {len(args)} arguments; put the scores "
                "of the methods side by side: np.column_stack([a, b, c])"
            )
        for name in flags & given.keys():
            if not isinstance(given[name], (bool, np.bool_)):
                raise InputError(f"{name} must be True or False, got {given[name]!r}")
        return function(*args, **given)

    return cast(F, checked)


def procedure_of(test: str) -> Procedure | None:
    """The procedure whose outcomes carry this test name, or None.

    >>> from fairtrial import stats
    >>> procedure_of(stats.sign_test([5, 7, 8], [4, 5, 9]).test).name
    'sign_test'
    """
    return next((p for p in PROCEDURES.values() if test and p.test == test), None)


def to_table() -> Table:
    """The table of all procedures by question, which ``fairtrial list tests`` prints."""
    rows = sorted((p.question, p.name, p.summary) for p in PROCEDURES.values())
    columns = (Column("question", align="left"), Column("name", align="left"), Column("what it does", align="left"))
    return Table(columns=columns, rows=tuple(rows), caption="statistical procedures (fairtrial.stats)")
