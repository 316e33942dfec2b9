"""The lab's results with a row for each world and a column for each claim, as documentation shows them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from fairtrial.lab.experiment import Row
from fairtrial.tables import Column, Table, formats


def wide_tables(rows: Iterable[Row]) -> list[Table]:
    """A table for each group of worlds in which the same claims are counted.

    A limit stands in the title of its column, or in the cells where the worlds have different limits.
    """
    worlds: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        worlds.setdefault((row.grid, row.world), []).append(row)
    groups: dict[tuple[str, ...], list[list[Row]]] = {}
    for (grid, _), own in worlds.items():
        own.sort(key=lambda r: r.limit.kind == "shown")  # claims with a limit come first; the order is kept otherwise
        groups.setdefault((grid, *(r.claim for r in own)), []).append(own)
    return [_table(grid, found) for (grid, *_), found in groups.items()]


def _table(grid: str, worlds: Sequence[Sequence[Row]]) -> Table:
    shared = [len({str(r.limit) for r in column}) == 1 for column in zip(*worlds, strict=True)]
    titles = [_with_limit(r.claim, r) if same else r.claim for r, same in zip(worlds[0], shared, strict=True)]
    columns = (Column("world", align="left"), *(Column(title) for title in titles), Column("runs"))
    cells = tuple((own[0].world, *map(_cell, own, shared), min(r.runs for r in own)) for own in worlds)
    return Table(columns, cells, caption=f"lab: {grid}", notes=tuple(_notes([r for own in worlds for r in own])))


def _with_limit(text: str, row: Row) -> str:
    return f"{text} ({row.limit})" if str(row.limit) else text


def _cell(row: Row, shared: bool) -> str:
    share = f"{100 * row.share:.1f} %{'' if row.holds else ' ✗'}"
    return share if shared else _with_limit(share, row)


def _notes(rows: Sequence[Row]) -> Iterator[str]:
    fewest = min(row.runs for row in rows)
    yield (
        f"share of runs; the Monte Carlo error is at most {formats.percent(max(row.error for row in rows))}, "
        f"and {formats.percent(math.sqrt(0.0475 / fewest))} where the share is 5 %"
    )
    if not all(row.holds for row in rows):
        yield "✗ the limit is not kept, allowing for two Monte Carlo errors"
