"""The digest of results: of a study file's content, of predictions, or of scores, whatever the order of rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairtrial.store import digest_of_lines

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results


def digest_of_results(results: Results) -> str:
    """A hash of the content that results come from: the study file, the predictions, or else the scores themselves."""
    return digest_of_rows(results.scores) if results.source is None else results.source.content


def digest_of_rows(*frames: pd.DataFrame) -> str:
    """A hash of the rows of frames; neither the order of rows nor that of columns changes it.

    >>> import pandas as pd
    >>> one = pd.DataFrame({"a": [1.5, 2.5], "b": ["x", "y"]})
    >>> digest_of_rows(one) == digest_of_rows(one[::-1]) == digest_of_rows(one[["b", "a"]])
    True
    >>> digest_of_rows(one) == digest_of_rows(one.assign(a=[1.5, 2.5000001]))
    False
    """
    return digest_of_lines([line for frame in frames for line in _lines(frame)])


def _lines(frame: pd.DataFrame) -> Iterator[str]:
    names = sorted(map(str, frame.columns))
    columns = [frame[name].tolist() for name in names]
    head = json.dumps(names)
    return (head + json.dumps(row, default=str) for row in zip(*columns, strict=True))
