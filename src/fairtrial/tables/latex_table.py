r"""A table in LaTeX: booktabs rules, numbers aligned by siunitx, fitted to a page, with caption, label and notes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from fairtrial.tables.latex_columns import NUMBERS, TexColumn, header_lines, tex_columns
from fairtrial.tables.latex_layout import (
    HEIGHT_OF_UPRIGHT_TITLES,
    SIZES,
    Layout,
    Page,
    Part,
    Stage,
    lay_out,
)
from fairtrial.tables.latex_text import broken, caption, escape, text_width
from fairtrial.tables.table import Table

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
