"""A claim about one method, such as an error below 2 %: a two-sided test, and the interval that inverts it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from fairtrial.design import FEWEST_DATASETS, Question
from fairtrial.errors import InputError
from fairtrial.statements import Remark, Role, Statement, Text
from fairtrial.stats import Interval, binomial_test, mean_interval, one_sample_t
from fairtrial.tables import Column, formats
from fairtrial.verdict.claims.steadiness import AnswerHinges, Kept
from fairtrial.verdict.claims.support import ByTest, NextStep, next_step
from fairtrial.verdict.designs.fixed_models import COUNTED, way_of
from fairtrial.verdict.designs.one_dataset import correction_in_words
from fairtrial.verdict.designs.one_method import (
    estimate_on_one,
    summary_over_datasets,
    table_of_datasets,
    table_on_instances,
)
from fairtrial.verdict.designs.units import Units, units_of
from fairtrial.verdict.estimates import level_on, within_range
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.wording import Scope, Wording, span_of
from fairtrial.words import listed, plural

Answer = Literal["yes", "no", "open", "undefined"]

UNTESTED = "a test on one data set needs honest scores on several splits, whose scheme is known"
MORE_DECIMALS = 6
"""So many decimals more than usual are tried where rounding would put the end of an interval on the claim."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The test of a claim: is the level of a method better than ``claimed``?

    The interval decides: ``"yes"`` if all of it is better, ``"no"`` if all of it is worse, ``"open"`` if it holds the
    claimed level, ``"undefined"`` if there is none; ``why`` then says the reason. ``p_value`` is that of the two-sided
    test which the interval inverts: it is below 1 − level exactly if the answer is yes or no. It is nan if the interval
    belongs to no test.
    """

    claimed: float
    answer: Answer
    interval: Interval
    p_value: float = math.nan
    test: str = ""
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The test of the claim as plain data."""
        shown = {"claimed": self.claimed, "answer": self.answer, "p_value": self.p_value, "why": self.why}
        return {**shown, "test": self.test, "interval": self.interval.to_dict()}


def refuse_claim(evidence: Evidence, question: Question) -> None:
    """Refuse a claim about several methods, or one that the measure can't reach or can't miss."""
    if question.claim is None:
        return
    question.check_claim(evidence.measure)
    if len(evidence.methods) > 1:
        raise InputError(
            f"claim must be about one method, but {question.claim!r} was given for {listed(evidence.methods)}; choose "
            f"it, such as results.only(methods=[{evidence.methods[0]!r}]) (command line: --methods "
            f"{evidence.methods[0]}), or leave the claim out to compare them"
        )


def claim_on_one(evidence: Evidence, question: Question, adjust: str) -> Finding:
    """Test a claim about one method on one data set, by a t-test that is corrected for shared training data."""
    if len(evidence.datasets) > 1:  # they are one family
        return claim_on_each(evidence, question, adjust)
    found = _tested_on_one(evidence, _claimed(question), question.level)
    finding = estimate_on_one(evidence, question, adjust)
    words = _Words(evidence, question, f"on {evidence.datasets[0]}")
    steps = (next_step("more data", "more instances, or other data sets, would tell more"),)
    return replace(
        finding,
        statements=(_said(words.sentence(found)), _test(found), *(steps if found.answer == "open" else ())),
        claim=found,
        why=UNTESTED if found.answer == "undefined" else "",
    )


def _said(text: str, rank: int = 0) -> Remark:
    """The sentence about a claim."""
    return Remark(Role.ANSWER, Text(text), "claim", rank)


def claim_on_instances(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Test a claim about one fixed model on the instances of one test set, or on its clusters."""
    found = _tested_on_instances(evidence, _claimed(question), question.level)
    words = _Words(evidence, question, f"on instances such as those of {evidence.datasets[0]}")
    more = (next_step("more data", "more instances would tell more"),)
    return Finding(
        statements=(_said(words.sentence(found)), _test(found), *(more if found.answer == "open" else ())),
        table=table_on_instances(evidence, question, found.interval, way_of(evidence, question.level).over),
        scope=words.scope,
        order=evidence.methods,
        claim=found,
    )


def claim_over_datasets(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Test a claim about the mean of one method over data sets, by a t-test over the means of the data sets."""
    claimed, n = _claimed(question), len(evidence.datasets)
    units = units_of(evidence, question.family)
    found = _tested_over(evidence, units, claimed, question.level)
    words = _Words(evidence, question, units.such)
    better = evidence.sign * (evidence.means[:, 0] - claimed) > 0
    counted = f"Its mean is {words.goal} {words.claimed} on {better.sum()} of the {n} data sets."
    return Finding(
        statements=(
            _said(words.sentence(found, "geometric mean " if evidence.as_ratio else "mean ")),
            _said(counted, 1),
            _test(found),
            *_without_one(evidence, units, found),
            *([_twice_as_sure(units)] if found.answer == "open" else ()),
        ),
        table=table_of_datasets(evidence, question),
        summary=summary_over_datasets(evidence, question, found.interval),
        scope=replace(words.scope, unit=units.each, units=units.several, n=units.n),
        order=evidence.methods,
        claim=found,
    )


def claim_on_each(evidence: Evidence, question: Question, adjust: str) -> Finding:
    """Test a claim about one method on each data set by itself; the level holds for all of them together.

    The tests are adjusted by Bonferroni's method, since it has intervals that agree with it: each has the level
    1 − (1 − level) / m, with m data sets. ``adjust="none"`` gives each data set the whole level.
    """
    claimed, n = _claimed(question), len(evidence.datasets)
    m = 1 if adjust == "none" else n
    level = 1 - (1 - question.level) / m
    found = [_tested_on_one(evidence.on(i), claimed, level) for i in range(n)]
    found = [replace(one, p_value=min(1.0, m * one.p_value) if one.p_value >= 0 else math.nan) for one in found]
    words = _Words(evidence, question)
    few = question.domains != "these"
    why = f"fewer than {FEWEST_DATASETS} data sets allow no answer over data sets" if few else "as asked"
    family = "" if m == 1 else f"Bonferroni over {plural(m, 'data set')}"
    extra = (
        (Column("p" if m == 1 else "p (Bonferroni)", formats.p_value, key="p_value"), [one.p_value for one in found]),
        (Column(f"{words.goal} {words.claimed}", align="left", key="claim"), [one.answer for one in found]),
    )
    joint = (
        f"intervals hold for these {n} data sets together (Bonferroni), with a confidence of {100 * question.level:g} %"
    )
    table = table_of_datasets(evidence, question, level=level, more=extra, notes=() if m == 1 else (joint,))
    tests = [one for one in found if one.test] or found
    own = _test(tests[0])
    details = (*own.details, *filter(None, [family]), f"each data set is tested by itself ({why})")
    more = next_step("more data", f"{FEWEST_DATASETS} data sets or more would allow an answer about such data sets")
    return Finding(
        statements=(
            _said(words.on_each(found)),
            replace(own, family="on each data set", details=details),
            *([more] if few else ()),
        ),
        table=table,
        scope=words.scope,
        order=evidence.methods,
        each=True,
        parts=tuple(_parts(evidence, replace(question, level=level), found)),
    )


def _parts(evidence: Evidence, question: Question, found: Sequence[Claim]) -> Iterator[tuple[str, Finding]]:
    """The finding on each data set on which the method ran."""
    for i, name in enumerate(evidence.datasets):
        one, claim = evidence.on(i), found[i]
        if one.methods:
            finding = estimate_on_one(one, question, "none")
            sentence = _Words(one, question, f"on {name}").sentence(claim)
            yield name, replace(finding, statements=(_said(sentence), _test(claim)), claim=claim)


def _twice_as_sure(units: Units) -> NextStep:
    """What more data sets would bring: an interval of half the width takes four times as many."""
    unit = units.noun if units.n == units.datasets else "family"
    several = "families" if unit == "family" else f"{unit}s"
    text = f"more {several} would narrow the interval, and {4 * units.n:,} in all about halve it"
    return next_step("more data", text)


def _claimed(question: Question) -> float:
    assert question.claim is not None
    assert not isinstance(question.claim, str)  # it is settled
    return question.claim


def _decided(claimed: float, interval: Interval, p_value: float, test: str, evidence: Evidence) -> Claim:
    if math.isnan(interval.low):
        why = interval.notes[0] if interval.notes else "the scores allow no interval"
        return Claim(claimed, "undefined", interval, why=why)
    if claimed in interval:
        return Claim(claimed, "open", interval, p_value, test)
    better = (interval.low > claimed) == evidence.measure.higher_is_better
    return Claim(claimed, "yes" if better else "no", interval, p_value, test)


def _undefined(claimed: float, mean: float, level: float, why: str) -> Claim:
    """The claim that can't be tested, with the mean, which is nan where there is none."""
    return Claim(claimed, "undefined", Interval("mean", mean, math.nan, math.nan, level), why=why)


def _tested_on_one(evidence: Evidence, claimed: float, level: float) -> Claim:
    if not evidence.methods:
        return _undefined(claimed, math.nan, level, f"{evidence.absent[0].method} did not run there")
    dependence, scores = evidence.dependence[0], evidence.folds[0][:, 0]
    if dependence.optimistic and not evidence.measure.from_trials:
        return _undefined(claimed, float(scores.mean()), level, dependence.caution)
    interval = level_on(evidence, 0, level)
    if interval is None:
        return _undefined(claimed, float(scores.mean()), level, _why_no_interval(evidence))
    if evidence.nested is not None:
        return _decided(claimed, interval, math.nan, f"the interval decides: {interval.method}", evidence)
    if math.isnan(interval.low):
        return _decided(claimed, interval, math.nan, "", evidence)
    outcome = one_sample_t(scores, claimed, test_share=dependence.test_share, overlap=dependence.overlap, level=level)
    splits = f"{plural(len(scores), 'split')} ({dependence.scheme}{correction_in_words(dependence)})"
    return _decided(claimed, interval, outcome.p_value, f"corrected one-sample t over {splits}", evidence)


def _why_no_interval(evidence: Evidence) -> str:
    dependence = evidence.dependence[0]
    if dependence.caution:
        return dependence.caution
    if evidence.measure.combine == "pooled":
        return "a measure of pooled folds is one number a repeat, and repeats share their data"
    if len(evidence.folds[0]) < 2:
        return "one score has no spread"
    return "the split scheme of the scores is unknown"


def _tested_over(evidence: Evidence, units: Units, claimed: float, level: float) -> Claim:
    values, words = units.scores[:, 0], Wording(evidence.measure, evidence.as_ratio)
    interval = within_range(words.effect(mean_interval(values, level=level)), evidence.measure)
    cautions = [d.caution for d in evidence.dependence if d.optimistic]
    if cautions and not evidence.measure.from_trials:
        return _undefined(claimed, interval.estimate, level, cautions[0])
    if math.isnan(interval.low):
        return _decided(claimed, interval, math.nan, "", evidence)
    outcome = one_sample_t(values, math.log(claimed) if evidence.as_ratio else claimed, level=level)
    kind = "logarithms of the means" if evidence.as_ratio else "means"
    over = f"one-sample t over the {kind} of {units.in_words}"
    return _decided(claimed, interval, outcome.p_value, over, evidence)


def _tested_on_instances(evidence: Evidence, claimed: float, level: float) -> Claim:
    """The exact binomial test for counts, a t-test for other losses, and for other measures the interval alone."""
    way = way_of(evidence, level)
    column = (way.own or way.columns)[0]
    if evidence.losses is None:
        interval = way.level(0)
        return _decided(claimed, interval, math.nan, f"the interval decides: {interval.method}, {way.over}", evidence)
    if evidence.measure.name in COUNTED and not evidence.clustered:
        outcome = binomial_test(int(column.sum()), len(column), claimed, method="doubled", level=level)
        assert outcome.effect is not None
        text = f"exact binomial (doubled tail), interval by {outcome.effect.method}, over {way.over}"
        return _decided(claimed, outcome.effect, outcome.p_value, text, evidence)
    interval = way.level(0)
    if math.isnan(interval.low):
        return _decided(claimed, interval, math.nan, "", evidence)
    outcome = one_sample_t(column, claimed, level=level)
    return _decided(claimed, interval, outcome.p_value, f"one-sample t over {way.over}", evidence)


def _test(found: Claim) -> ByTest:
    if found.answer == "undefined":
        return ByTest("", f"none: {found.why}", none=True)
    level = 1 - found.interval.level
    return ByTest("", found.test, details=(f"two-sided at {level:.3g} against the claim {found.claimed:g}",))


def _without_one(evidence: Evidence, units: Units, found: Claim) -> Iterator[Statement]:
    """Whether the answer depends on a single data set or family."""
    if found.answer == "undefined":
        return
    others = [replace(units, scores=np.delete(units.scores, i, axis=0)) for i in range(units.n)]
    answers = [_tested_over(evidence, other, found.claimed, found.interval.level).answer for other in others]
    hinges = tuple(name for name, answer in zip(units.names, answers, strict=True) if answer != found.answer)
    yield AnswerHinges(hinges, units.n) if hinges else Kept("the same answer", units.n, units.n, units.each)


def _sides(ends: tuple[float, ...], claimed: float) -> list[int]:
    """For each end of an interval, whether it lies below the claim (−1), on it or above."""
    return [(end > claimed) - (end < claimed) for end in ends]


@dataclass(frozen=True, slots=True)
class _Words:
    """The sentences about a claim."""

    evidence: Evidence
    question: Question
    where: str = ""

    @property
    def scope(self) -> Scope:
        return Scope(Wording(self.evidence.measure), self.where, level=self.question.level)

    @property
    def goal(self) -> str:
        return "above" if self.evidence.measure.higher_is_better else "below"

    @property
    def missed(self) -> str:
        return "below" if self.evidence.measure.higher_is_better else "above"

    @property
    def claimed(self) -> str:
        return Wording(self.evidence.measure).claimed(_claimed(self.question))

    def subject(self, kind: str = "") -> str:
        """What the claim is about: 'the error rate of forest on iris'."""
        return f"the {kind}{Wording(self.evidence.measure).name} of {self.evidence.methods[0]} {self.where}".rstrip()

    def sentence(self, found: Claim, kind: str = "") -> str:
        """The answer, with the level, its interval and p."""
        subject, level = self.subject(kind), self._level(found)
        p = "" if math.isnan(found.p_value) else f", {formats.p_equals(found.p_value)}"
        if found.answer == "yes":
            return f"Yes: {subject} is {self.goal} {self.claimed}: {level}{p}."
        if found.answer == "no":
            return f"No: {subject} is {self.missed} {self.claimed}: {level}{p}."
        if found.answer == "open":
            return f"Open: whether {subject} is {self.goal} {self.claimed} is not shown: it is {level}{p}."
        known = "" if math.isnan(found.interval.estimate) else f"; it is {level}"
        return (
            f"Undefined: whether {subject} is {self.goal} {self.claimed} can't be tested, because {found.why}{known}."
        )

    def _level(self, found: Claim) -> str:
        """The level and its interval, with enough decimals to see on which side of the claim the interval lies."""
        words, ends = Wording(self.evidence.measure), span_of(found.interval)
        for more in range(MORE_DECIMALS):
            shown = () if ends is None else words.rounded(ends, more=more)
            if ends is None or _sides(ends, found.claimed) == _sides(shown, found.claimed):
                return words.level(found.interval.estimate, ends, more=more)
        return words.level(found.interval.estimate, ends)

    def on_each(self, found: Sequence[Claim]) -> str:
        """The answer on each data set, counted."""
        n, subject = len(found), self.subject()
        texts: dict[Answer, str] = {
            "yes": f"{self.goal} {self.claimed}",
            "no": f"{self.missed} {self.claimed}",
            "open": f"not distinguishable from {self.claimed}",
            "undefined": "not testable",
        }
        names = {a: [d for d, one in zip(self.evidence.datasets, found, strict=True) if one.answer == a] for a in texts}
        there = [a for a in texts if names[a]]
        if len(there) == 1:
            return f"{there[0].capitalize()}: {subject} is {texts[there[0]]} on each of these {n} data sets."
        parts = [f"{texts[a]} on {listed(names[a])}" for a in there]
        return f"{subject[0].upper()}{subject[1:]} is {'; '.join(parts)}."
