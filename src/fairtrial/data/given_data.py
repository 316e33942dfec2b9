"""What people hold in memory, as a Dataset: a table of any library, or a pair (X, y)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fairtrial.data.build_dataset import Roles, from_arrays, from_columns
from fairtrial.data.dataset import Dataset
from fairtrial.data.foreign_frames import as_frame, as_series, is_frame
from fairtrial.data.frames import FrameColumns
from fairtrial.errors import InputError
from fairtrial.notices import Notice
from fairtrial.words import quoted, shown

UNNAMED = "target"
"""The name of a target that comes without one."""


def is_pair(given: object) -> bool:
    """Whether it is a tuple (X, y): a table or matrix, and a single column.

    >>> is_pair(([[1.0], [2.0]], [0, 1])), is_pair(("iris", "vote")), is_pair([[[1.0], [2.0]], [0, 1]])
    (True, False, False)
    """
    if not isinstance(given, tuple) or len(given) != 2 or any(isinstance(g, _NO_ARRAYS) for g in given):
        return False
    return _columns_of(given[0]) is not None and _columns_of(given[1]) in (None, 1)


_NO_ARRAYS = (str, bytes, Path, Dataset, Mapping, int, float, type(None))


def _columns_of(given: Any) -> int | None:
    """The number of columns of a table, a matrix or a list of rows; None if it is one-dimensional."""
    shape = getattr(given, "shape", None)
    if isinstance(shape, tuple):
        return shape[1] if len(shape) == 2 else None
    first = given[0] if isinstance(given, (list, tuple)) and given else None
    return len(first) if isinstance(first, (list, tuple, np.ndarray)) else None


FORMS = "a name, a file, a Dataset, a DataFrame (of pandas, polars, Arrow, …) or a pair (X, y)"
"""The forms in which data sets are given."""


def check_form(given: object, called: str = "a data set") -> None:
    """Refuse what is neither a table nor a pair (X, y)."""
    if not is_pair(given) and not is_frame(given):
        raise InputError(f"{called} must be {FORMS}, got {shown(given)}{_remedy(given)}")


def dataset_of(given: Any, roles: Roles, *, name: str, notes: tuple[Notice, ...] = ()) -> Dataset:
    """The Dataset of a table, in which ``roles`` name columns, or of a pair (X, y)."""
    if is_pair(given):
        X, y = given
        return _from_pair(X, y, roles, name, notes)
    return from_columns(FrameColumns(given), roles, name=name, source="", notes=notes)


def _remedy(given: object) -> str:
    """What to do with something that is nearly data."""
    if isinstance(given, Mapping) and {"data", "target"} <= set(given):
        return "; give its parts: (bunch.data, bunch.target)"
    if isinstance(given, list) or getattr(given, "ndim", 0) in (1, 2) or as_series(given) is not None:
        return "; give features and target together, as a tuple (X, y), or a DataFrame, whose columns have names"
    return ""


def _from_pair(X: Any, y: Any, roles: Roles, name: str, notes: tuple[Notice, ...]) -> Dataset:
    frame, column = as_frame(X), as_series(y)
    if frame is None:
        target = np.ravel(y) if column is None else column
        return from_arrays(X, target, roles, name=name, feature_names=None, source="", notes=notes)
    called = str(UNNAMED if column is None or column.name is None else column.name)
    _check_rows(frame, y if column is None else column, name)
    _check_apart(frame, called, roles.target, name)
    table = frame.copy(deep=False)
    table.insert(frame.shape[1], called, np.ravel(y) if column is None else column.array)
    columns = Roles(called, roles.task, roles.positive, roles.groups, roles.order, roles.weights)
    return from_columns(FrameColumns(table), columns, name=name, source="", notes=notes)


def _check_rows(frame: Any, y: Any, name: str) -> None:
    """Refuse a target of another length, and one whose rows are in another order than those of the table."""
    if len(frame) != len(y):
        raise InputError(f"X and y of {name!r} must have the same number of rows, got {len(frame):,} and {len(y):,}")
    index: Any = getattr(y, "index", None)
    if not hasattr(index, "equals") or index.equals(frame.index):
        return
    if index.is_unique and frame.index.is_unique and index.isin(frame.index).all():
        raise InputError(
            f"X and y of {name!r} must have their rows in one order, but y has the index of X in another; "
            "give y.loc[X.index], or reset both indexes if the rows do match"
        )


def _check_apart(frame: Any, called: str, target: str | None, name: str) -> None:
    """Refuse a target that is also among the features."""
    inside = [str(c) for c in frame.columns if str(c) in (called, target)]
    if inside:
        raise InputError(
            f"X of {name!r} must not hold the target, but has {quoted(inside)}; give X.drop(columns={inside!r})"
        )
