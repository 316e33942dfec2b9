r"""ARFF, the file format of WEKA: a header of typed attributes, then rows. Needs numpy only.

>>> table = parse_arff('''% a comment
... @relation weather
... @attribute outlook {sunny, 'partly cloudy'}
... @attribute temperature numeric
... @data
... sunny,21.5
... 'partly cloudy',?
... ''')
>>> table.relation, table.values("outlook")
('weather', ['sunny', 'partly cloudy'])
>>> table.values("temperature")
[21.5, nan]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName

Kind: TypeAlias = Literal["numeric", "nominal", "string", "date"]
Cell: TypeAlias = str | None
Line: TypeAlias = tuple[int, str]

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_BARE = r"""[^,'"%\s][^,\s]*(?:\s+(?!%)[^,\s]+)*"""
_CELL = re.compile(rf"\s*({_QUOTED}|{_BARE}|)\s*(?:,|%.*)|(.+)")
_CATEGORY = re.compile(rf"""\s*({_QUOTED}|[^,'"\s{{}}](?:[^,}}]*[^,}}\s])?|)\s*([,}}])""")
_SPARSE = re.compile(rf"""\s*([0-9]{{1,9}})\s+({_QUOTED}|[^,'"\s]+)\s*(?:,|$)""")
_HEADER = re.compile(rf"""@attribute\s+({_QUOTED}|[^\s'"{{]+)\s*(.*)""", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_COMMENT = re.compile(r"\s%.*$")
_SPECIAL = re.compile(r"""['"%\\]""")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_JAVA_DATES = {"yyyy": "%Y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S"}


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of an ARFF file; ``categories`` of nominal ones, ``date_format`` (for strptime) of dates."""

    name: str
    kind: Kind
    categories: tuple[str, ...] = ()
    date_format: str = ""


@dataclass(frozen=True, slots=True)
class ArffTable:
    """The content of an ARFF file, column by column.

    A numeric or date column is a float64 array (dates in days since 1970; nan is missing), a nominal one an int64 array
    of positions in the attribute's categories (-1 is missing), a string one a list (None is missing).
    """

    relation: str
    attributes: tuple[Attribute, ...]
    columns: list[npt.NDArray[Any] | list[Cell]]

    @property
    def names(self) -> list[str]:
        """The names of the attributes."""
        return [a.name for a in self.attributes]

    def values(self, name: str) -> list[Any]:
        """A column as plain values: text (None where missing) or floats (nan where missing)."""
        if name not in self.names:
            raise UnknownName.among("attribute", name, self.names)
        index = self.names.index(name)
        column = self.columns[index]
        if self.attributes[index].kind == "nominal":
            known: list[Cell] = [*self.attributes[index].categories, None]
            return [known[code] for code in column]  # type: ignore[index]  # -1 is the None at the end
        return list(column) if isinstance(column, list) else column.tolist()


def parse_arff(text: str) -> ArffTable:
    """Read the text of an ARFF file; a mistake is reported with its line number.

    Nominal, numeric (real, integer), string and date attributes, quoted names and values with escapes, comments,
    missing values and sparse rows are understood; relational attributes and instance weights are not.
    """
    lines = _lines(text)
    relation, attributes = _header(lines)
    data = [(number, line) for number, line in lines if line and line[0] != "%"]
    rows = [_row(number, line, attributes) for number, line in data]
    numbers = [number for number, _ in data]
    cells: Sequence[tuple[Cell, ...]] = list(zip(*rows, strict=True)) or [()] * len(attributes)
    columns = [_column(a, column, numbers) for a, column in zip(attributes, cells, strict=True)]
    return ArffTable(relation, attributes, columns)


def _lines(text: str) -> Iterator[Line]:
    """Stripped lines with their numbers; str.splitlines would also split at characters that quotes may hold."""
    lines = re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff"))
    return ((number, line.strip()) for number, line in enumerate(lines, start=1))


def _header(lines: Iterator[Line]) -> tuple[str, tuple[Attribute, ...]]:
    relation, attributes, names, number = "", [], set(), 0
    for number, line in lines:  # the last number is needed after the loop
        keyword, *rest = line.split(None, 1) or [""]
        keyword = keyword.lower()
        if keyword == "@relation":
            relation = _unquote("".join(rest))
        elif keyword == "@attribute":
            attributes.append(_attribute(number, line))
            if attributes[-1].name in names:
                raise _wrong(number, f"the names of attributes must differ, got {attributes[-1].name!r} twice")
            names.add(attributes[-1].name)
        elif keyword == "@data":
            if not attributes:
                raise _wrong(number, "@data must come after at least one @attribute")
            return relation, tuple(attributes)
        elif line and not line.startswith("%"):
            raise _wrong(number, f"expected @relation, @attribute or @data, got {_short(line)!r}")
    raise _wrong(number, "the file must have a line @data, but it ends without one")


def _attribute(number: int, line: str) -> Attribute:
    match = _HEADER.match(line)
    if match is None:
        raise _wrong(number, f"an attribute must have a name and a type, got {_short(line)!r}")
    name, declared = _unquote(match[1]), match[2].strip()
    if declared.startswith("{"):
        return Attribute(name, "nominal", _categories(number, declared))
    kind, *rest = _COMMENT.sub("", declared).split(None, 1) or [""]
    if kind.lower() in ("numeric", "real", "integer"):
        return Attribute(name, "numeric")
    if kind.lower() == "string":
        return Attribute(name, "string")
    if kind.lower() == "date":
        return Attribute(name, "date", date_format=_date_format(number, _unquote("".join(rest).strip())))
    raise _wrong(
        number, f"the type of {name!r} must be numeric, a list in braces, string or date, got {_short(declared)!r}"
    )


def _categories(number: int, declared: str) -> tuple[str, ...]:
    found, at, end = [], 1, ","
    while end == ",":
        match = _CATEGORY.match(declared, at)
        if match is None:
            raise _wrong(number, f"the list of categories is broken at {_short(declared[at:])!r}")
        end, at = match[2], match.end()
        if match[1]:
            found.append(_unquote(match[1]))
    if len(set(found)) != len(found):
        raise _wrong(number, "categories must differ from each other")
    return tuple(found)


def _date_format(number: int, java: str) -> str:
    """The strptime format of a pattern for Java's SimpleDateFormat, for the letters that both know."""
    pattern = (re.sub(r"'([^']*)'", r"\1", java) if java else "yyyy-MM-ddTHH:mm:ss").replace("%", "%%")
    letters = re.findall(r"[^\W\d_]+", pattern.replace("T", " "))
    if not letters or not set(letters) <= set(_JAVA_DATES) or len(set(letters)) < len(letters):
        raise _wrong(number, f"a date format may use yyyy MM dd HH mm ss, each once, got {java!r}")
    for letter, directive in _JAVA_DATES.items():
        pattern = pattern.replace(letter, directive)
    return pattern


def _row(number: int, line: str, attributes: tuple[Attribute, ...]) -> list[Cell]:
    if line[0] == "{":
        return _sparse_row(number, line, attributes)
    if _SPECIAL.search(line) is None:
        cells: list[Cell] = [None if cell == "?" else cell for cell in map(str.strip, line.split(","))]
    else:
        cells = _cells(number, line)
    if len(cells) != len(attributes):
        cells = _by_white_space(line) if len(cells) == 1 else cells
    if len(cells) != len(attributes):
        raise _wrong(number, f"a row must have {len(attributes)} values, got {len(cells)}: {_short(line)!r}")
    return cells


def _cells(number: int, line: str) -> list[Cell]:
    found: list[tuple[str, str]] = _CELL.findall(line + ",")
    if found[-1][1]:
        raise _wrong(
            number, f"a quoted value must be closed and followed by a comma, got {_short(found[-1][1][:-1])!r}"
        )
    return [None if token == "?" else _unquote(token) if token[:1] in "'\"" else token for token, _ in found]


def _cell(token: str) -> Cell:
    return None if token == "?" else _unquote(token)


def _by_white_space(line: str) -> list[Cell]:
    """Values that are separated by blanks, which WEKA takes as well."""
    return [_cell(token) for token in re.findall(rf"{_QUOTED}|[^\s'\"]+", line)]


def _sparse_row(number: int, line: str, attributes: tuple[Attribute, ...]) -> list[Cell]:
    """A sparse row, ``{index value, …}``: what is not mentioned is 0, or the first category."""
    cells: list[Cell] = [_zero(a) for a in attributes]
    inside, at, given = line.rstrip().removesuffix("}")[1:].strip(), 0, set[int]()
    if not line.endswith("}"):
        raise _wrong(number, f"a sparse row must end with a brace (and have no weight), got {_short(line)!r}")
    while at < len(inside):
        match = _SPARSE.match(inside, at)
        if match is None or int(match[1]) >= len(attributes) or int(match[1]) in given:
            raise _wrong(
                number, f"a sparse row must be pairs of index and value, each index once, got {_short(inside[at:])!r}"
            )
        given.add(int(match[1]))
        cells[int(match[1])] = _cell(match[2])
        at = match.end()
    return cells


def _zero(attribute: Attribute) -> Cell:
    return {"numeric": "0", "nominal": next(iter(attribute.categories), None), "string": "", "date": None}[
        attribute.kind
    ]


def _column(attribute: Attribute, cells: Sequence[Cell], numbers: list[int]) -> npt.NDArray[Any] | list[Cell]:
    if attribute.kind == "string":
        return list(cells)
    try:
        if attribute.kind == "nominal":
            position: dict[Cell, int] = {category: i for i, category in enumerate(attribute.categories)} | {None: -1}
            return np.array([position[cell] for cell in cells], dtype=np.int64)
        if attribute.kind == "date":
            return np.array([_days(cell, attribute.date_format) for cell in cells], dtype=np.float64)
        if not _are_plain(cells):
            raise ValueError
        return np.array([np.nan if cell is None else float(cell) for cell in cells], dtype=np.float64)
    except (KeyError, ValueError, OverflowError):
        raise _bad_cell(attribute, cells, numbers) from None


def _are_plain(cells: Sequence[Cell]) -> bool:
    """Whether cells have neither underscores nor digits of other scripts, which Python takes for numbers as well."""
    text = "".join(filter(None, cells))
    return text.isascii() and "_" not in text


def _bad_cell(attribute: Attribute, cells: Sequence[Cell], numbers: list[int]) -> InputError:
    """The error for the first cell that is not what its attribute declares."""
    for number, cell in zip(numbers, cells, strict=True):
        if not _fits(attribute, cell):
            kinds = {"numeric": "a number", "date": f"a date like {attribute.date_format}"}
            must = kinds.get(attribute.kind, f"one of its {len(attribute.categories)} categories")
            return _wrong(number, f"a value of {attribute.name!r} must be {must}, got {cell!r}")
    raise AssertionError(f"no bad value of {attribute.name!r} found")


def _fits(attribute: Attribute, cell: Cell) -> bool:
    if cell is None or attribute.kind == "nominal":
        return cell is None or cell in attribute.categories
    try:
        float(cell) if attribute.kind == "numeric" else _days(cell, attribute.date_format)
    except (ValueError, OverflowError):
        return False
    return _are_plain([cell]) or attribute.kind == "date"


def _days(cell: Cell, date_format: str) -> float:
    """A date as days since 1970; without a year it is in 1970, as in Java."""
    if cell is None:
        return np.nan
    if not cell.isascii():
        raise ValueError
    if "%Y" not in date_format:
        cell, date_format = f"1970 {cell}", f"%Y {date_format}"
    return datetime.strptime(cell, date_format).replace(tzinfo=UTC).timestamp() / 86400


@lru_cache(maxsize=4096)
def _unescape(text: str) -> str:
    made = _ESCAPE.sub(lambda m: chr(int(m[1][1:], 16)) if len(m[1]) > 1 else _ESCAPES.get(m[1], m[1]), text)
    return made.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # two escapes may make one character


def _unquote(token: str) -> str:
    if len(token) > 1 and token[0] in "'\"" and token[-1] == token[0]:
        token = token[1:-1]
        return _unescape(token) if "\\" in token else token
    return token


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


def _wrong(number: int, message: str) -> InputError:
    return InputError(f"ARFF line {number}: {message}")
