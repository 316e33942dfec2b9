"""Effects one by one, as sentences and tables need them: from which level to which, how large, how sure, where."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from fairtrial.experiments.effects.effect_factors import Setting, VariedFactor
from fairtrial.stats import Effects, FactorialModel, Interval, Lenth
from fairtrial.verdict.designs.decide import Decision, decide
from fairtrial.verdict.evidence import FloatArray

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
