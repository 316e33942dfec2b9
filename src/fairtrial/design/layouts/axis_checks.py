"""Which axes a layout can lay out: checks that all layouts share, and where nested axes exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.layouts.layout import Axis, FloatArray
from fairtrial.design.layouts.layout_options import check_whole
from fairtrial.errors import InputError
from fairtrial.words import listed, quoted, shown

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
