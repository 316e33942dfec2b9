"""The table of scores: data sets × methods, each cell a mean with its uncertainty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.choices import SUMMARIES, Spread, Strongest, TimeStyle
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure
from fairtrial.result_tables.averages import average_of, groups_of, named_once, starts_of_groups
from fairtrial.result_tables.named_tables import table_of
from fairtrial.result_tables.score_cells import ScoreCells
from fairtrial.result_tables.score_grid import CellOptions, ScoreGrid, direction_of, score_grid
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.words.wording import Wording

if TYPE_CHECKING:
    from fairtrial.results import Results

Cells = Sequence[object]


@table_of("scores")
def scores(
    results: Results, *, measure: str | None = None, methods: Sequence[str] | None = None,
    control: str | None = None, level: float | None = None, adjust: str | None = None, test: str | None = None,
    spread: Spread | None = None, strong: Strongest | None = None, marks: Mapping[str, Sequence[str]] | None = None,
    transpose: bool | None = None, beside: str | None = None, summary: Sequence[str] | None = None,
    percent: bool | None = None, decimals: int | None = None,
    times: TimeStyle | None = None,
) -> Table:  # fmt: skip
    """Scores of each method on each data set: the mean over splits ± its uncertainty, with bold numbers and signs.

    ``marks={"•": ["new:old"]}`` puts a sign behind a method where it is significantly better than another; ``control``
    has WEKA's signs and its row of counts. ``transpose`` has methods in rows. ``summary`` adds the average over data
    sets (nothing is tested on it) and the best of the methods. Data sets with names like ``city/mode`` stand in groups.
    """
    options = CellOptions(
        methods=methods, control=control, level=level, adjust=adjust, test=test, spread=spread, strong=strong,
        marks=marks, beside=beside, percent=percent, decimals=decimals, times=times,
    )  # fmt: skip
    for name, given, known in (("summary", summary or (), SUMMARIES),):
        for one in given:
            if one not in known:
                raise UnknownName.among(name, one, known)
    grid = score_grid(results, measure, options)
    if percent and grid.scale == 1 and grid.cells.measure.unit != "%":
        raise InputError(f"percent is for shares, but {grid.cells.measure.name} is none; leave it out")
    extras = _Extras.of(results, grid, summary or ())
    table = _by_method(grid, extras) if transpose else _by_dataset(results, grid, extras)
    return _told(table, grid, extras)


@dataclass(frozen=True, eq=False)
class _Extras:
    """What stands below or beside the scores: lines with a cell for each method, or for each data set."""

    per_method: tuple[tuple[str, Cells], ...] = ()
    per_dataset: tuple[tuple[str, Cells], ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, results: Results, grid: ScoreGrid, summary: Sequence[str]) -> _Extras:
        per_method: list[tuple[str, Cells]] = []
        per_dataset: list[tuple[str, Cells]] = []
        notes: list[str] = []
        if "average" in summary:
            average = average_of(results, grid.cells)
            per_method.append(("average", [average.marked(m, grid.bare(v)) for m, v in enumerate(average.means)]))
            notes += [f"average: {text}" for text in average.in_words(grid.cells)]
        if any(grid.records):
            records = ["" if r is None else f"({r[0]}/{r[1]}/{r[2]})" for r in grid.records]
            per_method.append(("(v/ /*)", records))
        if "best" in summary and grid.cells.measure.directed:
            name = "max" if grid.cells.measure.higher_is_better else "min"
            per_dataset.append((name, [grid.bare(v, i) for i, v in enumerate(_best(grid.cells))]))
        return cls(tuple(per_method), tuple(per_dataset), tuple(notes))


def _best(cells: ScoreCells) -> list[float]:
    """The best mean of the compared methods on each data set."""
    means = np.where(cells.compared, cells.means, np.nan)
    extreme = np.fmax.reduce if cells.measure.higher_is_better else np.fmin.reduce
    return [float(v) for v in extreme(means, axis=1, initial=np.nan)]


def _by_dataset(results: Results, grid: ScoreGrid, extras: _Extras) -> Table:
    """Data sets in rows, methods in columns."""
    cells, signs = grid.cells, results.published
    groups = groups_of(cells.datasets)
    order = _in_groups(groups, len(cells.datasets))
    head = [*([] if groups is None else [Column("", align="left", key="group")]), Column("data set", align="left")]
    columns = [c for m in cells.methods for c in _columns_of(m, signs.title, cells.measure, grid.write)]
    more = [Column(label, grid.write) for label, _ in extras.per_dataset]
    body: list[tuple[object, ...]] = []
    for i in order:
        before = [signs.sign(cells.datasets[i], m, cells.measure.name) for m in cells.methods]
        name = cells.datasets[i] if groups is None else groups[i][1]
        shown = _with_signs(before, grid.rows[i], signs.title)
        body.append((name, *shown, *(line[i] for _, line in extras.per_dataset)))
    if groups is not None:
        first = named_once([groups[i][0] for i in order])
        body = [(group, *row) for group, row in zip(first, body, strict=True)]
    foot = [
        (label, *("",) * (len(head) - 1), *_with_signs([""] * len(line), line, signs.title), *("" for _ in more))
        for label, line in extras.per_method
    ]
    starts = () if groups is None else starts_of_groups([groups[i][0] for i in order])
    rules = (*starts, *((len(body),) if foot else ()))
    return Table((*head, *columns, *more), (*body, *foot), rule_before=rules)


def _with_signs(signs: Sequence[str], cells: Cells, title: str) -> Cells:
    """The cells of a row, each with its published sign before it, where these have a column of their own."""
    return [part for pair in zip(signs, cells, strict=True) for part in pair] if title else cells


def _columns_of(method: str, signs: str, measure: Measure, write: formats.Formatter) -> Iterator[Column]:
    """The column of a method or, where published signs have a title, one for these and one for the scores."""
    if not signs:
        yield Column(method, write)
        return
    yield Column(signs, key=f"{method} {signs}", group=method)
    yield Column(Wording(measure).name, write, key=method, group=method)


def _by_method(grid: ScoreGrid, extras: _Extras) -> Table:
    """Methods in rows, data sets in columns; the first part of names like ``city/mode`` stands above the columns."""
    cells = grid.cells
    groups = groups_of(cells.datasets)
    order = _in_groups(groups, len(cells.datasets))
    columns = [
        Column(d, grid.write) if groups is None else Column(groups[i][1], grid.write, key=d, group=groups[i][0])
        for i, d in ((i, cells.datasets[i]) for i in order)
    ]
    more = [Column(label, grid.write) for label, _ in extras.per_method]
    body = [
        (m, *(grid.rows[i][j] for i in order), *(line[j] for _, line in extras.per_method))
        for j, m in enumerate(cells.methods)
    ]
    foot = [(label, *(line[i] for i in order), *("" for _ in more)) for label, line in extras.per_dataset]
    rule = (len(body),) if foot else ()
    return Table((Column("method", align="left"), *columns, *more), (*body, *foot), rule_before=rule)


def _in_groups(groups: Sequence[tuple[str, str]] | None, n: int) -> list[int]:
    """The numbers of the data sets, those of a group together."""
    if groups is None:
        return list(range(n))
    first = list(dict.fromkeys(group for group, _ in groups))
    return sorted(range(n), key=lambda i: first.index(groups[i][0]))


def _told(table: Table, grid: ScoreGrid, extras: _Extras) -> Table:
    """The table with its caption, its notes, and how to read it."""
    direction = direction_of(grid.cells.measure)
    rows = table.columns[0].key != "method"
    first = f"Each {'row' if rows else 'column'} is a data set, each {'column' if rows else 'row'} a method."
    best = f" {direction.capitalize()}." if direction else ""
    alone = "it belongs to one mean, and does not decide whether two methods differ"
    spread = f" The number behind ± is {grid.spread}; {alone}." if grid.spread else ""
    explain = " ".join((f"{first}{best}{spread}", *grid.explain))
    notes = (*grid.notes, *extras.notes)
    return Table(table.columns, table.rows, grid.caption, notes, table.rule_before, explain)
