"""The level of each method by itself, on one data set or over several, with the interval that the design allows."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import FEWEST_DATASETS
from fairtrial.errors import UnknownName
from fairtrial.measures import Measure
from fairtrial.stats import Interval, mean_interval
from fairtrial.tables import PlusMinus
from fairtrial.verdict.evidence import Evidence, gather
from fairtrial.verdict.words.wording import Wording

if TYPE_CHECKING:
    from fairtrial.results import Results


def evidence_by(results: Results, measure: str | None = None, dataset: str | None = None) -> Evidence:
    """The evidence by some measure (None: the question's), on all data sets or on one."""
    facts = results.measure(measure)
    results = results.with_measures(facts.name)
    if dataset is not None:
        if dataset not in results.dataset_names():
            raise UnknownName.among("data set of these results", dataset, results.dataset_names())
        scores, failures = (frame[frame["dataset"] == dataset] for frame in (results.scores, results.failures))
        facts_there = {name: known for name, known in results.datasets.items() if name == dataset}
        results = replace(results, scores=scores, failures=failures, datasets=facts_there)
    return gather(replace(results, question=replace(results.question, measure=facts.name, control=None)))


def estimates(evidence: Evidence, level: float) -> tuple[Interval, ...]:
    """The mean of each method with its interval, yardsticks last.

    On one data set it is a t interval over the resamples, corrected for shared training data. Over several data sets it
    is a t interval over their means; for measures that are compared by ratios the means are geometric. Fewer than six
    data sets have no interval, just as they have no verdict over data sets.
    """
    return tuple(_estimate(evidence, column, level) for column in range(len(evidence.columns)))


def _estimate(evidence: Evidence, column: int, level: float) -> Interval:
    name = evidence.measure.name
    if len(evidence.datasets) == 1:
        mean = float(evidence.means[0, column])
        return level_on(evidence, column, level) or Interval(name, mean, math.nan, math.nan, level)
    words = Wording(evidence.measure, ratio=evidence.as_ratio)
    values = evidence.comparable[:, column]
    if len(evidence.datasets) < FEWEST_DATASETS or not all(map(math.isfinite, values)):
        return words.effect(Interval(name, float(values.mean()), math.nan, math.nan, level))
    return within_range(words.effect(mean_interval(values, level=level)), evidence.measure)


def level_on(evidence: Evidence, column: int, level: float) -> Interval | None:
    """The interval of one method's mean on one data set, where the resampling allows one."""
    folds, dependence = evidence.folds[0], evidence.dependence[0]
    if evidence.nested is not None:
        found = evidence.nested(evidence.datasets[0], evidence.columns[column], level)
        return None if found is None else within_range(found, evidence.measure)
    if not dependence.known or len(folds) < 2 or np.isnan(folds[:, column]).any():
        return None
    share, overlap = dependence.test_share, dependence.overlap
    found = mean_interval(folds[:, column], test_share=share, overlap=overlap, level=level)
    return within_range(found, evidence.measure)


def seeds_beside(evidence: Evidence, i: int, method: str) -> object:
    """The mean of a method on a data set, for a table; over seeds, ± their standard deviation, which no test uses."""
    cell, seeds = evidence.cell(i, method), evidence.folds[i]
    if not evidence.dependence[i].seeds or len(seeds) < 2 or not isinstance(cell, float):
        return cell
    return PlusMinus(cell, float(seeds[:, evidence.columns.index(method)].std(ddof=1)))


def intervals(evidence: Evidence, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends of the interval of each mean: data sets × methods, yardsticks last; nan where there is no interval.

    A method that did not run on a data set has no interval there.
    """
    low = np.full(evidence.means.shape, np.nan)
    high = low.copy()
    for i in range(len(evidence.datasets)):
        one = evidence.on(i)
        for m, name in enumerate(evidence.columns):
            bounds = None if evidence.gone(i, name) else level_on(one, one.columns.index(name), level)
            if bounds is not None:
                low[i, m], high[i, m] = bounds.low, bounds.high
    return low, high


def within_range(interval: Interval, measure: Measure) -> Interval:
    """The interval without what the measure can't reach: t knows nothing of bounds."""
    low, high = min(measure.worst, measure.best), max(measure.worst, measure.best)
    if np.isnan(interval.low):
        return interval
    return replace(interval, low=max(interval.low, low), high=min(interval.high, high))


def interval_in_words(evidence: Evidence, level: float) -> str:
    """The kind of interval that :func:`estimates` gives, in words, or why there is none."""
    if len(evidence.datasets) == 1:
        known = evidence.dependence[0].known and len(evidence.folds[0]) > 1
        how = "of each mean by itself (t, corrected for shared training data)"
        return f"{100 * level:g} % intervals {how}" if known else "no intervals: there are no resamples to make them of"
    n = len(evidence.datasets)
    if n < FEWEST_DATASETS:
        return f"no intervals over {n} data sets, which takes {FEWEST_DATASETS}; name one data set for intervals on it"
    return f"{100 * level:g} % intervals of each mean by itself (t over {n} data sets, which differ by nature)"
