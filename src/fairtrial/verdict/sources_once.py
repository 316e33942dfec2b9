"""Whether the answer stays the same if data sets that seem to be versions of one source count once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    notices: Sequence[Notice], finding: Finding, evidence: Evidence, question: Question, answer: Answering
) -> tuple[tuple[Notice, ...], Finding]:
    """The notices and the finding, which say what the answer is if each source of numbered data sets counts once.

    Leaving out one of several versions shows little, so that stability is then that of sources.
    """
    doubt = next((n for n in notices if n.guard == GUARD and n.severity == "doubt"), None)
    if doubt is None or not finding.order:
        return tuple(notices), finding
    text, stable = _answer_by_sources(finding, evidence, question, answer)
    told = replace(doubt, sentence=f"{doubt.sentence}{text}")
    return tuple(told if n is doubt else n for n in notices), replace(finding, stable=stable)


def _answer_by_sources(
    finding: Finding, evidence: Evidence, question: Question, answer: Answering
) -> tuple[str, tuple[str, ...]]:
    """What the answer is, to be added to a sentence, and how stable it is."""
    question = replace(question, family=numbered_sources(evidence.datasets))
    try:
        units = units_of(evidence, question.family)
        if units.n < FEWEST_DATASETS:
            return f": counted once, they leave {units.n} sources, too few to compare over", ()
        found = answer(evidence, question)[1]
    except InputError:  # a family has the name of a data set
        return "", finding.stable
    text = f": the numbers below claim too much if they are; with each source counted once ({units.n} in all) "
    return text + _compared(finding, found), tuple(f"each source counted once: {line}" for line in found.stable)


def _compared(finding: Finding, found: Finding) -> str:
    """What is the same and what is another in the second of two findings."""
    if found.winner is not None:
        return f"{found.winner} is {'still ' if found.winner == finding.winner else ''}the best"
    if not found.best:
        return "no method is shown to be the best"
    if set(found.best) == set(finding.best):
        return f"the same {len(found.best)} methods may be the best"
    return f"the best is one of {len(found.best)}: {listed(found.best)}"
