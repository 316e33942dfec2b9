"""Confidence intervals of each method's level on each data set, valid for the resampling used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure
from fairtrial.resampling import Dependence, NestedKFold
from fairtrial.results.prediction_source import stored_predictions
from fairtrial.results.results import Results
from fairtrial.stats import Interval, cv_interval, mean_interval, nested_cv_interval
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import is_one_of

IntervalMethod = Literal["auto", "nested", "clt", "corrected-t"]
METHODS = ("auto", "nested", "clt", "corrected-t")


@dataclass(frozen=True, eq=False)
class CvIntervals(Shown):
    """The interval of each method on each data set; None if some of its trials failed or have not run."""

    measure: str
    level: float
    intervals: Mapping[tuple[str, str], Interval | None]

    def __getitem__(self, place: tuple[str, str]) -> Interval | None:
        return self.intervals[place]

    def to_dict(self) -> dict[str, Any]:
        rows = [
            {"dataset": d, "method": m, **({} if i is None else i.to_dict())} for (d, m), i in self.intervals.items()
        ]
        return {"measure": self.measure, "intervals": rows}

    def to_table(self) -> Table:
        write = formats.significant(4)
        columns = (
            Column("data set", align="left"),
            Column("method", align="left"),
            Column("estimate", write),
            Column(f"{100 * self.level:g} % interval", formats.span(write)),
        )
        rows = tuple(
            (d, m, None, None) if i is None else (d, m, i.estimate, (i.low, i.high))
            for (d, m), i in self.intervals.items()
        )
        found = [i for i in self.intervals.values() if i is not None]
        notes = {text for i in found for text in (f"interval: {i.method}", *i.notes)}
        lacking = len(rows) - len(found)
        if lacking:
            notes.add(f"{lacking} without an interval: some of their trials failed or have not run")
        caption = f"{self.measure} of each method on each data set"
        return Table(columns=columns, rows=rows, caption=caption, notes=tuple(sorted(notes)))


def cv_intervals(
    results: Results, *, measure: str | None = None, method: IntervalMethod = "auto", level: float = 0.95
) -> CvIntervals:
    """Confidence intervals of each method's mean score on each data set, by a procedure that fits the resampling.

    - ``"nested"``, for studies with a nested k-fold: Bates, Hastie & Tibshirani's, about the model fitted to all data;
    - ``"clt"``, for one k-fold or leave-one-out: Bayle et al.'s, about the models that were fitted (for one holdout a
      plain t interval over its instances);
    - ``"corrected-t"``, for repeated folds and resamples: Nadeau & Bengio's, about the algorithm.

    ``"auto"`` takes the first of them that the study allows. The first two need predictions, and a measure that is an
    average over instances.
    """
    if not is_one_of(method, METHODS):
        raise UnknownName.among("interval of a cross-validated level", method, METHODS)
    facts = results.measure(measure)
    results = results.with_measures(facts.name)
    found: dict[tuple[str, str], Interval | None] = {}
    for d in results.dataset_names():
        dependence = results.dependence.get(d, Dependence.unknown())
        chosen = _method(results, facts, dependence, method)
        for m in results.method_names():
            if chosen == "nested":
                found[d, m] = nested_interval(results, facts, d, m, level)
            elif chosen == "clt":
                found[d, m] = _clt(results, facts, d, m, level)
            else:
                found[d, m] = _corrected(results, facts, d, m, dependence, level)
    return CvIntervals(facts.name, level, found)


def is_nested(results: Results) -> bool:
    """Whether these are the splits of a nested k-fold, with their predictions."""
    return results.definition is not None and results.definition.resampling["scheme"] == NestedKFold.name


def nested_interval(results: Results, facts: Measure, dataset: str, method: str, level: float) -> Interval | None:
    """The interval of Bates, Hastie & Tibshirani for a nested k-fold; None if a trial failed or has not run."""
    tested = _tested(results, facts, dataset, method)
    if tested is None:
        return None
    losses, own = tested
    return nested_cv_interval(
        losses,
        repeats=own["repeat"].to_numpy(),
        splits=own["fold"].to_numpy(),
        rows=own["instance"].to_numpy(),
        folds=_nested_folds(results),
        level=level,
        quantity=facts.name,
    )


def _nested_folds(results: Results) -> int:
    if results.definition is None:
        raise InputError("the interval of a nested k-fold needs a study that was run with one, got a table")
    return int(results.definition.resampling["folds"])


def _method(results: Results, facts: Measure, dependence: Dependence, wanted: str) -> str:
    stored = results.definition is not None and facts.per_instance
    once = dependence.repeats == 1 and (dependence.disjoint or dependence.folds == 1)
    once = (
        once and not dependence.caution and "grouped" not in dependence.scheme
    )  # rows of a group depend on each other
    possible = {
        "nested": stored and is_nested(results),
        "clt": stored and once,
        "corrected-t": dependence.known,
    }
    if wanted == "auto" and any(possible.values()):
        return next(name for name, is_it in possible.items() if is_it)
    if possible.get(wanted):
        return wanted
    needs = {
        "nested": "a study with a nested k-fold ('10x nested 10-fold') and a measure that is an average over instances",
        "clt": "a study that tests each instance once ('10-fold') and a measure that is an average over instances",
        "corrected-t": "splits whose scheme is known",
        "auto": "splits whose scheme is known",
    }
    raise InputError(
        f"an interval by method {wanted!r} needs {needs[wanted]}, got {facts.name} over {dependence.scheme}"
    )


def _tested(results: Results, facts: Measure, dataset: str, method: str) -> tuple[NDArray[np.float64], Any] | None:
    """The loss of each test of an instance, with its repeat and fold; None if a trial failed or has not run."""
    source = stored_predictions(results)
    own = source.tested(dataset, method)
    return None if own is None else (source.losses_of(facts.name, dataset, method), own)


def _clt(results: Results, facts: Measure, dataset: str, method: str, level: float) -> Interval | None:
    tested = _tested(results, facts, dataset, method)
    if tested is None:
        return None
    losses, own = tested
    folds = own["fold"].to_numpy()
    if (folds == folds[0]).all():  # one test set: its instances are independent evidence of the model
        return mean_interval(losses, level=level, quantity=facts.name)
    return cv_interval(losses, folds=folds, level=level, quantity=facts.name)


def _corrected(
    results: Results, facts: Measure, dataset: str, method: str, dependence: Dependence, level: float
) -> Interval | None:
    scores = results.scores
    own = scores[(scores["dataset"] == dataset) & (scores["method"] == method) & (scores["measure"] == facts.name)]
    values = (
        own.groupby(["repeat", "fold"], sort=False)["value"].agg(lambda v: v.to_numpy().mean()).to_numpy(dtype=float)
    )
    if len(values) < 2 or not np.isfinite(values).all():
        return None
    share, overlap = dependence.test_share, dependence.overlap
    return mean_interval(values, test_share=share, overlap=overlap, level=level, quantity=facts.name)
