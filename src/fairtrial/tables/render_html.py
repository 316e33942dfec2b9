"""HTML: parts of a page for notebooks, and whole pages that need nothing else: no network, no other file.

The script of a page is one fixed text, and the page allows no other (its hash stands in the page's policy), so that
nothing that came from data can run.
"""

from __future__ import annotations

import base64
import hashlib
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
from fairtrial.tables.html_tables import (
    escape,
    escape_lines,
    explanation,
    framed,
    inline,
    notebook_table,
    page_table,
    sources,
)
from fairtrial.tables.table import Table

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
