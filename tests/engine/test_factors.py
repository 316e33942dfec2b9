"""Trials at levels of factors: what methods learn from, and what they don't."""

import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from fairtrial.data import datasets
from fairtrial.design import Study, as_factors, varied
from fairtrial.engine.perform import Bench, perform
from fairtrial.engine.supplies import Conditions
from fairtrial.methods import Method
from fairtrial.resampling import KFold
from fairtrial.store import StudyFile

IRIS, VOTE, PIMA = datasets("iris", "vote", "pima-diabetes")
KEY = b"k" * 16
ALL = {
    "train_size": [30, 1],
    "feature_count": [3, 1],
    "label_noise": [0, 0.2],
    "feature_noise": [0, 0.2],
    "class_balance": [0.5, 0.3],
    "row_order": 2,
}


def split_of(dataset):
    return next(iter(KFold(5).splits(dataset, 1)))


class TestPerform:
    @pytest.mark.parametrize("estimator", [GaussianNB(), KNeighborsClassifier(1)])
    def test_every_method_learns_from_the_same_varied_rows(self, estimator):
        factors = as_factors({"train_size": [40], "label_noise": [0.3], "feature_noise": [0.1]})
        levels = {"train_size": 40, "label_noise": 0.3, "feature_noise": 0.1}
        split = split_of(IRIS)
        record = perform(KEY, Bench(IRIS, Method("m", estimator)), split, levels, Conditions(factors=factors, seed=7))
        training = varied(IRIS, split, factors, levels, 7, IRIS.fingerprint)
        X = IRIS.X[training.donors, np.arange(4)]
        model = estimator.fit(X, training.target)
        assert record.n_train == 40
        assert (IRIS.X[training.rows] != X).any()
        assert (training.target != IRIS.target[training.rows]).sum() == 12
        assert (record.arrays["probability"].unpack() == model.predict_proba(IRIS.X[split.test])).all()

    @pytest.mark.slow
    def test_frames_are_spoilt_column_by_column(self):
        estimator = make_pipeline(
            make_column_transformer((OneHotEncoder(handle_unknown="ignore"), [f.name for f in VOTE.features])),
            KNeighborsClassifier(1),
        )
        factors, levels, split = as_factors({"feature_noise": [0.5]}), {"feature_noise": 0.5}, split_of(VOTE)
        record = perform(KEY, Bench(VOTE, Method("m", estimator)), split, levels, Conditions(factors=factors))
        training = varied(VOTE, split, factors, levels, 0, VOTE.fingerprint)
        frame = VOTE.frame()
        spoilt = frame.iloc[training.rows].copy()
        for j, name in enumerate(frame):
            spoilt[name] = frame[name].array.take(training.donors[:, j])
        model = estimator.fit(spoilt, training.target)
        assert record.error is None
        assert (record.arrays["probability"].unpack() == model.predict_proba(frame.iloc[split.test])).all()

    def test_fewer_features_in_training_and_test(self):
        factors = as_factors({"feature_count": [2]})
        bench = Bench(VOTE, Method("m", KNeighborsClassifier(1)))
        record = perform(KEY, bench, split_of(VOTE), {"feature_count": 2}, Conditions(factors=factors))
        all_of_them = perform(KEY, bench, split_of(VOTE))
        assert record.error is None
        assert (record.arrays["label"].unpack() != all_of_them.arrays["label"].unpack()).any()

    def test_an_order_matters_to_a_learner_that_depends_on_it_only(self):
        factors = as_factors({"row_order": 2})
        conditions, split = Conditions(factors=factors), split_of(PIMA)
        found = {}
        for name, estimator in (("bayes", GaussianNB()), ("gradient", SGDClassifier(shuffle=False, random_state=0))):
            bench = Bench(PIMA, Method(name, estimator))
            arrays = [perform(KEY, bench, split, {"row_order": x}, conditions).arrays for x in (0, 1)]
            found[name] = [a["label"].unpack() for a in arrays]
        assert (found["bayes"][0] == found["bayes"][1]).all()
        assert (found["gradient"][0] != found["gradient"][1]).any()


class TestRun:
    @pytest.mark.slow
    def test_the_same_numbers_in_this_process_and_in_workers(self, tmp_path):
        study = Study(
            datasets=["pima-diabetes"], methods={"tree": DecisionTreeClassifier(max_depth=3)}, resampling="2-fold",
            factors=ALL, measures=["accuracy", "auc"],
        )  # fmt: skip
        here = study.run(workers=0, progress=False)
        there = study.run(tmp_path / "f.trial", workers=2, progress=False)
        assert len(here.failures) == 0
        columns = ["dataset", "method", *ALL, "repeat", "fold", "measure"]
        one, two = (r.scores.sort_values(columns).reset_index(drop=True) for r in (here, there))
        assert len(one) == 2 * 2 * 2 * 2**6  # folds, measures, methods, levels
        assert one.equals(two)
        assert set(one.loc[one["train_size"] == 30, "n_train"]) <= set(range(10, 31))

    @pytest.mark.slow
    def test_a_new_level_runs_only_what_is_new(self, tmp_path):
        def study(**factors):
            return Study(
                datasets=["iris"], methods=["one_rule"], resampling="5-fold", factors=factors, measures=["accuracy"]
            )

        path = tmp_path / "grows.trial"
        first = study().run(path, workers=1, progress=False)
        more = study(label_noise=[0, 0.2]).run(path, workers=1, progress=False)
        with StudyFile(path) as file:
            per_session = dict(file.query("SELECT session, COUNT(*) FROM trial GROUP BY session"))
        assert per_session == {1: 5, 2: 5}
        again = more.at(label_noise=0).scores
        assert sorted(again["value"]) == sorted(first.scores["value"])

    def test_values_with_noise(self):
        study = Study(
            datasets=["diabetes"], methods={"tree": DecisionTreeRegressor(max_depth=2)}, resampling="3-fold",
            factors={"label_noise": [0, 0.4]}, measures=["rmse"],
        )  # fmt: skip
        results = study.run(workers=0, progress=False)
        means = results.scores.groupby(["method", "label_noise"])["value"].mean()
        assert means["tree", 0.4] > means["tree", 0.0]
