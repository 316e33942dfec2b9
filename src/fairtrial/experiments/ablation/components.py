"""The components of a pipeline whose advantage is divided: two levels of factors, from the base to the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairtrial.design import Level, find_level, level_text
from fairtrial.errors import InputError, UnknownName
from fairtrial.experiments.effects.effect_evidence import EffectEvidence
from fairtrial.experiments.effects.effect_factors import METHOD, Setting, VariedFactor, varied_factors
from fairtrial.words import is_one_of, listed, plural, shown, verb

if TYPE_CHECKING:
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
