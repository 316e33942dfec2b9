"""The tables inside an Outcome's details, such as the table of an analysis of variance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import check_kind
from fairtrial.stats.outcome import Outcome
from fairtrial.stats.procedures import SEVERAL_METHODS, procedure
from fairtrial.tables import Column, Table, formats
from fairtrial.words import quoted


@procedure(question=SEVERAL_METHODS)
def details_table(outcome: Outcome, part: str = "table") -> Table:
    """A table out of the details of an Outcome: the sources of an analysis of variance, or the criteria of a MANOVA.

    ``part`` is one of the keys of ``outcome.details`` that hold rows: ``"table"`` of :func:`anova`,
    :func:`repeated_anova` and :func:`manova`, ``"follow_ups"`` of :func:`manova`, ``"measures"`` of :func:`hotelling`.

    >>> from fairtrial.stats import anova
    >>> print(details_table(anova({"A": [1, 2, 3], "B": [5, 6, 10]})))
    One-way ANOVA
    source          sum of squares  df  mean square       F      p
    between groups           37.50   1        37.50  9.3750  0.038
    within groups            16.00   4       4.0000
    total                    53.50   5
    """
    check_kind("outcome", outcome, Outcome, "the Outcome of a test")
    rows: Any = outcome.details.get(part) if isinstance(part, str) else None
    if not _is_rows(rows):
        known = [key for key, value in outcome.details.items() if _is_rows(value)]
        has = f"which has {quoted(known)}" if known else "which has none"
        raise InputError(f"part must be one of the tables in the details of {outcome.test}, {has}, got {part!r}")
    names = list(rows[0])
    columns = tuple(_column(name, [row.get(name) for row in rows]) for name in names)
    return Table(
        columns=columns, rows=tuple(tuple(row.get(name) for name in names) for row in rows), caption=outcome.test
    )


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _column(name: str, values: list[Any]) -> Column:
    if any(isinstance(value, str) for value in values):
        return Column(name, align="left")
    if name == "p" or name.startswith("p ("):
        return Column(name, formats.p_value)
    return (
        Column(name) if all(isinstance(v, int) or v is None for v in values) else Column(name, formats.significant(4))
    )
