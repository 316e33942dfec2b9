"""A method fitted on all rows of a data set, as a trial fits it on its training rows."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from fairtrial.data import Dataset
from fairtrial.data.dataset import frame_of
from fairtrial.data.encode import new_rows
from fairtrial.design import Study, Training
from fairtrial.engine.gauges import cores
from fairtrial.engine.perform import Bench
from fairtrial.engine.supplies import conditions_of
from fairtrial.methods import Method, digest
from fairtrial.resampling import Forward, derive_seed


@dataclass(frozen=True, slots=True, eq=False)
class FittedOnAll:
    """A fitted estimator, and the preprocessing of its inputs; ``encoder`` is None where there is none."""

    estimator: Any
    encoder: Any
    inputs: str
    dataset: Dataset

    def prepared(self, X: Any) -> Any:
        """New rows as the estimator takes them."""
        matrix = new_rows(self.dataset, X)
        if self.inputs == "frame":
            return frame_of(self.dataset.features, matrix)
        return matrix if self.encoder is None else self.encoder.transform(matrix)


def fit_on_all(study: Study, method: Method, dataset: Dataset, levels: Mapping[str, Any]) -> FittedOnAll:
    """Fit a method of a study on all rows: preprocessing, tuning and labels as in its trials.

    ``levels`` are those of factors on methods. A method that tunes itself or its threshold does so on inner splits of
    all rows. Seeds follow from the study's seed, the data and the method, so that the same model is made again.
    """
    bench = Bench(dataset, method).at(levels, conditions_of(study))
    key = digest([study.seed, dataset.fingerprint, bench.method.canonical(), "all rows"])
    rows = np.arange(dataset.n, dtype=np.int32)
    training = Training(dataset, rows, dataset.target)
    seeds, forward = (study.seed, dataset.fingerprint, "all rows"), isinstance(study.resampling, Forward)
    options = bench.fit_options(training, *seeds, forward=forward)
    before = random.getstate(), np.random.get_state()  # noqa: NPY002 - set back below
    try:
        with threadpool_limits(cores() if method.threads else 1):  # as in trials, with their numbers and speed
            random.seed(seed := derive_seed(key, "global"))
            np.random.seed(seed)  # noqa: NPY002 - for estimators that use the global generator
            X, encoder = bench.learned_from(training), None
            if bench.encoder is not None:
                encoder = bench.encoder().fit(X)
                X = encoder.transform(X)
            estimator = bench.estimator(key)
            estimator.fit(X, training.target, **options)
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002
    return FittedOnAll(estimator, encoder, bench.inputs, dataset)
