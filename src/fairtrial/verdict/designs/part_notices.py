"""Notices of data sets that are judged singly: what holds on all of them is said once, all else with its data sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fairtrial.notices import Notice
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.guards.trivial_policies import NOT_BETTER, not_shown_to
from fairtrial.words import listed, plural


def notices_of_parts(parts: Sequence[tuple[str, Finding]]) -> Iterator[Notice]:
    """The notices of the findings on single data sets, as notices about all of them.

    That no method does better than a trivial one is grave if it holds on each data set. If it holds on some, it is a
    doubt, which names them and follows the answer.
    """
    found = [(dataset, notice) for dataset, part in parts for notice in part.of_kind(Notice)]
    trivial = [(dataset, notice) for dataset, notice in found if notice.guard == NOT_BETTER]
    yield from _not_better(trivial, len(parts))
    for sentence in dict.fromkeys(n.sentence for _, n in found if n.guard != NOT_BETTER):
        where = [dataset for dataset, n in found if n.sentence == sentence]
        first = next(n for _, n in found if n.sentence == sentence)
        yield first if len(where) == len(parts) else replace(first, sentence=f"on {listed(where)}: {sentence}")


def _not_better(found: Sequence[tuple[str, Notice]], n: int) -> Iterator[Notice]:
    """One notice for each trivial method that no method is shown to beat, with the data sets where that is so."""
    everywhere = len({dataset for dataset, _ in found}) == n
    for better in dict.fromkeys(str(notice.evidence["better"]) for _, notice in found):
        own = {dataset: notice for dataset, notice in found if notice.evidence["better"] == better}
        first = next(iter(own.values()))
        if len(own) == n > 1:
            sentence = f"on none of these {plural(n, 'data set')} is a method shown to {better}"
        else:
            sentence = f"on {listed(own)} {first.sentence if len(own) == 1 else not_shown_to(better)}"
        evidence = {"trivial": first.evidence["trivial"], "datasets": list(own)}
        yield replace(first, sentence=sentence, severity="grave" if everywhere else "doubt", evidence=evidence)
