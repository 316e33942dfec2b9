"""The cost of a plan before it is run: fits and, after a pilot, computing time, with the dearest setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design.factors import method_at, of_methods, write_setting
from fairtrial.methods.decision_rules import threshold_fits_of
from fairtrial.methods.tuning import inner_fits_of
from fairtrial.tables import formats
from fairtrial.words import plural

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan

NOTABLE = 1.5  # costs of settings that differ by less are not worth a word


def cost_in_words(plan: Plan) -> str:
    """The number of fits, in words; after a pilot, the computing time, with the dearest method and setting."""
    if plan.seconds is None:
        return f"{plan.fits()}; a pilot (--pilot, plan(pilot=True)) estimates how long they take"
    per_row = seconds_of_rows(plan)
    by_method = np.bincount(plan.method, weights=per_row)
    dearest = plan.study.methods[int(by_method.argmax())].name
    total = formats.duration(float(per_row.sum()))
    shared = f"about {total} of computing, divided by the number of workers; most of it for {dearest}"
    return shared + _dearest_setting(plan, per_row)


def seconds_of_rows(plan: Plan) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The expected seconds of each trial; nan without a pilot."""
    if plan.seconds is None:
        return np.full(len(plan), np.nan)
    places = zip(plan.owners.tolist(), plan.method.tolist(), plan.level.tolist(), strict=True)
    return np.array([plan.seconds[place] for place in places])


def _dearest_setting(plan: Plan, per_row: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    """The setting whose trials take longest, in words; empty where methods have no settings."""
    on_methods = {f.name for f in of_methods(plan.study.factors)}
    if not on_methods:
        return ""
    row = int(per_row.argmax())
    dataset, method = plan.study.datasets[int(plan.owners[row])].name, plan.study.methods[int(plan.method[row])].name
    name = write_setting(method, plan.levels[int(plan.level[row])])
    dearest = f"; the dearest trials are those of {name} on {dataset}, {formats.duration(float(per_row[row]))} each"
    return dearest + _span_of_costs(plan, per_row)


def _span_of_costs(plan: Plan, per_row: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    """The cheapest setting of the methods that have settings, and by which factor costs differ; means of all trials."""
    several = [effects.design.method for effects in plan.effects]
    cells, place = np.unique(np.stack([plan.method, plan.level]), axis=1, return_inverse=True)
    means = np.bincount(place.reshape(-1), weights=per_row) / np.bincount(place.reshape(-1))
    own = np.flatnonzero(np.isin(cells[0], several) & (means > 0))
    if len(own) < 2:
        return ""
    low, high = own[means[own].argmin()], own[means[own].argmax()]
    factor = means[high] / means[low]
    if factor < NOTABLE:
        return ""
    name = write_setting(plan.study.methods[int(cells[0, low])].name, plan.levels[int(cells[1, low])])
    return f", the cheapest those of {name}: costs differ by a factor of {_rounded(factor)} between settings"


def _rounded(factor: float) -> str:
    """A factor with two digits, without an exponent."""
    return formats.count(float(f"{factor:.2g}")) if factor >= 10 else f"{factor:.2g}"


def fits_in_words(plan: Plan) -> str:
    """The number of fits, with those that tuning adds, in words."""
    acting = of_methods(plan.study.factors)
    plain = all(inner_fits_of(m.estimator) + threshold_fits_of(m) == 0 for m in plan.study.methods)
    if plain and all(f.values is None for f in acting):  # nothing is tuned, and no level puts in what is
        return plural(len(plan), "fit")
    own = {f.name for f in acting}
    known: dict[tuple[object, ...], int] = {}
    more = 0
    cells, counts = np.unique(np.stack([plan.method, plan.level]), axis=1, return_counts=True)
    for method, level, count in zip(*cells.tolist(), counts.tolist(), strict=True):
        levels = plan.levels[level]
        place = (method, *((n, type(v), v) for n, v in levels.items() if n in own))
        if place not in known:
            made = method_at(plan.study.methods[method], plan.study.factors, levels)
            known[place] = inner_fits_of(made.estimator) + threshold_fits_of(made)
        more += count * known[place]
    return plural(len(plan), "fit") + (f", and up to {formats.count(more)} more for tuning" if more else "")
