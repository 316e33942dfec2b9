"""What figures of factorial experiments ask of results, and what all of them say about effects."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from fairtrial.design import FEWEST_DATASETS
from fairtrial.errors import InputError
from fairtrial.measures import Measure
from fairtrial.stats import Effects, Lenth
from fairtrial.stats.factorial.contrasts import EffectValues
from fairtrial.tables import Table
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from fairtrial.experiments import FittedSurface
    from fairtrial.results import Results

EffectsOrLenth: TypeAlias = Effects | Lenth


class Experiment(Protocol):
    """What the figures need of ``results.effects(…)``.

    ``effects`` are positive where they improve the measure; ``scores`` are logarithms where ratios are compared
    (``as_ratio``); ``varied`` has the name and the levels of each factor. With ``parts`` each data set is judged by
    itself, and the units are data sets.
    """

    @property
    def kind(self) -> str: ...
    @property
    def settings(self) -> Sequence[Mapping[str, Any]]: ...
    @property
    def units(self) -> Sequence[object]: ...
    @property
    def scores(self) -> Any: ...
    @property
    def values(self) -> EffectValues: ...
    @property
    def effects(self) -> EffectsOrLenth: ...
    @property
    def measure(self) -> Measure: ...
    @property
    def varied(self) -> Sequence[Any]: ...
    @property
    def as_ratio(self) -> bool: ...
    @property
    def parts(self) -> Mapping[str, Any]: ...
    def to_table(self) -> Table: ...


@dataclass(frozen=True, slots=True)
class NamedEffect:
    """An effect: its estimate, the interval that holds for all effects together, and whether it is active."""

    name: str
    estimate: float
    low: float
    high: float
    active: bool


def effects_of(found: EffectsOrLenth) -> tuple[NamedEffect, ...]:
    """The effects of either analysis, in its order.

    >>> from fairtrial.stats import lenth
    >>> effects_of(lenth([9.0, 1.0, -1.5, 2.0, 0.5, -1.0, 1.2], names="ABCDEFG"))[0].active
    True
    """
    if not isinstance(found, (Effects, Lenth)):
        raise InputError(f"effects must be an Effects or a Lenth of fairtrial.stats, got a {type(found).__name__}")
    intervals = found.intervals if isinstance(found, Effects) else found.intervals()
    return tuple(
        NamedEffect(name, i.estimate, i.low, i.high, bool(active))
        for name, i, active in zip(found.names, intervals, found.active(), strict=True)
    )


def undefined_in_words(effects: Sequence[NamedEffect]) -> str:
    """A remark that names effects without an estimate; empty if there are none."""
    gone = [e.name for e in effects if not math.isfinite(e.estimate)]
    shown = listed(gone if len(gone) <= 5 else [*gone[:4], f"{len(gone) - 4} others"])
    return f"not estimated: {shown}" if gone else ""


def active_terms(experiment: Experiment) -> frozenset[str]:
    """The terms (factors and their interactions) of which at least one effect is active."""
    found = zip(experiment.values.terms, experiment.effects.active(), strict=True)
    return frozenset(term for term, active in found if active)


def place_of(experiment: Experiment) -> str:
    """What scores are averaged over, in words."""
    n = len(experiment.units)
    if experiment.parts:
        return f"mean over {plural(n, 'data set')}"
    return {
        "over data sets": f"mean over {plural(n, 'data set')}",
        "on splits": f"mean over {plural(n, 'split')} of one data set",
    }.get(experiment.kind, "on one split, which says nothing about others")


def has_intervals(experiment: Experiment) -> bool:
    """Whether means over units may have intervals: only over enough data sets, since splits are not independent."""
    return experiment.kind == "over data sets" and len(experiment.units) >= FEWEST_DATASETS


def experiment_of(
    results: Results, measure: str | None, dataset: str | None, methods: Sequence[str] | None
) -> Experiment:
    """The effects of the factors of some results; of one method, if it is named."""
    if methods is not None and len(methods) != 1:
        raise InputError(f"effects are those of one method, or of all: name one method, got {len(methods)}")
    make: Any = getattr(results, "effects", None)
    if make is None:
        raise InputError("these results have no effects of factors; run a study with two or more factors")
    found: Experiment = make(measure, method=methods[0] if methods else None, dataset=dataset)
    return found


def affected(experiment: Experiment) -> str:
    """What effects are measured on: the measure, or its logarithm where ratios are compared."""
    name = Wording(experiment.measure).name
    return f"the logarithm of {name}" if experiment.as_ratio else name


def measure_in_words(experiment: Experiment | FittedSurface) -> str:
    """The measure with the direction in which it is better, as the label of an axis."""
    facts: Measure = experiment.measure
    unit = f", {facts.unit}" if facts.unit else ""
    return f"{Wording(facts).name}{unit} ({Wording(facts).better_word} is better)"


def levels_in_order(experiment: Experiment) -> dict[str, Sequence[object]]:
    """The levels of each factor, in their order."""
    return {factor.name: factor.levels for factor in experiment.varied}
