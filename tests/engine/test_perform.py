"""One trial, in this process: the numbers equal those of the same calls made by hand."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import ARDRegression, BayesianRidge, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC

import fairtrial as ft
from fairtrial.data import Dataset, datasets
from fairtrial.data.encode import encoder_for
from fairtrial.engine.perform import Bench, perform
from fairtrial.methods import Method, baseline
from fairtrial.resampling import KFold, Split, derive_seed

IRIS, VOTE, DIABETES = datasets("iris", "vote", "diabetes")


def first_split(dataset: Dataset) -> Split:
    return next(iter(KFold(5).splits(dataset, 1)))


def tried(dataset: Dataset, estimator: object, key: bytes = b"k" * 16, **options: object):
    split = first_split(dataset)
    record = perform(key, Bench(dataset, Method("m", estimator, **options)), split)
    return record, {c: a.unpack() for c, a in record.arrays.items()}, split


class TestPerform:
    def test_equals_the_same_calls_by_hand(self):
        record, arrays, split = tried(IRIS, GaussianNB())
        model = GaussianNB().fit(IRIS.X[split.train_rows()], IRIS.target[split.train_rows()])
        X = IRIS.X[split.test]
        assert record.status == "ok"
        assert (np.asarray(IRIS.classes)[arrays["label"]] == model.predict(X)).all()
        assert (arrays["probability"] == model.predict_proba(X)).all()
        assert set(arrays) == {"label", "probability"}

    def test_an_open_random_state_gets_a_seed_of_the_trial(self):
        key = b"x" * 16
        _, arrays, split = tried(IRIS, RandomForestClassifier(5), key)
        model = RandomForestClassifier(5, random_state=derive_seed(key, "random_state"))
        model.fit(IRIS.X[split.train_rows()], IRIS.target[split.train_rows()])
        assert (arrays["probability"] == model.predict_proba(IRIS.X[split.test])).all()
        _, other, _ = tried(IRIS, RandomForestClassifier(5), b"y" * 16)
        assert (arrays["probability"] != other["probability"]).any()

    def test_a_random_state_that_was_set_is_kept(self):
        _, one, _ = tried(IRIS, RandomForestClassifier(5, random_state=3), b"x" * 16)
        _, two, _ = tried(IRIS, RandomForestClassifier(5, random_state=3), b"y" * 16)
        assert (one["probability"] == two["probability"]).all()

    def test_preprocessing_is_fitted_on_the_training_rows_only(self):
        _, arrays, split = tried(VOTE, LogisticRegression())
        train = split.train_rows()
        encoder = encoder_for(VOTE).fit(VOTE.X[train])
        model = LogisticRegression().fit(encoder.transform(VOTE.X[train]), VOTE.target[train])
        assert (arrays["probability"] == model.predict_proba(encoder.transform(VOTE.X[split.test]))).all()
        assert (arrays["score"] == model.decision_function(encoder.transform(VOTE.X[split.test]))).all()

    def test_a_column_transformer_gets_a_frame(self):
        steps = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), [f.name for f in VOTE.features]))
        record, _, _ = tried(VOTE, make_pipeline(steps, LogisticRegression()))
        assert record.status == "ok", record.error

    def test_raw_inputs_keep_nan_and_codes(self):
        record, _, _ = tried(VOTE, GaussianNB(), inputs="raw")
        assert record.error.startswith("ValueError: Input X contains NaN")

    def test_values(self):
        _, arrays, split = tried(DIABETES, Ridge())
        model = Ridge().fit(DIABETES.X[split.train_rows()], DIABETES.target[split.train_rows()])
        assert (arrays["value"] == model.predict(DIABETES.X[split.test])).all()

    def test_one_rule_is_fed_a_frame(self):
        split = first_split(VOTE)
        record = perform(b"k", Bench(VOTE, baseline("one_rule")), split)
        labels = record.arrays["label"].unpack()
        assert (labels == VOTE.codes[split.test]).mean() > 0.9  # physician-fee-freeze alone does that well

    def test_times_are_recorded(self):
        record, _, _ = tried(IRIS, GaussianNB())
        assert set(record.resources) - {"peak_memory"} == {"fit_time", "fit_cpu", "predict_time", "predict_cpu"}
        assert all(v >= 0 for v in record.resources.values())

    def test_one_vs_one_scores_are_not_kept_as_class_scores(self):
        _, arrays, _ = tried(datasets("glass")[0], SVC(decision_function_shape="ovo"))
        assert "score" not in arrays
        for estimator in (one := SVC(decision_function_shape="ovo"), make_pipeline(one), ft.tuned(one, {"C": [1.0]})):
            _, arrays, _ = tried(IRIS, estimator)  # three classes, three pairs
            assert "score" not in arrays
        _, arrays, _ = tried(IRIS, LinearSVC())
        assert arrays["score"].shape == (30, 3)


class TestFresh:
    """Copies of a method's estimator: equal to clones, whichever way they are made."""

    def test_copies_are_clones_that_share_nothing(self):
        pipeline = make_pipeline(StandardScaler(), LogisticRegression(C=3.0, random_state=1))
        pipeline.fit(IRIS.X, IRIS.target)  # what was learned before must not be there
        bench = Bench(IRIS, Method("m", pipeline))
        one, other = bench.estimator(b"k"), bench.estimator(b"k")
        assert str(one.get_params()) == str(clone(pipeline).get_params())
        assert not hasattr(one[-1], "coef_")
        assert one[-1] is not other[-1]
        one[-1].set_params(C=5.0)
        assert bench.estimator(b"k")[-1].C == 3.0

    def test_what_can_not_be_pickled_is_cloned(self):
        class Local(GaussianNB):
            pass

        bench = Bench(IRIS, Method("m", Local(), version="1"))
        assert type(bench.estimator(b"k")) is Local
        assert bench.estimator(b"k") is not bench.estimator(b"k")

    def test_large_ones_are_cloned_and_may_share_their_parts(self):
        frozen = FrozenEstimator(KNeighborsClassifier().fit(np.zeros((20_000, 4)), np.arange(20_000) % 3))
        bench = Bench(IRIS, Method("m", make_pipeline(StandardScaler(), frozen)))
        assert bench.estimator(b"k")[-1] is frozen


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
            (np.array([1, *["setosa"] * 29], dtype=object), "predict must be labels of one kind, got numbers and text "
             "together"),
            ([1, *["setosa"] * 29], "predict must give classes of the data set, such as 'setosa', but 1 of 30 are "
             "others, such as '1'"),
            ([["setosa", "setosa"]] * 30, "predict must be a row of class labels, got an array of shape (30, 2)"),
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
            ([0.249, 0.75], "predict_proba must sum to 1 over the classes, but rows 0, 1, 2, 3, 4, … are off: 0.999"),
            ([-0.25, 1.25], "predict_proba must lie between 0 and 1, but rows 0, 1, 2, 3, 4, … are not: "),
            ([1.25, 0.0], "predict_proba must lie between 0 and 1, but rows 0, 1, 2, 3, 4, … are not: "),
            ([np.inf, 0.0], "predict_proba must be finite, but rows 0, 1, 2, 3, 4, … are not"),
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


class TestWarnings:
    def test_are_counted_with_their_text(self):
        record, _, _ = tried(IRIS, make_pipeline(StandardScaler(), LogisticRegression(max_iter=1)))
        assert record.status == "ok"
        (text, count), *_ = record.warnings
        assert text.startswith("ConvergenceWarning: ")
        assert count == 1


PROCESS = GaussianProcessRegressor(RBF(0.1) + WhiteKernel(), normalize_y=True, optimizer=None)


class Unsure(Ridge):
    """Says of its predictions what it is told to say."""

    def __init__(self, std=None):
        super().__init__()
        self.std = std

    def predict(self, X, return_std=False):
        return (super().predict(X), self.std) if return_std else super().predict(X)


class TestStandardDeviations:
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
