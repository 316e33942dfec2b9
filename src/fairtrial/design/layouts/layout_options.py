"""The options of layouts: checked when a layout is made, and written as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from fairtrial.errors import InputError
from fairtrial.stats.arguments import is_whole, number
from fairtrial.words import shown

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
