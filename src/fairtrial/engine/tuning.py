"""What the engine gives to a method that tunes itself, and what it asks of any method about itself afterwards."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairtrial.design import Training
from fairtrial.methods.tuning import Rows, as_inner, inner_splits
from fairtrial.resampling import Split, derive_seed

if TYPE_CHECKING:
    from fairtrial.methods.tuning.estimator import Tuned

__all__ = ["MOST_DETAILS", "details_of", "fit_options"]

MOST_DETAILS = 2**20
"""So many bytes of JSON a trial may keep of what its method tells of itself."""


def fit_options(found: tuple[str, Tuned], training: Training, split: Split, *seeds: object) -> dict[str, Any]:
    """Inner splits for a method that tunes itself, found by :func:`~fairtrial.methods.tuning.reachable`.

    They depend on the data set, the split and the seeds, never on the method. They keep groups whole, and where all
    training rows are earlier than the test rows, they go forward in time too.
    """
    prefix, tuned = found
    dataset = training.dataset
    rows = Rows.of(dataset, training.rows, training.target)
    forward = (
        dataset.order is not None and rows.order is not None and rows.order.max() < dataset.order[split.test].min()
    )
    made = inner_splits(
        as_inner(tuned.inner), rows, derive_seed(*seeds, split.digest(), "inner"), forward=bool(forward)
    )
    return {f"{prefix}splits": replace(made, classes=dataset.classes, positive=dataset.positive)}


def details_of(estimator: Any) -> Mapping[str, Any]:
    """What a fitted method, or the last step of a pipeline, tells of itself: the mapping of ``fairtrial_details()``.

    It must be what JSON can hold, at most 1 MiB. Where it is not, or fails, it is left out and a warning says so: the
    predictions are as good as ever.
    """
    while hasattr(estimator, "steps") and not hasattr(estimator, "fairtrial_details"):
        estimator = estimator.steps[-1][1]
    if not hasattr(estimator, "fairtrial_details"):
        return {}
    try:
        told = estimator.fairtrial_details()
        size = len(json.dumps(told, allow_nan=False))
        if not isinstance(told, Mapping):
            raise TypeError(f"it must be a mapping, got {type(told).__name__}")
        if size > MOST_DETAILS:
            raise ValueError(f"it must have at most {MOST_DETAILS} bytes as JSON, got {size}")
    except Exception as error:  # noqa: BLE001 - the method's own code
        warnings.warn(f"what fairtrial_details() tells is left out: {type(error).__name__}: {error}", stacklevel=2)
        return {}
    return told
