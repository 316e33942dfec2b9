"""Levels of factors: what a level may be, how it is written, and how a level is found again in a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

import numpy as np

from fairtrial.errors import InputError
from fairtrial.words import is_one_of, shown

Number = float | int
Level = float | int | str | bool | None
"""A level: a number, a text, true or false, or None (``max_depth=None``)."""

Role = Literal["controllable", "uncontrollable"]
ROLES: tuple[Role, ...] = get_args(Role)


def as_role(name: str, role: Any) -> Role:
    """The role of a factor, checked."""
    if not is_one_of(role, ROLES):
        raise InputError(f"role of {name} must be 'controllable' or 'uncontrollable', got {shown(role)}")
    checked: Role = role
    return checked


def is_number(level: object) -> bool:
    """Whether a level is a number; true and false are not."""
    return isinstance(level, (int, float)) and not isinstance(level, bool)


def are_numbers(levels: Iterable[object]) -> bool:
    """Whether all levels are numbers, so that a table can hold them as numbers."""
    return all(map(is_number, levels))


def as_level(value: Any) -> Any:
    """A value of numpy as a plain one; anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def is_level(value: object) -> bool:
    """Whether a value can be a level by itself: JSON can hold it, and people can read it."""
    return value is None or isinstance(value, (str, bool)) or (is_number(value) and math.isfinite(value))  # type: ignore[arg-type]


def level_text(level: Level) -> str:
    """A level as text in a table; the levels of one factor all differ as text.

    >>> level_text(None), level_text(0.1), level_text(3.0), level_text(True)
    ('None', '0.1', '3', 'True')
    """
    return str(int(level)) if isinstance(level, float) and level.is_integer() and abs(level) < 1e15 else str(level)


def find_level(levels: Sequence[Level], given: object) -> tuple[Level, ...]:
    """The level among ``levels`` that is meant by ``given``, alone in a tuple; an empty tuple if none is.

    Text that is written like a level means that level, as on the command line.

    >>> find_level((3, 6, None), "6"), find_level((3, 6), 9)
    ((6,), ())
    """
    wanted = as_level(given)
    text = level_text(wanted) if is_level(wanted) else None
    return next(((level,) for level in levels if level_text(level) == text), ())


def write_level(level: Level) -> str:
    """A level in words: numbers with at most six digits."""
    return f"{level:.6g}" if is_number(level) else str(level)
