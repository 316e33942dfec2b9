"""One trial, in this process: the numbers equal those of the same calls made by hand."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC

import fairtrial as ft
from fairtrial.data import Dataset, datasets
from fairtrial.data.encode import encoder_for
from fairtrial.engine.perform import Bench, perform
from fairtrial.engine.supplies import Conditions
from fairtrial.methods import ByCosts, Method, baseline
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


class TestWarnings:
    def test_are_counted_with_their_text(self):
        record, _, _ = tried(IRIS, make_pipeline(StandardScaler(), LogisticRegression(max_iter=1)))
        assert record.status == "ok"
        (text, count), *_ = record.warnings
        assert text.startswith("ConvergenceWarning: ")
        assert count == 1


seen: list[set[tuple[float, ...]]] = []  # the rows of each fit


class Spy(GaussianNB):
    def fit(self, X, y):
        seen.append({tuple(row) for row in X})
        return super().fit(X, y)


class TestDecisions:
    """Decisions by costs inside a trial."""

    RNG = np.random.default_rng(6)
    X = RNG.normal(size=(240, 2))
    Y = np.where(X.sum(axis=1) + RNG.normal(size=240) > 2, "yes", "no")

    def record(self, estimator, by="tuned", split=None, y=Y, **parts):
        data = Dataset.from_arrays(self.X, y, name="churn", positive="yes", **parts)
        method = Method("m", estimator, decide=ByCosts(by, (1, 30)))
        split = split or next(iter(KFold(3).splits(data, 1)))
        return perform(b"key", Bench(data, method, source="churn"), split), data, split  # seeds come from the source

    def test_the_threshold_does_not_depend_on_the_test_rows(self):
        record, data, split = self.record(GaussianNB())
        turned = self.Y.copy()
        turned[split.test] = np.where(turned[split.test] == "yes", "no", "yes")
        again, _, _ = self.record(GaussianNB(), split=split, y=turned)
        assert record.details["decision"]["threshold"] == again.details["decision"]["threshold"]
        np.testing.assert_array_equal(record.arrays["label"].unpack(), again.arrays["label"].unpack())
        # by hand: the cut of predictions of the training rows on the inner splits
        train = split.train_rows()
        assert len(train) + len(split.test) == data.n
        p = GaussianNB().fit(self.X[train], self.Y[train]).predict_proba(self.X[split.test])[:, 1]
        flagged = p >= record.details["decision"]["threshold"]
        np.testing.assert_array_equal(record.arrays["label"].unpack() == 1, flagged)

    def test_inner_splits_keep_groups_whole(self):
        seen.clear()
        groups = np.arange(240) // 8
        first = Split(0, 0, 240, np.arange(80, dtype=np.int32))
        _, data, _ = self.record(Spy(), split=first, groups=groups)
        by_row = {tuple(row): g for row, g in zip(data.X, groups, strict=True)}
        whole, inner = seen[0], seen[1:]
        assert len(inner) == 5
        for rows in inner:
            assert {by_row[r] for r in rows}.isdisjoint({by_row[r] for r in whole - rows})

    def test_codes_and_costs_by_original_label(self):
        from fairtrial.methods.label_codes import needs_codes

        coded, _, _ = self.record(LogisticRegression(), "costs")
        data = Dataset.from_arrays(self.X, self.Y, name="churn", positive="yes")
        method = Method("m", LogisticRegression(), decide=ByCosts("costs", (1, 30)), labels="codes")
        assert not needs_codes(method.estimator)
        again = perform(b"key", Bench(data, method), next(iter(KFold(3).splits(data, 1))))
        np.testing.assert_array_equal(coded.arrays["label"].unpack(), again.arrays["label"].unpack())

    def test_training_rows_without_a_class(self):
        rows = np.arange(240, dtype=np.int32)
        only = Split(0, 0, 240, rows[-30:], rows[self.Y == "no"][:50])
        for by in ("costs", "tuned"):
            record, _, _ = self.record(GaussianNB(), by, split=only)
            assert record.status == "ok"
            assert set(record.arrays["label"].unpack()) == {0}

    def test_several_classes(self):
        y = np.array(["a", "b", "c"] * 80)
        data = Dataset.from_arrays(self.X, y, name="three")
        costs = ((0, 1, 1), (1, 0, 1), (50, 50, 0))
        method = Method("m", GaussianNB(), decide=ByCosts("costs", costs))
        record = perform(b"key", Bench(data, method), next(iter(KFold(3).splits(data, 1))))
        assert (record.arrays["label"].unpack() == 2).all()  # a c that is missed costs 50


class TestOneJob:
    """Threads end in any order, and sums with them: with several jobs the last bits of a forest differ between runs."""

    def jobs(self, estimator: object, name: str = "n_jobs", **options: object) -> int:
        return Bench(IRIS, Method("m", estimator, **options)).estimator(b"k").get_params()[name]

    def test_each_part_has_one_unless_threads_are_declared(self):
        forest = RandomForestClassifier(5, n_jobs=2)
        assert self.jobs(forest) == 1
        assert self.jobs(make_pipeline(forest), "randomforestclassifier__n_jobs") == 1
        assert self.jobs(ft.tuned(forest, {"max_depth": [1, 2]}), "estimator__n_jobs") == 1
        assert self.jobs(forest, threads=True) == 2
        assert forest.n_jobs == 2

    def test_it_is_left_to_a_factor_that_varies_it(self):
        factors = (ft.Factor("n_jobs", [1, 2]),)
        bench = Bench(IRIS, Method("m", RandomForestClassifier(5)))
        assert bench.at({"n_jobs": 2}, Conditions(factors=factors)).estimator(b"k").n_jobs == 2


class OwnCodes(GaussianNB):
    """Takes whole numbers as labels only, as much code does."""

    def fit(self, X, y):
        if y.dtype.kind not in "iu":
            raise ValueError("labels must be integers")
        return super().fit(X, y)


class ToFloat(GaussianNB):
    def fit(self, X, y):
        return super().fit(X, y.astype(float))


class Counts(GaussianNB):
    def fit(self, X, y):
        return super().fit(X, np.bincount(y))


class NoLoop(GaussianNB):
    def fit(self, X, y):
        raise ValueError("this class is not fitted")


class TestAdvice:
    @pytest.mark.parametrize("own", [OwnCodes(), ToFloat(), Counts()])
    def test_an_error_of_ones_own_class_about_labels_has_a_remedy_in_its_second_line(self, own):
        first, second, third, *_ = tried(IRIS, own, version="1")[0].error.split("\n")
        assert "codes" not in first
        assert second == 'advice: if m takes the labels 0 … k−1 only, set labels="codes" for this method'
        assert third == "Traceback (most recent call last):"

    def test_no_other_error_has(self):
        assert "\nadvice: " not in tried(IRIS, NoLoop(), version="1")[0].error

    def test_it_helps(self):
        assert tried(IRIS, OwnCodes(), labels="codes", version="1")[0].status == "ok"
