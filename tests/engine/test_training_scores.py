"""Scores on the rows that a trial learned from: right, without any effect on the rest, and never a failed trial."""

from __future__ import annotations

import time

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from fairtrial.data import Dataset, datasets
from fairtrial.data.encode import encoder_for
from fairtrial.design import Study
from fairtrial.engine import perform as module
from fairtrial.engine.perform import Bench, perform
from fairtrial.engine.supplies import Conditions, conditions_of
from fairtrial.methods import Method
from fairtrial.resampling import Split

KEY = bytes(16)
QUICK = {"workers": 0, "progress": False}


def blobs(n=60, seed=1, **more):
    draw = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 3 == 0, "yes", "no")
    return Dataset.from_arrays(draw.normal(size=(n, 3)) + (y == "yes")[:, None], y, name="blobs", **more)


def scores_of(estimator, data, measures=("accuracy",), **conditions):
    """The training scores of one trial that learns from the first two thirds."""
    method = Method("m", estimator, version="1")
    cut = 2 * data.n // 3
    split = Split(0, 0, data.n, np.arange(cut, data.n, dtype=np.int32))
    given = Conditions(training_measures=tuple(measures), **conditions)
    record = perform(KEY, Bench(data, method), split, {}, given)
    return record, np.arange(cut)


class TestTrainingScores:
    def test_against_scikit_learn(self):
        data = blobs(positive="no")  # the first class, so that scores are turned round
        record, train = scores_of(LogisticRegression(), data, ["accuracy", "auc", "recall"])
        model = LogisticRegression().fit(data.X[train], data.target[train])
        expected = model.score(data.X[train], data.target[train])
        assert record.training_scores["accuracy"] == pytest.approx(expected, abs=1e-12)
        no = data.target[train] == "no"
        auc = roc_auc_score(no, -model.decision_function(data.X[train]))
        assert record.training_scores["auc"] == pytest.approx(auc, abs=1e-12)
        recall = (model.predict(data.X[train])[no] == "no").mean()
        assert record.training_scores["recall"] == pytest.approx(recall, abs=1e-12)

    def test_of_values(self):
        draw = np.random.default_rng(1)
        X = draw.normal(size=(90, 2))
        data = Dataset.from_arrays(X, X[:, 0] + draw.normal(size=90), name="line")
        record, train = scores_of(LinearRegression(), data, ["rmse", "r2"])
        model = LinearRegression().fit(X[train], data.target[train])
        residuals = data.target[train] - model.predict(X[train])
        assert record.training_scores["rmse"] == pytest.approx(np.sqrt(np.mean(residuals**2)))
        assert record.training_scores["r2"] == pytest.approx(model.score(X[train], data.target[train]))

    def test_rows_are_encoded_as_those_that_were_learned_from(self):
        data = datasets("labor")[0]
        record, train = scores_of(GaussianNB(), data)
        X = encoder_for(data).fit(data.X[train]).transform(data.X[train])
        expected = GaussianNB().fit(X, data.target[train]).score(X, data.target[train])
        assert record.training_scores == {"accuracy": pytest.approx(expected)}

    def test_the_target_is_the_one_that_was_learned_from(self):
        study = Study(
            datasets=[blobs(300)],
            methods={"learns by heart": KNeighborsClassifier(1)},
            resampling="3-fold",
            factors={"label_noise": [0.3]},
            measures="accuracy",
            training_scores=True,
        )
        found = study.run(**QUICK).training_scores.query("method == 'learns by heart'")
        assert found["value"].tolist() == [1.0] * 3  # with the true target it would be about 0.7

    def test_of_many_rows_a_sample_is_predicted(self, monkeypatch):
        seen = []
        monkeypatch.setattr(KNeighborsClassifier, "predict", _noting(KNeighborsClassifier.predict, seen))
        first, _ = scores_of(KNeighborsClassifier(9), blobs(3000))
        again, _ = scores_of(KNeighborsClassifier(9), blobs(3000))
        assert seen[:2] == [1000, module.MOST_ROWS]
        assert first.training_scores == again.training_scores

    def test_a_measure_that_needs_what_the_method_has_not_is_missing(self):
        record, _ = scores_of(LinearSVC(), blobs(), ["accuracy", "log_loss", "auc", "fit_time"])
        assert set(record.training_scores) == {"accuracy", "auc"}

    def test_what_is_not_finite_is_missing(self):
        record, _ = scores_of(DecisionTreeClassifier(), blobs(), ["positive_likelihood_ratio", "accuracy"])
        assert record.training_scores == {"accuracy": 1.0}

    def test_a_measure_that_this_process_does_not_know_is_missing(self):
        record, _ = scores_of(GaussianNB(), blobs(), ["my_own_measure", "accuracy"])
        assert set(record.training_scores) == {"accuracy"}

    @pytest.mark.parametrize("error", [ValueError, SystemExit, MemoryError])
    def test_a_method_that_can_not_predict_its_training_rows_has_none(self, error):
        class OnlyNew(GaussianNB):
            calls = 0

            def predict(self, X):
                type(self).calls += 1
                if type(self).calls > 1:
                    raise error("enough")
                return super().predict(X)

        record, _ = scores_of(OnlyNew(), blobs())
        assert (record.status, record.training_scores, record.warnings) == ("ok", {}, ())

    def test_warnings_while_training_rows_are_predicted_are_not_counted(self):
        import warnings

        class Warns(GaussianNB):
            def predict(self, X):
                warnings.warn("predicts", stacklevel=1)
                return super().predict(X)

        record, _ = scores_of(Warns(), blobs())
        assert record.warnings == (("UserWarning: predicts", 1),)
        assert set(record.training_scores) == {"accuracy"}

    def test_are_left_out_where_they_would_exceed_the_time_limit(self):
        class Slow(GaussianNB):
            def predict(self, X):
                time.sleep(0.002 * len(X))
                return super().predict(X)

        assert scores_of(Slow(), blobs(), seconds=0.1)[0].training_scores == {}
        assert scores_of(Slow(), blobs(), seconds=60.0)[0].training_scores


def _noting(predict, seen):
    def noted(self, X):
        seen.append(len(X))
        return predict(self, X)

    return noted


class TestStudy:
    def study(self, **more):
        methods = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
        return Study(datasets=[blobs(), "labor"], methods=methods, resampling="2x2-fold", **more)

    @pytest.mark.slow
    def test_everything_else_is_the_same_bit_for_bit(self, tmp_path):
        without = self.study().run(tmp_path / "without.trial", **QUICK)
        with_them = self.study(training_scores=True).run(tmp_path / "with.trial", workers=2, progress=False)
        for one, other in ((without.predictions, with_them.predictions), (_quality(without), _quality(with_them))):
            assert one.equals(other)
        assert without.training_scores.empty
        assert len(with_them.training_scores) == 2 * 3 * 4 * 4

    @pytest.mark.slow
    def test_without_the_option_nothing_of_it_is_called(self, monkeypatch):
        monkeypatch.setattr(module, "_predicted", None)
        assert self.study().run(**QUICK).failures.empty

    def test_conditions(self):
        assert conditions_of(self.study()).training_measures == ()
        found = conditions_of(self.study(training_scores=True, time_limit=5.0, measures=["auc", "fit_time"]))
        assert (found.training_measures, found.seconds) == (("auc", "fit_time"), 5.0)

    @pytest.mark.slow
    def test_a_study_of_costs_has_none(self):
        results = self.study(training_scores=True, measures="fit_time").run(**QUICK)
        assert results.training_scores.empty
        assert "train_test_gap" not in {n.guard for n in results.verdict().notices}


def _quality(results):
    return results.scores[~results.scores["measure"].str.contains("time")].reset_index(drop=True)
