"""The part of results that a table is about, and the verdict whose tests it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.choices import VerdictOptions
from fairtrial.design import Level, Question, level_text
from fairtrial.errors import InputError, UnknownName
from fairtrial.results.at_levels import choice, only_some
from fairtrial.results.other_question import with_question
from fairtrial.verdict import Evidence, Verdict, gather
from fairtrial.verdict.designs.decide import SIMULTANEOUS
from fairtrial.verdict.finding import Finding
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.results import Results


def chosen_part(results: Results, dataset: str | None = None, methods: Sequence[str] | None = None) -> Results:
    """The results on one data set, and those of some methods in their order; yardsticks stay."""
    return only_some(results, methods, None if dataset is None else [dataset])


def verdict_on_pairs(
    results: Results, *, measure: str | None, level: float | None, adjust: str | None, control: str | None = None
) -> Verdict:
    """The verdict on all pairs of the question; or an error that says why no pair is tested."""
    verdict = results.verdict(measure, level=level, adjust=adjust or SIMULTANEOUS, control=control)
    if verdict.finding.pairs or any(part.pairs for part in verdict.parts.values()):
        return verdict
    _refuse_one(verdict.evidence)
    raise InputError(f"a table of tests needs tests, but there are none: {verdict.answer}")


def scores_of_pairs(results: Results, *, measure: str | None, level: float | None) -> tuple[Evidence, Question]:
    """The scores of at least two methods, after the failure policy, and the question about all their pairs."""
    asked = with_question(results, VerdictOptions(measure=measure, level=level))
    asked = replace(asked, question=replace(asked.question, control=None))
    evidence = gather(asked)
    _refuse_one(evidence)
    return evidence, replace(asked.question, measure=evidence.measure.name)


def _refuse_one(evidence: Evidence) -> None:
    if len(evidence.methods) < 2:
        only = listed(evidence.methods) or "none"
        raise InputError(f"a table of pairs needs two methods with results, but there is only {only}; add another one")


def is_bounded(finding: Finding) -> bool:
    """Whether there are data sets enough for tests and intervals that hold for all pairs together."""
    found = finding.comparisons
    return found is None or found.adjusted != "joint flips" or bool(found.simultaneous)


def test_in_brief(verdict: Verdict) -> str:
    """The test of a verdict and its adjustment as a note on a table, without remarks on its errors and on winners."""
    compared = verdict.finding.compared
    together = compared is not None and compared.comparisons.adjusted != "none"
    return f"test: {verdict.test}{f', {compared.adjustment}' if compared is not None and together else ''}"


def levels_along(results: Results, factor: str | None) -> tuple[str, tuple[Level, ...]] | None:
    """The factor whose levels are shown, and these; None without factors. Other factors must be at one level."""
    if factor is not None and factor not in results.factors:
        if not results.factors:
            raise InputError(f"factor must be left out, since these results have no factor, got {factor!r}")
        raise UnknownName.among("factor of these results", factor, results.factors)
    if not results.factors:
        return None
    if factor is None and len(results.factors) > 1:
        raise InputError(f"factor must name the factor whose levels are shown: {listed(results.factors, last='or')}")
    along = factor or next(iter(results.factors))
    for other, levels in results.factors.items():
        if other != along:
            raise InputError(
                f"levels of {along} can be shown at one level of {other} only; choose one, such as "
                f"results.at({choice(other, levels[0])}) (command line: --at {other}={level_text(levels[0])})"
            )
    return along, tuple(results.factors[along])
