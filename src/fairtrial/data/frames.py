"""Columns of a DataFrame, as features and as targets; pandas 2.2 and 3.

Tables and columns of other libraries (polars, Arrow, modin, …) as those of pandas, read through narwhals.

Columns are converted one by one, so that polars needs no pyarrow, and in a way that the same data have the same
fingerprint whichever library holds them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fairtrial.data.build_dataset import default_target
from fairtrial.data.column_guards import DATES
from fairtrial.data.dataset import AnyArray, Feature, FloatArray
from fairtrial.data.spellings import numbers_of_text, with_one_spelling
from fairtrial.errors import InputError
from fairtrial.notices import Notice, Severity
from fairtrial.words import plural, quoted, shown

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


MOST_CATEGORIES = 30
MOST_DISTINCT = 0.5
ROW_NUMBERS = ("", "id", "index", "row", "rownames", "unnamed: 0")
TOTALS = ("total", "sum", "mean", "average", "median", "grand total", "overall")
OTHER_DATE = re.compile(r"[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{2}|[0-9]{4})|[0-9]{4}([./])[0-9]{1,2}\2[0-9]{1,2}")
ISO_DATE = re.compile(
    "[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
)


class FrameColumns:
    """The columns of a DataFrame for :func:`fairtrial.data.build_dataset.from_columns`."""

    def __init__(self, given: Any) -> None:
        frame = as_frame(given)
        if frame is None:
            raise InputError(
                f"frame must be a DataFrame (of pandas, polars, Arrow, …), got {shown(given)}; arrays need from_arrays"
            )
        self._frame: Any = frame.infer_objects()
        self.names = [str(name) for name in frame.columns]
        self._place = {name: i for i, name in enumerate(self.names)}
        self._texts: dict[str, Any] = {}
        self._left_out: dict[str, list[str]] = {}
        self._remarks: list[Notice] = []

    @property
    def notes(self) -> list[Notice]:
        """Notes on what was left out or changed."""
        left_out = (
            Notice(f"left out: {quoted(names)} ({why})", "note", "columns", {"columns": names})
            for why, names in self._left_out.items()
        )
        return [*left_out, *self._remarks]

    def default_target(self) -> tuple[str, Notice]:
        """A column named target, class or y, else the last."""
        return default_target(self.names)

    def raw(self, name: str) -> AnyArray:
        """The values of a column, nan or None where missing; dates as days since 1970."""
        return series_values(self._column(name))

    def declared(self, name: str) -> tuple[str, ...]:
        """The categories of a categorical column."""
        column = self._column(name)
        return tuple(str(c) for c in column.cat.categories) if hasattr(column, "cat") else ()

    def feature(self, name: str) -> tuple[Feature, FloatArray] | None:
        """Numbers, bools and dates as numbers; categories and text as codes; row numbers and free text left out."""
        column = self._column(name)
        if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf":  # of wide tables, hasattr would take long
            return self._numeric(name, column.to_numpy())
        if hasattr(column, "cat"):
            return _nominal(name, column.cat.codes.to_numpy(), [str(c) for c in column.cat.categories])
        if _is_text(column):
            return self._text(name, column)
        values = series_values(column)
        if hasattr(column, "dt"):
            holds = "durations" if column.dtype.kind == "m" else DATES
            self._remark(name, f"holds {holds}: used as a number of days", holds=holds)
        return self._numeric(name, values)

    def _numeric(self, name: str, values: AnyArray) -> tuple[Feature, FloatArray] | None:
        if values.dtype.kind == "f" and np.isnan(values).all():
            self._remark(name, "has no values", "leave it out")
        if name.lower() in ROW_NUMBERS and _counts_rows(values):
            self._leave_out(name, "it only counts the rows")
            return None
        return Feature(name, "numeric"), values.astype(np.float64)

    def _look_at_total(self, name: str, last: str, counts: dict[str, int]) -> None:
        if last.lower().rstrip(":s") in TOTALS and counts[last] == 1:
            what = f"ends with {last!r}, as if the last row summed up the others"
            self._remark(name, what, "take that row out", severity="warning")

    def _column(self, name: str) -> Any:
        if name not in self._texts:
            column = self._frame.iloc[:, self._place[name]]
            if (isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf") or not _is_text(column):
                return column
            self._texts[name], notes = with_one_spelling(name, column)
            self._remarks += notes
        return self._texts[name]

    def _leave_out(self, name: str, why: str) -> None:
        self._left_out.setdefault(why, []).append(name)

    def _remark(self, name: str, what: str, remedy: str = "", holds: str = "", severity: Severity = "note") -> None:
        evidence = {"column": name, "holds": holds} if holds else {}
        self._remarks.append(Notice(f"column {name!r} {what}", severity, f"column {name!r}", evidence, remedy))

    def _text(self, name: str, column: Any) -> tuple[Feature, FloatArray] | None:
        import pandas as pd

        text = column.astype(object).map(str, na_action="ignore")
        known = text.dropna()
        if known.empty:
            return self._numeric(name, np.full(len(text), np.nan))
        counts = known.value_counts(sort=False).to_dict()
        if all(map(OTHER_DATE.fullmatch, counts)):
            self._remark(name, "holds dates that are used as text", "write dates like 2024-01-31")
        if all(map(ISO_DATE.fullmatch, counts)):
            dates = pd.to_datetime(text, utc=True, format="ISO8601", errors="coerce")
            if dates.notna().sum() == len(known):  # there may be a 31st of February
                self._remark(name, f"holds {DATES}: used as a number of days", holds=DATES)
                return Feature(name, "numeric"), _days(dates)
        self._look_at_total(name, known.iloc[-1], counts)
        read = numbers_of_text(name, counts)
        self._remarks += [] if read.notice is None else [read.notice]
        if read.values and read.notice is not None:
            return Feature(name, "numeric"), text.map(read.values).to_numpy(dtype=np.float64)
        if read.values:
            self._remark(name, "holds numbers as text: used as categories", "convert it if they are quantities")
        codes, categories = pd.factorize(text, sort=True)
        if len(categories) > MOST_CATEGORIES and len(categories) > MOST_DISTINCT * len(known):
            self._leave_out(name, "text that hardly ever repeats, like a name or an identifier")
            return None
        return _nominal(name, codes, [str(c) for c in categories])


def series_values(column: Any) -> AnyArray:
    """A Series as a plain array: bool, int64 or float64 with nan; objects with None for all else; dates as days."""
    import pandas as pd

    if hasattr(column, "cat") or _is_text(column):
        values = column.astype(object)
        return np.array([None if gone else v for v, gone in zip(values, pd.isna(values), strict=True)], dtype=object)
    if hasattr(column, "dt"):
        return _days(column)
    missing = bool(column.isna().any())
    if pd.api.types.is_bool_dtype(column.dtype) and not missing:
        return np.array(column.to_numpy(dtype=bool))
    if pd.api.types.is_integer_dtype(column.dtype) and not missing:
        whole = column.to_numpy(dtype=np.uint64 if "uint" in str(column.dtype).lower() else np.int64)
        return np.array(whole) if whole.dtype == np.int64 else _signed(whole)
    try:
        return np.array(column.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError) as error:
        raise InputError(
            f"column {column.name!r} must hold numbers, text, bools, categories or dates, got {column.dtype}; "
            "convert it"
        ) from error


def _signed(whole: AnyArray) -> AnyArray:
    """Whole numbers from 0 on with a sign, or as they are where they are too large for it."""
    return whole.astype(np.int64) if whole.size == 0 or whole.max() <= np.iinfo(np.int64).max else whole


def _is_text(column: Any) -> bool:
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return False
    return bool(pd.api.types.is_object_dtype(column.dtype) or pd.api.types.is_string_dtype(column.dtype))


def _nominal(name: str, codes: AnyArray, categories: list[str]) -> tuple[Feature, FloatArray]:
    return Feature(name, "nominal", tuple(categories)), np.where(codes < 0, np.nan, codes).astype(np.float64)


def _counts_rows(values: AnyArray) -> bool:
    return values.size > 2 and values.dtype.kind in "if" and bool((np.diff(values) == 1).all())


def _days(column: Any) -> FloatArray:
    """Dates as days since 1970 (in UTC), durations as days."""
    import pandas as pd

    day = pd.Timedelta(days=1)
    if column.dtype.kind == "m":
        return np.array((column / day).to_numpy(dtype=np.float64))
    if getattr(column.dt, "tz", None) is not None:
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    return np.array(((column - pd.Timestamp("1970-01-01")) / day).to_numpy(dtype=np.float64))
