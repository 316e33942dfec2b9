"""A measure against the levels of a factor, with a line for each method: learning curves, effects of noise.

Small multiples of a measure against the levels of a factor: a panel for each level of a second factor.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.design import FACTORS, FEWEST_DATASETS, Level, are_numbers, level_text, write_levels, write_one
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.drawing.boxed_curves import Curve, CurvesData, beyond_the_box, curves_figure, draw_in_box
from fairtrial.figures.drawing.inputs import FigureData, Rows, axis_limits, far_off
from fairtrial.figures.drawing.style import (
    FONT_SIZE,
    MUTED,
    SMALL,
    fitted_figure,
    legend_above,
    legend_beside,
    paper,
    short_names,
    wrap,
    write,
)
from fairtrial.figures.result_views import View, figure_of, place_of
from fairtrial.resampling import score_unit
from fairtrial.results.absentees import Absentee, DidNotRun, refuse_named
from fairtrial.results.analyses.scaling import SIZES, sizes_of
from fairtrial.results.at_levels import choice, is_at
from fairtrial.results.failure_policy import MARK
from fairtrial.stats import Interval, within_intervals
from fairtrial.tables import Column, Marked, Table, formats
from fairtrial.verdict.estimates import estimates, evidence_by, interval_in_words, within_range
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results


BOX = (4.4, 3.2)
APART = 0.04
"""The share of the box over which methods are spread at a level, so that intervals don't cover each other."""


@dataclass(frozen=True, slots=True)
class LevelsData(FigureData):
    """All that the figure shows. Rows of the grids are levels, from left to right; columns are methods.

    ``places`` are the positions of the levels on the x axis: numbers of rows or features on a log axis, shares, or 0,
    1, 2, … for other levels. ``remarks`` say what is estimated, over what, and with which interval. ``failed`` is the
    number of failed trials in each cell; −1 if the method did not run there.
    """

    factor: str
    measure: str
    levels: tuple[str, ...]
    places: tuple[float, ...]
    methods: tuple[str, ...]
    estimates: Rows
    low: Rows
    high: Rows
    labels: tuple[str, str]
    yardsticks: tuple[str, ...] = ()
    log: tuple[bool, bool] = (False, False)
    joined: bool = True
    remarks: tuple[str, ...] = ()
    failed: tuple[tuple[int, ...], ...] = ()

    def to_table(self) -> Table:
        """The means as a table: levels in rows, methods in columns."""
        write = formats.significant(4)
        columns = (Column(self.labels[0], align="left", key=self.factor), *(Column(m, write) for m in self.methods))
        rows = tuple((name, *self._cells(i)) for i, name in enumerate(self.levels))
        return Table(columns, rows, caption=self.measure, notes=self.remarks)

    def _cells(self, i: int) -> Iterator[object]:
        failed = self.failed[i] if self.failed else (0,) * len(self.methods)
        for mean, n in zip(self.estimates[i], failed, strict=True):
            if n < 0:
                yield Marked(math.nan, note="did not run", text="failed")
            else:
                yield Marked(mean, MARK, f"{plural(n, 'failed trial')}, scored by the failure policy") if n else mean


def levels_figure(data: LevelsData) -> Figure:
    """The measure against the levels as a Figure; see :func:`levels_data`."""
    return curves_figure(levels_curves(data))


def levels_data(
    results: Results,
    factor: str | None = None,
    measure: str | None = None,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> LevelsData:
    """The data of a figure of levels: the mean of each method at each level, on one data set or over several.

    Failed trials are scored by the study's failure policy. Over several data sets only those with all levels are used,
    so that a line does not move because data sets come and go. Intervals over six data sets or more are
    :func:`~fairtrial.stats.within_intervals`, for comparing methods and levels. ``factor`` is not needed if there is
    only one; levels of other factors must have been chosen with ``results.at(…)``.
    """
    along = _factor(results, factor)
    for name in methods or ():
        if name not in results.method_names():
            raise UnknownName.among("method of these results", name, results.method_names())
    levels = [own[along] for own in results.levels() if along in own]
    facts = results.measure(measure)
    results, left_out = _with_all_levels(results.with_measures(facts.name), along, levels, dataset)
    scale = _scale(results, along, levels)
    found, gone = _evidence_at(results, along, facts.name, dataset, scale)
    scale = scale.only(found)
    shown = _shown(results, list(found.values()), methods)
    level = results.question.level
    made = _intervals(list(found.values()), level)
    nothing = Interval(facts.name, math.nan, math.nan, math.nan, level)
    grid = [[row.get(m, nothing) for m in shown] for row in made]
    yardsticks = {m for e in found.values() for m in e.yardsticks}
    words = Wording(facts)
    better = "higher" if facts.higher_is_better else "lower"
    values = np.array([[interval.estimate for interval in row] for row in grid])
    return LevelsData(
        factor=along,
        measure=words.name,
        levels=scale.names,
        places=scale.places,
        methods=tuple(shown),
        estimates=_rows(values),
        low=_rows([[interval.low for interval in row] for row in grid]),
        high=_rows([[interval.high for interval in row] for row in grid]),
        labels=(scale.label, f"{words.name}{_unit(facts.unit)} ({better} is better)"),
        yardsticks=tuple(m for m in shown if m in yardsticks),
        log=(scale.log, facts.compare == "log-ratio" and bool((values[~np.isnan(values)] > 0).all())),
        joined=along != "row_order" and are_numbers(scale.levels),
        remarks=(*_remarks(list(found.values()), scale.names, level, left_out), *gone),
        failed=tuple(tuple(e.stood_in(m) if m in e.columns else -1 for m in shown) for e in found.values()),
    )


def _evidence_at(
    results: Results, along: str, measure: str, dataset: str | None, scale: _Scale
) -> tuple[dict[Level, Evidence], list[str]]:
    """The evidence at each level where a method ran, and remarks on the other levels."""
    found: dict[Level, Evidence] = {}
    gone: dict[str, DidNotRun] = {}
    for level, name in zip(scale.levels, scale.names, strict=True):
        try:
            found[level] = evidence_by(results.at({along: level}), measure, dataset)
        except DidNotRun as error:
            gone[name] = error
    if not found:
        raise next(iter(gone.values()))
    return found, [f"{name}: {error}" for name, error in gone.items()]


def _shown(results: Results, found: Sequence[Evidence], methods: Sequence[str] | None) -> list[str]:
    """The methods that ran at one level or more; a method that was named but did not run is refused."""
    there = {m for e in found for m in e.columns}
    refuse_named({a.method: a for a in found[0].absent if a.method not in there}, methods or ())
    return [m for m in results.method_names() if m in there and (methods is None or m in methods)]


def _intervals(found: Sequence[Evidence], level: float) -> list[dict[str, Interval]]:
    """Intervals of each method at each level; over data sets without the differences between the data sets."""
    first, shared = found[0], _shared(found)
    own = [dict(zip(e.columns, estimates(e, level), strict=True)) for e in found]
    if not _within(found):
        return own
    words, k = Wording(first.measure, ratio=first.as_ratio), len(shared)
    table = np.hstack([e.comparable[:, [e.methods.index(m) for m in shared]] for e in found])
    flat = [within_range(words.effect(i), first.measure) for i in within_intervals(table, level=level)]
    plain = [{m: replace(i, low=math.nan, high=math.nan) for m, i in row.items()} for row in own]
    return [row | dict(zip(shared, flat[j * k : (j + 1) * k], strict=True)) for j, row in enumerate(plain)]


def _shared(found: Sequence[Evidence]) -> list[str]:
    """The compared methods that ran at all levels."""
    return [m for m in found[0].methods if all(m in e.methods for e in found)]


def _within(found: Sequence[Evidence]) -> bool:
    """Whether all levels have the same data sets on the same scale, enough of them, and something to compare."""
    first = found[0]
    alike = all(e.datasets == first.datasets and e.as_ratio == first.as_ratio for e in found)
    return len(first.datasets) >= FEWEST_DATASETS and alike and len(_shared(found)) * len(found) > 1


def _unit(unit: str) -> str:
    return f", {unit}" if unit else ""


def _rows(values: Any) -> Rows:
    return tuple(tuple(map(float, row)) for row in values)


def _factor(results: Results, factor: str | None) -> str:
    if not results.factors:
        raise InputError("these results have no factor whose levels can be drawn; run a study with factors={…}")
    if factor is not None and factor not in results.factors:
        raise UnknownName.among("factor of these results", factor, results.factors)
    if factor is None and len(results.factors) > 1:
        raise InputError(f"factor must name the factor whose levels are drawn: {listed(results.factors, last='or')}")
    along = factor or next(iter(results.factors))
    for other, levels in results.factors.items():
        if other != along:
            raise InputError(
                f"levels of {along} can be drawn at one level of {other} only; choose one, such as "
                f"results.at({choice(other, levels[0])}) (command line: --at {other}={level_text(levels[0])})"
            )
    return along


def _with_all_levels(
    results: Results, factor: str, levels: Sequence[Level], dataset: str | None
) -> tuple[Results, list[str]]:
    """The results on data sets that have all levels, and the names of the others; a named data set may lack levels."""
    if dataset is not None:
        own = results.scores[results.scores["dataset"] == dataset]
        kept = tuple(level for level in levels if len(own[is_at(own[factor], level)]))
        return replace(results, factors={factor: kept}) if kept else results, []
    there = results.scores.groupby("dataset", sort=False)[factor].nunique()
    lacking = [str(name) for name, n in there.items() if n < len(levels)]
    if not lacking:
        return results, []
    if len(lacking) == len(there):
        raise InputError(f"no data set has all levels of {factor}; name one (dataset={lacking[0]!r})")
    scores, failures = (frame[~frame["dataset"].isin(lacking)] for frame in (results.scores, results.failures))
    known = {name: facts for name, facts in results.datasets.items() if name not in lacking}
    return replace(results, scores=scores, failures=failures, datasets=known), lacking


@dataclass(frozen=True, slots=True)
class _Scale:
    """The x axis: levels in order, their places on the axis and their names."""

    levels: tuple[Level, ...]
    places: tuple[float, ...]
    names: tuple[str, ...]
    label: str
    log: bool = False

    def only(self, levels: Collection[Level]) -> _Scale:
        """The scale with only these levels."""
        kept = [i for i, level in enumerate(self.levels) if level in levels]
        return replace(
            self,
            levels=tuple(self.levels[i] for i in kept),
            places=tuple(self.places[i] for i in kept),
            names=tuple(self.names[i] for i in kept),
        )


def _scale(results: Results, factor: str, levels: Sequence[Level]) -> _Scale:
    levels = [level for level in levels if level in results.factors[factor]]
    if factor not in FACTORS:
        return _scale_of_methods(results, factor, levels)
    return _scale_of_training(results, factor, [v for v in levels if isinstance(v, (int, float))])


def _scale_of_methods(results: Results, factor: str, levels: Sequence[Level]) -> _Scale:
    """The scale of a factor on methods: numbers at their places, on a log axis if it is a log range; others in turn."""
    names = tuple(write_one(factor, level) for level in levels)
    if not are_numbers(levels):
        return _Scale(tuple(levels), tuple(map(float, range(len(levels)))), names, factor)
    defined = () if results.definition is None else results.definition.factors
    log = any(f.name == factor and "log" in f.options for f in defined)
    return _Scale(tuple(levels), tuple(float(level or 0) for level in levels), names, factor, log)


def _scale_of_training(results: Results, factor: str, levels: Sequence[float]) -> _Scale:
    kind = FACTORS[factor]
    names = {level: kind.write(level) for level in levels}
    places = {level: float(level) for level in levels}
    label, log = kind.title, False
    if factor in SIZES:
        label, log = SIZES[factor], True
        if len(results.dataset_names()) == 1:
            (name,) = results.dataset_names()
            places = sizes_of(results, name, results.scores, factor)
            names = {level: formats.count(size) for level, size in places.items()}
        elif all(level <= 1 for level in levels):
            label = f"share of {label}"
        elif any(level <= 1 for level in levels):
            places, log = {level: float(i) for i, level in enumerate(levels)}, False
    elif factor == "row_order":
        places = {level: float(i) for i, level in enumerate(levels)}
    ordered = tuple(sorted(levels, key=lambda level: places[level]))
    return _Scale(ordered, tuple(places[v] for v in ordered), tuple(names[v] for v in ordered), label, log)


def _remarks(found: Sequence[Evidence], names: Sequence[str], level: float, left_out: Sequence[str]) -> list[str]:
    first = found[0]
    n = len(first.datasets)
    schemes, unit = {d.scheme for e in found for d in e.dependence}, score_unit(d for e in found for d in e.dependence)
    over = f" over {schemes.pop()}" if len(schemes) == 1 and "unknown" not in schemes else f" over {unit}s"
    where = f"on {first.datasets[0]}: mean{over}" if n == 1 else f"mean over {n} data sets of the mean{over} on each"
    interval = interval_in_words(first, level)
    if _within(found):
        interval = f"{100 * level:g} % intervals without what the data sets differ by on the whole (Morey 2008)"
    remarks = [f"{where}; {interval}"]
    if first.as_ratio and n > 1:
        remarks[0] = remarks[0].replace("mean over", "geometric mean over", 1)
    if left_out:
        remarks.append(f"without {listed(left_out)}: not all levels are there")
    for name, evidence in zip(names, found, strict=True):
        texts = [notice.text for notice in evidence.notices if not notice.is_fine]
        remarks += [f"{name}: {MARK} {text}" if text == evidence.scored else f"{name}: {text}" for text in texts]
        remarks += [f"{name}: {absentee}" for absentee in evidence.absent if _ran_elsewhere(absentee, found)]
    remarks += [
        f"{a.method} did not run at any level ({a.reason})" for a in first.absent if not _ran_elsewhere(a, found)
    ]
    return remarks


def _ran_elsewhere(absentee: Absentee, found: Sequence[Evidence]) -> bool:
    return any(absentee.method in e.columns for e in found)


def levels_curves(data: LevelsData, like: LevelsData | None = None) -> CurvesData:
    """The lines, marks and bars in the box; a yardstick that is far off is named below the box instead.

    The axes and the methods that are drawn are those of ``like``, where several boxes share them.
    """
    whole = like or data
    compared = [j for j, m in enumerate(whole.methods) if m not in whole.yardsticks]
    values = _values(whole, compared or range(len(whole.methods)))
    away = [j for j in range(len(whole.methods)) if far_off(_values(whole, [j]), values, log=whole.log[1])]
    shown = [j for j in range(len(whole.methods)) if j in compared or j not in away]
    x_limits = axis_limits(whole.places, log=whole.log[0])
    return CurvesData(
        curves=tuple(_curve(data, j, x_limits, (place + 0.5) / len(shown)) for place, j in enumerate(shown)),
        references=(),
        labels=data.labels,
        limits=(x_limits, axis_limits(_values(whole, shown), log=whole.log[1])),
        remarks=(*_without_marks(data.remarks), *(_far_off_in_words(whole, j) for j in away if j not in shown)),
        size=BOX,
        log=whole.log,
        ticks=tuple(zip(data.places, data.levels, strict=True)),
    )


def _without_marks(remarks: Iterable[str]) -> list[str]:
    """Remarks without the marks of numbers, which are in the table only."""
    return [remark.replace(f"{MARK} ", "") for remark in remarks]


def _values(data: LevelsData, columns: Iterable[int]) -> list[float]:
    return [row[j] for j in columns for grid in (data.estimates, data.low, data.high) for row in grid]


def _far_off_in_words(data: LevelsData, j: int) -> str:
    write = formats.significant(3)
    ends = {write(pick(row[j] for row in data.estimates if not math.isnan(row[j]))) for pick in (min, max)}
    return f"not drawn, far off: {data.methods[j]}, {' to '.join(sorted(ends))}"


def _curve(data: LevelsData, j: int, limits: tuple[float, float], place: float) -> Curve:
    """The curve of one method, moved a little aside; a level without a mean has no mark."""
    aside = (place - 0.5) * APART
    low, high = limits
    xs = [x * (high / low) ** aside if data.log[0] else x + aside * (high - low) for x in data.places]
    points = [(x, row[j]) for x, row in zip(xs, data.estimates, strict=True) if not math.isnan(row[j])]
    bars = [
        (x, below[j], x, above[j])
        for x, below, above in zip(xs, data.low, data.high, strict=True)
        if not math.isnan(below[j])
    ]
    return Curve(
        data.methods[j],
        line=tuple(points) if data.joined else (),
        marks=tuple(points),
        bars=tuple(bars),
        muted=data.methods[j] in data.yardsticks,
    )


MOST_PANELS = 12
COLUMNS = 3
WIDTH, HEIGHT = 2.2, 1.8
ABOVE, BETWEEN = 0.3, 0.26  # inches: for the heading of a panel, and between panels
UNORDERED = ("row_order",)


@dataclass(frozen=True, slots=True)
class LevelPanelsData(FigureData):
    """All that the figure shows: for each level of the factor ``by``, the data of a panel and its heading.

    All panels have the same methods, and share both axes. ``remarks`` hold for the panels that they name, or for all.
    """

    by: str
    headings: tuple[str, ...]
    panels: tuple[LevelsData, ...]
    remarks: tuple[str, ...] = ()

    def together(self) -> LevelsData:
        """The levels of all panels one after the other, for axes that have room for all."""

        def rows(name: str) -> Rows:
            return tuple(row for panel in self.panels for row in getattr(panel, name))

        return replace(
            self.panels[0],
            levels=tuple(level for panel in self.panels for level in panel.levels),
            places=tuple(place for panel in self.panels for place in panel.places),
            estimates=rows("estimates"), low=rows("low"), high=rows("high"),
            failed=tuple(row for panel in self.panels for row in panel.failed),
            remarks=self.remarks,
        )  # fmt: skip

    def to_table(self) -> Table:
        """The means as a table: the levels of both factors in rows, methods in columns."""
        table = self.together().to_table()
        first, *others = table.columns
        own = [heading.removeprefix(f"{self.by} ") for heading in self.headings]
        names = [level for level, panel in zip(own, self.panels, strict=True) for _ in panel.levels]
        shown = ["" if i and names[i - 1] == name else name for i, name in enumerate(names)]
        rows = tuple((name, *row) for name, row in zip(shown, table.rows, strict=True))
        starts = tuple(i for i, name in enumerate(shown) if name and i)
        return replace(table, columns=(replace(first, title=self.by, key=self.by), first, *others), rows=rows,
                       rule_before=starts)  # fmt: skip


@figure_of("levels")
def levels_view(
    results: Results,
    *,
    factor: str | None = None,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> View:
    """The measure against the levels of a factor, as a figure and as a table; in panels where two factors vary."""
    title = place_of(results, dataset)
    if len(results.factors) == 2:
        panels = level_panels_data(results, factor, measure, dataset=dataset, methods=methods)
        return View(str(panels.to_table()), level_panels_figure(panels), title=title)
    data = levels_data(results, factor, measure, dataset=dataset, methods=methods)
    return View(str(data.to_table()), levels_figure(data), title=title)


def levels_picture(results: Results, measure: str) -> tuple[Figure, str]:
    """The figure of one or two factors, and the factor on its x axis."""
    if len(results.factors) == 2:
        panels = level_panels_data(results, None, measure)
        return level_panels_figure(panels), panels.panels[0].factor
    data = levels_data(results, None, measure)
    return levels_figure(data), data.factor


def level_panels_data(
    results: Results,
    factor: str | None = None,
    measure: str | None = None,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> LevelPanelsData:
    """The data of a figure of two factors: one on the x axis of all panels, a panel for each level of the other.

    ``factor`` is on the x axis. By default it is the one whose levels are numbers in an order; of two, that with more
    levels, and of two with as many, the first. Means and intervals of a panel are those of :func:`levels_data`.
    """
    along, by = _two_factors(results, factor)
    made: dict[str, LevelsData] = {}
    gone: list[str] = []
    for level in _levels_of(results, by):
        heading = write_levels({by: level})
        try:
            made[heading] = levels_data(results.at({by: level}), along, measure, dataset=dataset, methods=methods)
        except DidNotRun as error:
            gone.append(f"{heading}: {error}")
    if not made:
        raise DidNotRun(gone[0])
    wanted = [m for m in results.method_names() if any(m in data.methods for data in made.values())]
    panels = tuple(_with_methods(data, wanted) for data in made.values())
    return LevelPanelsData(by, tuple(made), panels, (*_panel_remarks(made), *gone))


def _two_factors(results: Results, factor: str | None) -> tuple[str, str]:
    """The factor on the x axis, and that of the panels."""
    if len(results.factors) != 2:
        others = {name: levels for name, levels in results.factors.items() if name != factor}
        fix = f"; choose a level, such as results.at({choice(*_first(others))})" if len(results.factors) > 2 else ""
        raise InputError(f"panels are for two factors, got {listed(results.factors) or 'none'}{fix}")
    if factor is not None and factor not in results.factors:
        raise UnknownName.among("factor of these results", factor, results.factors)
    along = factor or max(results.factors, key=lambda name: (_is_ordered(results, name), len(results.factors[name])))
    (by,) = (name for name in results.factors if name != along)
    n = len(results.factors[by])
    if n > MOST_PANELS:
        raise InputError(
            f"a figure has room for {MOST_PANELS} panels, but {by} has {n} levels; choose one, such as "
            f"results.at({choice(by, results.factors[by][0])}) (command line: --at "
            f"{by}={level_text(results.factors[by][0])}), or give factor={by!r}"
        )
    return along, by


def _first(factors: dict[str, tuple[Level, ...]]) -> tuple[str, Level]:
    name, levels = next(iter(factors.items()))
    return name, levels[0]


def _is_ordered(results: Results, factor: str) -> bool:
    return factor not in UNORDERED and are_numbers(results.factors[factor])


def _levels_of(results: Results, factor: str) -> list[Level]:
    there = {level_text(own[factor]) for own in results.levels() if factor in own}
    return [level for level in results.factors[factor] if level_text(level) in there]


def _with_methods(data: LevelsData, methods: Sequence[str]) -> LevelsData:
    """The data with a column for each of these methods; one that is not there has no means."""
    places = [data.methods.index(m) if m in data.methods else -1 for m in methods]

    def grid(rows: Rows) -> Rows:
        return tuple(tuple(math.nan if j < 0 else row[j] for j in places) for row in rows)

    failed = tuple(tuple(-1 if j < 0 else row[j] for j in places) for row in data.failed)
    return replace(
        data, methods=tuple(methods), estimates=grid(data.estimates), low=grid(data.low), high=grid(data.high),
        failed=failed,
    )  # fmt: skip


def _panel_remarks(made: dict[str, LevelsData]) -> tuple[str, ...]:
    """The remarks of all panels; one that does not hold for all names its panels."""
    found: dict[str, list[str]] = {}
    for heading, data in made.items():
        for remark in data.remarks:
            found.setdefault(remark, []).append(heading)
    return tuple(r if len(where) == len(made) else f"{listed(where)}: {r}" for r, where in found.items())


@dataclass(frozen=True, slots=True)
class _Grid:
    """The number of panels, and of columns of panels."""

    n: int
    columns: int

    @property
    def size(self) -> tuple[float, float]:
        rows = math.ceil(self.n / self.columns)
        return self.columns * (WIDTH + BETWEEN) - BETWEEN, rows * (HEIGHT + ABOVE)

    def box(self, i: int) -> tuple[float, float, float, float]:
        """The place of the i-th panel, in shares of the whole."""
        row, column = divmod(i, self.columns)
        width, height = self.size
        bottom = height - (row + 1) * (HEIGHT + ABOVE)
        return column * (WIDTH + BETWEEN) / width, bottom / height, WIDTH / width, HEIGHT / height

    def is_lowest(self, i: int) -> bool:
        """Whether no panel stands below the i-th."""
        return i + self.columns >= self.n


def level_panels_figure(data: LevelPanelsData) -> Figure:
    """The panels as a Figure, which grows with their number; see :func:`level_panels_data`."""
    n, sheet = len(data.panels), paper()
    most = COLUMNS if sheet is None else max(int((sheet.width - 0.6 + BETWEEN) / (WIDTH + BETWEEN)), 1)
    grid = _Grid(n, 2 if n == 4 and most > 1 else min(n, most))
    return fitted_figure(*grid.size, partial(_draw_panels, data, grid))


def _draw_panels(data: LevelPanelsData, grid: _Grid, ax: Axes) -> None:
    """Draw the panels inside the Axes; labels, legend and remarks stand outside."""
    ax.set_axis_off()
    whole = data.together()
    remarks = dict.fromkeys(data.remarks)
    reach, shared = [0.0, 0.0], levels_curves(whole)
    for i, panel in enumerate(data.panels):
        curves = replace(levels_curves(panel, whole), labels=("", ""))
        inner = ax.inset_axes(grid.box(i))
        handles, texts = draw_in_box(curves, inner)
        first, lowest = i % grid.columns == 0, grid.is_lowest(i)
        inner.tick_params(axis="y", labelleft=first, length=3 if first else 0)
        inner.tick_params(axis="x", labelbottom=lowest)
        above: dict[str, Any] = {"ha": "center", "va": "bottom", "at": "axes fraction"}
        room = int(72 * WIDTH / (0.56 * FONT_SIZE))
        write(inner, short_names(data.headings, room)[i], (0.5, 1), offset=(0, 4), **above)
        reach = [max(reach[0], _reach(inner, 0)) if first else reach[0], max(reach[1], _reach(inner, 1))]
        remarks |= dict.fromkeys(beyond_the_box(curves))
    remarks |= dict.fromkeys(remark for remark in shared.remarks if remark not in remarks)
    _draw_around(ax, shared, reach, (handles, texts), list(remarks))


def _draw_around(
    ax: Axes, shared: CurvesData, reach: Sequence[float], legend: tuple[list[Any], list[str]], remarks: Sequence[str]
) -> None:
    """Write the labels of the shared axes, the legend and the remarks."""
    x_label, y_label = shared.labels
    middle: dict[str, Any] = {"at": "axes fraction"}
    write(ax, y_label, (0, 0.5), offset=(-reach[0] - 4, 0), ha="right", **middle).set(rotation=90)
    write(ax, x_label, (0.5, 0), offset=(0, -reach[1] - 2), ha="center", va="top", **middle)
    sheet = paper()
    if sheet is not None and sheet.narrow:
        legend_above(ax, *legend, left=True)
    else:
        legend_beside(ax, *legend)
    box = ax.get_tightbbox()
    width = (ax.get_window_extent().width if box is None else box.width) / ax.figure.dpi
    text = wrap(remarks, int(72 * width / (0.54 * SMALL)))
    below = reach[1] + 6 + 1.4 * FONT_SIZE
    write(ax, text, (0, 0), offset=(-reach[0], -below), va="top", at="axes fraction", size=SMALL, color=MUTED)


def _reach(ax: Axes, axis: int) -> float:
    """How far the numbers of the y (0) or x (1) axis reach outside the Axes, in points."""
    box = (ax.yaxis, ax.xaxis)[axis].get_tightbbox()
    if box is None:
        return 0.0
    own = ax.get_window_extent()
    return float(72 * (own.x0 - box.x0 if axis == 0 else own.y0 - box.y0) / ax.figure.dpi)
