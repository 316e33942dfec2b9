"""Estimators that need labels 0 … k−1: found where they are, given codes, and read in original labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import LabelEncoder, StandardScaler

import fairtrial as ft
from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.methods import Method, label_codes
from fairtrial.methods.channels import channels_of
from fairtrial.methods.estimators import CodedLabels
from fairtrial.methods.label_codes import code_labels, needs_codes


class OnlyCodes(GaussianNB):
    """Refuses what XGBoost refuses."""

    def fit(self, X, y):
        if not np.array_equal(np.unique(y), np.arange(len(np.unique(y)))) or np.asarray(y).dtype.kind != "i":
            raise ValueError(f"labels must be 0, 1, …, got {np.unique(y)}")
        return super().fit(X, y)


class Holder:
    """Somebody's own class around another estimator, of which nobody knows what it does with the labels."""

    def __init__(self, estimator):
        self.estimator = estimator


WRAPPED = [
    lambda e: e,
    lambda e: make_pipeline(StandardScaler(), e),
    lambda e: ft.tuned(e, {"var_smoothing": [1e-9, 1e-3]}, inner="3-fold"),
    lambda e: ft.tuned(make_pipeline(SelectKBest(k=2), e), {"onlycodes__var_smoothing": [1e-9, 1e-3]}, inner="3-fold"),
    lambda e: make_pipeline(StandardScaler(), ft.tuned(e, {"var_smoothing": [1e-9, 1e-3]}, inner="3-fold")),
    lambda e: GridSearchCV(e, {"var_smoothing": [1e-9, 1e-3]}, cv=3),
    lambda e: CalibratedClassifierCV(e, cv=2),
    lambda e: BaggingClassifier(e, 3),
]


@pytest.fixture
def known(monkeypatch):
    monkeypatch.setattr(label_codes, "KNOWN", (f"{OnlyCodes.__module__}.OnlyCodes",))


def flowers() -> Dataset:
    return ft.data.datasets("iris")[0]


class TestNeedsCodes:
    @pytest.mark.parametrize("wrap", WRAPPED)
    def test_known_ones_are_found_inside(self, known, wrap):
        assert needs_codes(wrap(OnlyCodes()))
        assert not needs_codes(make_pipeline(OnlyCodes(), GaussianNB()))

    def test_so_are_classes_that_inherit(self, known):
        assert needs_codes(type("Mine", (OnlyCodes,), {})())

    def test_what_has_learnt_already_and_strangers_are_left_alone(self, known):
        assert not needs_codes(FrozenEstimator(OnlyCodes()))
        assert not needs_codes(Holder(OnlyCodes()))

    def test_the_names_of_real_classes(self):
        xgboost = pytest.importorskip("xgboost")
        assert needs_codes(xgboost.XGBClassifier())
        assert needs_codes(xgboost.XGBRFClassifier())
        assert not needs_codes(xgboost.XGBRegressor())


class TestCodeLabels:
    @pytest.mark.parametrize("wrap", WRAPPED)
    def test_searches_and_pipelines_keep_the_labels(self, wrap):
        data = flowers()
        made = code_labels(wrap(OnlyCodes()), np.asarray(data.classes)).fit(data.X, data.target)
        assert made.classes_.tolist() == list(data.classes)
        assert np.mean(made.predict(data.X) == data.target) > 0.9
        assert made.predict_proba(data.X).shape == (150, 3)
        if isinstance(made, GridSearchCV):
            assert (made.cv_results_["mean_test_score"] > 0.9).all()

    def test_strangers_are_given_the_codes_themselves(self):
        made = code_labels(Holder(GaussianNB()), np.array(["a", "b"]))
        assert isinstance(made, CodedLabels)
        assert isinstance(made.estimator, Holder)


class TestInAStudy:
    @pytest.mark.slow
    def test_known_ones_work_without_a_word(self, known):
        methods = {f"m{i}": wrap(OnlyCodes()) for i, wrap in enumerate(WRAPPED[:5])}
        results = ft.Study(datasets=["iris"], methods=methods, resampling="3-fold").run(workers=0, progress=False)
        assert results.failures.empty
        plain = ft.Study(datasets=["iris"], methods={"m0": GaussianNB()}, resampling="3-fold")
        same = plain.run(workers=0, progress=False).predictions.query("method == 'm0'").reset_index(drop=True)
        found = results.predictions.query("method == 'm0'").reset_index(drop=True)
        pd.testing.assert_frame_equal(found[same.columns], same)

    def test_without_codes_it_fails_and_with_them_it_does_not(self):
        methods = [Method("codes", OnlyCodes(), labels="codes"), Method("original", OnlyCodes())]
        results = ft.Study(datasets=["iris"], methods=methods, resampling="3-fold").run(workers=0, progress=False)
        assert results.failures["method"].unique().tolist() == ["original"]

    def test_a_class_without_training_rows_leaves_no_gap(self):
        X, y, classes = np.arange(6.0)[:, None], np.array(["a", "c"] * 3), np.array(["a", "b", "c"])
        made = code_labels(OnlyCodes(), classes).fit(X, y)
        found = channels_of(made, X, made.predict(X), classes)
        assert set(found["label"].tolist()) == {0, 2}
        assert found["probability"][:, 1].tolist() == [0.0] * 6

    def test_values_have_no_labels(self):
        with pytest.raises(InputError, match="labels='codes' of method 'm' is for classes, but the data sets have"):
            ft.Study(datasets=["diabetes"], methods=[Method("m", _Mean(), labels="codes")])


class _Mean:
    def fit(self, X, y): ...

    def predict(self, X): ...


class TestIdentity:
    def test_is_there_only_when_it_is_not_usual(self, known):
        plain, coded = Method("a", GaussianNB()), Method("a", GaussianNB(), labels="codes")
        assert set(plain.canonical()) == {"inputs", "estimator"}
        assert Method("a", GaussianNB(), labels="original").digest() == plain.digest() != coded.digest()
        usual = Method("a", OnlyCodes())
        assert Method("a", OnlyCodes(), labels="codes").digest() == usual.digest()
        assert Method("a", OnlyCodes(), labels="original").canonical()["labels"] == "original"
        assert set(usual.canonical()) == {"inputs", "estimator"}

    def test_unknown_labels(self):
        with pytest.raises(InputError, match=r"labels of method 'x' must be one of .*'codes'\), got 'numbers'"):
            Method("x", GaussianNB(), labels="numbers")


@pytest.mark.slow
class TestRealOnes:
    """XGBoost and LightGBM, which the development environment has."""

    def test_xgboost_equals_the_same_calls_by_hand(self):
        xgboost = pytest.importorskip("xgboost")
        model = xgboost.XGBClassifier(n_estimators=4, max_depth=2, n_jobs=1, random_state=0)
        study = ft.Study(datasets=["iris"], methods={"boost": model}, resampling="3-fold")
        found = study.run(workers=0, progress=False).predictions.query("method == 'boost' and fold == 0")
        data, split = flowers(), next(iter(ft.KFold(3).splits(flowers(), study.seed)))
        codes = LabelEncoder().fit(data.target)
        train = split.train_rows()
        hand = model.fit(data.X[train], codes.transform(data.target[train])).predict(data.X[split.test])
        assert found["label"].tolist() == codes.inverse_transform(hand).tolist()

    def test_tuned_beside_lightgbm(self):
        xgboost, lightgbm = pytest.importorskip("xgboost"), pytest.importorskip("lightgbm")
        model = xgboost.XGBClassifier(n_estimators=4, max_depth=2, n_jobs=1)
        methods = {
            "pipeline": make_pipeline(StandardScaler(), model),
            "tuned": ft.tuned(model, {"max_depth": [1, 2]}, inner="3-fold"),
            "light": lightgbm.LGBMClassifier(n_estimators=4, n_jobs=1, verbose=-1),
        }
        study = ft.Study(datasets=["iris", "vote"], methods=methods, resampling="3-fold", measures=["accuracy", "auc"])
        results = study.run(workers=0, progress=False)
        assert results.failures.empty
        means = results.scores.query("measure == 'accuracy'").groupby("method")["value"].mean()
        assert means[["pipeline", "tuned", "light"]].min() > 0.9 > means["majority"]
