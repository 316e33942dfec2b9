"""Rank sums of several methods over data sets: Friedman's and related statistics, and their p-values.

The exact null distribution of rank sums over data sets, with ties and weights, and random draws from it.

Under the null hypothesis every order of a data set's ranks is equally likely. The distribution is built up data set by
data set, over sorted vectors of rank sums: the null hypothesis treats all methods alike, so that one sorted vector
stands for up to k! unsorted ones. A sorting network sorts the sums, column by column. The last data set is not added to
the states, since only the sum of squares is needed. Counts are added and never subtracted, so that a p-value of 1e-200
is as accurate as one of 0.05.

Placements: for each instance, the share of instances of the other class that are ranked on the right side of it.

Their mean is the area under the ROC curve, and their variances give DeLong's variance of the area.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.measures import Folds, Order
from fairtrial.measures import channel_checks as channel
from fairtrial.stats.distributions.fisher_f import f_tail
from fairtrial.stats.distributions.tail import Tail, chi_square_tail
from fairtrial.stats.outcome import Chances, Null
from fairtrial.stats.score_arrays import BoolArray, FloatArray, IntArray, random_draws
from fairtrial.words import part_of, quoted

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


APPROXIMATION_NOTE = "there are too many orders to count them all: p is an approximation for many data sets"
ALL_ALIKE = "all data sets rank the methods alike: F is infinite, and p is the exact probability of that"
FEW_DATA_SETS = 50  # for more, the relative error of chi-square, about 1/N, is below that of 20,000 random permutations
FEW_RANKS = 5_000  # for more ranks in a table, 20,000 random permutations take over a second


def rank_statistics(doubled: IntArray) -> dict[str, Any]:
    """Friedman's statistic and Iman and Davenport's F (with and without tie correction), Kendall's W, average ranks."""
    n, k = doubled.shape
    sums = doubled.sum(axis=0) / 2
    between = float(((sums - n * (k + 1) / 2) ** 2).sum())
    within = _within(doubled)
    chi_square = (k - 1) * between / within if within > 0 else math.nan
    plain = 12 * between / (n * k * (k + 1))
    f, plain_f = (_iman_davenport(x, n, k) for x in (chi_square, plain))
    df = k - 1, (k - 1) * (n - 1)
    return {
        "average_ranks": (sums / n).tolist(),
        "rank_sums": sums.tolist(),
        "chi_square": chi_square,
        "chi_square_p": chi_square_tail(chi_square, k - 1).value,
        "without_tie_correction": plain,
        "without_tie_correction_p": chi_square_tail(plain, k - 1).value,
        "kendall_w": chi_square / (n * (k - 1)),
        "iman_davenport": f,
        "iman_davenport_p": (same_order_tail(doubled) if math.isinf(f) else f_tail(f, *df)).value,
        "iman_davenport_without_tie_correction": plain_f,
        "iman_davenport_without_tie_correction_p": (
            same_order_tail(doubled) if math.isinf(plain_f) else f_tail(plain_f, *df)
        ).value,
    }


def _iman_davenport(chi_square: float, n: int, k: int) -> float:
    rest = n * (k - 1) - chi_square
    return math.inf if rest <= 1e-12 * n * k else (n - 1) * chi_square / rest


class RankSumP(NamedTuple):
    """A p-value of rank sums and the method that computed it.

    ``error`` is its Monte Carlo standard error, ``floor`` the smallest p-value that the number of draws allows, and
    ``null`` the exact null distribution where it was counted.
    """

    tail: Tail
    method: str
    error: float = 0.0
    floor: float = 0.0
    null: RankSumNull | None = None


def rank_sum_p(ranks: IntArray, method: str, draws: int, seed: int, *, every_sum: bool = False) -> RankSumP | None:
    """The p-value of rank sums if all orders within rows are equally likely, by exact counting or random draws.

    ``auto`` counts if that takes at most a second. Otherwise it draws for up to 50 data sets (not counting data sets on
    which all methods tie), and returns ``None`` for more: use the approximation. ``every_sum`` asks for the whole null
    distribution.
    """
    random = random_draws(draws, seed)
    if method in ("auto", "exact"):
        observed = _square(ranks)
        work = MOST_WORK if method == "exact" else SECOND_OF_WORK
        null = friedman_null(ranks, work, None if every_sum else observed)
        if null is not None:
            return RankSumP(null.tail(observed), "exact", null=null)
    if method == "exact":
        n, k = ranks.shape
        raise InputError(
            f"method 'exact' would take too long for {n} data sets and {k} methods; use 'monte-carlo' or 'auto'"
        )
    ranks = ranks[np.ptp(ranks, axis=1) > 0]
    if method == "auto" and (len(ranks) > FEW_DATA_SETS or ranks.size > FEW_RANKS):
        return None
    observed = _square(ranks)
    hits = sum(int((drawn >= observed).sum()) for drawn in friedman_sample(ranks, draws, random))
    p = (1 + hits) / (1 + draws)
    return RankSumP(Tail(p, math.log10(p)), "monte-carlo", math.sqrt(p * (1 - p) / draws), 1 / (1 + draws))


def rank_sum_distribution(method: str, ranks: IntArray, statistic: float, draws: int, seed: int) -> Null:
    """The null distribution by the method of a p-value; ``statistic`` is chi-square of the rank sums."""
    n, k = ranks.shape
    if method == "chi-square":
        return Null("chi-square", k - 1)
    if method in ("f", "iman-davenport"):
        return Null("F", (k - 1, (k - 1) * (n - 1)))
    name, drawn = "χ² of the rank sums", draws if method == "monte-carlo" else 0
    name += f", from {drawn:,} random orders" if drawn else ""
    return Null(name, observed=statistic, side="greater", chances=partial(_rank_sum_chances, ranks, drawn, seed))


def _rank_sum_chances(ranks: IntArray, draws: int, seed: int) -> Chances:
    """Chi-square of rank sums under all orders within rows, or under the observed and the random ones of p."""
    ranks = ranks[np.ptp(ranks, axis=1) > 0]
    if draws:
        drawn = [*friedman_sample(ranks, draws, random_draws(draws, seed)), np.array([_square(ranks)])]
        squares, counts = np.unique(np.concatenate(drawn), return_counts=True)
        null: RankSumNull | None = RankSumNull(squares, counts.astype(np.float64))
    else:
        null = friedman_null(ranks, MOST_WORK)
    assert null is not None, "the p-value was counted in the same way"
    between = null.squares - ranks.sum() ** 2 / ranks.shape[1]
    spread = ((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum()
    return (ranks.shape[1] - 1) * between / spread, null.probability


def _square(ranks: IntArray) -> int:
    """The sum of squared rank sums."""
    sums = ranks.sum(axis=0)
    return int((sums * sums).sum())


def random_orders_note(found: RankSumP, draws: int, formula: str, p: float) -> str:
    """The note of a p-value from random permutations: their number, its standard error, and an approximate p."""
    error = f"standard error {found.error:.2g}"
    return f"p is from {draws:,} random permutations, {error}; {formula} would give p = {p:.3g}"


def same_order_tail(ranks: IntArray) -> Tail:
    """The exact p-value if every data set orders the methods alike, where F is infinite."""
    ways = arrangement_counts(np.sort(ranks, axis=1))
    log10 = -float(np.log10(ways[1:]).sum())
    return Tail(10.0**log10, log10)


def exact_critical(doubled: IntArray, null: RankSumNull, alpha: float) -> float:
    """The smallest value of Friedman's statistic whose exact p-value is below alpha; nan if there is none."""
    n, k = doubled.shape
    square = null.critical(alpha)
    if square is None:
        return math.nan
    between = (float(square) - n * n * k * (k + 1) ** 2) / 4
    return float((k - 1) * between / _within(doubled))


def _within(doubled: IntArray) -> float:
    """The sum of squares of the ranks within data sets; 0 if all methods are tied."""
    n, k = doubled.shape
    return float((doubled * doubled).sum() - n * k * (k + 1) ** 2) / 4


class Placements(NamedTuple):
    """The area under the ROC curve, and the placement of each positive and of each negative."""

    area: float
    of_positives: FloatArray
    of_negatives: FloatArray

    def variance(self) -> float:
        """DeLong's estimate of the variance of the area."""
        total = 0.0
        for own in self[1:]:
            n, centred = len(own), own - self.area
            total += float(centred @ centred) / (n * (n - 1)) if n > 1 else math.nan
        return total

    def difference_variance(self, other: Placements) -> float:
        """DeLong's variance of the difference of two areas on the same instances, from the differences of placements.

        Two variances minus twice the covariance would lose all digits if the rankings hardly differ.
        """
        gaps = Placements(self.area - other.area, self.of_positives - other.of_positives, self[2] - other[2])
        if max(float(np.abs(gap).max()) for gap in gaps[1:]) < 1e-14:
            return 0.0  # the rankings are the same except for rounding errors
        return gaps.variance()


def placements(positive: BoolArray, scores: FloatArray) -> Placements:
    """The placements of all instances, from their classes and their scores (higher for positives).

    >>> placements(np.array([True, False, True, False]), np.array([3.0, 1.0, 2.0, 2.0]))
    Placements(area=0.875, of_positives=array([1.  , 0.75]), of_negatives=array([1.  , 0.75]))
    """
    n, m = len(positive), int(positive.sum())
    order = Order.of(scores, Folds(None, 1, n))
    is_positive, ends = positive.take(order.rows), order.groups.ends
    above = np.cumsum(is_positive, dtype=np.int64)  # the number of positives that score at least as high
    if ends is None:
        right = np.where(is_positive, n - m - np.arange(1, n + 1) + above, above).astype(np.float64)
    else:
        sizes = np.diff(ends, prepend=-1)
        upper = above.take(ends)
        positives_above = upper - np.diff(upper, prepend=0) / 2  # positives with an equal score count half
        negatives_above = (ends + 1 - sizes / 2) - positives_above
        right = np.where(is_positive, n - m - np.repeat(negatives_above, sizes), np.repeat(positives_above, sizes))
    placed = np.empty(n)
    placed[order.rows] = right
    of_positives, of_negatives = placed[positive] / (n - m), placed[~positive] / m
    return Placements(float(of_positives.mean()), of_positives, of_negatives)


def positives(truth: npt.ArrayLike, positive: object) -> BoolArray:
    """Which instances are positive: those of the class ``positive``, or of the last of two classes. Both must occur."""
    channel.one_length({"truth": truth})
    array = np.asarray(truth)
    if array.ndim == 1 and array.dtype.kind == "b" and positive is None:
        found = array
    elif array.ndim == 1 and array.size and array.dtype.kind in "iu" and positive is None and array.min() >= 0:
        found = array.astype(np.bool_) if array.max() <= 1 else _positives_by_label(array, positive)
    else:
        found = _positives_by_label(array, positive)
    if not 0 < found.sum() < len(found):
        raise InputError(
            f"truth must hold positives and negatives, got {part_of(int(found.sum()), len(found), 'positive instance')}"
        )
    return found


def _positives_by_label(truth: npt.ArrayLike, positive: object) -> BoolArray:
    known, (codes,) = channel.encode(channel.labels("truth", truth), None, None)
    if len(known) != 2:
        raise InputError(f"truth must hold two classes, got {len(known)}: {quoted(known.tolist())}")
    place = channel.position(positive, known)
    return np.asarray(codes == (1 if place is None else place))


def instance_scores(name: str, values: npt.ArrayLike, n: int) -> FloatArray:
    """Check one score for each instance, and return them as an array."""
    array = channel.numbers(name, values, infinite=True)
    if array.shape != (n,):
        raise InputError(
            f"{name} must hold one score for each of the {n} instances of truth, got an array of shape {array.shape}"
        )
    return array
