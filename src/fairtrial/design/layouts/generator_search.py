"""A search for fractions of minimum aberration, by which the table of generators is confirmed."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

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
