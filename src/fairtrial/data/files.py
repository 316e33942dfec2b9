"""Data files: CSV, TSV, Parquet and ARFF, each also compressed with gzip."""

from __future__ import annotations

import csv
import gzip
import io
import re
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.data.arff import ArffTable, parse_arff
from fairtrial.data.build_dataset import Roles, from_columns, target_note
from fairtrial.data.column_guards import DATES
from fairtrial.data.dataset import AnyArray, Dataset, Feature, FloatArray, Task
from fairtrial.errors import InputError
from fairtrial.notices import Notice, check
from fairtrial.words import listed

__all__ = ["SUFFIXES", "ArffColumns", "check_name", "data_name", "data_suffix", "read_dataset", "read_frame"]

SUFFIXES = (".csv", ".tsv", ".txt", ".parquet", ".pq", ".arff")
MISSING = ["", "?", "NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "NULL", "null"]
DELIMITERS = (",", ";", "\t")


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
    if data_suffix(file) != ".arff":
        frame, notes = read_frame(file)
        return from_columns(_frame_columns(frame), roles, name=name, source=str(file), notes=notes)
    text, notes = _decoded(_content(file), file)
    try:
        table = parse_arff(text)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    return from_columns(ArffColumns(table), roles, name=name, source=str(file), notes=notes)


def read_frame(path: str | PathLike[str]) -> tuple[Any, list[Notice]]:
    """A CSV, TSV or Parquet file as a DataFrame, with notes on what was decided in reading it."""
    file = _existing(path)
    if data_suffix(file) in (".parquet", ".pq"):
        return _read_parquet(file), []
    text, notes = _decoded(_content(file), file)
    return _read_csv(text, file), notes


def _existing(path: str | PathLike[str]) -> Path:
    if not isinstance(path, (str, PathLike)):
        raise InputError(f"a table must be a DataFrame or the path of a file, got {type(path).__name__}")
    file = Path(path)
    if data_suffix(file) not in SUFFIXES:
        raise InputError(
            f"a data file must end in {listed(SUFFIXES, None, last='or')} (or with .gz added), got {str(path)!r}"
        )
    if not file.is_file():
        raise InputError(f"path must be a file that exists, got {str(path)!r} (in {Path.cwd()})")
    return file


def _content(file: Path) -> bytes:
    return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()


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
        self.notes: list[Notice] = []

    def default_target(self) -> tuple[str, Notice]:
        """The last attribute, as in WEKA."""
        last = self.names[-1]
        return last, target_note(last, f"the last attribute, {last!r} (none was declared)")

    def raw(self, name: str) -> AnyArray:
        """The values of an attribute, nan or None where missing."""
        numeric = self._table.attributes[self.names.index(name)].kind in ("numeric", "date")
        return np.array(self._table.values(name), dtype=np.float64 if numeric else object)

    def declared(self, name: str) -> tuple[str, ...]:
        """The categories of a nominal attribute."""
        return self._table.attributes[self.names.index(name)].categories

    def feature(self, name: str) -> tuple[Feature, FloatArray] | None:
        """Numbers and dates as numbers, categories as codes; strings are left out."""
        index = self.names.index(name)
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


def _decoded(content: bytes, file: Path) -> tuple[str, list[Notice]]:
    """The text of a file, and a note if it is not UTF-8."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16"), []
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        note = Notice(f"{file.name} is not UTF-8; it was read as Latin-1", "note", "encoding")
        return content.decode("latin-1"), [note]


def _read_parquet(file: Path) -> Any:
    import pandas as pd

    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise InputError(
            f"reading {str(file)!r} needs pyarrow, which is not there; pip install 'fairtrial[arrow]'"
        ) from error
    try:
        return pd.read_parquet(file)
    except (OSError, ValueError) as error:
        raise InputError(f"{str(file)!r} must be a Parquet file, but can't be read as one: {error}") from error


def _read_csv(text: str, file: Path) -> Any:
    import pandas as pd

    delimiter = sniff_delimiter(text)
    header = next(csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True), [])
    _check_header(header, file)
    version = tuple(int(part) for part in pd.__version__.split(".")[:2])
    exact: Any = "round_trip" if version < (3, 1) else None  # from 3.1 on this is the default
    try:
        return pd.read_csv(
            io.StringIO(text),
            sep=delimiter,
            decimal=_decimal(text, delimiter),
            na_values=MISSING,
            keep_default_na=False,
            skipinitialspace=True,
            float_precision=exact,
            index_col=False,
            low_memory=False,
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(
            f"{str(file)!r} must be a table with {len(header)} columns, as its first line says: {error}"
        ) from error


def sniff_delimiter(text: str) -> str:
    r"""Comma, semicolon or tab: the one that splits the first lines into the most columns, all lines alike.

    >>> sniff_delimiter("a;b\n1,5;2,5\n"), sniff_delimiter("a\tb, c\n1\t2\n")
    (';', '\t')
    """
    sample = text[:20_000].splitlines(keepends=True)
    sample = sample[:-1] if len(text) > 20_000 else sample

    def score(delimiter: str) -> tuple[bool, int]:
        rows = [row for row in csv.reader(sample[:50], delimiter=delimiter) if row]
        widths = [len(row) for row in rows] or [1]
        return len(set(widths)) == 1 and widths[0] > 1, widths[0]

    return max(DELIMITERS, key=score)


def _decimal(text: str, delimiter: str) -> str:
    """The decimal sign: a comma if semicolons or tabs separate and only commas are between digits."""
    sample = text[:20_000]
    comma = delimiter != "," and re.search(r"\d,\d", sample) and not re.search(r"\d\.\d", sample)
    return "," if comma else "."


def _check_header(header: list[str], file: Path) -> None:
    if not any(cell.strip() for cell in header):
        raise InputError(f"{str(file)!r} must begin with a line of column names, but its first line is empty")
    check("column names", header, repr(str(file)))
    if all(re.fullmatch(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?", cell.strip()) for cell in header):
        counting = [cell.strip() for cell in header] == [str(i) for i in range(len(header))]
        if not counting:
            raise InputError(
                f"{str(file)!r} must begin with a line of column names, but its first line holds only numbers "
                f"({', '.join(header[:3])}, …); add a line with names"
            )


def check_name(path: object) -> None:
    """Refuse the name of a file that no system takes: with NUL, or with half a surrogate pair."""
    name = str(path)
    if "\0" in name or (not name.isascii() and name != name.encode(errors="replace").decode()):
        raise InputError(f"the name of a file must be text without NUL, got {name!r}; choose another")
