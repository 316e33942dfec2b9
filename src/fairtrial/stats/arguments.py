"""Single numbers on their way in: whatever is no number is nan, which no check lets pass."""

from __future__ import annotations

import math
from numbers import Real

from fairtrial.errors import InputError

__all__ = ["check_seed", "is_whole", "number"]


def number(value: object) -> float:
    """The value as a number, nan if it is none; so that ``not 0 < number(value) < 1`` refuses text and lists too.

    >>> number(0.5), number("0.5"), number([0.5])
    (0.5, nan, nan)
    """
    if not isinstance(value, Real):
        return math.nan
    try:
        return float(value)
    except OverflowError:  # a whole number of more than 308 digits
        return math.inf


def is_whole(value: object) -> bool:
    """Is it a finite number without a fraction?

    >>> is_whole(3), is_whole(3.0), is_whole(3.5), is_whole("3")
    (True, True, False, False)
    """
    return number(value).is_integer()


def check_seed(seed: object) -> None:
    """Seeds are whole numbers, since an answer that can't be had again is none."""
    if not (hasattr(seed, "__index__") and number(seed) >= 0):
        raise InputError(f"seed must be a whole number of at least 0, got {seed!r}")
