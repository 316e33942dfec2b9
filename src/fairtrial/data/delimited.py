"""Tables of text with delimiters: CSV with commas, semicolons or tabs, as a DataFrame and what was decided.

Progress of reading a large file, on a terminal or below a notebook's cell.
"""

from __future__ import annotations

import csv
import io
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.data.spellings import (
    MISSING,
    as_codes,
    has_padded_numbers,
    is_number,
    point_doubts,
    with_decimal_commas,
    with_long_numbers,
    without_padded_missing,
)
from fairtrial.errors import InputError
from fairtrial.live_text import LiveText, in_notebook
from fairtrial.notices import Notice, check
from fairtrial.words import plural, quoted, verb

if TYPE_CHECKING:
    import pandas as pd


PATIENCE = 0.5
"""So many seconds nothing is shown."""


@contextmanager
def watched(content: bytes, name: str) -> Iterator[io.BufferedIOBase]:
    """The content as a file; how much of it was read is shown to a person, if that takes more than a moment."""
    display = _cell_line if in_notebook() else _bar if sys.stderr.isatty() else None
    if display is None:
        yield io.BytesIO(content)
        return
    with ExitStack() as stack:
        yield _Watched(content, lambda: stack.enter_context(display(name, len(content))))


class _Watched(io.BytesIO):
    """Bytes that say how many of them were read."""

    def __init__(self, content: bytes, begin: Callable[[], Callable[[int], None]]) -> None:
        super().__init__(content)
        self._begun = time.monotonic()
        self._begin = begin
        self._show: Callable[[int], None] | None = None

    def read(self, size: int | None = -1, /) -> bytes:
        self._tell()
        return super().read(size)

    def read1(self, size: int | None = -1, /) -> bytes:
        self._tell()
        return super().read1(size)

    def _tell(self) -> None:
        if self._show is None and time.monotonic() - self._begun > PATIENCE:
            self._show = self._begin()
        if self._show is not None:
            self._show(self.tell())


@contextmanager
def _bar(name: str, size: int) -> Iterator[Callable[[int], None]]:
    """A bar on the terminal, gone when all is read."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"reading {name}", total=size)
        yield lambda read: progress.update(task, completed=read)


@contextmanager
def _cell_line(name: str, size: int) -> Iterator[Callable[[int], None]]:
    """A line below a notebook's cell, whose last text is that all was read."""
    live = LiveText()

    def show(read: int) -> None:
        if live.is_due:
            live.show(f"reading {name}: {100 * read // size} % of {size / 1e6:.1f} MB")

    yield show
    live.show(f"{name}: {size / 1e6:.1f} MB read")


DELIMITERS = (",", ";", "\t")
SAMPLE_LINES, SAMPLE_LENGTH = 50, 20_000
ROWS_AT_ONCE = 500_000  # all rows at once would take pandas several times the size of the file
DIGIT = re.compile("[0-9]")
UNTITLED = "Unnamed: "  # as in pandas


@dataclass(frozen=True, slots=True, eq=False)
class Delimited:
    """A table that was read: its frame, the notes, and the columns of whole numbers that are kept as text.

    Such ``codes`` have leading zeros, or more digits than a float can tell apart: 007 and 7 are two names.
    """

    frame: pd.DataFrame
    notes: list[Notice] = field(default_factory=list)
    codes: tuple[str, ...] = ()


def read_delimited(content: bytes, file: Path, is_name: Callable[[str], bool] = lambda _: False) -> Delimited:
    """The table in some UTF-8 text; columns for whose title ``is_name`` holds are kept as text."""
    delimiter = sniff_delimiter(_beginning(content))
    header = _header(content, delimiter, file)
    names = [title for title in header if is_name(title)]
    table = _Table(content, file, delimiter, header)
    frame = table.read(names)
    doubts = table.check_titles(frame)
    frame = without_padded_missing(frame)
    frame, codes = as_codes(frame, table.texts, names, padded=has_padded_numbers(content, delimiter))
    frame = with_long_numbers(frame, [*names, *codes])
    read, notes = with_decimal_commas(frame, delimiter, [*names, *codes])
    doubts += point_doubts(frame, read, table.texts)
    return Delimited(read, [*doubts, *table.short_rows(read), *notes], codes)


@dataclass(frozen=True, slots=True)
class _Table:
    """The text of a table, and how it is divided into cells."""

    content: bytes
    file: Path
    delimiter: str
    header: list[str]

    def read(self, as_text: Iterable[str]) -> pd.DataFrame:
        """The table with types of columns that pandas finds; a column that is text in one part is text in all."""
        import pandas as pd

        with watched(self.content, self.file.name) as source:
            parts = self._parts(source, dtype=dict.fromkeys(as_text, str))
        if len(parts) == 1:
            return parts[0]
        kinds = {title: {_kind(part[title]) for part in parts} - {""} for title in parts[0].columns}
        mixed = [title for title, found in kinds.items() if len(found) > 1]
        frame = pd.concat(parts, ignore_index=True)
        del parts
        for title, column in self.texts(mixed).items() if mixed else ():
            frame[title] = column
        return frame

    def check_titles(self, frame: pd.DataFrame) -> list[Notice]:
        """Refuse a first line that is a row like the others, or that is repeated; a warning where it may be a row.

        It is a row if each of its cells could be an entry of its column: a number over numbers, a text that occurs
        there again, or one that differs from all of them in digits only, such as a date.
        """
        fits = [_fit(title, frame.iloc[:, j]) for j, title in enumerate(self.header)]
        if "repeated" in fits and all(fits) and (line := self._second_titles()):
            raise InputError(
                f"{str(self.file)!r} must have column names in its first line only, but line {line} repeats them; "
                "take it out"
            )
        numbers = [(j, title.strip()) for j, title in enumerate(self.header) if fits[j] == "number"]
        if all(fits) and not _are_counting(numbers):
            raise _no_titles(self.file, "is a row like the others", self.header)
        again = [title for title, fit in zip(self.header, fits, strict=True) if fit == "again"]
        entries = verb(len(again), "also is an entry of its column", "also are entries of their columns")
        sentence = f"the first line of {self.file.name} is read as column names, but {quoted(again)} {entries}"
        remedy = "if that line is a row, add a line with names above it"
        return [Notice(sentence, "warning", "titles", {"titles": again}, remedy)] if again else []

    def _second_titles(self) -> int:
        """The line in which the first line stands again, or 0."""
        rows = csv.reader(_lines(self.content), delimiter=self.delimiter, skipinitialspace=True)
        with _long_cells():
            first = next(rows)
            return next((rows.line_num for row in rows if row == first), 0)

    def texts(self, titles: list[str]) -> pd.DataFrame:
        """Some columns as text."""
        import pandas as pd

        parts = self._parts(io.BytesIO(self.content), dtype=str, usecols=titles)
        return pd.concat(parts, ignore_index=True)

    def _parts(self, source: Any, **options: Any) -> list[pd.DataFrame]:
        import pandas as pd

        version = tuple(int(part) for part in pd.__version__.split(".")[:2])
        exact: Any = "round_trip" if version < (3, 1) else None  # from 3.1 on this is the default
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", pd.errors.ParserWarning)  # cells beyond the header would be lost
                return list(
                    pd.read_csv(
                        source, sep=self.delimiter, na_values=list(MISSING), keep_default_na=False,
                        skipinitialspace=True,
                        float_precision=exact, header=0, names=self.header, index_col=False, low_memory=False,
                        chunksize=ROWS_AT_ONCE, **options,
                    )
                ) or [pd.DataFrame(columns=self.header)]  # fmt: skip
        except (pd.errors.ParserError, pd.errors.EmptyDataError, pd.errors.ParserWarning) as error:
            raise self._refusal(error) from error

    def _refusal(self, error: Exception) -> InputError:
        width = len(self.header)
        rule = f"{str(self.file)!r} must be a table with {width} columns, as its first line says"
        long = next(((line, n) for line, n in self._widths() if n > width), None)
        if long is None:
            return InputError(f"{rule}: {error}")
        return InputError(
            f"{rule}, but line {long[0]} has {plural(long[1], 'cell')}; take out lines above the titles, give each "
            "column a title (R's write.table leaves out that of the row names, write.csv does not), and put quotes "
            "around cells that hold a delimiter"
        )

    def _widths(self) -> Iterator[tuple[int, int]]:
        """The number of the line and the number of cells of each row that is not empty."""
        rows = csv.reader(_lines(self.content), delimiter=self.delimiter, skipinitialspace=True)
        with _long_cells():
            for row in rows:
                if row:
                    yield rows.line_num, len(row)

    def short_rows(self, frame: pd.DataFrame) -> Iterator[Notice]:
        """A note if rows have fewer cells than the header; the cells that are not there are missing."""
        width = len(self.header)
        all_cells = self.content.count(self.delimiter.encode()) == (len(frame) + 1) * (width - 1)
        if (all_cells and b'"' not in self.content) or not frame[frame.columns[-1]].isna().any():
            return
        short = [line for line, n in self._widths() if n < width]
        if short:
            have, which = verb(len(short), "has", "have"), verb(len(short), "it is line", "the first is line")
            yield Notice(
                f"{plural(len(short), 'row')} of {self.file.name} {have} fewer cells than the {width} titles; {which} "
                f"{short[0]}, and cells that are not there are missing values",
                "note",
                "rows",
                {"rows": len(short)},
                "check that the file is whole",
            )


def _kind(column: pd.Series) -> str:
    """What a part of a column holds: numbers, bools or text; nothing where all of it is missing."""
    if column.dtype.kind in "iuf":
        return "" if column.isna().all() else "unsigned" if column.dtype.kind == "u" else "numbers"
    return "bools" if column.dtype.kind == "b" else "text"


def _lines(content: bytes) -> Iterator[str]:
    """The lines of a text with their ends, which may be those of any system."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")


def _beginning(content: bytes) -> str:
    """The first lines, one at least, however long it is."""
    found, length = [], 0
    for line in _lines(content):
        found.append(line)
        length += len(line)
        if len(found) >= SAMPLE_LINES or (length > SAMPLE_LENGTH and len(found) > 1):
            break
    return "".join(found)


@contextmanager
def _long_cells() -> Iterator[None]:
    """A context in which cells and titles may have any length: Python's csv stops at 131,072 characters."""
    before = csv.field_size_limit(sys.maxsize if sys.platform != "win32" else 2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def sniff_delimiter(text: str) -> str:
    r"""Comma, semicolon or tab: the one that splits the first lines into the most columns, all lines alike.

    >>> sniff_delimiter("a;b\n1,5;2,5\n"), sniff_delimiter("a\tb, c\n1\t2\n")
    (';', '\t')
    """
    sample = list(io.StringIO(text, newline=""))[:SAMPLE_LINES]

    def score(delimiter: str) -> tuple[bool, bool, int]:
        with _long_cells():
            widths = [len(row) for row in csv.reader(sample, delimiter=delimiter) if row] or [1]
        alike = len(set(widths)) == 1 and widths[0] > 1
        return alike, alike and delimiter != ",", widths[0]  # commas of decimals may also split all lines alike

    return max(DELIMITERS, key=score)


def _header(content: bytes, delimiter: str, file: Path) -> list[str]:
    """The titles of the columns, checked; a column without a title is called as in pandas."""
    with _long_cells():
        header = next(csv.reader(_lines(content), delimiter=delimiter, skipinitialspace=True), [])
    if not any(cell.strip() for cell in header):
        raise InputError(f"{str(file)!r} must begin with a line of column names, but its first line is empty")
    header = [cell or f"{UNTITLED}{i}" for i, cell in enumerate(header)]
    if all(map(is_number, header)) and not _are_counting(list(enumerate(map(str.strip, header)))):
        raise _no_titles(file, "holds only numbers", header)
    if len(set(header)) < len(header):  # perhaps two equal cells of a row
        places = _Table(content, file, delimiter, list(map(str, range(len(header)))))
        replace(places, header=header).check_titles(places.read(()))
    check("column names", header, repr(str(file)))
    return header


def _no_titles(file: Path, what: str, header: list[str]) -> InputError:
    return InputError(
        f"{str(file)!r} must begin with a line of column names, but its first line {what} "
        f"({', '.join(header[:3])}, …); add a line with names"
    )


def _are_counting(numbers: list[tuple[int, str]]) -> bool:
    """Whether titles count the columns from 0, each in its place, as pandas does where there are no names."""
    return bool(numbers) and all(title == str(place) for place, title in numbers)


def _fit(title: str, column: pd.Series) -> str:
    """Why a title could be an entry of its column; empty where it could not."""
    if title.startswith(UNTITLED) or title.strip() in MISSING:
        return "missing"
    if column.dtype.kind in "iuf":
        return "number" if is_number(title) and column.notna().any() else ""
    if column.dtype.kind == "b":
        return "again" if title.strip().lower() in ("true", "false") else ""
    if is_number(title):
        return "number" if all(is_number(str(text)) for text in column.dropna().unique()) else ""
    if bool((column == title).any()):
        others = column[column != title].dropna().unique()
        return "repeated" if len(others) and all(is_number(str(text)) for text in others) else "again"
    shape = DIGIT.sub("0", title)
    like = "0" in shape and all(DIGIT.sub("0", str(text)) == shape for text in column.dropna().unique())
    return "alike" if like and column.notna().any() else ""
