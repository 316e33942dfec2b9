"""Requests for a verdict: their options, and results with another question in place of the study's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict

from fairtrial.design import FAILURE_POLICIES, FailurePolicy
from fairtrial.errors import UnknownName
from fairtrial.measures import in_context
from fairtrial.results.at_levels import refuse_several_levels
from fairtrial.results.score_measures import name_measure

if TYPE_CHECKING:
    from fairtrial.results.results import Results

__all__ = ["Asked", "with_question"]


class Asked(TypedDict, total=False):
    """The options of a request for a verdict; see :meth:`Results.verdict`."""

    measure: str | None
    control: str | None
    smallest_difference: float | None
    level: float | None
    domains: str | None
    context: Mapping[str, object] | None
    failures: FailurePolicy | None
    baseline: str | None
    adjust: str
    per_dataset: str | None


def with_question(
    results: Results, measure: str | None, changes: Mapping[str, object], failures: FailurePolicy | None,
    baseline: str | None,
) -> Results:  # fmt: skip
    """The results with another question; ``changes`` are its new parts, None for those that stay as in the study."""
    if (named := name_measure(results, measure)) is not results:
        results, measure = named, None
    refuse_several_levels(results)
    if failures is not None and failures not in FAILURE_POLICIES:
        raise UnknownName.among("failure policy", str(failures), FAILURE_POLICIES)
    context = changes.get("context")
    if measure is not None and context is None:
        changes = {**changes, "context": {}}  # the study's context is for its own measure
    question = replace(results.question, **{k: v for k, v in changes.items() if v is not None})  # type: ignore[arg-type]
    facts, notes = results.measure(measure), results.notes
    if context is not None:
        asked, facts = facts, results.measure(in_context(facts.name, context))  # type: ignore[arg-type]
        if asked.name == facts.name:
            notes = (*notes, f"{asked.name} does not depend on the class balance: the context changes nothing")
    return replace(
        results if facts.name in results.measures else results.with_measures(facts.name),
        notes=notes,
        question=replace(question, measure=facts.name),
        policy=failures or results.policy,
        baseline=baseline or results.baseline,
    )
