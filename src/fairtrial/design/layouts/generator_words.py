"""Generators as people write them: {"E": "ABC"}, {"depth": "rate*trees"}, block generators such as "ABC"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fairtrial.design.layouts.regular_fraction import RegularFraction, short_names
from fairtrial.errors import InputError, UnknownName
from fairtrial.words import listed, shown

MOST_BASE = 16
"""The number of factors without a generator up to which the runs, 2 to its power, are laid out."""


def parse_word(text: str, names: Sequence[str]) -> tuple[list[int], int]:
    """The positions of the factors of a word, and its sign.

    A word is written in letters (A is the first factor, I is left out), or in names with * or : between them.

    >>> parse_word("ACD", ["rate", "depth", "trees", "leaf"]), parse_word("-rate*leaf", ["rate", "depth", "leaf"])
    (([0, 2, 3], 1), ([0, 2], -1))
    """
    if not isinstance(text, str) or not text.strip(" +-−"):
        raise InputError(f"a generator must be a product of factors, such as 'ABC', got {shown(text)}")
    bare = text.strip()
    sign = -1 if bare[0] in "-−" else 1
    bare = bare.lstrip("+-− ")
    parts = [p.strip() for p in re.split(r"[*:×]", bare)]
    if len(parts) == 1 and bare not in names:
        parts = list(bare.replace(" ", ""))
    places = [_place(part, names) for part in parts]
    if len(set(places)) < len(places):
        raise InputError(f"a generator must name each factor once, got {shown(text)}")
    return sorted(places), sign


def _place(part: str, names: Sequence[str]) -> int:
    if part in names:
        return list(names).index(part)
    letters = short_names(names)
    if part in letters:
        return letters.index(part)
    raise UnknownName.among("factor", part, [*names, *letters])


def word_column(fraction: RegularFraction, text: str) -> int:
    """The column of a word in a fraction."""
    column = 0
    for place in parse_word(text, fraction.names)[0]:
        column ^= fraction.columns[place]
    return column


def _single(key: str, names: Sequence[str]) -> int:
    """The position of the one factor that a generator is for."""
    places, sign = parse_word(key, names)
    if len(places) != 1 or sign < 0:
        raise InputError(f"a generator must be for one factor, such as {{'E': 'ABC'}}, got {shown(key)}")
    return places[0]


def fraction_from(generators: Mapping[str, str], names: Sequence[str]) -> RegularFraction:
    """The fraction that these generators make: factors without a generator are base factors.

    >>> fraction_from({"D": "AB", "E": "AC"}, tuple("ABCDE")).defining_words
    ('ABD', 'ACE', 'BCDE')
    """
    made = {_single(key, names): parse_word(word, names) for key, word in generators.items()}
    if len(made) < len(generators):
        raise InputError(f"each factor can have one generator, got {shown(dict(generators))}")
    base = [i for i in range(len(names)) if i not in made]
    if len(base) > MOST_BASE:
        raise InputError(
            f"generators must leave at most {MOST_BASE} factors without one ({2**MOST_BASE:,} runs), got {len(base)}"
        )
    columns = {place: 1 << bit for bit, place in enumerate(base)}
    signs = dict.fromkeys(base, 1)
    waiting = dict(made)
    while waiting:
        ready = {i: word for i, word in waiting.items() if set(word[0]) <= set(columns)}
        if not ready:
            raise InputError(
                f"generators must lead back to factors without one, but those of "
                f"{listed(names[i] for i in waiting)} do not"
            )
        for i, (places, sign) in ready.items():
            column, total = 0, sign
            for place in places:
                column ^= columns[place]
                total *= signs[place]
            columns[i], signs[i] = column, total
            del waiting[i]
    _check_columns(columns, names)
    order = range(len(names))
    return RegularFraction(tuple(names), len(base), tuple(columns[i] for i in order), tuple(signs[i] for i in order))


def _check_columns(columns: Mapping[int, int], names: Sequence[str]) -> None:
    """Refuse factors that never change, or that always change together."""
    seen: dict[int, int] = {}
    for place, column in columns.items():
        if column == 0:
            raise InputError(f"the generators keep {names[place]!r} constant; choose another product for it")
        if column in seen:
            raise InputError(
                f"the generators give {names[seen[column]]!r} and {names[place]!r} the same column, so that their "
                "effects can't be told apart; choose another product for one of them"
            )
        seen[column] = place
