"""What a layout is: the rule by which the settings of an experiment are chosen, before factors have values.

A layout knows nothing of methods and data. It is given :class:`Axis` objects, one for each controllable factor, and
lays out :class:`CodedRows`: one row for each setting, in coded units. A factor turns its coded unit into a level.

The options of layouts: checked when a layout is made, and written as plain data.

Which axes a layout can lay out: checks that all layouts share, and where nested axes exist.

What must hold of every layout that is made, so that a wrong table or construction can't go unnoticed.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import ContractError, InputError
from fairtrial.stats.arguments import is_whole, number
from fairtrial.words import listed, quoted, shown

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Axis:
    """What a layout knows of a factor.

    ``levels`` is the number of listed levels; None means any number of a range. ``when`` makes an axis nested: it
    exists only in rows where each named axis is at one of these of its levels (counted from 0).
    """

    name: str
    levels: int | None = None
    when: Mapping[str, frozenset[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class CodedRows:
    """The settings of an experiment in coded units: a row for each setting, a column for each axis.

    The unit of an axis with listed levels is the number of the level, from 0. The unit of a range is −1 at its low end,
    0 in its middle and +1 at its high end (a central composite layout may go beyond). nan: the axis does not exist in
    that row. ``block`` has the number of the block of each row, if the layout has blocks. ``notes`` are sentences
    about the layout for people, such as its alias chains.
    """

    axes: tuple[Axis, ...]
    rows: FloatArray
    block: NDArray[np.intp] | None = None
    notes: tuple[str, ...] = ()


class Layout(Protocol):
    """A rule that lays out settings: a frozen dataclass whose fields are the options that people give."""

    kind: ClassVar[str]  # as people write it in [plan]: "full factorial"

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:
        """The settings for these axes; random choices depend on the seed only."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options as plain data, as a study file keeps them."""
        ...


MOST_ROWS = 1_000_000
"""The most rows that a layout may have: more can't be run, and would fill the memory."""


def check_whole(name: str, value: object, *, least: int, most: int = MOST_ROWS) -> None:
    """Refuse a value that is not a whole number between two bounds.

    >>> check_whole("runs", 2.5, least=1)
    Traceback (most recent call last):
    fairtrial.errors.InputError: runs must be a whole number from 1 to 1,000,000, got 2.5
    """
    if isinstance(value, bool) or not is_whole(value) or not least <= number(value) <= most:
        raise InputError(f"{name} must be a whole number from {least:,} to {most:,}, got {shown(value)}")


def option_fields(layout: Any) -> dict[str, Field[Any]]:
    """The options of a layout or of its class, by name."""
    return {f.name: f for f in fields(layout) if f.init}


def plain_options(layout: Any) -> dict[str, Any]:
    """The kind of a layout and the options that differ from their defaults, as plain data."""
    found: dict[str, Any] = {"kind": layout.kind}
    for name, option in option_fields(layout).items():
        value, default = getattr(layout, name), option.default
        if default is MISSING and option.default_factory is not MISSING:
            default = option.default_factory()
        if value != default:
            found[name] = _plain(value)
    return found


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(v) for v in value]
    return value


NESTING = ("full factorial", "D-optimal", "Latin hypercube", "Halton", "one at a time", "best guess")
"""The kinds of layouts that can lay out nested axes."""


def check_axes(axes: Sequence[Axis], kind: str) -> tuple[Axis, ...]:
    """The axes, checked: at least one, different names, listed levels, and parents that are there."""
    if not axes:
        raise InputError(f"a {kind} layout needs at least one factor that it can vary, got none")
    twice = [name for name, count in Counter(a.name for a in axes).items() if count > 1]
    if twice:
        raise InputError(f"the names of factors must differ, but {quoted(twice)} come more than once")
    for axis in axes:
        if axis.levels is not None:
            check_whole(f"the number of levels of {axis.name!r}", axis.levels, least=1)
    in_order(axes)
    return tuple(axes)


def in_order(axes: Sequence[Axis]) -> list[int]:
    """The positions of the axes, each after those that it is nested in."""
    position = {axis.name: i for i, axis in enumerate(axes)}
    for axis in axes:
        for parent, levels in axis.when.items():
            _check_parent(axis, parent, levels, axes[position[parent]] if parent in position else None)
    order: list[int] = []
    while len(order) < len(axes):
        done = {axes[i].name for i in order}
        ready = [i for i, a in enumerate(axes) if i not in order and set(a.when) <= done]
        if not ready:
            circle = [a.name for i, a in enumerate(axes) if i not in order]
            raise InputError(f"factors must not be nested in each other, but {quoted(circle)} are")
        order += ready
    return order


def _check_parent(axis: Axis, parent: str, levels: frozenset[int], found: Axis | None) -> None:
    if found is None:
        raise InputError(f"{axis.name!r} is nested in {parent!r}, but there is no such factor")
    if found.levels is None:
        raise InputError(f"{axis.name!r} is nested in {parent!r}, which must have listed levels, but is a range")
    if not levels or not all(0 <= level < found.levels for level in levels):
        raise InputError(
            f"{axis.name!r} must be nested in levels 0 to {found.levels - 1} of {parent!r}, got {shown(sorted(levels))}"
        )


def existing(axis: Axis, axes: Sequence[Axis], rows: FloatArray) -> NDArray[np.bool_]:
    """In which rows an axis exists: where each axis that it is nested in has one of the given levels."""
    found = np.ones(len(rows), dtype=bool)
    names = [a.name for a in axes]
    for parent, levels in axis.when.items():
        found &= np.isin(rows[:, names.index(parent)], sorted(levels))  # nan is at no level
    return found


def without_absent(rows: FloatArray, axes: Sequence[Axis]) -> FloatArray:
    """The rows with nan where a nested axis does not exist."""
    rows = np.array(rows, dtype=float)
    for i in in_order(axes):
        rows[~existing(axes[i], axes, rows), i] = np.nan
    return rows


def can_coexist(one: Axis, other: Axis, axes: Sequence[Axis]) -> bool:
    """Whether two axes exist together in some row."""
    conditions: dict[str, frozenset[int]] = {}
    by_name = {axis.name: axis for axis in axes}
    waiting = [one, other]
    while waiting:
        axis = waiting.pop()
        for parent, levels in axis.when.items():
            conditions[parent] = conditions.get(parent, levels) & levels
            waiting.append(by_name[parent])
    return all(conditions.values())


def check_unnested(axes: Sequence[Axis], kind: str) -> None:
    """Refuse nested axes, and name the layouts that can have them."""
    nested = [axis.name for axis in axes if axis.when]
    if nested:
        raise InputError(
            f"a {kind} layout has every factor in every row, but {quoted(nested)} exist only in some; "
            f"layouts that can nest factors are {listed(NESTING, None)}"
        )


def check_two_levels(axes: Sequence[Axis], kind: str) -> None:
    """Refuse axes that are neither ranges nor have exactly two listed levels, and name layouts for them."""
    check_unnested(axes, kind)
    wrong = [f"{axis.name!r} has {axis.levels}" for axis in axes if axis.levels not in (None, 2)]
    if wrong:
        raise InputError(
            f"a {kind} layout needs ranges or factors with exactly 2 levels, but {listed(wrong)}; "
            "full factorial and D-optimal layouts take any number of levels"
        )


def check_ranges(axes: Sequence[Axis], kind: str) -> None:
    """Refuse axes with listed levels where a layout needs values in the middle, and name layouts for them."""
    check_unnested(axes, kind)
    wrong = [axis.name for axis in axes if axis.levels is not None]
    if wrong:
        raise InputError(
            f"a {kind} layout needs factors with a range, but {quoted(wrong)} have listed levels; "
            "full factorial and D-optimal layouts take both"
        )


def from_signs(signs: FloatArray, axes: Sequence[Axis]) -> FloatArray:
    """Signs −1 and +1 as coded units: the same for ranges, 0 and 1 for two listed levels."""
    are_listed = np.array([axis.levels is not None for axis in axes])
    return np.where(are_listed, (signs + 1) / 2, signs).astype(float)


def checked(coded: CodedRows, kind: str, *, runs: int | None = None) -> CodedRows:
    """The coded rows, after a check that each value is possible for its axis and that all rows are there."""
    rows = coded.rows
    if rows.ndim != 2 or rows.shape[1] != len(coded.axes):
        raise ContractError(f"{kind}: rows must have {len(coded.axes)} columns, but their shape is {rows.shape}")
    if runs is not None:
        check_runs(rows, runs, kind)
    if not np.array_equal(np.isnan(rows), np.isnan(without_absent(np.nan_to_num(rows), coded.axes))):
        raise ContractError(f"{kind}: a nested factor is there where it must not be, or missing where it must be")
    for axis, column in zip(coded.axes, rows.T, strict=True):
        _check_column(axis, column[~np.isnan(column)], kind)
    if coded.block is not None and coded.block.shape != (len(rows),):
        raise ContractError(f"{kind}: there are {len(rows)} rows, but blocks for {coded.block.shape}")
    rows = rows + 0.0  # no negative zeros, which would be written as −0
    rows.setflags(write=False)
    return replace(coded, rows=rows)


def _check_column(axis: Axis, column: FloatArray, kind: str) -> None:
    if not np.isfinite(column).all():
        raise ContractError(f"{kind}: the units of {axis.name!r} must be finite")
    if axis.levels is not None and not np.isin(column, np.arange(axis.levels)).all():
        raise ContractError(f"{kind}: the levels of {axis.name!r} must be 0 to {axis.levels - 1}, got {set(column)}")


def check_runs(rows: FloatArray, runs: int, kind: str) -> None:
    """Refuse a layout that does not have the number of rows that it must have."""
    if len(rows) != runs:
        raise ContractError(f"{kind}: there must be {runs} rows, but there are {len(rows)}")


def check_orthogonal(signs: FloatArray, kind: str) -> None:
    """Refuse columns that are not balanced and orthogonal to each other: all products of two must sum to 0.

    >>> check_orthogonal(np.array([[-1.0, -1], [1, -1], [-1, 1], [1, -1]]), "planted")
    Traceback (most recent call last):
    fairtrial.errors.ContractError: planted: the columns must be balanced and orthogonal, but column 2 is not
    """
    with_mean = np.column_stack([np.ones(len(signs)), signs])
    off = np.abs(with_mean.T @ with_mean) > 1e-9 * len(signs)
    np.fill_diagonal(off, val=False)
    if off.any():
        raise ContractError(
            f"{kind}: the columns must be balanced and orthogonal, but column {max(int(np.argwhere(off)[0].max()), 1)} "
            "is not"
        )


def resolution_of_signs(signs: FloatArray, most: int = 5) -> int | None:
    """The resolution of a two-level layout by brute force: the smallest number of columns whose product has a mean.

    For a regular fraction the product of the columns of a defining word is constant. For other layouts, such as
    Plackett and Burman's, the number is the whole part of the generalised resolution. None: it is above ``most``.

    Reference: Deng & Tang (1999), Statistica Sinica 9:1071-1082.

    >>> half = np.array([[a, b, a * b] for a in (-1.0, 1) for b in (-1.0, 1)])
    >>> resolution_of_signs(half)
    3
    """
    for size in range(1, min(most, signs.shape[1]) + 1):
        for columns in itertools.combinations(range(signs.shape[1]), size):
            if abs(signs[:, columns].prod(axis=1).sum()) > 1e-9:
                return size
    return None


def check_resolution(signs: FloatArray, resolution: int, kind: str) -> None:
    """Refuse a two-level layout whose resolution, found from its rows by brute force, is below the stated one."""
    found = resolution_of_signs(signs, most=min(resolution - 1, 4))
    if found is not None and found < resolution:
        raise ContractError(f"{kind}: the resolution must be {resolution}, but it is {found}: its table is wrong")


def as_signs(rows: FloatArray, axes: Sequence[Axis]) -> FloatArray | None:
    """Coded units of a two-level layout as signs; None if a factor has other units or is nested."""
    if np.isnan(rows).any():
        return None
    signs = np.column_stack(
        [column if axis.levels is None else 2 * column - 1 for axis, column in zip(axes, rows.T, strict=True)]
    )
    return signs if np.isin(signs, (-1, 1)).all() else None
