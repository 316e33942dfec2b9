"""What a search tells of itself, as JSON can hold it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairtrial.methods.tuning.scoring import Tried

__all__ = ["MOST_TOLD", "shortened", "told", "written"]

MOST_TOLD = 500
"""So many configurations, the best, are told."""

LONGEST = 200


def told(tried: Sequence[Tried]) -> dict[str, Any]:
    """The configurations, best first: which was chosen, how many there were, and each with its scores."""
    best = tried[0]
    return {
        "configurations": len(tried),
        "failed": sum(bool(t.error) for t in tried),
        "chosen": _plain(best.parameters),
        "score": _finite(best.score),
        "tried": [_one(t) for t in tried[:MOST_TOLD]],
    }


def _one(tried: Tried) -> dict[str, Any]:
    known = {"parameters": _plain(tried.parameters), "score": _finite(tried.score), "rows": tried.rows}
    return known | ({"error": tried.error} if tried.error else {"scores": [_finite(s) for s in tried.scores]})


def written(parameters: Mapping[str, Any]) -> str:
    """A configuration in words.

    >>> written({"C": 0.1, "kernel": "rbf"})
    "C=0.1, kernel='rbf'"
    """
    return ", ".join(f"{name}={value!r}" for name, value in _plain(parameters).items())


def shortened(text: str) -> str:
    """At most 200 characters."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _plain(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(value) for name, value in parameters.items()}


def _value(value: Any) -> Any:
    """Numbers and texts as they are; anything else as it prints."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return shortened(getattr(value, "__qualname__", None) or " ".join(repr(value).split()))


def _finite(score: float) -> float | None:
    return score if math.isfinite(score) else None
