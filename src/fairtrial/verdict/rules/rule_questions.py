"""The way through the rule table to a procedure: the questions that decide, and where other answers would lead.

The table itself is asked: all kinds of situations are tried, and a question stands on the way only if the rules that
remain possible depend on its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

from fairtrial.design import FEWEST_DATASETS
from fairtrial.verdict.designs.several_measures import enough_for_all_differences
from fairtrial.verdict.rules.rule import Rule, Situation
from fairtrial.verdict.rules.rules import PER_DATASET_NAMES, TEST_NAMES, choose
from fairtrial.verdict.verdict import Verdict


@dataclass(frozen=True, slots=True)
class RuleQuestion:
    """A question about a situation, and the function that answers it in words."""

    text: str
    answer: Callable[[Situation], str]


@dataclass(frozen=True, slots=True)
class Road:
    """A possible answer, whether it is the one given, and the procedures that it can lead to."""

    answer: str
    taken: bool
    procedures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A question on the way, with its answers in a fixed order."""

    question: str
    roads: tuple[Road, ...]

    @property
    def answer(self) -> str:
        """The answer that was given."""
        return next(road.answer for road in self.roads if road.taken)


@dataclass(frozen=True, slots=True)
class DecisionPath:
    """The way to a procedure: the questions that were decisive, and the row of the rule table at its end."""

    steps: tuple[Step, ...]
    rule: str
    procedure: str
    why: str
    reference: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


def _number(n: int) -> str:
    return {1: "one", 2: "two"}.get(n, "three or more")


def _datasets(s: Situation) -> str:
    if s.datasets == 1:
        return "one"
    return f"{FEWEST_DATASETS} or more" if s.datasets >= FEWEST_DATASETS else f"2 to {FEWEST_DATASETS - 1}"


QUESTIONS: tuple[RuleQuestion, ...] = (
    RuleQuestion("Is a procedure asked for by name?", lambda s: _yes(bool(s.test or s.per_dataset))),
    RuleQuestion("Which one?", lambda s: s.test or s.per_dataset),
    RuleQuestion("How many measures are tested together?", lambda s: "one" if s.measures == 1 else "two or more"),
    RuleQuestion("How many methods are there?", lambda s: _number(s.methods)),
    RuleQuestion("Were the methods tested on their training data?", lambda s: _yes(s.optimistic)),
    RuleQuestion(
        "What is the evidence?",
        lambda s: "instances of one test set, met by fixed models" if s.is_about_models else "scores of methods",
    ),
    RuleQuestion("Is a claim about the method tested?", lambda s: _yes(s.claim)),
    RuleQuestion("Is the measure an average over instances?", lambda s: _yes(s.instances)),
    RuleQuestion("How many data sets are there?", _datasets),
    RuleQuestion(
        "Are there enough data sets to test all differences in all measures?",
        lambda s: _yes(s.measures == 1 or enough_for_all_differences(s.datasets, s.methods, s.measures)),
    ),
    RuleQuestion(
        "What is the answer to be about?",
        lambda s: "each of these data sets" if s.these_only else "data sets such as these",
    ),
    RuleQuestion("Are there several splits whose scheme is known?", lambda s: _yes(s.resampled)),
    RuleQuestion(
        "Which difference over data sets counts?", lambda s: "that of the means" if s.means else "the typical one"
    ),
    RuleQuestion("Is one of the methods the control?", lambda s: _yes(s.control)),
)
"""The questions that decide, in the order in which they are asked; the answers to them determine the rule."""


def decision_path_of(verdict: Verdict) -> DecisionPath:
    """The way from the question and the design of a verdict to its procedure."""
    basis = verdict.basis
    named = (None, None) if basis is None else (basis.test, basis.per_dataset)
    path = decision_path(Situation.of(verdict.evidence, verdict.question, test=named[0], per_dataset=named[1]))
    return replace(path, why=verdict.why)


def decision_path(situation: Situation) -> DecisionPath:
    """The way from a situation to the rule that is taken; a question whose answer changes nothing is left out.

    >>> path = decision_path(Situation(methods=2, datasets=12, resampled=True, these_only=False))
    >>> [(step.question, step.answer) for step in path.steps][-2:]
    [('What is the answer to be about?', 'data sets such as these'), \
('Which difference over data sets counts?', 'the typical one')]
    >>> path.procedure
    'Wilcoxon signed ranks'
    """
    rule = choose(situation)
    return DecisionPath(tuple(_steps(situation)), rule.name, rule.procedure, rule.why, rule.reference)


def _steps(situation: Situation) -> Iterator[Step]:
    left: Iterable[tuple[Situation, Rule]] = _possible()
    for question in QUESTIONS:
        by_answer: dict[str, list[tuple[Situation, Rule]]] = {}
        for case in left:
            by_answer.setdefault(question.answer(case[0]), []).append(case)
        given = question.answer(situation)
        taken = by_answer.get(given, [])
        if len({tuple(_names(cases)) for cases in by_answer.values()}) > 1:
            yield Step(question.text, tuple(_road(a, cases, a == given) for a, cases in by_answer.items()))
        left = taken
        if len(_names(taken)) <= 1:
            return


def _names(cases: Iterable[tuple[Situation, Rule]]) -> list[str]:
    return sorted({rule.name for _, rule in cases})


def _road(answer: str, cases: Iterable[tuple[Situation, Rule]], taken: bool) -> Road:
    return Road(answer, taken, tuple(dict.fromkeys(rule.procedure for _, rule in cases)))


SWITCHES = ("resampled", "these_only", "instances", "predictions", "optimistic", "claim", "control", "means")
SOME_DATASETS = (1, 3, 12, 40)  # one, few, enough for a test over them, enough for several measures


@lru_cache(maxsize=1)
def _possible() -> tuple[tuple[Situation, Rule], ...]:
    """All kinds of situations that can be, each with its rule."""
    named = (("", ""), *((t, "") for t in TEST_NAMES), *(("", t) for t in PER_DATASET_NAMES))
    sizes, facts = product((1, 2, 3), SOME_DATASETS, (1, 2)), tuple(product((False, True), repeat=len(SWITCHES)))
    found = []
    for (methods, datasets, measures), switches, (test, per_dataset) in product(sizes, facts, named):
        given = dict(zip(SWITCHES, switches, strict=True))
        situation = Situation(methods, datasets, measures=measures, test=test, per_dataset=per_dataset, **given)
        if _can_be(situation):
            found.append((situation, choose(situation)))
    return tuple(found)


def _can_be(s: Situation) -> bool:
    """Whether the facts of a situation go together."""
    alone = s.methods == 1
    if (s.claim and not alone) or ((s.control or s.measures > 1 or s.test or s.per_dataset) and alone):
        return False
    fixed = s.instances or s.predictions
    if fixed and (s.datasets > 1 or s.resampled or s.optimistic or s.these_only or (s.instances and s.predictions)):
        return False
    if s.measures > 1 and (s.test or s.per_dataset or s.control or s.claim or (s.datasets == 1 and not s.instances)):
        return False
    return bool(s.control or not s.per_dataset)
