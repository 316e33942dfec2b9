"""The result of comparing several methods: an Outcome for each pair, and p-values adjusted for the number of pairs."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairtrial.stats.multiplicity import TITLES
from fairtrial.stats.outcome import Interval, Outcome, bound_if
from fairtrial.stats.score_arrays import BoolArray
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import plural


def all_pairs(k: int) -> list[tuple[int, int]]:
    """All pairs of k methods, in the order in which every table and every result lists them.

    >>> all_pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(itertools.combinations(range(k), 2))


@dataclass(frozen=True, slots=True)
class Comparisons(Shown):
    """One :class:`Outcome` for each pair of methods, and the p-values adjusted for the number of pairs.

    A positive effect means that the first method of the pair has the larger scores, whether or not larger is better.
    The outcomes' own p-values and intervals are those of one comparison; ``p_adjusted`` decides which pairs are
    called different, and ``adjusted`` names the adjustment. Some procedures have simultaneous intervals, which hold
    for all pairs together: they are in ``simultaneous``, and tables show them instead of the outcomes' own.
    """

    names: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    outcomes: tuple[Outcome, ...]
    p_adjusted: tuple[float, ...]
    adjusted: str
    level: float = 0.95
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    simultaneous: tuple[Interval, ...] = ()

    def different(self) -> BoolArray:
        """Symmetric matrix that is True where the adjusted p-value of two methods is below 1 − level.

        It is False for pairs that were not compared.
        """
        matrix = np.zeros((len(self.names), len(self.names)), dtype=np.bool_)
        for (i, j), p in zip(self.pairs, self.p_adjusted, strict=True):
            matrix[i, j] = matrix[j, i] = p < 1 - self.level
        return matrix

    def to_dict(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "pairs": [list(pair) for pair in self.pairs],
            "outcomes": [outcome.to_dict() for outcome in self.outcomes],
            "p_adjusted": list(self.p_adjusted),
            "adjusted": self.adjusted,
            "level": self.level,
            "notes": list(self.notes),
            "details": dict(self.details),
            "simultaneous": [interval.to_dict() for interval in self.simultaneous],
        }

    def to_table(self) -> Table:
        """A table with a row for each pair: effect, interval, p, adjusted p, and a star where the methods differ."""
        write = formats.significant(4)
        columns = (
            Column("first", align="left"),
            Column("second", align="left"),
            Column("effect", write),
            Column("low", write),
            Column("high", write),
            Column("p", formats.p_value),
            Column(f"p ({self._title()})", formats.p_value, key="p_adjusted"),
            Column("", align="left", key="different"),
        )
        intervals = "hold for all pairs together" if self.simultaneous else "are per comparison"
        family = f"{self._title()}, {plural(len(self.pairs), 'comparison')}"
        mark = f"intervals {intervals}; * p ({family}) < {1 - self.level:.3g}"
        return Table(columns=columns, rows=tuple(self._rows()), caption=self._caption(), notes=(mark, *self.notes))

    def _title(self) -> str:
        return TITLES.get(self.adjusted, self.adjusted)

    def _rows(self) -> list[tuple[object, ...]]:
        rows: list[tuple[object, ...]] = []
        effects = self.simultaneous or [outcome.effect for outcome in self.outcomes]
        for (i, j), outcome, p, e in zip(self.pairs, self.outcomes, self.p_adjusted, effects, strict=True):
            bounds = (None, None, None) if e is None else (e.estimate, e.low, e.high)
            star = "*" if p < 1 - self.level else ""
            shown = (bound_if(value, outcome.at_floor) for value in (outcome.p_value, p))
            rows.append((self.names[i], self.names[j], *bounds, *shown, star))
        return rows

    def _caption(self) -> str:
        if not self.outcomes:
            return "no pairs"
        first = self.outcomes[0]
        return first.test if first.effect is None else f"{first.test}: {first.effect.quantity}, first minus second"


POOL_NOTE = (
    "ranks are shared by all methods, so that the result for two methods depends on which others are compared; "
    "pairwise Wilcoxon tests do not depend on them (Benavoli, Corani & Mangili 2016)"
)
