"""A table as data: columns, rows, a caption that says what is estimated, and notes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from fairtrial.doors import door
from fairtrial.errors import InputError
from fairtrial.shown import ShownAsText
from fairtrial.tables import formats
from fairtrial.tables.output_formats import format_called
from fairtrial.tables.render_json import plain

if TYPE_CHECKING:
    from fairtrial.choices import PaperWidth
    from fairtrial.tables.document import Document

Align = Literal["left", "right"]


class Strong(str):
    """Text that matters more than the text around it: bold, in formats that have bold."""

    __slots__ = ()


class Across(str):
    """Text in the last column that may reach over the empty cells before it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, how its values are written, and its name in CSV and JSON.

    Neighbours of one ``group`` have its name above their titles.
    """

    title: str
    format: formats.Formatter = formats.auto
    align: Align = "right"
    key: str = ""
    group: str = ""

    def __post_init__(self) -> None:
        if not self.key:
            object.__setattr__(self, "key", self.title)


@dataclass(frozen=True, slots=True)
class PlusMinus:
    """A cell with a number, its uncertainty, and what stands beside both in brackets, such as a time.

    The format of the column writes the number and the uncertainty with equal decimals: '93.9 ± 1.9 (0.2 s)'; where the
    rows of a column differ in scale, the cell has ``decimals`` of its own. CSV and JSON have a column for each number.
    A ``spread`` of nan is left out.
    """

    center: float
    spread: float = math.nan
    beside: str = ""
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """A cell with a sign behind its value, or a word in place of its value, and what that means.

    Readers see ``text``, or the value with ``mark``, which a note of the table explains; where it is ``strong``, it is
    bold. CSV and JSON have the bare value, and ``note`` in a column of its own.
    """

    value: object
    mark: str = ""
    note: str = ""
    text: str = ""
    strong: bool = False


@door
@dataclass(frozen=True, slots=True)
class Table(ShownAsText):
    """A table as data, which every result's ``to_table()`` gives and every output format can write.

    ``rule_before`` names the rows above which a line is drawn (a foot row, a group). Cells of text are written as they
    are, also in a column of numbers; those of :class:`Strong` text are bold. ``explain`` says how to read the table,
    ``call`` is the line of Python that makes it, and ``label`` its name in a LaTeX file. Where cells combine several
    numbers (a matrix of differences, wins and p), ``long`` is the same as a table with one number in each cell, which
    CSV and JSON have.

    >>> table = Table(
    ...     columns=(Column("method", align="left"), Column("accuracy", formats.fixed(3))),
    ...     rows=(("forest", 0.9041), ("bayes", float("nan"))),
    ...     caption="accuracy, mean over 10 folds",
    ... )
    >>> print(table)
    accuracy, mean over 10 folds
    method  accuracy
    forest     0.904
    bayes          –
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[object, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    rule_before: tuple[int, ...] = field(default=())
    explain: str = ""
    call: str = ""
    label: str = ""
    long: Table | None = None

    def __post_init__(self) -> None:
        for i, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise InputError(f"each row must have {len(self.columns)} cells, but row {i} has {len(row)}: {row!r}")

    @classmethod
    def from_records(cls, records: Sequence[Mapping[str, object]], caption: str = "") -> Table:
        """A table from mappings with the same keys; the keys are the titles, and text is aligned left."""
        if not records:
            return cls(columns=(), rows=(), caption=caption)
        titles = list(records[0])
        for i, record in enumerate(records):
            if set(record) != set(titles):
                raise InputError(f"each record must have the keys {titles}, but record {i} has {list(record)}")
        texts = {t for t in titles if any(isinstance(r[t], str) for r in records)}
        columns = tuple(Column(t, align="left" if t in texts else "right") for t in titles)
        return cls(columns=columns, rows=tuple(tuple(r[t] for t in titles) for r in records), caption=caption)

    def cells(self) -> list[list[str]]:
        """All cells as they are written, without escaping."""
        write = [formats.over(c.format, _numbers([row[j] for row in self.rows])) for j, c in enumerate(self.columns)]
        return [[_written(w, v) for w, v in zip(write, row, strict=True)] for row in self.rows]

    def flat(self) -> tuple[list[str], list[list[object]]]:
        """Names and unrounded values for CSV and JSON.

        An interval (a pair in a cell) becomes two columns, ``…_low`` and ``…_high``. The notes of marked cells have a
        column of their own, ``…_note``. A name that comes again is numbered, so that nothing is lost. A table with a
        ``long`` form gives that.
        """
        if self.long is not None:
            return self.long.flat()
        parts = [_split(c.key, [row[j] for row in self.rows]) for j, c in enumerate(self.columns)]
        columns = [column for part in parts for column in part]
        values = [list(row) for row in zip(*(values for _, values in columns), strict=True)] if columns else []
        return _numbered([key for key, _ in columns]), values or [[] for _ in self.rows]

    def map_text(self, change: Callable[[str], str], names: Callable[[str], str] | None = None) -> Table:
        """Apply a function to all texts of the table: titles, cells of text, caption and notes.

        ``names`` is applied to titles and cells instead, for people only: programs keep them, and so does ``call``.
        """
        title = names or change
        table = replace(
            self,
            columns=tuple(replace(c, title=title(c.title), group=title(c.group)) for c in self.columns),
            rows=tuple(
                tuple(_changed(cell, change) if names is None else _shown(cell, names) for cell in row)
                for row in self.rows
            ),
            caption=change(self.caption),
            notes=tuple(map(change, self.notes)),
            explain=change(self.explain),
        )
        if names is not None:
            return table
        long = None if self.long is None else self.long.map_text(change)
        return replace(table, call=change(self.call), long=long)

    def to_dict(self) -> dict[str, object]:
        """The table as plain data: caption, rows as mappings of unrounded values, notes."""
        keys, rows = self.flat()
        return {
            "caption": self.caption,
            "rows": [dict(zip(keys, map(plain, row), strict=True)) for row in rows],
            "notes": list(self.notes),
        }

    def to_text(self, within: int | None = None) -> str:
        """The table for the terminal; columns of words are broken into lines to fit ``within`` characters."""
        return self._alone().to_text(within)

    def to_html(self) -> str:
        """The table for a page or a notebook; everything that came from data is escaped."""
        return self.render("html")

    def to_latex(self, *, width: PaperWidth = "text", placement: str = "", label: str = "") -> str:
        r"""The table for a paper: booktabs rules, numbers aligned by siunitx; whatever came from data is escaped.

        ``width`` is what the table has to fit: ``"text"``, a page with one column of text; ``"column"``, one column of
        a paper in two columns; ``"page"``, both of its columns. A table that is too wide gets a smaller font, its
        titles are broken into lines or stand upright, its texts are broken into lines, and at last its columns stand in
        parts one below the other. ``placement`` is where the float may go, such as ``"t"``; ``label`` is for ``\ref``,
        by default the table's own.
        """
        from fairtrial.tables.render_latex import table_alone

        return table_alone(self, placement, width, label)

    def to_markdown(self) -> str:
        """The table for a README or an issue."""
        return self.render("md")

    def to_csv(self) -> str:
        """The table for a program, with unrounded values."""
        return self.render("csv")

    def to_json(self) -> str:
        """The table for a program, with unrounded values; nan is null."""
        return self.render("json")

    def render(self, how: str) -> str:
        """Write the table in one of the :data:`~fairtrial.tables.output_formats.FORMATS`."""
        form = format_called(how)
        return form.render(self.to_dict() if form.shows == "data" else self._alone())

    def _alone(self) -> Document:
        from fairtrial.tables.document import Document

        return Document((self,))

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self._alone()._repr_html_()


def _written(write: formats.Formatter, value: object) -> str:
    if isinstance(value, Marked):
        text = value.text or _written(write, value.value) + value.mark
        return Strong(text) if value.strong else text
    if isinstance(value, PlusMinus):
        return _with_spread(write, value)
    return value if isinstance(value, str) else write(value)


def _with_spread(write: formats.Formatter, value: PlusMinus) -> str:
    """The number, its uncertainty with as many decimals, and what stands beside them."""
    numbers = [value.center, *([] if math.isnan(value.spread) else [value.spread])]
    own = formats.over(write, numbers) if value.decimals is None else formats.decimals(value.decimals)
    text = " ± ".join(map(own, numbers))
    return f"{text} ({value.beside})" if value.beside else text


def _changed(cell: object, change: Callable[[str], str]) -> object:
    """A cell with its text changed, where it has one."""
    if isinstance(cell, Marked):
        return replace(cell, value=_changed(cell.value, change), note=change(cell.note), text=change(cell.text))
    if isinstance(cell, str):
        return type(cell)(change(cell))
    return cell


def _shown(cell: object, change: Callable[[str], str]) -> object:
    """A cell with the text that people see changed, and the value that programs get as it is."""
    marked = cell if isinstance(cell, Marked) else Marked(cell, strong=isinstance(cell, Strong))
    text = marked.text or (marked.value + marked.mark if isinstance(marked.value, str) else "")
    return cell if (new := change(text)) == text else replace(marked, text=new)


def _numbers(values: list[object]) -> list[object]:
    """The values of a column that its format writes: no texts, and no marks."""
    bare = [v.value if isinstance(v, Marked) and not v.text else v for v in values]
    parts = [part for v in bare for part in ((v.center, v.spread) if isinstance(v, PlusMinus) else (v,))]
    return [v for v in parts if not isinstance(v, (str, Marked))]


def _split(key: str, values: list[object]) -> list[tuple[str, list[object]]]:
    """The columns of CSV and JSON for one column: itself, or both ends of an interval, and the notes of its cells."""
    if any(isinstance(v, Marked) for v in values):
        notes: list[object] = [v.note if isinstance(v, Marked) else None for v in values]
        bare = _split(key, [v.value if isinstance(v, Marked) else v for v in values])
        return [*bare, (f"{key}_note", notes)] if any(notes) else bare
    if any(isinstance(v, PlusMinus) for v in values):
        return _split_spreads(key, values)
    if not any(isinstance(v, tuple) for v in values):
        return [(key, values)]
    ends = [v if isinstance(v, tuple) else (None, None) for v in values]
    return [(f"{key}_low", [low for low, _ in ends]), (f"{key}_high", [high for _, high in ends])]


def _split_spreads(key: str, values: list[object]) -> list[tuple[str, list[object]]]:
    """The numbers of a column, their uncertainties, and what stands beside them, where there are any."""
    cells = [v if isinstance(v, PlusMinus) else None for v in values]
    centers = [v if cell is None else cell.center for v, cell in zip(values, cells, strict=True)]
    spreads: list[object] = [None if cell is None else cell.spread for cell in cells]
    beside: list[object] = [None if cell is None else cell.beside for cell in cells]
    known = any(cell is not None and not math.isnan(cell.spread) for cell in cells)
    more = ((f"{key}_spread", spreads, known), (f"{key}_beside", beside, any(beside)))
    return [(key, centers), *((name, values) for name, values, there in more if there)]


def _numbered(keys: list[str]) -> list[str]:
    """The names, each once: a name that comes again gets a number."""
    found: dict[str, None] = {}
    for name in keys:
        key, count = name, 1
        while key in found:
            count += 1
            key = f"{name} {count}"
        found[key] = None
    return list(found)
