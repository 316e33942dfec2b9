"""Amounts of memory as people write them."""

from __future__ import annotations

import math
import re
from numbers import Real

from fairtrial.errors import InputError
from fairtrial.words import shown

UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
AMOUNT = re.compile(r"\s*(?P<number>[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(?P<unit>[A-Za-z]*)\s*")


def as_bytes(name: str, given: object) -> int | None:
    """A number of bytes, from one or from a text such as '2 GB'; None for no limit.

    >>> as_bytes("memory_limit", "300 MB"), as_bytes("memory_limit", "1.5GiB"), as_bytes("memory_limit", 10**6)
    (300000000, 1610612736, 1000000)
    """
    if given is None:
        return None
    number = _number(given)
    if number is None or not 1 <= number < math.inf:
        raise InputError(
            f"{name} must be a number of bytes above 0 or a text such as '2 GB', got {shown(given)}; "
            "leave it out for no limit"
        )
    return int(number)


def _number(given: object) -> float | None:
    if isinstance(given, Real) and not isinstance(given, bool):
        return float(given)
    found = AMOUNT.fullmatch(given) if isinstance(given, str) else None
    if found is None or found["unit"].upper() not in UNITS:
        return None
    try:
        return float(found["number"]) * UNITS[found["unit"].upper()]
    except ValueError:
        return None
