"""Rows that two data sets have in common, beyond those that chance explains."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.data.row_twins import Hashes, are_few_kinds, cell_hashes, chance_pairs, is_beyond, row_hashes, twins

if TYPE_CHECKING:
    from fairtrial.data.dataset import Dataset, FloatArray

FEWEST, MOST_ROWS = 6, 10_000


def shared_rows(sets: Sequence[Dataset]) -> dict[tuple[int, int], float]:
    """The share of the smaller data set's rows that another data set has, too, for each pair with more than by chance.

    Features are compared by their place, whatever they are called; targets are not compared, since versions of one data
    set often differ in them. Pairs are numbered by place.

    >>> from dataclasses import replace
    >>> from fairtrial.data import datasets
    >>> iris, wine = datasets("iris", "wine")
    >>> half = replace(iris, name="half", X=iris.X[::2], target=iris.target[::2])
    >>> shared_rows([iris, wine, half])
    {(0, 2): 1.0}
    """
    hashes = [row_hashes(d.X) for d in sets]
    found = {}
    for i, j in _meeting(sets, hashes):
        smaller, larger = sorted((i, j), key=lambda k: sets[k].n)
        common = np.isin(hashes[smaller], hashes[larger])
        if common.sum() >= FEWEST and _is_beyond_chance(sets[smaller], sets[larger], hashes[smaller], hashes[larger]):
            found[i, j] = float(common.mean())
    return found


def _meeting(sets: Sequence[Dataset], hashes: Sequence[Hashes]) -> set[tuple[int, int]]:
    """The pairs of data sets that have a row in common; found by one sort of all rows."""
    owners = np.repeat(np.arange(len(sets)), [len(np.unique(h)) for h in hashes])
    every = np.concatenate([np.unique(h) for h in hashes])
    order = np.lexsort((owners, every))
    every, owners = every[order], owners[order]
    edges = np.flatnonzero(np.concatenate([[True], every[1:] != every[:-1], [True]]))
    shared = np.flatnonzero(np.diff(edges) > 1)
    meeting = {tuple(owners[edges[s] : edges[s + 1]].tolist()) for s in shared.tolist()}
    return {pair for several in meeting for pair in combinations(several, 2) if sets[pair[0]].p == sets[pair[1]].p}


def _is_beyond_chance(a: Dataset, b: Dataset, rows_of_a: Hashes, rows_of_b: Hashes) -> bool:
    """Whether more rows are equal than independent parts of them would be; of many rows, some are looked at."""
    found = twins(np.concatenate([rows_of_a, rows_of_b]), np.repeat([0, 1], [a.n, b.n]))
    parts = [_some(a.X), _some(b.X)]
    both = np.concatenate(parts)
    if are_few_kinds(both, found.sizes):
        return False
    seen = len(parts[0]) * len(parts[1])
    side = np.repeat([0, 1], [len(part) for part in parts])
    no_class = np.zeros(len(both), dtype=np.uint64)
    _, allowed = chance_pairs(cell_hashes(both), no_class, side, unseen=3.0 if seen < a.n * b.n else 0.0)
    return is_beyond(found.pairs, allowed * a.n * b.n / seen)


def _some(X: FloatArray) -> FloatArray:
    return X if len(X) <= MOST_ROWS else X[np.random.RandomState(1).permutation(len(X))[:MOST_ROWS]]
