"""JSON: data in, a string out."""

from __future__ import annotations

import json
import math


def render(data: object) -> str:
    """Write data as JSON; see :func:`plain`."""
    return json.dumps(plain(data), indent=2, ensure_ascii=False, allow_nan=False)


def plain(value: object) -> object:
    """A value as JSON and CSV can carry it: nan is null, infinities are text, numpy's numbers are Python's.

    >>> plain({"a": float("nan"), 1: (float("inf"), 2)})
    {'a': None, '1': ['inf', 2]}
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (str, int, float)) or value is None:
        return value
    return str(value)
