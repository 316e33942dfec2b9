"""What a plan can tell: the questions that its design can answer, and how small a difference it can detect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan

FEWEST_DATASETS = 6  # with fewer, no exact two-sided Wilcoxon test reaches 0.05


def answerable(plan: Plan) -> str:
    """The questions that the design can answer, in words."""
    study, pairs = plan.study, plan.pairs
    if study.resampling.dependence().optimistic:
        return "no comparison of methods: they are tested on the instances that they were trained on"
    if plan.effects:
        effects = effects_in_words(plan)
        if pairs == 0:
            return effects if study.question.claim is None else f"{effects}; {_between_methods(plan)}"
        return f"{effects}; between methods: {_between_methods(plan)}"
    return _between_methods(plan)


def _between_methods(plan: Plan) -> str:
    study, pairs, n = plan.study, plan.pairs, len(plan.study.datasets)
    if pairs == 0:
        claim = study.question.claim
        if claim is None:
            return "one method: its mean score on each data set, with a confidence interval"
        over = n >= FEWEST_DATASETS and study.question.domains != "these"
        where = "over data sets" if over else "on each data set"
        return f"one method: whether its {study.measures[0]} is better than {claim:g} {where}, with an interval"
    if n < FEWEST_DATASETS or study.question.domains == "these":
        few = f"fewer than {FEWEST_DATASETS} data sets" if n < FEWEST_DATASETS else "asked about these data sets"
        return f"{few}: one verdict on each data set, but none that generalises to similar data sets"
    if not plan.can_tell_anything():
        winner = "only whether one method beats every other: " if plan.asks_for_a_winner else ""
        remedies = ["add data sets", "drop methods", *(["name a control"] if plan.asks_for_a_winner else [])]
        return (
            f"{winner}no difference between two methods over data sets, since with {plural(n, 'data set')} and "
            f"{plural(pairs, 'pair')} the intervals of all pairs together are unbounded; {listed(remedies, last='or')}"
        )
    effect = _detectable(n, pairs, study.question.level)
    return (
        f"questions over data sets: it detects a mean difference of about {effect:.2g} standard deviations of the "
        f"differences between data sets (power 0.8, {plural(n, 'data set')}, {plural(pairs, 'pair')})"
    )


def effects_in_words(plan: Plan) -> str:
    """Whether effects of factors on methods can be shown, and how large they must be, for the method with the most."""
    most = max(plan.effects, key=lambda effects: effects.number)
    on = "effects of factors on " + listed([effects.design.name for effects in plan.effects])
    n, m = plural(len(plan.study.datasets), "data set"), plural(most.together, "effect")
    if most.number == 0:
        return f"no {on}: these settings do not determine any; add settings"
    needed = plural(most.datasets_needed, "data set")
    if not most.over_datasets:
        why = "" if plan.study.question.domains == "these" else f": for {m} that takes at least {needed}"
        return f"{on}, on each data set by itself, and none that generalises to similar data sets{why}"
    if not most.can_show:
        return (
            f"no {on} over data sets, since with {n} and {m} the intervals of all effects together are unbounded, "
            f"unless some effects are zero or equal everywhere: it takes at least {needed}, or fewer effects"
        )
    return (
        f"{on} over data sets: it detects an effect of about {most.detectable:.2g} standard deviations of the effects "
        f"between data sets (power 0.8, {n}, {m})"
    )


def smallest_p(n: int) -> float:
    """The smallest two-sided p that a Wilcoxon or sign test over n data sets can reach.

    >>> smallest_p(6)
    0.03125
    """
    return float(2.0 ** (1 - n))


def _detectable(n: int, pairs: int, level: float) -> float:
    """The standardised mean difference that Wilcoxon's test finds with power 0.8, Bonferroni over the pairs."""
    from fairtrial.stats import minimum_detectable

    return minimum_detectable("wilcoxon", n=n, power=0.8, level=1 - (1 - level) / pairs).effect
