"""Reading a table of results from a file, whatever its delimiter, and finding the role of each column."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.data.files import read_frame
from fairtrial.errors import InputError
from fairtrial.words import from_spreadsheet, listed

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["A_FRAME", "ROLES", "column_for", "numbered", "read_table", "show_columns"]

A_FRAME = "a DataFrame"  # the name of results that come from no file
ROLES: dict[str, tuple[str, ...]] = {
    "dataset": ("dataset", "data set", "data_set", "data", "task", "problem", "domain", "key_dataset"),
    "method": ("method", "classifier", "algorithm", "framework", "model", "learner", "estimator", "scheme"),
    "fold": ("fold", "cv_fold", "split"),
    "repeat": ("repeat", "resample", "run", "rep", "iteration", "replicate", "seed"),
    "measure": ("measure", "metric"),
    "value": ("value", "score", "result"),
    "sign": ("sign",),
    "instance": ("instance", "row", "id", "index", "example"),
    "truth": ("truth", "target", "class", "y", "y_true", "actual", "label_true"),
    "cluster": (),
}


def read_table(source: str | Path | pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The frame in a file, and the name of its source. CSV, TSV (the delimiter is found) and Parquet."""
    import pandas as pd

    if isinstance(source, pd.DataFrame):
        if source.empty:
            raise InputError("the DataFrame must hold at least one row of results, but it has none")
        frame = source.reset_index() if any(source.index.names) or not _is_counting(source) else source.copy()
        frame.columns = ["dataset" if str(c) == "index" else str(c) for c in frame.columns]
        _check_titles(frame, A_FRAME)
        return frame, A_FRAME
    frame, _ = read_frame(source)
    name = Path(source).name
    if frame.empty:
        raise InputError(f"{name} must hold at least one row of results, but it has none")
    trailing = [c for c in frame.columns[1:] if str(c).startswith("Unnamed: ") and frame[c].isna().all()]
    frame = frame.drop(columns=trailing)
    frame.columns = [_title(c) for c in frame.columns]
    _check_titles(frame, name)
    return frame.apply(_from_spreadsheet), name


def _check_titles(frame: pd.DataFrame, name: str) -> None:
    """Refuse two columns of one title, also where the titles in the file differ by spaces only."""
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        where = [i + 1 for i, title in enumerate(frame.columns) if title == twice[0]]
        raise InputError(
            f"{name}: each column must have a title of its own, but {twice[0]!r} is that of columns {listed(where)}; "
            "rename or drop one of them"
        )


def _from_spreadsheet(column: pd.Series) -> pd.Series:
    """Texts without the apostrophe that the export puts before formulas."""
    if column.dtype.kind in "iufb":
        return column
    quoted = {t: from_spreadsheet(t) for t in column.dropna().unique() if isinstance(t, str) and t.startswith("'")}
    return column.replace(quoted) if quoted else column


def _is_counting(frame: pd.DataFrame) -> bool:
    """Whether the index only numbers the rows; an index of names is a column that has no title."""
    import pandas as pd

    return bool(pd.api.types.is_integer_dtype(frame.index))


def _title(column: Any) -> str:
    """The title of a column; R writes row names into one without a title, which pandas calls 'Unnamed: 0'."""
    text = str(column).strip()
    return "dataset" if text in ("", "Unnamed: 0") else text


def column_for(frame: pd.DataFrame, role: str, given: str | None, taken: Iterable[str] = ()) -> str | None:
    """The column that plays a role: the one that was named, else one whose title is usual for it."""
    if given is not None:
        if given not in frame.columns:
            raise InputError(f"{role} must name a column, got {given!r}; columns found: {show_columns(frame)}")
        return given
    by_lower = {str(c).lower(): str(c) for c in frame.columns if c not in set(taken)}
    return next((by_lower[title] for title in ROLES[role] if title in by_lower), None)


MOST_TITLES = 10
"""The most titles that a message names: whoever must choose a column needs to see more than five."""


def show_columns(frame: pd.DataFrame) -> str:
    """The titles of columns, for messages."""
    titles = [str(c) for c in frame.columns]
    return listed(titles, MOST_TITLES)


def numbered(frame: pd.DataFrame, column: str | None) -> NDArray[np.int64]:
    """Repeats, folds or clusters of the rows as whole numbers from 0, in the order of what the column holds.

    >>> import pandas as pd
    >>> numbered(pd.DataFrame({"seed": [30, 10, 30]}), "seed").tolist()
    [1, 0, 1]
    """
    import pandas as pd

    if column is None:
        return np.zeros(len(frame), dtype=np.int64)
    return np.asarray(pd.factorize(frame[column], sort=True)[0], dtype=np.int64)
