"""The table of means, which is what results print."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairtrial.design import write_levels
from fairtrial.resampling import score_unit
from fairtrial.results.failure_policy import means_of
from fairtrial.results.score_measures import UNNAMED, is_unnamed
from fairtrial.tables import Column, Table, formats

if TYPE_CHECKING:
    from fairtrial.results.results import Results


def mean_table(results: Results) -> Table:
    """Means of the question's measure, after the failure policy: data sets in rows, methods in columns."""
    facts = results.measures[UNNAMED.name] if is_unnamed(results.measures) else results.measure()
    write, methods = formats.significant(4), list(results.method_names())
    rows: list[tuple[object, ...]] = []
    notes: dict[str, None] = {}
    for levels in results.levels():
        own = results.at(levels) if levels else results
        means, remarks = means_of(own, facts)
        place = (write_levels(levels),) if levels else ()
        names = dict.fromkeys(dataset for dataset, _ in means)
        rows += [(*place, name, *(means.get((name, m), math.nan) for m in methods)) for name in names]
        notes |= dict.fromkeys(f"{write_levels(levels)}: {note}" if levels else note for note in remarks)
    titles = ("level", "data set") if results.factors else ("data set",)
    columns = (*(Column(n, align="left") for n in titles), *(Column(m, write) for m in methods))
    caption = f"{facts.name}, mean over {score_unit(results.dependence.values())}s, per data set"
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=tuple(notes))
