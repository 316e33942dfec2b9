"""How many features there are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fairtrial.data import Dataset
from fairtrial.design.factors.level_values import Number
from fairtrial.design.factors.training_factor import Amount, Training
from fairtrial.resampling import generator


class FeatureCount(Amount):
    """The number of features in training and test data, to see how cost and quality grow with it.

    The features are drawn once for each data set; those of a smaller level are among those of a larger one.

    >>> FeatureCount([4, 16, 1]).write(1)
    'all'
    """

    name = "feature_count"
    title = "features"

    def offers(self, level: Number, training: Training) -> bool:
        return self.amount(level, training.dataset.p) <= training.dataset.p

    def narrow(self, dataset: Dataset, level: Number, seed: int) -> Dataset:
        order = generator(seed, dataset.fingerprint, self.name).permutation(dataset.p)
        columns = np.sort(order[: self.amount(level, dataset.p)])
        return replace(dataset, X=dataset.X[:, columns], features=tuple(dataset.features[j] for j in columns))
