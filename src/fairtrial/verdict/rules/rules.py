"""The rule table: which design allows which procedure, and why. The first row that fits is taken.

The test is chosen by design, never by looking at the data or by pre-testing assumptions. A procedure that was asked for
by name comes first; whether the design allows it is checked by the procedure itself.

The rule that a plan will be judged by, known before anything runs: the test is chosen by design.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fairtrial.errors import UnknownName
from fairtrial.measures import get
from fairtrial.methods.baselines import compared_methods
from fairtrial.verdict.rules.method_rules import (
    COMPARISON_RULES,
    LAST_RULE,
    MODEL_RULES,
    ONE_METHOD_RULES,
    OPTIMISTIC_RULE,
)
from fairtrial.verdict.rules.named_rules import NAMED_RULES, SEVERAL_MEASURES_RULES
from fairtrial.verdict.rules.rule import Rule, Situation

if TYPE_CHECKING:
    from fairtrial.design import Plan


RULES: tuple[Rule, ...] = (
    *NAMED_RULES,
    *SEVERAL_MEASURES_RULES,
    OPTIMISTIC_RULE,
    *MODEL_RULES,
    *ONE_METHOD_RULES,
    *COMPARISON_RULES,
    LAST_RULE,
)


def _names(argument: str) -> tuple[str, ...]:
    """The names of procedures that can be asked for by an argument of a verdict."""
    found = (re.fullmatch(rf"{argument}='(\w+)'", rule.asked_by) for rule in RULES)
    return tuple(match[1] for match in found if match)


TEST_NAMES, PER_DATASET_NAMES = _names("test"), _names("per_dataset")


def choose(situation: Situation) -> Rule:
    """The first rule that fits a situation."""
    if situation.test and situation.test not in TEST_NAMES:
        raise UnknownName.among("test", situation.test, TEST_NAMES)
    if situation.per_dataset and situation.per_dataset not in PER_DATASET_NAMES:
        raise UnknownName.among("test per data set", situation.per_dataset, PER_DATASET_NAMES)
    return next(rule for rule in RULES if rule.when(situation))


def rule_named(name: str) -> Rule:
    """The rule with this name."""
    return next(rule for rule in RULES if rule.name == name)


def planned_rule(plan: Plan) -> Rule:
    """The rule for the results of a plan, if all its trials are run and none fails."""
    return choose(_situation(plan))


def planned_tests(plan: Plan) -> str:
    """The tests that will be made, in words; empty where none can be."""
    rule = planned_rule(plan)
    procedure = "" if rule.procedure == "none" else rule.procedure
    effects = _tests_of_effects(plan)
    if not effects or not procedure or (plan.pairs == 0 and plan.study.question.claim is None):
        return effects or procedure
    return f"{effects}; {'between methods' if plan.pairs else 'claim'}: {procedure}"


def _tests_of_effects(plan: Plan) -> str:
    """How effects of factors on methods are judged, in words; empty where there are none, or no test can be made."""
    known = [effects for effects in plan.effects if effects.number]
    if not known or _situation(plan).optimistic:
        return ""
    if known[0].over_datasets:
        return "effects over data sets: simultaneous intervals of all effects, by joint sign flips"
    if not _situation(plan).resampled:
        return ""
    return "effects on each data set: corrected resampled t over its splits, Bonferroni over effects"


def _situation(plan: Plan) -> Situation:
    """What the choice of a procedure depends on; :meth:`Situation.of` says the same of results."""
    study, asked = plan.study, plan.study.question
    measure = get(study.measures[0])
    splits = [int((plan.dataset_of_split == i).sum()) for i in range(len(study.datasets))]
    dependence = [study.resampling.dependence(d) for d in study.datasets]
    pooled = measure.combine == "pooled" and not measure.from_trials
    optimistic = any(d.optimistic for d in dependence) and not measure.from_trials
    one_test = splits == [1] and asked.about == "model" and not measure.from_trials and not optimistic
    return Situation(
        methods=len(compared_methods(study.methods, asked.control, alone=asked.claim is not None)),
        datasets=_pieces(plan),
        resampled=not pooled and all(d.known and n > 1 for d, n in zip(dependence, splits, strict=True)),
        these_only=asked.domains == "these",
        instances=one_test and measure.per_instance,
        predictions=one_test and not measure.per_instance,
        optimistic=optimistic,
        claim=asked.claim is not None,
        control=asked.control is not None,
        means=asked.estimand == "mean",
    )


def _pieces(plan: Plan) -> int:
    """The number of data sets, where a family of several counts as one; several are never one alone."""
    names = [d.name for d in plan.study.datasets]
    family = plan.study.question.family
    if not family or len(names) == 1:
        return len(names)
    of = {member: name for name, members in family.items() for member in members}
    return max(2, len({("family", of[name]) if name in of else ("alone", name) for name in names}))
