"""Guards of rows: twins of one row on both sides of a split, and rows that resemble their neighbours in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.data.row_twins import Hashes, Twins, cell_hashes, chance_pairs, cross_pairs, grid, row_hashes, twins
from fairtrial.notices import Notice, guard
from fairtrial.tables import formats
from fairtrial.words import part_of, plural

if TYPE_CHECKING:
    from fairtrial.data.dataset import Dataset, FloatArray

__all__: list[str] = []

MOST_ROWS = 20_000
"""The number of rows that are looked at where looking at all would take long."""

FEWEST_TWINS, TWINS, MANY_TWINS = 6, 0.01, 0.05
"""Twins are reported from six rows and 1 % of all on; from 5 % on, they make a result that can't be trusted."""

BEYOND_CHANCE = 3.0
"""How many times the number of pairs that chance allows there must be."""

NEAR = 1e-3
"""The width of the grid on which near twins are equal, in units of the spread of a feature."""

LARGE, FEW_VALUES = 4, 30
"""Four and more equal rows are many, and thirty different values of a feature are few."""

SOLID = 3.0
"""Ten times as wide a grid has at least ten times the pairs where values vary freely; copies have hardly more."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Twins beyond chance: the number of rows, the number by chance, and the number of rows that were looked at."""

    rows: int
    by_chance: int
    looked_at: int
    all_rows: int

    @property
    def share(self) -> float:
        """The share of rows with a twin beyond chance; where only some rows were looked at, most lost theirs."""
        return min(1.0, (self.rows - self.by_chance) * self.all_rows / self.looked_at**2)

    @property
    def is_worth_it(self) -> bool:
        """Whether there are so many that they can change a result."""
        return self.rows - self.by_chance >= FEWEST_TWINS and self.share >= TWINS


@guard(stage="data", sees="dataset")
def repeated_rows(data: Dataset) -> Iterator[Notice]:
    """More equal or nearly equal rows than chance allows, so that copies of test rows are trained on."""
    found, how = _exact(data), "are copies of other rows"
    if found is None:
        found, how = _near(data), "are nearly copies of other rows"
    if found is None:
        return
    part = part_of(found.rows, found.looked_at, "row")
    capped = f" (of {data.n:,} rows, {found.looked_at:,} were looked at)" if found.looked_at < data.n else ""
    chance = f"; chance explains {found.by_chance:,} of them" if found.by_chance else ""
    yield Notice(
        f"{data.name}: {part} ({formats.percent(found.rows / found.looked_at)}) {how}, target included{capped}{chance}: "
        "methods that learn by heart look good where a copy is trained on",
        "grave" if found.share >= MANY_TWINS else "warning",
        about=data.name,
        evidence={
            "rows": found.rows,
            "by_chance": found.by_chance,
            "share": found.share,
            "looked_at": found.looked_at,
            "exact": how.startswith("are copies"),
        },
        remedy="leave the copies out, or declare what belongs together (groups=…) and use grouped folds",
    )


def _exact(data: Dataset) -> _Found | None:
    """Rows that are equal."""
    side = _sides(data)
    found = twins(row_hashes(_with_values(data)) + _classes(data), side)
    if not _Found(found.rows, 0, data.n, data.n).is_worth_it:
        return None
    rows = _sample(data.n)
    X, classes, side = _with_values(data)[rows], _classes(data)[rows], None if side is None else side[rows]
    if _are_few_kinds(X, found.sizes):
        return None
    by_chance = _by_chance(found, cell_hashes(X), classes, side, data.n)
    return None if by_chance is None else _Found(found.rows, by_chance, data.n, data.n)


def _near(data: Dataset) -> _Found | None:
    """Rows that are equal on a fine grid; no fewer by much than on one that is ten times as wide."""
    rows, side = _sample(data.n), _sides(data)
    X, classes, side = _with_values(data)[rows], _classes(data)[rows], None if side is None else side[rows]
    spread = _spread(data, X)
    exact = cross_pairs(cell_hashes(X).sum(axis=1) + classes, side)
    for offset in (0.317, 0.817):  # no border of a cell is at 0, where many values are
        on_grid = grid(X, spread, NEAR, offset)
        cells = cell_hashes(on_grid)
        found = twins(cells.sum(axis=1) + classes, side)
        if not _Found(found.rows, 0, len(rows), data.n).is_worth_it or found.pairs < BEYOND_CHANCE * exact:
            continue
        wide = cross_pairs(cell_hashes(grid(X, spread, 10 * NEAR, offset)).sum(axis=1) + classes, side)
        if wide - exact < SOLID * (found.pairs - exact) and not _are_few_kinds(on_grid, found.sizes):
            by_chance = _by_chance(found, cells, classes, side, len(rows))
            return None if by_chance is None else _Found(found.rows, by_chance, len(rows), data.n)
    return None


def _by_chance(found: Twins, cells: Hashes, classes: Hashes, side: npt.NDArray[Any] | None, n: int) -> int | None:
    """The number of rows that have a twin by chance; None if they may all do. Of many rows it is estimated from some."""
    _, allowed = chance_pairs(cells, classes, side, unseen=3.0 if len(cells) < n else 0.0)
    allowed *= (n / len(cells)) ** 2
    most = BEYOND_CHANCE * allowed + 3 * np.sqrt(BEYOND_CHANCE * allowed)
    return round(found.rows * allowed / found.pairs) if found.pairs > most else None


def _are_few_kinds(X: FloatArray, sizes: npt.NDArray[np.intp]) -> bool:
    """Whether rows are of a few kinds, some frequent and some rare: no column has many values, and sizes of twins vary.

    Copies are found in twos or threes, or all equally often.
    """
    several = sizes[sizes > 1]
    in_large = several[several >= LARGE].sum() / several.sum()
    return bool(in_large >= 0.25 and several.std() >= 0.4 * several.mean() and _most_values(X) <= FEW_VALUES)


def _most_values(X: FloatArray) -> float:
    """The effective number of values of the column that has most: 1 / Σ share²."""
    most = 0.0
    for column in X.T:
        counts = np.unique(column, return_counts=True)[1]
        most = max(most, float(len(column) ** 2 / np.square(counts.astype(np.float64)).sum()))
    return most


def _sample(n: int) -> npt.NDArray[np.intp]:
    """All rows, or as many as are looked at; always the same ones."""
    if n <= MOST_ROWS:
        return np.arange(n)
    return np.sort(np.random.RandomState(1).permutation(n)[:MOST_ROWS])


def _with_values(data: Dataset) -> FloatArray:
    """The features, and a target of values beside them: a copy has the same target."""
    return data.X if data.task == "classes" else np.column_stack([data.X, data.target])


def _classes(data: Dataset) -> Hashes:
    """A hash of the class of each row."""
    codes = data.codes if data.task == "classes" else np.zeros(data.n)
    return cell_hashes(codes[:, None].astype(np.float64), data.p + 1)[:, 0]


def _sides(data: Dataset) -> npt.NDArray[Any] | None:
    """The number of the group of each row: a split by groups keeps the rows of one together."""
    if data.groups is None:
        return None
    return np.unique(data.groups, return_inverse=True)[1].reshape(-1)


def _spread(data: Dataset, X: FloatArray) -> FloatArray:
    """The spread of each numeric column, from its quartiles; 0 for a nominal one."""
    numeric = np.array([f.kind == "numeric" for f in data.features] + [True] * (X.shape[1] - data.p))
    known = np.where(np.isnan(X).all(axis=0), 0.0, X)
    low, high = np.nanpercentile(known, [25, 75], axis=0)
    spread = np.where(high > low, (high - low) / 1.35, np.nanstd(known, axis=0))
    return np.where(numeric, spread, 0.0)
