"""Guards of plans: what should be known of the whole before it is run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairtrial.design.factors import Level, write_levels
from fairtrial.methods.method_guards import is_compared
from fairtrial.methods.tuning import tunes_apart
from fairtrial.notices import Notice, guard
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan

__all__: list[str] = []


@guard(stage="plan", sees="plan")
def levels_left_out(plan: Plan) -> Iterator[Notice]:
    """Levels of factors, or combinations of them, for which a data set is too small."""
    for i, dataset in enumerate(plan.study.datasets):
        there = plan.levels_on(i)
        whole: dict[str, set[Level]] = {}
        for factor in plan.study.factors:
            kept = {plan.levels[j][factor.name] for j in there}
            if gone := [v for v in factor.levels if v not in kept]:
                whole[factor.name] = set(gone)
                words = listed(map(factor.write, gone))
                sentence = f"{dataset.name}: too small for {factor.name} {words}, left out for it"
                yield Notice(sentence, "note", dataset.name, {"factor": factor.name, "levels": gone})
        for levels in (levels for j, levels in enumerate(plan.levels) if j not in there):
            if not any(level in whole.get(name, ()) for name, level in levels.items()):
                sentence = f"{dataset.name}: too small for {write_levels(levels)} together, left out for it"
                yield Notice(sentence, "note", dataset.name, {"levels": dict(levels)})


@guard(stage="plan", sees="plan")
def blind_search(plan: Plan) -> Iterator[Notice]:
    """A search inside another estimator, which is not given the groups or the order of the data."""
    special = [d.name for d in plan.study.datasets if d.groups is not None or d.order is not None]
    for method in plan.study.methods:
        if special and is_compared(method) and tunes_apart(method):
            yield Notice(
                f"{method.name} searches inside another estimator, where it does not know of the groups or times of "
                f"{listed(special)}",
                "note",
                about=method.name,
                evidence={"datasets": special},
                remedy="put tuned(…) around the whole",
            )


@guard(stage="plan", sees="plan")
def traced_memory(plan: Plan) -> Iterator[Notice]:
    """Fits that are slower since their memory is traced."""
    if plan.study.memory == "exact":
        sentence = "memory='exact' traces allocations, which makes fits slower"
        yield Notice(f"{sentence}: measure times without it", "note")


@guard(stage="plan", sees="plan")
def splits_without_test(plan: Plan) -> Iterator[Notice]:
    """A resampling scheme whose scores on one data set can't be tested."""
    if caution := plan.study.resampling.dependence().caution:
        yield Notice(caution, "note")
