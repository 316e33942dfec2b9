"""Generators as people write them: {"E": "ABC"}, {"depth": "rate*trees"}, block generators such as "ABC".

A search for fractions of minimum aberration, by which the table of generators is confirmed.

Minimum-aberration fractions by number of runs and of factors: the columns of the factors beyond the base factors.

The bits of a column say of which base factors it is the product: 7 = 1 + 2 + 4 is ABC. Source: Chen, Sun & Wu (1993),
International Statistical Review 61:131-145, doi:10.2307/1403599 (up to 64 runs; R's package FrF2 has the same
catalogue), Xu (2009), Technometrics 51:262-277 (128 runs). The search in
:mod:`fairtrial.design.layouts.generators` finds the same word-length patterns, and the tests compare all of them.

Blocks of two-level layouts: effects that nobody needs are mixed with the differences between blocks.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.layouts.layout import FloatArray
from fairtrial.design.layouts.regular_fraction import RegularFraction, as_product, short_names
from fairtrial.errors import InputError, UnknownName
from fairtrial.words import listed, shown, verb

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


IntArray = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class LeastAberration:
    """What a search found: the columns beyond the base factors, their word-length pattern, and the number of fractions.

    ``different`` is the number of fractions of this size that went on and look different, at most the width of the
    search.
    """

    columns: tuple[int, ...]
    word_lengths: tuple[int, ...]
    different: int


def _parities(base: int) -> IntArray:
    """For each column and run, whether the column is negative there."""
    runs = np.arange(2**base)
    return np.array([[(int(a) & int(b)).bit_count() & 1 for a in runs] for b in runs], dtype=np.intp)


def _krawtchouk(factors: int) -> NDArray[np.float64]:
    """Krawtchouk's polynomials: which number of negative factors counts how much for words of a length."""

    def value(length: int, negative: int) -> int:
        terms = ((-1) ** i * comb(negative, i) * comb(factors - negative, length - i) for i in range(length + 1))
        return sum(terms)

    sizes = range(factors + 1)
    return np.array([[value(length, negative) for negative in sizes] for length in sizes], dtype=float)


def word_lengths_of(columns: tuple[int, ...], base: int) -> tuple[int, ...]:
    """The word-length pattern by MacWilliams' identity, from how many factors are negative in each run.

    It needs no defining words, and so it is a check of those that are found by multiplying generators.

    Reference: MacWilliams & Sloane (1977), The Theory of Error-Correcting Codes, chapter 5.

    >>> word_lengths_of((1, 2, 4, 3, 5), base=3)
    (0, 0, 2, 1, 0)
    """
    negative = _parities(base)[list(columns)].sum(axis=0)
    counts = np.bincount(negative, minlength=len(columns) + 1)
    found = np.rint(_krawtchouk(len(columns)) @ counts / 2**base).astype(int)
    return tuple(int(n) for n in found[1:])


def search_generators(base: int, most: int, *, width: int = 300) -> dict[int, LeastAberration]:
    """For each number of factors from base + 1 to ``most``, the fraction with the least aberration.

    Columns are added one at a time. At each step the ``width`` best fractions go on, of those that look alike only one:
    they look alike if the patterns are the same that remain when any one factor is left out. The search is exhaustive
    as long as fewer than ``width`` fractions look different, and if none that look alike are different.

    >>> search_generators(3, 5)[5]   # any two of AB, AC, BC and ABC
    LeastAberration(columns=(3, 7), word_lengths=(0, 0, 2, 1, 0), different=1)
    """
    parities, start = _parities(base), tuple(1 << bit for bit in range(base))
    going: list[tuple[int, ...]] = [start]
    found = {}
    for factors in range(base + 1, min(most, 2**base - 1) + 1):
        by_pattern: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        weights = _krawtchouk(factors)
        for columns in going:
            free = np.array(sorted(set(range(1, 2**base)) - set(columns)))
            negative = parities[list(columns)].sum(axis=0) + parities[free]
            counts = np.stack([(negative == i).sum(axis=1) for i in range(factors + 1)])
            patterns = np.rint(weights @ counts / 2**base).astype(int).T
            for column, pattern in zip(free, patterns, strict=True):
                by_pattern.setdefault(tuple(map(int, pattern[1:])), []).append((*columns, int(column)))
        going = _different(by_pattern, parities, width)
        found[factors] = LeastAberration(tuple(sorted(going[0][base:])), min(by_pattern), len(going))
    return found


def _different(
    by_pattern: dict[tuple[int, ...], list[tuple[int, ...]]], parities: IntArray, width: int
) -> list[tuple[int, ...]]:
    """The fractions of least aberration, without those that look like another one."""
    kept: list[tuple[int, ...]] = []
    for pattern in sorted(by_pattern):
        seen = set()
        for columns in by_pattern[pattern]:
            if len(kept) == width:
                return kept
            left = parities[list(columns)].sum(axis=0) - parities[list(columns)]
            look = tuple(sorted(tuple(np.bincount(row, minlength=len(columns))) for row in left))
            if look not in seen:
                seen.add(look)
                kept.append(columns)
    return kept


_FACTORS_UP_TO: dict[int, tuple[tuple[int, int], ...]] = {
    4: ((3, 3),),
    8: ((4, 4), (7, 3)),
    16: ((5, 5), (8, 4), (15, 3)),
    32: ((6, 6), (16, 4), (31, 3)),
    64: ((7, 7), (8, 5), (32, 4), (63, 3)),
    128: ((8, 8), (9, 6), (11, 5), (64, 4), (127, 3)),
}
"""By number of runs: up to how many factors there is a fraction of which resolution."""


def highest_resolution(factors: int, runs: int) -> int:
    """The highest resolution of a fraction, known apart from the table of columns, which it is a check of.

    >>> highest_resolution(7, 16), highest_resolution(11, 128)
    (4, 5)
    """
    return next(resolution for most, resolution in _FACTORS_UP_TO[runs] if factors <= most)


MOST_FACTORS = 20
"""The number of factors up to which fractions are in the table."""

_32_BASE = (7, 11, 13, 14, 19, 21, 22, 25, 26, 28, 31)
_128_BASE = (31, 103, 43, 85)

MINIMUM_ABERRATION: dict[int, dict[int, tuple[int, ...]]] = {
    4: {3: (3,)},
    8: {4: (7,), 5: (3, 5), 6: (3, 5, 6), 7: (3, 5, 6, 7)},
    16: {
        5: (15,),
        6: (7, 11),
        7: (7, 11, 13),
        8: (7, 11, 13, 14),
        9: (3, 5, 9, 14, 15),
        10: (3, 5, 6, 9, 14, 15),
        11: (3, 5, 6, 9, 10, 13, 14),
        12: (3, 5, 6, 9, 10, 13, 14, 15),
        13: (3, 5, 6, 7, 9, 10, 11, 12, 13),
        14: (3, 5, 6, 7, 9, 10, 11, 12, 13, 14),
        15: (3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15),
    },
    32: {
        6: (31,),
        7: (7, 27),
        8: (7, 11, 29),
        9: (7, 11, 19, 29),
        10: (7, 11, 19, 29, 30),
        11: (7, 11, 13, 19, 21, 25),
        12: (7, 11, 13, 14, 19, 21, 25),
        13: (7, 11, 13, 14, 19, 21, 22, 25),
        14: _32_BASE[:9],
        15: _32_BASE[:10],
        16: _32_BASE,
        17: (3, 5, 9, 14, 15, 17, 22, 23, 26, 27, 28, 29),
        18: (3, 5, 6, 9, 14, 15, 17, 22, 23, 26, 27, 28, 29),
        19: (3, 5, 6, 9, 10, 14, 15, 17, 22, 23, 26, 27, 28, 29),
        20: (*_32_BASE, 3, 5, 9, 17),
    },
    64: {
        7: (63,),
        8: (15, 51),
        9: (7, 27, 45),
        10: (7, 27, 43, 53),
        11: (7, 11, 29, 45, 51),
        12: (7, 11, 29, 45, 51, 62),
        13: (7, 11, 21, 25, 38, 58, 60),
        14: (7, 11, 19, 30, 37, 41, 49, 60),
        15: (7, 11, 19, 30, 37, 41, 49, 60, 63),
        16: (7, 11, 13, 19, 21, 35, 37, 57, 58, 60),
        17: (7, 11, 13, 14, 19, 21, 35, 37, 57, 58, 60),
        18: (7, 11, 13, 14, 19, 21, 22, 35, 37, 57, 58, 60),
        19: (7, 11, 13, 14, 19, 21, 22, 35, 37, 38, 57, 58, 60),
        20: (7, 11, 13, 14, 19, 21, 22, 35, 37, 38, 57, 58, 60, 63),
    },
    128: {
        8: (127,),
        9: (31, 103),
        10: (31, 103, 43),
        11: _128_BASE,
        12: (*_128_BASE, 121),
        13: (*_128_BASE, 44, 86),
        14: (*_128_BASE, 46, 61, 114),
        15: (*_128_BASE, 46, 61, 114, 67),
        16: (*_128_BASE, 44, 86, 88, 53, 110),
        17: (*_128_BASE, 46, 61, 114, 67, 78, 116),
        18: (*_128_BASE, 46, 61, 114, 67, 78, 116, 121),
        19: (*_128_BASE, 46, 61, 114, 67, 78, 55, 58, 86),
        20: (*_128_BASE, 46, 61, 114, 67, 78, 55, 58, 86, 91),
    },
}


WIDTH = 160  # choices of block columns that the search goes on with

Blocks = int | Sequence[str] | None
"""A number of blocks, or the words that divide the runs into blocks, or None for no blocks."""


def check_blocks(blocks: Blocks) -> None:
    """Refuse blocks that are neither a number nor words."""
    words = isinstance(blocks, (tuple, list)) and blocks and all(isinstance(word, str) for word in blocks)
    number = isinstance(blocks, int) and not isinstance(blocks, bool) and blocks >= 1
    if not (blocks is None or words or number):
        raise InputError(f"blocks must be a number of blocks, or a list of words such as ['ABC'], got {shown(blocks)}")


def divided(fraction: RegularFraction, blocks: Blocks) -> tuple[NDArray[np.intp] | None, tuple[str, ...]]:
    """The number of the block of each run, and what is mixed with blocks, in a sentence."""
    if blocks is None or blocks == 1:
        return None, ()
    if isinstance(blocks, int):
        columns = block_columns(fraction, blocks)
    else:
        columns = tuple(word_column(fraction, word) for word in blocks)
    block = _block_numbers(fraction, columns)
    mixed = block_words(fraction, columns)
    return block, (f"{listed(mixed, None)} {verb(len(mixed), 'is', 'are')} mixed with blocks",) if mixed else ()


def block_columns(fraction: RegularFraction, blocks: int) -> tuple[int, ...]:
    """The columns that make this number of blocks, chosen so that as few short effects as possible are mixed with them.

    No main effect is mixed with blocks, and as few interactions of two factors, then of three, as the search finds. It
    adds columns one at a time and goes on with the best choices, which are all of them for up to 32 runs.

    >>> block_columns(RegularFraction(tuple("ABC"), base=3, columns=(1, 2, 4)), 2)   # the sign of ABC
    (7,)
    """
    if fraction.base < 2:
        raise InputError(f"blocks need at least 4 runs to divide, but there are {fraction.runs}")
    needed = blocks.bit_length() - 1
    if blocks < 2 or blocks != 2**needed or needed >= fraction.base:
        raise InputError(
            f"blocks must be a power of 2 from 2 to {fraction.runs // 2}, half of the {fraction.runs} runs, "
            f"got {shown(blocks)}"
        )
    costs = _effects_by_column(fraction)
    going: list[tuple[int, ...]] = [()]
    for _ in range(needed):
        going = _longer(going, costs)
    pairs = [fraction.columns[0] ^ other for other in fraction.columns[1 : needed + 1]]  # products of two factors
    best = min([going[0], tuple(pairs)], key=lambda some: tuple(costs[_span(some)].sum(axis=0)))
    if costs[_span(best)].sum(axis=0)[0]:
        raise InputError(
            f"blocks must be fewer: {blocks} blocks of {fraction.runs // blocks} runs would be mixed with main effects"
        )
    return best


def _longer(going: list[tuple[int, ...]], costs: NDArray[np.intp]) -> list[tuple[int, ...]]:
    """The best choices with one more column; of those that make the same blocks only one."""
    found: dict[tuple[int, ...], tuple[tuple[int, ...], tuple[int, ...]]] = {}
    for some in going:
        span = _span(some)
        for column in range(1, len(costs)):
            if column not in span:
                longer = (*some, column)
                whole = _span(longer)
                found.setdefault(tuple(sorted(whole)), (tuple(costs[whole].sum(axis=0)), longer))
    return [longer for _, longer in sorted(found.values())[:WIDTH]]


def _effects_by_column(fraction: RegularFraction) -> NDArray[np.intp]:
    """For each column, the numbers of effects of one, two and three factors that it stands for."""
    counts = np.zeros((fraction.runs, 3), dtype=np.intp)
    for size in (1, 2, 3):
        for some in itertools.combinations(fraction.columns, size):
            column = 0
            for c in some:
                column ^= c
            counts[column, size - 1] += 1
    return counts


def _span(columns: Sequence[int]) -> list[int]:
    """All products of the columns."""
    span = [0]
    for column in columns:
        span += [other ^ column for other in span]
    return span[1:]


def block_words(fraction: RegularFraction, columns: Sequence[int]) -> tuple[str, ...]:
    """The main effects and interactions of two factors that are mixed with differences between blocks."""
    span = set(_span(columns))
    mixed = []
    for size in (1, 2):
        for places in itertools.combinations(range(len(fraction.names)), size):
            column = 0
            for i in places:
                column ^= fraction.columns[i]
            if column in span:
                mixed.append(as_product([fraction.names[i] for i in places], fraction.names))
    return tuple(mixed)


def _block_numbers(fraction: RegularFraction, columns: Sequence[int]) -> NDArray[np.intp]:
    """The number of the block of each run, from the signs of the block columns."""
    if len(set(_span(columns))) < 2 ** len(columns) - 1 or 0 in _span(columns):
        raise InputError("block generators must be independent, but one is a product of the others or is constant")
    main = [word for word in block_words(fraction, columns) if word in fraction.names]
    if main:
        raise InputError(f"blocks must not be mixed with main effects, but they are with {listed(main)}")
    blocked = RegularFraction(tuple(map(str, range(len(columns)))), fraction.base, tuple(columns))
    return np.asarray((blocked.rows > 0) @ 2 ** np.arange(len(columns)), dtype=np.intp)


def with_centers(
    rows: FloatArray, block: NDArray[np.intp] | None, center: int
) -> tuple[FloatArray, NDArray[np.intp] | None]:
    """The rows with center points behind them, so many in each block."""
    if not center:
        return rows, block
    if block is None:
        return np.vstack([rows, np.zeros((center, rows.shape[1]))]), None
    numbers = np.repeat(np.unique(block), center)
    return np.vstack([rows, np.zeros((len(numbers), rows.shape[1]))]), np.concatenate([block, numbers])
