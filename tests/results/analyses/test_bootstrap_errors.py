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

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


METHODS = {"bayes": GaussianNB(), "neighbour": KNeighborsClassifier(1)}


def noise(seed=1, name="noise", n=60) -> Dataset:
    random = np.random.default_rng(seed)
    return Dataset.from_arrays(random.normal(size=(n, 3)), np.repeat(["a", "b"], n // 2), name=name)


def run(resampling, data=None, methods=METHODS, measures=("accuracy",)):
    study = Study(datasets=[data or noise()], methods=methods, resampling=resampling, measures=list(measures))
    return study.run(workers=0, progress=False)


@pytest.fixture(scope="module")
def found():
    return run(".632 bootstrap 40").bootstrap_errors()


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
        found = run(".632 bootstrap 20", data, methods, ["rmse"]).bootstrap_errors()
        error = found["line", "line"]
        assert found.measure == "mse"
        assert error.apparent < error.plus < error.out_of_bag < error.no_information

    def test_without_a_known_no_information_rate_there_is_only_632(self):
        found = run(".632 bootstrap 20").bootstrap_errors("brier")
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
        found = run(".632 bootstrap 3", methods=methods).bootstrap_errors()
        assert found["noise", "fails"] is None
        assert "1 without an estimate" in str(found)

    def test_the_wrong_studies(self):
        for resampling in ("2-fold", "bootstrap 2", "resubstitution"):
            with pytest.raises(InputError, match=r"need a study that was run with resampling='.632 bootstrap 200'"):
                run(resampling).bootstrap_errors()
        with pytest.raises(InputError, match=r"must be an error that is an average over instances, .* got 'accuracy'"):
            run(".632 bootstrap 2").bootstrap_errors("accuracy")

    def test_the_apparent_split_is_no_part_of_the_scores(self, tmp_path):
        plain, more = run("bootstrap 10"), run(".632 bootstrap 10")
        assert len(plain.scores) == 2 * 10 + 10  # two methods and the yardstick
        assert more.scores.equals(plain.scores)
        assert more.predictions.equals(plain.predictions)
        assert str(more.verdict()) == str(plain.verdict())
