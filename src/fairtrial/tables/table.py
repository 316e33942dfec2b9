"""A table as data: columns, rows, a caption that says what is estimated, and notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from fairtrial.errors import InputError, UnknownName
from fairtrial.tables import formats, render

__all__ = ["FORMATS", "Column", "Marked", "Table"]

Align = Literal["left", "right"]
FORMATS = ("text", "json", "csv", "md", "latex", "html")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, how its values are written, and its name in CSV and JSON."""

    title: str
    format: formats.Formatter = formats.auto
    align: Align = "right"
    key: str = ""

    def __post_init__(self) -> None:
        if not self.key:
            object.__setattr__(self, "key", self.title)


@dataclass(frozen=True, slots=True)
class Marked:
    """A cell that is not like the others: a sign behind its value, or a word in its place, and what that means.

    Readers see ``text``, or the value with ``mark``, which a note of the table explains. CSV and JSON have the bare
    value, and ``note`` in a column of its own.
    """

    value: object
    mark: str = ""
    note: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """What every result's ``to_table()`` gives; printable in each of :data:`FORMATS`.

    ``rule_before`` names the rows above which a line is drawn (a foot row, a group). Cells of text are written as they
    are, also in a column of numbers.

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

    def __post_init__(self) -> None:
        for i, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise InputError(f"each row must have {len(self.columns)} cells, but row {i} has {len(row)}: {row!r}")

    @classmethod
    def from_records(cls, records: Sequence[Mapping[str, object]], caption: str = "") -> Table:
        """A table from equal mappings; the keys are the titles, text goes left."""
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
        """All cells as they are written."""
        write = [formats.over(c.format, _numbers([row[j] for row in self.rows])) for j, c in enumerate(self.columns)]
        return [[_written(w, v) for w, v in zip(write, row, strict=True)] for row in self.rows]

    def flat(self) -> tuple[list[str], list[list[object]]]:
        """Names and unrounded values for CSV and JSON.

        An interval (a pair in a cell) becomes two columns, ``…_low`` and ``…_high``; what is noted of marked cells has
        a column of its own, ``…_note``; a name that comes again is numbered, so that nothing is lost.
        """
        parts = [_split(c.key, [row[j] for row in self.rows]) for j, c in enumerate(self.columns)]
        columns = [column for part in parts for column in part]
        values = [list(row) for row in zip(*(values for _, values in columns), strict=True)] if columns else []
        return _numbered([key for key, _ in columns]), values or [[] for _ in self.rows]

    def to_dict(self) -> dict[str, object]:
        """Plain data: caption, rows as mappings of unrounded values, notes."""
        keys, rows = self.flat()
        return {
            "caption": self.caption,
            "rows": [dict(zip(keys, map(render.plain, row), strict=True)) for row in rows],
            "notes": list(self.notes),
        }

    def to_text(self, within: int | None = None) -> str:
        """For the terminal; ``within`` so many characters, columns of words are broken into lines."""
        return render.text(self, within)

    def to_html(self) -> str:
        """For a page or a notebook; everything that came from data is escaped."""
        return render.html(self)

    def to_latex(self) -> str:
        """For a paper: a booktabs tabular; everything that came from data is escaped."""
        return render.latex(self)

    def to_markdown(self) -> str:
        """For a README or an issue."""
        return render.markdown(self)

    def to_csv(self) -> str:
        """For a program: unrounded values."""
        return render.csv_text(self)

    def to_json(self) -> str:
        """For a program: unrounded values; nan as null."""
        return render.json_text(self.to_dict())

    def render(self, how: str) -> str:
        """The table in one of :data:`FORMATS`."""
        renderers: dict[str, Callable[[], str]] = {
            "text": self.to_text,
            "json": self.to_json,
            "csv": self.to_csv,
            "md": self.to_markdown,
            "latex": self.to_latex,
            "html": self.to_html,
        }
        if how not in renderers:
            raise UnknownName.among("format", how, renderers)
        return renderers[how]()

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()


def _written(write: formats.Formatter, value: object) -> str:
    if isinstance(value, Marked):
        return value.text or write(value.value) + value.mark
    return value if isinstance(value, str) else write(value)


def _numbers(values: list[object]) -> list[object]:
    """The values of a column that its format writes: without texts, and without the marks of others."""
    bare = [v.value if isinstance(v, Marked) and not v.text else v for v in values]
    return [v for v in bare if not isinstance(v, (str, Marked))]


def _split(key: str, values: list[object]) -> list[tuple[str, list[object]]]:
    """A column as it is, an interval's two, and one for what is noted of some cells."""
    if any(isinstance(v, Marked) for v in values):
        notes: list[object] = [v.note if isinstance(v, Marked) else None for v in values]
        return [*_split(key, [v.value if isinstance(v, Marked) else v for v in values]), (f"{key}_note", notes)]
    if not any(isinstance(v, tuple) for v in values):
        return [(key, values)]
    ends = [v if isinstance(v, tuple) else (None, None) for v in values]
    return [(f"{key}_low", [low for low, _ in ends]), (f"{key}_high", [high for _, high in ends])]


def _numbered(keys: list[str]) -> list[str]:
    """The names, later ones that are there already with a number."""
    found: dict[str, None] = {}
    for name in keys:
        key, count = name, 1
        while key in found:
            count += 1
            key = f"{name} {count}"
        found[key] = None
    return list(found)
