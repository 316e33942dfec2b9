"""A data set whose values tell their rows, and its training data at a level of a factor."""

import numpy as np

from fairtrial.data import Dataset
from fairtrial.design import Training, TrainingFactor, varied
from fairtrial.resampling import KFold, Split


def data_set(n: int = 60, classes: str = "aab", values: bool = False) -> Dataset:
    X = np.column_stack([np.arange(n), 1000 + np.arange(n), 2000 + np.arange(n)]).astype(float)
    target = 10.0 * np.arange(n) if values else np.array([classes[i % len(classes)] for i in range(n)])
    return Dataset.from_arrays(X, target, name="made")


def halves(data: Dataset) -> Split:
    return next(iter(KFold(folds=2).splits(data, 1)))


def training(data: Dataset, factor: TrainingFactor, level: float, seed: int = 1) -> Training:
    return varied(data, halves(data), (factor,), {factor.name: level}, seed)
