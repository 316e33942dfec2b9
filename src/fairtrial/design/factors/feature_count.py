"""How many features there are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fairtrial.data import Dataset
from fairtrial.design.factors.factor import Amount, Level, Training
from fairtrial.resampling import generator

__all__ = ["FeatureCount"]


class FeatureCount(Amount):
    """How many features there are, in training and test data: for how cost and quality grow with them.

    They are drawn once for each data set; fewer features are part of more.

    >>> FeatureCount([4, 16, 1]).write(1)
    'all'
    """

    name = "feature_count"
    title = "features"

    def offers(self, level: Level, training: Training) -> bool:
        return self.amount(level, training.dataset.p) <= training.dataset.p

    def narrow(self, dataset: Dataset, level: Level, seed: int) -> Dataset:
        order = generator(seed, dataset.fingerprint, self.name).permutation(dataset.p)
        columns = np.sort(order[: self.amount(level, dataset.p)])
        return replace(dataset, X=dataset.X[:, columns], features=tuple(dataset.features[j] for j in columns))
