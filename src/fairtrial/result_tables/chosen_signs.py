"""Signs behind scores: for chosen comparisons, for better and worse than a control, and as published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.errors import InputError, UnknownName
from fairtrial.result_tables.dataset_tests import DatasetTests
from fairtrial.result_tables.score_cells import ScoreCells
from fairtrial.words import quoted

if TYPE_CHECKING:
    from fairtrial.results import Results

BETTER, WORSE = "v", "*"
Comparison = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Signs:
    """The signs behind scores, by the numbers of data set and method; ``records`` are wins, ties, losses of methods."""

    texts: Mapping[tuple[int, int], str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    records: tuple[tuple[int, int, int] | None, ...] = ()
    explain: str = ""


def read_comparisons(
    marks: Mapping[str, Sequence[str]], methods: Sequence[str]
) -> dict[str, tuple[list[Comparison], str]]:
    """The comparisons of each sign or, where it has none, what a published sign means.

    >>> read_comparisons({"•": ["SGP:GP", "XGP:GP"], "*": ["normalised"]}, ["GP", "SGP", "XGP"])
    {'•': ([('SGP', 'GP'), ('XGP', 'GP')], ''), '*': ([], 'normalised')}
    """
    found = {}
    for sign, texts in marks.items():
        given = [texts] if isinstance(texts, str) else list(texts)
        pairs = [pair for text in given if (pair := _comparison(text, methods)) is not None]
        if pairs and len(pairs) < len(given):
            raise InputError(f"marks[{sign!r}] must be comparisons such as 'new:old', or a meaning, got {given!r}")
        found[sign] = (pairs, "" if pairs else ", ".join(given))
    return found


def _comparison(text: str, methods: Sequence[str]) -> Comparison | None:
    """The two methods of a comparison; None for a text that is none. Names may have colons of their own."""
    parts = text.split(":")
    cuts = [(":".join(parts[:i]).strip(), ":".join(parts[i:]).strip()) for i in range(1, len(parts))]
    found = next((cut for cut in cuts if set(cut) <= set(methods)), None)
    if found is None and len(cuts) == 1:
        raise UnknownName.among("method of these results", next(c for c in cuts[0] if c not in methods), methods)
    return found


def legend_in_words(marks: Mapping[str, Sequence[str]], methods: Sequence[str]) -> str:
    """The legend of chosen comparisons.

    >>> legend_in_words({"◊": ["GP:kNN"], "•": ["SGP:GP", "XGP:GP"]}, ["kNN", "GP", "SGP", "XGP"])
    '◊ GP improves kNN; • SGP / XGP improve GP'
    """
    parts = [f"{sign} {_meant(pairs) or text}" for sign, (pairs, text) in read_comparisons(marks, methods).items()]
    return "; ".join(part.strip() for part in parts)


def _meant(pairs: Iterable[Comparison]) -> str:
    better: dict[str, list[str]] = {}
    for first, second in pairs:
        better.setdefault(second, []).append(first)
    return ", ".join(f"{' / '.join(a)} {'improves' if len(a) == 1 else 'improve'} {b}" for b, a in better.items())


def chosen_signs(
    results: Results, cells: ScoreCells, tests: DatasetTests, marks: Mapping[str, Sequence[str]] | None
) -> Signs:
    """The signs of chosen comparisons, where the first is significantly better than the second, and published ones.

    On published scores nothing can be tested: their own signs are shown, and ``marks`` say what these mean.
    """
    published = _published(results, cells)
    if not marks:
        return Signs(published, ("signs as published",) if published else ())
    legend, pairs = legend_in_words(marks, cells.methods), _numbered(marks, cells.methods)
    tested = {sign: own for sign, own in pairs.items() if own}
    of_file = set(results.published.signs.values())
    unknown = [sign for sign in marks if sign not in tested and sign not in of_file]
    if of_file and not unknown and (not tested or not any(tests.possible)):
        return Signs(published, (f"{legend} (as published, not tested here)" if tested else legend,), explain=PUBLISHED)
    if unknown:
        text = f"marks[{unknown[0]!r}] must name comparisons, such as 'new:old', or a sign of the file"
        raise InputError(f"{text}; got {quoted(marks[unknown[0]])}")
    tests.require("marks")
    family = sum(map(len, tested.values())) * sum(tests.possible)
    found = dict(published)
    for i in range(len(cells.datasets)):
        for sign, own in tested.items():
            for (first, _), won in zip(own, tests.signs(i, own, family), strict=True):
                if won > 0:
                    found[i, first] = found.get((i, first), "") + sign
    return Signs(found, (f"{legend} ({tests.in_words(family)})",), explain=CHOSEN)


PUBLISHED = "Signs are those of the source; the legend says what they mean."
CHOSEN = "A sign stands behind a method where it is significantly better than the one that the legend names."


def _numbered(marks: Mapping[str, Sequence[str]], methods: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    found = read_comparisons(marks, methods)
    return {sign: [(methods.index(a), methods.index(b)) for a, b in pairs] for sign, (pairs, _) in found.items()}


def _published(results: Results, cells: ScoreCells) -> dict[tuple[int, int], str]:
    given, name = results.published, cells.measure.name
    if not given.signs or given.title:
        return {}
    signs = {(i, j): given.sign(d, m, name) for i, d in enumerate(cells.datasets) for j, m in enumerate(cells.methods)}
    return {place: sign for place, sign in signs.items() if sign}


def against_control(cells: ScoreCells, tests: DatasetTests, control: str | None) -> Signs:
    """WEKA's signs: v where a method is better than the control, * where it is worse; and the record of each method."""
    if control is None:
        return Signs()
    if control not in cells.methods:
        raise UnknownName.among("method of these results", control, cells.methods)
    tests.require("control")
    last, compared = cells.methods.index(control), cells.compared
    others = [m for m in range(len(cells.methods)) if m != last and compared[m]]
    family = len(others) * sum(tests.possible)
    found = {}
    counts = np.zeros((len(cells.methods), 3), dtype=np.int64)
    for i in (i for i, possible in enumerate(tests.possible) if possible):
        there = [m for m in others if np.isfinite(cells.means[i, [m, last]]).all()]
        for m, sign in zip(there, tests.signs(i, [(m, last) for m in there], family), strict=True):
            counts[m, 1 - sign] += 1
            if sign:
                found[i, m] = BETTER if sign > 0 else WORSE
    note = (
        f"{BETTER} better, {WORSE} worse than {control} ({tests.in_words(family)}); (v/ /*): better / neither / worse"
    )
    records = tuple((int(a), int(b), int(c)) if m in others else None for m, (a, b, c) in enumerate(counts))
    return Signs(found, (note,), records, explain=f"Signs compare each method with {control} on each data set alone.")
