r"""The columns of a LaTeX table: numbers aligned at their decimal points by siunitx, text in lines.

A column of numbers is an ``S`` column, or two of them where its cells are intervals or numbers with an uncertainty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairtrial.tables.latex_text import (
    BOLD,
    LONG_WORD,
    LONGEST_PIECE,
    broken,
    escape,
    narrowest_width,
    pieces,
    text_width,
)
from fairtrial.tables.number_cells import PLUS_MINUS, Number, NumberCell, number_cell
from fairtrial.tables.table import Column, Strong, Table

NUMBERS = r"\sisetup{reset-text-series=false,text-series-to-math=true,retain-explicit-plus=true,group-digits=none}"
"""The settings of siunitx: bold and signs as they are in the cells."""

THOUSANDS = r"group-digits=integer,group-minimum-digits=4,group-separator={,},"
LEAST_TITLE = 3.6
COMPARATORS = {"<": "<", ">": ">", "≤": r"\le ", "≥": r"\ge "}


@dataclass(frozen=True, slots=True)
class TexColumn:
    """A column with its cells as they are written, and the numbers in them."""

    column: Column
    texts: tuple[str, ...]
    numbers: tuple[NumberCell | None, ...]

    @property
    def between(self) -> str:
        """What stands between the two numbers of its cells; empty if they have only one."""
        return next((cell.between for cell in self.numbers if cell and cell.between), "")

    @property
    def is_text(self) -> bool:
        """Whether its cells are texts, which are not aligned at a decimal point."""
        return not any(self.numbers)

    @property
    def is_wrappable(self) -> bool:
        """Whether its cells may be broken into lines."""
        return self.is_text and self.column.align == "left"

    @property
    def span(self) -> int:
        """The number of columns that it takes in LaTeX."""
        return 2 if self.between else 1

    def body_width(self) -> float:
        """The width of its cells in em."""
        widths = [text_width(t) for t, cell in zip(self.texts, self.numbers, strict=True) if cell is None]
        bold = BOLD if any(isinstance(t, Strong) for t in self.texts) else 1
        return max([*widths, bold * self._numbers_width()], default=0.0)

    def _numbers_width(self) -> float:
        cells = [cell for cell in self.numbers if cell]
        if not cells:
            return 0.0
        parts = [self._part(k) for k in range(self.span)]
        around = _widest(cell.lead for cell in cells) + _widest(cell.tail for cell in cells) + text_width(self.between)
        return around + sum(_widest(n.before for n in p) + _widest(n.after for n in p) for p in parts)

    def _part(self, k: int) -> list[Number]:
        """The first or the second numbers of all cells that have them."""
        return [cell.numbers[k] for cell in self.numbers if cell and len(cell.numbers) > k]

    def narrowest(self) -> float:
        """The width in em to which its texts can be broken; that of its cells if they can't be."""
        if not self.is_wrappable:
            return self.body_width()
        return max((narrowest_width(text, LONGEST_PIECE) for text in self.texts), default=0.0)

    def spec(self, width: float | None = None) -> str:
        """Its part of the argument of ``tabular``; text of a given width in em is broken into lines."""
        if self.is_text:
            right = "r" if self.column.align == "right" else "l"
            return right if width is None else rf">{{\raggedright\arraybackslash}}p{{{width:.1f}em}}"
        lead = escape(max((cell.lead for cell in self.numbers if cell), key=text_width))
        tail = escape(max((cell.tail for cell in self.numbers if cell), key=text_width))
        if not self.between:
            return _aligned(self._part(0), lead, tail)
        gap = "@{}" if self.between == PLUS_MINUS else r"@{\ }"
        return _aligned(self._part(0), lead, self._sign_between()) + gap + _aligned(self._part(1), "", tail, "left")

    def _sign_between(self) -> str:
        return r"\,$\pm$\," if self.between == PLUS_MINUS else ","

    def cell(self, i: int, wrapped: bool = False) -> str:
        """The cell of row ``i``, escaped."""
        text, found = self.texts[i], self.numbers[i]
        if found is not None:
            return self._number(found, r"\bfseries " if isinstance(text, Strong) else "")
        if self.is_text:
            return broken(text, LONGEST_PIECE) if wrapped else _inline(text)
        return self.across(_inline(text) if text else "")

    def _number(self, cell: NumberCell, bold: str) -> str:
        tail = rf"{{\rlap{{{escape(cell.tail)}}}}}" if cell.tail else ""  # the column has the room
        lead = rf"{{\rlap{{{escape(cell.lead)}}}}}" if cell.lead else ""  # siunitx ends bold behind a box with a width
        written = [bold + (lead if k == 0 else "") + _input(number) for k, number in enumerate(cell.numbers)]
        if not self.between:
            return written[0] + tail
        if len(written) == 1:
            return f"{written[0]} & {tail}"
        return f"{written[0]}{{{self._sign_between()}}} & {written[1]}{tail}"

    def across(self, escaped: str, align: str = "c") -> str:
        """Text over the whole column, such as its title or a word in place of its numbers."""
        if self.between:
            return rf"\multicolumn{{2}}{{{align}}}{{{escaped}}}"
        return f"{{{escaped}}}" if escaped and not self.is_text else escaped


def tex_columns(table: Table) -> list[TexColumn]:
    """The columns of a table; one in which cells of several kinds are mixed is a column of text."""
    written = table.cells()
    return [_tex_column(c, [row[j] for row in table.rows], [row[j] for row in written])
            for j, c in enumerate(table.columns)]  # fmt: skip


def _tex_column(column: Column, values: Sequence[object], texts: Sequence[str]) -> TexColumn:
    cells = [number_cell(v, t) if column.align == "right" else None for v, t in zip(values, texts, strict=True)]
    kinds = {cell.between for cell in cells if cell and cell.between}
    return TexColumn(column, tuple(texts), tuple(cells) if len(kinds) < 2 else (None,) * len(cells))


def _widest(texts: Iterable[str]) -> float:
    return max(map(text_width, texts), default=0.0)


def _aligned(numbers: Sequence[Number], lead: str, tail: str, where: str = "") -> str:
    """An ``S`` column that has room for all these numbers, and the text before and behind them."""
    whole = max(len(n.whole.replace(",", "")) for n in numbers)
    decimals = max(len(n.decimals) for n in numbers)
    comparator = "<" if any(n.comparator for n in numbers) else ""
    sign = "-" if any(n.sign for n in numbers) else ""
    digits = f"{comparator}{sign}{whole}" + (f".{decimals}" if decimals else "")
    room = (f"{{{lead}}}" if lead else "") + digits + (f"{{{tail}}}" if tail else "")
    thousands = THOUSANDS if any("," in n.whole for n in numbers) else ""
    return f"S[{thousands}{f'table-number-alignment={where},' * bool(where)}table-format={room}]"


def _input(number: Number) -> str:
    """A number as siunitx reads it."""
    sign = number.sign.replace("−", "-")
    return COMPARATORS.get(number.comparator, "") + sign + number.whole.replace(",", "") + number.after


def _inline(text: str) -> str:
    return rf"\textbf{{{escape(text)}}}" if isinstance(text, Strong) else escape(text)


def header_lines(title: str, width: float) -> list[str]:
    """A title in lines of at most that width in em, or of 3.6, where its words allow it: these are not broken."""
    lines: list[str] = []
    width = max(width, LEAST_TITLE)
    for word in title.split():
        parts = pieces(word, LONGEST_PIECE, LONG_WORD) if text_width(word) > width else [word]
        for k, part in enumerate(parts):
            joint = "" if k else " "
            if lines and text_width(lines[-1] + joint + part) <= width:
                lines[-1] += joint + part
            else:
                lines.append(part)
    return lines
