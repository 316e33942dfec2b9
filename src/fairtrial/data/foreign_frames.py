"""Tables and columns of other libraries (polars, Arrow, modin, …) as those of pandas, read through narwhals.

Columns are converted one by one, so that polars needs no pyarrow, and in a way that the same data have the same
fingerprint whichever library holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fairtrial.errors import InputError
from fairtrial.words import plural

PLAIN = (str, bytes, int, float, bool, Path, list, tuple, Mapping, np.ndarray, type(None))
"""Types that no library of tables uses, for which narwhals need not be imported."""

PLAIN_KINDS = (
    "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Date", "Datetime", "Duration"
)  # fmt: skip
"""Kinds of columns that numpy has, with nan or NaT where values are missing."""


def is_frame(given: object) -> bool:
    """Whether it is a table with names of columns, of any library; nothing is converted.

    >>> import pandas as pd
    >>> is_frame(pd.DataFrame({"a": [1, 2]})), is_frame([1, 2])
    (True, False)
    """
    if isinstance(given, PLAIN):
        return isinstance(given, np.ndarray) and bool(given.dtype.names)
    return isinstance(given, _pandas().DataFrame) or _wrapped(given)[1] in ("DataFrame", "LazyFrame")


def as_frame(given: object) -> Any:
    """A table as a pandas DataFrame; None if it is no table.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": [1, 2]})
    >>> as_frame(frame) is frame, as_frame([1, 2]) is None
    (True, True)
    """
    if not is_frame(given):
        return None
    if isinstance(given, np.ndarray):
        return _pandas().DataFrame({name: given[name] for name in given.dtype.names or ()})
    if isinstance(given, _pandas().DataFrame):
        return given
    table, kind = _wrapped(given)
    if kind == "LazyFrame":
        raise InputError(
            f"a table must be one in memory, got a {type(given).__name__}, which is computed when asked for; "
            "give what its collect() or compute() returns"
        )
    ranked = _has_ranked_categories(given)
    return _pandas().DataFrame({name: _column(table[name], name, ranked) for name in table.columns})


def as_series(given: object) -> Any:
    """A column as a pandas Series, also a table that has only one; None if it is neither.

    >>> as_series([1, 2]) is None
    True
    """
    if isinstance(given, PLAIN):
        return None
    if isinstance(given, _pandas().Series):
        return given
    column, kind = _wrapped(given)
    if kind == "Series":
        name = column.name or None
        return _pandas().Series(_column(column, str(name), False), name=name)
    frame = as_frame(given)
    if frame is None:
        return None
    if frame.shape[1] != 1:
        raise InputError(f"a target must be one column, got a table of {plural(frame.shape[1], 'column')}")
    return frame.iloc[:, 0]


def _pandas() -> Any:
    import pandas as pd

    return pd


def _wrapped(given: Any) -> tuple[Any, str]:
    """The table or column as narwhals sees it, and its kind; as it is, without a kind, if narwhals does not know it."""
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    if type(given).__module__.partition(".")[0] == "pyarrow":  # narwhals knows only Table and ChunkedArray
        import pyarrow as pa

        if isinstance(given, pa.RecordBatch):
            given = pa.Table.from_batches([given])
        elif isinstance(given, pa.Array):
            given = pa.chunked_array([given])
    try:
        seen: Any = nw.from_native(given, pass_through=True, allow_series=True)
    except DuplicateError as error:
        said = " ".join(str(error).split())
        raise InputError(f"the columns of a table must have different names ({said}); rename them") from None
    kinds = {nw.DataFrame: "DataFrame", nw.LazyFrame: "LazyFrame", nw.Series: "Series"}
    return seen, next((kind for known, kind in kinds.items() if isinstance(seen, known)), "")


def _has_ranked_categories(table: Any) -> bool:
    """Whether the order in which an Arrow table lists categories is meant: pandas wrote it, and notes its own."""
    metadata = getattr(getattr(table, "schema", None), "metadata", None)
    return isinstance(metadata, Mapping) and b"pandas" in metadata


def _column(column: Any, name: str, ranked: bool) -> Any:
    """A column of narwhals as a pandas array; missing values are nan, NaT, NA or None."""
    pd = _pandas()
    kind = str(column.dtype).partition("(")[0]
    if column.dtype.is_float() or kind in PLAIN_KINDS:
        return column.to_numpy()
    if column.dtype.is_numeric():  # Decimal, and whole numbers that numpy has no type for
        return np.array([np.nan if value is None else float(value) for value in column.to_list()])
    if kind == "Boolean":
        return pd.array(column.to_list(), dtype="boolean")
    if kind in ("Categorical", "Enum"):
        return pd.Categorical(column.to_list(), categories=_categories(column, ranked))
    if kind in ("String", "Time", "Unknown", "Object"):
        return pd.Series(column.to_list(), dtype=object)
    raise InputError(
        f"column {name!r} must hold numbers, text, bools, categories or dates, got {column.dtype}; convert it"
    )


def _categories(column: Any, ranked: bool) -> list[str]:
    """The categories in the order that was declared, if one was; else sorted, as those of text are."""
    declared = getattr(column.dtype, "categories", None)
    if declared is not None:
        return list(declared)
    native = column.to_native()
    if native.__class__.__module__.startswith("pyarrow") and (ranked or native.type.ordered):
        return list(native.combine_chunks().dictionary.to_pylist())
    return sorted({value for value in column.to_list() if value is not None})
