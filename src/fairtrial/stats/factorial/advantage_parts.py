"""The result of dividing an advantage: the whole, the parts that add up to it, and their interactions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fairtrial.stats.adjust import TITLES
from fairtrial.stats.factorial.effect_results import Effects
from fairtrial.stats.outcome import Interval
from fairtrial.stats.score_arrays import FloatArray
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import plural

WHOLE = "together"


@dataclass(frozen=True, slots=True, eq=False)
class AdvantageParts(Shown):
    """An advantage and its division into components, which are positive where they help.

    ``total`` has the advantage as its only effect, ``parts`` a Shapley value for each of the ``components``, and
    ``interactions`` an index for each pair (None for one component). ``values`` are the parts on each data set or split
    (rows). ``first`` is what each component adds to the base alone, ``last`` what it adds to all the others.
    """

    components: tuple[str, ...]
    total: Effects
    parts: Effects
    interactions: Effects | None
    values: FloatArray
    first: tuple[float, ...]
    last: tuple[float, ...]
    notes: tuple[str, ...] = ()

    @property
    def advantage(self) -> Interval:
        """The whole advantage, with the interval that it has alone."""
        return self.total.intervals[0]

    @property
    def level(self) -> float:
        return self.parts.level

    def order(self) -> list[int]:
        """The components by number, the largest part first."""
        return sorted(range(len(self.components)), key=lambda i: -abs(self.parts.intervals[i].estimate))

    def to_dict(self) -> dict[str, Any]:
        return {
            "components": list(self.components),
            "total": self.total.to_dict(),
            "parts": self.parts.to_dict(),
            "interactions": None if self.interactions is None else self.interactions.to_dict(),
            "values": self.values.tolist(),
            "first": list(self.first),
            "last": list(self.last),
            "notes": list(self.notes),
        }

    def to_table(self) -> Table:
        """The parts, the largest first, then their sum; interactions are a table of their own."""
        write = formats.significant(4)
        columns = (
            Column("component", align="left"),
            Column("part", write),
            Column("low", write),
            Column("high", write),
            Column("p", formats.p_value),
            Column(f"p ({TITLES.get(self.parts.adjusted, self.parts.adjusted)})", formats.p_value, key="p_adjusted"),
            Column("added first", write, key="first"),
            Column("added last", write, key="last"),
            Column("helps on", align="right", key="helps"),
            Column("", align="left", key="shown"),
        )
        rows = [self._row(self.parts, i, (self.first[i], self.last[i])) for i in self.order()]
        whole = self.advantage.estimate
        rows.append(self._row(self.total, 0, (whole, whole), WHOLE))
        notes = dict.fromkeys((*self._marks(), *self.parts.notes, *self.total.notes, *self.notes))
        return Table(columns, tuple(rows), caption=self.parts.outcomes[0].test, notes=tuple(notes))

    def _marks(self) -> tuple[str, ...]:
        if not any(p == p for p in self.parts.p_adjusted):
            return ()
        several = plural(len(self.components), "component")
        return (f"intervals hold for all {several} together, that of the whole by itself; * 0 lies outside",)

    @staticmethod
    def _row(effects: Effects, i: int, beside: tuple[float, float], name: str = "") -> tuple[object, ...]:
        interval, helps = effects.intervals[i], effects.helps[i]
        ends = (interval.estimate, interval.low, interval.high)
        shown = "*" if effects.active()[i] else ""
        p = effects.outcomes[i].p_value, effects.p_adjusted[i]
        return (name or effects.names[i], *ends, *p, *beside, f"{helps[0]} of {sum(helps)}", shown)

    def __str__(self) -> str:
        tables = [self.to_table(), *([] if self.interactions is None else [self.interactions.to_table()])]
        return "\n\n".join(map(str, tables))
