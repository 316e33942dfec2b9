"""The rule table as a table: for ``fairtrial list rules`` and the documentation."""

from __future__ import annotations

from fairtrial.tables import Column, Table
from fairtrial.verdict.rules import MANY, RULES

__all__ = ["to_table"]


def to_table() -> Table:
    """All rules, for ``fairtrial list rules``."""
    titles = ("when", "methods", "data sets", "needs", "procedure", "interval", "effect", "why", "reference")
    rows = tuple(
        (
            r.name,
            _span(r.methods),
            _span(r.datasets),
            "known splits" if r.resampled else "instances" if r.instances or r.predictions else "",
            r.procedure,
            r.interval,
            r.effect,
            r.why,
            r.reference,
        )
        for r in RULES
    )
    columns = tuple(Column(t, align="left") for t in titles)
    return Table(columns=columns, rows=rows, caption="rules, the first that fits is taken")


def _span(span: tuple[int, int]) -> str:
    least, most = span
    if most == MANY:
        return f"{least} or more"
    return str(least) if least == most else f"{least}–{most}"
