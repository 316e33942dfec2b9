"""What the data of all figures share: plain data of it, and checks of names, grids of numbers, the range of an axis."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.tables.render_json import plain
from fairtrial.words import plural

Rows = tuple[tuple[float, ...], ...]

MARGIN = 0.04


class FigureData:
    """All that a figure shows, as data: a frozen dataclass."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The figure's data as plain data."""
        return plain(asdict(self))  # type: ignore[call-overload,return-value]


def some_names(argument: str, names: Iterable[object], least: int = 1) -> tuple[str, ...]:
    """The names as text; there must be at least ``least``."""
    found = tuple(str(name) for name in names)
    if len(found) < least:
        raise InputError(f"{argument} must have at least {plural(least, 'entry', 'entries')}, got {len(found)}")
    return found


def number_grid(argument: str, values: npt.ArrayLike, shape: tuple[int, int]) -> Rows:
    """Numbers in rows, nan for missing ones; they must have this shape."""
    array = np.asarray(values, dtype=np.float64)
    if array.shape != shape:
        raise InputError(f"{argument} must have {shape[0]} rows of {shape[1]} numbers, got shape {array.shape}")
    return tuple(tuple(row) for row in array.tolist())


def number_row(argument: str, values: npt.ArrayLike, length: int) -> tuple[float, ...]:
    """Numbers in one row, nan for missing ones; the row must have this length."""
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (length,):
        raise InputError(f"{argument} must be {length} numbers, got shape {array.shape}")
    return tuple(array.tolist())


def check_intervals(low: Sequence[float], high: Sequence[float]) -> None:
    """Refuse intervals whose low end lies above the high end."""
    for a, b in zip(low, high, strict=True):
        if a > b:
            raise InputError(f"low must not lie above high, got low {a!r} and high {b!r}")


def axis_limits(values: Iterable[float], *, log: bool = False) -> tuple[float, float]:
    """The limits of an axis: the smallest and largest finite value (on a log axis above 0), and a margin.

    >>> axis_limits([0.5, 1.0, float("nan"), float("inf")])
    (0.48, 1.02)
    >>> axis_limits([1, 100, 0], log=True)   # 4 % of two decades on each side
    (0.8318, 120.2)
    """
    finite = [v for v in values if math.isfinite(v) and (v > 0 or not log)]
    if not finite:
        return (0.5, 2.0) if log else (0.0, 1.0)
    low, high = min(finite), max(finite)
    if log:
        low, high = math.log10(low), math.log10(high)
    margin = MARGIN * (high - low)
    if not low - margin < low <= high < high + margin:  # one value, or so close that the margin is lost in rounding
        margin = MARGIN * max(abs(low), 1.0)
    low, high = low - margin, high + margin
    return (10**low, 10**high) if log else (low, high)


def far_off(values: Iterable[float], others: Iterable[float], *, log: bool = False) -> bool:
    """Whether an axis that shows these values too would be more than twice as long as one with the others only.

    >>> far_off([0.1], [0.8, 0.9]), far_off([0.75], [0.8, 0.9]), far_off([1], [10, 100], log=True)
    (True, False, False)
    """
    own, rest = (axis_limits(v, log=log) for v in (list(values), list(others)))
    if log:
        own, rest = (tuple(math.log10(end) for end in ends) for ends in (own, rest))  # type: ignore[assignment]
    return max(own[1], rest[1]) - min(own[0], rest[0]) > 2.2 * (rest[1] - rest[0])
