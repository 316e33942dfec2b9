"""Which methods go together: the bars of a diagram and the letters of a table, from who differs from whom."""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.bibliography import BRON_KERBOSCH_1973, GRAMM_2007, PIEPHO_2004
from fairtrial.stats.procedures import POST_HOC, procedure
from fairtrial.stats.score_arrays import BoolArray, numbers

__all__ = ["cliques", "letters"]

LETTERS = string.ascii_letters + "αβγδεζηθικλμνξοπρστυφχψω"


@procedure(question=POST_HOC, references=(BRON_KERBOSCH_1973,))
def cliques(different: npt.ArrayLike) -> list[tuple[int, ...]]:
    """The largest groups of methods none of which differs from another, each of at least two: the bars of a diagram.

    A group is left out only when it is part of a larger one. "Not different" isn't transitive and, for pairwise tests,
    needn't follow the order of the ranks either: a bar must never span a method that differs from one of its ends.
    (Bron & Kerbosch 1973, doi:10.1145/362342.362367, with pivots.)

    >>> cliques([[0, 0, 1], [0, 0, 0], [1, 0, 0]])   # only the first and the third differ
    [(0, 1), (1, 2)]
    """
    return [group for group in _maximal_groups(_matrix(different)) if len(group) > 1]


@procedure(question=POST_HOC, references=(GRAMM_2007, PIEPHO_2004))
def letters(different: npt.ArrayLike, *, order: Sequence[int] | None = None) -> list[str]:
    """The compact letter display: two methods share a letter exactly when they don't differ.

    Each letter stands for a group of methods none of which differs from another. The groups are the columns that
    Piepho's insert-and-absorb ends with, which are those of :func:`cliques` and the methods that differ from all
    others; then letters are dropped, from the last, that add nothing to the others. ``order`` has the methods from the
    best to the worst, so that the best gets an "a"; without it they are taken as they stand.

    Methods that share a letter have **not been shown to be alike**: only no difference was found.

    References: Piepho (2004), Journal of Computational and Graphical Statistics 13:456-466, doi:10.1198/1061860043515;
    Gramm et al. (2007), on displays with as few letters as possible.

    >>> letters([[0, 0, 1], [0, 0, 0], [1, 0, 0]])   # only the first and the third differ
    ['a', 'ab', 'b']
    >>> letters([[0, 0, 1], [0, 0, 0], [1, 0, 0]], order=[2, 1, 0])
    ['b', 'ab', 'a']
    """
    matrix = _matrix(different)
    k = len(matrix)
    ranking = list(range(k)) if order is None else list(order)
    if len(ranking) != k or set(ranking) != set(range(k)):
        raise InputError(f"order must have every method from 0 to {k - 1} once, got {ranking!r}")
    groups = _needed(_maximal_groups(matrix[np.ix_(ranking, ranking)]))
    if len(groups) > len(LETTERS):
        raise InputError(f"different needs {len(groups)} letters, and there are only {len(LETTERS)}; use cliques")
    found = [""] * k
    for letter, group in zip(LETTERS, groups, strict=False):
        for place in group:
            found[ranking[place]] += letter
    return found


def _needed(groups: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Without groups all of whose pairs (and whose only member) are in others, looked at from the last."""
    kept = list(groups)
    for group in reversed(groups):
        others = [set(other) for other in kept if other != group]
        if all(any({i, j} <= other for other in others) for i in group for j in group):
            kept.remove(group)
    return kept


def _matrix(different: npt.ArrayLike) -> BoolArray:
    matrix = numbers(different, "different")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or (matrix != matrix.T).any():
        raise InputError(f"different must be a square symmetric matrix of yes and no, got shape {matrix.shape}")
    if not np.isin(matrix, (0, 1)).all():
        raise InputError("different must say yes (True, 1) or no (False, 0); of p-values, pass p < 0.05")
    return matrix.astype(np.bool_)


def _maximal_groups(matrix: BoolArray) -> list[tuple[int, ...]]:
    alike = [{j for j in np.flatnonzero(~row).tolist() if j != i} for i, row in enumerate(matrix)]
    found: list[tuple[int, ...]] = []
    _grow(set(), set(range(len(alike))), set(), alike, found)
    return sorted(found)


def _grow(
    group: set[int], candidates: set[int], done: set[int], alike: list[set[int]], found: list[tuple[int, ...]]
) -> None:
    if not candidates and not done:
        found.append(tuple(sorted(group)))
        return
    pivot = max(candidates | done, key=lambda v: len(candidates & alike[v]))
    for v in sorted(candidates - alike[pivot]):
        _grow(group | {v}, candidates & alike[v], done & alike[v], alike, found)
        candidates = candidates - {v}
        done = done | {v}
