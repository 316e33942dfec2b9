"""The .632 and .632+ estimates of a study's methods, from stored predictions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures import Measure, get
from fairtrial.results.prediction_source import PredictionSource
from fairtrial.results.results import Results
from fairtrial.stats import BootstrapError, bootstrap_error, no_information_rate, out_of_bag_error
from fairtrial.tables import Column, Shown, Table, formats

LOSSES = {"error_rate": ("label", "zero-one"), "mse": ("value", "squared"), "mae": ("value", "absolute")}
"""Measures whose no-information rate is known: of which channel, and by which loss."""


@dataclass(frozen=True, eq=False)
class BootstrapErrors(Shown):
    """The estimates for each data set and method; None, with a note, for a method with a failed trial."""

    measure: str
    errors: Mapping[tuple[str, str], BootstrapError | None]

    def __getitem__(self, place: tuple[str, str]) -> BootstrapError | None:
        return self.errors[place]

    def to_dict(self) -> dict[str, Any]:
        rows = [{"dataset": d, "method": m, **({} if e is None else e.to_dict())} for (d, m), e in self.errors.items()]
        return {"measure": self.measure, "errors": rows}

    def to_table(self) -> Table:
        write = formats.significant(4)
        titles = (".632+", ".632", "out of bag", "apparent", "no information", "overfitting")
        columns = (
            Column("data set", align="left"),
            Column("method", align="left"),
            *(Column(t, write) for t in titles),
        )
        rows = tuple((d, m, *_numbers(e)) for (d, m), e in self.errors.items())
        failed = sum(e is None for e in self.errors.values())
        notes = (f"{failed} without an estimate: some of their trials failed or have not run",) if failed else ()
        return Table(columns=columns, rows=rows, caption=f"{self.measure}, bootstrap estimates", notes=notes)


def _numbers(error: BootstrapError | None) -> tuple[float, ...]:
    if error is None:
        return (math.nan,) * 6
    return (error.plus, error.plain, error.out_of_bag, error.apparent, error.no_information, error.overfitting)


def bootstrap_errors(results: Results, *, measure: str | None = None) -> BootstrapErrors:
    """The .632 and .632+ estimates, from a study that was run with ``".632 bootstrap 200"``.

    The measure must be an error that is an average over instances; by default it is ``error_rate`` for classes and
    ``mse`` for values. The .632+ estimate needs the no-information rate, which is known for these two and for ``mae``;
    other measures get .632 alone.
    """
    bags = _source(results)
    whole = bags.apparent()
    facts = _measure(measure, results, results.dataset_names()[0])
    found: dict[tuple[str, str], BootstrapError | None] = {}
    for d in results.dataset_names():
        n = int(results.datasets[d]["n"])
        for m in results.method_names():
            own = bags.tested(d, m)
            if own is None or whole.tested(d, m) is None:
                found[d, m] = None
                continue
            losses = np.full((int(own["repeat"].max()) + 1, n), np.nan)
            losses[own["repeat"], own["instance"]] = bags.losses_of(facts.name, d, m)
            seen = float(whole.losses_of(facts.name, d, m).mean())
            found[d, m] = bootstrap_error(seen, out_of_bag_error(losses), _no_information(whole, facts, d, m))
    return BootstrapErrors(facts.name, found)


def _source(results: Results) -> PredictionSource:
    scheme = {} if results.definition is None else results.definition.resampling
    if results.source is None or not scheme.get("apparent"):
        raise InputError(
            "these estimates need a study that was run with resampling='.632 bootstrap 200' "
            f"(Bootstrap(200, apparent=True)), got one with {scheme.get('scheme', 'none')!r}"
        )
    return results.source


def _measure(name: str | None, results: Results, dataset: str) -> Measure:
    facts = get(name or ("error_rate" if results.datasets[dataset]["task"] == "classes" else "mse"))
    if not facts.per_instance or facts.higher_is_better:
        raise InputError(
            "measure must be an error that is an average over instances, such as 'error_rate' or 'mae', "
            f"got {facts.name!r}"
        )
    return facts


def _no_information(source: PredictionSource, facts: Measure, dataset: str, method: str) -> float:
    if facts.name not in LOSSES:
        return math.nan
    channel, loss = LOSSES[facts.name]
    predictions = source.predictions(dataset, method)
    return no_information_rate(predictions.truth, predictions.channels[channel], loss=loss)
