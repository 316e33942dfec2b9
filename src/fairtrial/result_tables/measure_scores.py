"""Tables of several measures: of each method on one data set, on average, or on each data set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.choices import Spread, Strongest, TimeStyle
from fairtrial.errors import InputError, UnknownName
from fairtrial.result_tables.averages import Average, average_of, groups_of, named_once, starts_of_groups
from fairtrial.result_tables.named_tables import table_of
from fairtrial.result_tables.score_cells import ScoreCells, score_cells
from fairtrial.result_tables.score_grid import CellOptions, ScoreGrid, best_of, format_of, heading, score_grid
from fairtrial.results.failure_policy import MARK, is_resource
from fairtrial.tables import Column, Marked, Table, formats
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, part_of, plural

if TYPE_CHECKING:
    from fairtrial.results import Results

ARROWS = "↑ higher is better, ↓ lower is better"


@table_of("measures")
def measures(
    results: Results, *, measures: Sequence[str] | None = None, dataset: str | None = None,
    methods: Sequence[str] | None = None, level: float | None = None, adjust: str | None = None,
    test: str | None = None, spread: Spread | None = None, strong: Strongest | None = None,
    marks: Mapping[str, Sequence[str]] | None = None, percent: bool | None = None, decimals: int | None = None,
    times: TimeStyle | None = None,
) -> Table:  # fmt: skip
    """Several measures of each method: on one data set with uncertainties, or the average over data sets."""
    results = _with(results, measures)
    known = results.dataset_names()
    if dataset is not None and dataset not in known:
        raise UnknownName.among("data set of these results", dataset, known)
    options = CellOptions(
        methods=methods, level=level, adjust=adjust, test=test, spread=spread, strong=strong, marks=marks,
        percent=percent, decimals=decimals, times=times, where="by each measure",
    )  # fmt: skip
    if dataset is None and len(known) > 1:
        _refuse_cell_options(options)
        return _averages(results, options)
    return _on_one(_only(results, dataset or known[0]), options)


@table_of("measures_by_dataset")
def measures_by_dataset(
    results: Results, *, measures: Sequence[str] | None = None, methods: Sequence[str] | None = None,
    level: float | None = None, adjust: str | None = None, test: str | None = None, spread: Spread | None = None,
    strong: Strongest | None = None, marks: Mapping[str, Sequence[str]] | None = None, percent: bool | None = None,
    decimals: int | None = None, times: TimeStyle | None = None,
) -> Table:  # fmt: skip
    """Several measures of each method on each data set: methods in rows, data set by data set, measures in columns.

    Data sets with names like ``city/mode`` have the cities below each other and the modes beside each other.
    """
    results = _with(results, measures)
    grids = _grids(results, CellOptions(
        methods=methods, level=level, adjust=adjust, test=test, spread=spread, strong=strong, marks=marks,
        percent=percent, decimals=decimals, times=times, where="by each measure on each data set",
    ))  # fmt: skip
    names = results.dataset_names()
    groups = groups_of(names)
    table = _blocks(grids, names) if groups is None else _crossed(grids, dict(zip(groups, names, strict=True)))
    where = plural(len(names), "data set")
    explain = f"Each block of rows has all methods on one data set. {_READ} {_explained(grids)}"
    caption = f"{_caption(grids)} on {where}{_spread(grids)}"
    return replace(table, caption=caption, notes=(ARROWS, *_notes(grids)), explain=explain.strip())


_READ = "An arrow beside a measure points to what is better."


def _with(results: Results, names: Sequence[str] | None) -> Results:
    """The results with the measures that are shown, and no others."""
    if names is None:
        return results
    wanted = dict.fromkeys(results.measure(name).name for name in names)
    found = results.with_measures(*wanted)
    return replace(found, measures={name: found.measures[name] for name in wanted})


def _only(results: Results, dataset: str) -> Results:
    scores, failures = (frame[frame["dataset"] == dataset] for frame in (results.scores, results.failures))
    return replace(results, scores=scores, failures=failures)


def _refuse_cell_options(options: CellOptions) -> None:
    """Refuse options that an average over data sets has no use for."""
    for name in ("level", "adjust", "test", "spread", "marks"):
        if getattr(options, name) is not None:
            raise InputError(f"{name} is for measures on one data set; name it (dataset=…, --dataset), or leave it out")


def _grids(results: Results, options: CellOptions) -> list[ScoreGrid]:
    """The cells of each measure; what only some measures allow is shown where they do."""
    found, refused = [], []
    for name in results.measures:
        try:
            found.append(score_grid(results, name, options))
        except InputError as error:
            refused.append(error)
            plain = replace(options, spread=None, strong=None, marks=None)
            found.append(score_grid(results, name, plain))
    if len(refused) == len(found):
        raise refused[0]
    return found


def _on_one(results: Results, options: CellOptions) -> Table:
    """Methods in rows, measures in columns, on one data set."""
    grids = _grids(results, options)
    columns = (Column("method", align="left"), *_columns(grids))
    rows = tuple((m, *(grid.rows[0][j] for grid in grids)) for j, m in enumerate(grids[0].cells.methods))
    caption = f"{_caption(grids)} on {grids[0].cells.datasets[0]}{_spread(grids)}"
    explain = f"Each row is a method, each column a measure. {_READ} {_explained(grids)}"
    return Table(columns, rows, caption, (ARROWS, *_notes(grids)), explain=explain.strip())


def _columns(grids: Sequence[ScoreGrid], group: str = "") -> Iterator[Column]:
    for grid in grids:
        key = grid.cells.measure.name
        title = heading(grid.cells.measure, grid.scale, in_seconds=grid.in_seconds)
        yield Column(title, grid.write, key=f"{group} {key}".strip(), group=group)


def _blocks(grids: Sequence[ScoreGrid], names: Sequence[str]) -> Table:
    """A block of rows for each data set."""
    rows: list[tuple[object, ...]] = []
    for name in names:
        for j, method in enumerate(grids[0].cells.methods):
            rows.append((name, method, *(_cell(grid, name, j) for grid in grids)))
    k = len(grids[0].cells.methods)
    rows = _named_once(rows)
    columns = (Column("data set", align="left"), Column("method", align="left"), *_columns(grids))
    return Table(columns, tuple(rows), rule_before=tuple(range(k, len(rows), k)))


def _crossed(grids: Sequence[ScoreGrid], names: Mapping[tuple[str, str], str]) -> Table:
    """A block of rows for each first part of the data sets' names, a group of columns for each second part."""
    below, beside = (list(dict.fromkeys(key[part] for key in names)) for part in (0, 1))
    rows: list[tuple[object, ...]] = []
    for first in below:
        for j, method in enumerate(grids[0].cells.methods):
            cells = (_cell(grid, names.get((first, second)), j) for second in beside for grid in grids)
            rows.append((first, method, *cells))
    head = (Column("", align="left", key="group"), Column("method", align="left"))
    starts = starts_of_groups([row[0] for row in rows])
    columns = (*head, *(c for second in beside for c in _columns(grids, second)))
    return Table(columns, tuple(_named_once(rows)), rule_before=starts)


def _named_once(rows: Sequence[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """The rows, in which readers see the name of each block once."""
    return [(name, *row[1:]) for name, row in zip(named_once([str(row[0]) for row in rows]), rows, strict=True)]


def _cell(grid: ScoreGrid, dataset: str | None, j: int) -> object:
    return grid.rows[grid.cells.datasets.index(dataset)][j] if dataset in grid.cells.datasets else None


def _caption(grids: Sequence[ScoreGrid]) -> str:
    over = next((grid.over for grid in grids if grid.over), "")
    return f"{plural(len(grids), 'measure')}{over}"


def _spread(grids: Sequence[ScoreGrid]) -> str:
    """What stands behind ±, and by which measures, where not all have it."""
    found: dict[str, list[str]] = {}
    for grid in grids:
        if grid.spread:
            found.setdefault(grid.spread, []).append(Wording(grid.cells.measure).name)
    whole = len(found) == 1 and len(next(iter(found.values()))) == len(grids)
    return "".join(f"; ±{'' if whole else f' of {listed(names)}'} is {words}" for words, names in found.items())


def _notes(grids: Sequence[ScoreGrid]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(note for grid in grids for note in grid.notes))


def _explained(grids: Sequence[ScoreGrid]) -> str:
    return " ".join(dict.fromkeys(text for grid in grids for text in grid.explain))


def _averages(results: Results, options: CellOptions) -> Table:
    """The average of every measure over data sets: methods in rows; the best of the compared methods is bold."""
    found: dict[str, tuple[ScoreCells, Average]] = {}
    for name in results.measures:
        cells = score_cells(results, name, options.methods)
        average = average_of(results, cells)
        if average.used:
            found[name] = cells, average
    if not found:
        raise InputError("no measure has a score of every method on any data set; name a data set (dataset=…)")
    first = next(iter(found.values()))[0]
    shown = [m for m in range(len(first.methods)) if any(np.isfinite(a.means[m]) for _, a in found.values())]
    columns = (Column("method", align="left"), *(_average_column(cells, options) for cells, _ in found.values()))
    lines = [_average_cells(cells, average, options) for cells, average in found.values()]
    rows = tuple((first.methods[m], *(line[m] for line in lines)) for m in shown)
    sets = plural(len(results.dataset_names()), "data set")
    scaled = all(cells.measure.compare == "difference" for cells, _ in found.values())
    caption = f"mean over {sets}" if scaled else f"mean over {sets}; of times and unscaled errors the geometric mean"
    gone = [m for j, m in enumerate(first.methods) if j not in shown]
    left = [f"left out, since they did not run: {listed(gone)}"] if gone else []
    notes = (ARROWS, "bold: the best of each column; nothing is tested", *_remarks(found), *left)
    explain = f"Each row is a method, each column the average of a measure over data sets. {_READ} Nothing is tested."
    return Table(columns, rows, caption, notes, explain=explain)


def _average_column(cells: ScoreCells, options: CellOptions) -> Column:
    measure = cells.measure
    write = format_of(measure, 1.0, options.times)
    if options.decimals is not None and measure.unit != "s":
        write = formats.decimals(options.decimals)
    return Column(heading(measure), write, key=measure.name)


def _average_cells(cells: ScoreCells, average: Average, options: CellOptions) -> list[object]:
    measure, means = cells.measure, np.where(cells.compared, average.means, np.nan)
    bold = np.zeros(len(means), dtype=bool)
    if measure.directed and options.strong != "none":
        bold = best_of(means[None, :], higher=measure.higher_is_better)[0]
    line: list[object] = []
    for m, mean in enumerate(average.means.tolist()):
        cell = average.marked(m, mean)
        marked = cell if isinstance(cell, Marked) else Marked(cell)
        line.append(replace(marked, strong=True) if bold[m] else cell)
    return line


def _remarks(found: Mapping[str, tuple[ScoreCells, Average]]) -> Iterator[str]:
    """Notes on averages over fewer data sets, and on failed trials."""
    fewer: dict[tuple[int, int], list[str]] = {}
    for cells, average in found.values():
        if average.used < len(cells.datasets):
            fewer.setdefault((average.used, len(cells.datasets)), []).append(Wording(cells.measure).name)
    for (used, of), names in fewer.items():
        yield f"{listed(names)} over {part_of(used, of, 'data set')}: not every method has a value on the others"
    failed = [(cells.measure, average) for cells, average in found.values() if any(average.failed)]
    yield from dict.fromkeys(f"{MARK} {a.scored}" for m, a in failed if a.scored and not is_resource(m))
    costs = [Wording(m).name for m, _ in failed if is_resource(m)]
    if costs:
        yield f"{listed(costs)} of failed trials: the limit that cut them off, or the largest of the other methods"
