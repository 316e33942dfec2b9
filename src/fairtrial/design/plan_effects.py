"""The effects that a plan can show before anything is run: which can be estimated, and how large they must be.

An effect is judged as the difference of two methods is: over data sets by simultaneous intervals, on each data set by
its splits with the corrected variance where the data sets are few or the question is about these.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.design.coded_settings import MethodDesign, designs_of
from fairtrial.design.factors import Factor
from fairtrial.design.layouts import MODELS, CodedRows, Efficiency, efficiency, layout_facts
from fairtrial.design.plan_answers import FEWEST_DATASETS, smallest_p
from fairtrial.errors import InputError
from fairtrial.measures import get

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
