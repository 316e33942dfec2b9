"""Question + Results → Verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.design import FAILURE_POLICIES, FailurePolicy
from fairtrial.errors import InputError
from fairtrial.verdict.checks import look
from fairtrial.verdict.control_table import against_control
from fairtrial.verdict.evidence import Evidence, gather
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.instances import on_instances
from fairtrial.verdict.rules import Situation, choose
from fairtrial.verdict.verdict import Verdict

if TYPE_CHECKING:
    from fairtrial.results import Results

__all__ = ["judge"]


def judge(results: Results, *, adjust: str = "holm", per_dataset: str | None = None) -> Verdict:
    """Answer the question of the results, by the first rule of the table that their design fits."""
    evidence = gather(results)
    question = replace(results.question, measure=evidence.measure.name)
    if per_dataset is not None:
        finding = against_control(evidence, question, adjust, per_dataset)
        rule, why = "against a control on each data set", "asked for"
        reference = "Nadeau & Bengio 2003, doi:10.1023/A:1024068626366"
    elif _about_models(results, evidence):
        losses = results.source.losses(evidence.measure.name, evidence.datasets[0])  # type: ignore[union-attr]
        clustered = bool(results.datasets[evidence.datasets[0]].get("clusters"))
        finding = on_instances(evidence, question, adjust, losses[list(evidence.columns)].to_numpy(), clustered)
        rule, why = "fixed models, one test set", "fixed models on one test set: the instances are the evidence"
        reference = "Dietterich 1998, doi:10.1162/089976698300017197"
    else:
        chosen = choose(Situation.of(evidence, question))
        finding = chosen.answer(evidence, question, adjust)
        rule, why, reference = chosen.name, chosen.why, chosen.reference
    stable = (*finding.stable, *_policies(results, finding, adjust, per_dataset))
    verdict = Verdict(
        question=question,
        measure=evidence.measure,
        rule=rule,
        why=why,
        reference=reference,
        finding=finding,
        checks=(*evidence.checks, *look(results, evidence), *finding.checks),
        stable=stable,
        evidence=evidence,
        failed=len(results.failures),
        path=results.path,
    )
    return verdict


def _about_models(results: Results, evidence: Evidence) -> bool:
    """Fixed models on one test set, with a measure that is a mean of per-instance losses."""
    one_set = len(evidence.datasets) == 1 and len(evidence.folds[0]) == 1
    return (
        results.source is not None
        and one_set
        and results.question.about == "model"
        and evidence.measure.per_instance
        and len(evidence.methods) > 1
    )


def _policies(results: Results, finding: Finding, adjust: str, per_dataset: str | None) -> Iterator[str]:
    """Whether the answer depends on how failed trials are scored."""
    if not len(results.failures) or per_dataset is not None:
        return
    same, other, impossible = [], [], []
    for policy in FAILURE_POLICIES:
        if policy in (results.policy, "refuse"):
            continue
        winner = _winner_under(results, policy, adjust)
        if winner is False:
            impossible.append(policy)
        elif winner == finding.winner:
            same.append(policy)
        else:
            other.append(f"'{policy}' ({winner or 'no winner'})")
    if other:
        yield f"the answer depends on the failure policy: it is '{results.policy}' here, but otherwise under {', '.join(other)}"
    elif same:
        yield f"the same winner under the other failure policies ({', '.join(same)})"


def _winner_under(results: Results, policy: FailurePolicy, adjust: str) -> str | None | bool:
    try:
        evidence = gather(results, policy)
    except InputError:
        return False
    question = replace(results.question, measure=evidence.measure.name)
    return choose(Situation.of(evidence, question)).answer(evidence, question, adjust).winner
