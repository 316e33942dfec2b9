"""A row of the rule table: when it applies, what it answers, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from fairtrial.design import Question
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.rules.situation import Situation

Procedure = Callable[[Evidence, Question, str], Finding]

Compared = Literal["one", "two", "several", "versus control"]
COMPARED: tuple[Compared, ...] = get_args(Compared)
"""How many methods a question is about, and whether one of them is the control."""

Aim = Literal["estimate", "claim", "difference", "superiority", "equivalence", "non-inferiority"]
AIMS: tuple[Aim, ...] = get_args(Aim)
"""What is to be shown: how good a method is (estimate), that it is better than a level (claim), that methods differ,
that they are better than the control (superiority), equal but for what matters, or not worse by what matters."""

FigureName = Literal["dots", "differences", "leads"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the table: the situations that it is for, and the procedure that answers the question there.

    ``when`` decides whether the row fits a situation, ``condition`` says the same in words. ``questions`` are numbers
    of Dietterich's nine questions. ``interval`` and ``effect`` are what the finding reports, ``figure`` is drawn first.
    A row with ``asked_by`` is taken only if it is asked for with this argument of a verdict. ``why_of`` makes the
    reason from the words for a piece of evidence, where these depend on the data.
    """

    name: str
    when: Callable[[Situation], bool]
    condition: str
    questions: tuple[int, ...]
    compared: tuple[Compared, ...]
    aims: tuple[Aim, ...]
    procedure: str
    interval: str
    effect: str
    figure: FigureName
    why: str
    reference: str
    answer: Procedure
    asked_by: str = ""
    why_of: Callable[[str], str] | None = None
