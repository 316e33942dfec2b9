"""Layouts that people choose by hand: best guess, and one factor at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from fairtrial.design.layouts.fractional import units_of
from fairtrial.design.layouts.layout import (
    Axis,
    CodedRows,
    FloatArray,
    check_axes,
    check_whole,
    checked,
    existing,
    in_order,
    plain_options,
    without_absent,
)
from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.arguments import is_whole, number
from fairtrial.words import shown


@dataclass(frozen=True, slots=True)
class BestGuess:
    """Settings that somebody chose, row by row, in coded units: nan where a nested factor does not exist.

    The unit of a factor with listed levels is the number of the level, from 0; that of a range is −1 at its low end and
    +1 at its high end.

    >>> BestGuess(rows=((0, -1), (1, 0.5))).lay_out([Axis("kernel", 2), Axis("rate")], seed=1).rows
    array([[ 0. , -1. ],
           [ 1. ,  0.5]])
    """

    rows: Sequence[Sequence[float]]

    kind: ClassVar[str] = "best guess"

    def __post_init__(self) -> None:
        try:
            rows = tuple(tuple(float(v) for v in row) for row in self.rows)
        except (TypeError, ValueError):
            raise InputError(f"rows must be a list of rows of numbers, got {shown(self.rows)}") from None
        if not rows or len({len(row) for row in rows}) > 1:
            raise InputError(f"rows must be at least one row, and all of one length, got {shown(self.rows)}")
        object.__setattr__(self, "rows", rows)

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:  # noqa: ARG002
        """The rows as they are, after a check that each value is possible."""
        axes = check_axes(axes, self.kind)
        rows = np.array(self.rows)
        if rows.shape[1] != len(axes):
            raise InputError(f"rows must have a value for each of the {len(axes)} factors, got {rows.shape[1]} values")
        for i in in_order(axes):
            _check_units(axes[i], rows[:, i], existing(axes[i], axes, rows))
        return checked(CodedRows(axes, rows), self.kind)

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options."""
        return plain_options(self)


def _check_units(axis: Axis, column: FloatArray, there: Any) -> None:
    """Refuse units that the axis can't have, and values where it must be absent."""
    wrong = ~np.isnan(column) & ~there
    if wrong.any() or np.isnan(column[there]).any():
        where = int(np.flatnonzero(wrong | (np.isnan(column) & there))[0])
        must = "must be nan, since the factor is nested" if wrong.any() else "must have a value"
        raise InputError(f"rows: {axis.name!r} {must} in row {where}, got {shown(column[where])}")
    for value in column[there]:
        _check_unit(axis, value)


def _check_unit(axis: Axis, value: object) -> None:
    if axis.levels is None:
        if not abs(number(value)) < np.inf:
            raise InputError(f"{axis.name!r} must have a finite number from −1 (low) to 1 (high), got {shown(value)}")
    elif not (is_whole(value) and 0 <= number(value) < axis.levels):
        raise InputError(f"{axis.name!r} must have the number of a level, 0 to {axis.levels - 1}, got {shown(value)}")


@dataclass(frozen=True, slots=True)
class OneAtATime:
    """A base row, then each factor changed alone to its other levels.

    ``base`` has the coded unit of factors in the base row, by name; else it is the middle of a range and the first
    listed level. ``levels`` is the number of equally spaced levels of a range, beside the base. A factor that is nested
    is changed where it exists: in the base row with the factor that it is nested in changed, too, if it must be.

    It shows no interactions: if two factors help only together, none of them seems to help. It is here because people
    do it, and to be compared with.

    >>> OneAtATime().lay_out([Axis("rate"), Axis("kernel", 3)], seed=1).rows
    array([[ 0.,  0.],
           [-1.,  0.],
           [ 1.,  0.],
           [ 0.,  1.],
           [ 0.,  2.]])
    """

    base: Mapping[str, float] = field(default_factory=dict, hash=False)
    levels: int = 2

    kind: ClassVar[str] = "one at a time"

    def __post_init__(self) -> None:
        check_whole("levels", self.levels, least=2)
        if not isinstance(self.base, Mapping):
            raise InputError(f"base must map factors to coded units, such as {{'rate': -1}}, got {shown(self.base)}")

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:  # noqa: ARG002
        """The base row, then the rows of each factor."""
        axes = check_axes(axes, self.kind)
        names = [axis.name for axis in axes]
        for name in self.base:
            if name not in names:
                raise UnknownName.among("factor", name, names)
        base = np.array([self._base_unit(axis) for axis in axes])
        rows = [base]
        for i, axis in enumerate(axes):
            start = _where_it_exists(axis, axes, base)
            others = [unit for unit in units_of(axis, self.levels) if unit != start[i]]
            if not np.array_equal(start, base):
                others = [start[i], *others]
            for unit in others:
                row = start.copy()
                row[i] = unit
                rows.append(row)
        found = without_absent(np.array(rows), axes)
        alike = np.nan_to_num(found, nan=-9)  # a nested factor may repeat the row of the one that it is nested in
        first = np.sort(np.unique(alike, axis=0, return_index=True)[1])
        return checked(CodedRows(axes, found[first]), self.kind)

    def _base_unit(self, axis: Axis) -> float:
        value = self.base.get(axis.name, 0.0)
        _check_unit(axis, value)
        return float(value)

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options."""
        return plain_options(self)


def _where_it_exists(axis: Axis, axes: Sequence[Axis], base: FloatArray) -> FloatArray:
    """The base row, with the factors that this one is nested in changed where they must be."""
    row, names = base.copy(), [a.name for a in axes]
    waiting = [axis]
    while waiting:
        for parent, levels in waiting.pop().when.items():
            place = names.index(parent)
            if row[place] not in levels:
                row[place] = min(levels)
            waiting.append(axes[place])
    return row
