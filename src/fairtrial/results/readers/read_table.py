"""Reading a table of results from a file, whatever its delimiter, and finding the role of each column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.data.files import read_frame
from fairtrial.data.frames import as_frame
from fairtrial.errors import InputError
from fairtrial.results.readers.request import words_in, words_of
from fairtrial.words import from_spreadsheet, listed, verb

if TYPE_CHECKING:
    import pandas as pd

A_FRAME = "a DataFrame"  # the name of results that come from no file
UNTITLED = "untitled"  # the title of a first column that has none: R and pandas write names of rows so
STAGES = words_in("train training val valid validation dev")
TESTS = words_in("test testing holdout")
SEEDS = ("seed", "random_seed", "rng_seed", "random_state")
ROLES: dict[str, tuple[str, ...]] = {
    "dataset": ("dataset", "data_set", "data", "task", "problem", "domain", "key_dataset", "benchmark", "db", "corpus"),
    "method": ("method", "classifier", "algorithm", "framework", "model", "learner", "estimator", "scheme", "approach",
               "system", "technique", "algo", "clf", "network", "architecture", "agent"),
    "fold": ("fold", "cv_fold", "split"),
    "repeat": ("repeat", "resample", "run", "rep", "replicate", *SEEDS),
    "measure": ("measure", "metric"),
    "value": ("value", "score", "result"),
    "sign": ("sign",),
    "instance": ("instance", "row", "id", "index", "example", "question", "item", "case", "sample", "uid", "idx"),
    "truth": ("truth", "target", "class", "y", "y_true", "actual", "label_true", "true_label", "ground_truth", "gold",
              "y_test", "gt"),
    "cluster": (),
}  # fmt: skip
BETWEEN_LEVELS = " / "
NAMES = ("dataset", "method", "measure")  # the roles whose entries are names, even if they look like numbers


def read_table(
    source: str | Path | pd.DataFrame, names: Iterable[str | None] = ()
) -> tuple[pd.DataFrame, str, tuple[str, ...]]:
    """The frame in a file, the name of its source, and notes. CSV, TSV (the delimiter is found) and Parquet.

    Tables in memory may be of any library: pandas, polars, Arrow, ….
    Columns of ``names``, and those that are titled as data sets, methods or measures, are read as text.
    """
    table = as_frame(source)
    if table is not None:
        return _read_frame(table), A_FRAME, ()
    given = {str(n).strip().lower() for n in names if n}
    frame, notes = read_frame(source, lambda title: title.strip().lower() in given or role_of(title) in NAMES)
    name = Path(source).name
    if len(frame) and frame[frame.columns[0]].isna().any():
        frame = frame.dropna(how="all").reset_index(drop=True)  # lines of delimiters only, as spreadsheets write them
    if frame.empty:
        raise InputError(f"{name} must hold at least one row of results, but it has none")
    frame = _without_index(_titled(frame, name))
    plain = {c: _plain_text(frame[c]) for c in frame.columns if frame[c].dtype.kind not in "iufb"}
    return frame.assign(**plain), name, tuple(note.text for note in notes)


def _read_frame(source: pd.DataFrame) -> pd.DataFrame:
    if source.empty:
        raise InputError("the DataFrame must hold at least one row of results, but it has none")
    try:
        frame = source.reset_index() if any(source.index.names) or not _is_counting(source) else source.copy()
    except ValueError as error:
        raise InputError(f"{A_FRAME}: its index must have names that no column has ({error}); rename it") from error
    if source.index.nlevels > 1 and None in source.index.names:
        raise InputError(f"{A_FRAME}: each level of its index must have a name, such as dataset; set index.names")
    frame.columns = [UNTITLED if _joined(c) == "index" else _joined(c) for c in frame.columns]
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
    _check_titles(kept, name)
    return kept


def _without_index(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame without the index of a DataFrame that was written with it, where another column names the rows."""
    names_rows = any(frame[c].dtype.kind not in "iufb" for c in frame.columns[1:])
    index = frame.columns[0] == UNTITLED and names_rows and _counts(frame[UNTITLED])
    return frame.drop(columns=UNTITLED) if index else frame


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
    return UNTITLED if text in ("", "Unnamed: 0") else text


def _counts(column: pd.Series) -> bool:
    """Whether a column only numbers its rows."""
    if column.dtype.kind not in "iu":
        return False
    return bool(((column - int(column.iloc[0])) == np.arange(len(column))).all() and column.iloc[0] in (0, 1))


def _joined(title: Any) -> str:
    """A title as text, its levels in one where it has several."""
    return BETWEEN_LEVELS.join(map(str, title)).strip(BETWEEN_LEVELS) if isinstance(title, tuple) else str(title)


def role_of(title: str) -> str:
    """The role for which a title is usual, whatever its case, spaces and number; empty where there is none.

    >>> role_of("Data set"), role_of("Model name"), role_of("question_id"), role_of("Methods"), role_of("forest")
    ('dataset', 'method', 'instance', 'method', '')
    """
    return next((role for role, titles in ROLES.items() if _plain_title(title) in titles), "")


def _plain_title(title: str) -> str:
    words = words_of(title)
    if len(words) > 1 and words[-1] in ("name", "names", "id", "ids", "no", "nr", "number"):
        words = words[:-1]
    plain = "_".join(words)
    return plain if plain.endswith("ss") else plain.removesuffix("s")


def column_for(frame: pd.DataFrame, role: str, given: str | None, taken: Iterable[str] = ()) -> str | None:
    """The column that plays a role: the one that was named, else one whose title is usual for it.

    A column of fractions names nothing: it holds the scores of a method that is called *model* or *run*.
    """
    if given is not None:
        if given not in frame.columns:
            raise InputError(f"{role} must name a column, got {given!r}; columns found: {show_columns(frame)}")
        return given
    by_title = {_plain_title(str(c)): str(c) for c in reversed(frame.columns) if c not in set(taken)}
    found = (by_title[title] for title in ROLES[role] if title in by_title)
    return next((c for c in found if role in ("value", "sign", "truth") or not _has_fractions(frame[c])), None)


def _has_fractions(column: pd.Series) -> bool:
    import pandas as pd

    numbers = pd.to_numeric(column.iloc[:1000], errors="coerce")
    return bool((numbers % 1 > 0).any()) and column.dtype.kind != "b"


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
