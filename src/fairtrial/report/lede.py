"""The top of a report: its question, and key numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairtrial.measures import in_words
from fairtrial.results import Results
from fairtrial.tables import Numbers, formats
from fairtrial.verdict import LevelVerdicts, Verdict
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, verb


def question_of(verdict: Verdict) -> str:
    """The question in the author's words or, without these, in ours."""
    asked = verdict.question
    if asked.text:
        return asked.text
    if verdict.finding.measures:
        return f"Do the methods differ in {listed(map(in_words, verdict.finding.measures), None)} jointly?"
    name = Wording(verdict.measure).name
    if asked.control is not None:
        return f"How do the others compare with {asked.control} in {name}?"
    if len(verdict.evidence.methods) == 1:
        method = verdict.evidence.methods[0]
        if asked.claim is not None:
            goal = "above" if verdict.measure.higher_is_better else "below"
            return f"Is the {name} of {method} {goal} {Wording(verdict.measure).claimed(float(asked.claim))}?"
        return f"What {name} does {method} reach?"
    return f"Which method has the {Wording(verdict.measure).best_word} {name}?"


def verdict_numbers(results: Results, verdict: Verdict) -> Numbers:
    """The size of a study with one verdict, at a glance."""
    one = results.scores[results.scores["measure"] == next(iter(results.measures))]
    counted = {"data set": len(verdict.evidence.datasets), "method": len(verdict.evidence.methods)}
    if len(one) > len(verdict.evidence.datasets) * len(verdict.evidence.columns):
        counted["trial"] = len(one)
    shown = [*_counts(counted)]
    if results.definition is not None or len(results.failures):
        shown.append((formats.count(len(results.failures)), "failed"))
    if verdict.evidence.absent:
        shown.append((formats.count(len(verdict.evidence.absent)), "did not run"))
    return Numbers((*shown, (f"{100 * verdict.question.level:g} %", "confidence")))


def level_numbers(results: Results, verdicts: LevelVerdicts) -> Numbers:
    counted = {
        "data set": len(results.dataset_names()),
        "method": len(results.method_names()) - len(results.yardsticks),
        "level": len(verdicts.levels),
        "trial": len(results.scores[results.scores["measure"] == next(iter(results.measures))]),
    }
    return Numbers((*_counts(counted), (formats.count(len(results.failures)), "failed")))


def _counts(counted: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Numbers as they are written, and their nouns."""
    return ((formats.count(n), verb(n, noun, f"{noun}s")) for noun, n in counted.items())
