"""Classifiers that refuse some data, for tests of what is said of methods that failed."""

from __future__ import annotations

import numpy as np
from sklearn.naive_bayes import GaussianNB

REFUSAL = (
    "Invalid classes inferred from unique values of `y`.  Expected: [0 1], got ['benign' 'malignant']\n"
    "and a second line"
)


class Refuses(GaussianNB):
    """Fails on every fit, as XGBClassifier does with labels that are words."""

    def fit(self, X, y):
        raise ValueError(REFUSAL)


class RefusesWide(GaussianNB):
    """Fails on data sets with more than ``most`` features."""

    def __init__(self, most: int = 20) -> None:
        super().__init__()
        self.most = most

    def fit(self, X, y):
        if np.shape(X)[1] > self.most:
            raise ValueError("too wide for me")
        return super().fit(X, y)


class RefusesSome(GaussianNB):
    """Fails on about this share of the training sets."""

    def __init__(self, share: float = 0.3) -> None:
        super().__init__()
        self.share = share

    def fit(self, X, y):
        if round(float(np.abs(X).sum()) * 10) * 7919 % 1000 < 1000 * self.share:
            raise ValueError("not with these rows")
        return super().fit(X, y)
