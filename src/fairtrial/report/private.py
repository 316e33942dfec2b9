"""A report for other people's eyes: paths in whatever it says are left out, and hosts in what methods said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fairtrial.results.absentees import brief_reason
from fairtrial.tables import Table
from fairtrial.tables.private import hide_places

if TYPE_CHECKING:
    from fairtrial.figures import Picture
    from fairtrial.report.contents import Contents, Folded, Section
    from fairtrial.results import Results

__all__ = ["hosts_of", "table_without_places", "without_places"]

Hide = Callable[[str], str]


def hosts_of(results: Results) -> tuple[str, ...]:
    """The machines that ran the study."""
    return tuple(dict.fromkeys(str(s.get("host", "")) for s in results.provenance.get("sessions") or ()))


def without_places(contents: Contents, results: Results) -> Contents:
    """The same contents; what methods, data and users wrote in them has no paths any more.

    Hosts are left out of the reasons of failures only: a data set may be called as a machine is.
    """
    hide = _hider(results)
    return replace(
        contents,
        question=hide(contents.question),
        answer=hide(contents.answer),
        more=tuple(map(hide, contents.more)),
        absence=hide(contents.absence),
        sections=tuple(_section(section, hide) for section in contents.sections),
    )


def table_without_places(table: Table, results: Results) -> Table:
    """The same table without them."""
    return _table(table, _hider(results))


def _hider(results: Results) -> Hide:
    """What hides places in a text, which may quote why methods did not run."""
    errors = results.failures["error"].unique() if "error" in results.failures else ()
    quoted = {reason: hide_places(reason, hosts_of(results)) for reason in map(brief_reason, errors)}
    changed = {reason: hidden for reason, hidden in quoted.items() if reason != hidden}

    def hide(text: str) -> str:
        for reason, hidden in changed.items():
            text = text.replace(reason, hidden)
        return hide_places(text)

    return hide


def _section(section: Section, hide: Hide) -> Section:
    return replace(
        section,
        text=tuple(map(hide, section.text)),
        facts=tuple((label, hide(text)) for label, text in section.facts),
        points=tuple(replace(point, text=hide(point.text)) for point in section.points),
        tables=tuple(map(partial(_table, hide=hide), section.tables)),
        pictures=tuple(map(partial(_picture, hide=hide), section.pictures)),
        folded=tuple(map(partial(_folded, hide=hide), section.folded)),
    )


def _folded(folded: Folded, hide: Hide) -> Folded:
    table = None if folded.table is None else _table(folded.table, hide)
    picture = None if folded.picture is None else _picture(folded.picture, hide)
    return replace(folded, table=table, picture=picture, text=tuple(map(hide, folded.text)))


def _table(table: Table, hide: Hide) -> Table:
    rows = tuple(tuple(hide(c) if isinstance(c, str) else c for c in row) for row in table.rows)
    return replace(table, rows=rows, caption=hide(table.caption), notes=tuple(map(hide, table.notes)))


def _picture(picture: Picture, hide: Hide) -> Picture:
    return picture._replace(title=hide(picture.title), caption=hide(picture.caption))
