"""A measure against the levels of a factor, with a line for each method: learning curves, effects of noise."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.design import FACTORS, FEWEST_DATASETS, Level, are_numbers, level_text, write_one
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.boxed_curves import Curve, CurvesData, curves_figure
from fairtrial.figures.inputs import Rows, axis_limits, far_off
from fairtrial.resampling import score_unit
from fairtrial.results.absentees import Absentee, DidNotRun, refuse_named
from fairtrial.results.analyses.scaling import SIZES, sizes_of
from fairtrial.results.at_levels import choice, is_at
from fairtrial.results.failure_policy import MARK
from fairtrial.stats import Interval, within_intervals
from fairtrial.tables import Column, Marked, Table, formats
from fairtrial.tables.render_json import plain
from fairtrial.verdict.estimates import estimates, evidence_by, interval_in_words, within_range
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

BOX = (4.4, 3.2)
APART = 0.04
"""The share of the box over which methods are spread at a level, so that intervals don't cover each other."""


@dataclass(frozen=True, slots=True)
class LevelsData:
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

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]

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
