"""The result of testing several effects: estimates with intervals that hold together, p-values, and how they vary."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.adjust import TITLES
from fairtrial.stats.factorial.contrasts import EffectValues
from fairtrial.stats.groups import NOISE
from fairtrial.stats.outcome import Interval, Outcome, bound_if
from fairtrial.stats.score_arrays import BoolArray, FloatArray, method_names, numbers, unit_of
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed, part_of, plural, verb


@dataclass(frozen=True, slots=True)
class Effects(Shown):
    """The effects of factors, tested together: an outcome for each, and intervals that hold for all of them.

    ``outcomes`` are the tests of single effects; ``p_adjusted`` are the p-values for all effects together, and
    ``intervals`` hold together: an interval excludes 0 exactly when the adjusted p-value is below 1 − level.
    ``helps`` has the number of units (data sets or splits) on which an effect improves the score, leaves it, and makes
    it worse; ``spread`` is the standard deviation over units. ``new`` is the range on a new data set, empty for splits.
    ``terms`` has the p-value of each term with several effects (a factor with three or more levels), jointly.
    """

    names: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    p_adjusted: tuple[float, ...]
    intervals: tuple[Interval, ...]
    adjusted: str
    unit: str
    helps: tuple[tuple[int, int, int], ...]
    spread: tuple[float, ...]
    new: tuple[Interval, ...] = ()
    terms: Mapping[str, float] = field(default_factory=dict)
    level: float = 0.95
    notes: tuple[str, ...] = ()

    def active(self) -> BoolArray:
        """Whether the adjusted p-value of each effect is below 1 − level; False where it is undefined."""
        return np.array([p < 1 - self.level for p in self.p_adjusted])

    def helps_on(self, name: str) -> str:
        """On how many units an effect improves the score, in words: "helps on 21 of 24 data sets"."""
        if name not in self.names:
            raise UnknownName.among("effect", name, self.names)
        better, same, worse = self.helps[self.names.index(name)]
        return f"helps on {part_of(better, better + same + worse, self.unit)}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "outcomes": [outcome.to_dict() for outcome in self.outcomes],
            "p_adjusted": list(self.p_adjusted),
            "intervals": [interval.to_dict() for interval in self.intervals],
            "adjusted": self.adjusted,
            "unit": self.unit,
            "helps": [list(counts) for counts in self.helps],
            "spread": list(self.spread),
            "new": [interval.to_dict() for interval in self.new],
            "terms": dict(self.terms),
            "level": self.level,
            "notes": list(self.notes),
        }

    def to_table(self) -> Table:
        """A table with a row for each effect, the largest first."""
        write = formats.significant(4)
        title = TITLES.get(self.adjusted, self.adjusted)
        columns = (
            Column("effect", align="left"),
            Column("estimate", write),
            Column("low", write),
            Column("high", write),
            Column("p", formats.p_value),
            Column(f"p ({title})", formats.p_value, key="p_adjusted"),
            Column("helps on", align="right", key="helps"),
            Column("sd", write),
            Column("", align="left", key="active"),
        )
        family = f"{title}, {plural(len(self.names), 'effect')}"
        mark = f"intervals hold for all effects together; * p ({family}) < {1 - self.level:.3g}"
        joint = [f"{term}, all levels together: {formats.p_equals(p)}" for term, p in self.terms.items()]
        caption = self.outcomes[0].test if self.outcomes else ""
        return Table(columns=columns, rows=tuple(self._rows()), caption=caption, notes=(mark, *joint, *self.notes))

    def _rows(self) -> list[tuple[object, ...]]:
        order = sorted(range(len(self.names)), key=lambda i: -_size(self.intervals[i].estimate))
        rows: list[tuple[object, ...]] = []
        for i in order:
            outcome, interval, p = self.outcomes[i], self.intervals[i], self.p_adjusted[i]
            shown = (bound_if(value, outcome.at_floor) for value in (outcome.p_value, p))
            helped = f"{self.helps[i][0]} of {sum(self.helps[i])}"
            ends = (interval.estimate, interval.low, interval.high)
            rows.append((self.names[i], *ends, *shown, helped, self.spread[i], "*" if p < 1 - self.level else ""))
        return rows


def _size(estimate: float) -> float:
    return abs(estimate) if estimate == estimate else -1.0


def checked_effects(
    effects: npt.ArrayLike | EffectValues, names: Sequence[str] | None, unit: str
) -> tuple[FloatArray, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Check a table of effects (units × effects): the values, their names, their terms, and notes."""
    own: Sequence[str] | None
    terms: tuple[str, ...]
    notes: tuple[str, ...]
    if isinstance(effects, EffectValues):
        values, own, terms, notes = effects.values, names or effects.names, effects.terms, effects.notes
    else:
        values, own, terms, notes = numbers(effects, "effects"), names, (), ()
    if values.ndim != 2 or values.shape[0] < 1 or values.shape[1] < 1:
        raise InputError(
            f"effects must be a table with a row for each {unit} and a column for each effect, got an array of shape "
            f"{values.shape}; FactorialModel.values makes it from scores"
        )
    missing = ~np.isfinite(values)
    if missing.any():
        rows = np.flatnonzero(missing.any(axis=1)).tolist()
        raise InputError(
            f"effects must be finite, but {part_of(int(missing.sum()), missing.size, 'value')} "
            f"{verb(int(missing.sum()), 'is', 'are')} not ({verb(len(rows), 'row', 'rows')} {listed(rows)}); choose a "
            f"failure policy, leave out those {unit}s, or ask for fewer interactions"
        )
    labels = method_names(own, getattr(effects, "columns", [f"effect {j + 1}" for j in range(values.shape[1])]))
    return values, labels, terms or labels, notes


def term_columns(terms: Sequence[str]) -> dict[str, list[int]]:
    """The columns of each term that has several effects."""
    found: dict[str, list[int]] = {}
    for column, term in enumerate(terms):
        found.setdefault(term, []).append(column)
    return {term: columns for term, columns in found.items() if len(columns) > 1}


def spreads(values: FloatArray) -> tuple[float, ...]:
    """The standard deviation of each effect (column) over units; nan for one unit."""
    if len(values) < 2:
        return (math.nan,) * int(values.shape[1])
    unit = unit_of(values)
    spread = (values / unit).std(axis=0, ddof=1) * unit
    noise = np.abs(values).max(axis=0) * NOISE  # of equal values the mean may be off by rounding
    return tuple(np.where(spread > noise, spread, 0.0).tolist())


def units_better(values: FloatArray, *, higher_is_better: bool) -> tuple[tuple[int, int, int], ...]:
    """For each effect (column) the number of units on which it improves the score, leaves it, and makes it worse."""
    signs = np.sign(values) * (1 if higher_is_better else -1)
    return tuple((int((s > 0).sum()), int((s == 0).sum()), int((s < 0).sum())) for s in signs.T)
