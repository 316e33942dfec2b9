"""The table of an analysis of variance: sources with sums of squares that add up to the total."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from fairtrial.errors import UnknownName
from fairtrial.stats.distributions.fisher_f import f_tail
from fairtrial.stats.factorial.residual_checks import ResidualChecks
from fairtrial.stats.outcome import Interval
from fairtrial.tables import Column, Shown, Table, formats


@dataclass(frozen=True, slots=True)
class Source:
    """A source of variation: sum of squares, degrees of freedom, and the test against its error, if it has one.

    ``error`` is the name of the source that it is tested against. ``f`` is infinite and ``p_value`` nan where that
    error is zero and the source is not; both are nan where a source has no test.
    """

    name: str
    squares: float
    df: int
    f: float = math.nan
    p_value: float = math.nan
    log10_p: float = math.nan
    error: str = ""
    stratum: str = ""

    @property
    def mean_square(self) -> float:
        """The sum of squares over the degrees of freedom; nan without any."""
        return self.squares / self.df if self.df else math.nan

    def scaled(self, unit: float) -> Source:
        """The source in another unit of its sum of squares; the test has none."""
        return replace(self, squares=self.squares * unit)

    def tested(self, error: Source) -> Source:
        """The source with its F-test against another one."""
        if error.df == 0 or self.df == 0:
            return self
        if error.mean_square > 0:
            f = self.mean_square / error.mean_square
            tail = f_tail(f, self.df, error.df)
            p, log10_p = tail.value, tail.log10
        else:
            f, p, log10_p = (math.inf, math.nan, math.nan) if self.squares > 0 else (math.nan, 1.0, 0.0)
        return Source(self.name, self.squares, self.df, f, p, log10_p, error.name, self.stratum)


@dataclass(frozen=True, slots=True)
class AnovaTable(Shown):
    """An analysis of variance: its sources in order, with the total last.

    ``effects`` are means of single effects with intervals that hold together (Bonferroni). ``explained`` is the share
    of the total sum of squares that the model explains (R²). ``residuals`` are checks, where the model leaves
    residuals.
    """

    title: str
    sources: tuple[Source, ...]
    total: Source
    explained: float
    effects: tuple[Interval, ...] = ()
    residuals: ResidualChecks | None = None
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Source:
        found = {source.name: source for source in self.sources}
        if name not in found:
            raise UnknownName.among("source", name, found)
        return found[name]

    def to_dict(self) -> dict[str, Any]:
        names = ("name", "stratum", "squares", "df", "mean_square", "f", "p_value", "log10_p", "error")
        return {
            "title": self.title,
            "sources": [{n: getattr(source, n) for n in names} for source in (*self.sources, self.total)],
            "explained": self.explained,
            "effects": [interval.to_dict() for interval in self.effects],
            "residuals": None if self.residuals is None else self.residuals.to_dict(),
            "notes": list(self.notes),
        }

    def to_table(self) -> Table:
        """The table of sources, as textbooks print it."""
        write = formats.significant(5)
        strata = any(source.stratum for source in self.sources)
        columns = (
            *((Column("stratum", align="left"),) if strata else ()),
            Column("source", align="left"),
            Column("sum of squares", write),
            Column("df"),
            Column("mean square", write),
            Column("F", write),
            Column("p", formats.p_value),
        )
        rows = []
        for source in (*self.sources, self.total):
            test = (source.f, source.p_value) if source.error else (None, None)
            square = None if source is self.total or not source.df else source.mean_square
            row = (source.name, source.squares, source.df, square, *test)
            rows.append((source.stratum, *row) if strata else row)
        checks = () if self.residuals is None else (str(self.residuals),)
        return Table(columns=columns, rows=tuple(rows), caption=self.title, notes=(*checks, *self.notes))
