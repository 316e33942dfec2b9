"""Tables in HTML: of a notebook, and of a page, where they scroll, can be sorted and can be copied in other formats."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from fairtrial.tables.table import Column, Marked, PlusMinus, Strong, Table
from fairtrial.words import visible, visible_lines

LONG, LONGER = 24, 60
"""Texts of cells with this many characters may be broken into lines by the style sheet of a page."""

LONG_TITLE = 14
"""Titles of columns with this many characters may be broken into lines."""

TALL = 30
"""A table with more rows scrolls inside its frame, below its titles."""

SHORT = 14
"""A table with at most so many rows stays on one sheet of paper."""

ACROSS, TOO_WIDE = 9, 22
"""Tables with more columns are printed across the paper, or not at all."""

MOST_IN_PAPERS, MOST_CELLS = 200, 4_000
"""A table with more rows, or more cells, is not offered as LaTeX: no paper prints it."""

PLAIN_NUMBER = re.compile(r"[−+]?\d+(\.\d+)?")


def notebook_table(table: Table) -> str:
    """A table of a notebook: its caption, its rows and its notes."""
    caption = [f"<caption>{escape_lines(table.caption)}</caption>"] if table.caption else []
    body = (_row(table, i, map(_cell, table.columns, row)) for i, row in enumerate(table.cells()))
    grid = ['<div class="table"><table>', *caption, _head(table.columns), "<tbody>", *body, "</tbody></table>"]
    return "\n".join([*grid, *_notes(table), "</div>"])


def page_table(table: Table) -> str:
    """A table of a page: it scrolls where it is too wide, and its caption and notes stay where they are."""
    caption = [f'<p class="caption">{escape_lines(table.caption)}</p>'] if table.caption else []
    body = (
        _row(table, i, _page_cells(table.columns, values, texts))
        for i, (values, texts) in enumerate(zip(table.rows, table.cells(), strict=True))
    )
    grid = "\n".join(["<table>", _head(table.columns), "<tbody>", *body, "</tbody></table>"])
    tall = " tall" if len(table.rows) > TALL else ""
    parts = [*caption, framed(grid, escape(table.caption) or "table", tall), *_paper_note(table), *_notes(table)]
    return "\n".join([f'<div class="{_kind(table)}">', *parts, *explanation(table.explain), *_copies(table), "</div>"])


def framed(content: str, label: str, kind: str = "") -> str:
    """Content that scrolls inside its frame, also with the keys; the label is escaped already."""
    inside = f'<div class="scroll{kind}" tabindex="0" role="group" aria-label="{label}">{content}</div>'
    return f'<div class="frame">{inside}</div>'


def explanation(text: str) -> Iterator[str]:
    """How to read a table or a figure, folded."""
    if text:
        yield f'<details class="explain"><summary>How to read this</summary><p>{escape_lines(text)}</p></details>'


def sources(texts: dict[str, str]) -> Iterator[str]:
    """Texts to be copied, by what they are written in; a script makes buttons of them."""
    if texts:
        title = escape(" or ".join(texts))
        yield f'<details class="sources"><summary>As {title}</summary>'
        for name, text in texts.items():
            yield f'<pre data-as="{escape(name)}">{escape_lines(text)}</pre>'
        yield "</details>"


def _copies(table: Table) -> Iterator[str]:
    rows, cells = len(table.rows), len(table.rows) * len(table.columns)
    latex = {"LaTeX": table.to_latex()} if rows <= MOST_IN_PAPERS and cells <= MOST_CELLS else {}
    python = {"Python": table.call} if table.call else {}
    return sources(latex | {"CSV": table.to_csv()} | python)


def _kind(table: Table) -> str:
    """The classes of a table, by which the style sheet knows how it fits the screen and the paper."""
    wide = len(table.columns)
    paper = " too-wide" if wide > TOO_WIDE else " across" if wide > ACROSS else ""
    return f"block wide{' short' if len(table.rows) <= SHORT else ''}{paper}"


def _paper_note(table: Table) -> Iterator[str]:
    if len(table.columns) > TOO_WIDE:
        text = f"This table has {len(table.columns)} columns, too many for paper: it is in the page on the screen."
        yield f'<p class="note on-paper">{text}</p>'


def _head(columns: tuple[Column, ...]) -> str:
    groups = ""
    if any(c.group for c in columns):
        spans = [(name, len(list(members))) for name, members in groupby(columns, key=lambda c: c.group)]
        groups = f"<tr>{''.join(_group(name, n) for name, n in spans)}</tr>"
    return f"<thead>{groups}<tr>{''.join(map(_title, columns))}</tr></thead>"


def _group(name: str, n: int) -> str:
    over = f' colspan="{n}"' if n > 1 else ""
    return f'<th class="group" scope="colgroup"{over}>{escape(name)}</th>' if name else f"<td{over}></td>"


def _title(column: Column) -> str:
    title = column.title.strip(" ")
    long = " long" if len(title) >= LONG_TITLE else ""
    kind = f'class="{column.align}{long}"'
    return f'<th {kind} scope="col">{escape(title)}</th>' if title else f"<td {kind}></td>"


def _row(table: Table, i: int, cells: Iterable[str]) -> str:
    rule = ' class="rule"' if i in table.rule_before else ""
    return f"<tr{rule}>{''.join(cells)}</tr>"


def _page_cells(columns: tuple[Column, ...], values: tuple[object, ...], texts: list[str]) -> Iterator[str]:
    """The cells of a row; the first one names the row."""
    for j, (column, value, text) in enumerate(zip(columns, values, texts, strict=True)):
        yield _cell(column, text, "th" if j == 0 and text else "td", _sort_key(value, text))


def _cell(column: Column, text: str, tag: str = "td", sort_key: str = "") -> str:
    is_long = column.align == "left" and len(text) >= LONG
    size = (" longer" if len(text) >= LONGER else " long") if is_long else ""
    scope = ' scope="row"' if tag == "th" else ""
    value = f' data-v="{sort_key}"' if sort_key else ""
    return f'<{tag} class="{column.align}{size}"{scope}{value}>{inline(text)}</{tag}>'


def _sort_key(value: object, text: str) -> str:
    """The number by which a cell is sorted, where its text is not that number."""
    if PLAIN_NUMBER.fullmatch(text):
        return ""
    number = _number(value)
    return "" if number is None or math.isnan(number) else f"{number:.9g}"


def _number(value: object) -> float | None:
    """The number of a cell: a mean without its mark and its uncertainty, the lower end of an interval."""
    match value:
        case Marked():
            return _number(value.value)
        case PlusMinus():
            return value.center
        case tuple() if value:
            return _number(value[0])
        case str() | None | bool():
            return None
        case _:
            bare = value.tolist() if hasattr(value, "tolist") else value
            return float(bare) if isinstance(bare, (int, float)) else None


def _notes(table: Table) -> Iterator[str]:
    return (f'<p class="note">{escape_lines(note)}</p>' for note in table.notes if note)


def inline(text: str) -> str:
    """Text, bold where it is strong."""
    return f"<strong>{escape(text)}</strong>" if isinstance(text, Strong) else escape(text)


def escape(text: str) -> str:
    """Text that HTML shows as it is, on one line; it is also safe in an attribute.

    >>> escape('a < "b"')
    'a &lt; &quot;b&quot;'
    """
    return html.escape(visible(text))


def escape_lines(text: str) -> str:
    """Text of several lines that HTML shows as it is."""
    return html.escape(visible_lines(text))
