"""Functions as methods: called once with training rows, targets and test rows."""

from __future__ import annotations

import functools
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import KNeighborsClassifier

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.methods import Method, as_methods
from fairtrial.methods.estimators import FitPredict, as_estimator, takes_rows
from fairtrial.methods.recipe import recipe


def nearest(X_train, y_train, X_test, k=1):
    """The class of the nearest training rows."""
    return KNeighborsClassifier(k).fit(X_train, y_train).predict(X_test)


def average(X_train, y_train, X_test):
    return np.full(len(X_test), np.mean(y_train))


def two(X, y):
    return y


class Called:
    def __call__(self, X_train, y_train, X_test):
        return X_test


class TestFitPredict:
    def test_by_hand(self):
        made = clone(FitPredict(nearest)).fit([[1], [5]], ["low", "high"])
        assert made.predict([[4], [0]]).tolist() == ["high", "low"]
        assert pickle.loads(pickle.dumps(made)).predict([[4]]).tolist() == ["high"]

    def test_before_fit(self):
        with pytest.raises(NotFittedError):
            FitPredict(nearest).predict([[1]])

    @pytest.mark.parametrize(
        ("function", "name"),
        [(nearest, "nearest"), (functools.partial(nearest, k=3), "nearest"), (Called(), "Called")],
    )
    def test_its_name(self, function, name):
        assert [m.name for m in as_methods(function)] == [m.name for m in as_methods([function])] == [name]


class TestAsEstimator:
    def test_too_few_arguments(self):
        with pytest.raises(
            InputError, match=r"must take X_train, y_train and X_test, but two takes \(X, y\); write one"
        ):
            as_estimator(two)
        assert takes_rows(nearest)
        assert not takes_rows(two)
        assert takes_rows(functools.partial(nearest, k=3))


class TestInAStudy:
    def test_equals_the_estimator(self):
        methods = {"function": nearest, "three": functools.partial(nearest, k=3), "class": KNeighborsClassifier(1)}
        study = ft.Study(datasets=["iris"], methods=methods, resampling="3-fold")
        found = study.run(workers=0, progress=False)
        labels = {m: found.predictions.query(f"method == '{m}'")["label"].tolist() for m in methods}
        assert labels["function"] == labels["class"] != labels["three"]
        assert found.failures.empty

    def test_values(self):
        study = ft.Study(datasets=["diabetes"], methods=[average], resampling="3-fold", measures=["rmse"])
        scores = study.run(workers=0, progress=False).scores
        both = scores.pivot_table(index="fold", columns="method", values="value")
        np.testing.assert_allclose(both["average"], both["mean"])

    def test_its_time_is_time_to_fit(self):
        study = ft.Study(datasets=["iris"], methods=[nearest], resampling="3-fold", training_scores=True)
        results = study.run(workers=0, progress=False)
        assert results.failures.empty
        times = results.scores.pivot_table(index="method", columns="measure", values="value", dropna=False)
        assert times.loc["nearest", "fit_time"] > times.loc["majority", "fit_time"]
        assert times["predict_time"].isna().to_dict() == {"nearest": True, "majority": False}

    def test_identity(self):
        one, three = Method("f", nearest), Method("f", functools.partial(nearest, k=3))
        path = one.canonical()["estimator"]["params"]["function"]["path"]
        assert path["named"].endswith("test_function_method.nearest")
        assert recipe(one.canonical()["estimator"]) == "function nearest"
        assert recipe(three.canonical()["estimator"]) == "function nearest(k=3)"
        assert one.digest() != three.digest() != Method("f", average).digest()
