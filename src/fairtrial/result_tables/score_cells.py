"""The scores that a table shows: every method on every data set, each data set by itself, and what failed.

What stands behind ±: half the interval of a mean, its standard error, or the standard deviation of the scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.choices import SPREADS, Spread
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure
from fairtrial.resampling import score_unit
from fairtrial.results.absentees import Absences, Absentee, absences
from fairtrial.results.at_levels import refuse_several_levels
from fairtrial.results.failure_policy import FAILED, MARK, OK, Grid, apply_policy
from fairtrial.results.prediction_source import why_undefined
from fairtrial.results.readers.long_scores import LACKING
from fairtrial.stats.arguments import share_ratio
from fairtrial.verdict.estimates import intervals
from fairtrial.verdict.evidence import MOST_UNDEFINED, Evidence, dependence_of, nested_intervals
from fairtrial.words import MOST_NAMED, listed, part_of, plural

if TYPE_CHECKING:
    from fairtrial.results import Results


FloatArray = NDArray[np.float64]

FATES = {
    "OUT OF TIME": re.compile(r"^TimeLimit|^TimeoutError|out of time|time[d ]*out|time limit", re.IGNORECASE),
    "OUT OF MEMORY": re.compile(r"^MemoryLimit|^MemoryError|out ?of ?memory(?!\?)", re.IGNORECASE),
}
"""What stands in place of the mean of a method that did not run, by the reason of its failures."""

LEFT_OUT = "failed trials are left out of the mean: there is no baseline whose score could replace theirs"


@dataclass(frozen=True, eq=False)
class ScoreCells:
    """The scores of one measure: data sets × methods, in the order in which they are shown.

    ``evidence`` has the scores of each data set by itself: splits in rows, nan where a method has none. ``means`` are
    over the splits, nan where a method did not run. ``absent`` says why, by data set and method. ``failed`` counts the
    scores that are not the method's own; ``legend`` says how these came about, and ``notes`` what else was done.
    """

    evidence: Evidence
    means: FloatArray
    failed: NDArray[np.int64]
    yardsticks: tuple[str, ...] = ()
    absent: Mapping[tuple[str, str], Absentee] = field(default_factory=dict)
    legend: str = ""
    notes: tuple[str, ...] = ()

    @property
    def measure(self) -> Measure:
        return self.evidence.measure

    @property
    def datasets(self) -> tuple[str, ...]:
        return self.evidence.datasets

    @property
    def methods(self) -> tuple[str, ...]:
        """All methods that are shown; yardsticks stand last unless an order was asked for."""
        return self.evidence.methods

    @cached_property
    def compared(self) -> NDArray[np.bool_]:
        """Whether each method is compared; a yardstick is only shown."""
        return np.array([m not in self.yardsticks for m in self.methods])

    @cached_property
    def is_resampled(self) -> tuple[bool, ...]:
        """Whether each data set has several splits whose scheme is known, so that tests and intervals are valid."""
        known = zip(self.evidence.dependence, self.evidence.folds, strict=True)
        return tuple(d.known and not d.optimistic and len(folds) > 1 for d, folds in known)

    def remarks(self) -> Iterator[str]:
        """Notes for below the table: the mark of failed trials, methods that did not run, and what else was done."""
        if self.failed.any():
            yield f"{MARK} {self.legend}"
        gone = [a for a in self._absentees() if a.unit == "trial"]
        yield from map(str, gone[:MOST_NAMED])
        if len(gone) > MOST_NAMED:
            yield f"and {plural(len(gone) - MOST_NAMED, 'more such case')}"
        if any(a.unit != "trial" for a in self.absent.values()):
            yield "– no score"
        if self.yardsticks:
            yield f"yardstick: {listed(self.yardsticks)}, which is not tested here"
        yield from self.notes

    def _absentees(self) -> Iterator[Absentee]:
        """The methods that did not run: on each data set, or on all of them at once."""
        for method in self.methods:
            own = [a for a in self.absent.values() if a.method == method]
            if 1 < len(own) == len(self.datasets):
                failed, total = sum(a.failed for a in own), sum(a.total for a in own)
                yield replace(own[0], dataset="", failed=failed, total=total)
            else:
                yield from own


def fate_in_words(absentee: Absentee) -> str:
    """What stands in the cell of a method that did not run.

    >>> [fate_in_words(Absentee("svm", 3, 3, reason)) for reason in ("TimeLimit: after 60 s", "ValueError: no")]
    ['OUT OF TIME', 'failed']
    """
    if absentee.unit != "trial":
        return "–"
    return next((words for words, pattern in FATES.items() if pattern.search(absentee.reason)), "failed")


def methods_shown(results: Results, methods: Sequence[str] | None) -> tuple[str, ...]:
    """The methods that are shown, in this order; None means all, yardsticks last."""
    known = results.method_names()
    for name in methods or ():
        if name not in known:
            raise UnknownName.among("method of these results", name, known)
    return known if methods is None else tuple(dict.fromkeys(methods))


def score_cells(results: Results, measure: str | None = None, methods: Sequence[str] | None = None) -> ScoreCells:
    """The scores of a measure (None: the question's), of all methods or of some in this order.

    Failed trials are scored by the failure policy of the results; where that is impossible, they are left out, and a
    legend says so. A method that did not run on a data set has no score there, whatever the policy. Splits on which the
    measure is undefined for a method are left out for all methods, if they are few, as a verdict does; else only that
    method is without them, and a note says so.
    """
    refuse_several_levels(results)
    facts = results.measure(measure)
    results = results.with_measures(facts.name)
    shown = methods_shown(results, methods)
    lost = absences(results, facts.name)
    whole = Grid.of(results, facts.name, results.method_names())
    grid, legend = _scored(whole.without(lost.cells()), results, facts)
    failed = _rows(whole.failed(), whole, grid, shown)
    folds, notes = _defined(grid.averaged(), shown, facts, results)
    evidence = Evidence(
        measure=facts,
        datasets=grid.datasets,
        methods=shown,
        yardsticks=(),
        folds=folds,
        dependence=tuple(dependence_of(results, facts, d, len(f)) for d, f in zip(grid.datasets, folds, strict=True)),
        nested=nested_intervals(results, facts),
    )
    gone = _absentees(lost, grid.datasets, shown)
    for d, m in gone:
        failed[grid.datasets.index(d), shown.index(m)] = 0
    means = np.vstack([_mean(f) for f in folds]) if folds else np.empty((0, len(shown)))
    yardsticks = tuple(m for m in shown if m in results.yardsticks)
    notes += tuple(note for note in results.notes if getattr(note, "about", "") == LACKING)
    return ScoreCells(evidence, means, failed, yardsticks, gone, legend, notes)


def _scored(grid: Grid, results: Results, facts: Measure) -> tuple[Grid, str]:
    """The grid after the failure policy, with the legend of the mark."""
    try:
        scored = apply_policy(grid, results.policy, results.baseline, facts)
    except InputError:
        values = np.where(grid.state == FAILED, np.nan, grid.values)
        return replace(grid, values=values), LEFT_OUT
    return scored, scored.scored


def _rows(counts: NDArray[np.int64], whole: Grid, grid: Grid, shown: Sequence[str]) -> NDArray[np.int64]:
    """The counts of the data sets and methods that are shown."""
    rows = [whole.datasets.index(d) for d in grid.datasets]
    return counts[np.ix_(rows, [whole.methods.index(m) for m in shown])]


def _absentees(lost: Absences, datasets: Sequence[str], shown: Sequence[str]) -> dict[tuple[str, str], Absentee]:
    found = {(d, a.method): a for d, own in lost.on.items() for a in own}
    return {cell: a for cell, a in found.items() if cell[0] in datasets and cell[1] in shown}


def _defined(
    grid: Grid, shown: Sequence[str], facts: Measure, results: Results
) -> tuple[tuple[FloatArray, ...], tuple[str, ...]]:
    """The scores of each data set, without the few splits on which the measure is undefined for some method."""
    columns = [grid.methods.index(m) for m in shown]
    folds, dropped = [], 0
    partly: dict[str, list[str]] = {}
    for i, name in enumerate(grid.datasets):
        own = grid.owner == i
        values, state = grid.values[own][:, columns], grid.state[own][:, columns]
        undefined = ~np.isfinite(values) & (state == OK)
        often = undefined.mean(axis=0) > MOST_UNDEFINED
        rows = undefined[:, ~often].any(axis=1)
        rows = rows if rows.mean() <= MOST_UNDEFINED else np.zeros_like(rows)
        dropped += int(rows.sum())
        for m, n in zip(shown, undefined[~rows].sum(axis=0).tolist(), strict=True):
            if n:
                told = f"{m} on {name} ({part_of(n, len(undefined), grid.unit)})"
                partly.setdefault(why_undefined(results, facts, name, m), []).append(told)
        folds.append(values[~rows])
    notes = [f"{facts.name} is undefined on {plural(dropped, grid.unit)}: left out for all methods"] if dropped else []
    notes += [f"{facts.name} is undefined ({why}): {listed(where)}" for why, where in partly.items()]
    return tuple(folds), tuple(notes)


def _mean(folds: FloatArray) -> FloatArray:
    """The mean of each column over the splits that have a score; nan where none has."""
    there = ~np.isnan(folds)
    with np.errstate(invalid="ignore"):
        means: FloatArray = np.where(there, folds, 0.0).sum(axis=0) / there.sum(axis=0)
    return means


ROUNDING = 1e-12
"""Scores whose standard deviation is a smaller share of them than this are equal: the rest is rounding."""

CORRECTED = "corrected for shared training data"


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """The uncertainty of each mean, data sets × methods, nan where there is none; ``words`` say what it is."""

    spreads: FloatArray
    words: str = ""


def uncertainty_of(results: Results, cells: ScoreCells, kind: Spread | None, level: float) -> Uncertainty:
    """The uncertainty of each mean.

    By default it is the published one or, where the split scheme is known, half the interval that a verdict uses; of
    seeds on one split it is their standard deviation.
    """
    if kind is not None and kind not in SPREADS:
        raise UnknownName.among("spread", kind, SPREADS)
    published = _published(results, cells)
    asked, kind = kind, kind or _usual(results, cells, published)
    none = Uncertainty(np.full(cells.means.shape, np.nan))
    if kind == "none":
        return none
    if kind == results.published.kind and np.isfinite(published).any():
        return Uncertainty(published, f"{_called(kind, 0.95)}, as published")
    spreads = _half_intervals(cells, level) if kind == "interval" else _deviations(cells, kind)
    if not np.isfinite(spreads).any():
        if asked is None:  # equal scores on all splits have no interval
            return none
        raise InputError(
            f"spread={kind!r} needs several scores of each method on a data set"
            f"{_for_intervals(cells) if kind == 'interval' else ''}; say spread='none' (--spread none)"
        )
    return Uncertainty(spreads, _in_words(kind, cells, level))


def _usual(results: Results, cells: ScoreCells, published: FloatArray) -> Spread:
    """The kind of uncertainty that is shown unless another is asked for; times have none."""
    if np.isfinite(published).any():
        return results.published.kind
    if cells.measure.unit == "s":
        return "none"
    if _of_seeds(cells):
        return "standard deviation"
    return "interval" if any(cells.is_resampled) else "none"


def _of_seeds(cells: ScoreCells) -> bool:
    return score_unit(cells.evidence.dependence) == "seed"


def _published(results: Results, cells: ScoreCells) -> FloatArray:
    given = results.published
    if not given.spreads:
        return np.full(cells.means.shape, np.nan)
    name = cells.measure.name
    return np.array([[given.spread(d, m, name) for m in cells.methods] for d in cells.datasets])


def _half_intervals(cells: ScoreCells, level: float) -> FloatArray:
    """Half the width of each interval; what the bounds of a measure cut off is added again."""
    low, high = intervals(cells.evidence, level)
    half: FloatArray = np.maximum(cells.means - low, high - cells.means)
    return half


def _deviations(cells: ScoreCells, kind: Spread) -> FloatArray:
    """The standard deviation over splits, or the standard error of the mean, corrected where the scheme is known."""
    rows = []
    for folds, dependence in zip(cells.evidence.folds, cells.evidence.dependence, strict=True):
        there = np.isfinite(folds).sum(axis=0)
        enough = there > 1
        spread = np.full(folds.shape[1], np.nan)
        spread[enough] = np.nanstd(folds[:, enough], axis=0, ddof=1)
        spread[spread < ROUNDING * np.fmax.reduce(np.abs(folds), axis=0)] = 0.0
        if kind == "standard error":
            ratio = share_ratio(dependence.test_share, dependence.overlap) if dependence.known else 0.0
            spread[enough] *= np.sqrt(1 / there[enough] + ratio)
        rows.append(spread)
    return np.array(rows)


def _called(kind: Spread, level: float) -> str:
    return f"half the {100 * level:g} % interval" if kind == "interval" else f"the {kind}"


def _for_intervals(cells: ScoreCells) -> str:
    """What an interval needs beyond several scores."""
    return " on several splits, and these are seeds on one" if _of_seeds(cells) else ", whose split scheme is known"


def _in_words(kind: Spread, cells: ScoreCells, level: float) -> str:
    name = _called(kind, level)
    if kind == "standard deviation":
        return f"{name} over {'seeds' if _of_seeds(cells) else 'splits'}"
    resampled = cells.is_resampled
    if kind == "interval":
        return f"{name} of that mean (t, {CORRECTED})"
    if _of_seeds(cells):
        return f"{name} over seeds, on one split"
    if all(resampled):
        return f"{name} ({CORRECTED})"
    return f"{name} (splits taken as independent{', where their scheme is unknown' if any(resampled) else ''})"
