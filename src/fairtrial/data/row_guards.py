"""Guards of rows: twins of one row on both sides of a split, and rows that resemble their neighbours in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.data.column_guards import counts_or_dates, date_names, ranks, row_sample
from fairtrial.data.row_twins import (
    BEYOND_CHANCE,
    Hashes,
    Twins,
    are_few_kinds,
    cell_hashes,
    chance_pairs,
    copied_times,
    cross_pairs,
    grid,
    is_beyond,
    row_hashes,
    twins,
    widened,
)
from fairtrial.notices import Notice, guard
from fairtrial.tables import formats
from fairtrial.words import part_of

if TYPE_CHECKING:
    from fairtrial.data.dataset import Dataset, FloatArray

FEWEST_TWINS, TWINS, MANY_TWINS = 6, 0.01, 0.05
"""Twins are reported from six rows and 1 % of all on; from 5 % on, they make a result that can't be trusted."""

NEAR = 1e-3
"""The width of the grid on which near twins are equal, in units of the spread of a feature."""

SOLID = 3.0
"""Ten times as wide a grid has at least ten times the pairs where values vary freely; copies have hardly more."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Twins beyond chance: the number of rows, the number by chance, and the number of rows that were looked at.

    ``times`` is how often each different row occurs, where the whole table was copied.
    """

    rows: int
    by_chance: int
    looked_at: int
    all_rows: int
    times: int = 1

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
    """More equal or nearly equal rows than chance allows, so that copies of test rows are trained on.

    Reported from three copies (six rows with a twin) and 1 % of the rows on. Where features have few values, rows are
    equal by chance: a whole table that was copied is found there too (:func:`copied_times`), copies of some rows only
    if they make more than three times the pairs that chance allows (:func:`chance_pairs`).
    """
    found, how = _exact(data), "have an equal row"
    if found is None:
        found, how = _near(data), "have a nearly equal row"
    if found is None:
        return
    part = f"{part_of(found.rows, found.looked_at, 'row')} ({formats.percent(found.rows / found.looked_at)})"
    capped = f" (of {data.n:,} rows, {found.looked_at:,} were looked at)" if found.looked_at < data.n else ""
    chance = f"; chance explains {found.by_chance:,} of them" if found.by_chance else ""
    if found.times > 1:
        chance = f"; each different row occurs {found.times} times or a multiple of it"
    yield Notice(
        f"{data.name}: {part} {how} elsewhere, with the same target{capped}{chance}: "
        "methods that learn by heart look good where a copy is trained on",
        "grave" if found.share >= MANY_TWINS else "warning",
        about=data.name,
        evidence={
            "rows": found.rows,
            "by_chance": found.by_chance,
            "share": found.share,
            "looked_at": found.looked_at,
            "exact": how == "have an equal row",
            **({"times": found.times} if found.times > 1 else {}),
        },
        remedy="leave the copies out, or declare what belongs together (groups=…) and use grouped folds",
    )


def _exact(data: Dataset) -> _Found | None:
    """Rows that are equal: more than chance allows, or all as often as if the whole table had been copied."""
    side = _sides(data)
    found = twins(row_hashes(_with_values(data)) + _classes(data), side)
    if not _Found(found.rows, 0, data.n, data.n).is_worth_it:
        return None
    by_chance = _of_equal_rows(data, found, side)
    if by_chance is not None:
        return _Found(found.rows, by_chance, data.n, data.n)
    times = copied_times(found.sizes) if side is None else 1
    return _Found(found.rows, 0, data.n, data.n, times) if times > 1 else None


def _of_equal_rows(data: Dataset, found: Twins, side: npt.NDArray[Any] | None) -> int | None:
    """The number of rows that have an equal one by chance; None if all may do."""
    rows = row_sample(data.n)
    X, classes, side = _with_values(data)[rows], _classes(data)[rows], None if side is None else side[rows]
    if are_few_kinds(X, found.sizes) or _vary_by_degrees(data, X, classes, side):
        return None
    return _by_chance(found, cell_hashes(X), classes, side, data.n)


def _vary_by_degrees(data: Dataset, X: FloatArray, classes: Hashes, side: npt.NDArray[Any] | None) -> bool:
    """Whether there are many more pairs of rows that are nearly equal than pairs that are equal."""
    wide = cross_pairs(cell_hashes(widened(X, _numeric(data, X))).sum(axis=1) + classes, side)
    return wide >= SOLID * cross_pairs(cell_hashes(X).sum(axis=1) + classes, side)


def _near(data: Dataset) -> _Found | None:
    """Rows that are equal on a fine grid; no fewer by much than on one that is ten times as wide."""
    rows, side = row_sample(data.n), _sides(data)
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
        if wide - exact < SOLID * (found.pairs - exact) and not are_few_kinds(on_grid, found.sizes):
            by_chance = _by_chance(found, cells, classes, side, len(rows))
            return None if by_chance is None else _Found(found.rows, by_chance, len(rows), data.n)
    return None


def _by_chance(found: Twins, cells: Hashes, classes: Hashes, side: npt.NDArray[Any] | None, n: int) -> int | None:
    """The number of rows that have a twin by chance; None if all may do. Of many rows, some are looked at."""
    _, allowed = chance_pairs(cells, classes, side, unseen=3.0 if len(cells) < n else 0.0)
    allowed *= (n / len(cells)) ** 2
    return round(found.rows * allowed / found.pairs) if is_beyond(found.pairs, allowed) else None


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


def _numeric(data: Dataset, X: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether each column is numeric, as a target of values is."""
    return np.array([f.kind == "numeric" for f in data.features] + [True] * (X.shape[1] - data.p))


def _spread(data: Dataset, X: FloatArray) -> FloatArray:
    """The spread of each numeric column, from its quartiles; 0 for a nominal one."""
    numeric = _numeric(data, X)
    known = np.where(np.isnan(X).all(axis=0), 0.0, X)
    with np.errstate(over="ignore", invalid="ignore"):
        low, high = np.nanpercentile(known, [25, 75], axis=0)
        spread = np.where(high > low, (high - low) / 1.35, np.nanstd(known, axis=0))
    return np.where(numeric & np.isfinite(spread), spread, 0.0)


FEWEST_NEIGHBOURS, STRONG, BEYOND = 40, 0.3, 6.0
"""Rows resemble their neighbours if their correlation is at least 0.3, and six standard errors of a random order."""


@guard(stage="data", sees="dataset")
def undeclared_order(data: Dataset) -> Iterator[Notice]:
    """Rows that resemble their neighbours in the file, as rows of a time series do, where no order is declared.

    Grave where both the target and most features resemble those of the row before: then random splits train on rows
    that nearly are those that they test.
    """
    if data.order is not None or data.groups is not None or date_names(data):
        return
    rows = np.arange(min(data.n, MOST_NEIGHBOURS))
    X, target = data.X[rows], (data.codes if data.task == "classes" else data.target)[rows]
    differ = np.flatnonzero((X[1:] != X[:-1]).any(axis=1) & ~np.isnan(X[1:]).all(axis=1))  # copies are not meant
    if len(differ) < FEWEST_NEIGHBOURS:
        return
    numeric = np.array([f.kind == "numeric" for f in data.features]) & ~counts_or_dates(data)
    columns = [X[:, j] for j in np.flatnonzero(numeric).tolist()][:MOST_COLUMNS]
    if any(_is_sorted(column) for column in columns):
        return
    of_target = _target_resemblance(data, target, differ)
    of_features = [_resemblance(_without_classes(column, data, rows), differ) for column in columns]
    needed = max(STRONG, BEYOND / np.sqrt(len(differ)))
    many = sum(bool(r >= needed) for r in of_features)
    most = many >= max(2, len(of_features) / 2)
    if of_target >= needed:
        both = " and most features of a row resemble those" if most else " of a row resembles that"
        what, number = f"the target{both}", of_target
    elif most:
        what, number = (
            f"{many} of {len(of_features)} numeric features of a row resemble those",
            float(np.median(of_features)),
        )
    else:
        return
    yield Notice(
        f"{data.name}: {what} of the row before it (correlation {formats.auto(number)}), as in a time series, "
        "and no order is declared: random splits train on the neighbours of what they test",
        "grave" if most and of_target >= needed else "warning",
        about=data.name,
        evidence={"target": of_target, "features": many, "numeric": len(of_features), "looked_at": len(rows)},
        remedy="declare the column of the time (order=…) and test forward in time, or what belongs together (groups=…)",
    )


MOST_NEIGHBOURS, MOST_COLUMNS = 5_000, 50
"""The number of rows, the first of the file, and of numeric features that are compared with their neighbours."""


def _resemblance(values: FloatArray, places: npt.NDArray[np.intp]) -> float:
    """The correlation of values with those of the next row, at these places."""
    a, b = values[places] - values.mean(), values[places + 1] - values.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size else 0.0


def _target_resemblance(data: Dataset, target: npt.NDArray[Any], places: npt.NDArray[np.intp]) -> float:
    """How much targets resemble the next one; 0 where the file is sorted by them, in one or a few runs."""
    if data.task == "values":
        return 0.0 if _is_sorted(target) else _resemblance(ranks(target), places)
    shares = np.bincount(target) / len(target)
    changes, expected = int((np.diff(target) != 0).sum()), 1 - float((shares**2).sum())
    if changes <= 3 * len(data.classes) or expected == 0:
        return 0.0
    return 1 - float((target[places] != target[places + 1]).mean()) / expected


def _without_classes(values: FloatArray, data: Dataset, rows: npt.NDArray[np.intp]) -> FloatArray:
    """Ranks of values, without what they owe to the class: a file sorted by class is no time series."""
    found = ranks(values)
    if data.task == "values":
        return found
    codes = data.codes[rows]
    counts = np.bincount(codes, minlength=len(data.classes))
    means = np.bincount(codes, weights=found, minlength=len(data.classes)) / np.maximum(counts, 1)
    return found - means[codes]


def _is_sorted(values: npt.NDArray[Any]) -> bool:
    """Whether values never fall or never rise, and vary."""
    steps = np.diff(values[~np.isnan(values)]) if values.dtype.kind == "f" else np.diff(values)
    return bool(((steps >= 0).all() or (steps <= 0).all()) and steps.any())
