"""The effects that a plan can show before anything is run: which can be estimated, and how large they must be.

An effect is judged as the difference of two methods is: over data sets by simultaneous intervals, on each data set by
its splits with the corrected variance where the data sets are few or the question is about these.

The effects that a plan can show, in a few lines and in full tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.design.factors import Factor, write_levels
from fairtrial.design.layouts import (
    MODELS,
    CodedRows,
    Efficiency,
    alias_structure,
    design_space,
    efficiency,
    layout_facts,
)
from fairtrial.design.plan_answers import FEWEST_DATASETS, smallest_p
from fairtrial.design.setting_rows import MethodDesign, designs_of
from fairtrial.errors import InputError
from fairtrial.measures import get
from fairtrial.tables import Column, Table, formats
from fairtrial.words import from_to, listed, plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fairtrial.design.plan import Plan
    from fairtrial.stats import EffectPower, EffectValues, FactorialModel


POWER = 0.8
TIMES = " × "
MOST_ROWS = 2000  # settings of which the variance of a prediction is computed
MOST_CHANGES = 1_000_000  # numbers in the contrasts of an interaction of two lists of levels


@dataclass(frozen=True, eq=False)
class PlannedEffects:
    """The effects of the factors on one method, as a plan can judge them."""

    plan: Plan
    design: MethodDesign

    @cached_property
    def model(self) -> FactorialModel:
        """All effects as contrasts: with interactions of two factors where main effects can be told from them."""
        return self._judged[0]

    @property
    def mains_only(self) -> bool:
        """Whether factors could interact, but no interaction can be estimated apart from main effects."""
        return self._judged[1]

    @cached_property
    def _judged(self) -> tuple[FactorialModel, bool]:
        return model_of(self.design)

    @property
    def number(self) -> int:
        """The number of effects on this method that can be estimated."""
        return sum(contrast.is_estimable for contrast in self.model.contrasts)

    @cached_property
    def together(self) -> int:
        """The number of effects that are judged together, as ``Results.effects`` does it.

        There, methods are a factor if they are several, and factors of the training data count, too.
        """
        return max(self.number, _judged_together(self.plan))

    @property
    def over_datasets(self) -> bool:
        """Whether effects are judged over data sets; else on each of them."""
        return len(self.plan.study.datasets) >= FEWEST_DATASETS and self.plan.study.question.domains != "these"

    @property
    def level(self) -> float:
        """The level of the test of one effect, by Bonferroni's rule over all of them."""
        return 1 - (1 - self.plan.study.question.level) / max(1, self.together)

    @property
    def datasets_needed(self) -> int:
        """The smallest number of data sets with which an effect can be shown at all."""
        return datasets_needed(self.together, self.plan.study.question.level)

    @property
    def can_show(self) -> bool:
        """Whether some effect could be shown: always, if each data set is judged by itself."""
        return self.number > 0 and (not self.over_datasets or len(self.plan.study.datasets) >= self.datasets_needed)

    @cached_property
    def detectable(self) -> float:
        """The effect that is found with power 0.8, in standard deviations over data sets (or over splits).

        nan where no effect can be shown, or where the splits of a data set can't be tested.
        """
        from fairtrial.stats import minimum_detectable

        if not self.can_show:
            return math.nan
        try:
            if self.over_datasets:
                n = len(self.plan.study.datasets)
                return minimum_detectable("wilcoxon", n=n, power=POWER, level=self.level).effect
            splits, share = self._splits()
            return minimum_detectable("corrected_t", n=splits, power=POWER, level=self.level, test_share=share).effect
        except InputError:  # even the largest effect is not found, or the splits can't be tested
            return math.nan

    def _splits(self) -> tuple[int, float]:
        """The splits of the data set with the fewest, and the share of test instances that has its correction."""
        plan = self.plan
        counts = np.bincount(plan.dataset_of_split)
        fewest = int(counts.argmin())
        known = plan.study.resampling.dependence(plan.study.datasets[fewest]).counted(int(counts[fewest]))
        ratio = known.overlap * known.test_share / (1 - known.test_share)
        return int(counts[fewest]), ratio / (1 + ratio)

    def needed_for(self, effect: float) -> int:
        """The data sets that it takes to find an effect of so many standard deviations over data sets."""
        from fairtrial.stats import sample_size

        found = sample_size("wilcoxon", effect=effect, power=POWER, level=self.level)
        return max(FEWEST_DATASETS, self.datasets_needed, math.ceil(found.n))

    @cached_property
    def pilot(self) -> EffectValues | None:
        """The effects in the pilot, a row for each data set; None without a pilot of two data sets or more."""
        scores = self._pilot_scores()
        if scores is None or len(scores) < 2 or not self.number:
            return None
        found = self.model.values(scores)
        return None if np.isnan(found.values).any() else found

    def _pilot_scores(self) -> NDArray[np.float64] | None:
        """The scores of the pilot, data sets × settings: means over the levels of blocks."""
        scores = self.plan.pilot_scores
        if scores is None:
            return None
        design = self.design
        table = np.array(
            [
                [
                    _mean([scores.get((d, design.method, level), math.nan) for level in levels])
                    for levels in design.levels
                ]
                for d in range(len(self.plan.study.datasets))
            ]
        )
        known = np.asarray(table[~np.isnan(table).all(axis=1)], dtype=np.float64)
        return np.log(known) if self.by_ratio and (known[~np.isnan(known)] > 0).all() else known

    @property
    def by_ratio(self) -> bool:
        """Whether effects are ratios: those of the pilot are then differences of logarithms."""
        return get(self.plan.study.measures[0]).compare == "log-ratio"

    @cached_property
    def power(self) -> EffectPower | None:
        """The power of each effect by the pilot's spread, for the smallest difference that matters; None without."""
        from fairtrial.stats import effect_power

        study = self.plan.study
        smallest = study.question.delta_for(study.measures[0])
        if self.pilot is None or smallest is None or not smallest > 0 or not self.over_datasets:
            return None
        if self.by_ratio and any(score <= 0 for score in (self.plan.pilot_scores or {}).values()):
            return None  # a score of 0 has no ratio
        smallest = math.log1p(smallest) if self.by_ratio else smallest
        return effect_power(self.pilot, smallest=smallest, power=POWER, level=study.question.level)

    @cached_property
    def predicted(self) -> tuple[str, Efficiency] | None:
        """The largest model that the settings can estimate, and the variance of its predictions; only with ranges."""
        if not self.design.ranges or len(self.design.coded.rows) > MOST_ROWS:
            return None
        for model in models_for(self.design.coded):
            found = efficiency(self.design.coded, model)
            if not math.isnan(found.average_variance):
                return model, found
        return None

    @cached_property
    def resolution(self) -> object:
        """The resolution of a two-level design: a number, or "full"; nan where it is not defined."""
        if len(self.design.coded.rows) > MOST_ROWS or np.isnan(self.design.coded.rows).any():
            return math.nan
        return layout_facts(self.design.coded)["resolution"]

    def to_dict(self) -> dict[str, Any]:
        """What is known of the effects as plain data."""
        predicted = self.predicted
        return {
            "method": self.design.name,
            "settings": len(self.design.coded.rows),
            "resolution": _plain(self.resolution),
            "effects": [
                {"name": c.name, "within": c.within, "mixed_with": list(c.aliases), "estimable": c.is_estimable}
                for c in self.model.contrasts
            ],
            "estimable": self.number,
            "judged": "over data sets" if self.over_datasets else "on each data set",
            "datasets_needed": self.datasets_needed,
            "detectable_in_sd": _plain(self.detectable),
            "power": None if self.power is None else self.power.to_dict(),
            "prediction_variance": None
            if predicted is None
            else {
                "model": predicted[0],
                "average": predicted[1].average_variance,
                "largest": predicted[1].largest_variance,
            },
        }


def planned_effects(plan: Plan) -> tuple[PlannedEffects, ...]:
    """The effects of the factors on each method whose parameters or steps are varied; empty where there are none."""
    return tuple(PlannedEffects(plan, design) for design in designs_of(plan))


def _judged_together(plan: Plan) -> int:
    """The number of effects of all factors that vary in a plan, methods being one of them; 0 if they are thousands."""
    from fairtrial.stats import factorial_model

    methods = plan.study.methods
    cells = sorted(set(zip(plan.method.tolist(), plan.level.tolist(), strict=True)))
    settings = [{"method": methods[m].name} | plan.levels[i] for m, i in cells if not methods[m].yardstick]
    names = dict.fromkeys(name for setting in settings for name in setting)
    ranges = {f.name for f in plan.study.factors if isinstance(f, Factor) and f.ends}
    given = {name: [setting.get(name) for setting in settings] for name in names}
    columns = {
        name: own if name in ranges else [None if level is None else str(level) for level in own]
        for name, own in given.items()
        if len(set(own)) > 1
    }
    for order in range(min(2, len(columns)), 0, -1):
        try:
            model = factorial_model(columns, interactions=order)
        except InputError:
            continue
        if all(c.is_estimable for c in model.contrasts if c.term in columns):
            return len(model.contrasts)
    return 0


def datasets_needed(effects: int, level: float) -> int:
    """The smallest number of data sets with which one of so many effects can be shown, at least 6.

    By hand: 7 effects need 2^(1 − n) · 7 < 0.05, so n = 9.

    >>> datasets_needed(1, 0.95), datasets_needed(7, 0.95), datasets_needed(31, 0.95)
    (6, 9, 11)
    """
    n = FEWEST_DATASETS
    while smallest_p(n) * effects >= 1 - level:
        n += 1
    return n


def model_of(design: MethodDesign) -> tuple[FactorialModel, bool]:
    """The effects of a design: main effects, and interactions of two factors where main effects can be told from them.

    Layouts in which they can't (one factor at a time, some of Plackett and Burman's) have main effects alone, and so
    have designs with thousands of interactions. The truth value says whether all interactions were left out.
    """
    from fairtrial.stats import factorial_model

    columns, levels = design.columns(), design.listed_levels()
    left_out = False
    if len(columns) > 1:
        try:
            found = factorial_model(columns, interactions=2, levels=levels)
        except InputError:  # thousands of interactions
            left_out = True
        else:
            mains = [c for c in found.contrasts if TIMES not in c.term and not c.term.endswith("²")]
            exist = any(TIMES in text for text in (*(c.term for c in found.contrasts), *found.notes))
            if all(c.is_estimable for c in mains):
                return found, exist and not any(TIMES in c.term for c in found.contrasts)
            left_out = exist
    return factorial_model(columns, interactions=1, levels=levels), left_out


def models_for(coded: CodedRows) -> tuple[str, ...]:
    """The models whose predictions are looked at, the largest first; interactions of long lists would be too many."""
    pairs = sorted(axis.levels * (axis.levels - 1) // 2 * (axis.levels - 1) for axis in coded.axes if axis.levels)
    return tuple(reversed(MODELS)) if math.prod(pairs[-2:]) <= MOST_CHANGES else MODELS[:1]


def _mean(values: list[float]) -> float:
    known = [v for v in values if not math.isnan(v)]
    return sum(known) / len(known) if known else math.nan


def _plain(value: object) -> object:
    return None if isinstance(value, float) and math.isnan(value) else value


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
