"""Grave notices in the first sentence: where the data, the plan or the scores cast doubt on the answer itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fairtrial.notices import Notice
from fairtrial.verdict.finding import Finding
from fairtrial.words import plural

__all__ = ["with_doubts"]

SPOILING = ("data", "plan")
SHOWN = "The scores are shown below, but they can't be trusted."


def with_doubts(finding: Finding, notices: Sequence[Notice], *, after: bool = False) -> Finding:
    """The finding with its gravest doubt as the first sentence (``after`` the one about methods that did not run).

    A grave notice about data or plan leaves no verdict: there is no winner, and nothing is said about the scores.
    """
    grave = sorted((n for n in notices if n.severity == "grave"), key=lambda n: n.stage not in SPOILING)
    if not grave:
        return finding
    first = grave[0]
    more = f" ({plural(len(grave) - 1, 'more grave notice')} below)" if len(grave) > 1 else ""
    lead, rest = finding.sentences[: int(after)], finding.sentences[int(after) :]
    if first.stage not in SPOILING:
        text = f"{first.sentence[0].upper()}{first.sentence[1:]}{more}."
        return replace(finding, sentences=(*lead, text, *rest))
    return replace(
        finding, sentences=(*lead, f"No verdict: {first.sentence}{more}.", SHOWN), winner=None, best=(), next_steps=()
    )
