"""All pairs of k methods compared: adjustments that know which of the null hypotheses can be true together.

If methods 1 and 2 are alike, and 2 and 3, then so are 1 and 3. So the true hypotheses always are all pairs within the
groups of some division of the methods into groups, and far fewer than all subsets of the pairs need to be guarded
against. The argument holds for hypotheses that are transitive, such as equal expected ranks among these methods.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from fairtrial.errors import InputError
from fairtrial.stats.score_arrays import FloatArray, IntArray

__all__ = ["MOST_METHODS", "bergmann_hommel", "method_count", "shaffer"]

MOST_METHODS = 20  # Bergmann-Hommel: 3**k steps, 1 s for 16 methods and half a minute for 20


def method_count(pairs: int, how: str) -> int:
    """The k with k(k − 1)/2 pairs.

    >>> method_count(10, "shaffer")
    5
    """
    k = (1 + math.isqrt(1 + 8 * pairs)) // 2
    if k * (k - 1) // 2 != pairs:
        raise InputError(
            f"adjustment {how!r} needs the p-values of all k(k − 1)/2 pairs of k methods, got {pairs}; use 'holm'"
        )
    return k


@lru_cache(maxsize=64)
def true_counts(k: int) -> tuple[int, ...]:
    """How many of the pairs of k methods can be alike at once, ascending.

    >>> true_counts(4)   # groups 1+1+1+1, 2+1+1, 2+2, 3+1, 4
    (0, 1, 2, 3, 6)
    """
    possible = [1] + [0] * k  # one bit for each count
    for size in range(1, k + 1):
        for first in range(1, size + 1):
            possible[size] |= possible[size - first] << (first * (first - 1) // 2)
    return tuple(count for count in range(k * (k - 1) // 2 + 1) if possible[k] >> count & 1)


def shaffer(p: FloatArray) -> FloatArray:
    """Holm's procedure with the number of hypotheses left lowered to the number that can be true; p over all pairs."""
    m = len(p)
    counts = np.array(true_counts(method_count(m, "shaffer")))
    left = counts[np.searchsorted(counts, np.arange(m, 0, -1), "right") - 1]
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(m)
    adjusted[order] = np.maximum.accumulate(left * p[order])
    return np.minimum(adjusted, 1.0)


def bergmann_hommel(p: FloatArray) -> FloatArray:
    """For each pair the largest (number of pairs) × (smallest p) over the sets that may be true and hold the pair.

    p is over all pairs, (0, 1), (0, 2), …, (1, 2), …. A set that may be true is a division of the methods into groups.
    Groups are taken up by falling smallest p (that of the pairs in them), and ``most[S]`` is the largest number of
    pairs that the groups so far can put together from methods of S, each method used once. As every group is taken up
    once, for all S that hold it, there are 3**k steps in all, however many divisions there are.
    """
    k = method_count(len(p), "bergmann_hommel")
    if k > MOST_METHODS:
        raise InputError(f"bergmann_hommel is too much work for {k} methods (at most {MOST_METHODS}); use 'shaffer'")
    first, second = np.triu_indices(k, 1)
    masks = (1 << first) | (1 << second)
    size, smallest = _groups(p, masks, k)
    inside, everyone = size * (size - 1) // 2, (1 << k) - 1
    most = np.zeros(1 << k, dtype=np.int64)
    best = np.zeros(1 << k)
    groups = np.flatnonzero(size > 1)
    groups = groups[np.argsort(-smallest[groups], kind="stable")]
    starts = np.flatnonzero(np.diff(smallest[groups], prepend=np.inf))
    parts = _subsets(k)
    for start, end in zip(starts, [*starts[1:], len(groups)], strict=True):
        for group in groups[start:end].tolist():
            _take_up(group, int(inside[group]), everyone ^ group, most, parts)
        known = groups[:end]
        candidate = smallest[groups[start]] * (inside[known] + most[everyone ^ known])
        best[known] = np.maximum(best[known], candidate)
    values = np.array([best[groups[(groups & mask) == mask]].max() for mask in masks.tolist()])
    order = np.lexsort((values, p))
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(values[order])  # as in the printed tables; of equal p each has its own
    return np.minimum(adjusted, 1.0)


def _groups(p: FloatArray, masks: IntArray, k: int) -> tuple[IntArray, FloatArray]:
    """Of every set of methods, as bits: how many there are, and the smallest p of the pairs among them."""
    size = np.zeros(1 << k, dtype=np.int64)
    smallest = np.full(1 << k, np.inf)
    everything = np.arange(1 << k)
    for method in range(k):
        size += everything >> method & 1
    for value, mask in zip(p.tolist(), masks.tolist(), strict=True):
        holds = (everything & mask) == mask
        smallest[holds] = np.minimum(smallest[holds], value)
    return size, smallest


def _subsets(k: int) -> tuple[list[IntArray], list[IntArray], int]:
    """The subsets of every mask of the lower and of the upper half of the methods, and the bits of the lower half."""
    low = k // 2

    def subsets(mask: int, shift: int) -> IntArray:
        found = np.zeros(1, dtype=np.int64)
        for bit in range(mask.bit_length()):
            if mask >> bit & 1:
                found = np.concatenate([found, found | (1 << (bit + shift))])
        return found

    return [subsets(m, 0) for m in range(1 << low)], [subsets(m, low) for m in range(1 << (k - low))], low


def _take_up(
    group: int, pairs: int, others: int, most: IntArray, parts: tuple[list[IntArray], list[IntArray], int]
) -> None:
    lower, upper, low = parts
    rest = np.add.outer(upper[others >> low], lower[others & ((1 << low) - 1)]).ravel()
    with_group = rest | group
    most[with_group] = np.maximum(most[with_group], most[rest] + pairs)
