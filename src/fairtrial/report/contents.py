"""What a report is, as data: sections of text, facts, points, pictures and tables, in the order of reading.

For other people's eyes :func:`without_places` leaves out paths in whatever it says, and hosts in what methods said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import fairtrial
from fairtrial.figures import Picture
from fairtrial.notices import Notice
from fairtrial.results import Results
from fairtrial.results.absentees import brief_reason
from fairtrial.stats.bibliography import Reference
from fairtrial.tables import Table
from fairtrial.tables.private import hide_places

__all__ = ["Contents", "Folded", "Section", "hosts_of", "table_without_places", "without_places"]

Hide = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Folded:
    """Depth that is opened by those who want it: a table, a picture, or text to be copied."""

    title: str
    table: Table | None = None
    picture: Picture | None = None
    verbatim: str = ""
    text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A section; what it doesn't have is left out. ``facts`` are labels and what is so labelled."""

    anchor: str
    title: str
    text: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    points: tuple[Notice, ...] = ()
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()
    references: tuple[Reference, ...] = ()
    folded: tuple[Folded, ...] = ()

    @property
    def is_empty(self) -> bool:
        parts = (self.text, self.facts, self.points, self.tables, self.pictures, self.references, self.folded)
        return not any(parts)


@dataclass(frozen=True, slots=True)
class Contents:
    """A report before it is written down: the question, the answer, key figures, sections.

    ``absence`` names methods that did not run, and stands before the answer.
    """

    question: str
    answer: str
    more: tuple[str, ...]
    key_figures: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    version: str = fairtrial.__version__
    absence: str = ""


def hosts_of(results: Results) -> tuple[str, ...]:
    """The machines that ran the study."""
    return tuple(dict.fromkeys(str(s.get("host", "")) for s in results.provenance.get("sessions") or ()))


def without_places(contents: Contents, results: Results) -> Contents:
    """The same contents; what methods, data and users wrote in them has no paths any more.

    Hosts are left out of the reasons of failures only: a data set may be called as a machine is.
    """
    hide = _hiding(results)
    return replace(
        contents,
        question=hide(contents.question),
        answer=hide(contents.answer),
        more=tuple(map(hide, contents.more)),
        absence=hide(contents.absence),
        sections=tuple(_section_without_places(section, hide) for section in contents.sections),
    )


def table_without_places(table: Table, results: Results) -> Table:
    """The same table without them."""
    return _table_without_places(table, _hiding(results))


def _hiding(results: Results) -> Hide:
    """What hides places in a text, which may quote why methods did not run."""
    errors = results.failures["error"].unique() if "error" in results.failures else ()
    quoted = {reason: hide_places(reason, hosts_of(results)) for reason in map(brief_reason, errors)}
    changed = {reason: hidden for reason, hidden in quoted.items() if reason != hidden}

    def hide(text: str) -> str:
        for reason, hidden in changed.items():
            text = text.replace(reason, hidden)
        return hide_places(text)

    return hide


def _section_without_places(section: Section, hide: Hide) -> Section:
    return replace(
        section,
        text=tuple(map(hide, section.text)),
        facts=tuple((label, hide(text)) for label, text in section.facts),
        points=tuple(point.map_text(hide) for point in section.points),
        tables=tuple(map(partial(_table_without_places, hide=hide), section.tables)),
        pictures=tuple(map(partial(_picture_without_places, hide=hide), section.pictures)),
        folded=tuple(map(partial(_folded_without_places, hide=hide), section.folded)),
    )


def _folded_without_places(folded: Folded, hide: Hide) -> Folded:
    table = None if folded.table is None else _table_without_places(folded.table, hide)
    picture = None if folded.picture is None else _picture_without_places(folded.picture, hide)
    return replace(folded, table=table, picture=picture, text=tuple(map(hide, folded.text)))


def _table_without_places(table: Table, hide: Hide) -> Table:
    rows = tuple(tuple(hide(c) if isinstance(c, str) else c for c in row) for row in table.rows)
    return replace(table, rows=rows, caption=hide(table.caption), notes=tuple(map(hide, table.notes)))


def _picture_without_places(picture: Picture, hide: Hide) -> Picture:
    return picture._replace(title=hide(picture.title), caption=hide(picture.caption))
