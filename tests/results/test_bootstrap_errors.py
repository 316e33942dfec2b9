"""The .632 and .632+ estimates of stored studies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from fairtrial.data import Dataset
from fairtrial.design import Study
from fairtrial.errors import InputError
from fairtrial.resampling import Bootstrap
from fairtrial.results import bootstrap_errors

METHODS = {"bayes": GaussianNB(), "neighbour": KNeighborsClassifier(1)}


def noise(seed=1, name="noise", n=60) -> Dataset:
    random = np.random.default_rng(seed)
    return Dataset.from_arrays(random.normal(size=(n, 3)), np.repeat(["a", "b"], n // 2), name=name)


def run(resampling, data=None, methods=METHODS, measures=("accuracy",)):
    study = Study(datasets=[data or noise()], methods=methods, resampling=resampling, measures=list(measures))
    return study.run(workers=0, progress=False)


@pytest.fixture(scope="module")
def found():
    return bootstrap_errors(run("bootstrap 40"), run("resubstitution"))


class TestBootstrapErrors:
    def test_one_nearest_neighbour_on_noise(self, found):
        # learns by heart: nothing is right about .632, and .632+ is right about chance
        error = found["noise", "neighbour"]
        assert error.apparent == 0
        assert error.no_information == pytest.approx(0.5)
        assert error.plain < 0.4
        assert error.plus == pytest.approx(0.5, abs=0.08)

    def test_against_a_loop(self, found):
        data = noise()
        X, y = data.X, data.codes
        losses = np.full((40, 60), np.nan)
        for b, split in enumerate(Bootstrap(40).splits(data, seed=1)):
            model = GaussianNB().fit(X[split.train], y[split.train])
            losses[b, split.test] = model.predict(X[split.test]) != y[split.test]
        fitted = GaussianNB().fit(X, y).predict(X)
        error = found["noise", "bayes"]
        assert error.out_of_bag == pytest.approx(np.nanmean(losses, axis=0).mean())
        assert error.apparent == pytest.approx((fitted != y).mean())
        p, q = y.mean(), fitted.mean()
        assert error.no_information == pytest.approx(p * (1 - q) + (1 - p) * q)

    def test_values(self):
        random = np.random.default_rng(1)
        X = random.normal(size=(50, 2))
        data = Dataset.from_arrays(X, X[:, 0] + random.normal(size=50), name="line")
        methods = {"line": LinearRegression()}
        found = bootstrap_errors(
            run("bootstrap 20", data, methods, ["rmse"]), run("resubstitution", data, methods, ["rmse"])
        )
        error = found["line", "line"]
        assert found.measure == "mse"
        assert error.apparent < error.plus < error.out_of_bag < error.no_information

    def test_without_a_known_no_information_rate_there_is_only_632(self):
        found = bootstrap_errors(run("bootstrap 20"), run("resubstitution"), measure="brier")
        assert math.isnan(found["noise", "bayes"].plus)
        assert found["noise", "bayes"].plain > 0

    def test_as_a_table(self, found):
        assert [row[:2] for row in found.to_table().rows] == [
            ("noise", "bayes"),
            ("noise", "neighbour"),
            ("noise", "majority"),
        ]
        assert len(found.to_dict()["errors"]) == 3
        assert str(found).startswith("error_rate, bootstrap estimates")

    def test_what_failed_has_no_estimate(self):
        class Fails(GaussianNB):
            def fit(self, X, y):
                raise ValueError("no")

        from fairtrial.methods import Method

        methods = [Method("bayes", GaussianNB()), Method("fails", Fails(), version="1")]
        found = bootstrap_errors(run("bootstrap 3", methods=methods), run("resubstitution", methods=methods))
        assert found["noise", "fails"] is None
        assert "1 without an estimate" in str(found)

    def test_the_wrong_studies(self):
        with pytest.raises(InputError, match="run with resampling='bootstrap', got one with 'k-fold'"):
            bootstrap_errors(run("2-fold"), run("resubstitution"))
        with pytest.raises(InputError, match="same datasets, but 'noise' is not the same in both"):
            bootstrap_errors(run("bootstrap 2"), run("resubstitution", noise(2)))
        with pytest.raises(InputError, match="same methods, but 'neighbour' is not the same in both"):
            bootstrap_errors(
                run("bootstrap 2"), run("resubstitution", methods={**METHODS, "neighbour": KNeighborsClassifier(3)})
            )
        with pytest.raises(InputError, match="same datasets, but they share none"):
            bootstrap_errors(run("bootstrap 2"), run("resubstitution", noise(name="other")))
        with pytest.raises(InputError, match=r"must be an error that is a mean over instances, .* got 'accuracy'"):
            bootstrap_errors(run("bootstrap 2"), run("resubstitution"), measure="accuracy")
