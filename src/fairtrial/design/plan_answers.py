"""What a plan can tell: the questions that its design can answer, and how small a difference it can detect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.words import plural

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan

__all__ = ["FEWEST_DATASETS", "answerable", "smallest_p"]

FEWEST_DATASETS = 6  # with fewer, no exact two-sided Wilcoxon test reaches 0.05


def answerable(plan: Plan) -> str:
    """The questions that the design can answer, in words."""
    study, pairs, n = plan.study, plan.pairs, len(plan.study.datasets)
    if study.resampling.dependence().optimistic:
        return "no comparison of methods: they are tested on the instances that they were trained on"
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
        return (
            f"{winner}no difference between two methods over data sets, since with {plural(n, 'data set')} and "
            f"{plural(pairs, 'pair')} the intervals of all pairs together are unbounded; add data sets, drop "
            "methods, or name a control"
        )
    effect = _detectable(n, pairs, study.question.level)
    return (
        f"questions over data sets: it detects a mean difference of about {effect:.2g} standard deviations of the "
        f"differences between data sets (power 0.8, {plural(n, 'data set')}, {plural(pairs, 'pair')})"
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
