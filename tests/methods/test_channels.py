"""What an estimator predicts, as arrays: labels, probabilities, scores, values, spreads; nonsense is refused."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import ARDRegression, BayesianRidge, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fairtrial as ft
from fairtrial.data import Dataset, datasets
from fairtrial.engine.perform import Bench, perform
from fairtrial.methods import Method
from fairtrial.resampling import KFold

PROCESS = GaussianProcessRegressor(RBF(0.1) + WhiteKernel(), normalize_y=True, optimizer=None)
IRIS, DIABETES = datasets("iris", "diabetes")


def tried(dataset: Dataset, estimator: object, **options: object):
    """One trial: its record, what it predicted by channel, and its split."""
    (split, *_) = KFold(5).splits(dataset, 1)
    record = perform(b"k" * 16, Bench(dataset, Method("m", estimator, **options)), split)
    return record, {c: a.unpack() for c, a in record.arrays.items()}, split


class Half(ClassifierMixin, BaseEstimator):
    """Knows only the classes that it saw."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)[1:]
        return self

    def predict(self, X):
        return np.repeat(self.classes_[0], len(X))

    def predict_proba(self, X):
        return np.tile([0.25, 0.75], (len(X), 1))


class TestChannels:
    def test_a_class_that_training_lacked_has_probability_zero(self):
        _, arrays, _ = tried(IRIS, Half(), version="1")
        assert arrays["probability"][0].tolist() == [0.0, 0.25, 0.75]
        assert set(arrays["label"]) == {1}

    @pytest.mark.parametrize(
        ("predicted", "message"),
        [
            (["setosa"] * 3, "predict must give one prediction for each of 30 instances, got 3"),
            ("setosa", "predict must give one prediction for each of 30 instances, got a single value"),
            (None, "predict must give one prediction for each of 30 instances, got a single value"),
            ([float("nan")] * 30, "predict must give a class for each instance, but 30 are nan"),
            ([7] * 30, "predict must give labels such as 'setosa', got 7"),
            (["tulip"] * 2 + ["setosa"] * 28, "predict must give classes of the data set, such as 'setosa', but 2 of "
             "30 are others, such as 'tulip'"),
            ([None] + ["setosa"] * 29, "predict must have a label in every row, but row 0 is missing"),
            (np.array([1, *["setosa"] * 29], dtype=object), "predict must be labels of one kind, got both numbers and "
             "text"),
            ([1, *["setosa"] * 29], "predict must give classes of the data set, such as 'setosa', but 1 of 30 are "
             "others, such as '1'"),
            ([["setosa", "setosa"]] * 30, "predict must be a list of class labels, got an array of shape (30, 2)"),
            (np.ma.array(["setosa"] * 30, mask=[True] + [False] * 29), "predict must give a prediction for each "
             "instance, but 1 are masked"),
        ],
    )  # fmt: skip
    def test_nonsense_is_a_failure_that_says_what_it_was(self, predicted, message):
        class Nonsense(Half):
            def predict(self, X):
                return predicted

        record, arrays, _ = tried(IRIS, Nonsense(), version="1")
        assert record.status == "failed"
        assert record.error.split("\n")[0] == f"InputError: {message}"
        assert not arrays

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            (
                [0.249, 0.75],
                "predict_proba must sum to 1 over the classes, but rows 0, 1, 2, 3, 4 and 25 others are off",
            ),
            ([-0.25, 1.25], "predict_proba must lie between 0 and 1, but rows 0, 1, 2, 3, 4 and 25 others are not: "),
            ([1.25, 0.0], "predict_proba must lie between 0 and 1, but rows 0, 1, 2, 3, 4 and 25 others are not: "),
            ([np.inf, 0.0], "predict_proba must be finite, but rows 0, 1, 2, 3, 4 and 25 others are not"),
            ([1j, 1.0], "predict_proba must give real numbers, got complex ones"),
            ([[0.5], [0.5]], "predict_proba must give a row of numbers for each instance, got the shape (30, 2, 1)"),
        ],
    )
    def test_probabilities_that_measures_would_refuse_are_a_failure(self, row, message):
        class Odd(Half):
            def predict_proba(self, X):
                return np.array([row] * len(X))

        record, arrays, _ = tried(IRIS, Odd(), version="1")
        assert record.status == "failed"
        assert record.error.split("\n")[0].startswith(f"InputError: {message}")
        assert not arrays

    def test_probabilities_of_single_precision_are_fine(self):
        class Single(Half):
            def predict_proba(self, X):
                return np.tile(np.float32([0.1, 0.9]) * np.float32(1.000005), (len(X), 1))

        record, _, _ = tried(IRIS, Single(), version="1")
        assert record.status == "ok", record.error

    def test_classes_that_the_data_set_does_not_have(self):
        class Stranger(Half):
            def fit(self, X, y):
                self.classes_ = np.array(["setosa", "tulip"])
                return self

        record, _, _ = tried(IRIS, Stranger(), version="1")
        assert record.error.startswith(
            "InputError: classes_ must be classes of the data set, such as 'setosa', got 'tulip'"
        )

    def test_values_must_be_finite(self):
        class Infinite(Ridge):
            def predict(self, X):
                return np.full(len(X), np.inf)

        record, _, _ = tried(DIABETES, Infinite(), version="1")
        assert record.error.startswith("InputError: predict must give finite numbers, but 89 of 89 are not")

    def test_values_must_have_squares(self):
        class Huge(Ridge):
            def predict(self, X):
                return np.where(np.arange(len(X)) == 3, 1e308, 1.0)

        record, _, _ = tried(DIABETES, Huge(), version="1")
        assert record.error.startswith(
            "InputError: predict must give numbers up to 1e+150, whose squares are finite, but"
        )


class Unsure(Ridge):
    """Says of its predictions what it is told to say."""

    def __init__(self, std=None):
        super().__init__()
        self.std = std

    def predict(self, X, return_std=False):
        return (super().predict(X), self.std) if return_std else super().predict(X)


class TestStandardDeviations:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "estimator",
        [
            BayesianRidge(),
            ARDRegression(),
            PROCESS,
            make_pipeline(StandardScaler(), BayesianRidge()),
            make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), BayesianRidge())),
        ],
        ids=["bayesian", "ard", "process", "pipeline", "nested"],
    )
    def test_are_kept_besides_the_values(self, estimator):
        record, arrays, split = tried(DIABETES, estimator)
        train = split.train_rows()
        value, std = (
            clone(estimator)
            .fit(DIABETES.X[train], DIABETES.target[train])
            .predict(DIABETES.X[split.test], return_std=True)
        )
        assert set(arrays) == {"value", "std"}
        np.testing.assert_array_equal(arrays["std"], std)
        np.testing.assert_allclose(arrays["value"], value, rtol=1e-12)
        assert record.warnings == ()

    @pytest.mark.parametrize(
        "estimator", [Ridge(), TransformedTargetRegressor(BayesianRidge()), make_pipeline(StandardScaler(), Ridge())]
    )
    def test_not_from_those_that_have_none(self, estimator):
        record, arrays, _ = tried(DIABETES, estimator)
        assert set(arrays) == {"value"}
        assert record.warnings == ()

    @pytest.mark.parametrize(
        ("std", "message"),
        [
            ([1.0] * 3, "must give one prediction for each of 89 instances, got 3"),
            (1.0, "must give one prediction for each of 89 instances, got a single value"),
            ([1.0] * 88 + [float("nan")], "must give finite numbers, but 1 of 89 are not"),
            ([1.0] * 88 + [float("inf")], "must give finite numbers, but 1 of 89 are not"),
            ([1.0] * 87 + [-1.0, -2.0], "must not give negative numbers, but 2 are"),
            (["much"] * 89, "could not convert string"),
            (None, "must give"),
        ],
    )
    def test_nonsense_is_left_out_and_said(self, std, message):
        record, arrays, _ = tried(DIABETES, Unsure(std), version="1")
        assert record.status == "ok", record.error
        assert set(arrays) == {"value"}
        ((text, _),) = record.warnings
        assert "no standard deviations were kept" in text
        assert message in text

    def test_zero_is_no_nonsense(self):
        _, arrays, _ = tried(DIABETES, Unsure([0.0] * 89), version="1")
        assert (arrays["std"] == 0).all()

    def test_an_error_costs_no_trial(self):
        class Refuses(Unsure):
            def predict(self, X, return_std=False):
                if return_std:
                    raise NotImplementedError("not today")
                return super().predict(X)

        record, arrays, _ = tried(DIABETES, Refuses(), version="1")
        assert record.status == "ok"
        assert set(arrays) == {"value"}
        assert record.warnings[0][0].endswith("NotImplementedError: not today")

    def test_are_not_timed(self):
        import time

        class Slow(Unsure):
            def predict(self, X, return_std=False):
                time.sleep(0.2 if return_std else 0)
                return super().predict(X, return_std=return_std)

        record, arrays, _ = tried(DIABETES, Slow([1.0] * 89), version="1")
        assert "std" in arrays
        assert record.resources["predict_time"] < 0.2

    @pytest.mark.slow
    @pytest.mark.parametrize("workers", [0, 2])
    def test_a_study_of_distributions(self, workers):
        study = ft.Study(
            datasets=["diabetes"],
            methods={"bayes": BayesianRidge(), "process": make_pipeline(StandardScaler(), PROCESS)},
            resampling="3-fold",
            measures=["rmse"],
        )
        results = study.run(None, workers=workers, progress=False)
        verdict = results.verdict("nlpd")
        own = results.predictions.query("method == 'bayes' and fold == 2")
        density = norm.logpdf(own["truth"], own["value"], own["std"])  # scipy, an independent implementation
        found = verdict.evidence.folds[0][2, verdict.evidence.columns.index("bayes")]
        assert found == pytest.approx(-density.mean(), rel=1e-12)
        assert np.isnan(verdict.evidence.folds[0][:, verdict.evidence.columns.index("mean")]).all()
        assert (results.predictions.query("method == 'mean'")["std"] == 0).all()  # what scikit-learn's dummy says
