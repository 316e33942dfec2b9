"""New rows in the form of a data set: the same columns, the same codes of categories; for models that are used."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from fairtrial.data.dataset import AnyArray, Dataset, Feature, FloatArray
from fairtrial.data.foreign_frames import as_frame
from fairtrial.data.frames import FrameColumns
from fairtrial.errors import InputError
from fairtrial.words import quoted, shown


def new_rows(dataset: Dataset, X: Any) -> FloatArray:
    """The features of new rows as a matrix like ``dataset.X``: from a table with its columns, or from an array.

    Columns of a table are found by name, and others are left out; those of an array must be in the order of the data
    set. A category that the data set does not have counts as missing, and a warning says so.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"colour": ["red", "blue"] * 2, "size": [1.5, 2, 3, 4], "y": [0, 1, 1, 0]})
    >>> data = Dataset.from_frame(frame)
    >>> new_rows(data, pd.DataFrame({"size": [7.0], "colour": ["red"]}))
    array([[1., 7.]])
    """
    frame = as_frame(X)
    if frame is None:
        frame = _named(dataset, X)
    columns = FrameColumns(frame)
    lacking = [f.name for f in dataset.features if f.name not in columns.names]
    if lacking:
        raise InputError(f"X must have the columns of {dataset.name!r}, but lacks {quoted(lacking)}")
    made = [_numbers(f, columns) if f.kind == "numeric" else _codes(f, columns) for f in dataset.features]
    return np.column_stack(made) if made else np.empty((len(frame), 0))


def _named(dataset: Dataset, X: Any) -> Any:
    """An array as a table with the names of the data set's columns."""
    import pandas as pd

    array = np.asarray(X, dtype=object) if isinstance(X, (list, tuple)) else np.asarray(X)
    if array.ndim != 2 or array.shape[1] != dataset.p:
        raise InputError(
            f"X must be a table, or a matrix with the {dataset.p} columns of {dataset.name!r}, got {shown(X)} of shape "
            f"{array.shape}"
        )
    return pd.DataFrame(array, columns=[f.name for f in dataset.features])


def _numbers(feature: Feature, columns: FrameColumns) -> FloatArray:
    values = columns.raw(feature.name)
    if values.dtype != object:
        return values.astype(np.float64)
    try:
        return np.array([np.nan if v is None else float(v) for v in values])
    except (TypeError, ValueError):
        found = columns.feature(feature.name)  # text may hold dates
        if found is None or found[0].kind != "numeric":
            raise InputError(
                f"column {feature.name!r} must hold numbers, as in the data that were learned from, got text"
            ) from None
        for note in columns.notes:  # a sign or unit may be another than in the data that were learned from
            if note.about == f"column {feature.name!r}" and "holds" not in note.evidence:
                warnings.warn(note.text, stacklevel=2)
        return found[1]


def _codes(feature: Feature, columns: FrameColumns) -> FloatArray:
    """The codes of categories; nan where a value is missing or no category of the data set."""
    place = {category: float(code) for code, category in enumerate(feature.categories)}
    texts = list(map(_text, columns.raw(feature.name)))
    unknown = sorted({text for text in texts if text is not None and text not in place})
    if unknown:
        warnings.warn(
            f"column {feature.name!r} has {quoted(unknown)}, which did not occur in the data that were learned from: "
            "counted as missing",
            stacklevel=2,
        )
    return np.array([np.nan if text is None else place.get(text, np.nan) for text in texts])


def _text(value: AnyArray | object) -> str | None:
    """A category as text; None where it is missing."""
    if value is None or value != value:
        return None
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)
