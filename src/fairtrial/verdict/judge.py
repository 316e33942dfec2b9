"""From a question and results to a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design import FAILURE_POLICIES, FailurePolicy, Question
from fairtrial.errors import InputError
from fairtrial.measures.operating_context import costs_of
from fairtrial.notices import Notice, look
from fairtrial.resampling import score_unit
from fairtrial.results.analyses.tuned_choices import threshold_table
from fairtrial.results.provenance import A_DATASET
from fairtrial.store import log_verdict
from fairtrial.tables import formats
from fairtrial.verdict.absent_methods import absentees_of, with_absentees
from fairtrial.verdict.asked_when import asked_when
from fairtrial.verdict.basis import Basis
from fairtrial.verdict.claims.claims import refuse_claim
from fairtrial.verdict.designs.named_tests import with_pooled_losses
from fairtrial.verdict.designs.pair_tests import SIMULTANEOUS
from fairtrial.verdict.designs.several_measures import gather_all
from fairtrial.verdict.designs.trivial_answers import refuse_as_control, with_trivial_answer
from fairtrial.verdict.estimates import evidence_by
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.guards.doubts import is_spoilt, with_doubts
from fairtrial.verdict.guards.sources_once import by_sources, counted_once
from fairtrial.verdict.guards.trivial_policies import with_policy, with_rankings
from fairtrial.verdict.guards.why_it_depends import what_it_depends_on
from fairtrial.verdict.rules.method_rules import FOLDS_ARE_NOT
from fairtrial.verdict.rules.rules import Rule, Situation, choose, rule_named
from fairtrial.verdict.steps import shown_steps, step
from fairtrial.verdict.verdict import Verdict
from fairtrial.words import listed, plural, quoted, verb

if TYPE_CHECKING:
    from fairtrial.results import Results

__all__ = ["judge"]

EXPLAINED = ("ceiling", "floor")
"""Guards whose notices are explained by what leaves no verdict: a leak makes a ceiling."""
MOST_PAIRS = 3


@shown_steps()
def judge(
    results: Results,
    *,
    adjust: str = SIMULTANEOUS,
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
    finding = with_rankings(with_policy(finding, evidence, question), evidence, results)
    if costs_of(evidence.measure.name) is not None and (tuned := threshold_table(results)) is not None:
        finding = replace(finding, more_tables=(*finding.more_tables, tuned))
    if singly is not None:
        seen = counted_once(seen, finding, asked.answer(evidence, singly)[1], evidence, question)
    stable = (*finding.stable, *_dependence_on_policy(results, finding, evidence, asked))
    finding = with_absentees(finding, absentees_of(evidence, finding))
    if cheapest := _cheapest_of_the_best(results, finding):
        finding = replace(finding, sentences=(*finding.sentences, cheapest))
    if depends := what_it_depends_on(results, evidence, finding):
        stable = (*stable, depends)
    when = asked_when(results, question, adjust=adjust, per_dataset=per_dataset)
    before = (*_about_scores(evidence, finding), *seen)
    tested = finding.notices
    if is_spoilt(before):
        tested, stable = (), ()
        before = tuple(n for n in before if n.guard not in EXPLAINED)
    notices = (*before, *tested, *when.notices())
    finding = with_doubts(finding, notices, after=len(absentees_of(evidence, finding)) > 0)
    if not is_spoilt(before):
        finding = replace(finding, next_steps=(*_rest_of_the_run(results), *finding.next_steps))
    verdict = Verdict(
        question=question,
        measure=evidence.measure,
        rule=chosen.name,
        why=finding.why or _why(chosen.why, evidence, question),
        reference=finding.reference or chosen.reference,
        finding=finding,
        notices=notices,
        stable=stable,
        evidence=evidence,
        failed=len(results.failures),
        path=results.path,
        asked=when,
        basis=Basis(results, adjust, per_dataset, test),
        reading=results.reading,
    )
    return _log(results, verdict)


def _rest_of_the_run(results: Results) -> Iterator[str]:
    trials = None if results.source is None else results.source.trials
    if trials is not None and (n := int((trials["status"] == "waiting").sum())):
        yield f"let the run go on: {plural(n, 'trial')} {verb(n, 'is', 'are')} still to be run (`fairtrial run` again)"


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
        if not (self.also or self.test or self.per_dataset):
            return with_trivial_answer(found, results)
        return with_pooled_losses(results, found) if self.test == "mcnemar" else found

    def answer(self, evidence: Evidence, question: Question) -> tuple[Rule, Finding]:
        """The rule that is taken, and its finding."""
        chosen = choose(Situation.of(evidence, question, test=self.test, per_dataset=self.per_dataset))
        return chosen, chosen.answer(evidence, question, self.adjust)


def _cheapest_of_the_best(results: Results, finding: Finding) -> str | None:
    """Which of the methods that may be the best is the cheapest to fit, in a study whose times are known."""
    if len(finding.best) < 2 or finding.winner is not None or results.definition is None:
        return None
    try:
        times = evidence_by(results, "fit_time")
    except InputError:
        return None
    known = [m for m in finding.best if m in times.methods]
    if len(known) < 2 or not times.as_ratio:
        return None
    mean = {m: float(np.exp(times.comparable[:, times.methods.index(m)].mean())) for m in known}
    cheap, dear = min(known, key=mean.__getitem__), max(known, key=mean.__getitem__)
    times_as_long = formats.significant(2)(mean[dear] / mean[cheap])
    which = "cheaper of the two" if len(known) == 2 else "cheapest of these"
    return f"{cheap} is the {which}: {dear} takes {times_as_long} times as long to fit (geometric mean over data sets)."


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
    return replace(verdict, notices=(*verdict.notices, *look("earlier verdicts", earlier)))


def _dependence_on_policy(results: Results, finding: Finding, evidence: Evidence, asked: _Asked) -> Iterator[str]:
    """Whether the answer depends on how failed trials are scored; those of methods that are left out are not."""
    left_out = {(a.dataset, a.method) for a in absentees_of(evidence, finding)}
    cells = zip(results.failures["dataset"], results.failures["method"], strict=True)
    scored = any((d, m) not in left_out and ("", m) not in left_out for d, m in set(cells))
    if not scored or asked.per_dataset is not None:
        return
    found = {p: _finding_under(results, p, asked) for p in FAILURE_POLICIES if p not in (results.policy, "refuse")}
    possible = {p: f for p, f in found.items() if f is not None}
    if not possible:
        yield "no other failure policy can be applied here, so whether the answer depends on it is open"
        return
    if claims := _claims(finding):
        yield _dependence_of_claims(claims, {p: _claims(f) for p, f in possible.items()})
        return
    other = [f"{_wins(f)} with {p!r}" for p, f in possible.items() if f.winner != finding.winner]
    differing = _differing_pairs(finding)
    less = [f"{_named(_differing_pairs(f) ^ differing)} ('{p}')" for p, f in possible.items()
            if _differing_pairs(f) != differing]  # fmt: skip
    what = "the same winner" if finding.winner else "no winner"
    if other:
        here = f"{_wins(finding)} with {results.policy!r} (used here)"
        yield f"the answer depends on the failure policy: {listed([here, *other])}"
    elif less:
        yield f"{what} under the other failure policies, but whether these differ depends on them: {listed(less)}"
    else:
        yield f"{what} and the same differences under the other failure policies ({listed(possible)})"


def _claims(finding: Finding) -> dict[str, str]:
    """The answer to the claim of the question; by data set if each is judged by itself."""
    parts = finding.parts or (("", finding),)
    return {name: part.claim.answer for name, part in parts if part.claim is not None}


def _dependence_of_claims(here: dict[str, str], others: dict[FailurePolicy, dict[str, str]]) -> str:
    if other := [p for p, found in others.items() if found != here]:
        return f"the answer to the claim depends on the failure policy: it is another with {quoted(other, last='or')}"
    return f"the same answer to the claim under the other failure policies ({listed(others)})"


def _named(pairs: set[tuple[str, frozenset[str], str | None]]) -> str:
    """Pairs of methods by name, the first three."""
    found = sorted({" and ".join(sorted(names)) + (f" on {dataset}" if dataset else "") for dataset, names, _ in pairs})
    return listed(found, most=MOST_PAIRS)


def _wins(finding: Finding) -> str:
    return f"{finding.winner or 'no method'} wins"


def _finding_under(results: Results, policy: FailurePolicy, asked: _Asked) -> Finding | None:
    step(f"asking whether the answer depends on failed trials: the same with the failure policy {policy!r}")
    try:
        evidence = replace(asked.evidence(results, policy), only_answer=True)
        return asked.answer(evidence, replace(results.question, measure=evidence.measure.name))[1]
    except InputError:
        return None


def _differing_pairs(finding: Finding) -> set[tuple[str, frozenset[str], str | None]]:
    """The pairs that differ, with their winners; by data set if each is judged by itself."""
    parts = finding.parts or (("", finding),)
    return {
        (name, frozenset((names[p.first], names[p.second])), None if p.winner is None else names[p.winner])
        for name, part in parts
        for names in (() if part.comparisons is None else part.comparisons.names,)
        for p in part.pairs
        if p.different
    }


def _why(why: str, evidence: Evidence, question: Question) -> str:
    """The reason of a rule; over tasks or questions with one score each there are no folds to speak of."""
    if score_unit(evidence.dependence) == "seed":
        why = why.replace("folds of one data set", "seeds on one split")
    if question.family:
        return why.replace(FOLDS_ARE_NOT, "one mean per family")
    if evidence.unit == A_DATASET or any(len(folds) > 1 for folds in evidence.folds):
        return why
    return why.replace(FOLDS_ARE_NOT, f"one score per {evidence.unit}")
