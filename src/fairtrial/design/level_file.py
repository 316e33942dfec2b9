"""Files of levels: a yardstick, such as published scores, with a level for each data set."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from os import PathLike

from fairtrial.data.file_text import home_path
from fairtrial.design.amounts import parse
from fairtrial.errors import InputError
from fairtrial.words import is_number


def read_levels(path: str | PathLike[str]) -> dict[str, float | str]:
    """Read a CSV file with two columns: the data set and its level (0.96 or 96%). A header is not needed.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "published.csv"
    >>> _ = path.write_text("data set,accuracy\\niris,0.96\\nwine,0.97\\n")
    >>> read_levels(path)
    {'iris': 0.96, 'wine': 0.97}
    """
    file = home_path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{file} can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file.name} must be UTF-8 text: {error}") from error
    levels: dict[str, float | str] = {}
    for line, name, level in _rows(text, file.name):
        if name in levels:
            raise InputError(f"{file.name} must have each data set once, but line {line} has {name!r} again")
        levels[name] = level
    if not levels:
        raise InputError(f"{file.name} must have a line with data set and level (iris,0.96), but it has none")
    return levels


def _rows(text: str, file: str) -> Iterator[tuple[int, str, float | str]]:
    """The lines of the table, with their numbers; the first may be a header."""
    rows: Iterator[list[str]] = csv.reader(text.splitlines(), delimiter=";" if ";" in text.partition("\n")[0] else ",")
    for line, row in enumerate(_divided(rows, file), start=1):
        cells = [cell.strip() for cell in row]
        level = _level(cells[1], f"line {line} of {file}") if len(cells) == 2 else None
        if not any(cells) or (line == 1 and len(cells) == 2 and level is None):
            continue
        if level is None or (isinstance(level, float) and not math.isfinite(level)):
            raise InputError(
                f"each line of {file} must be a data set and its level (iris,0.96), but line {line} is {row!r}"
            )
        yield line, cells[0], level


def _level(cell: str, where: str) -> float | str | None:
    """A number, or a text with a unit; None for other texts, such as the title of a column."""
    if is_number(cell):
        return float(cell)
    try:
        return None if parse(cell) is None else cell
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _divided(rows: Iterator[list[str]], file: str) -> Iterator[list[str]]:
    try:
        yield from rows
    except csv.Error as error:
        raise InputError(
            f"{file} must be a table with commas or semicolons, but can't be read as one: {error}"
        ) from error
