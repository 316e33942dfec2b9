"""The mean score of each method on each data set, as results print it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.result_tables.named_tables import table_of
from fairtrial.tables import Table

if TYPE_CHECKING:
    from fairtrial.results import Results

__all__ = ["means"]


@table_of("means")
def means(results: Results, *, measure: str | None = None) -> Table:
    """Means over splits: data sets in rows, methods in columns; nothing is tested."""
    asked = replace(results.question, measure=results.measure(measure).name)
    return replace(results, question=asked).to_table()
