"""Text for the terminal."""

from __future__ import annotations

import itertools
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

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
from fairtrial.tables.number_cells import PLUS_MINUS, NumberCell, number_cell
from fairtrial.tables.table import Across, Strong, Table
from fairtrial.words import visible, visible_lines

WIDTH = 118
"""Facts and points are broken into lines of this many characters, or of fewer on a narrower terminal."""

NARROWEST_TERMINAL = 60
INDENT = 10
"""The column in which the texts of facts begin."""

STAR = "★"
"""The sign before what is bold in formats that have bold, where a note that begins with ``BOLD`` says why."""

BOLD = "bold: "

NARROWEST = 16
"""A column of words is never made narrower than this, however narrow the terminal is."""

OUT, DOUBT = "out", "Beware"
BOLD_ON, DIM, YELLOW, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[0m"
KEPT = "\x00"
"""A space at which no line is broken, while lines are made; no text has it, since it would be made visible."""

SENTENCES = (Paragraph, Answer)


def render(
    document: Document,
    show: Show = leave_out,  # noqa: ARG001 - no pictures
    within: int | None = None,
    *,
    color: bool = False,
) -> str:
    """Write a document without its pictures; tables are narrowed to fit ``within`` characters where they can be.

    With ``color`` there are codes of a terminal for what is bold, dim or yellow.
    """
    document = document.with_short_names()
    blocks = [Heading(document.title)] if document.title else []
    return _joined([*blocks, *document.blocks], within, color)


def _joined(blocks: Iterable[Block], within: int | None, color: bool = False) -> str:
    """Blocks with blank lines between them; sentences follow each other line by line."""
    shown = [(block, _colored(block, text) if color else text) for block in blocks if (text := _block(block, within))]
    out = "".join(
        text + ("\n" if _belong_together(block, after, is_first=i == 0) else "\n\n")
        for i, ((block, text), (after, _)) in enumerate(itertools.pairwise(shown))
    )
    return out + shown[-1][1] if shown else ""


def _colored(block: Block, text: str) -> str:
    """The text of a block with colours: the answer bold, rows that are out dim, doubts yellow."""
    lines = text.split("\n")
    if isinstance(block, Answer):
        return "\n".join(f"{BOLD_ON}{line}{PLAIN}" for line in lines)
    if isinstance(block, Table):
        return "\n".join(f"{DIM}{line}{PLAIN}" if line.endswith(f"  {OUT}") else line for line in lines)
    if isinstance(block, Facts):
        label = ""
        for i, line in enumerate(lines):
            label = line[:INDENT].strip() or label
            lines[i] = f"{line[:INDENT]}{YELLOW}{line[INDENT:]}{PLAIN}" if label == DOUBT else line
    return "\n".join(lines)


def _belong_together(block: Block, after: Block, *, is_first: bool) -> bool:
    """Whether two blocks have no blank line between them: two sentences, or the first table of all and its facts."""
    if isinstance(block, SENTENCES):
        return isinstance(after, SENTENCES)
    return is_first and isinstance(block, Table) and isinstance(after, Facts)


def _block(block: Block, within: int | None) -> str:
    match block:
        case Table():
            return _table(block, within)
        case Heading():
            return visible(block.text)
        case Answer():
            return "\n".join(_wrapped(block.text, _line_width()))
        case Paragraph():
            return "\n".join(_wrapped("".join(block.pieces), _line_width()))
        case Numbers():
            return " · ".join(f"{visible(number)} {visible(counted)}" for number, counted in block.entries)
        case Facts():
            return "\n".join(_facts(block))
        case Points():
            return "\n".join(line for point in block.entries for line in _wrapped(point, _line_width()))
        case References():
            return "\n".join(f"{n}. {visible(text)} {url}" for n, (text, url) in enumerate(block.entries, 1))
        case Folded() if inside := _joined(block.on_paper(), within):
            return f"{visible(block.title)}\n\n{inside}"
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
    text = visible(str(entry)).replace(" %", f"{KEPT}%")
    lines = textwrap.wrap(text, size, break_long_words=False, break_on_hyphens=False)
    return [(line if i == 0 else later + line).replace(KEPT, " ") for i, line in enumerate(lines)]


def _table(table: Table, within: int | None) -> str:
    heads = [visible(c.title) for c in table.columns]
    body = _aligned_cells(table)
    aligns = [c.align for c in table.columns]
    across = [i for i, row in enumerate(table.rows) if row and isinstance(row[-1], Across)]
    sizes = [max(map(width, column)) for column in zip(heads, *_without_across(body, across), strict=True)]
    sizes = sizes if within is None else _narrowed(sizes, aligns, within)
    lines = [visible_lines(table.caption)] if table.caption else []

    def line(cells: list[str]) -> str:
        parts = [[c] if width(c) <= s else textwrap.wrap(c, s) for c, s in zip(cells, sizes, strict=True)]
        rows = itertools.zip_longest(*parts, fillvalue="")
        padded = ((_pad(c, s, a) for c, s, a in zip(row, sizes, aligns, strict=True)) for row in rows)
        return "\n".join("  ".join(cells).rstrip() for cells in padded)

    if heads:
        lines += _group_line(table, sizes)
        lines.append(line(heads))
    for i, row in enumerate(body):
        if i in table.rule_before:
            lines.append("─" * (sum(sizes) + 2 * (len(sizes) - 1)))
        lines.append(_over_empty_cells(row, sizes, aligns) if i in across else line(row))
    lines.extend(map(visible_lines, _notes(table)))
    return "\n".join(lines)


def _without_across(body: Sequence[list[str]], across: Sequence[int]) -> list[list[str]]:
    """The cells without those texts that reach over others, and so need no width of their own."""
    return [[*row[:-1], ""] if i in across else row for i, row in enumerate(body)]


def _over_empty_cells(row: list[str], sizes: Sequence[int], aligns: Sequence[str]) -> str:
    """A row whose last text reaches over the empty cells before it, as far to the right as these."""
    first = next(j for j in range(len(row) - 1, -1, -1) if j == 0 or row[j - 1])
    before = "  ".join(_pad(c, s, a) for c, s, a in zip(row[:first], sizes, aligns, strict=False))
    room = sum(sizes[first:-1]) + 2 * (len(sizes) - first - 2)
    return f"{before}  {_pad(row[-1], max(room, width(row[-1])), 'right')}".rstrip()


def _has_stars(table: Table) -> bool:
    """Whether a note says what bold means: then text has stars; elsewhere bold is for the eye only."""
    return any(note.startswith(BOLD) for note in table.notes)


def _notes(table: Table) -> Iterator[str]:
    """The notes; what they say of bold is said of stars."""
    return (note.replace(BOLD, f"{STAR} ", 1) if note.startswith(BOLD) else note for note in table.notes)


def _aligned_cells(table: Table) -> list[list[str]]:
    """The cells; where a column has uncertainties or marks, its decimal points are one below the other."""
    columns = list(zip(*table.cells(), strict=True))
    aligned = [_aligned([row[j] for row in table.rows], list(map(visible, texts))) for j, texts in enumerate(columns)]
    if _has_stars(table):
        aligned = [[_starred(*both) for both in zip(*pair, strict=True)] for pair in zip(columns, aligned, strict=True)]
    return [list(row) for row in zip(*aligned, strict=True)] if aligned else [[] for _ in table.rows]


def _starred(text: str, shown: str) -> str:
    """What is shown for a text, with a star before it if the text is bold."""
    space = len(shown) - len(shown.lstrip())
    return f"{shown[:space]}{STAR} {shown[space:]}" if isinstance(text, Strong) else shown


def _aligned(values: Sequence[object], texts: list[str]) -> list[str]:
    cells = [number_cell(value, text) for value, text in zip(values, texts, strict=True)]
    if not any(cell and (cell.between == PLUS_MINUS or cell.tail) for cell in cells):
        return texts
    parts = [None if cell is None else _parts(cell) for cell in cells]
    sizes = [max(map(width, part)) for part in zip(*filter(None, parts), strict=True)]
    return [
        text if part is None else "".join(_pad(p, s, a) for p, s, a in zip(part, sizes, PART_ALIGNS, strict=True))
        for text, part in zip(texts, parts, strict=True)
    ]


PART_ALIGNS = ("right", "left", "left", "right", "left", "left")


def _parts(cell: NumberCell) -> tuple[str, ...]:
    """What is padded by itself: both sides of the decimal points, the sign between numbers, and the tail."""
    first, *rest = cell.numbers
    second = (rest[0].before, rest[0].after) if rest else ("", "")
    return (cell.lead + first.before, first.after, cell.between, *second, cell.tail)


def _group_line(table: Table, sizes: Sequence[int]) -> list[str]:
    """The names of groups above the titles of their columns; no line without groups."""
    if not any(c.group for c in table.columns):
        return []
    found = []
    for group, members in itertools.groupby(zip(table.columns, sizes, strict=True), lambda one: one[0].group):
        within = [size for _, size in members]
        found.append(_over(visible(group), sum(within) + 2 * (len(within) - 1)))
    return ["  ".join(found).rstrip()]


def _over(name: str, size: int) -> str:
    """A name in the middle of a line of dashes as long as its columns; a longer name is cut."""
    while width(name) > size:
        name = name[:-1] if len(name) < 2 else f"{name[:-2]}…"
    if not name:
        return " " * size
    left, rest = divmod(max(size - width(name) - 2, 0), 2)
    return _pad(f"{'─' * left} {name} {'─' * (left + rest)}" if left else name, size, "left")


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
