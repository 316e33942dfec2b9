"""Guards of rows: twins of one row on both sides of a split, and rows that resemble their neighbours in the file.

Twins: rows that are equal, or nearly so; how many there are, and how many would be there by chance.

Rows are compared by a hash of each cell. The hash of some columns is the sum of the hashes of their cells, so that
columns are left out by a subtraction.

Rows that two data sets have in common, beyond those that chance explains.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.data.column_guards import counts_or_dates, date_names, ranks, row_sample
from fairtrial.notices import Notice, guard
from fairtrial.tables import formats
from fairtrial.words import part_of

if TYPE_CHECKING:
    from fairtrial.data.dataset import Dataset, FloatArray


Hashes: TypeAlias = npt.NDArray[np.uint64]

BEYOND_CHANCE = 3.0
"""How many times the number of pairs that chance allows there must be."""

LARGE, VERY_LARGE, FEW_VALUES = 4, 10, 30
"""Four equal rows are many and ten very many; thirty different values of a feature are few."""

BY_CHANCE = 1e-6
"""The probability below which a common divisor of all sizes is no chance."""

SEVERAL_VALUES, MANY_VALUES = 4, 10
"""Numbers with more than four values vary by degrees; with more than ten, in small ones."""

MOST_BLOCKS = 40
SIDE = 2**40  # the number of a column that no matrix has
GOLDEN = 0x9E3779B97F4A7C15
MIXERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def cell_hashes(X: FloatArray, first: int = 0) -> Hashes:
    """A hash of each cell, which depends on its value and its column; ``first`` is the number of the first column.

    >>> h = cell_hashes(np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]])).sum(axis=1)
    >>> bool(h[0] == h[2]), bool(h[0] == h[1])
    (True, False)
    """
    plain = np.where(np.isnan(X), np.nan, X) + 0.0  # one form of nan, and of zero
    mixed = np.ascontiguousarray(plain, dtype=np.float64).view(np.uint64)
    columns = np.arange(first + 1, first + 1 + X.shape[1], dtype=np.uint64) * np.uint64(GOLDEN)
    mixed = mixed + columns
    for shift, factor in zip((30, 27), MIXERS, strict=True):  # the steps of splitmix64
        mixed ^= mixed >> np.uint64(shift)
        mixed *= np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def row_hashes(X: FloatArray, block: int = 8192) -> Hashes:
    """A hash of each row; made in blocks of rows, since the hashes of all cells may not fit into memory."""
    return np.concatenate([cell_hashes(X[i : i + block]).sum(axis=1) for i in range(0, len(X), block)])


def pairs(hashes: Hashes) -> float:
    """The number of pairs of equal hashes.

    >>> pairs(np.array([7, 7, 7, 9, 9, 1], dtype=np.uint64))
    4.0
    """
    ordered = np.sort(hashes)
    edges = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1], [True]]))
    counts = np.diff(edges).astype(np.float64)
    return float((counts * (counts - 1) / 2).sum())


def cross_pairs(hashes: Hashes, side: npt.NDArray[Any] | None) -> float:
    """The number of pairs of equal hashes on different sides; without sides, of all pairs."""
    if side is None:
        return pairs(hashes)
    return pairs(hashes) - pairs(hashes + cell_hashes(side[:, None].astype(np.float64), SIDE)[:, 0])


@dataclass(frozen=True, slots=True)
class Twins:
    """The rows that have a twin: whether each has one, the number of pairs, and how often each different row occurs."""

    has_one: npt.NDArray[np.bool_]
    pairs: float
    sizes: npt.NDArray[np.intp]

    @property
    def rows(self) -> int:
        """The number of rows that have a twin."""
        return int(self.has_one.sum())


def twins(hashes: Hashes, side: npt.NDArray[Any] | None = None) -> Twins:
    """The rows that have a twin; with sides (groups, data sets), one on another side."""
    _, place, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    others = counts[place.reshape(-1)]
    if side is not None:
        both = hashes + cell_hashes(side[:, None].astype(np.float64), SIDE)[:, 0]
        _, place, own = np.unique(both, return_inverse=True, return_counts=True)
        others = others - own[place.reshape(-1)] + 1
    return Twins(others > 1, cross_pairs(hashes, side), counts)


def chance_pairs(
    cells: Hashes, fixed: Hashes, side: npt.NDArray[Any] | None = None, unseen: float = 0.0
) -> tuple[float, float]:
    """The number of pairs of equal rows, and the number that chance allows.

    Rows that resemble each other may be equal by chance; where they are, there are also pairs that differ only in a few
    columns. Let the columns be divided into a block B and the others, A. Of all pairs with the same ``fixed`` (their
    class), let a be the number of those that agree on A only, b on B only, and d on neither. If A and B were
    independent, a · b / d pairs would agree on both. The number that chance allows is the largest over many blocks:
    single columns, and neighbours up to half of all (columns that encode one variable depend on each other).
    A standard error is taken off a, since the largest of many noisy numbers is too large. ``unseen`` is added to a;
    with 3, a number that a sample of rows gives is an upper limit. One column can't be divided: all its pairs may be
    chance.

    >>> noise = np.random.default_rng(1).integers(0, 2, (300, 8)).astype(float)  # 256 possible rows
    >>> found, allowed = chance_pairs(cell_hashes(noise), np.zeros(300, dtype=np.uint64))
    >>> found, round(allowed)  # 300 · 299 / 2 / 256 = 175 are expected
    (168.0, 174)
    """
    whole = fixed + cells.sum(axis=1)
    both, total = cross_pairs(whole, side), cross_pairs(fixed, side)
    allowed = 0.0 if cells.shape[1] > 1 else both
    for start, end in _blocks(cells.shape[1]):
        block = cells[:, start:end].sum(axis=1)
        rest, own = cross_pairs(whole - block, side) - both, cross_pairs(fixed + block, side) - both
        sure = max(rest, 0.0) - math.sqrt(max(rest, 0.0)) + unseen
        allowed = max(allowed, sure * own / max(total - rest - own - both, 1.0))
    return both, allowed


def is_beyond(found: float, allowed: float) -> bool:
    """Whether there are clearly more pairs than chance allows: three times as many, and three standard errors."""
    most = BEYOND_CHANCE * allowed
    return found > most + 3 * math.sqrt(most)


def copied_times(sizes: npt.NDArray[np.intp]) -> int:
    """How many times a whole table was copied: the number that divides how often each different row occurs; else 1.

    By chance, the size of one different row is divisible by g with a probability of at most about 1/g. Of K different
    rows all sizes are, with g to the power of −K; a divisor is believed below one in a million. So copies of a whole
    table are found even where chance makes as many twins, from 14 different rows (three times) or 20 (twice) on.

    >>> copied_times(np.full(14, 3)), copied_times(np.full(13, 2)), copied_times(np.r_[np.full(40, 3), 1])
    (3, 1, 1)
    """
    divisor = int(np.gcd.reduce(sizes)) if len(sizes) else 1
    return divisor if len(sizes) * math.log(divisor) > -math.log(BY_CHANCE) else 1


def widened(X: FloatArray, numeric: npt.NDArray[np.bool_]) -> FloatArray:
    """The table with two or five neighbouring values of each number made equal; categories and few values stay.

    Numbers that vary by degrees (measurements that are rounded, answers on a scale) have many more pairs of rows that
    are nearly equal than pairs that are equal, whatever the dependence of the columns; copies have hardly more.
    """
    wide = X.copy()
    for j in np.flatnonzero(numeric).tolist():
        values = np.unique(X[:, j][~np.isnan(X[:, j])])
        if len(values) > SEVERAL_VALUES:
            step = (5 if len(values) > MANY_VALUES else 2) * float(np.diff(values).min())
            with np.errstate(over="ignore", invalid="ignore"):
                wide[:, j] = np.floor(X[:, j] / step + 0.4)
    return wide


def are_few_kinds(X: FloatArray, sizes: npt.NDArray[np.intp]) -> bool:
    """Whether rows are of a few kinds: no column has many values, and kinds are very large, or some large, some small.

    Copies are found in twos or threes, or all equally often. ``sizes`` says how often each different row occurs.
    """
    several = sizes[sizes > 1]
    in_large = several[several >= LARGE].sum() / several.sum()
    vary = in_large >= 0.25 and several.std() >= 0.4 * several.mean()
    return bool((vary or several.mean() >= VERY_LARGE) and _most_values(X) <= FEW_VALUES)


def _most_values(X: FloatArray) -> float:
    """The effective number of values of the column that has most: 1 / Σ share²."""
    counts = (np.unique(column, return_counts=True)[1].astype(np.float64) for column in X.T)
    return max(float(len(X) ** 2 / np.square(c).sum()) for c in counts)


def _blocks(p: int) -> Iterator[tuple[int, int]]:
    """Blocks of neighbouring columns: 1, 2, 3, 5, 8 … of them, up to half; at most forty."""
    widths, nearest = [1], 2
    while nearest <= max(1, p // 2):
        widths.append(nearest)
        nearest = max(nearest + 1, round(nearest * 1.6))
    places = [(start, start + w) for w in widths for start in range(0, p - w + 1, max(1, w // 2)) if w < p]
    chosen = np.unique(np.linspace(0, len(places) - 1, min(MOST_BLOCKS, len(places))).astype(int))
    yield from (places[i] for i in chosen.tolist())


def grid(X: FloatArray, spread: FloatArray, width: float, offset: float) -> FloatArray:
    """The cell of a grid in which each value is; the cells have ``width`` times the spread of the column.

    A column without spread keeps its values.
    """
    steps = np.where(spread * width > 0, spread * width, 1.0)
    with np.errstate(over="ignore"):
        cells = np.floor(X / steps + offset)
    return np.where(spread > 0, cells, X)


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
