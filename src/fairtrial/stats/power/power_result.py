"""The result of a power analysis."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

from fairtrial.stats.outcome import Alternative
from fairtrial.tables import Column, Shown, Table, formats


@dataclass(frozen=True, slots=True)
class Power(Shown):
    """The power of a test: the probability that it finds an effect of a given size with n observations.

    ``power`` is the probability of rejecting the null hypothesis, and ``type_2`` is 1 − power. ``type_1`` is the
    probability of rejecting without any effect; it is below 1 − level for tests of counts. ``type_s`` is the
    probability that a significant estimate has the wrong sign, and ``exaggeration`` (type M) the factor by which it
    overstates the effect on average; both are nan where they don't apply. ``error`` is the Monte Carlo standard error
    of the power.

    >>> from fairtrial.stats import power
    >>> print(power("paired_t", n=20, effect=0.6))
    power 0.7210 to find an effect of 0.6000 with n = 20 pairs (paired_t, two-sided at level 0.95, exact)
      effect: mean difference over the standard deviation of differences
      type I error 0.05000, type II error 0.2790, wrong sign (type S) 4.337e−06
    """

    test: str
    n: int
    effect: float
    power: float
    level: float
    alternative: Alternative = "two-sided"
    method: str = "exact"
    unit: str = ""
    meaning: str = ""
    type_1: float = math.nan
    type_s: float = math.nan
    exaggeration: float = math.nan
    error: float = 0.0
    notes: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def type_2(self) -> float:
        """The type II error: the probability of not finding the effect."""
        return 1 - self.power

    def __str__(self) -> str:
        write = formats.significant(4)
        n = f" with n = {self.n}{' ' if self.unit else ''}{self.unit}" if self.n else ""
        error = f" ± {self.error:.1g}" if self.error else ""
        effect = "" if math.isnan(self.effect) else f" to find an effect of {write(self.effect)}"
        how = f"{self.test}, {self.alternative} at level {self.level:g}, {self.method}"
        rates = (
            ("type I error", self.type_1),
            ("type II error", self.type_2),
            ("wrong sign (type S)", self.type_s),
            ("exaggeration (type M)", self.exaggeration),
        )
        lines = [
            f"power {write(self.power)}{error}{effect}{n} ({how})",
            *([f"effect: {self.meaning}"] if self.meaning else []),
            ", ".join(f"{name} {write(rate)}" for name, rate in rates if not math.isnan(rate)),
            *(f"note: {note}" for note in self.notes),
        ]
        return "\n  ".join(lines)

    def to_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"type_2": self.type_2}

    def to_table(self) -> Table:
        write = formats.significant(4)
        names = ("n", "effect", "power", "type_1", "type_2", "type_s", "exaggeration")
        columns = (Column("test", align="left"), *(Column(n.replace("_", " "), write) for n in names))
        row = (self.test, *(getattr(self, name) for name in names))
        return Table(columns=columns, rows=(row,), caption=self.meaning, notes=self.notes)
