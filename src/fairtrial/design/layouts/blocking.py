"""Blocks of two-level layouts: effects that nobody needs are mixed with the differences between blocks."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.layouts.generator_words import word_column
from fairtrial.design.layouts.layout import FloatArray
from fairtrial.design.layouts.regular_fraction import RegularFraction, as_product
from fairtrial.errors import InputError
from fairtrial.words import listed, shown, verb

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
