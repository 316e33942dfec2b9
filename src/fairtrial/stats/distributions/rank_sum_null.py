"""The exact null distribution of rank sums over data sets, with ties and weights, and random draws from it.

Under the null hypothesis every order of a data set's ranks is equally likely. The distribution is built up data set by
data set, over sorted vectors of rank sums: the null hypothesis treats all methods alike, so that one sorted vector
stands for up to k! unsorted ones. A sorting network sorts the sums, column by column. The last data set is not added to
the states, since only the sum of squares is needed. Counts are added and never subtracted, so that a p-value of 1e-200
is as accurate as one of 0.05.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.score_arrays import FloatArray, IntArray

StateArray: TypeAlias = npt.NDArray[np.signedinteger]

SECOND_OF_WORK = 65_000_000  # arrangements that take one or two seconds
MOST_WORK = 500_000_000  # arrangements that take about ten seconds
CHUNK = 2_000_000  # arrangements in memory at a time
BLOCK = 50_000  # arrangements sorted at a time, few enough for the processor's cache
MOST_STATES = 50_000_000  # entries in the array of states: 400 MB
MOST_ORDERS = 1_000_000  # orders of one data set, all in memory: 9 methods without ties
PLACES_PER_WORK = 10  # entries of the array of states that are scanned in the time of one arrangement
DECADES = 590  # powers of ten between the smallest and the largest count that floating point can hold


@dataclass(frozen=True, slots=True)
class RankSumNull:
    """The null distribution of the sum of squared rank sums: its possible values, ascending, and their weights.

    The weights do not sum to 1.
    """

    squares: IntArray
    weights: FloatArray

    @property
    def probability(self) -> FloatArray:
        return self.weights / float(self.weights.sum())

    def tail(self, square: int) -> Tail:
        """The probability of a sum of squares of at least ``square``."""
        above = float(self.weights[np.searchsorted(self.squares, square) :][::-1].sum())
        total = float(self.weights.sum())
        if above == 0:
            return Tail(0.0, -math.inf)
        return Tail(min(above / total, 1.0), min(math.log10(above) - math.log10(total), 0.0))

    def critical(self, alpha: float) -> int | None:
        """The smallest sum of squares whose tail probability is below ``alpha``, or None."""
        upper = self.weights[::-1].cumsum()[::-1] / self.weights.sum()
        reached = np.flatnonzero(upper < alpha)
        return int(self.squares[reached[0]]) if len(reached) else None


def friedman_null(doubled_ranks: IntArray, work: float = math.inf, observed: int | None = None) -> RankSumNull | None:
    """The null distribution of the sum of squared (doubled) rank sums, if all orders within rows are equally likely.

    Rows may hold any whole numbers: ranks with ties, weighted ranks, aligned ranks. The result is ``None`` if more than
    ``work`` arrangements would have to be visited, or if the smallest and the largest probability differ by more than
    floating point can hold (two methods on 2,000 data sets). With ``observed`` only two weights are computed, below it
    and from it on, which needs little memory if ranks are large.

    >>> null = friedman_null(np.array([[2, 4, 6], [2, 4, 6]]))   # 2 data sets, 3 methods
    >>> (null.squares // 4).tolist(), null.probability.round(4).tolist()
    ([48, 50, 54, 56], [0.1667, 0.3333, 0.3333, 0.1667])
    """
    ranks = np.sort(doubled_ranks, axis=1)
    least = int(ranks[:, 0].sum())
    ranks = ranks - ranks[:, :1]
    unit = max(int(np.gcd.reduce(ranks.ravel())), 1)
    rows = ranks[ranks[:, -1] > 0] // unit
    if len(rows) < 2:
        sums = (rows.sum(axis=0) if len(rows) else ranks[0]) * unit + least
        return RankSumNull(np.array([(sums * sums).sum()]), np.ones(1))
    counts = arrangement_counts(rows)
    order = np.lexsort((rows[:, -1], -counts))  # rows with ties or a wide range create many sums, so they come last
    rows, counts = rows[order], counts[order]
    decades = float(np.log10(counts[1:]).sum())
    left = counts[::-1].cumsum()[::-1]  # arrangements of this row and all later ones, for each state
    if decades > DECADES or left[1] > work or counts.max() > MOST_ORDERS:
        return None
    states: StateArray = rows[:1].T.astype(np.int32)
    weights = np.array([10.0 ** -(decades / 2)])
    done = 0.0
    for i in range(1, len(rows)):
        count = states.shape[1]
        if done + count * left[i] > work or (i < len(rows) - 1 and _space(rows[: i + 1]) > MOST_STATES):
            return None
        done += count * counts[i] + _space(rows[: i + 1]) / PLACES_PER_WORK
        if i == len(rows) - 1:
            break
        states, weights = _add_row(states, weights, rows[: i + 1])
    # rows were shifted to start at 0 and divided by the unit: a sum of squares q of these rows is unit²·q + shift
    shift = 2 * least * unit * int(rows.sum()) + rows.shape[1] * least**2
    if observed is not None:
        return _split(states, weights, rows[-1], -((shift - observed) // unit**2), observed)
    null = _last_row(states, weights, rows[-1])
    return RankSumNull(null.squares * unit**2 + shift, null.weights)


def friedman_sample(doubled_ranks: IntArray, draws: int, random: np.random.Generator) -> Iterator[IntArray]:
    """Sums of squared rank sums for ``draws`` random permutations within rows, in chunks."""
    n, k = doubled_ranks.shape
    size = max(CHUNK // (n * k), 1)
    for start in range(0, draws, size):
        shuffled = np.broadcast_to(doubled_ranks, (min(size, draws - start), n, k))
        sums = random.permuted(shuffled, axis=2).sum(axis=1)
        yield (sums * sums).sum(axis=1)


def arrangement_counts(rows: IntArray) -> FloatArray:
    """The number of different orders of the ranks of each ascending row: k! divided by t! for each set of t ties.

    >>> arrangement_counts(np.array([[1, 2, 3, 4], [1, 1, 2, 2], [5, 5, 5, 5]]))
    array([24.,  6.,  1.])
    """
    run = np.ones(len(rows))  # the length of the current run of equal ranks
    counts = np.ones(len(rows))
    for j in range(1, rows.shape[1]):
        run = np.where(rows[:, j] == rows[:, j - 1], run + 1, 1.0)
        with np.errstate(over="ignore"):
            counts *= (j + 1) / run
    return counts.round()


@lru_cache(maxsize=64)
def _arrangements(row: tuple[int, ...]) -> StateArray:
    """All different orders of an ascending row, one in each column, by inserting each rank at every position.

    >>> _arrangements((1, 2, 2)).T.tolist()
    [[2, 2, 1], [2, 1, 2], [1, 2, 2]]
    """
    orders = np.empty((1, 0), dtype=np.int32)
    last = np.full(1, -1)  # position of the rank before: an equal rank is inserted only to its right
    for m, rank in enumerate(row):
        if m == 0 or rank != row[m - 1]:
            last = np.full(len(orders), -1)
        parts = [(place, orders[last < place]) for place in range(m + 1)]
        orders = np.concatenate([np.insert(part, place, rank, axis=1) for place, part in parts])
        last = np.concatenate([np.full(len(part), place) for place, part in parts])
    return np.ascontiguousarray(orders.T)


@lru_cache(maxsize=32)
def _network(k: int) -> tuple[tuple[int, int], ...]:
    """The comparisons of a sorting network for k numbers (Batcher's odd-even merge; Knuth, volume 3, 5.2.2M).

    >>> _network(3)
    ((0, 2), (0, 1), (1, 2))
    """
    found = []
    top = 1 << max((k - 1).bit_length() - 1, 0)
    p = top
    while p:
        q, r, d = top, 0, p
        while True:
            found += [(i, i + d) for i in range(k - d) if i & p == r]
            if q == p:
                break
            d, q, r = q - p, q // 2, p
        p //= 2
    return tuple(found)


@lru_cache(maxsize=8)
def _places(k: int, most: int) -> tuple[IntArray, ...]:
    """For each of k sorted sums except the smallest, the summand of each value up to ``most`` in the vector's index.

    Vectors of k − 1 sorted numbers are indexed without gaps (the combinatorial number system), so that an array over
    all of them is small. The smallest sum follows from the others.
    """
    columns = [np.minimum(np.arange(most + 2), 1)]
    for _ in range(k - 1):
        columns.append(columns[-1].cumsum())  # binomial coefficients of v + j − 1 over j, for the j-th sum v
    return tuple(columns[1:])


def _space(rows: IntArray) -> int:
    """The number of sorted vectors of sums of these rows, not counting the smallest sum."""
    k, most = rows.shape[1], int(rows[:, -1].sum())
    return math.comb(most + k - 1, k - 1)


def _add_row(states: StateArray, weights: FloatArray, rows: IntArray) -> tuple[StateArray, FloatArray]:
    """The states after adding all orders of the last of these rows; each column is a state."""
    k, most = rows.shape[1], int(rows[:, -1].sum())
    orders = _arrangements(tuple(rows[-1].tolist()))
    if most < 2**15:  # 16 bits are enough, and halve the memory traffic
        states, orders = states.astype(np.int16), orders.astype(np.int16)
    count, places = orders.shape[1], _places(k, most)
    total = np.zeros(_space(rows))
    at_once = max(CHUNK // count, 1)
    for start in range(0, states.shape[1], at_once):
        part = slice(start, start + at_once)
        keys, repeated = _all_sums(states[:, part], weights[part], orders, places)
        total += np.bincount(keys, weights=repeated, minlength=len(total))
    found = np.flatnonzero(total)
    return _states(found, places, int(rows.sum())), total[found]


def _all_sums(
    states: StateArray, weights: FloatArray, orders: StateArray, places: tuple[IntArray, ...]
) -> tuple[IntArray, FloatArray]:
    """The index of the sorted sum of each state and each order, and the weight of the state."""
    (k, n), count = states.shape, orders.shape[1]
    keys, repeated = np.empty(n * count, dtype=np.int64), np.empty(n * count)
    block = max(BLOCK // count, 1)
    for first in range(0, n, block):
        part, own = states[:, first : first + block], weights[first : first + block]
        to = slice(first * count, first * count + part.shape[1] * count)
        if block > count:  # the longer of the two axes is the innermost
            sums = (part[:, None, :] + orders[:, :, None]).reshape(k, -1)
            repeated[to] = np.tile(own, count)
        else:
            sums = (part[:, :, None] + orders[:, None, :]).reshape(k, -1)
            repeated[to] = np.repeat(own, count)
        keys[to] = _keys(sums, places)
    return keys, repeated


def _keys(sums: StateArray, places: tuple[IntArray, ...]) -> IntArray:
    """Sort each column in place, and return its index."""
    for i, j in _network(len(sums)):
        low = np.minimum(sums[i], sums[j])
        np.maximum(sums[i], sums[j], out=sums[j])
        sums[i] = low
    keys: IntArray = places[0].take(sums[1])
    for place, row in zip(places[1:], sums[2:], strict=True):
        keys += place.take(row)
    return keys


def _states(keys: IntArray, places: tuple[IntArray, ...], total: int) -> StateArray:
    """The sorted sums with these indices."""
    states = np.empty((len(places) + 1, len(keys)), dtype=np.int32)
    rest = keys.copy()
    for j in range(len(places), 0, -1):
        states[j] = np.searchsorted(places[j - 1], rest, "right") - 1
        rest -= places[j - 1].take(states[j])
    states[0] = total - states[1:].sum(axis=0)
    return states


def _squares(
    states: StateArray, weights: FloatArray, row: IntArray
) -> Iterator[tuple[npt.NDArray[np.float64], FloatArray]]:
    """The sum of squares for each state s and each order o of the last row, in chunks: |s|² + 2 s·o + |o|²."""
    orders = _arrangements(tuple(row.tolist())).astype(np.float64)
    known, at_once = float((row * row).sum()), max(CHUNK // orders.shape[1], 1)
    for start in range(0, len(weights), at_once):
        part = states[:, start : start + at_once].astype(np.float64)
        yield ((part**2).sum(axis=0) + known)[:, None] + 2 * (part.T @ orders), weights[start : start + at_once]


def _last_row(states: StateArray, weights: FloatArray, row: IntArray) -> RankSumNull:
    """The null distribution after the last row."""
    own = (states.astype(np.int64) ** 2).sum(axis=0)
    known = int((row * row).sum())
    # states and row are ascending, so that their product in this order is the largest
    lowest, highest = int(own.min()) + known, int((own + 2 * (states.T @ row)).max()) + known
    total = np.zeros(highest - lowest + 1)
    for squares, part in _squares(states, weights, row):
        keys = (squares - lowest).astype(np.int64).ravel()
        total += np.bincount(keys, weights=np.repeat(part, squares.shape[1]), minlength=len(total))
    found = np.flatnonzero(total)
    return RankSumNull(found + lowest, total[found])


def _split(states: StateArray, weights: FloatArray, row: IntArray, least: int, observed: int) -> RankSumNull:
    """The null distribution in two parts: sums of squares below ``least``, and from it on, labelled ``observed``."""
    below = above = 0.0
    for squares, part in _squares(states, weights, row):
        reached = (squares >= least).sum(axis=1)
        above += float(part @ reached)
        below += float(part @ (squares.shape[1] - reached))
    return RankSumNull(np.array([observed - 1, observed]), np.array([below, above]))
