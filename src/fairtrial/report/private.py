"""A report for other people's eyes: paths in whatever it says are left out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.tables import Table
from fairtrial.tables.private import hide_places

if TYPE_CHECKING:
    from fairtrial.figures import Picture
    from fairtrial.report.contents import Contents, Folded, Section

__all__ = ["without_places"]


def without_places(contents: Contents) -> Contents:
    """The same contents; what methods, data and users wrote in them has no paths any more."""
    return replace(
        contents,
        question=hide_places(contents.question),
        answer=hide_places(contents.answer),
        more=_texts(contents.more),
        absence=hide_places(contents.absence),
        sections=tuple(map(_section, contents.sections)),
    )


def _section(section: Section) -> Section:
    return replace(
        section,
        text=_texts(section.text),
        facts=tuple((label, hide_places(text)) for label, text in section.facts),
        points=tuple(replace(point, text=hide_places(point.text)) for point in section.points),
        tables=tuple(map(_table, section.tables)),
        pictures=tuple(map(_picture, section.pictures)),
        folded=tuple(map(_folded, section.folded)),
    )


def _folded(folded: Folded) -> Folded:
    table = None if folded.table is None else _table(folded.table)
    picture = None if folded.picture is None else _picture(folded.picture)
    return replace(folded, table=table, picture=picture, text=_texts(folded.text))


def _table(table: Table) -> Table:
    rows = tuple(tuple(hide_places(c) if isinstance(c, str) else c for c in row) for row in table.rows)
    return replace(table, rows=rows, caption=hide_places(table.caption), notes=_texts(table.notes))


def _picture(picture: Picture) -> Picture:
    return picture._replace(title=hide_places(picture.title), caption=hide_places(picture.caption))


def _texts(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(hide_places, texts))
