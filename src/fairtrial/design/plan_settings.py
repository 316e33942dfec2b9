"""The settings of a plan in words: how many there are, the factors, the layout, and what is nested where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.factors import METHOD, AnyFactor, Factor, factors_of, of_methods, write_one
from fairtrial.words import listed, part_of, plural

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan

MOST_NOTES = 5  # notes of the layout that are printed


def headline_of(plan: Plan) -> str:
    """The size of a plan in one line."""
    study, cells = plan.study, plan.settings.cells
    methods = plural(len(study.methods), "method")
    product = not of_methods(study.factors) and study.layout is None
    several = plural(study.replicates, "replicate")
    parts = (
        plural(len(study.datasets), "data set"),
        methods if product else f"{plural(len(cells), 'setting')} of {methods}",
        study.resampling.dependence().scheme,
        *(f"{plural(len(f.levels), 'level')} of {f.name}" for f in study.factors if product),
        *([several] if study.replicates > 1 else []),
    )
    whole = int(plan.offered[:, cells[:, 0]].sum()) * study.replicates
    if len(plan) < whole:
        return f"{' × '.join(parts)}: {part_of(len(plan), whole, 'trial')}"
    return f"{' × '.join(parts)} = {plural(len(plan), 'trial')}"


def setting_facts(plan: Plan) -> tuple[tuple[str, str], ...]:
    """The settings, the factors and the layout, line by line; nothing where only training data are varied fully."""
    study = plan.study
    if not of_methods(study.factors) and study.layout is None and all(f.role == "controllable" for f in study.factors):
        return ()
    return tuple(_facts(plan))


def _facts(plan: Plan) -> Iterator[tuple[str, str]]:
    study = plan.study
    layout = "all combinations of levels" if study.layout is None else study.layout.kind
    yield "settings", f"{plural(len(plan.settings.cells), 'setting')} of methods, {layout}"
    for factor in study.factors:
        yield "factor", f"{factor.name}: {_described(factor, plan)}"
    notes = plan.settings.notes
    for note in notes[:MOST_NOTES]:
        yield "plan", note
    if len(notes) > MOST_NOTES:
        yield "plan", f"and {plural(len(notes) - MOST_NOTES, 'other line')} like these (settings.notes)"
    if plan.settings.block is not None:
        yield "blocks", _blocks(plan.settings.block)


def _blocks(blocks: NDArray[np.intp]) -> str:
    number = sum(block >= 0 for block in np.unique(blocks).tolist())
    return (
        f"{plural(number, 'block')}, in random order: on each split the trials of a block follow each other; blocks "
        "are not stored, since scores do not depend on when a trial runs, but times may"
    )


def _described(factor: AnyFactor, plan: Plan) -> str:
    parts = [f"{factor.kind} {factor.in_words()}"]
    parts.append("controllable" if factor.role == "controllable" else "uncontrollable, a block")
    if isinstance(factor, Factor):
        study = plan.study
        acting = [m.name for m in study.methods if factor in factors_of(study.factors, m)]
        parts.append(f"on {listed(acting)}")
        nested = [
            f"{name} is {listed([write_one(name, v) for v in levels], last='or')}"
            for name, levels in factor.when.items()
            if name != METHOD
        ]
        if nested:
            parts.append(f"only where {listed(nested)}")
    return ", ".join(parts)
