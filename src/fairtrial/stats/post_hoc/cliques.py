"""Groups of methods that do not differ: the bars of a critical-difference diagram and the letters of a table."""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.bibliography import BRON_KERBOSCH_1973, GRAMM_2007, PIEPHO_2004
from fairtrial.stats.procedures import POST_HOC, procedure
from fairtrial.stats.score_arrays import BoolArray, numbers

LETTERS = string.ascii_letters + "αβγδεζηθικλμνξοπρστυφχψω"


@procedure(question=POST_HOC, references=(BRON_KERBOSCH_1973,))
def cliques(different: npt.ArrayLike) -> list[tuple[int, ...]]:
    """Maximal groups of methods that do not differ from each other: the bars of a critical-difference diagram.

    A group has at least two methods and is not part of a larger group. "Not different" is not transitive, and for
    pairwise tests it need not follow the order of the ranks: a bar must never span a method that differs from one of
    its ends. The algorithm is that of Bron & Kerbosch (1973, doi:10.1145/362342.362367), with pivots.

    >>> cliques([[0, 0, 1], [0, 0, 0], [1, 0, 0]])   # only the first and the third differ
    [(0, 1), (1, 2)]
    """
    return [group for group in _maximal_groups(_matrix(different)) if len(group) > 1]


@procedure(question=POST_HOC, references=(GRAMM_2007, PIEPHO_2004))
def letters(different: npt.ArrayLike, *, order: Sequence[int] | None = None) -> list[str]:
    """Compact letter display: two methods share a letter exactly when they do not differ.

    Each letter stands for a group of methods that do not differ from each other. The groups are those of Piepho's
    insert-and-absorb algorithm: the groups of :func:`cliques`, and each method that differs from all others. Letters
    that the others make redundant are then removed, starting with the last. ``order`` lists the methods from the best
    to the worst, so that the best gets an "a"; without it the given order is used.

    Methods that share a letter have **not been shown to be equal**: no difference was found.

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
        raise InputError(f"order must list every method from 0 to {k - 1} once, got {ranking!r}")
    groups = _needed(_maximal_groups(matrix[np.ix_(ranking, ranking)]))
    if len(groups) > len(LETTERS):
        raise InputError(
            f"different must form at most {len(LETTERS)} groups, one for each letter, got {len(groups)}; "
            "use cliques instead"
        )
    found = [""] * k
    for letter, group in zip(LETTERS, groups, strict=False):
        for place in group:
            found[ranking[place]] += letter
    return found


def _needed(groups: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The groups without those whose pairs (or whose only member) are all in other groups, checked from the last."""
    kept = list(groups)
    for group in reversed(groups):
        others = [set(other) for other in kept if other != group]
        if all(any({i, j} <= other for other in others) for i in group for j in group):
            kept.remove(group)
    return kept


def _matrix(different: npt.ArrayLike) -> BoolArray:
    matrix = numbers(different, "different")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or (matrix != matrix.T).any():
        raise InputError(
            f"different must be a square symmetric matrix of True and False, got an array of shape {matrix.shape}"
        )
    if not np.isin(matrix, (0, 1)).all():
        raise InputError("different must hold True (1) or False (0) only; if you have p-values, pass p < 0.05")
    return matrix.astype(np.bool_)


def _maximal_groups(matrix: BoolArray) -> list[tuple[int, ...]]:
    """All maximal cliques of the graph that joins methods that do not differ, sorted."""
    alike = [{j for j in np.flatnonzero(~row).tolist() if j != i} for i, row in enumerate(matrix)]
    found: list[tuple[int, ...]] = []
    _grow(set(), set(range(len(alike))), set(), alike, found)
    return sorted(found)


def _grow(
    group: set[int], candidates: set[int], done: set[int], alike: list[set[int]], found: list[tuple[int, ...]]
) -> None:
    """Bron and Kerbosch's recursion: add to ``found`` all maximal cliques that contain the group."""
    if not candidates and not done:
        found.append(tuple(sorted(group)))
        return
    pivot = max(candidates | done, key=lambda v: len(candidates & alike[v]))
    for v in sorted(candidates - alike[pivot]):
        _grow(group | {v}, candidates & alike[v], done & alike[v], alike, found)
        candidates = candidates - {v}
        done = done | {v}
