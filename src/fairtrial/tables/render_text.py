"""Text for the terminal."""

from __future__ import annotations

import itertools
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator

from fairtrial.tables.document import (
    Answer,
    Block,
    Document,
    Facts,
    Folded,
    Heading,
    Numbers,
    Paragraph,
    Point,
    Points,
    References,
    Show,
    leave_out,
)
from fairtrial.tables.table import Table
from fairtrial.words import visible, visible_lines

__all__ = ["render", "width"]

WIDTH = 118
"""Facts and points are broken into lines of this many characters, or of fewer on a narrower terminal."""

NARROWEST_TERMINAL = 60
INDENT = 10
"""The column in which the texts of facts begin."""

NARROWEST = 16
"""A column of words is never made narrower than this, however narrow the terminal is."""

SENTENCES = (Paragraph, Answer)


def render(document: Document, show: Show = leave_out, within: int | None = None) -> str:  # noqa: ARG001 - no pictures
    """Write a document without its pictures; tables are narrowed to fit ``within`` characters where they can be."""
    blocks = [Heading(document.title)] if document.title else []
    return _joined([*blocks, *document.blocks], within)


def _joined(blocks: Iterable[Block], within: int | None) -> str:
    """Blocks with blank lines between them; sentences follow each other line by line."""
    shown = [(block, text) for block in blocks if (text := _block(block, within))]
    out = "".join(
        text + ("\n" if _belong_together(block, after, is_first=i == 0) else "\n\n")
        for i, ((block, text), (after, _)) in enumerate(itertools.pairwise(shown))
    )
    return out + shown[-1][1] if shown else ""


def _belong_together(block: Block, after: Block, *, is_first: bool) -> bool:
    """Whether no blank line stands between two blocks: two sentences, or the first table of all and its facts."""
    if isinstance(block, SENTENCES):
        return isinstance(after, SENTENCES)
    return is_first and isinstance(block, Table) and isinstance(after, Facts)


def _block(block: Block, within: int | None) -> str:
    match block:
        case Table():
            return _table(block, within)
        case Heading() | Answer():
            return visible(block.text)
        case Paragraph():
            return visible("".join(block.pieces))
        case Numbers():
            return " · ".join(f"{visible(number)} {visible(counted)}" for number, counted in block.entries)
        case Facts():
            return "\n".join(_facts(block))
        case Points():
            return "\n".join(line for point in block.entries for line in _wrapped(point, _line_width()))
        case References():
            return "\n".join(f"{n}. {visible(text)} {url}" for n, (text, url) in enumerate(block.entries, 1))
        case Folded() if block.on_paper():
            return _joined([Heading(block.title), *block.on_paper()], within)
        case _:
            return ""


def _line_width() -> int:
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    return max(NARROWEST_TERMINAL, min(WIDTH, columns))


def _facts(facts: Facts) -> Iterator[str]:
    """Labels on the left, each once, and texts on the right; a long label has a line of its own."""
    for label, entries in facts.groups():
        head = visible(label)
        if width(head) >= INDENT:
            yield head
            head = ""
        for line in itertools.chain.from_iterable(_wrapped(entry, _line_width() - INDENT) for entry in entries):
            yield f"{_pad(head, INDENT, 'left')}{line}".rstrip()
            head = ""


def _wrapped(entry: str | Point, size: int) -> list[str]:
    """A text in lines; the later lines of a point are indented by its mark."""
    later = "  " if isinstance(entry, Point) else ""
    lines = textwrap.wrap(visible(str(entry)), size, break_long_words=False, break_on_hyphens=False)
    return [line if i == 0 else later + line for i, line in enumerate(lines)]


def _table(table: Table, within: int | None) -> str:
    heads = [visible(c.title) for c in table.columns]
    body = [[visible(cell) for cell in row] for row in table.cells()]
    aligns = [c.align for c in table.columns]
    sizes = [max(map(width, column)) for column in zip(heads, *body, strict=True)]
    sizes = sizes if within is None else _narrowed(sizes, aligns, within)
    lines = [visible_lines(table.caption)] if table.caption else []

    def line(cells: list[str]) -> str:
        parts = [[c] if width(c) <= s else textwrap.wrap(c, s) for c, s in zip(cells, sizes, strict=True)]
        rows = itertools.zip_longest(*parts, fillvalue="")
        padded = ((_pad(c, s, a) for c, s, a in zip(row, sizes, aligns, strict=True)) for row in rows)
        return "\n".join("  ".join(cells).rstrip() for cells in padded)

    if heads:
        lines.append(line(heads))
    for i, row in enumerate(body):
        if i in table.rule_before:
            lines.append("─" * (sum(sizes) + 2 * (len(sizes) - 1)))
        lines.append(line(row))
    lines.extend(map(visible_lines, table.notes))
    return "\n".join(lines)


def _narrowed(sizes: list[int], aligns: Iterable[str], within: int) -> list[int]:
    """Column widths that fit, where the widest columns of words can be made narrow enough."""
    sizes = list(sizes)
    words = [j for j, align in enumerate(aligns) if align == "left"]
    while sum(sizes) + 2 * (len(sizes) - 1) > within:
        widest = max(words, key=lambda j: sizes[j], default=None)
        if widest is None or sizes[widest] <= NARROWEST:
            break
        sizes[widest] -= 1
    return sizes


def width(string: str) -> int:
    """The number of columns that a string takes on a terminal.

    >>> width("abc"), width("数据"), width("é")
    (3, 4, 1)
    """
    return sum(_width(c) for c in string)


def _width(c: str) -> int:
    if unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def _pad(string: str, size: int, align: str) -> str:
    space = " " * (size - width(string))
    return space + string if align == "right" else string + space
