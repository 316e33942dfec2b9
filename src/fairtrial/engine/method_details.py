"""What a fitted method tells of itself, such as its tuned parameters, checked before it is stored."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.words import error_line

__all__ = ["MOST_DETAILS", "details_of"]

MOST_DETAILS = 2**20
"""So many bytes of JSON a trial may keep of what its method tells of itself."""
DEEPEST = 100  # mappings and lists in each other: more can't be sent by a worker
HALF_A_PAIR = re.compile("[\ud800-\udfff]")  # of UTF-16: no database takes it


def details_of(estimator: Any) -> Mapping[str, Any]:
    """What a fitted method, or the last step of a pipeline, tells of itself: the mapping of ``fairtrial_details()``.

    It must be what JSON can hold, at most 1 MiB; keys become text. Where it is not, or fails, it is left out and a
    warning says so: the predictions are as good as ever.
    """
    while hasattr(estimator, "steps") and not hasattr(estimator, "fairtrial_details"):
        estimator = estimator.steps[-1][1]
    if not hasattr(estimator, "fairtrial_details"):
        return {}
    try:
        given = estimator.fairtrial_details()
        if not isinstance(given, Mapping):
            raise TypeError(f"it must be a mapping, got {type(given).__name__}")
        text = HALF_A_PAIR.sub("\ufffd", json.dumps(dict(given), allow_nan=False, ensure_ascii=False))
        if (size := len(text.encode())) > MOST_DETAILS:
            raise ValueError(f"it must have at most {MOST_DETAILS} bytes as JSON, got {size}")
        plain: Mapping[str, Any] = json.loads(text, object_pairs_hook=_each_key_once)
        if _depth(plain) > DEEPEST:
            raise ValueError(f"it must not be nested deeper than {DEEPEST}")
    except Exception as error:  # noqa: BLE001 - the method's own code
        warnings.warn(f"what fairtrial_details() tells is left out: {error_line(error)}", stacklevel=2)
        return {}
    return plain


def _depth(value: Any) -> int:
    """How deep mappings and lists are nested, looked at layer by layer; a little more than allowed at the most."""
    layer, depth = [value], 0
    while layer and depth <= DEEPEST:
        inside = (part.values() if isinstance(part, dict) else part for part in layer if isinstance(part, (dict, list)))
        layer = [item for items in inside for item in items]
        depth += bool(layer)
    return depth


def _each_key_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """As JSON has it, 1 and "1" are one key: what was said of one of them would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"its keys must differ as text, but {twice!r} is there twice")
    return found
