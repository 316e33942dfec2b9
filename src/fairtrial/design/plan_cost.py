"""The cost of a plan before it is run: fits and, after a pilot, computing time, with the dearest setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design.factors import method_at, of_methods, write_setting
from fairtrial.methods.tuning import inner_fits_of
from fairtrial.tables import formats
from fairtrial.words import plural

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan

__all__ = ["cost_in_words", "fits_in_words"]


def cost_in_words(plan: Plan) -> str:
    """The number of fits, in words; after a pilot, the computing time, with the dearest method and setting."""
    if plan.seconds is None:
        return f"{plan.fits()}; a pilot (--pilot, plan(pilot=True)) estimates how long they take"
    places = zip(plan.owners.tolist(), plan.method.tolist(), plan.level.tolist(), strict=True)
    per_row = np.array([plan.seconds[place] for place in places])
    by_method = np.bincount(plan.method, weights=per_row)
    dearest = plan.study.methods[int(by_method.argmax())].name
    total = formats.duration(float(per_row.sum()))
    shared = f"about {total} of computing, divided by the number of workers; most of it for {dearest}"
    return shared + _dearest_setting(plan, per_row)


def _dearest_setting(plan: Plan, per_row: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    """The setting whose trials take longest, in words; empty where methods have no settings."""
    on_methods = {f.name for f in of_methods(plan.study.factors)}
    if not on_methods:
        return ""
    row = int(per_row.argmax())
    dataset, method = plan.study.datasets[int(plan.owners[row])].name, plan.study.methods[int(plan.method[row])].name
    name = write_setting(method, plan.levels[int(plan.level[row])])
    return f"; the dearest trials are those of {name} on {dataset}, {formats.duration(float(per_row[row]))} each"


def fits_in_words(plan: Plan) -> str:
    """The number of fits, with those that tuning adds, in words."""
    acting = of_methods(plan.study.factors)
    plain = all(inner_fits_of(m.estimator) == 0 for m in plan.study.methods)
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
            known[place] = inner_fits_of(method_at(plan.study.methods[method], plan.study.factors, levels).estimator)
        more += count * known[place]
    return plural(len(plan), "fit") + (f", and up to {formats.count(more)} more for tuning" if more else "")
