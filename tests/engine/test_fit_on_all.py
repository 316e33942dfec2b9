"""A method fitted on all rows."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from threadpoolctl import threadpool_info

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


class Threads(GaussianNB):
    """Notes the threads that it may compute with."""

    def fit(self, X, y):
        self.threads_ = {pool["num_threads"] for pool in threadpool_info()}
        return super().fit(X, y)


class TestFitOnAll:
    def test_computes_with_one_thread_as_trials_do(self, study):
        method = ft.Method("threads", Threads(), version="1")
        assert fit_on_all(study, method, study.datasets[0], {}).estimator.threads_ == {1}

    def test_learns_from_all_rows(self, study):
        made = fit_on_all(study, study.methods[1], study.datasets[0], {})
        assert (made.estimator.rows, made.encoder) == (150, None)
        assert made.estimator.seen == set(study.datasets[0].classes)

    def test_prepares_new_rows(self, study):
        (data,) = study.datasets
        made = fit_on_all(study, study.methods[0], data, {})
        expected = GaussianNB().fit(data.X, data.target).predict(data.X)
        assert made.estimator.predict(made.prepared(data.frame())).tolist() == expected.tolist()

    def test_decides_by_costs_as_in_the_trials(self):
        question = ft.Question(measure="expected_cost", context={"costs": {"yes": 30, "no": 1}})
        rng = np.random.default_rng(1)
        y = np.where(rng.uniform(size=200) < 0.2, "yes", "no")
        X = rng.normal(size=(200, 2)) + (y == "yes")[:, None]
        study = ft.Study(question, datasets={"churn": (X, y)}, methods={"bayes": GaussianNB()}, resampling="5-fold")
        made = fit_on_all(study, study.methods[0], study.datasets[0], {})
        probability = made.estimator.predict_proba(X)[:, 1]
        assert 0 < made.estimator.threshold_ < 0.3  # 1/31 if probabilities were exact
        assert ((probability >= made.estimator.threshold_) == (made.estimator.predict(X) == "yes")).all()
