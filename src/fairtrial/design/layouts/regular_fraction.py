"""Regular two-level fractions 2^(k−p): their defining words, word-length pattern, resolution and alias chains.

A run is a number from 0 to 2^m − 1, whose bits are the levels of the m base factors. The column of a factor is a
number, too: its bits say of which base factors it is the product. The product of two columns is their exclusive or; so
effects are mixed with each other if the exclusive or of their columns is 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairtrial.design.layouts.layout import FloatArray
from fairtrial.tables import Column, Shown, Table

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The letters of factors; I is the identity, and so it is left out."""


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """The letters by which generators name factors: the names, if each has one letter, else A, B, C and so on.

    >>> short_names(["rate", "depth"]), short_names(["X", "Y"])
    (('A', 'B'), ('X', 'Y'))
    """
    if all(len(name) == 1 for name in names):
        return tuple(names)
    return tuple(LETTERS[: len(names)])


def as_product(factors: Sequence[str], names: Sequence[str]) -> str:
    """The product of some factors as people write it: without a sign if all names of the layout have one letter.

    >>> as_product("BC", "ABCD"), as_product(["rate", "C"], ["rate", "C", "depth"])
    ('BC', 'rate × C')
    """
    return ("" if all(len(name) == 1 for name in names) else " × ").join(factors)


@dataclass(frozen=True)
class RegularFraction(Shown):
    """A regular two-level fraction: the names of its factors, the column of each, and the sign of each.

    >>> quarter = RegularFraction(tuple("ABCDE"), base=3, columns=(1, 2, 4, 3, 5))
    >>> quarter.generators, quarter.defining_words
    (('D = AB', 'E = AC'), ('ABD', 'ACE', 'BCDE'))
    >>> quarter.resolution, quarter.word_lengths
    (3, (0, 0, 2, 1, 0))
    >>> quarter.alias_sentences()[:2]
    ('A is mixed with BD + CE', 'B is mixed with AD')
    """

    names: tuple[str, ...]
    base: int
    columns: tuple[int, ...]
    signs: tuple[int, ...] = ()

    @property
    def runs(self) -> int:
        """The number of runs, 2^m for m base factors."""
        return int(2**self.base)

    @cached_property
    def rows(self) -> FloatArray:
        """The settings as signs, in standard order: the first factor changes fastest."""
        run = np.arange(self.runs)[:, None]
        negative = np.zeros((self.runs, len(self.columns)), dtype=np.intp)
        for bit in range(self.base):
            negative += ((np.array(self.columns) >> bit) & 1) * (1 - ((run >> bit) & 1))
        return np.asarray((1.0 - 2 * (negative & 1)) * np.array(self._signs))

    @property
    def _signs(self) -> tuple[int, ...]:
        return self.signs or (1,) * len(self.columns)

    @cached_property
    def _words(self) -> tuple[tuple[int, int], ...]:
        """All defining words with their signs, as sets of factors in the bits of a number; by length, then letter."""
        words = [(0, 1)]
        base = {column: i for i, column in reversed(list(enumerate(self.columns))) if column.bit_count() == 1}
        basic = set(base.values())
        for i, column in enumerate(self.columns):
            if i not in basic:
                parts = [base[1 << bit] for bit in range(self.base) if column >> bit & 1]
                word = sum(1 << part for part in parts) | 1 << i
                sign = int(np.prod([self._signs[j] for j in (*parts, i)]))
                words += [(other ^ word, other_sign * sign) for other, other_sign in words]
        return tuple(sorted(words[1:], key=lambda w: (w[0].bit_count(), self._places(w[0]))))

    def _places(self, word: int) -> tuple[int, ...]:
        return tuple(i for i in range(len(self.names)) if word >> i & 1)

    def _written(self, word: int, sign: int = 1) -> str:
        return ("−" if sign < 0 else "") + as_product([self.names[i] for i in self._places(word)], self.names)

    @cached_property
    def defining_words(self) -> tuple[str, ...]:
        """All products of factors that are constant over the runs, short ones first: I = ABD = ACE = BCDE."""
        return tuple(self._written(word, sign) for word, sign in self._words)

    @property
    def generators(self) -> tuple[str, ...]:
        """How each further factor is made from base factors: D = AB."""
        base = [self.columns.index(1 << bit) for bit in range(self.base)]
        made = []
        for i, column in enumerate(self.columns):
            if i not in base:
                parts = sum(1 << base[bit] for bit in range(self.base) if column >> bit & 1)
                made.append(f"{self.names[i]} = {self._written(parts, self._signs[i])}")
        return tuple(made)

    @cached_property
    def word_lengths(self) -> tuple[int, ...]:
        """The word-length pattern: the numbers of defining words of length 1, 2, … up to the number of factors."""
        lengths = [word.bit_count() for word, _ in self._words]
        return tuple(lengths.count(length) for length in range(1, len(self.names) + 1))

    @property
    def resolution(self) -> int | None:
        """The length of the shortest defining word; None for a full factorial, which has none."""
        return next((length for length, count in enumerate(self.word_lengths, start=1) if count), None)

    def alias_chains(self, order: int = 2) -> tuple[tuple[str, ...], ...]:
        """Effects of up to ``order`` factors that can't be told apart, in chains of two or more; simple effects first.

        >>> RegularFraction(tuple("ABCD"), base=3, columns=(1, 2, 4, 7)).alias_chains()
        (('AB', 'CD'), ('AC', 'BD'), ('AD', 'BC'))
        """
        chains: dict[int, list[tuple[int, int]]] = {}
        for size in range(1, order + 1):
            for places in itertools.combinations(range(len(self.names)), size):
                column = 0
                for i in places:
                    column ^= self.columns[i]
                sign = int(np.prod([self._signs[i] for i in places]))
                chains.setdefault(column, []).append((sum(1 << i for i in places), sign))
        several = [chain for column, chain in chains.items() if column and len(chain) > 1]
        return tuple(tuple(self._written(word, sign * chain[0][1]) for word, sign in chain) for chain in several)

    def alias_sentences(self, order: int = 2) -> tuple[str, ...]:
        """The alias chains in words: "A is mixed with BC + DE"."""
        return tuple(
            f"{first} is mixed with {' + '.join(others).replace('+ −', '− ')}"
            for first, *others in self.alias_chains(order)
        )

    def to_table(self, order: int = 2) -> Table:
        """The alias chains as a table, a row for each effect that is mixed with others."""
        rows = tuple((first, " + ".join(others).replace("+ −", "− ")) for first, *others in self.alias_chains(order))
        mixed = f"effects of up to {order} factors that this layout can't tell apart"
        columns = (Column("effect", align="left"), Column("is mixed with", align="left"))
        return Table(columns=columns, rows=rows, caption=mixed)
