"""Significant differences that the table of a verdict does not show, since it has those with one method only."""

from __future__ import annotations

from fairtrial.tables import Paragraph, formats
from fairtrial.verdict import Verdict
from fairtrial.verdict.designs.decide import Pair
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural, verb

__all__ = ["further_pairs"]

MOST = 5


def further_pairs(verdict: Verdict) -> Paragraph | None:
    """A sentence on the pairs that differ significantly, besides those with the method of reference."""
    finding, methods = verdict.finding, verdict.evidence.methods
    if finding.comparisons is None or verdict.question.control is not None or len(finding.pairs) < 2:
        return None
    best = next((name for name in finding.order if name in finding.best), None)
    reference = methods.index(verdict.winner or best or finding.order[0])
    found = [p for p in finding.pairs if p.winner is not None and reference not in (p.first, p.second)]
    if not found:
        return None
    shown = sorted(found, key=lambda pair: pair.p_adjusted)[:MOST]
    texts = [_in_words(pair, verdict) for pair in shown]
    rest = len(found) - len(shown)
    texts += [f"{plural(rest, 'other pair')} in the table of all tests"] if rest else []
    are = verb(len(found), "pair differs", "pairs differ")
    return Paragraph(f"{len(found)} further {are} significantly, by the same tests: {listed(texts, None)}.")


def _in_words(pair: Pair, verdict: Verdict) -> str:
    """Who is better than whom, by how much, and the p-value for all pairs together."""
    seen = pair if pair.winner == pair.first else pair.swapped()
    names = verdict.evidence.methods
    words = Wording(verdict.measure, verdict.evidence.as_ratio and len(verdict.evidence.datasets) > 1)
    effect = seen.effect if seen.effect is None or not words.ratio else words.as_measured(seen.effect)
    size = "" if effect is None else f"{words.sized(effect)}, "
    return f"{names[seen.first]} is better than {names[seen.second]} ({size}{formats.p_equals(seen.p_adjusted)})"
