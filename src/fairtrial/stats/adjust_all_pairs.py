"""Adjusted p-values for all pairs of k methods, from the logical relations between their null hypotheses.

If methods 1 and 2 are equal, and methods 2 and 3 are equal, then so are 1 and 3. The set of true null hypotheses
therefore always consists of all pairs within the groups of some partition of the methods. There are far fewer
partitions than subsets of pairs, so that the adjustment can be smaller. The argument needs transitive hypotheses, such
as equal expected ranks among these methods.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from fairtrial.errors import InputError
from fairtrial.stats.score_arrays import FloatArray, IntArray

MOST_METHODS = 20  # Bergmann and Hommel's procedure takes 3**k steps: 1 s for 16 methods, half a minute for 20


def method_count(pairs: int, how: str) -> int:
    """The number k of methods that have this number of pairs, k(k − 1)/2.

    >>> method_count(10, "shaffer")
    5
    """
    k = (1 + math.isqrt(1 + 8 * pairs)) // 2
    if k * (k - 1) // 2 != pairs:
        raise InputError(
            f"adjustment {how!r} needs the p-values of all k(k − 1)/2 pairs of k methods, got {pairs} p-values; "
            "use 'holm'"
        )
    return k


@lru_cache(maxsize=64)
def possible_true_counts(k: int) -> tuple[int, ...]:
    """The numbers of null hypotheses that can be true at the same time, among all pairs of k methods, ascending.

    >>> possible_true_counts(4)   # groups 1+1+1+1, 2+1+1, 2+2, 3+1, 4
    (0, 1, 2, 3, 6)
    """
    possible = [1] + [0] * k  # each number is a set of counts, one bit for each count
    for size in range(1, k + 1):
        for first in range(1, size + 1):
            possible[size] |= possible[size - first] << (first * (first - 1) // 2)
    return tuple(count for count in range(k * (k - 1) // 2 + 1) if possible[k] >> count & 1)


def shaffer(p: FloatArray) -> FloatArray:
    """Shaffer's adjusted p-values of all pairs: Holm's, with the number of hypotheses that can still be true.

    Holm multiplies the j-th smallest p-value by the number of hypotheses that are left; Shaffer multiplies it by the
    largest number of them that can be true at the same time.
    """
    m = len(p)
    counts = np.array(possible_true_counts(method_count(m, "shaffer")))
    left = counts[np.searchsorted(counts, np.arange(m, 0, -1), "right") - 1]
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(m)
    adjusted[order] = np.maximum.accumulate(left * p[order])
    return np.minimum(adjusted, 1.0)


def bergmann_hommel(p: FloatArray) -> FloatArray:
    """Bergmann and Hommel's adjusted p-values of all pairs, in the order (0, 1), (0, 2), …, (1, 2), ….

    A set of hypotheses that can be true together is a partition of the methods into groups. The adjusted p-value of a
    pair is the largest (number of pairs) × (smallest p-value) over all such sets that contain the pair.

    Groups are added in the order of their smallest p-value, from the largest down. ``most[S]`` is the largest number of
    pairs that the groups added so far can form from the methods of S, each method used once. Every group is added once,
    for all S that contain it: 3**k steps, however many partitions there are.
    """
    k = method_count(len(p), "bergmann_hommel")
    if k > MOST_METHODS:
        raise InputError(
            f"adjustment 'bergmann_hommel' can take at most {MOST_METHODS} methods, since its work triples with each, "
            f"got {k}; use 'shaffer'"
        )
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
            _add_group(group, int(inside[group]), everyone ^ group, most, parts)
        added = groups[:end]
        candidate = smallest[groups[start]] * (inside[added] + most[everyone ^ added])
        best[added] = np.maximum(best[added], candidate)
    values = np.array([best[groups[(groups & mask) == mask]].max() for mask in masks.tolist()])
    order = np.lexsort((values, p))
    adjusted = np.empty(len(p))
    # printed tables make the values monotone in p; pairs with equal p keep values of their own
    adjusted[order] = np.maximum.accumulate(values[order])
    return np.minimum(adjusted, 1.0)


def _groups(p: FloatArray, masks: IntArray, k: int) -> tuple[IntArray, FloatArray]:
    """For every set of methods, coded as bits: its number of methods, and the smallest p-value of the pairs inside."""
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
    """All subsets of every mask of the lower and of the upper half of the methods, and the size of the lower half."""
    low = k // 2

    def subsets(mask: int, shift: int) -> IntArray:
        found = np.zeros(1, dtype=np.int64)
        for bit in range(mask.bit_length()):
            if mask >> bit & 1:
                found = np.concatenate([found, found | (1 << (bit + shift))])
        return found

    return [subsets(m, 0) for m in range(1 << low)], [subsets(m, low) for m in range(1 << (k - low))], low


def _add_group(
    group: int, pairs: int, others: int, most: IntArray, parts: tuple[list[IntArray], list[IntArray], int]
) -> None:
    """Update ``most`` for every set of methods that contains the group."""
    lower, upper, low = parts
    rest = np.add.outer(upper[others >> low], lower[others & ((1 << low) - 1)]).ravel()
    with_group = rest | group
    most[with_group] = np.maximum(most[with_group], most[rest] + pairs)
