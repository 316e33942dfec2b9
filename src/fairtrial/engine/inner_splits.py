"""Inner splits, which the engine makes for a method that tunes itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairtrial.design import Training
from fairtrial.methods.tuning import Rows, as_inner, inner_splits
from fairtrial.resampling import Split, derive_seed

if TYPE_CHECKING:
    from fairtrial.methods.tuning.estimator import Tuned

__all__ = ["fit_options", "inner_options"]


def fit_options(found: tuple[str, Tuned], training: Training, split: Split, *seeds: object) -> dict[str, Any]:
    """Inner splits for a method that tunes itself, found by :func:`~fairtrial.methods.tuning.reachable`.

    They depend on the data set, the split and the seeds, never on the method. They keep groups whole. If all training
    rows are earlier than the test rows, they go forward in time too.
    """
    order = training.dataset.order
    forward = order is not None and order[training.rows].max() < order[split.test].min()
    return inner_options(found, training, *seeds, split.digest(), forward=bool(forward))


def inner_options(found: tuple[str, Tuned], training: Training, *seeds: object, forward: bool) -> dict[str, Any]:
    """Inner splits of training rows, which go ``forward`` in time or not."""
    prefix, tuned = found
    dataset = training.dataset
    rows = Rows.of(dataset, training.rows, training.target)
    made = inner_splits(as_inner(tuned.inner), rows, derive_seed(*seeds, "inner"), forward=forward)
    return {f"{prefix}splits": replace(made, classes=dataset.classes, positive=dataset.positive)}
