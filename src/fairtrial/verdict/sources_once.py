"""Whether the answer stays the same if data sets that seem to be versions of one source count once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from fairtrial.design import FEWEST_DATASETS, Question
from fairtrial.errors import InputError
from fairtrial.notices import Notice
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.rules import Rule
from fairtrial.verdict.score_guards import numbered_sources
from fairtrial.verdict.units import units_of
from fairtrial.words import listed

__all__ = ["counted_once"]

GUARD = "names_like_versions"
Answering = Callable[[Evidence, Question], tuple[Rule, Finding]]


def counted_once(
    notices: Iterable[Notice], finding: Finding, evidence: Evidence, question: Question, answer: Answering
) -> Iterator[Notice]:
    """The notices; one that doubts numbered data sets also says what the answer is if each source counts once."""
    for notice in notices:
        if notice.guard == GUARD and notice.severity == "doubt" and finding.order:
            text = _answer_by_sources(finding, evidence, question, answer)
            yield replace(notice, sentence=f"{notice.sentence}{text}")
        else:
            yield notice


def _answer_by_sources(finding: Finding, evidence: Evidence, question: Question, answer: Answering) -> str:
    question = replace(question, family=numbered_sources(evidence.datasets))
    try:
        units = units_of(evidence, question.family)
        if units.n < FEWEST_DATASETS:
            return f": counted once, they leave {units.n} sources, too few to compare over"
        found = answer(evidence, question)[1]
    except InputError:  # a family has the name of a data set
        return ""
    return f"; if each source counts once ({units.n} in all), {_compared(finding, found)}"


def _compared(finding: Finding, found: Finding) -> str:
    """What is the same and what is another in the second of two findings."""
    if found.winner is not None:
        return f"{found.winner} is {'still ' if found.winner == finding.winner else ''}the best"
    if not found.best:
        return "no method is shown to be the best"
    if set(found.best) == set(finding.best):
        return f"the same {len(found.best)} methods may be the best"
    return f"the best is one of {len(found.best)}: {listed(found.best)}"
