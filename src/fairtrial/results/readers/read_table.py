"""Reading a table of results from a file, whatever its delimiter, and finding the role of each column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.data.files import read_frame
from fairtrial.data.foreign_frames import as_frame
from fairtrial.errors import InputError
from fairtrial.words import from_spreadsheet, listed, verb

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "A_FRAME",
    "ROLES",
    "SEEDS",
    "check_names",
    "check_roles",
    "column_for",
    "numbered",
    "read_table",
    "show_columns",
]

A_FRAME = "a DataFrame"  # the name of results that come from no file
SEEDS = ("seed", "random_seed", "random seed", "rng_seed")
ROLES: dict[str, tuple[str, ...]] = {
    "dataset": ("dataset", "data set", "data_set", "data", "task", "problem", "domain", "key_dataset"),
    "method": ("method", "classifier", "algorithm", "framework", "model", "learner", "estimator", "scheme"),
    "fold": ("fold", "cv_fold", "split"),
    "repeat": ("repeat", "resample", "run", "rep", "iteration", "replicate", *SEEDS),
    "measure": ("measure", "metric"),
    "value": ("value", "score", "result"),
    "sign": ("sign",),
    "instance": ("instance", "row", "id", "index", "example"),
    "truth": ("truth", "target", "class", "y", "y_true", "actual", "label_true"),
    "cluster": (),
}
NAMES = ("dataset", "method", "measure")  # the roles whose entries are names, even if they look like numbers


def read_table(
    source: str | Path | pd.DataFrame, names: Iterable[str | None] = ()
) -> tuple[pd.DataFrame, str, tuple[str, ...]]:
    """The frame in a file, the name of its source, and notes. CSV, TSV (the delimiter is found) and Parquet.

    Tables in memory may be of any library: pandas, polars, Arrow, ….
    Columns of ``names``, and those that are titled as data sets, methods or measures, are read as text.
    """
    given = as_frame(source)
    if given is not None:
        return _read_frame(given), A_FRAME, ()
    texts = {title.lower() for role in NAMES for title in ROLES[role]} | {str(n).strip().lower() for n in names if n}
    frame, notes = read_frame(source, lambda title: title.strip().lower() in texts)
    name = Path(source).name
    if len(frame) and frame[frame.columns[0]].isna().any():
        frame = frame.dropna(how="all").reset_index(drop=True)  # lines of delimiters only, as spreadsheets write them
    if frame.empty:
        raise InputError(f"{name} must hold at least one row of results, but it has none")
    frame = _titled(frame, name)
    _check_titles(frame, name)
    plain = {c: _plain_text(frame[c]) for c in frame.columns if frame[c].dtype.kind not in "iufb"}
    return frame.assign(**plain), name, tuple(note.text for note in notes)


def _read_frame(source: pd.DataFrame) -> pd.DataFrame:
    if source.empty:
        raise InputError("the DataFrame must hold at least one row of results, but it has none")
    try:
        frame = source.reset_index() if any(source.index.names) or not _is_counting(source) else source.copy()
    except ValueError as error:
        raise InputError(f"{A_FRAME}: its index must have names that no column has ({error}); rename it") from error
    frame.columns = ["dataset" if str(c) == "index" else str(c) for c in frame.columns]
    _check_titles(frame, A_FRAME)
    return frame


def _titled(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """The frame without empty columns that have no title; others need one, except the first."""
    untitled = [i for i, c in enumerate(frame.columns) if i and re.fullmatch(r"\s*|Unnamed: [0-9]+", str(c))]
    full = [i for i in untitled if frame.iloc[:, i].notna().any()]
    if full:
        raise InputError(
            f"{name}: each column must have a title, but column {full[0] + 1} has none; write one, or remove the column"
        )
    kept = frame.drop(columns=frame.columns[untitled])
    kept.columns = [_title(c) for c in kept.columns]
    return kept


def _check_titles(frame: pd.DataFrame, name: str) -> None:
    """Refuse two columns of one title, also where the titles in the file differ by spaces only."""
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        where = [i + 1 for i, title in enumerate(frame.columns) if title == twice[0]]
        raise InputError(
            f"{name}: each column must have a title of its own, but {twice[0]!r} is that of columns {listed(where)}; "
            "rename or drop one of them"
        )


def _plain_text(column: pd.Series) -> pd.Series:
    """Texts without spaces around them, and without the apostrophe that the export puts before formulas."""
    texts = [text for text in column.dropna().unique() if isinstance(text, str)]
    plain = {text: from_spreadsheet(text.strip()) for text in texts}
    changed = {text: made for text, made in plain.items() if text != made}
    return column.replace(changed) if changed else column


def check_roles(columns: Mapping[str, str | None]) -> None:
    """Refuse one column in two roles."""
    roles: dict[str, str] = {}
    for role, column in columns.items():
        other = roles.setdefault(column, role) if column is not None else role
        if other != role:
            raise InputError(f"{other} and {role} must be two columns, but both are {column!r}; name another for one")


def check_names(frame: pd.DataFrame, columns: Mapping[str, str | None], source: str) -> None:
    """Refuse rows in which a role (data set, method, fold, …) has no entry."""
    for role, column in columns.items():
        if column is None:
            continue
        lost = frame[column].isna() | frame[column].isin([t for t in frame[column].unique() if _is_blank(t)])
        if lost.any():
            rows = (np.flatnonzero(lost) + 1).tolist()
            raise InputError(
                f"{source}: each row must name its {role}, but {column!r} is empty or NA in "
                f"{verb(len(rows), 'row', 'rows')} {listed(rows)} below the titles; write it into every row (a merged "
                "cell of a spreadsheet fills its first row only)"
            )


def _is_blank(entry: object) -> bool:
    return isinstance(entry, str) and not entry.strip()


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
    entries = frame[column]
    if entries.dtype.kind not in "iufb":
        numbers = pd.to_numeric(entries, errors="coerce")
        entries = numbers if numbers.notna().all() else entries.astype(str)
    return np.asarray(pd.factorize(entries, sort=True)[0], dtype=np.int64)
