"""Sums of random subsets, which contain each element with probability ½: the null distribution of random signs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from fairtrial.stats.distributions.replicates import chunks
from fairtrial.stats.score_arrays import IntArray

MANY = 4096  # elements: for more, sums of eight elements are made once and chosen by random bytes
BYTES = 2**25  # random bytes in memory at a time
TABLES = 128  # bytes whose 256 sums each, 256 kB together, stay in the processor's cache


def drawn_subsets(whole: IntArray, replicates: int, seed: int) -> tuple[IntArray, IntArray]:
    """The sum and size of random subsets.

    >>> sums, sizes = drawn_subsets(np.array([1, 10, 100]), 3, seed=1)
    >>> sums.tolist(), sizes.tolist()
    ([111, 111, 100], [3, 3, 1])
    """
    n = len(whole)
    parts = []
    for drawn in _random_bytes(n, replicates, np.random.default_rng(seed)):
        if n > MANY:
            parts.append((_chosen_sums(whole, drawn), _ones(drawn)))
        else:
            flipped = np.unpackbits(drawn, axis=1)[:, :n]
            parts.append(((flipped * whole).sum(axis=1), flipped.sum(axis=1, dtype=np.int64)))
    sums, sizes = (np.concatenate(column) for column in zip(*parts, strict=True))
    return sums, sizes


def _random_bytes(n: int, replicates: int, random: np.random.Generator) -> Iterator[npt.NDArray[np.uint8]]:
    """Random bytes for some replicates at a time: a row for each, a bit for each element, and 0 behind the last."""
    width, steps = -(-n // 8), list(chunks(replicates, n))
    together = max(BYTES // (width * steps[0]), 1) if n > MANY else 1
    for first in range(0, len(steps), together):
        drawn = [random.bytes(b * width) for b in steps[first : first + together]]
        rows = np.frombuffer(b"".join(drawn), np.uint8).reshape(-1, width).copy()
        rows[:, -1] &= np.uint8(256 - 2 ** (8 * width - n))
        yield rows


def _ones(drawn: npt.NDArray[np.uint8]) -> IntArray:
    """The number of ones in each row of bits."""
    if hasattr(np, "bitwise_count"):  # since numpy 2.0
        return np.asarray(np.bitwise_count(drawn).sum(axis=1, dtype=np.int64))
    return np.asarray(np.unpackbits(drawn, axis=1).sum(axis=1, dtype=np.int64))


def _chosen_sums(whole: IntArray, drawn: npt.NDArray[np.uint8]) -> IntArray:
    """The sums of the subsets: each byte chooses among the 256 sums of eight elements."""
    eights = np.append(whole, np.zeros(8 * drawn.shape[1] - len(whole), dtype=np.int64)).reshape(-1, 8)
    sums = np.zeros(len(drawn), dtype=np.int64)
    for first in range(0, len(eights), TABLES):
        table = _sums_of_eight(eights[first : first + TABLES])
        places = drawn[:, first : first + TABLES] + np.arange(0, len(table), 256, dtype=np.intp)
        sums += table.take(places).sum(axis=1)
    return sums


def _sums_of_eight(eights: IntArray) -> IntArray:
    """The sums of all subsets of the eight elements of each row, in the order of the bits of a byte."""
    sums = np.zeros((len(eights), 256), dtype=np.int64)
    for bit in range(8):  # the last element has the lowest bit
        size = 2**bit
        sums[:, size : 2 * size] = sums[:, :size] + eights[:, 7 - bit, None]
    return sums.ravel()
