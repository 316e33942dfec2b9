"""Which factors matter, by how much, what interacts, what to set: effects of factors with their evidence.

Effects one by one, as sentences and tables need them: from which level to which, how large, how sure, where.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.design import Level
from fairtrial.experiments.answer_to import FactorAnswer
from fairtrial.experiments.effects.effect_factors import Setting, VariedFactor
from fairtrial.stats import AnovaTable, Effects, EffectValues, FactorialModel, Interval, Lenth, VarianceShares
from fairtrial.stats.outcome import bound_if
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.designs.decide import Decision, decide
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.words.wording import span_of
from fairtrial.words import listed, part_of, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure


TIMES = " × "
SQUARE = "²"

Span = tuple[str, str]


@dataclass(frozen=True, slots=True)
class EffectRow:
    """An effect: its factors, and for each the level that it goes ``from`` and ``to`` (in ``spans``).

    ``interval`` is positive where the effect helps. ``helps`` has the number of units on which it helps, changes
    nothing and hurts; it is empty for one split. ``within`` is the condition of a nested factor, ``aliases`` are
    effects that the plan can't tell from this one. ``is_shown``: 0 lies outside the interval; ``is_curved``: it is the
    quadratic part of a range.
    """

    name: str
    label: str
    factors: tuple[str, ...]
    spans: tuple[tuple[str, str], ...]
    interval: Interval
    p_value: float
    p_adjusted: float
    helps: tuple[int, ...]
    spread: float
    is_shown: bool
    decision: Decision
    aliases: tuple[str, ...] = ()
    within: str = ""
    is_curved: bool = False

    @property
    def is_main(self) -> bool:
        """Whether it is the effect of one factor, from one level to another."""
        return len(self.factors) == 1 and not self.is_curved

    @property
    def size(self) -> float:
        """The size of the effect; −1 where it is unknown."""
        return abs(self.interval.estimate) if self.interval.estimate == self.interval.estimate else -1.0

    def improving(self) -> EffectRow:
        """The effect in the direction in which it helps: a main effect that hurts goes the other way round."""
        if self.interval.estimate >= 0 or not self.is_main:
            return self
        (low, high), counts = self.spans[0], self.helps[::-1]
        return replace(self, spans=((high, low),), interval=self.interval.negated(), helps=counts)


def effect_rows(
    model: FactorialModel, effects: Effects | Lenth, factors: Sequence[VariedFactor], delta: float | None
) -> tuple[EffectRow, ...]:
    """All effects that can be estimated, in the order of the model."""
    known_spans = {f.name: {**f.spans(), f"{f.name}{SQUARE}": f.spans()[f.name]} for f in factors}
    kept = [c for c in model.contrasts if c.is_estimable]
    terms = {term.name: term.factors for term in model.terms}
    spans = {name: _spans_by_name([known_spans[f] for f in own]) for name, own in terms.items()}
    one_split = isinstance(effects, Lenth)
    intervals = effects.intervals() if isinstance(effects, Lenth) else effects.intervals
    p_joint = effects.p_joint if isinstance(effects, Lenth) else effects.p_adjusted
    p_alone = effects.p_values if isinstance(effects, Lenth) else [o.p_value for o in effects.outcomes]
    shown = effects.active().tolist()
    rows = []
    for i, contrast in enumerate(kept):
        names = terms[contrast.term]
        known = None if math.isnan(intervals[i].low) else intervals[i]
        rows.append(
            EffectRow(
                name=contrast.name,
                label=contrast.label,
                factors=names,
                spans=spans[contrast.term].get(contrast.name, (("", ""),) * len(names)),
                interval=intervals[i],
                p_value=p_alone[i],
                p_adjusted=p_joint[i],
                helps=() if isinstance(effects, Lenth) else effects.helps[i],
                spread=math.nan if isinstance(effects, Lenth) else effects.spread[i],
                is_shown=shown[i],
                decision=decide(known, shown[i], None if one_split else delta, None if one_split else known),
                aliases=contrast.aliases,
                within=contrast.within,
                is_curved=contrast.name == f"{names[0]}{SQUARE}",
            )
        )
    return tuple(rows)


def _spans_by_name(known: Sequence[Mapping[str, Span]]) -> dict[str, tuple[Span, ...]]:
    """The levels that effects of some factors together go from and to, by the names of the effects.

    >>> _spans_by_name([{"depth": ("3", "12")}, {"rate": ("0.1", "1"), "rate²": ("0.1", "1")}])["depth × rate"]
    (('3', '12'), ('0.1', '1'))
    """
    return {
        TIMES.join(name for name, _ in own): tuple(span for _, span in own)
        for own in product(*(each.items() for each in known))
    }


def simple_effects(
    row: EffectRow,
    factors: Mapping[str, VariedFactor],
    settings: Sequence[Setting],
    scores: FloatArray,
    main: float,
) -> tuple[float, float]:
    """The mean effect of the first factor of an interaction at the two levels of the second one.

    It is the difference of mean scores over settings; where a range has no settings at its ends, it is the main effect
    (``main``) less and plus the interaction.
    """
    (low, high), (first, second) = row.spans[0], row.spans[1]
    a, b = (factors[name] for name in row.factors)
    mean = scores.mean(axis=0)

    def cell(x: str, y: str) -> float:
        own = [
            mean[i]
            for i, s in enumerate(settings)
            if a.name in s and b.name in s and a.text(s[a.name]) == x and b.text(s[b.name]) == y
        ]
        return float(np.mean(own)) if own else math.nan

    found = cell(high, first) - cell(low, first), cell(high, second) - cell(low, second)
    if any(math.isnan(value) for value in found):
        return main - row.interval.estimate, main + row.interval.estimate
    return found


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
