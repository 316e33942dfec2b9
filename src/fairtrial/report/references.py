"""The works to cite for the procedures that were used."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.experiments import FactorAnswer
from fairtrial.stats import Comparisons
from fairtrial.stats.adjust import WORKS
from fairtrial.stats.bibliography import NADEAU_BENGIO_2003, Reference
from fairtrial.stats.procedures import PROCEDURES, procedure_of
from fairtrial.verdict import Verdict


def references(verdict: Verdict | FactorAnswer) -> tuple[Reference, ...]:
    """The works behind the procedures of a verdict, in the order of their authors' names."""
    if not isinstance(verdict, Verdict):
        used = {work for name in verdict.procedures for work in PROCEDURES[name].references}
        return tuple(sorted(used, key=lambda r: r.text))
    return tuple(sorted(set(_used(verdict)), key=lambda r: r.text))


def _used(verdict: Verdict) -> Iterator[Reference]:
    for comparisons in _all_comparisons(verdict):
        for outcome in comparisons.outcomes:
            procedure = procedure_of(outcome.test)
            yield from procedure.references if procedure is not None else ()
        if len(comparisons.pairs) > 1 and comparisons.adjusted in WORKS:
            yield WORKS[comparisons.adjusted]
        if comparisons.adjusted == "joint flips":
            yield from PROCEDURES["joint_intervals"].references
    if verdict.winner is not None and len(verdict.evidence.methods) > 2:
        yield from PROCEDURES["sole_winner"].references
    if verdict.finding.best:
        yield from PROCEDURES["best_set"].references
    if verdict.omnibus is not None:
        yield from PROCEDURES["friedman"].references
    if verdict.joint_test is not None:
        several = "manova" if verdict.joint_test.test.startswith("MANOVA") else "hotelling"
        yield from PROCEDURES[several if verdict.finding.measures else "repeated_anova"].references
    if any(d.known for d in verdict.evidence.dependence):
        yield NADEAU_BENGIO_2003


def _all_comparisons(verdict: Verdict) -> Iterator[Comparisons]:
    for finding in (verdict.finding, *verdict.parts.values()):
        if finding.comparisons is not None:
            yield finding.comparisons
