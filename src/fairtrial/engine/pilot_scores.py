"""The score of a trial of a pilot, by the first measure of the study: what effects are computed from before a run."""

from __future__ import annotations

import math
import warnings

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.design import Plan, Trial
from fairtrial.measures import Predictions, compute_on, get, is_known
from fairtrial.store import Record


def pilot_score(plan: Plan, trial: Trial, record: Record) -> float:
    """The score of a trial by the study's first measure; nan if it failed, or if one split does not determine it."""
    name = plan.study.measures[0]
    if record.status != "ok" or not is_known(name):
        return math.nan
    if get(name).from_trials:
        return float(record.resources.get(name, math.nan))
    dataset, tested = plan.study.datasets[trial.dataset], plan.splits[trial.split].test
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = float(compute_on(_predictions(dataset, tested, record), [name])[name][0])
    except Exception:  # noqa: BLE001 - a measure that refuses these predictions, or one of the user's own
        return math.nan
    return value if math.isfinite(value) else math.nan


def _predictions(dataset: Dataset, tested: NDArray[np.int32], record: Record) -> Predictions:
    channels = {name: packed.unpack() for name, packed in record.arrays.items()}
    if dataset.task != "classes":
        return Predictions.checked(dataset.target[tested], channels, n_classes=0)
    positive = None if dataset.positive is None else dataset.classes.index(dataset.positive)
    if "score" in channels and channels["score"].ndim == 1 and positive == 0:
        channels["score"] = -channels["score"]  # a single column is for the second class
    return Predictions.checked(dataset.codes[tested], channels, n_classes=len(dataset.classes), positive=positive)
