"""A document as data: what a result has to say, in the order of reading, for every output format.

Results make a document (``to_document()``), and each format has one renderer for all of them. Text is plain; the only
emphasis is :class:`Strong`. Blocks stand one after the other, and only :class:`Folded` holds blocks of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from fairtrial.errors import InputError
from fairtrial.shown import ShownAsText
from fairtrial.tables.number_cells import ShortNames
from fairtrial.tables.output_formats import format_called
from fairtrial.tables.table import Strong, Table

ChangeText = Callable[[str], str]


class Drawing(Protocol):
    """A figure that can save itself, as matplotlib's can."""

    def savefig(self, fname: Any, **options: Any) -> None: ...


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a section, which ends at the next heading; links to it use its ``anchor``."""

    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: text, or several pieces of text of which some are :class:`Strong`."""

    text: str | tuple[str, ...]

    @property
    def pieces(self) -> tuple[str, ...]:
        """The text in pieces, each of which is strong or plain."""
        return (self.text,) if isinstance(self.text, str) else self.text


@dataclass(frozen=True, slots=True)
class Answer:
    """The sentence for which people open the document."""

    text: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """Key figures: a number, as it is written, and what it counts."""

    entries: tuple[tuple[str, str], ...]

    def __len__(self) -> int:
        return len(self.entries)


@dataclass(frozen=True, slots=True)
class Point(ShownAsText):
    """Something that was checked: fine, or worth knowing."""

    is_fine: bool
    text: str

    @property
    def mark(self) -> str:
        """The sign before the text."""
        return "✓" if self.is_fine else "!"

    def __str__(self) -> str:
        return f"{self.mark} {self.text}"


@dataclass(frozen=True, slots=True)
class Facts:
    """Texts or points with labels; neighbours may share a label."""

    entries: tuple[tuple[str, str | Point], ...]

    def __len__(self) -> int:
        return len(self.entries)

    def groups(self) -> list[tuple[str, list[str | Point]]]:
        """The entries grouped with their neighbours of the same label."""
        found: list[tuple[str, list[str | Point]]] = []
        for label, entry in self.entries:
            if found and found[-1][0] == label:
                found[-1][1].append(entry)
            else:
                found.append((label, [entry]))
        return found


@dataclass(frozen=True, slots=True)
class Points:
    """A list of things that were checked."""

    entries: tuple[Point, ...]

    def __len__(self) -> int:
        return len(self.entries)


@dataclass(frozen=True, slots=True)
class References:
    """A list of cited works: the text of each, and its address."""

    entries: tuple[tuple[str, str], ...]

    def __len__(self) -> int:
        return len(self.entries)


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure with its title, and a caption for a paper.

    ``alt`` says what the figure shows to people who can't see it, ``explain`` how to read it, and ``call`` is the line
    of Python that makes it.
    """

    title: str
    caption: str
    figure: Drawing
    alt: str = ""
    explain: str = ""
    call: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A table as it is written in a format, or a text that is written in it already, to be copied."""

    content: Table | str
    how: str

    def __str__(self) -> str:
        return self.content if isinstance(self.content, str) else self.content.render(self.how)


Unfolded = Heading | Paragraph | Answer | Numbers | Facts | Points | References | Table | Picture | Source


@dataclass(frozen=True, slots=True)
class Folded:
    """Details that a reader opens on request.

    Formats in which nothing can be opened show them under their title, without pictures and copies of tables.
    """

    title: str
    blocks: tuple[Unfolded, ...]

    def on_paper(self) -> tuple[Unfolded, ...]:
        """The blocks that are shown where nothing can be opened."""
        return tuple(block for block in self.blocks if not isinstance(block, Picture) and not _is_copy(block))


def _is_copy(block: Unfolded) -> bool:
    """Whether a block is a table in the words of another format."""
    return isinstance(block, Source) and isinstance(block.content, Table)


Block = Unfolded | Folded
Show = Callable[[Picture], str]
"""A function that gives what stands for a picture: the name of its file, or SVG; empty to leave the picture out."""


def leave_out(picture: Picture) -> str:  # noqa: ARG001 - it is a Show
    """Leave a picture out."""
    return ""


@dataclass(frozen=True, slots=True)
class Document(ShownAsText):
    """Blocks in the order of reading. A document with a title is a whole page or file, one without a part of another.

    >>> table = Table.from_records([{"method": "forest", "accuracy": 0.904}])
    >>> document = Document((Answer("forest is best."), table, Facts((("Test", "none"),))))
    >>> print(document)
    forest is best.
    <BLANKLINE>
    method  accuracy
    forest    0.9040
    <BLANKLINE>
    Test      none
    """

    blocks: tuple[Block, ...]
    title: str = ""

    def map_text(self, change: ChangeText, names: ChangeText | None = None) -> Document:
        """Apply a function to all texts of the document, but not to anchors, addresses and the insides of figures.

        ``names`` is applied to titles and cells of tables instead; then what is to be copied stays as it is.
        """
        return Document(tuple(_changed(block, change, names) for block in self.blocks), change(self.title))

    def with_short_names(self) -> Document:
        """The document as people can read it, whatever its names are: those that are cut stay different."""
        short = ShortNames()
        return self.map_text(short.in_sentence, short)

    def render(self, how: str, show: Show = leave_out) -> str:
        """Write the document in one of the output formats; ``show`` gives its pictures."""
        form = format_called(how)
        if form.shows == "data":
            raise InputError(f"a document can't be written as {how!r}, which is for data; render the result itself")
        return form.render(self, show)

    def to_text(self, within: int | None = None, *, color: bool = False) -> str:
        """Write the document for the terminal; columns of words are broken into lines to fit ``within`` characters.

        With ``color`` the answer is bold, what is out dim, and doubts are yellow.
        """
        return format_called("text").render(self, within=within, color=color)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from fairtrial.tables.render_html import notebook_output

        return notebook_output(self)


def _changed(block: Any, change: ChangeText, names: ChangeText | None = None) -> Any:
    """A block with all its texts changed; see :meth:`Document.map_text`."""
    match block:
        case Heading() | Answer():
            return replace(block, text=change(block.text))
        case Paragraph():
            pieces = (Strong(change(p)) if isinstance(p, Strong) else change(p) for p in block.pieces)
            return Paragraph(tuple(pieces))
        case Facts():
            return Facts(tuple((change(label), _changed_entry(entry, change)) for label, entry in block.entries))
        case Points():
            return Points(tuple(_changed_entry(point, change) for point in block.entries))
        case Numbers():
            return Numbers(tuple((change(number), change(counted)) for number, counted in block.entries))
        case References():
            return References(tuple((change(text), url) for text, url in block.entries))
        case Picture():
            call = change(block.call) if names is None else block.call
            texts = (change(block.alt), change(block.explain), call)
            return Picture(change(block.title), change(block.caption), block.figure, *texts)
        case Table():
            return block.map_text(change, names)
        case Source() if names is not None:
            return block
        case Source():
            content = block.content
            return replace(block, content=change(content) if isinstance(content, str) else content.map_text(change))
        case _:
            return Folded(change(block.title), tuple(_changed(inner, change, names) for inner in block.blocks))


def _changed_entry(entry: Any, change: ChangeText) -> Any:
    return replace(entry, text=change(entry.text)) if isinstance(entry, Point) else change(entry)


class Result(Protocol):
    """A result that can be shown in every output format."""

    def to_document(self) -> Document: ...

    def to_table(self) -> Table: ...

    def to_dict(self) -> dict[str, Any]: ...


def render_result(result: Result, how: str) -> str:
    """Write a result in one of the :data:`~fairtrial.tables.output_formats.FORMATS`."""
    form = format_called(how)
    if form.shows == "data":
        return form.render(result.to_dict())
    return form.render(Document((result.to_table(),)) if form.shows == "table" else result.to_document())
