"""Data files: CSV, TSV, Parquet and ARFF, each also compressed with gzip."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.data.arff import ArffTable, parse_arff
from fairtrial.data.build_dataset import Roles, default_target, from_columns, target_note
from fairtrial.data.column_guards import DATES
from fairtrial.data.dataset import AnyArray, Dataset, Feature, FloatArray, Task
from fairtrial.data.delimited import Delimited, read_delimited
from fairtrial.data.file_text import check_name, file_content, utf8_text
from fairtrial.doors import door
from fairtrial.errors import InputError
from fairtrial.notices import Notice
from fairtrial.words import listed, nearest, quoted

SUFFIXES = (".csv", ".tsv", ".txt", ".parquet", ".pq", ".arff")


@door
def read_dataset(
    path: str | PathLike[str],
    *,
    target: str | None = None,
    positive: object = None,
    task: Task | None = None,
    groups: str | npt.ArrayLike | None = None,
    order: str | npt.ArrayLike | None = None,
    weights: str | npt.ArrayLike | None = None,
    name: str | None = None,
) -> Dataset:
    """Read a data file: ``.csv`` (comma, semicolon or tab), ``.tsv``, ``.parquet`` or ``.arff``, also with ``.gz``.

    ``target``, ``groups``, ``order`` and ``weights`` name columns. By default the target is a column named target,
    class or y, else the last column; in an ARFF file it is always the last, as in WEKA. The notes of the data set say
    which was taken.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "churn.csv"
    >>> _ = path.write_text("age;plan;churned\\n31;basic;no\\n?;basic;no\\n45;gold;yes\\n52;gold;yes\\n29;basic;no\\n")
    >>> data = read_dataset(path, target="churned", positive="yes")
    >>> data.name, data.n, [f.kind for f in data.features], round(data.missing, 2)
    ('churn', 5, ['numeric', 'nominal'], 0.1)
    """
    file = _existing(path)
    roles = Roles(target, task, positive, groups, order, weights)
    name = name or data_name(file)
    if data_suffix(file) == ".arff":
        arff, notes = read_arff(file)
        return from_columns(ArffColumns(arff), roles, name=name, source=str(file), notes=notes)
    table = _read(file)
    frame = _with_numbers(table, roles)
    return from_columns(_frame_columns(frame), roles, name=name, source=str(file), notes=table.notes)


def read_frame(path: str | PathLike[str], is_name: Callable[[str], bool] = lambda _: False) -> tuple[Any, list[Notice]]:
    """A CSV, TSV or Parquet file as a DataFrame, with notes on what was decided in reading it.

    In a CSV file, columns for whose title ``is_name`` holds are kept as text.
    """
    file = _existing(path)
    if data_suffix(file) == ".arff":
        raise InputError(f"{str(path)!r} is an ARFF file, but a table must be CSV, TSV or Parquet; convert it")
    table = _read(file, is_name)
    return table.frame, table.notes


def read_arff(file: Path) -> tuple[ArffTable, list[Notice]]:
    """The content of an ARFF file, perhaps packed, and notes on its encoding; errors name the file."""
    text, notes = utf8_text(file_content(file), file)
    try:
        return parse_arff(text.decode()), notes
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _read(file: Path, is_name: Callable[[str], bool] = lambda _: False) -> Delimited:
    if data_suffix(file) in (".parquet", ".pq"):
        return Delimited(_read_parquet(file))
    content, notes = utf8_text(file_content(file), file)
    table = read_delimited(content, file, is_name)
    return Delimited(table.frame, [*notes, *table.notes], table.codes)


def _with_numbers(table: Delimited, roles: Roles) -> Any:
    """The frame in which codes such as 007 are text in the target and the groups, and numbers in features."""
    target = roles.target or default_target([str(c) for c in table.frame.columns])[0]
    kept = [roles.groups if isinstance(roles.groups, str) else None, None if roles.task == "values" else target]
    numbers = [c for c in table.codes if c not in kept]
    return table.frame.assign(**{c: table.frame[c].map(float, na_action="ignore").astype(float) for c in numbers})


def _existing(path: str | PathLike[str]) -> Path:
    if not isinstance(path, (str, PathLike)):
        raise InputError(f"a table must be a DataFrame or the path of a file, got {type(path).__name__}")
    check_name(path)
    file = Path(path)
    if data_suffix(file) not in SUFFIXES:
        raise InputError(
            f"a data file must end in {listed(SUFFIXES, None, last='or')} (or with .gz added), got {str(path)!r}"
        )
    if not file.is_file():
        raise InputError(f"path must be a file that exists, got {str(path)!r} (in {Path.cwd()}){near_files(file)}")
    return file


def near_files(file: Path) -> str:
    """A question after files of the same folder whose names are like that of a file that does not exist."""
    try:
        there = sorted(p.name for p in file.parent.iterdir() if data_suffix(p) in SUFFIXES and p.is_file())
    except OSError:
        return ""
    near = nearest(file.name, there)
    return f"; did you mean {quoted([str(file.with_name(name)) for name in near], last='or')}?" if near else ""


def data_name(path: Path) -> str:
    """The file's name without ``.gz`` and suffix.

    >>> data_name(Path("a.b/churn.CSV.gz"))
    'churn'
    """
    return Path(path.name.removesuffix(".gz")).stem


def data_suffix(path: Path) -> str:
    """The suffix that says the format, without ``.gz``.

    >>> data_suffix(Path("a.b/churn.CSV.gz"))
    '.csv'
    """
    return Path(path.name.removesuffix(".gz")).suffix.lower()


class ArffColumns:
    """The columns of an ARFF file for :func:`fairtrial.data.build_dataset.from_columns`."""

    def __init__(self, table: ArffTable) -> None:
        self._table = table
        self.names = table.names
        self._place = {name: i for i, name in enumerate(self.names)}
        self.notes: list[Notice] = []

    def default_target(self) -> tuple[str, Notice]:
        """The last attribute, as in WEKA."""
        last = self.names[-1]
        return last, target_note(last, f"the last attribute, {last!r} (none was declared)")

    def raw(self, name: str) -> AnyArray:
        """The values of an attribute, nan or None where missing."""
        numeric = self._table.attributes[self._place[name]].kind in ("numeric", "date")
        return np.array(self._table.values(name), dtype=np.float64 if numeric else object)

    def declared(self, name: str) -> tuple[str, ...]:
        """The categories of a nominal attribute."""
        return self._table.attributes[self._place[name]].categories

    def feature(self, name: str) -> tuple[Feature, FloatArray] | None:
        """Numbers and dates as numbers, categories as codes; strings are left out."""
        index = self._place[name]
        attribute, column = self._table.attributes[index], self._table.columns[index]
        if isinstance(column, list):
            self.notes.append(Notice(f"left out: {name!r} (an attribute of free text)", "note", f"column {name!r}"))
            return None
        if attribute.kind == "nominal":
            return Feature(name, "nominal", attribute.categories), np.where(column < 0, np.nan, column)
        if attribute.kind == "date":
            what = f"column {name!r}"
            evidence = {"column": name, "holds": DATES}
            self.notes.append(Notice(f"{what} holds {DATES}: used as a number of days", "note", what, evidence))
        return Feature(name, "numeric"), column


def _frame_columns(frame: Any) -> Any:
    from fairtrial.data.frames import FrameColumns

    return FrameColumns(frame)


def _read_parquet(file: Path) -> Any:
    import pandas as pd

    try:
        import pyarrow
    except ImportError as error:
        raise InputError(
            f"reading {str(file)!r} needs pyarrow, which is not there; pip install 'fairtrial[arrow]'"
        ) from error
    try:
        frame = pd.read_parquet(file)
        for title in frame.columns[[str(kind) == "str" for kind in frame.dtypes]]:
            pyarrow.array(frame[title].array).validate(full=True)  # text that is not UTF-8, found in time
        return frame
    except Exception as error:
        raise InputError(f"{str(file)!r} must be a Parquet file, but can't be read as one: {error}") from error
