"""Two plans side by side: what each costs, and what it can show.

The cost of a plan before it is run: fits and, after a pilot, computing time, with the dearest setting.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design.factors import method_at, of_methods, write_setting
from fairtrial.design.layouts import efficiency
from fairtrial.design.plan_effects import MOST_ROWS, PlannedEffects, models_for
from fairtrial.errors import InputError
from fairtrial.methods.decision_rules import threshold_fits_of
from fairtrial.methods.tuning import inner_fits_of
from fairtrial.tables import Column, Table, formats
from fairtrial.words import plural, shown

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


NO_PILOT = "the computing time needs a pilot of both plans (--pilot, plan(pilot=True))"


def compare_plans(one: Plan, other: Plan, names: tuple[str, str]) -> Table:
    """Two plans side by side; effects and predictions are those of the methods that both plans vary.

    The variance of predictions is that of the largest model that both can estimate.
    """
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(f"names must be two different names, one for each plan, got {shown(names)}")
    rows: list[tuple[object, ...]] = [(label, *values) for label, values in _sizes(one, other).items()]
    notes = [] if one.seconds and other.seconds else [NO_PILOT]
    shared = [e.design.name for e in one.effects if e.design.name in {f.design.name for f in other.effects}]
    for name in shared:
        pair = tuple(next(e for e in plan.effects if e.design.name == name) for plan in (one, other))
        prefix = f"{name}: " if len(shared) > 1 else ""
        rows += [(f"{prefix}{label}", *values) for label, values in _effects(pair[0], pair[1]).items()]
        model = _common_model(pair[0], pair[1])
        if model is not None:
            found = [efficiency(e.design.coded, model) for e in pair]
            rows.append((f"{prefix}average variance of a prediction", *(f.average_variance for f in found)))
            rows.append((f"{prefix}largest variance of a prediction", *(f.largest_variance for f in found)))
            notes.append(f"{prefix}predictions by the model {model!r}, as multiples of the variance of one setting")
    columns = (Column("", align="left", key="property"), *map(Column, names))
    return Table(columns=columns, rows=tuple(rows), caption="two plans", notes=tuple(dict.fromkeys(notes)))


def _sizes(one: Plan, other: Plan) -> dict[str, tuple[object, object]]:
    both = (one, other)
    return {
        "data sets": _pair(len(p.study.datasets) for p in both),
        "settings of methods": _pair(len(p.settings.cells) for p in both),
        "splits": _pair(len(p.splits) for p in both),
        "replicates": _pair(p.study.replicates for p in both),
        "trials": _pair(len(p) for p in both),
        "computing time": _pair(
            math.nan if p.seconds is None else formats.duration(float(seconds_of_rows(p).sum())) for p in both
        ),
        "plan": _pair("all combinations" if p.study.layout is None else p.study.layout.kind for p in both),
    }


def _effects(one: PlannedEffects, other: PlannedEffects) -> dict[str, tuple[object, object]]:
    both = (one, other)
    found = {
        "resolution": _pair(e.resolution for e in both),
        "effects that can be estimated": _pair(f"{e.number} of {len(e.model.contrasts)}" for e in both),
        "of these, mixed with others": _pair(sum(bool(c.aliases) for c in e.model.contrasts) for e in both),
        "data sets needed for any effect": _pair(e.datasets_needed for e in both),
        f"detectable effect, sd over {_unit(one)}": _pair(e.detectable for e in both),
    }
    if _unit(one) != _unit(other):
        del found[f"detectable effect, sd over {_unit(one)}"]  # not the same unit: no comparison
    if one.power is not None and other.power is not None:
        found["smallest power of an effect"] = _pair(min(e.power.power_now) for e in both if e.power)
        found["data sets for power 0.8, at most"] = _pair(math.ceil(max(e.power.needed)) for e in both if e.power)
    return found


def _unit(effects: PlannedEffects) -> str:
    return "data sets" if effects.over_datasets else "splits"


def _common_model(one: PlannedEffects, other: PlannedEffects) -> str | None:
    """The largest model that the settings of both can estimate; None without ranges, or if the factors differ."""
    axes = [[(axis.name, axis.levels) for axis in e.design.coded.axes] for e in (one, other)]
    if axes[0] != axes[1] or not one.design.ranges:
        return None
    if max(len(e.design.coded.rows) for e in (one, other)) > MOST_ROWS:
        return None
    for model in models_for(one.design.coded):
        if not any(math.isnan(efficiency(e.design.coded, model).average_variance) for e in (one, other)):
            return model
    return None


def _pair(values: Iterable[object]) -> tuple[object, object]:
    one, other = values
    return one, other
