"""Methods for the contract of executors: well-behaved, random, failing, and over every limit."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class _Plain(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that always predicts the first class."""

    def fit(self, X: Any, y: Any) -> Any:  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.repeat(self.classes_[:1], len(X))


class Draws(_Plain):
    """A classifier that draws its predictions from numpy's global generator, a while after it was seeded."""

    def predict(self, X: Any) -> Any:
        time.sleep(0.005)  # threads of one process would seed the generator again meanwhile
        return np.random.choice(self.classes_, len(X))  # noqa: NPY002


class Raises(_Plain):
    """A classifier that can't be fitted."""

    def fit(self, X: Any, y: Any) -> Any:  # noqa: ARG002
        raise ValueError("did not converge")


class Sleeps(_Plain):
    """A classifier that takes its time to be fitted."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def fit(self, X: Any, y: Any) -> Any:
        time.sleep(self.seconds)
        return super().fit(X, y)


class Grows(Sleeps):
    """A classifier that holds memory for a while."""

    def __init__(self, megabytes: int = 0, seconds: float = 0.0) -> None:
        super().__init__(seconds)
        self.megabytes = megabytes

    def fit(self, X: Any, y: Any) -> Any:
        held = np.ones((self.megabytes, 1_000_000), dtype=np.int8)
        super().fit(X, y)
        del held
        return self


class Ends(_Plain):
    """A classifier that ends the process that it is fitted in, unless that is ``spared``."""

    def __init__(self, spared: int = 0) -> None:
        self.spared = spared

    def fit(self, X: Any, y: Any) -> Any:
        if os.getpid() != self.spared:
            os._exit(3)
        return super().fit(X, y)
