"""HTML: parts of a page for notebooks, and whole pages that need nothing else: no network, no other file.

The script of a page is one fixed text, and the page allows no other (its hash stands in the page's policy), so that
nothing that came from data can run.

Tables in HTML: of a notebook, and of a page, where they scroll, can be sorted and can be copied in other formats.
"""

from __future__ import annotations

import base64
import hashlib
import html
import math
import re
import string
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import groupby

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


FEWEST_LISTED = 3
"""A page with fewer sections needs no list of them."""

MOST_ON_PAPER = 60
"""A folded table with more rows stays folded on paper."""

LANGUAGES = {"latex": "LaTeX", "bibtex": "BibTeX", "md": "Markdown", "csv": "CSV", "python": "Python"}


def render(document: Document, show: Show = leave_out) -> str:
    """Write a document; ``show`` gives its pictures as SVG. With a title it is a whole page, with its style sheet."""
    document = document.with_short_names()
    if not document.title:
        return "\n".join(filter(None, (_block(block, show) for block in document.blocks)))
    lead, sections = _sections(document.blocks)
    header = ["<header>", f"<h1>{escape(document.title)}</h1>", *_page_blocks(lead, show), "</header>"]
    main = ['<main id="main">', *(_section(*section, show) for section in sections), "</main>"]
    side, folded = _contents([heading for heading, _ in sections])
    made = f"Made by fairtrial {escape(fairtrial.__version__)}. This page is one file and needs no network."
    sheet = ['<div class="sheet">', *header, *folded, *main, f"<footer>{made}</footer>", "</div>"]
    return _page(document.title, "\n".join([*side, *sheet]))


def notebook_output(document: Document) -> str:
    """A document below a notebook's cell: aligned left, in the colours and the font of the notebook, dark or light."""
    if document.title:
        return render(document)
    return f'<div class="fairtrial">\n<style>\n{_file("notebook.css")}</style>\n{render(document)}\n</div>'


def _page(title: str, body: str) -> str:
    """The frame around the body of a page: head, style sheet and script."""
    script = _file("page.js")
    return string.Template(_file("page.html")).substitute(
        title=escape(title),
        body=body,
        version=escape(fairtrial.__version__),
        style=_file("page.css"),
        script=script,
        hash=f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}",
    )


@cache
def _file(name: str) -> str:
    return (files("fairtrial.tables") / name).read_text(encoding="utf-8")


def _contents(headings: list[Heading]) -> tuple[list[str], list[str]]:
    """The list of sections twice: beside the page, and folded above it, of which the style sheet shows one."""
    listed = [h for h in headings if h.anchor]
    if len(listed) < FEWEST_LISTED:
        return [], []
    links = "".join(f'<li><a href="#{escape(h.anchor)}">{escape(h.text)}</a></li>' for h in listed)
    side, folded = (f'<nav{kind} aria-label="Contents"><ol>{links}</ol></nav>' for kind in (' class="side"', ""))
    return [side], [f'<details class="contents"><summary>Contents</summary>{folded}</details>']


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
    """Blocks of a whole page, where wide tables scroll, captions stay, and what is to be copied can be."""
    for block in blocks:
        match block:
            case Table():
                yield page_table(block)
            case Folded():
                yield _folded(block.title, _page_blocks(block.blocks, show), "" if _fits_paper(block) else "aside")
            case Source():
                name = escape(LANGUAGES.get(block.how, block.how))
                start = f'<div class="source"><pre data-as="{name}" tabindex="0" role="group" aria-label="{name}">'
                yield f"{start}{escape_lines(str(block))}</pre></div>"
            case _:
                yield _block(block, show)


def _fits_paper(folded: Folded) -> bool:
    """Whether folded blocks are opened on paper: no long tables, nothing that is only to be copied."""
    long = any(isinstance(b, Table) and len(b.rows) > MOST_ON_PAPER for b in folded.blocks)
    return not long and not all(isinstance(b, Source) for b in folded.blocks)


def _block(block: Block, show: Show) -> str:
    match block:
        case Table():
            return notebook_table(block)
        case Heading():
            anchor = f' id="{escape(block.anchor)}-title"' if block.anchor else ""
            return f"<h2{anchor}>{escape(block.text)}</h2>"
        case Answer():
            return f'<p class="answer"><strong>{escape(block.text)}</strong></p>'
        case Paragraph():
            return f"<p>{''.join(map(inline, block.pieces))}</p>"
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


def _folded(title: str, blocks: Iterable[str], kind: str = "") -> str:
    start = f'<details class="{kind}">' if kind else "<details>"
    return "\n".join([start, f"<summary>{escape(title)}</summary>", *blocks, "</details>"])


def _facts(facts: Facts) -> Iterator[str]:
    for label, entries in facts.groups():
        yield f"<dt>{escape(label)}</dt>" + "".join(f"<dd>{escape(str(entry))}</dd>" for entry in entries)


def _point(point: Point) -> str:
    kind, meaning = ("fine", "fine") if point.is_fine else ("care", "worth knowing")
    return f'<li class="{kind}"><b role="img" aria-label="{meaning}">{point.mark}</b> {escape(point.text)}</li>'


def _reference(text: str, url: str) -> str:
    address = escape(url)
    link = f' <a href="{address}" rel="noreferrer">{address.removeprefix("https://")}</a>' if url else ""
    return f"<li>{escape(text)}{link}</li>"


def _picture(picture: Picture, svg: str) -> str:
    """A figure with its caption; the texts in the SVG are escaped already."""
    if not svg:
        return ""
    title = escape(picture.title)
    caption = f"<figcaption><b>{title}.</b> {escape(picture.caption)}</figcaption>"
    call = {"Python": picture.call} if picture.call else {}
    parts = [framed(svg, title), caption, *explanation(picture.explain), *sources(call)]
    return "\n".join(['<figure class="block wide">', *parts, "</figure>"])
