"""Results with another question than the study's own: arguments of a verdict replace parts of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from fairtrial.choices import FAILURE_POLICIES, VerdictOptions
from fairtrial.design import Question
from fairtrial.design.amounts import Scale, difference
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure, in_context, is_known, names
from fairtrial.measures.operating_context import with_label_costs
from fairtrial.results.at_levels import refuse_several_levels
from fairtrial.results.score_measures import is_known_measure, name_measure

if TYPE_CHECKING:
    from fairtrial.results.results import Results

PARTS = tuple(f.name for f in fields(Question) if f.name in VerdictOptions.__annotations__ and f.name != "measure")
"""The options of a verdict that replace a part of the question as they are."""


NO_CONTROL = "none"
"""The control that asks for all pairs where the study's question has one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a verdict was asked: the question that the results had, and the options that replace parts of it."""

    question: Question
    options: Mapping[str, Any]


def with_question(results: Results, options: VerdictOptions, *, any_levels: bool = False) -> Results:
    """The results with the question that the options of a verdict ask; None leaves the study's own part.

    Results at several levels are refused, unless ``any_levels`` allows them.
    """
    asked = Asked(results.question, {name: value for name, value in options.items() if value is not None})
    measure = _all_measures(options.get("measure"))[0]
    if (named := name_measure(results, measure)) is not results:
        results, measure = named, None
    if not any_levels:
        refuse_several_levels(results)
    _refuse_unused(results, options)
    failures, context = options.get("failures"), _context(results, options.get("context"))
    if failures is not None and failures not in FAILURE_POLICIES:
        raise UnknownName.among("failure policy", str(failures), FAILURE_POLICIES)
    given = {**options, "context": context}
    changes: dict[str, Any] = {name: value for name in PARTS if (value := given.get(name)) is not None}
    if changes.get("control") == NO_CONTROL and NO_CONTROL not in results.method_names():
        changes["control"] = None
    if not isinstance(changes.get("smallest_difference"), Mapping):
        changes.pop("smallest_difference", None)  # it is of the measure that is asked, not of the study's own
    if measure is not None and context is None:
        changes["context"] = {}  # the study's context is for its own measure
    own = replace(results.question, measure=results.question.measure or next(iter(results.measures), None))
    question = replace(results.question, **changes)
    facts, notes = results.measure(measure), results.notes
    if context is not None:
        plain, facts = facts, results.measure(in_context(facts.name, context))
        if plain.name == facts.name:
            notes = (*notes, f"{plain.name} does not depend on the class balance: the context changes nothing")
    about_own = own.is_about(facts.name)
    return replace(
        results if facts.name in results.measures else results.with_measures(facts.name),
        notes=notes,
        asked=asked,
        question=replace(
            question,
            measure=facts.name,
            smallest_difference=_delta(options, question, own, facts.name),
            claim=question.claim if about_own else options.get("claim"),
            yardsticks=question.yardsticks if about_own else {},
        ).settled(facts, _scale_of_scores(results, facts)),
        policy=failures or results.policy,
        baseline=options.get("baseline") or results.baseline,
        trivial=() if options.get("compare_trivial") else results.trivial,
    )


OVER_DATASETS = ("estimand", "family")


def _refuse_unused(results: Results, options: VerdictOptions) -> None:
    """Refuse options that are about differences over data sets where there is one: no option is ignored."""
    given = {name: value for name in OVER_DATASETS if (value := options.get(name)) not in (None, {"none": []})}
    if given and len(results.dataset_names()) < 2:
        name = next(iter(given))
        raise InputError(
            f"{name} is about differences over data sets, but there is one data set only; leave it out (--{name}), got "
            f"{given[name]!r}"
        )


def _context(results: Results, context: Mapping[str, object] | None) -> Mapping[str, object] | None:
    """The context with costs in the order of the classes, where they are given by label."""
    if context is None or not isinstance(context.get("costs"), Mapping):
        return context
    known = [facts for facts in results.datasets.values() if facts.get("classes")]
    found = [with_label_costs(context, facts["classes"], facts["positive"]) for facts in known]
    if not found or any(other != found[0] for other in found):
        raise InputError("costs by label need data sets with the same known classes; give [false positive, negative]")
    return found[0]


def _all_measures(given: str | Sequence[str] | None) -> tuple[str | None, ...]:
    """The measures that were asked for, the question's own (None) if there are none."""
    if given is None or isinstance(given, str):
        return (given,)
    if not given or not all(isinstance(name, str) for name in given):
        raise InputError(f"measure must be a name, or a list of names such as ['recall', 'fpr'], got {given!r}")
    return tuple(given)


def further_measures(given: str | Sequence[str] | None) -> tuple[str, ...]:
    """The measures that are tested together with the first one."""
    return tuple(name for name in _all_measures(given)[1:] if name is not None)


def single_measure(given: str | Sequence[str] | None) -> str | None:
    """The one measure of a question that can't have several."""
    if len(_all_measures(given)) > 1:
        raise InputError(
            f"several measures at once need results at one level of the factors, got {given!r} at several; choose a "
            "level (results.at(…), --at), or ask for one measure"
        )
    return _all_measures(given)[0]


def delta_in(results: Results, facts: Measure, given: float | str | None = None) -> float | None:
    """The smallest difference that matters in a measure, in its units: the one that is given, else the question's."""
    stated = results.question.stated_for(facts.name) if given is None else given
    return None if stated is None else difference(stated, facts, _scale_of_scores(results, facts))


def _scale_of_scores(results: Results, facts: Measure) -> Scale | None:
    """The scale of scores whose measure is not registered, where they can only be shares, or look like percentages."""
    if is_known_measure(facts.name) or is_known(facts.name):
        return None
    values = results.scores.loc[results.scores["measure"] == facts.name, "value"].dropna()
    if len(values) and values.between(0, 1).all():
        return "share"
    return "percent" if facts.higher_is_better and values.between(0, 100).all() and values.median() > 1 else None


def _delta(options: VerdictOptions, question: Question, own: Question, measure: str) -> float | str | None:
    """The smallest difference that matters in the measure asked: a number of the study is for its own measure only."""
    given = options.get("smallest_difference")
    if given is None:
        return own.stated_for(measure)
    if not isinstance(given, Mapping):
        return given
    if unknown := [name for name in given if not (is_known_measure(name) or is_known(name) or name == measure)]:
        raise UnknownName.among("measure (in smallest_difference)", unknown[0], [*names(), measure])
    return question.stated_for(measure)
