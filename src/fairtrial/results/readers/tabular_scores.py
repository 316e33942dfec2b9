"""A table of scores, whatever its shape: read, checked for text among the scores, and brought into long form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fairtrial.errors import UnknownName
from fairtrial.measures import Measure
from fairtrial.results.provenance import unit_of
from fairtrial.results.readers.long_scores import LongScores
from fairtrial.results.readers.published_columns import published_beside
from fairtrial.results.readers.read_table import read_table
from fairtrial.results.readers.request import Request, Source
from fairtrial.results.readers.score_columns import find_shape
from fairtrial.results.readers.seed_scores import seeds_in
from fairtrial.results.readers.text_cells import refuse_cells
from fairtrial.results.score_measures import UNNAMED, facts_of, is_known_measure, measure_among, same_measure
from fairtrial.words import listed

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_score_table"]

SUMMARIES = ("average", "avg", "avg.", "mean", "median", "rank", "ranks", "average rank", "avg rank", "avg. rank",
             "mean rank", "total", "sum", "wins")  # fmt: skip


def read_score_table(source: Source, request: Request) -> LongScores:
    """The scores of a table in a file or frame, in long form."""
    frame, name, notes = read_table(source, (request.dataset, request.method))
    shape, asked = find_shape(frame, request, name), request.measure
    # Scores that are text are not failed runs: the error names them, unless their method is left out anyway.
    refuse_cells(name, shape.cells(frame, None if request.methods is None else set(request.methods)).texts())
    long = shape.long_form(frame)
    if not shape.names_measures:
        long["measure"] = asked or UNNAMED.name
    facts = _all_facts(long, request, name, named=shape.names_measures)
    return LongScores(
        long if set(long["measure"].unique()) <= set(facts) else long[long["measure"].isin(facts)],
        name,
        facts,
        main=measure_among(facts, asked) if asked and shape.names_measures else next(iter(facts)),
        notes=(*notes, *shape.notes, *_summary_rows(long), *_left_out(long, facts)),
        factors=shape.places.factors,
        published=published_beside(frame, shape, request.sign),
        unit=unit_of(shape.places.dataset),
        seeds_in=seeds_in(shape),
    )


def _all_facts(long: pd.DataFrame, request: Request, source: str, *, named: bool) -> dict[str, Measure]:
    """The facts of all measures of a table.

    If there are several measures, those of unknown direction are left out, except one that was requested. ``named``
    says whether the table names its measures.
    """
    asked, higher = request.measure, request.higher_is_better
    found = list(long["measure"].unique())
    wanted = [m for m in found if asked is None or same_measure(m, asked)]
    if not wanted:
        raise UnknownName.among("measure in this file", asked, found)
    if len(found) > 1:
        found = [m for m in found if is_known_measure(m) or (m in wanted and asked is not None)] or found
    if asked is None and higher is None and not named:
        return {UNNAMED.name: UNNAMED}  # whoever wants a verdict can still name the measure
    return {
        m: facts_of(m, higher if m in wanted else None, asked, long.loc[long["measure"] == m, "value"], source)
        for m in found
    }


def _summary_rows(long: pd.DataFrame) -> list[str]:
    rows = [d for d in long["dataset"].unique() if d.strip().lower() in SUMMARIES]
    return [f"{d!r} was read as a data set; if it sums up the others, remove that row" for d in rows]


def _left_out(long: pd.DataFrame, facts: Mapping[str, Measure]) -> list[str]:
    rest = [m for m in long["measure"].unique() if m not in facts]
    return [f"left out, since it is not known which way is better: {listed(rest)}"] if rest else []
