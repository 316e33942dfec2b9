"""Data sets that seem to be versions of one source count once, and the answer says what it would be otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.notices import Notice
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.guards.score_guards import numbered_sources
from fairtrial.words import listed

GUARD = "names_like_versions"
NO_FAMILIES = {"none": ()}


def by_sources(notices: Sequence[Notice], evidence: Evidence, question: Question) -> tuple[Question, Question | None]:
    """The question with sources of numbered data sets as families, if a guard doubts that they are independent.

    The second question is that about single data sets, which is None where nothing was changed.
    """
    if dict(question.family) == NO_FAMILIES:
        return replace(question, family={}), None
    family = numbered_sources(evidence.datasets)
    if _doubt(notices) is None:
        return question, None
    try:
        units_of(evidence, family)
    except InputError:  # a source has the name of a data set that is not one of its versions
        return question, None
    return replace(question, family=family), question


def counted_once(
    notices: Sequence[Notice], finding: Finding, singly: Finding, evidence: Evidence, question: Question
) -> tuple[Notice, ...]:
    """The notices, of which the doubt says how sources were counted, and the answer if each data set counts."""
    doubt = _doubt(notices)
    assert doubt is not None
    n = units_of(evidence, question.family).n
    text = f": so each source counts once, by the mean of its parts ({n} in all); counted as {len(evidence.datasets)}, "
    told = replace(doubt, sentence=f"{doubt.sentence}{text}{_compared(finding, singly)}{_more(finding, singly)}")
    return tuple(told if notice is doubt else notice for notice in notices)


def _doubt(notices: Sequence[Notice]) -> Notice | None:
    return next((n for n in notices if n.guard == GUARD and n.severity == "doubt"), None)


def _more(finding: Finding, singly: Finding) -> str:
    """How many pairs are shown to differ if each data set counts, where these are not as many."""
    if singly.leads is not None or len(singly.pairs) == 1:
        return ""
    here, there = (sum(p.different for p in f.pairs) for f in (finding, singly))
    return "" if here == there else f", and {there} instead of {here} pairs would differ"


def _compared(finding: Finding, singly: Finding) -> str:
    """What is the same and what is another in the second of two findings."""
    if singly.winner is not None:
        return f"{singly.winner} would {'still ' if singly.winner == finding.winner else ''}be the best"
    if not singly.best:
        return "no method would be shown to be the best"
    if set(singly.best) == set(finding.best):
        return f"the same {len(singly.best)} methods could be the best"
    return f"the best would be one of {len(singly.best)}: {listed(singly.best)}"
