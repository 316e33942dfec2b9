"""From a question and results to a verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.choices import FAILURE_POLICIES, FailurePolicy
from fairtrial.design import Question
from fairtrial.design.question import Condition
from fairtrial.errors import InputError
from fairtrial.measures.operating_context import costs_of
from fairtrial.notices import Notice, look
from fairtrial.resampling import score_unit
from fairtrial.results.analyses.tuned_choices import threshold_table
from fairtrial.results.provenance import A_DATASET
from fairtrial.statements import Role, Statement
from fairtrial.store import log_verdict
from fairtrial.verdict.absent_methods import absentees_of, with_absentees
from fairtrial.verdict.claims.best import Choice, choice
from fairtrial.verdict.claims.dependence import Separates, WinnerDepends
from fairtrial.verdict.claims.level import refuse_claim
from fairtrial.verdict.claims.steadiness import OnPolicy
from fairtrial.verdict.claims.support import NextStep, next_step
from fairtrial.verdict.designs.compare_methods import Row
from fairtrial.verdict.designs.decide import WITH_THE_BEST
from fairtrial.verdict.designs.dependence import what_separates
from fairtrial.verdict.designs.named_tests import with_pooled_losses
from fairtrial.verdict.designs.several_measures import gather_all
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.designs.where import against_the_others, asked_where, only_where
from fairtrial.verdict.estimates import evidence_by
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Basis, Finding
from fairtrial.verdict.guards.notices_in_answer import (
    by_sources,
    counted_once,
    is_spoilt,
    is_stronger,
    not_counted,
    with_notices,
)
from fairtrial.verdict.guards.trivial_policies import with_policy, with_rankings
from fairtrial.verdict.preregistered import asked_when
from fairtrial.verdict.progress import shown_steps, step
from fairtrial.verdict.rules.method_rules import one_mean
from fairtrial.verdict.rules.rule import Rule, Situation
from fairtrial.verdict.rules.rules import choose, rule_named
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.yardsticks.trivial_answers import refuse_as_control, with_trivial_answer

if TYPE_CHECKING:
    from fairtrial.results import Results

NOUGHT = 0.1  # of the width of its interval, below which a lead is not worth a word
EXPLAINED = ("ceiling", "floor")
"""Guards whose notices are explained by what leaves no verdict: a leak makes a ceiling."""


@shown_steps()
def judge(
    results: Results,
    *,
    adjust: str = WITH_THE_BEST,
    per_dataset: str | None = None,
    test: str | None = None,
    also: tuple[str, ...] = (),
) -> Verdict:
    """Answer the question of the results, by the first rule of the table that their design fits.

    ``per_dataset`` and ``test`` ask for a procedure by name; ``also`` are measures that are tested with the question's.
    """
    asked = _Asked(adjust, per_dataset, test, also)
    step("looking at the scores")
    evidence = asked.evidence(results)
    question = replace(results.question, measure=evidence.measure.name)
    refuse_claim(evidence, question)
    seen = tuple(look("results", results, evidence))
    question, singly = by_sources(seen, evidence, question)
    chosen, finding = asked.answer(evidence, question)
    other = None if singly is None else asked.answer(replace(evidence, only_answer=True), singly)[1]
    if singly is not None and other is not None and question.family and is_stronger(finding, other):
        question, seen = singly, not_counted(seen)  # sources must not make a claim stronger
        other, (chosen, finding) = finding, asked.answer(evidence, question)
    finding = with_rankings(with_policy(finding, evidence, question), evidence, results)
    if costs_of(evidence.measure.name) is not None and (tuned := threshold_table(results)) is not None:
        finding = replace(finding, more_tables=(*finding.more_tables, tuned))
    if question.where:
        whole = gather_all(results, (), None)
        finding = finding.adding(*against_the_others(results, whole, finding, Condition.parse(question.where)))
    if other is not None:
        seen = counted_once(seen, finding, other, evidence, question)
    before = (*_about_scores(evidence, finding), *seen)
    spoilt = is_spoilt(before)
    varies = bool(finding.of_kind(WinnerDepends))
    if not spoilt:
        finding = finding.adding(
            *(replace(s, varies=varies) if isinstance(s, Choice) else s for s in _choice(results, finding)),
            *_dependence_on_policy(results, finding, evidence, asked),
            *_rest_of_the_run(results),
        )
        if separates := what_separates(results, evidence, finding):
            finding = finding.adding(separates)
            if isinstance(separates, Separates) and separates.depends:
                step_ = next_step("ask", f"ask on new data sets, decided beforehand: where={asked_where(separates)!r}")
                finding = finding.without(Role.NEXT).adding(step_)
    finding = with_absentees(finding, absentees_of(evidence, finding))
    when = asked_when(results, question, adjust=adjust, per_dataset=per_dataset)
    tested = finding.of_kind(Notice)
    finding = replace(finding, statements=tuple(s for s in finding.statements if not isinstance(s, Notice)))
    if spoilt:
        tested = ()
        before = tuple(n for n in before if n.guard not in EXPLAINED)
    finding = with_notices(finding, (*before, *tested, *when.notices()))
    verdict = Verdict(
        question=question,
        measure=evidence.measure,
        rule=chosen.name,
        why=finding.why or _why(chosen, evidence, question),
        reference=finding.reference or chosen.reference,
        finding=finding,
        evidence=evidence,
        asked=when,
        basis=Basis(results, adjust, per_dataset, test),
        reading=results.reading,
        failed=len(results.failures),
        path=results.path,
    )
    return _log(results, verdict)


def _rest_of_the_run(results: Results) -> Iterator[NextStep]:
    trials = None if results.source is None else results.source.trials
    if trials is not None and (n := int((trials["status"] == "waiting").sum())):
        yield NextStep("run on", n, "trial", rank=-2)


def _choice(results: Results, finding: Finding) -> Iterator[Statement]:
    """What to choose where no best is shown, by what the methods cost to fit in a study whose times are known."""
    compared = finding.compared
    if compared is None or compared.leads is None or finding.each:
        return
    costs: dict[str, float] = {}
    if results.definition is not None:
        with suppress(InputError):
            times = evidence_by(results, "fit_time")
            if times.as_ratio:
                means = np.exp(times.comparable.mean(axis=0)).tolist()
                costs = dict(zip(times.columns, means, strict=True))
    first = next(row for row in compared.rows if row.method == compared.leader)
    if len(compared.evidence.datasets) < 2:
        yield from choice(compared, costs, wins=_is_ahead(first))
        return
    units = units_of(compared.evidence, compared.question.family)
    ahead = compared.evidence.sign * (units.scores[:, first.method] - units.scores[:, first.rival or 0])
    often = not finding.scope.typical or bool((ahead > 0).sum() > (ahead < 0).sum())
    yield from choice(compared, costs, wins=_is_ahead(first) and often)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked for besides the question: an adjustment, a procedure by name, further measures."""

    adjust: str
    per_dataset: str | None
    test: str | None
    also: tuple[str, ...]

    def evidence(self, results: Results, policy: FailurePolicy | None = None) -> Evidence:
        """The evidence under a failure policy (None: the study's own), as the procedure needs it."""
        if self.also and (self.test or self.per_dataset):
            raise InputError("several measures at once have tests of their own; leave test and per_dataset out")
        if self.test and self.per_dataset:
            raise InputError("test and per_dataset ask for two procedures; leave one of them out")
        refuse_as_control(results)
        found = gather_all(results, self.also, policy)
        if results.question.where:
            found = only_where(results, found, Condition.parse(results.question.where))
        if not (self.also or self.test or self.per_dataset):
            return with_trivial_answer(found, results)
        return with_pooled_losses(results, found) if self.test == "mcnemar" else found

    def answer(self, evidence: Evidence, question: Question) -> tuple[Rule, Finding]:
        """The rule that is taken, and its finding."""
        chosen = choose(Situation.of(evidence, question, test=self.test, per_dataset=self.per_dataset))
        return chosen, chosen.answer(evidence, question, self.adjust)


def _is_ahead(row: Row) -> bool:
    """Whether a lead is more than nought, beside the width of its interval."""
    effect = row.effect
    if effect is None:
        return False
    width = effect.high - effect.low
    return effect.estimate > (NOUGHT * width if math.isfinite(width) else 0.0)


def _about_scores(evidence: Evidence, finding: Finding) -> Iterator[Notice]:
    """The notices of the evidence; a verdict on each data set scores no method that did not run there."""
    for notice in evidence.notices:
        if not (finding.each and notice.sentence == evidence.scored):
            yield notice
        elif evidence.scored_alone:
            yield replace(notice, sentence=evidence.scored_alone)


def _log(results: Results, verdict: Verdict) -> Verdict:
    """Note the verdict in the study file, and in the verdict what the earlier ones there mean."""
    if results.path is None:
        return verdict
    asked = verdict.question.to_dict() | ({"levels": dict(results.chosen)} if results.chosen else {})
    if rule_named(verdict.rule).asked_by:
        asked |= {"rule": verdict.rule, "measures": list(verdict.finding.measures)}
    earlier = log_verdict(results.path, asked, verdict.sentence)
    if earlier is None:
        return verdict
    return replace(verdict, finding=verdict.finding.adding(*look("earlier verdicts", earlier)))


def _dependence_on_policy(results: Results, finding: Finding, evidence: Evidence, asked: _Asked) -> Iterator[Statement]:
    """Whether the answer depends on how failed trials are scored; those of methods that are left out are not."""
    left_out = {(a.dataset, a.method) for a in absentees_of(evidence, finding)}
    cells = zip(results.failures["dataset"], results.failures["method"], strict=True)
    scored = any((d, m) not in left_out and ("", m) not in left_out for d, m in set(cells))
    if not scored or asked.per_dataset is not None:
        return
    found = {p: _finding_under(results, p, asked) for p in FAILURE_POLICIES if p not in (results.policy, "refuse")}
    possible = {p: f for p, f in found.items() if f is not None}
    claims = _claims(finding)
    others = tuple((p, f.winner or "") for p, f in possible.items())
    own = claims or _shown_by(finding)
    changed = tuple(p for p, f in possible.items() if (_claims(f) if claims else _shown_by(f)) != own)
    yield OnPolicy(results.policy, finding.winner or "", others, changed, bool(claims))


def _claims(finding: Finding) -> dict[str, str]:
    """The answer to the claim of the question; by data set if each is judged by itself."""
    parts = finding.parts or (("", finding),)
    return {name: part.claim.answer for name, part in parts if part.claim is not None}


def _shown_by(finding: Finding) -> dict[str, object]:
    """What the family of the finding shows: methods that are out, or pairs that differ; by data set if judged so."""
    return {name: _shown_on(part) for name, part in finding.parts or (("", finding),)}


def _shown_on(part: Finding) -> object:
    compared = part.compared
    if compared is None:
        return None
    if compared.leads is not None:
        return {lead.method: lead.standing for lead in compared.leads.leads}
    return {(compared.name(p.first), compared.name(p.second)): p.winner for p in compared.pairs if p.different}


def _finding_under(results: Results, policy: FailurePolicy, asked: _Asked) -> Finding | None:
    step(f"asking whether the answer depends on failed trials: the same with the failure policy {policy!r}")
    try:
        evidence = replace(asked.evidence(results, policy), only_answer=True)
        return asked.answer(evidence, replace(results.question, measure=evidence.measure.name))[1]
    except InputError:
        return None


def _why(chosen: Rule, evidence: Evidence, question: Question) -> str:
    """The reason of a rule; over tasks or questions with one score each there are no folds to speak of."""
    if chosen.why_of is None:
        return chosen.why
    if question.family:
        return chosen.why_of("one mean per family")
    if score_unit(evidence.dependence) == "seed":
        return chosen.why_of(one_mean("seeds on one split"))
    if evidence.unit == A_DATASET or any(len(folds) > 1 for folds in evidence.folds):
        return chosen.why
    return chosen.why_of(f"one score per {evidence.unit}")
