r"""How a table is fitted to a page: font, titles in lines or upright, texts in lines, and parts one below the other.

Widths are estimated for Computer Modern. What is estimated too narrow is shrunk by LaTeX itself.

The columns of a LaTeX table: numbers aligned at their decimal points by siunitx, text in lines.

A column of numbers is an ``S`` column, or two of them where its cells are intervals or numbers with an uncertainty.

A table in LaTeX: booktabs rules, numbers aligned by siunitx, fitted to a page, with caption, label and notes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from fairtrial.choices import PaperWidth
from fairtrial.errors import UnknownName
from fairtrial.tables.latex_text import (
    BOLD,
    LONG_WORD,
    LONGEST_PIECE,
    broken,
    caption,
    escape,
    narrowest_width,
    pieces,
    text_width,
)
from fairtrial.tables.number_cells import PLUS_MINUS, Number, NumberCell, number_cell
from fairtrial.tables.table import Column, Strong, Table
from fairtrial.words import is_one_of

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


Titles = Literal["line", "wrapped", "upright"]
SIZES = {"normalsize": (10.0, 12.0), "small": (9.25, 11.0), "footnotesize": (8.5, 9.5), "scriptsize": (8.0, 8.5)}
"""The em and the height of a line, in points, of each font size at 10 points."""

LEAST_TEXT = 7.0
"""Texts are not broken into lines of less than this many em, unless all are shorter."""

HEIGHT_OF_UPRIGHT_TITLES = 9.0  # em
SMALLEST = 0.8
"""The share of its width to which LaTeX may shrink a table in the smallest font, before it is cut into parts."""

STUB = 0.4
"""The share of the width that the first columns may take in a table of several parts, where they are repeated."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A way to set a table: font, space between columns in points, titles, and whether texts are broken into lines."""

    font: str
    gap: float
    titles: Titles = "line"
    wraps: bool = False

    @property
    def em(self) -> float:
        """The em of its font, in points."""
        return SIZES[self.font][0]


@dataclass(frozen=True, slots=True)
class Page:
    """The room that a table has, in points of a document in 10 points, and the stages that are tried one by one."""

    width: float
    height: float
    environment: str
    stages: tuple[Stage, ...]


WIDE = (
    Stage("normalsize", 6),
    Stage("normalsize", 6, "wrapped"),
    Stage("small", 4, "wrapped", wraps=True),
    Stage("footnotesize", 3, "wrapped", wraps=True),
    Stage("footnotesize", 3, "upright", wraps=True),
)
NARROW = (
    Stage("small", 4),
    Stage("footnotesize", 3, "wrapped", wraps=True),
    Stage("scriptsize", 2.5, "wrapped", wraps=True),
    Stage("scriptsize", 2.5, "upright", wraps=True),
)
PAGES: dict[PaperWidth, Page] = {
    "text": Page(340, 460, "table", WIDE),
    "column": Page(226, 480, "table", NARROW),
    "page": Page(460, 480, "table*", WIDE),
}
"""A page with one column of text; a column of a paper in two columns; both of its columns."""

REPORT = Page(410, 560, "table", WIDE)


@dataclass(frozen=True, slots=True)
class Part:
    """Some columns of a table, by their numbers, and the widths in em of those whose texts are broken into lines."""

    columns: tuple[int, ...]
    widths: dict[int, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """A stage, and the parts of the table, which stand one below the other; ``width`` is that of the widest."""

    stage: Stage
    parts: tuple[Part, ...]
    width: float


def page_called(name: PaperWidth) -> Page:
    """The page of that name.

    >>> page_called("column").environment
    'table'
    """
    if not is_one_of(name, PAGES):
        raise UnknownName.among("width", name, PAGES)
    return PAGES[name]


def lay_out(columns: Sequence[TexColumn], page: Page) -> Layout:
    """The layout in one part with the largest font, also if it is shrunk a little; else the one with the fewest."""
    layouts = [_at(stage, columns, page.width) for stage in page.stages]
    shrunk = _at(Stage("scriptsize", 2, "wrapped", wraps=True), columns, page.width / SMALLEST)
    whole = [layout for layout in (*layouts, replace(shrunk, width=page.width)) if len(layout.parts) == 1]
    return whole[0] if whole else min(layouts, key=lambda layout: len(layout.parts))  # the first of the smallest


def _at(stage: Stage, columns: Sequence[TexColumn], target: float) -> Layout:
    natural = [_width(column, stage, column.body_width()) for column in columns]
    least = [_least(column, stage, wide) for column, wide in zip(columns, natural, strict=True)]
    parts = tuple(_part(chosen, columns, natural, least, stage, target)
                  for chosen in _chosen(columns, natural, least, stage, target))  # fmt: skip
    parts = _alike(parts, len(_stub(columns)))
    widths = [_total([part.widths.get(j, natural[j]) for j in part.columns], stage) for part in parts]
    return Layout(stage, parts, max(widths, default=0.0))


def _width(column: TexColumn, stage: Stage, body: float) -> float:
    """The width of a column in em, with its title."""
    return max(body, _title_width(column, stage, body))


def _title_width(column: TexColumn, stage: Stage, body: float) -> float:
    title = column.column.title
    if stage.titles == "line":
        return text_width(title)
    wrapped = max(map(text_width, header_lines(title, body)), default=0.0)
    if stage.titles == "upright" and wrapped > body and not column.is_wrappable:
        return min(wrapped, 1.3 * len(header_lines(title, HEIGHT_OF_UPRIGHT_TITLES)))
    return wrapped


def _least(column: TexColumn, stage: Stage, natural: float) -> float:
    """The least width of a column, which is its natural one where nothing can be broken into lines."""
    if not (stage.wraps and column.is_wrappable):
        return natural
    body = min(column.body_width(), max(column.narrowest(), LEAST_TEXT))
    return _width(column, stage, body)


def _total(widths: Sequence[float], stage: Stage) -> float:
    """The width in points of columns with the space between them."""
    return stage.em * sum(widths) + 2 * stage.gap * max(len(widths) - 1, 0)


def _chosen(
    columns: Sequence[TexColumn], natural: Sequence[float], least: Sequence[float], stage: Stage, target: float
) -> list[tuple[int, ...]]:
    """The columns of each part: all in one if they fit; else the first columns of text, and some of the others."""
    everything = tuple(range(len(columns)))
    stub = _stub(columns)
    if _total(least, stage) <= target or len(stub) == len(columns):
        return [everything]
    narrow, wide = (_total([widths[j] for j in stub], stage) for widths in (least, natural))
    sizes = [stage.em * width + 2 * stage.gap for width in least]
    tried = (_packed(_units(columns, len(stub)), sizes, target - max(narrow, taken))
             for taken in (min(wide, STUB * target), narrow))  # fmt: skip
    return [(*stub, *part) for part in min(tried, key=len)]


def _stub(columns: Sequence[TexColumn]) -> tuple[int, ...]:
    """The columns that name the rows: those of text before the first one of numbers, or the first column."""
    first = next((j for j, column in enumerate(columns) if not column.is_wrappable), len(columns))
    return tuple(range(max(first, min(1, len(columns)))))


def _units(columns: Sequence[TexColumn], start: int) -> list[list[int]]:
    """The columns that should stay together: neighbours of one group, else each by itself."""
    numbered = list(enumerate(columns))[start:]
    found = [(group, [j for j, _ in members]) for group, members in groupby(numbered, lambda one: one[1].column.group)]
    return [unit for group, members in found for unit in ([members] if group else [[j] for j in members])]


def _packed(units: Sequence[Sequence[int]], sizes: Sequence[float], room: float) -> list[list[int]]:
    """Units in as few parts as possible, about equally large; a unit that is too large for a part is taken apart."""
    small = [piece for unit in units for piece in ([unit] if _size(unit, sizes) <= room else [[j] for j in unit])]
    count = len(_filled(small, sizes, room))
    even = sum(_size(unit, sizes) for unit in small) / count
    widest = max(_size(unit, sizes) for unit in small)
    for limit in (even + widest * share / 4 for share in range(5)):
        parts = _filled(small, sizes, min(limit, room))
        if len(parts) <= count:
            return parts
    return _filled(small, sizes, room)


def _size(unit: Sequence[int], sizes: Sequence[float]) -> float:
    return sum(sizes[j] for j in unit)


def _filled(units: Sequence[Sequence[int]], sizes: Sequence[float], room: float) -> list[list[int]]:
    """Units put into parts one after the other; each part is filled as far as possible."""
    parts: list[list[int]] = []
    for unit in units:
        if parts and _size([*parts[-1], *unit], sizes) <= room:
            parts[-1].extend(unit)
        else:
            parts.append(list(unit))
    return parts


def _part(
    chosen: tuple[int, ...], columns: Sequence[TexColumn], natural: Sequence[float], least: Sequence[float],
    stage: Stage, target: float,
) -> Part:  # fmt: skip
    """A part whose columns of text are as wide as the page allows, with one limit for all of them."""
    if _total([natural[j] for j in chosen], stage) <= target:
        return Part(chosen, {})
    limit = _limit([natural[j] for j in chosen], [least[j] for j in chosen], stage, target)
    cut = {j: max(least[j], limit) for j in chosen if columns[j].is_wrappable and max(least[j], limit) < natural[j]}
    return Part(chosen, cut)


def _alike(parts: tuple[Part, ...], stub: int) -> tuple[Part, ...]:
    """The parts with equal widths of the first columns, which they share."""
    least = {j: min(part.widths[j] for part in parts if j in part.widths)
             for j in range(stub) if any(j in part.widths for part in parts)}  # fmt: skip
    return tuple(Part(part.columns, part.widths | least) for part in parts)


def _limit(natural: Sequence[float], least: Sequence[float], stage: Stage, target: float) -> float:
    """The largest width in em that no text may exceed, so that all columns fit; found by halving."""
    low, high = 0.0, max(natural)
    for _ in range(30):
        middle = (low + high) / 2
        fits = _total([min(n, max(a, middle)) for n, a in zip(natural, least, strict=True)], stage) <= target
        low, high = (middle, high) if fits else (low, middle)
    return math.floor(10 * low) / 10


FITS_ANYWHERE = 190.0
"""A table that is estimated to be narrower than this, in points, fits every column and is never shrunk."""

CHARACTERS_A_LINE = 3.8
"""Points that a character of a caption or note takes, to estimate its lines."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rows of a part of the table, as lines of LaTeX, and its height in points."""

    lines: tuple[str, ...]
    height: float


def write_table(table: Table, page: Page, placement: str = "", label: str = "") -> str:
    """Write a table; with a caption it floats, in several floats if it is higher than a page."""
    columns = tex_columns(table)
    layout = lay_out(columns, page)
    around = sum(_lines(text, page) for text in (table.caption, *table.notes)) * 12
    room = max(page.height - around, page.height / 2)
    pieces = [piece for part in layout.parts for piece in _pieces(table, columns, part, layout, room)]
    floats = list(_floats(pieces, room))
    bodies = [_body(pieces, columns, layout.stage) for pieces in floats]
    notes = _notes(table.notes)
    if not table.caption:
        inside = "\n\n".join("\n".join(body) for body in bodies)
        return "\n".join([r"\begingroup", inside, *notes, r"\endgroup"])  # for its font and settings
    last = len(bodies) - 1
    captioned, rest = caption(table.caption)
    written = (
        _float(page, placement, _head(captioned, label, is_first=i == 0), [*body, *(notes if i == last else [])])
        for i, body in enumerate(bodies)
    )
    return "\n\n".join(filter(None, (*written, rest)))


def _lines(text: str, page: Page) -> int:
    return math.ceil(len(text) * CHARACTERS_A_LINE / page.width)


def _head(captioned: str, label: str, *, is_first: bool) -> str:
    if not is_first:
        return r"{\small\tablename~\thetable{} (continued)\par\smallskip}"
    plain = re.sub(r"[^A-Za-z0-9:_.+/ -]", "-", label)
    named = rf"\label{{{plain}}}" if label else ""
    return rf"{captioned}{named}\smallskip"


def _float(page: Page, placement: str, head: str, body: Sequence[str]) -> str:
    option = f"[{placement}]" if placement else ""
    kind = page.environment
    return "\n".join([rf"\begin{{{kind}}}{option}", r"\centering", head, *body, rf"\end{{{kind}}}"])


def _body(pieces: Sequence[Piece], columns: Sequence[TexColumn], stage: Stage) -> list[str]:
    """The parts of a table that stand in one float, with their font."""
    font = [rf"\{stage.font}"] if stage.font != "normalsize" else []
    gap = [rf"\setlength{{\tabcolsep}}{{{stage.gap:g}pt}}"] if stage.gap != 6 else []
    numbers = [NUMBERS] if any(not column.is_text for column in columns) else []
    between = [r"\par\medskip"]
    lines = [line for i, piece in enumerate(pieces) for line in ((between if i else []) + list(piece.lines))]
    return [*font, *gap, *numbers, *lines]


def _floats(pieces: Sequence[Piece], room: float) -> Iterator[list[Piece]]:
    """The pieces that stand together in a float."""
    together: list[Piece] = []
    for piece in pieces:
        if together and sum(p.height for p in together) + piece.height > room:
            yield together
            together = []
        together.append(piece)
    yield together


def _pieces(table: Table, columns: Sequence[TexColumn], part: Part, layout: Layout, room: float) -> Iterator[Piece]:
    """A part of the table; its rows in several pieces if they are higher than the room."""
    stage = layout.stage
    head, head_height = _header([columns[j] for j in part.columns], part, stage)
    rows: list[str] = []
    height = head_height
    for i in range(len(table.rows)):
        tall = SIZES[stage.font][1] * _lines_of_row(columns, part, i)
        if rows and height + tall > room:
            yield _piece(columns, part, layout, [*head, *rows], height)
            rows, height = [], head_height
        rows += [r"\midrule"] if rows and i in table.rule_before else []
        rows.append(_row([columns[j].cell(i, wrapped=j in part.widths) for j in part.columns]))
        height += tall
    yield _piece(columns, part, layout, [*head, *rows], height)


def _piece(columns: Sequence[TexColumn], part: Part, layout: Layout, lines: Sequence[str], height: float) -> Piece:
    spec = "".join(columns[j].spec(part.widths.get(j)) for j in part.columns)
    grid = [rf"\begin{{tabular}}{{@{{}}{spec}@{{}}}}", r"\toprule", *lines, r"\bottomrule", r"\end{tabular}"]
    if layout.width > FITS_ANYWHERE:
        grid = [r"\begin{adjustbox}{max width=\linewidth}", *grid, r"\end{adjustbox}"]
    return Piece(tuple(grid), height + 12)


def _lines_of_row(columns: Sequence[TexColumn], part: Part, i: int) -> int:
    cut = ((columns[j].texts[i], width) for j, width in part.widths.items())
    return max((math.ceil(1.15 * text_width(text) / width) for text, width in cut), default=1) or 1


def _header(columns: Sequence[TexColumn], part: Part, stage: Stage) -> tuple[list[str], float]:
    """The lines of groups and titles, and their height in points."""
    titles = [_title(column, part.widths.get(j), stage) for j, column in zip(part.columns, columns, strict=True)]
    high = max((lines for _, lines in titles), default=1)
    grouped = _groups(columns)
    row = _row([title for title, _ in titles])
    return [*grouped, row, r"\midrule"], SIZES[stage.font][1] * (high + len(grouped) / 2) + 10


def _title(column: TexColumn, width: float | None, stage: Stage) -> tuple[str, float]:
    """The title of a column, and the number of lines that it takes."""
    title, align = column.column.title, column.column.align[0]
    body = column.body_width() if width is None else width
    if stage.titles == "line" or text_width(title) <= body:
        return column.across(escape(title), align if column.is_text else "c"), 1
    lines = header_lines(title, body)
    if stage.titles == "upright" and not column.is_wrappable and max(map(text_width, lines)) > body:
        upright = header_lines(title, HEIGHT_OF_UPRIGHT_TITLES)
        return column.across(rf"\rotatebox{{90}}{{{_stack(upright, 'l')}}}"), HEIGHT_OF_UPRIGHT_TITLES / 1.2
    return column.across(_stack(lines, align if column.is_text else "c")), len(lines)


def _stack(lines: Sequence[str], align: str) -> str:
    if len(lines) < 2:
        return escape("".join(lines))
    inside = r"\\".join(map(escape, lines))
    return rf"\begin{{tabular}}[b]{{@{{}}{align}@{{}}}}{inside}\end{{tabular}}"


def _groups(columns: Sequence[TexColumn]) -> list[str]:
    """A line with the names of groups over their columns, and rules below them; none without groups."""
    if not any(column.column.group for column in columns):
        return []
    cells, rules, start = [], [], 1
    for group, members in groupby(columns, lambda column: column.column.group):
        span = sum(column.span for column in members)
        cells.append(rf"\multicolumn{{{span}}}{{c}}{{{escape(group)}}}" if group else " &" * (span - 1))
        rules += [rf"\cmidrule(lr){{{start}-{start + span - 1}}}"] if group else []
        start += span
    return [_row(cells), "".join(rules)]


def _row(cells: Sequence[str]) -> str:
    joined = " & ".join(cells)
    guard = "{}" if joined.startswith(("[", "*")) else ""  # after \\, LaTeX takes [ and * for options
    return guard + joined + r" \\"


def _notes(notes: Sequence[str]) -> list[str]:
    """Notes below the table, as wide as the text."""
    if not any(notes):
        return []
    lines = r"\par ".join(map(broken, filter(None, notes)))
    return [r"\par\smallskip", rf"\parbox{{\linewidth}}{{\footnotesize\raggedright {lines}}}"]
