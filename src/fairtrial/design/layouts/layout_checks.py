"""What must hold of every layout that is made, so that a wrong table or construction can't go unnoticed."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fairtrial.design.layouts.axis_checks import without_absent
from fairtrial.design.layouts.layout import Axis, CodedRows, FloatArray
from fairtrial.errors import ContractError


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
