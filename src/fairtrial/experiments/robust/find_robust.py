"""From results with factors to the setting that is robust over data sets and uncontrollable conditions.

The most robust setting, beside the one that the mean would have chosen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.choices import CRITERIA, Criterion
from fairtrial.design import FACTORS, Level, level_text
from fairtrial.errors import InputError
from fairtrial.experiments.answer_to import FactorAnswer, answers
from fairtrial.experiments.effects.effect_evidence import gather_settings
from fairtrial.experiments.effects.effect_factors import METHOD, Setting, varied_factors
from fairtrial.experiments.effects.effect_sentences import setting_in_words
from fairtrial.notices import Notice
from fairtrial.shown import drawn
from fairtrial.stats import Interval, RobustChoice, robust_choice
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.claims.support import ByTest, next_step
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.preregistered import asked_when
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results


MOST_ROWS = 10
TITLES = {"worst quarter": "worst quarter", "mean": "mean difference", "regret": "largest regret"}
KEYS = {"worst quarter": "worst_quarter", "mean": "mean", "regret": "regret"}


@dataclass(frozen=True, eq=False, kw_only=True)
class RobustSetting(FactorAnswer):
    """A recommended setting and its rivals; ``print`` shows them, ``figure`` draws them.

    ``found`` has the values of all criteria for each of the ``settings`` (levels of controllable factors), as
    differences from the mean over settings, positive where better; logarithms where ratios are compared (``as_ratio``).
    ``means`` are the mean scores. ``conditions`` are the combinations of uncontrollable levels that every setting was
    tried under.
    """

    name = "robust_setting"

    found: RobustChoice
    settings: tuple[Mapping[str, Level], ...]
    controllable: tuple[str, ...]
    conditions: tuple[Mapping[str, Level], ...]
    means: FloatArray

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of the factors that are set, in order."""
        return self.controllable

    @property
    def setting(self) -> Mapping[str, Level]:
        """The recommended setting."""
        return self.settings[self.found.chosen]

    @property
    def best_mean(self) -> Mapping[str, Level]:
        """The setting that the mean recommends."""
        return self.settings[self.found.best_by("mean")]

    def measured(self, value: float) -> float:
        """A difference that is positive where better, as a difference or ratio of the measure itself."""
        return self.words.as_measured(Interval("difference", value, value, value)).estimate

    def to_table(self) -> Table:
        """The best settings by the criterion, and the one with the best mean."""
        differ = self.words.difference
        columns = (
            Column("setting", align="left"),
            Column("mean", self.words.value, key="score"),
            *(Column(TITLES[name], differ, key=KEYS[name]) for name in CRITERIA),
            Column("lower decile", differ, key="decile"),
            Column("chosen in", formats.percent, key="share"),
            Column("", align="left", key="mark"),
        )
        order = self.found.order()
        best = self.found.best_by("mean")
        shown = order[:MOST_ROWS] if best in order[:MOST_ROWS] else [*order[: MOST_ROWS - 1], best]
        return Table(columns, tuple(self._row(j) for j in shown), caption=self._caption())

    def _row(self, j: int) -> tuple[object, ...]:
        found = self.found
        mean = float(self.means[j])
        score = math.exp(mean) if self.as_ratio else mean
        values = (self.measured(float(found.values[name][j])) for name in CRITERIA)
        marks = ["recommended"] if j == found.chosen else []
        marks += ["best mean"] if j == found.best_by("mean") else []
        decile = self.measured(float(found.decile[j]))
        return (found.names[j], score, *values, decile, float(found.share[j]), ", ".join(marks))

    def _caption(self) -> str:
        several = plural(len(self.settings), "setting")
        over = plural(len(self.units), "data set")
        if len(self.conditions) > 1:
            over = f"{over} × {plural(len(self.conditions), 'condition')}"
        return f"{self.words.name}: {several} by their {self.found.criterion}, {over}"

    def _short(self, table: Table) -> Table:
        if (left := len(self.settings) - len(table.rows)) <= 0:
            return table
        rest = (f"and {plural(left, 'other')}", *(None,) * (len(table.columns) - 1))
        return replace(table, rows=(*table.rows, rest))

    def explanations(self) -> tuple[tuple[str, str], ...]:
        """What the columns of the table mean, by their titles."""
        return tuple(self._explained())

    def _explained(self) -> Iterator[tuple[str, str]]:
        of, distance = ("ratio to", "ratio") if self.as_ratio else ("difference from", "distance")
        lower = "" if self.measure.higher_is_better else f"; of {self.words.name} lower is better"
        mean = "the mean of all settings on the same data set"
        yield "mean", f"over data sets; that of a chosen setting is too good, and no interval around it holds{lower}"
        yield "worst quarter", f"the mean {of} {mean}, on the quarter of the data sets where the setting is worst"
        yield "mean difference", f"the mean {of} {mean}"
        yield "largest regret", f"the largest {distance} to the best setting of a data set"
        yield "lower decile", "; ".join((f"a tenth of the data sets have a smaller {of} {mean}", *self.found.notes))
        if not any(math.isnan(share) for share in self.found.share):
            yield "chosen in", "the share of resamples of the data sets in which a setting is recommended"

    def more_tables(self) -> tuple[Table, ...]:
        """What each criterion gives on data sets that took no part in the choice."""
        if self.found.left_out is None:
            return ()
        columns = (
            Column("chosen by", align="left"),
            Column("worst quarter", self.words.difference, key="worst_quarter"),
            Column("mean difference", self.words.difference, key="mean"),
        )
        rows = tuple(
            (
                name,
                self.measured(self.found.expected("worst quarter", of=name)),
                self.measured(self.found.expected("mean", of=name)),
            )
            for name in CRITERIA
        )
        note = "each data set in turn is left out, and the others choose the setting"
        return (Table(columns, rows, caption="what the choice gives on a data set that took no part", notes=(note,)),)

    def found_data(self) -> dict[str, Any]:
        """The settings, the values of all criteria, and the choice."""
        return {
            "criterion": self.found.criterion,
            "setting": dict(self.setting),
            "best_mean": dict(self.best_mean),
            "settings": [dict(setting) for setting in self.settings],
            "conditions": [dict(condition) for condition in self.conditions],
            "means": self.means.tolist(),
            "choice": self.found.to_dict(),
        }

    def figure(self) -> Figure:
        """The mean against the worst quarter, a point for each setting."""
        return drawn("robust_setting_figure", self)

    def __repr__(self) -> str:
        return f"RobustSetting({self.found.names[self.found.chosen]!r}, by {self.found.criterion})"


WHY = "a setting that is chosen by its scores looks better than it is, and no interval around it holds"
UNSTABLE = 0.5  # the share of resamples below which the choice is called unstable


def robust_setting_of(
    results: Results, *, criterion: Criterion = "worst quarter", method: str | None = None
) -> RobustSetting:
    """The setting of factors on methods that a criterion recommends, over data sets and conditions.

    Conditions are levels of uncontrollable factors, and of factors of the training data, which nobody sets in use.
    """
    gathered = gather_settings(results, method)
    varied = varied_factors(results, gathered.settings)
    free = [f.name for f in varied if f.controllable and f.name not in FACTORS]
    if not free:
        raise InputError(
            "the most robust setting needs controllable factors on methods, but these results have none; vary "
            "parameters with factors=[…] in the study"
        )
    grid = _grid(gathered.settings, free, [f.name for f in varied if f.name not in free])
    units = units_of(gathered.evidence, results.question.family)
    if units.n * len(grid.conditions) < 2:
        raise InputError(
            "the most robust setting needs two data sets or more, or levels of an uncontrollable factor, got one data "
            "set; a setting can't be robust over one"
        )
    scores = units.scores[:, list(grid.columns)].reshape(units.n, len(grid.conditions), len(grid.settings))
    facts = gathered.evidence.measure
    when = asked_when(results, results.question)
    made = RobustSetting(
        found=robust_choice(
            scores,
            criterion=criterion,
            higher_is_better=facts.higher_is_better,
            names=[setting_in_words(setting, free) for setting in grid.settings],
        ),
        settings=grid.settings,
        controllable=tuple(free),
        conditions=grid.conditions,
        units=units.names,
        means=scores.mean(axis=(0, 1)),
        measure=facts,
        as_ratio=gathered.evidence.as_ratio,
        question=results.question,
        evidence=replace(gathered.evidence, notices=gathered.notices),
        results=results,
        where=f"on data sets such as these {units.n}",
        why=WHY,
        procedures=("robust_choice",),
        asked=when,
        options={"criterion": criterion, "method": method},
    )
    steps = [next_step("more data", "run 8 data sets or more: so few say little about others")]
    steps = steps if made.found.datasets < 8 else []
    if made.found.chosen != made.found.best_by("mean"):
        steps.append(next_step("bring", "confirm the choice on data sets that took no part in it"))
    said, checks = answers(_sentences(made)), (*_stability(made), *gathered.notices, *when.notices())
    return replace(made, statements=(*said, ByTest("", "none: a choice, not a test", none=True), *checks, *steps))


@dataclass(frozen=True, slots=True)
class _Grid:
    """Settings of controllable factors × conditions; ``columns`` has the scores' column of each, settings fastest."""

    settings: tuple[Setting, ...]
    conditions: tuple[Setting, ...]
    columns: tuple[int, ...]


def _grid(settings: Sequence[Setting], free: Sequence[str], fixed: Sequence[str]) -> _Grid:
    """Sort settings by what can be chosen and what can't; every choice must have been tried under all conditions."""
    choices: dict[tuple[str, ...], Setting] = {}
    conditions: dict[tuple[str, ...], Setting] = {}
    place: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {}
    for i, setting in enumerate(settings):
        own, other = _part(setting, (METHOD, *free)), _part(setting, fixed)
        key, condition = _key(own), _key(other)
        choices.setdefault(key, own)
        conditions.setdefault(condition, other)
        place[key, condition] = i
    if len(place) < len(choices) * len(conditions):
        missing = len(choices) * len(conditions) - len(place)
        raise InputError(
            f"every setting must have been tried at all levels of {listed(fixed)}, but {missing} combinations "
            "are not there; let the run go on, or choose a level (results.at)"
        )
    columns = tuple(place[key, condition] for condition in conditions for key in choices)
    return _Grid(tuple(choices.values()), tuple(conditions.values()), columns)


def _part(setting: Setting, names: Sequence[str]) -> dict[str, Level]:
    return {name: setting[name] for name in names if name in setting}


def _key(levels: Mapping[str, Level]) -> tuple[str, ...]:
    return tuple(f"{name}={level_text(level)}" for name, level in levels.items())


def _sentences(made: RobustSetting) -> Iterator[tuple[str, str]]:
    """The sentences, and what each is about."""
    found, name = made.found, made.words.name
    chosen, best = found.chosen, found.best_by("mean")
    over = f"over {plural(len(made.units), 'data set')}"
    if len(made.conditions) > 1:
        over += f" and {plural(len(made.conditions), 'condition')}"
    start = f"Of {plural(len(made.settings), 'setting')}, {found.names[chosen]} {_by(found.criterion)} in {name} {over}"
    yield "choice", f"{start}: {_value(made, found.criterion, chosen)}."
    if chosen == best:
        if found.criterion != "mean":
            yield "best mean", "It also has the best mean."
    else:
        there = _value(made, found.criterion, best)
        yield "best mean", f"The mean would have chosen {found.names[best]}: {there}."
        cost = float(found.values["mean"][best] - found.values["mean"][chosen])
        yield "cost", f"What the robust choice costs: on average it is {_size(made, cost)} worse than that setting."
    if found.left_out is not None and found.criterion != "mean":
        ours, theirs = (found.expected("worst quarter", of=c) for c in (found.criterion, "mean"))
        yield (
            "left out",
            "Where each data set in turn is left out and the others choose, the worst quarter of what they choose is "
            f"{_signed(made, ours)} by this criterion, and {_signed(made, theirs)} by the mean.",
        )


def _by(criterion: Criterion) -> str:
    return {
        "worst quarter": "is the most robust",
        "mean": "has the best mean",
        "regret": "has the smallest regret",
    }[criterion]


def _value(made: RobustSetting, criterion: Criterion, j: int) -> str:
    """The value of a setting in words."""
    value = float(made.found.values[criterion][j])
    if criterion == "regret":
        return f"it is nowhere more than {_size(made, -value)} behind the best setting"
    where = "in the worst quarter of them" if criterion == "worst quarter" else "on average"
    better = "better" if value >= 0 else "worse"
    return f"{where} it is {_size(made, abs(value))} {better} than the mean of all settings"


def _size(made: RobustSetting, value: float) -> str:
    """The size of a difference, or a percentage where ratios are compared."""
    if made.as_ratio:
        return f"{100 * math.expm1(min(abs(value), 700.0)):.3g} %"
    return made.words.sized(Interval("", abs(value), math.nan, math.nan))


def _signed(made: RobustSetting, value: float) -> str:
    return made.words.difference(made.measured(value))


def _stability(made: RobustSetting) -> Iterator[Notice]:
    """How often resamples of the data sets choose the same setting."""
    share = float(np.asarray(made.found.share)[made.found.chosen])
    if math.isnan(share):
        return
    text = f"{100 * share:.0f} % of resamples of the data sets recommend the same setting"
    if share >= UNSTABLE:
        yield Notice(text, "fine", stage="verdict")
    else:
        yield Notice(
            f"only {text}: others are nearly as good", stage="verdict", remedy="choose among the first by cost"
        )
