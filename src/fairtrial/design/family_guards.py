"""Guard of data sets that belong together: versions of one source are no independent pieces of evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from fairtrial.data import Dataset, shared_rows
from fairtrial.notices import Notice, guard
from fairtrial.tables import formats
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan

SHARED = 0.05
"""The share of the smaller data set's rows from which on two data sets belong together."""

VERSION = re.compile(
    r"(?:[-_. ](?:v?\d+(?:\.\d+)*|[a-z]|old|new|small|large|full|mini|train|test|subset|sample|copy|clean|raw|binary|"
    r"\d+k|red|white|fold\d*|part\d*)|\d+)$"
)
MEANINGLESS = re.compile(r"(?:data|dataset|set|table|file|toy|sample|random|synthetic|simulated|noise|test|train|new)?")
FEWEST_LETTERS = 3


@guard(stage="plan", sees="plan")
def undeclared_families(plan: Plan) -> Iterator[Notice]:
    """Data sets with similar names and the same features, or with rows in common, that count as independent."""
    sets = {d.name: d for d in plan.study.datasets}
    known = {name: family for family, members in plan.study.question.family.items() for name in members}
    shares = {pair: share for pair, share in _shared(list(sets.values())) if not _together(pair, known)}
    alike = [pair for pair in _similar(sets) if not _together(pair, known)]
    for members in _families([*shares, *alike]):
        inside = [share for pair, share in shares.items() if pair[0] in members]
        stem = _stem(members[0]) or members[0]
        why = (
            f"share up to {formats.percent(max(inside))} of their rows" if inside else "have similar names and features"
        )
        yield Notice(
            f"{listed(members)} {why}, but each counts as a data set of its own",
            about=stem,
            evidence={"members": members, "shared": max(inside, default=0.0)},
            remedy=f"count them as one: Question(family={{{stem!r}: [{', '.join(map(repr, members))}]}})",
        )


def _together(pair: tuple[str, str], known: Mapping[str, str]) -> bool:
    """Whether the question already counts both as one."""
    return pair[0] in known and known[pair[0]] == known.get(pair[1])


def _similar(sets: Mapping[str, Dataset]) -> Iterator[tuple[str, str]]:
    """Pairs with the same features and names that differ only in a version: adult and adult-v2, not two spellings."""
    for a, b in combinations(sets, 2):
        stem = _stem(a)
        if stem and stem == _stem(b) and _plain(a) != _plain(b) and _same_features(sets[a], sets[b]):
            yield a, b


def _same_features(a: Dataset, b: Dataset) -> bool:
    """Whether most features of both have the same names."""
    return 2 * len({f.name for f in a.features} & {f.name for f in b.features}) > max(a.p, b.p)


def _stem(name: str) -> str:
    """A name without its version; empty if what remains says nothing.

    >>> _stem("adult-v2"), _stem("letter-a"), _stem("glass2"), _stem("d7"), _stem("data_3")
    ('adult', 'letter', 'glass', '', '')
    """
    stem = VERSION.sub("", _plain(name))
    says = len(re.sub(r"[\W\d_]", "", stem)) >= FEWEST_LETTERS and not MEANINGLESS.fullmatch(stem)
    return stem if says else ""


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _shared(sets: Sequence[Dataset]) -> Iterator[tuple[tuple[str, str], float]]:
    """Pairs with rows in common, beyond chance, and the share of the smaller one's rows."""
    for (i, j), share in shared_rows(sets).items():
        if share >= SHARED:
            yield (sets[i].name, sets[j].name), share


def _families(pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Names that pairs connect, each family once."""
    found: list[list[str]] = []
    for pair in pairs:
        touched = [family for family in found if set(family) & set(pair)]
        found = [family for family in found if family not in touched]
        found.append(list(dict.fromkeys(name for part in [*touched, list(pair)] for name in part)))
    return found
