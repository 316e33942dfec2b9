"""Why is it better? The advantage of a whole over its base, divided into components, with its evidence.

The components of a pipeline whose advantage is divided: two levels of factors, from the base to the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairtrial.design import Level, find_level, level_text
from fairtrial.errors import InputError, UnknownName
from fairtrial.experiments.answer_to import FactorAnswer
from fairtrial.experiments.effects.effect_evidence import EffectEvidence
from fairtrial.experiments.effects.effect_factors import METHOD, Setting, VariedFactor, varied_factors
from fairtrial.shown import drawn
from fairtrial.stats import AdvantageParts, Effects, Interval
from fairtrial.stats.outcome import bound_if
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.words.wording import span_of
from fairtrial.words import is_one_of, listed, plural, shown, verb

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results


ComponentLevels = Sequence[str] | Mapping[str, Sequence[Any]]
"""Names of components, or names with the level of the base and that of the whole."""

OFF = ("none", "no", "off", "without", "passthrough", "false")
ON = ("yes", "on", "with", "true")


@dataclass(frozen=True, slots=True)
class Component:
    """A factor of which two levels are compared: the one in the ``base``, and the one in the ``whole``."""

    name: str
    base: Level
    whole: Level
    texts: tuple[str, str]

    @property
    def title(self) -> str:
        """The component as the subject of a sentence."""
        return "the method itself" if self.name == METHOD else self.name

    def in_words(self, *, on: bool) -> str:
        """What stands for this component in the name of a combination; empty where it is switched off.

        >>> tuning = Component("tuning", "no", "yes", ("no", "yes"))
        >>> tuning.in_words(on=True), tuning.in_words(on=False)
        ('tuning', '')
        >>> model = Component("model", "tree", "boosting", ("tree", "boosting"))
        >>> model.in_words(on=True), model.in_words(on=False)
        ('boosting', 'tree')
        >>> scaling = Component("scaling", "none", "standard", ("none", "standard"))
        >>> scaling.in_words(on=True), scaling.in_words(on=False)
        ('scaling (standard)', '')
        """
        level, text = (self.whole, self.texts[1]) if on else (self.base, self.texts[0])
        if text.lower() in OFF:
            return ""
        if text.lower() in ON:
            return self.name
        if not isinstance(level, str) or text.isdigit():
            return f"{self.name} {text}"
        switched = any(other.lower() in (*OFF, *ON) for other in self.texts)
        return f"{self.name} ({text})" if switched else text


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The components, the settings that are their combinations (by number), and which components are on in each.

    ``method`` is the method that has the components, where there is only one.
    """

    components: tuple[Component, ...]
    settings: tuple[int, ...]
    design: Mapping[str, Sequence[int]]
    method: str = "the same"

    def combination(self, on: Sequence[bool], otherwise: str = "none of them") -> str:
        """A combination in words: 'boosting + tuning'."""
        words = [c.in_words(on=each) for c, each in zip(self.components, on, strict=True)]
        return " + ".join(filter(None, words)) or otherwise

    @property
    def columns(self) -> tuple[int, int]:
        """The numbers of the combinations without any component, and with all of them."""
        sums = [sum(on) for on in zip(*self.design.values(), strict=True)]
        return sums.index(0), sums.index(len(self.components))

    @property
    def whole(self) -> str:
        """The combination with all components, in words."""
        return self.combination([True] * len(self.components), "the whole")

    @property
    def base(self) -> str:
        """The combination without any component, in words."""
        return self.combination([False] * len(self.components), f"{self.method} without them")


def chosen_components(results: Results, gathered: EffectEvidence, components: ComponentLevels | None = None) -> Chosen:
    """The components that are asked for, by default all factors, each from its first level to its last.

    Factors with more levels need the two that are compared. Factors that are no component must not vary.
    """
    settings = gathered.settings
    varied = {f.name: f for f in varied_factors(results, settings)}
    if not varied:
        raise InputError(
            "an ablation needs factors with two levels, but these results have none; vary steps and parameters of a "
            "pipeline with factors=[…] in the study"
        )
    found = tuple(_component(results, varied, name, pair) for name, pair in _asked(varied, components).items())
    kept = [i for i, setting in enumerate(settings) if all(_fits(setting, c) for c in found)]
    _check_others(settings, kept, varied, found)
    switched = {c.name: [int(_same(settings[i][c.name], c.whole)) for i in kept] for c in found}
    one = gathered.methods[0] if len(gathered.methods) == 1 else "the same"
    return Chosen(found, tuple(kept), switched, one)


def _asked(varied: Mapping[str, VariedFactor], components: ComponentLevels | None) -> dict[str, Sequence[Any] | None]:
    """The names of the components, each with its two levels where these are given."""
    if components is None:
        return dict.fromkeys(varied)
    if isinstance(components, str):
        components = [components]
    if not isinstance(components, (Mapping, Sequence)) or not components:
        raise InputError(
            "components must be names of factors, or a mapping such as {'model': ('tree', 'boosting')}, got "
            f"{shown(components)}"
        )
    for name in components:
        if not is_one_of(name, varied):
            raise UnknownName.among("factor of these results with several levels", str(name), varied)
    return dict(components) if isinstance(components, Mapping) else dict.fromkeys(components)


def _component(
    results: Results, varied: Mapping[str, VariedFactor], name: str, pair: Sequence[Any] | None
) -> Component:
    factor = varied[name]
    declared = [x for x in results.factors.get(name, ()) if find_level(factor.levels, x)]  # in the order of the study
    levels = declared or list(factor.levels)
    if pair is None:
        if len(levels) != 2:
            raise InputError(
                f"a component must have two levels, but {name} has {len(levels)} ({listed(map(factor.text, levels))}); "
                f"name the level of the base and that of the whole: components={{{name!r}: (…, …)}}"
            )
        base, whole = levels
        return Component(name, base, whole, (factor.text(base), factor.text(whole)))
    if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
        raise InputError(
            f"component {name!r} must have two levels, of the base and of the whole, got {shown(pair)}; for instance "
            f"({levels[0]!r}, {levels[-1]!r})"
        )
    known = [find_level(levels, level) for level in pair]
    for given, level in zip(pair, known, strict=True):
        if not level:
            raise UnknownName.among(f"level of {name}", str(given), [level_text(x) for x in levels])
    (base,), (whole,) = known
    if _same(base, whole):
        raise InputError(f"component {name!r} must have two different levels, got {factor.text(base)} twice")
    return Component(name, base, whole, (factor.text(base), factor.text(whole)))


def _same(level: Level, other: Level) -> bool:
    return level_text(level) == level_text(other)


def _fits(setting: Setting, component: Component) -> bool:
    """Whether a setting has one of the two levels of a component."""
    if component.name not in setting:
        raise InputError(
            f"component {component.name!r} must exist in all settings, but it is nested in another factor; choose the "
            "level of that factor (results.at), or name other components"
        )
    return any(_same(setting[component.name], level) for level in (component.base, component.whole))


def _check_others(
    settings: Sequence[Setting], kept: Sequence[int], varied: Mapping[str, VariedFactor], found: Sequence[Component]
) -> None:
    """Refuse other factors that vary: the parts would be mixed with their effects."""
    own = {c.name for c in found}
    several = [
        name
        for name in varied
        if name not in own and len({level_text(settings[i][name]) for i in kept if name in settings[i]}) > 1
    ]
    if several:
        raise InputError(
            f"an ablation of {plural(len(own), 'component')} needs one level of every other factor, but "
            f"{listed(several)} {verb(len(several), 'has', 'have')} several; choose one (results.at), or make it a "
            "component"
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Ablation(FactorAnswer):
    """An advantage divided into components; ``print`` shows it, ``figure`` draws it.

    ``found`` has the advantage, the part of each component and the interactions, positive where they *help*, on the
    scale of comparison: the measure itself, or its logarithm where ratios are compared (``as_ratio``). Parts sum to
    the advantage; ratios multiply to it. ``scores`` has a row for each of the ``units`` (data sets, or splits of one)
    and a column for each combination, in the order of ``chosen.design``.

    Two to five data sets are judged one by one: ``parts`` has the division on each, whose intervals hold for all of
    them together, and ``found`` then has means without intervals.
    """

    name = "ablation"

    chosen: Chosen
    found: AdvantageParts
    scores: FloatArray
    parts: Mapping[str, Ablation] = field(default_factory=dict)

    @property
    def components(self) -> tuple[str, ...]:
        """The names of the components, in order."""
        return self.found.components

    @property
    def factors(self) -> tuple[str, ...]:
        """The components, which are factors of the study."""
        return self.components

    @property
    def settings(self) -> tuple[int, ...]:
        """The numbers of the settings that are combinations of the components."""
        return self.chosen.settings

    def shown(self) -> tuple[str, ...]:
        """The components whose part is shown not to be 0, the largest first; with data sets where each is judged."""
        if self.parts:
            return tuple(f"{name} on {dataset}" for dataset, part in self.parts.items() for name in part.shown())
        active = self.found.parts.active()
        return tuple(self.components[i] for i in self.found.order() if active[i])

    def to_table(self) -> Table:
        """A row for each component, the largest part first, and one for the whole."""
        columns = (
            *((Column("data set", align="left"),) if self.parts else ()),
            Column("component", align="left"),
            Column("from", align="left"),
            Column("to", align="left"),
            *self._part_columns("part"),
            Column("added first", self.words.difference, key="first"),
            Column("added last", self.words.difference, key="last"),
            Column("helps on", align="right", key="helps"),
            Column("", align="left", key="mark"),
        )
        rows = [(name, *row) for name, part in self.parts.items() for row in part.cells()] or list(self.cells())
        caption = f"{self.words.name}: from {self.chosen.base} to {self.chosen.whole}, {self.where}"
        return Table(columns, tuple(rows), caption=caption)

    def _titles(self) -> tuple[str, str]:
        """Those of intervals and of adjusted p-values."""
        adjusted = next((p.found for p in self.parts.values()), self.found).parts.adjusted
        how = "together" if adjusted in ("none", "bonferroni") else adjusted
        return f"{100 * self.question.level:g} % interval", f"p ({how})"

    def _part_columns(self, title: str) -> tuple[Column, ...]:
        interval, joint = self._titles()
        return (
            Column(title, self.words.difference),
            Column(interval, formats.span(self.words.difference), key="interval"),
            Column("p", formats.p_value),
            Column(joint, formats.p_value, key="p_adjusted"),
        )

    def cells(self) -> Iterator[tuple[object, ...]]:
        """The rows of the table."""
        found = self.found
        for i in found.order():
            component = self.chosen.components[i]
            beside = (self._plain(found.first[i]), self._plain(found.last[i]))
            yield (component.name, *component.texts, *self._judged(found.parts, i), *beside, *_ends(found.parts, i))
        whole = self._plain(found.advantage.estimate)
        yield ("together", "", "", *self._judged(found.total, 0), whole, whole, *_ends(found.total, 0))

    def _judged(self, effects: Effects, i: int) -> tuple[object, ...]:
        """A part with its interval and p-values, as the measure has them."""
        measured = self.words.as_measured(effects.intervals[i])
        floor = effects.outcomes[i].at_floor
        p = (bound_if(value, floor) for value in (effects.outcomes[i].p_value, effects.p_adjusted[i]))
        return (measured.estimate, span_of(measured), *p)

    def _plain(self, value: float) -> float:
        return self.words.as_measured(Interval("part", value, value, value)).estimate

    def explanations(self) -> tuple[tuple[str, str], ...]:
        """What the columns of the table mean, by their titles."""
        several, (interval, joint) = f"{self.unit}s", self._titles()
        adds, sums = ("multiplies by", "multiply") if self.as_ratio else ("adds", "sum")
        lower = "" if self.measure.higher_is_better else f"; of {self.words.name} lower is better"
        part = (
            f"the Shapley value, what a component {adds} on average over all orders of adding; parts {sums} to the "
            f"whole; means over {several}{lower}"
        )
        m = len(self.components) * max(len(self.parts), 1)
        together = f"holds for all {plural(m, 'part')} together, that of the whole by itself; * 0 lies outside"
        tested = any(p == p for each in (self, *self.parts.values()) for p in each.found.parts.p_adjusted)
        return (
            ("part", part),
            *(((interval, together), ("p", "of each by itself"), (joint, "adjusted")) if tested else ()),
            ("added first", "to the base alone"),
            ("added last", "to all the others, which is what would be lost without it"),
            ("helps on", f"the {several} on which a component improves the measure"),
        )

    def more_tables(self) -> tuple[Table, ...]:
        """The interactions of pairs of components."""
        if self.found.interactions is None:
            return ()
        columns = (
            *((Column("data set", align="left"),) if self.parts else ()),
            Column("components", align="left"),
            *self._part_columns("index"),
            Column("", align="left", key="mark"),
        )
        rows = [(name, *row) for name, part in self.parts.items() for row in part.pair_cells()]
        rows = rows or list(self.pair_cells())
        return (Table(columns, tuple(rows), caption="interactions of components", notes=(self._pair_note(),)),)

    def _pair_note(self) -> str:
        signs = ("above 1", "below 1") if self.as_ratio else ("positive", "negative")
        help_, replace_ = signs if self.measure.higher_is_better else signs[::-1]
        return f"{help_}: two components help more together than one by one; {replace_}: one partly replaces the other"

    def pair_cells(self) -> Iterator[tuple[object, ...]]:
        """The rows of the table of interactions, the largest first."""
        pairs = self.found.interactions
        if pairs is None:
            return
        for i in sorted(range(len(pairs.names)), key=lambda i: -abs(pairs.intervals[i].estimate)):
            yield (pairs.names[i], *self._judged(pairs, i), "*" if pairs.active()[i] else "")

    def found_data(self) -> dict[str, Any]:
        """The components, their combinations, and the division."""
        return {
            "kind": self.kind,
            "base": self.chosen.base,
            "whole": self.chosen.whole,
            "components": {c.name: [c.base, c.whole] for c in self.chosen.components},
            "combinations": {name: list(column) for name, column in self.chosen.design.items()},
            "scores": self.scores.tolist(),
            "shown": list(self.shown()),
            "division": self.found.to_dict(),
            "parts": {name: part.to_dict() for name, part in self.parts.items()},
        }

    def figure(self) -> Figure:
        """The division as a waterfall, from the base to the whole."""
        return drawn("ablation_figure", self)

    def __repr__(self) -> str:
        return f"Ablation({self.kind}, {self.chosen.base} → {self.chosen.whole}, {listed(self.components)})"


def _ends(effects: Effects, i: int) -> tuple[str, str]:
    """The last columns: on how many units a part helps, and the mark of those that are shown."""
    counts = effects.helps[i]
    return f"{counts[0]} of {sum(counts)}", "*" if effects.active()[i] else ""
