"""The rule that a plan will be judged by, known before anything runs: the test is chosen by design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.measures import get
from fairtrial.verdict.rules.rule import Rule
from fairtrial.verdict.rules.rules import choose
from fairtrial.verdict.rules.situation import Situation

if TYPE_CHECKING:
    from fairtrial.design import Plan


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
        methods=sum(not m.yardstick for m in study.methods),
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
