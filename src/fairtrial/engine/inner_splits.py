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

__all__ = ["decision_options", "fit_options"]


def fit_options(found: tuple[str, Tuned], training: Training, split: Split, *seeds: object) -> dict[str, Any]:
    """Inner splits for a method that tunes itself, found by :func:`~fairtrial.methods.tuning.reachable`."""
    prefix, tuned = found
    return {f"{prefix}splits": _splits(tuned.inner, training, split, *seeds)}


def decision_options(
    found: tuple[str, Tuned] | None, training: Training, split: Split, *seeds: object
) -> dict[str, Any]:
    """Inner splits for a method that tunes its threshold: those of a search inside it, if there is one."""
    return {"decision_splits": _splits(INNER if found is None else found[1].inner, training, split, *seeds)}


def _splits(scheme: Any, training: Training, split: Split, *seeds: object) -> InnerSplits:
    """Inner splits, which depend on the data set, the split and the seeds, never on the method.

    They keep groups whole. If all training rows are earlier than the test rows, they go forward in time too.
    """
    dataset = training.dataset
    rows = Rows.of(dataset, training.rows, training.target)
    forward = (
        dataset.order is not None and rows.order is not None and rows.order.max() < dataset.order[split.test].min()
    )
    made = inner_splits(as_inner(scheme), rows, derive_seed(*seeds, split.digest(), "inner"), forward=bool(forward))
    return replace(made, classes=dataset.classes, positive=dataset.positive)
