"""Doubts where they belong: grave ones before the answer, others right after it, and their remedies as next steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fairtrial.notices import Notice
from fairtrial.tables import Table
from fairtrial.verdict.finding import Finding
from fairtrial.words import plural

__all__ = ["REFUSED", "is_spoilt", "left_to_say", "with_doubts"]

SPOILING = ("data", "plan")
SHOWN = "The means are shown below without tests, which would claim too much."
REFUSED = "none: refused, see above."
MOST_DOUBTS = 3
ABOUT_AN_ANSWER = ("one_scale",)
EARLY = ("names_like_versions", "one_scale")  # without these the numbers of the answer mean little
TESTED = ("rank_interval", "effect", "interval", "p_adjusted", "wins_ties_losses", "mark")


def with_doubts(finding: Finding, notices: Sequence[Notice], *, after: bool = False) -> Finding:
    """The finding with its gravest doubt as the first sentence (``after`` the one about methods that did not run).

    A grave notice about data or plan leaves no verdict: there is no winner, and nothing is said about the scores.
    Other doubts follow the answer; those on which all its numbers rest stand right behind its first sentence. What
    would remove a doubt comes first among the next steps, and after a grave one there are no others: more data would
    not help a comparison that is spoilt.
    """
    grave = sorted((n for n in notices if n.severity == "grave"), key=lambda n: n.stage not in SPOILING)
    doubts = [n for n in notices if n.severity == "doubt"]
    lead, rest = finding.sentences[: int(after)], finding.sentences[int(after) :]
    remedies = tuple(dict.fromkeys(n.remedy for n in (*grave, *doubts) if n.remedy))
    following = tuple(_sentence(n.sentence, finding.order) for n in doubts[:MOST_DOUBTS] if n.guard not in EARLY)
    if not grave:
        steps = tuple(dict.fromkeys((*remedies, *finding.next_steps)))
        early = tuple(_sentence(n.sentence, finding.order) for n in doubts if n.guard in EARLY)
        return replace(finding, sentences=(*lead, *rest[:1], *early, *rest[1:], *following), next_steps=steps)
    first = grave[0]
    spoilt = [n for n in grave if n.stage in SPOILING]
    others = len(spoilt or grave) - 1
    more = f" ({plural(others, 'more grave notice')} below)" if others else ""
    if spoilt:
        scales = [n for n in grave if n.guard == "scales_apart"]
        left_out = f" Means are left out, since {scales[0].sentence}." if scales else ""
        shown = SHOWN.replace("The means", "Mean ranks") + left_out if scales else SHOWN
        nothing = first.guard == "same_method_twice"  # there is nothing that a test would claim
        texts = (f"No verdict: {first.sentence}{more}.", *([] if nothing else [shown]))
        steps = tuple(dict.fromkeys(n.remedy for n in (*spoilt, *scales) if n.remedy))
        return replace(
            finding,
            sentences=(*lead, *texts),
            table=_means_only(finding.table, comparable=not scales),
            test=REFUSED,
            winner=None,
            best=(),
            more_tables=(),
            stable=(),
            next_steps=steps,
        )
    before = _sentence(f"{first.sentence}{more}", finding.order)
    return replace(finding, sentences=(*lead, before, *rest, *following), next_steps=remedies)


def is_spoilt(notices: Iterable[Notice]) -> bool:
    """Whether data or plan leave no verdict."""
    return any(n.severity == "grave" and n.stage in SPOILING for n in notices)


def _means_only(table: Table, *, comparable: bool) -> Table:
    """The table without what was tested: names, means, and what stands beside them.

    Means of scores that are not comparable are left out, and methods are in the order of their mean ranks.
    """
    left_out = TESTED if comparable else (*TESTED, "mean")
    kept = [i for i, c in enumerate(table.columns) if c.key not in left_out and "interval" not in c.title]
    columns = tuple(table.columns[i] for i in kept)
    rows = [tuple(row[i] for i in kept) for row in table.rows]
    ranks = next((i for i, c in enumerate(columns) if c.title == "mean rank"), None)
    if not comparable and ranks is not None:
        rows.sort(key=lambda row: (row[ranks] is None, row[ranks]))
    return replace(table, columns=columns, rows=tuple(rows), notes=())


def left_to_say(finding: Finding, notice: Notice) -> str:
    """What a notice adds to the answer and the next steps; nothing if these say it already.

    Where there is no verdict, what an answer would mean is not worth a line.
    """
    said = notice.severity in ("doubt", "grave") and any(notice.sentence[1:] in text for text in finding.sentences)
    if said or (finding.test == REFUSED and notice.guard in ABOUT_AN_ANSWER):
        return ""
    return notice.sentence if notice.remedy in finding.next_steps else notice.text


def _sentence(text: str, methods: Sequence[str]) -> str:
    """The text as a sentence; the name of a method at its beginning stays as it is."""
    begins = text if text.startswith(tuple(f"{m} " for m in methods)) else f"{text[0].upper()}{text[1:]}"
    return f"{begins}."
