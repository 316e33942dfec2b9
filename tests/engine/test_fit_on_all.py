"""A method fitted on all rows."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.engine.fit_on_all import fit_on_all


class Order:
    """A method that remembers the rows and the options that it was given, and returns nothing from fit."""

    def fit(self, X, y):
        self.rows, self.seen = len(X), set(y)

    def predict(self, X):
        return np.full(len(X), sorted(self.seen)[0])


@pytest.fixture(scope="module")
def study():
    return ft.Study(datasets=["iris"], methods={"bayes": GaussianNB(), "own": ft.Method("own", Order(), version="1")})


class TestFitOnAll:
    def test_learns_from_all_rows(self, study):
        made = fit_on_all(study, study.methods[1], study.datasets[0], {})
        assert (made.estimator.rows, made.encoder) == (150, None)
        assert made.estimator.seen == set(study.datasets[0].classes)

    def test_prepares_new_rows(self, study):
        (data,) = study.datasets
        made = fit_on_all(study, study.methods[0], data, {})
        expected = GaussianNB().fit(data.X, data.target).predict(data.X)
        assert made.estimator.predict(made.prepared(data.frame())).tolist() == expected.tolist()
