"""Inner splits, which the engine makes for a method that tunes itself, or its threshold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairtrial.design import Training
from fairtrial.methods.decision_rules import INNER
from fairtrial.methods.tuning import InnerSplits, Rows, as_inner, inner_splits
from fairtrial.resampling import Split, derive_seed

if TYPE_CHECKING:
    from fairtrial.methods.tuning.estimator import Tuned


def goes_forward(training: Training, split: Split) -> bool:
    """Whether all training rows are earlier than the test rows, so that inner splits go forward in time too."""
    order = training.dataset.order
    return order is not None and bool(order[training.rows].max() < order[split.test].min())


def fit_options(found: tuple[str, Tuned], training: Training, *seeds: object, forward: bool) -> dict[str, Any]:
    """Inner splits for a method that tunes itself, found by :func:`~fairtrial.methods.tuning.reachable`."""
    prefix, tuned = found
    return {f"{prefix}splits": _splits(tuned.inner, training, *seeds, forward=forward)}


def decision_options(
    found: tuple[str, Tuned] | None, training: Training, *seeds: object, forward: bool
) -> dict[str, Any]:
    """Inner splits for a method that tunes its threshold: those of a search inside it, if there is one."""
    scheme = INNER if found is None else found[1].inner
    return {"decision_splits": _splits(scheme, training, *seeds, forward=forward)}


def _splits(scheme: Any, training: Training, *seeds: object, forward: bool) -> InnerSplits:
    """Inner splits, which depend on the data set and the seeds, never on the method; they keep groups whole."""
    dataset = training.dataset
    rows = Rows.of(dataset, training.rows, training.target)
    made = inner_splits(as_inner(scheme), rows, derive_seed(*seeds, "inner"), forward=forward)
    return replace(made, classes=dataset.classes, positive=dataset.positive)
