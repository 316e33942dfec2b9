"""What a method tells of itself: what JSON can hold is kept, and anything else is left out with a warning."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fairtrial as ft
from fairtrial.data import datasets
from fairtrial.engine.perform import MOST_DETAILS, Bench, perform
from fairtrial.methods import Method
from fairtrial.resampling import KFold


class Telling(ClassifierMixin, BaseEstimator):
    """Tells something of itself."""

    def __init__(self, what="fine"):
        self.what = what

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))

    def fairtrial_details(self):
        return {
            "fine": {"leaves": 3},
            "large": {"text": "x" * MOST_DETAILS},
            "nan": {"x": float("nan")},
            "array": {"x": np.arange(3)},
            "list": [1, 2],
        }[self.what]


class TestDetails:
    def told(self, what, wrap=lambda e: e):
        (iris,) = datasets("iris")
        method = Method("a", wrap(Telling(what)), version="1")
        return perform(b"k" * 16, Bench(iris, method), next(iter(KFold(5).splits(iris, 1))))

    def test_any_method_may_tell_of_itself(self):
        assert self.told("fine").details == {"leaves": 3}
        assert self.told("fine", lambda e: make_pipeline(StandardScaler(), e)).details == {"leaves": 3}

    @pytest.mark.parametrize(
        ("what", "said"),
        [
            ("large", "at most 1048576 bytes"),
            ("nan", "ValueError"),
            ("array", "not JSON"),
            ("list", "must be a mapping"),
        ],
    )
    def test_what_can_not_be_kept_is_left_out_with_a_warning(self, what, said):
        record = self.told(what)
        assert (record.status, record.details) == ("ok", {})
        ((text, n),) = record.warnings
        assert (said in text, n) == (True, 1)

    def test_of_many_configurations_the_best_are_told(self):
        (iris,) = datasets("iris")
        search = ft.tuned(Telling(), {"what": [f"value {i}" for i in range(700)]}, inner="2-fold")
        told = search.fit(iris.X, iris.target).fairtrial_details()["tuning"]
        assert (told["configurations"], len(told["tried"])) == (700, 500)
        assert len(json.dumps(told)) < MOST_DETAILS
