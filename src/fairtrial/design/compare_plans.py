"""Two plans side by side: what each costs, and what it can show."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fairtrial.design.layouts import efficiency
from fairtrial.design.plan_cost import seconds_of_rows
from fairtrial.design.plan_effects import MOST_ROWS, PlannedEffects, models_for
from fairtrial.errors import InputError
from fairtrial.tables import Column, Table, formats
from fairtrial.words import shown

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan

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
