"""The effects that a plan can show, in a few lines and in full tables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.design.factors import write_levels
from fairtrial.design.layouts import alias_structure, design_space
from fairtrial.design.plan_effects import POWER, TIMES, PlannedEffects, models_for
from fairtrial.tables import Column, Table, formats
from fairtrial.words import from_to, listed, plural

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan
    from fairtrial.stats import EffectPower

MOST_METHODS = 3  # methods whose effects are printed
MOST_CHAINS = 5  # alias chains that are printed
HALF = 0.5  # a medium effect, in standard deviations over data sets
MODEL_WORDS = {
    "main": "main effects",
    "interactions": "main effects and interactions",
    "quadratic": "main effects, interactions and curvature",
}


def effect_facts(plan: Plan) -> tuple[tuple[str, str], ...]:
    """What is known of effects before the run, line by line; nothing where no factor acts on a method."""
    lines = [line for effects in plan.effects[:MOST_METHODS] for line in _facts(effects)]
    if more := plan.effects[MOST_METHODS:]:
        lines.append(("effects", f"those of {listed([e.design.name for e in more])} are in layout_tables()"))
    return tuple(lines)


def _facts(effects: PlannedEffects) -> Iterator[tuple[str, str]]:
    yield "effects", _estimable(effects)
    if not any("is mixed with" in note for note in effects.plan.settings.notes):
        yield from (("effects", chain) for chain in _chains(effects))
    if effects.number:
        yield "power", _power(effects)
    if effects.predicted is not None:
        model, found = effects.predicted
        write = formats.significant(2)
        yield (
            "predict",
            f"the variance of a predicted score is {write(found.average_variance)} times that of one setting on "
            f"average, {write(found.largest_variance)} at most ({MODEL_WORDS[model]})",
        )


def _estimable(effects: PlannedEffects) -> str:
    contrasts = effects.model.contrasts
    pairs = sum(TIMES in c.term for c in contrasts if c.is_estimable)
    curved = sum(c.term.endswith("²") for c in contrasts if c.is_estimable)
    kinds = [
        plural(effects.number - pairs - curved, "main effect"),
        *([plural(pairs, "interaction")] if pairs else []),
        *([f"{curved} of curvature"] if curved else []),
    ]
    known = effects.resolution
    resolution = "" if isinstance(known, float) or known == "full" else f"; resolution {known}"
    text = f"{effects.design.name}: {listed(kinds)} can be estimated from {len(effects.design.coded.rows)} settings"
    lost = [c.name for c in contrasts if not c.is_estimable]
    if lost:
        text += f", but not {listed(lost)}"
    if effects.mains_only:
        text += "; interactions of factors can't be, and may distort the main effects"
    return text + resolution


def _chains(effects: PlannedEffects) -> Iterator[str]:
    mixed = [c for c in effects.model.contrasts if c.aliases]
    for contrast in mixed[:MOST_CHAINS]:
        yield f"{contrast.name} is mixed with {' '.join(contrast.aliases).removeprefix('+ ')}"
    if len(mixed) > MOST_CHAINS:
        yield f"{plural(len(mixed) - MOST_CHAINS, 'other effect')} are mixed with others, too (layout_tables())"


def _power(effects: PlannedEffects) -> str:
    n = plural(len(effects.plan.study.datasets), "data set")
    if not effects.over_datasets:
        return _power_on_splits(effects)
    if effects.power is not None:
        smallest = effects.power.smallest
        return _by_the_pilot(effects.power, n, _percent(smallest, 6) if effects.by_ratio else f"{smallest:g}")
    takes = f"an effect of half a standard deviation over data sets takes {effects.needed_for(HALF)} data sets"
    if not effects.can_show:
        return f"none with {n}: {plural(effects.together, 'effect')} take at least {effects.datasets_needed}; {takes}"
    if effects.pilot is not None:
        sizes = [effects.detectable * float(s) for s in effects.pilot.values.std(axis=0, ddof=1)]
        write = (lambda size: _percent(size, 2)) if effects.by_ratio else formats.significant(2)
        least, most = (effects.pilot.names[sizes.index(end(sizes))] for end in (min, max))
        spans = f"{write(min(sizes))} ({least}) to {write(max(sizes))} ({most})"
        return f"by the pilot's spread over data sets, {n} find effects of {spans} with power {POWER:g}"
    return (
        f"{n} find an effect of {effects.detectable:.2g} standard deviations over data sets (power {POWER:g}); {takes}"
    )


def _percent(log_ratio: float, digits: int) -> str:
    """The size of an effect that is a ratio: by how many percent."""
    return f"{100 * math.expm1(log_ratio):.{digits}g} %"


def _by_the_pilot(found: EffectPower, n: str, size: str) -> str:
    """The power and the data sets needed by the pilot, of all effects in one sentence."""
    low, high = (formats.percent(end(found.power_now)) for end in (min, max))
    chances = low if low == high else from_to(low, high)
    hardest = found.names[max(range(len(found.names)), key=lambda i: found.needed[i])]
    most, least = max(found.needed), min(found.needed)
    takes = f"{least:.0f} to {most:.0f} data sets, most for {hardest}" if least < most else f"{most:.0f} data sets"
    return (
        f"by the pilot's spread over data sets, {n} find an effect of {size} with probability {chances}; "
        f"power {found.power:g} takes {takes} (up to {max(found.needed_up_to):.0f}: the pilot's spread is uncertain, "
        "and has that of its single splits in it)"
    )


def _power_on_splits(effects: PlannedEffects) -> str:
    if math.isnan(effects.detectable):
        return "the splits of a data set can't show effects here: choose a resampling with more splits"
    return (
        f"on one data set, its splits find an effect of {effects.detectable:.2g} standard deviations over splits "
        f"(power {POWER:g}, corrected variance, {plural(effects.together, 'effect')})"
    )


def effect_tables(plan: Plan) -> tuple[Table, ...]:
    """All tables on the effects of a plan, method by method: effects, aliases, power, variance of predictions."""
    return tuple(table for effects in plan.effects for table in _tables(effects))


def _tables(effects: PlannedEffects) -> Iterator[Table]:
    name, coded = effects.design.name, effects.design.coded
    yield _titled(effects.model.to_table(), name)
    if len(models_for(coded)) > 1 and (aliases := alias_structure(coded).to_table()).rows:
        yield _titled(aliases, name)
    if effects.power is not None:
        yield _titled(effects.power.to_table(), f"{name}, log ratios" if effects.by_ratio else name)
    if effects.predicted is not None:
        yield _titled(design_space(coded, effects.predicted[0]).to_table(), name)
    if effects.plan.seconds is not None:
        yield _costs(effects)


def _costs(effects: PlannedEffects) -> Table:
    """The seconds of one trial at each setting, the dearest first: means over data sets and blocks."""
    seconds, design = effects.plan.seconds or {}, effects.design
    by_level: dict[int, list[float]] = {}
    for (_, method, level), cost in seconds.items():
        if method == design.method:
            by_level.setdefault(level, []).append(cost)
    rows = []
    for levels in design.levels:
        known = [cost for level in levels for cost in by_level[level]]
        names = [f.name for f in design.factors]
        setting = {n: v for n, v in effects.plan.levels[levels[0]].items() if n in names}
        rows.append((write_levels(setting), sum(known) / len(known)))
    columns = (Column("setting", align="left"), Column("one trial", formats.duration, key="seconds"))
    ordered = tuple(sorted(rows, key=lambda row: -row[1]))
    return Table(columns=columns, rows=ordered, caption=f"{design.name}: cost by the pilot, means over data sets")


def _titled(table: Table, name: str) -> Table:
    return replace(table, caption=f"{name}: {table.caption}")
