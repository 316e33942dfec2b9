"""HTML: parts of a page for notebooks, and whole pages that need nothing else: no network, no script."""

from __future__ import annotations

import html
import string
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

import fairtrial
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
    Point,
    Points,
    References,
    Show,
    Source,
    leave_out,
)
from fairtrial.tables.table import Column, Strong, Table
from fairtrial.words import visible, visible_lines

__all__ = ["escape", "render"]

LONG, LONGER = 24, 60
"""Texts of cells with this many characters may be broken into lines by the style sheet of a page."""


def render(document: Document, show: Show = leave_out) -> str:
    """Write a document; ``show`` gives its pictures as SVG. With a title it is a whole page, with its style sheet."""
    if not document.title:
        return "\n".join(filter(None, (_block(block, show) for block in document.blocks)))
    lead, sections = _sections(document.blocks)
    header = ["<header>", f"<h1>{escape(document.title)}</h1>", *_page_blocks(lead, show), "</header>"]
    main = ["<main>", *(_section(*section, show) for section in sections), "</main>"]
    body = "\n".join([*header, *main])
    return _frame().substitute(title=escape(document.title), body=body, version=escape(fairtrial.__version__))


@cache
def _frame() -> string.Template:
    """The frame around the body of a page: head, style sheet and foot."""
    return string.Template((files("fairtrial.tables") / "page.html").read_text(encoding="utf-8"))


def _sections(blocks: Iterable[Block]) -> tuple[list[Block], list[tuple[Heading, list[Block]]]]:
    """The blocks before the first heading; each heading, and the blocks after it."""
    lead: list[Block] = []
    sections: list[tuple[Heading, list[Block]]] = []
    for block in blocks:
        if isinstance(block, Heading):
            sections.append((block, []))
        else:
            (sections[-1][1] if sections else lead).append(block)
    return lead, sections


def _section(heading: Heading, blocks: list[Block], show: Show) -> str:
    anchor = escape(heading.anchor)
    named = f' id="{anchor}" aria-labelledby="{anchor}-title"' if anchor else ""
    return "\n".join([f"<section{named}>", _block(heading, show), *_page_blocks(blocks, show), "</section>"])


def _page_blocks(blocks: Iterable[Block], show: Show) -> Iterator[str]:
    """Blocks of a whole page, where wide tables scroll and captions stay."""
    for block in blocks:
        match block:
            case Table():
                yield _scrolling_table(block)
            case Folded():
                yield _folded(block.title, _page_blocks(block.blocks, show))
            case _:
                yield _block(block, show)


def _block(block: Block, show: Show) -> str:
    match block:
        case Table():
            return _table(block)
        case Heading():
            anchor = f' id="{escape(block.anchor)}-title"' if block.anchor else ""
            return f"<h2{anchor}>{escape(block.text)}</h2>"
        case Answer():
            return f'<p class="answer"><strong>{escape(block.text)}</strong></p>'
        case Paragraph():
            return f"<p>{''.join(map(_inline, block.pieces))}</p>"
        case Numbers():
            pairs = (f"<div><dt>{escape(what)}</dt><dd>{escape(number)}</dd></div>" for number, what in block.entries)
            return "\n".join(['<dl class="key" aria-label="The study in numbers">', *pairs, "</dl>"])
        case Facts():
            return "\n".join(['<dl class="facts">', *_facts(block), "</dl>"])
        case Points():
            return "\n".join(['<ul class="checks">', *map(_point, block.entries), "</ul>"])
        case References():
            return "\n".join(['<ol class="references">', *(_reference(*entry) for entry in block.entries), "</ol>"])
        case Picture():
            return _picture(block, show(block))
        case Source():
            return f"<pre>{escape_lines(str(block))}</pre>"
        case Folded():
            return _folded(block.title, (_block(inner, show) for inner in block.blocks))


def _folded(title: str, blocks: Iterable[str]) -> str:
    return "\n".join(["<details>", f"<summary>{escape(title)}</summary>", *blocks, "</details>"])


def _facts(facts: Facts) -> Iterator[str]:
    for label, entries in facts.groups():
        yield f"<dt>{escape(label)}</dt>" + "".join(f"<dd>{escape(str(entry))}</dd>" for entry in entries)


def _point(point: Point) -> str:
    kind, meaning = ("fine", "fine") if point.is_fine else ("care", "worth knowing")
    return f'<li class="{kind}"><b role="img" aria-label="{meaning}">{point.mark}</b> {escape(point.text)}</li>'


def _reference(text: str, url: str) -> str:
    address = escape(url)
    return f'<li>{escape(text)} <a href="{address}" rel="noreferrer">{address.removeprefix("https://")}</a></li>'


def _picture(picture: Picture, svg: str) -> str:
    """A figure with its caption; the texts in the SVG are escaped already."""
    if not svg:
        return ""
    title = escape(picture.title)
    return f"""<figure class="block wide">
<div class="scroll" tabindex="0" role="region" aria-label="{title}">{svg}</div>
<figcaption><b>{title}.</b> {escape(picture.caption)}</figcaption>
</figure>"""


def _scrolling_table(table: Table) -> str:
    """A table of a page: it scrolls where it is too wide, and its caption and notes stay where they are."""
    caption = [f'<p class="caption">{escape_lines(table.caption)}</p>'] if table.caption else []
    label = escape(table.caption) or "table"
    region = f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">'
    grid = ["<table>", *_rows(table), "</table>"]
    return "\n".join(['<div class="block wide">', *caption, region, *grid, "</div>", *_notes(table), "</div>"])


def _table(table: Table) -> str:
    """A table of a notebook."""
    caption = [f"<caption>{escape_lines(table.caption)}</caption>"] if table.caption else []
    grid = ['<div class="table"><table>', *caption, *_rows(table), "</table>"]
    return "\n".join([*grid, *_notes(table), "</div>"])


def _rows(table: Table) -> Iterator[str]:
    titles = "".join(f'<th class="{c.align}">{escape(c.title)}</th>' for c in table.columns)
    yield f"<thead><tr>{titles}</tr></thead><tbody>"
    for i, row in enumerate(table.cells()):
        rule = ' class="rule"' if i in table.rule_before else ""
        yield f"<tr{rule}>" + "".join(map(_cell, table.columns, row)) + "</tr>"
    yield "</tbody>"


def _cell(column: Column, text: str) -> str:
    is_long = column.align == "left" and len(text) >= LONG
    size = (" longer" if len(text) >= LONGER else " long") if is_long else ""
    return f'<td class="{column.align}{size}">{_inline(text)}</td>'


def _notes(table: Table) -> Iterator[str]:
    return (f'<p class="note">{escape_lines(note)}</p>' for note in table.notes if note)


def _inline(text: str) -> str:
    return f"<strong>{escape(text)}</strong>" if isinstance(text, Strong) else escape(text)


def escape(text: str) -> str:
    """Text that HTML shows as it is, on one line; it can also stand in an attribute.

    >>> escape('a < "b"')
    'a &lt; &quot;b&quot;'
    """
    return html.escape(visible(text))


def escape_lines(text: str) -> str:
    """Text of several lines that HTML shows as it is."""
    return html.escape(visible_lines(text))
