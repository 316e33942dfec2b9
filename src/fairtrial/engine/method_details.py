"""Details that a fitted method reports about itself, such as tuned parameters, checked before they are stored."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.store.json_checks import depth_of
from fairtrial.words import error_line

MOST_DETAILS = 2**20
"""The largest number of bytes, as JSON, that a trial keeps of these details."""
DEEPEST = 100  # nested mappings and lists: a worker can't send deeper ones
HALF_A_PAIR = re.compile("[\ud800-\udfff]")  # half a surrogate pair, which no database takes


def details_of(estimator: Any) -> Mapping[str, Any]:
    """The mapping that ``fairtrial_details()`` of a fitted method, or of the last step of a pipeline, returns.

    JSON must be able to hold it, in at most 1 MiB; keys become text. A mapping that breaks these rules, or an error, is
    left out with a warning of the trial: the predictions are good all the same.
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
        if depth_of(plain) > DEEPEST:
            raise ValueError(f"it must not be nested deeper than {DEEPEST}")
    except Exception as error:  # noqa: BLE001 - the method's own code may raise anything
        warnings.warn(f"what fairtrial_details() tells is left out: {error_line(error)}", stacklevel=2)
        return {}
    return plain


def _each_key_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse keys that are the same as text: JSON would keep only one of 1 and "1"."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"its keys must differ as text, but {twice!r} is there twice")
    return found
