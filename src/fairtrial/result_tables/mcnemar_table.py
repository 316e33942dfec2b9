"""McNemar's tests of pairs of methods, on the instances of each data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.result_tables.named_tables import table_of
from fairtrial.tables import Table

if TYPE_CHECKING:
    from fairtrial.results import Results

EXPLAIN = (
    "Each row compares two methods on one data set. Instances on which both are right, or both wrong, say nothing "
    "about which is better; the test asks whether those on which only one is right are divided as by tossing a coin. "
    "The difference is that of the two accuracies, first minus second."
)


@table_of("mcnemar")
def mcnemar_table(
    results: Results,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    level: float | None = None,
) -> Table:
    """How often both, one or none of two methods are right, with McNemar's test."""
    return replace(results.mcnemar(*(methods or ()), dataset=dataset, level=level).to_table(), explain=EXPLAIN)
