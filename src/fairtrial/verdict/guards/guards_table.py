"""The table of all guards, from the data to the verdict."""

from __future__ import annotations

from fairtrial.notices import all_guards
from fairtrial.tables import Column, Table


def guards_table() -> Table:
    """All guards, for ``fairtrial list guards``: this room can import all that have some.

    >>> guards_table().cells()[0][:2]
    ['revealing_feature', 'data']
    """
    import fairtrial.engine.run  # noqa: F401 - registers its guards

    titles = ("guard", "stage", "looks for", "room")
    rows = tuple((g.name, g.stage, g.looks_for.rstrip("."), g.room) for g in all_guards())
    return Table(tuple(Column(t, align="left") for t in titles), rows, caption="guards, in the order of a study")
