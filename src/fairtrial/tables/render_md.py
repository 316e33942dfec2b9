"""Markdown, for a README, an issue or a wiki."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fairtrial.tables.document import (
    Answer,
    Block,
    Document,
    Facts,
    Folded,
    Heading,
    Numbers,
    Paragraph,
    Picture,
    Points,
    References,
    Show,
    Source,
    leave_out,
)
from fairtrial.tables.table import Column, Strong, Table
from fairtrial.words import visible, visible_lines


def render(document: Document, show: Show = leave_out) -> str:
    """Write a document; ``show`` gives the names of its pictures' files."""
    document = document.with_short_names()
    title = [f"# {escape(document.title)}"] if document.title else []
    return "\n\n".join([*title, *_blocks(document.blocks, show)])


def _blocks(blocks: Iterable[Block], show: Show) -> list[str]:
    return [text for block in blocks if (text := _block(block, show))]


def _block(block: Block, show: Show) -> str:
    match block:
        case Table():
            return _table(block)
        case Heading():
            return f"## {escape(block.text)}"
        case Answer():
            return _strong(block.text)
        case Paragraph():
            return _paragraph(block.pieces)
        case Numbers():
            return " · ".join(f"{escape(number)} {escape(counted)}" for number, counted in block.entries)
        case Facts():
            return "\n".join(f"- **{escape(label)}:** {escape(str(entry))}" for label, entry in block.entries)
        case Points():
            return "\n".join(f"- {escape(str(point))}" for point in block.entries)
        case References():
            return "\n".join(f"{n}. {escape(text)} <{url}>" for n, (text, url) in enumerate(block.entries, 1))
        case Picture() if file := show(block):
            return f"![{escape(block.title)}](<{file}>)\n\n*{escape(block.caption)}*"
        case Source(content=str() as text):
            return _source(text, block.how)
        case Folded() if block.on_paper():
            return "\n\n".join([f"### {escape(block.title)}", *_blocks(block.on_paper(), show)])
        case _:
            return ""


def _table(table: Table) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    lines = [_paragraph((table.caption,)), ""] if table.caption else []
    lines.append(line([escape(_title(c)) for c in table.columns]))
    lines.append(line(["---:" if c.align == "right" else ":---" for c in table.columns]))
    lines.extend(line([_inline(cell) for cell in row]) for row in table.cells())
    for note in table.notes:
        lines += ["", _paragraph((note,))]
    return "\n".join(lines)


def _title(column: Column) -> str:
    """The title of a column, after the name of its group."""
    return ": ".join(filter(None, (column.group, column.title)))


def _source(text: str, how: str) -> str:
    """Lines to be copied, between fences that are longer than any in the text."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{how}\n{visible_lines(text)}\n{fence}"


def _paragraph(pieces: Iterable[str]) -> str:
    """Text outside a table, where the beginning of a line could also start a heading or a list."""
    return re.sub(r"^(\s*\d*)([-+#.)])", r"\1\\\2", "".join(map(_inline, pieces)))


def _inline(text: str) -> str:
    return _strong(text) if isinstance(text, Strong) else escape(text)


def _strong(text: str) -> str:
    return f"**{escape(text)}**"


def escape(text: str) -> str:
    r"""Text that Markdown prints as it is, on one line.

    >>> print(escape("a_b | 1 < 2"))
    a\_b \| 1 \< 2
    """
    return "".join("\\" + c if c in "\\`*_[]<>|~&$" else c for c in visible(" ".join(text.splitlines())))
