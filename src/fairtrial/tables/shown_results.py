"""What a notebook shows of a result: what ``print`` shows, with tables as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from fairtrial.shown import ShownAsText

if TYPE_CHECKING:
    from fairtrial.tables.document import Document
    from fairtrial.tables.table import Table


class Tabular(Protocol):
    """A result that has a table."""

    def to_table(self) -> Table: ...


@runtime_checkable
class _Documented(Protocol):
    def to_document(self) -> Document: ...


class Shown(ShownAsText):
    """A result that shows itself as the last expression of a cell: what it says first, then its table.

    A class that inherits from it has ``to_table()``, and ``to_document()`` if there is more to say. Unless it has a
    ``__str__`` of its own, these are also what is printed.
    """

    __slots__ = ()

    def __str__(self: Tabular) -> str:
        return (self.to_document() if isinstance(self, _Documented) else self.to_table()).to_text()

    def _repr_html_(self: Tabular) -> str:
        from fairtrial.tables.render_html import notebook_output

        return notebook_output(_document_of(self))


def _document_of(result: Tabular) -> Document:
    """The document of a result, or its table below what its text says before the table (else its first line)."""
    from fairtrial.tables.document import Answer, Document, Paragraph

    if isinstance(result, _Documented):
        return result.to_document()
    table, text = result.to_table(), str(result)
    below = table.to_text()
    lines = text.removesuffix(below).split("\n") if text.endswith(below) else text.split("\n")[:1]
    first, *others = [line.strip() for line in lines if line.strip()] or [""]
    return Document((*([Answer(first)] if first else []), *map(Paragraph, others), table))
