"""Which factors matter, by how much, what interacts, what to set: effects of factors with their evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairtrial.design import Level
from fairtrial.experiments.effects.effect_factors import VariedFactor
from fairtrial.experiments.effects.effect_rows import EffectRow
from fairtrial.experiments.factor_answer import FactorAnswer
from fairtrial.stats import AnovaTable, Effects, EffectValues, FactorialModel, Lenth, VarianceShares
from fairtrial.stats.outcome import bound_if
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.words.wording import span_of
from fairtrial.words import listed, part_of, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, kw_only=True)
class FactorEffects(FactorAnswer):
    """The effects of factors on a measure; ``print`` shows them, ``figure`` draws them.

    ``kind`` says what the effects were judged over. ``scores`` has a row for each of the ``units`` (data sets, or
    splits of one data set) and a column for each of the ``settings``, on the scale of comparison: the measure itself,
    or its logarithm where ratios are compared (``as_ratio``). ``values`` and ``effects`` are positive where an effect
    *improves* the measure, so that they are those of −scores where lower is better. ``factors`` are the names of the
    factors, in order; ``method`` is one of them if several methods have settings. A nested factor is absent from the
    settings in which it does not exist.

    Two to five data sets are judged one by one: ``parts`` has the effects on each, whose intervals hold for all of them
    together. ``scores`` then are the means on the data sets, and ``effects`` are not tested.
    """

    name = "effects"

    settings: tuple[Mapping[str, Level], ...]
    scores: FloatArray
    model: FactorialModel
    values: EffectValues
    effects: Effects | Lenth
    varied: tuple[VariedFactor, ...]
    rows: tuple[EffectRow, ...]
    anova: AnovaTable | None = None
    shares: VarianceShares | None = None
    parts: Mapping[str, FactorEffects] = field(default_factory=dict)

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of the factors, in order."""
        return tuple(f.name for f in self.varied)

    def active(self) -> tuple[str, ...]:
        """The names of the effects that are shown, the largest first; with data sets where each is judged by itself."""
        if self.parts:
            return tuple(f"{name} on {dataset}" for dataset, part in self.parts.items() for name in part.active())
        return tuple(row.label for row in sorted(self.rows, key=lambda r: -r.size) if row.is_shown)

    def to_table(self) -> Table:
        """A row for each effect, the largest first: from which level to which, size, interval, p, where it helps."""
        words = self.words
        several = (Column("data set", align="left"),) if self.parts else ()
        columns = (
            *several,
            Column("effect", align="left"),
            Column("from", align="left"),
            Column("to", align="left"),
            Column("change", words.difference),
            Column(self._interval_title(), formats.span(words.difference), key="interval"),
            Column("p", formats.p_value),
            Column(self._p_title(), formats.p_value, key="p_adjusted"),
            Column("helps on", align="right", key="helps"),
            Column("sd", formats.significant(3), key="spread"),
            Column("", align="left", key="mark"),
        )
        if self.parts:
            rows = [(name, *row) for name, part in self.parts.items() for row in part.cells()]
        else:
            rows = list(self.cells())
        caption = f"effects on {words.name}, {self._over()}"
        return Table(columns=columns, rows=tuple(rows), caption=caption)

    def cells(self) -> Iterator[tuple[object, ...]]:
        """The rows of the table."""
        words = self.words
        for row in sorted(self.rows, key=lambda r: -r.size):
            shown = words.as_measured(row.interval)
            helps = f"{row.helps[0]} of {sum(row.helps)}" if row.helps else None
            low, high = row.spans[0] if row.is_main else ("", "")
            floor = row.p_adjusted <= 1e-12
            yield (
                row.label,
                low,
                high,
                shown.estimate,
                span_of(shown),
                row.p_value,
                bound_if(row.p_adjusted, floor),
                helps,
                None if math.isnan(row.spread) else row.spread,
                "*" if row.is_shown else "",
            )

    def _interval_title(self) -> str:
        return f"{100 * self.question.level:g} % interval"

    def _p_title(self) -> str:
        if isinstance(self.effects, Lenth):
            return "p (all effects)"
        return "p (joint flips)" if self.kind == "over data sets" else "p (Bonferroni)"

    def _over(self) -> str:
        if self.parts:
            return f"on each of {plural(len(self.parts), 'data set')}"
        if self.kind == "one split":
            return "on one split"
        return f"over {plural(len(self.units), self.unit)}"

    def explanations(self) -> tuple[tuple[str, str], ...]:
        """What the columns of the table mean, by their titles."""
        m = sum(len(part.rows) for part in self.parts.values()) if self.parts else len(self.rows)
        times = "×: an interaction, half the difference between the effects of one factor at two levels of the other"
        effect = [*((times,) if any(len(row.factors) > 1 for row in self.rows) else ()), *self.model.notes]
        sd = f"the standard deviation of the effect over {self.unit}s{', on the log scale' if self.as_ratio else ''}"
        return (
            *((("effect", "; ".join(effect)),) if effect else ()),
            ("change", f"what the measure itself does{', as a ratio (×)' if self.as_ratio else ''}"),
            (self._interval_title(), f"holds for all {plural(m, 'effect')} together; * 0 lies outside"),
            ("p", "that of each effect by itself"),
            (self._p_title(), "adjusted for all of them"),
            ("helps on", f"the {self.unit}s on which the change is for the better"),
            ("sd", sd),
        )

    def more_tables(self) -> tuple[Table, ...]:
        """The analysis of variance with strata and the shares of the variance, where there are any."""
        found = [] if self.anova is None else [self.anova.to_table()]
        return (*found, *(() if self.shares is None else (self.shares.to_table(),)))

    def found_data(self) -> dict[str, Any]:
        """The factors, their settings, and the effects."""
        return {
            "kind": self.kind,
            "factors": {f.name: list(f.levels) for f in self.varied},
            "uncontrollable": [f.name for f in self.varied if not f.controllable],
            "settings": [dict(setting) for setting in self.settings],
            "scores": self.scores.tolist(),
            "active": list(self.active()),
            "effects": self.effects.to_dict(),
            "decisions": {row.label: row.decision for row in self.rows},
            "anova": None if self.anova is None else self.anova.to_dict(),
            "variance_shares": None if self.shares is None else self.shares.to_dict(),
            "parts": {name: part.to_dict() for name, part in self.parts.items()},
        }

    def figure(self, kind: str = "pareto_effects") -> Figure:
        """Draw the effects: ``"pareto_effects"``, ``"half_normal"``, ``"main_effects"`` or ``"interactions"``."""
        return self.results.figure(kind, measure=self.measure.name)

    def __repr__(self) -> str:
        shown = len(self.active())
        return f"FactorEffects({self.kind}, {listed(self.factors)}: {part_of(shown, len(self.rows), 'effect')} shown)"
