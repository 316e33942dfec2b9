"""Twins: rows that are equal, or nearly so; how many there are, and how many would be there by chance.

Rows are compared by a hash of each cell. The hash of some columns is the sum of the hashes of their cells, so that
columns are left out by a subtraction.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Hashes: TypeAlias = npt.NDArray[np.uint64]
FloatArray: TypeAlias = npt.NDArray[np.float64]

BEYOND_CHANCE = 3.0
"""How many times the number of pairs that chance allows there must be."""

LARGE, VERY_LARGE, FEW_VALUES = 4, 10, 30
"""Four equal rows are many and ten very many; thirty different values of a feature are few."""

BY_CHANCE = 1e-6
"""The probability below which a common divisor of all sizes is no chance."""

SEVERAL_VALUES, MANY_VALUES = 4, 10
"""Numbers with more than four values vary by degrees; with more than ten, in small ones."""

MOST_BLOCKS = 40
SIDE = 2**40  # the number of a column that no matrix has
GOLDEN = 0x9E3779B97F4A7C15
MIXERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def cell_hashes(X: FloatArray, first: int = 0) -> Hashes:
    """A hash of each cell, which depends on its value and its column; ``first`` is the number of the first column.

    >>> h = cell_hashes(np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]])).sum(axis=1)
    >>> bool(h[0] == h[2]), bool(h[0] == h[1])
    (True, False)
    """
    plain = np.where(np.isnan(X), np.nan, X) + 0.0  # one form of nan, and of zero
    mixed = np.ascontiguousarray(plain, dtype=np.float64).view(np.uint64)
    columns = np.arange(first + 1, first + 1 + X.shape[1], dtype=np.uint64) * np.uint64(GOLDEN)
    mixed = mixed + columns
    for shift, factor in zip((30, 27), MIXERS, strict=True):  # the steps of splitmix64
        mixed ^= mixed >> np.uint64(shift)
        mixed *= np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def row_hashes(X: FloatArray, block: int = 8192) -> Hashes:
    """A hash of each row; made in blocks of rows, since the hashes of all cells may not fit into memory."""
    return np.concatenate([cell_hashes(X[i : i + block]).sum(axis=1) for i in range(0, len(X), block)])


def pairs(hashes: Hashes) -> float:
    """The number of pairs of equal hashes.

    >>> pairs(np.array([7, 7, 7, 9, 9, 1], dtype=np.uint64))
    4.0
    """
    ordered = np.sort(hashes)
    edges = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1], [True]]))
    counts = np.diff(edges).astype(np.float64)
    return float((counts * (counts - 1) / 2).sum())


def cross_pairs(hashes: Hashes, side: npt.NDArray[Any] | None) -> float:
    """The number of pairs of equal hashes on different sides; without sides, of all pairs."""
    if side is None:
        return pairs(hashes)
    return pairs(hashes) - pairs(hashes + cell_hashes(side[:, None].astype(np.float64), SIDE)[:, 0])


@dataclass(frozen=True, slots=True)
class Twins:
    """The rows that have a twin: whether each has one, the number of pairs, and how often each different row occurs."""

    has_one: npt.NDArray[np.bool_]
    pairs: float
    sizes: npt.NDArray[np.intp]

    @property
    def rows(self) -> int:
        """The number of rows that have a twin."""
        return int(self.has_one.sum())


def twins(hashes: Hashes, side: npt.NDArray[Any] | None = None) -> Twins:
    """The rows that have a twin; with sides (groups, data sets), one on another side."""
    _, place, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    others = counts[place.reshape(-1)]
    if side is not None:
        both = hashes + cell_hashes(side[:, None].astype(np.float64), SIDE)[:, 0]
        _, place, own = np.unique(both, return_inverse=True, return_counts=True)
        others = others - own[place.reshape(-1)] + 1
    return Twins(others > 1, cross_pairs(hashes, side), counts)


def chance_pairs(
    cells: Hashes, fixed: Hashes, side: npt.NDArray[Any] | None = None, unseen: float = 0.0
) -> tuple[float, float]:
    """The number of pairs of equal rows, and the number that chance allows.

    Rows that resemble each other may be equal by chance; where they are, there are also pairs that differ only in a few
    columns. Let the columns be divided into a block B and the others, A. Of all pairs with the same ``fixed`` (their
    class), let a be the number of those that agree on A only, b on B only, and d on neither. If A and B were
    independent, a · b / d pairs would agree on both. The number that chance allows is the largest over many blocks:
    single columns, and neighbours up to half of all (columns that encode one variable depend on each other).
    A standard error is taken off a, since the largest of many noisy numbers is too large. ``unseen`` is added to a;
    with 3, a number that a sample of rows gives is an upper limit. One column can't be divided: all its pairs may be
    chance.

    >>> noise = np.random.default_rng(1).integers(0, 2, (300, 8)).astype(float)  # 256 possible rows
    >>> found, allowed = chance_pairs(cell_hashes(noise), np.zeros(300, dtype=np.uint64))
    >>> found, round(allowed)  # 300 · 299 / 2 / 256 = 175 are expected
    (168.0, 174)
    """
    whole = fixed + cells.sum(axis=1)
    both, total = cross_pairs(whole, side), cross_pairs(fixed, side)
    allowed = 0.0 if cells.shape[1] > 1 else both
    for start, end in _blocks(cells.shape[1]):
        block = cells[:, start:end].sum(axis=1)
        rest, own = cross_pairs(whole - block, side) - both, cross_pairs(fixed + block, side) - both
        sure = max(rest, 0.0) - math.sqrt(max(rest, 0.0)) + unseen
        allowed = max(allowed, sure * own / max(total - rest - own - both, 1.0))
    return both, allowed


def is_beyond(found: float, allowed: float) -> bool:
    """Whether there are clearly more pairs than chance allows: three times as many, and three standard errors."""
    most = BEYOND_CHANCE * allowed
    return found > most + 3 * math.sqrt(most)


def copied_times(sizes: npt.NDArray[np.intp]) -> int:
    """How many times a whole table was copied: the number that divides how often each different row occurs; else 1.

    By chance, the size of one different row is divisible by g with a probability of at most about 1/g. Of K different
    rows all sizes are, with g to the power of −K; a divisor is believed below one in a million. So copies of a whole
    table are found even where chance makes as many twins, from 14 different rows (three times) or 20 (twice) on.

    >>> copied_times(np.full(14, 3)), copied_times(np.full(13, 2)), copied_times(np.r_[np.full(40, 3), 1])
    (3, 1, 1)
    """
    divisor = int(np.gcd.reduce(sizes)) if len(sizes) else 1
    return divisor if len(sizes) * math.log(divisor) > -math.log(BY_CHANCE) else 1


def widened(X: FloatArray, numeric: npt.NDArray[np.bool_]) -> FloatArray:
    """The table with two or five neighbouring values of each number made equal; categories and few values stay.

    Numbers that vary by degrees (measurements that are rounded, answers on a scale) have many more pairs of rows that
    are nearly equal than pairs that are equal, whatever the dependence of the columns; copies have hardly more.
    """
    wide = X.copy()
    for j in np.flatnonzero(numeric).tolist():
        values = np.unique(X[:, j][~np.isnan(X[:, j])])
        if len(values) > SEVERAL_VALUES:
            step = (5 if len(values) > MANY_VALUES else 2) * float(np.diff(values).min())
            with np.errstate(over="ignore", invalid="ignore"):
                wide[:, j] = np.floor(X[:, j] / step + 0.4)
    return wide


def are_few_kinds(X: FloatArray, sizes: npt.NDArray[np.intp]) -> bool:
    """Whether rows are of a few kinds: no column has many values, and kinds are very large, or some large, some small.

    Copies are found in twos or threes, or all equally often. ``sizes`` says how often each different row occurs.
    """
    several = sizes[sizes > 1]
    in_large = several[several >= LARGE].sum() / several.sum()
    vary = in_large >= 0.25 and several.std() >= 0.4 * several.mean()
    return bool((vary or several.mean() >= VERY_LARGE) and _most_values(X) <= FEW_VALUES)


def _most_values(X: FloatArray) -> float:
    """The effective number of values of the column that has most: 1 / Σ share²."""
    counts = (np.unique(column, return_counts=True)[1].astype(np.float64) for column in X.T)
    return max(float(len(X) ** 2 / np.square(c).sum()) for c in counts)


def _blocks(p: int) -> Iterator[tuple[int, int]]:
    """Blocks of neighbouring columns: 1, 2, 3, 5, 8 … of them, up to half; at most forty."""
    widths, nearest = [1], 2
    while nearest <= max(1, p // 2):
        widths.append(nearest)
        nearest = max(nearest + 1, round(nearest * 1.6))
    places = [(start, start + w) for w in widths for start in range(0, p - w + 1, max(1, w // 2)) if w < p]
    chosen = np.unique(np.linspace(0, len(places) - 1, min(MOST_BLOCKS, len(places))).astype(int))
    yield from (places[i] for i in chosen.tolist())


def grid(X: FloatArray, spread: FloatArray, width: float, offset: float) -> FloatArray:
    """The cell of a grid in which each value is; the cells have ``width`` times the spread of the column.

    A column without spread keeps its values.
    """
    steps = np.where(spread * width > 0, spread * width, 1.0)
    with np.errstate(over="ignore"):
        cells = np.floor(X / steps + offset)
    return np.where(spread > 0, cells, X)
