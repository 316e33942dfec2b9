"""The lab's results with a row for each world and a column for each claim, as documentation shows them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from fairtrial.lab.experiment import Row
from fairtrial.tables import Column, Table

__all__ = ["wide_tables"]


def wide_tables(rows: Iterable[Row]) -> list[Table]:
    """A table for each group of worlds in which the same claims are counted."""
    worlds: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        worlds.setdefault((row.grid, row.world), []).append(row)
    groups: dict[tuple[str, ...], list[list[Row]]] = {}
    for (grid, _), own in worlds.items():
        own.sort(key=lambda r: r.limit.kind == "shown")  # claims with a limit come first; the order is kept otherwise
        groups.setdefault((grid, *(_title(r) for r in own)), []).append(own)
    return [_table(grid, titles, found) for (grid, *titles), found in groups.items()]


def _title(row: Row) -> str:
    return f"{row.claim} ({row.limit})" if str(row.limit) else row.claim


def _table(grid: str, titles: Sequence[str], worlds: Sequence[Sequence[Row]]) -> Table:
    columns = (Column("world", align="left"), *(Column(title) for title in titles), Column("runs"))
    cells = tuple((own[0].world, *(_cell(r) for r in own), min(r.runs for r in own)) for own in worlds)
    return Table(columns, cells, caption=f"lab: {grid}", notes=tuple(_notes([r for own in worlds for r in own])))


def _cell(row: Row) -> str:
    return f"{100 * row.share:.1f} %{'' if row.holds else ' ✗'}"


def _notes(rows: Sequence[Row]) -> Iterator[str]:
    fewest = min(row.runs for row in rows)
    yield (
        f"share of runs; the Monte Carlo error is at most {100 * max(row.error for row in rows):.1f} %, "
        f"and {100 * math.sqrt(0.0475 / fewest):.1f} % where the share is 5 %"
    )
    if not all(row.holds for row in rows):
        yield "✗ the limit is not kept, allowing for two Monte Carlo errors"
