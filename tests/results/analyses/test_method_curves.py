"""Curves, matrices and contexts of one data set, from stored predictions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sk  # 1.9.1
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid

import fairtrial as ft
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import AverageRoc, RocCurve, RocPoint

TUMOURS = ft.datasets("breast_cancer")[0].with_positive("benign")  # the first class


@pytest.fixture(scope="module")
def results():
    methods = {"bayes": GaussianNB(), "ridge": RidgeClassifier(), "centroid": NearestCentroid()}
    study = ft.Study(datasets=[TUMOURS, "iris"], methods=methods, resampling="2x3-fold", seed=5)
    return study.run(None, workers=0, progress=False)


def shown(results, method, dataset="breast_cancer"):
    return results.predictions.query("method == @method and dataset == @dataset")


class TestCurves:
    def test_merged_folds_against_scikit_learn(self, results):
        curve = results.curves("roc", dataset="breast_cancer")["bayes"]
        own = shown(results, "bayes")
        fpr, tpr, thresholds = sk.roc_curve(own["truth"] == "benign", own["p_benign"], drop_intermediate=False)
        np.testing.assert_allclose(curve.fpr, fpr)
        np.testing.assert_allclose(curve.tpr, tpr)
        np.testing.assert_allclose(curve.thresholds, thresholds)

    def test_scores_are_turned_to_the_positive_class(self, results):
        own = shown(results, "ridge")
        area = results.curves("roc", dataset="breast_cancer")["ridge"].auc
        assert area == pytest.approx(sk.roc_auc_score(own["truth"] == "benign", own["score"]))
        other = results.curves("roc", dataset="breast_cancer", positive="malignant")["ridge"].auc
        assert other == pytest.approx(area)

    def test_labels_alone_are_a_point(self, results):
        # NearestCentroid gives probabilities since scikit-learn 1.6; a table of labels does not
        frame = pd.DataFrame({"y": [1, 1, 1, 0, 0, 0, 0], "a": [1, 1, 0, 0, 0, 1, 0], "b": [1, 0, 0, 0, 0, 0, 0]})
        curves = ft.read_predictions(frame, truth="y").curves("roc")
        assert isinstance(curves["a"], RocPoint)
        assert (curves["a"].fpr, curves["a"].tpr) == (0.25, pytest.approx(2 / 3))

    @pytest.mark.parametrize("how", ["vertical", "horizontal", "threshold"])
    def test_averages_of_the_folds(self, results, how):
        curve = results.curves("roc", dataset="breast_cancer", folds=how)["bayes"]
        assert isinstance(curve, AverageRoc)
        assert curve.curves == 6
        assert curve.auc == pytest.approx(results.curves("roc", dataset="breast_cancer")["bayes"].auc, abs=0.02)

    def test_one_class_against_the_rest(self, results):
        own = shown(results, "bayes", "iris")
        curve = results.curves("roc", dataset="iris", positive="virginica")["bayes"]
        assert curve.auc == pytest.approx(sk.roc_auc_score(own["truth"] == "virginica", own["p_virginica"]))

    def test_other_curves(self, results):
        own = shown(results, "bayes")
        truth = own["truth"] == "benign"
        pr = results.curves("precision_recall", dataset="breast_cancer")["bayes"]
        assert pr.average_precision == pytest.approx(sk.average_precision_score(truth, own["p_benign"]))
        reliability = results.curves("reliability", dataset="breast_cancer")
        assert "ridge" not in reliability  # it has no probabilities
        assert reliability["bayes"].weight.sum() == 569  # of the first of two repeats
        assert isinstance(results.curves("coverage", dataset="breast_cancer")["bayes"], RocCurve)
        cost = results.curves("cost", dataset="breast_cancer", methods=["bayes"])["bayes"]
        assert 0 < cost.area < 0.25

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"kind": "rok", "dataset": "iris"}, "no kind of curve is called 'rok'; did you mean 'roc'"),
            ({"kind": "roc"}, "one data set must be named .* there are 2: breast_cancer, iris"),
            ({"kind": "roc", "dataset": "iris"}, "'iris' has 3 classes: say which is set against the rest"),
            ({"kind": "roc", "dataset": "irs"}, "no data set of these results is called 'irs'; did you mean 'iris'"),
            ({"kind": "roc", "dataset": "iris", "positive": "rose"}, "no class of 'iris' is called 'rose'"),
            ({"kind": "roc", "dataset": "breast_cancer", "methods": ["byes"]}, "did you mean 'bayes'"),
            ({"kind": "cost", "dataset": "breast_cancer", "folds": "vertical"}, "is for ROC curves"),
            ({"kind": "roc", "dataset": "breast_cancer", "folds": "diagonal"}, "no way to put folds together"),
            (
                {"kind": "reliability", "dataset": "breast_cancer", "methods": ["ridge"]},
                "a reliability curve needs methods that give a probability; none of ridge does",
            ),
        ],
    )
    def test_says_what_was_wrong(self, results, given, message):
        with pytest.raises((InputError, UnknownName), match=message):
            results.curves(**given)

    def test_numbers_have_no_roc(self):
        frame = pd.DataFrame({"y": [1.5, 2.5, 0.1], "a": [1.0, 2.0, 3.0]})
        with pytest.raises(InputError, match="curves are for classes"):
            ft.read_predictions(frame, truth="y").curves("roc")

    def test_scores_without_predictions(self):
        results = ft.read_scores(pd.DataFrame({"dataset": ["a", "b"], "x": [0.1, 0.2]}), measure="accuracy")
        with pytest.raises(InputError, match="scores without predictions"):
            results.confusion_matrix("x", "a")


class TestConfusionMatrix:
    def test_against_scikit_learn(self, results):
        own = shown(results, "bayes", "iris")
        expected = sk.confusion_matrix(own["truth"], own["label"])
        found = results.confusion_matrix("bayes", "iris")
        np.testing.assert_array_equal(found.counts, expected)
        assert found.classes == ("setosa", "versicolor", "virginica")

    def test_the_positive_class_is_kept(self, results):
        found = results.confusion_matrix("bayes", "breast_cancer")
        own = shown(results, "bayes")
        assert found.positive == "benign"
        assert found.tpr == pytest.approx(sk.recall_score(own["truth"], own["label"], pos_label="benign"))


class TestContexts:
    def test_as_predicted_and_best(self, results):
        plain, best = results.contexts("breast_cancer"), results.contexts("breast_cancer", thresholds="best")
        assert plain.names[:3] == ("bayes", "ridge", "centroid")
        assert (best.costs[..., :3] <= plain.costs[..., :3] + 1e-12).all()

    def test_two_classes_only(self, results):
        with pytest.raises(InputError, match="'iris' has 3 classes"):
            results.contexts("iris")


class TestPooled:
    def test_against_scikit_learn(self, results):
        name = "f_measure(combine='pooled')"
        rows = results.with_measures(name).scores.query("measure == @name and method == 'bayes'")
        own = rows[rows["dataset"] == "breast_cancer"]
        assert list(own["repeat"]) == [0, 1]
        assert list(own["n_test"]) == [569, 569]
        for value, (_, part) in zip(own["value"], shown(results, "bayes").groupby("repeat"), strict=True):
            assert value == pytest.approx(sk.f1_score(part["truth"], part["label"], pos_label="benign"))

    def test_it_is_not_the_mean_of_the_folds(self, results):
        both = results.with_measures("mcc", "mcc(combine='pooled')").scores.query("dataset == 'iris'")
        means = both.groupby("measure")["value"].mean()
        assert means["mcc"] != pytest.approx(means["mcc(combine='pooled')"], abs=1e-6)

    def test_a_failed_fold_fails_its_repeat(self):
        class Fails(GaussianNB):
            def fit(self, X, y):
                if np.asarray(X)[:, 0].max() < 28.1:  # the largest is in the test set
                    raise ValueError("no")
                return super().fit(X, y)

        methods = {"bayes": GaussianNB(), "fails": ft.Method("fails", Fails(), version="1")}
        study = ft.Study(datasets=[TUMOURS], methods=methods, resampling="2x3-fold", measures=["auc(combine='pooled')"])
        scores = study.run(None, workers=0, progress=False).scores
        own = scores[scores["method"] == "fails"]
        assert list(own["status"]) == ["failed", "failed"]
        assert own["value"].isna().all()

    def test_tables_of_predictions_too(self):
        rng = np.random.default_rng(1)
        frame = pd.DataFrame({"y": rng.integers(0, 2, 60), "fold": np.arange(60) % 3})
        frame["a"] = (frame["y"] + rng.integers(0, 2, 60) > 1).astype(int)
        results = ft.read_predictions(frame, truth="y", fold="fold", measure="precision(combine='pooled')")
        own = results.scores.query("measure == \"precision(combine='pooled')\"")
        assert list(own["value"]) == [pytest.approx(sk.precision_score(frame["y"], frame["a"]))]


@pytest.fixture(scope="module")
def left_out():
    (data,) = ft.datasets("labor")
    methods = {"bayes": GaussianNB(), "logistic": LogisticRegression(max_iter=5000)}
    study = ft.Study(datasets=[data], methods=methods, resampling="57-fold", measures=["accuracy"])
    return study.run(None, workers=0, progress=False)


class TestLeaveOneOut:
    def test_a_mean_over_instances_is_fine(self, left_out):
        assert "accuracy" in left_out.verdict("accuracy").sentence

    def test_anything_else_must_be_pooled(self, left_out):
        with pytest.raises(
            InputError, match=r"one instance each.*pool them: measure \"f_measure\(combine='pooled'\)\""
        ):
            left_out.verdict("f_measure")
        assert "f measure (folds pooled)" in str(left_out.verdict("f_measure(combine='pooled')"))


class TestContextOfTheQuestion:
    def test_the_measure_is_taken_for_it(self, results):
        own = results.with_measures("recall", "specificity").scores.query("dataset == 'breast_cancer'")
        means = own.groupby(["method", "measure"])["value"].mean()
        only = ft.Study(
            ft.Question(context={"positives": 0.1}), datasets=[TUMOURS], methods={"bayes": GaussianNB()},
            resampling="2x3-fold", seed=5,
        ).run(None, workers=0, progress=False)  # fmt: skip
        verdict = only.verdict()
        assert verdict.measure.name == "expected_accuracy(prior=0.1)"
        expected = 0.1 * means["bayes", "recall"] + 0.9 * means["bayes", "specificity"]
        assert verdict.evidence.means[0, 0] == pytest.approx(expected)

    def test_asked_afterwards(self, results):
        verdict = results.verdict("accuracy", context={"positives": "uniform"})
        assert verdict.measure.name == "expected_accuracy"
        assert verdict.question.context == {"positives": "uniform"}

    def test_a_measure_without_direction_can_not_decide(self, results):
        with pytest.raises(InputError, match="predicted_positive_rate has no better and worse"):
            results.verdict("predicted_positive_rate")

    def test_says_when_it_changes_nothing(self, results):
        verdict = results.verdict("auc", context={"positives": 0.1})
        assert any("auc does not depend on the class balance" in c.text for c in verdict.checks)

    def test_another_measure_is_asked_without_it(self):
        study = ft.Study(
            ft.Question(context={"positives": 0.1}), datasets=[TUMOURS], methods={"bayes": GaussianNB()},
            resampling="2-fold",
        )  # fmt: skip
        results = study.run(None, workers=0, progress=False)
        assert results.verdict().question.context == {"positives": 0.1}
        assert results.verdict("accuracy").question.context == {}

    def test_a_measure_for_values(self, results):
        with pytest.raises(InputError, match="rmse is for values, but these data sets have classes"):
            results.verdict("rmse")

    def test_an_infinite_ratio_is_left_out_like_an_undefined_one(self):
        frame = pd.DataFrame({"y": [1, 0, 1, 0] * 5, "fold": np.repeat(np.arange(5), 4)})
        frame["a"], frame["b"] = frame["y"], 1 - frame["y"]
        results = ft.read_predictions(frame, truth="y", fold="fold", resampling="5-fold", measure="lr_plus")
        with pytest.raises(InputError, match="positive_likelihood_ratio is undefined"):
            results.verdict()


class TestNames:
    def test_of_what_is_not_there(self, results):
        with pytest.raises(UnknownName, match="no method of these results is called 'byes'; did you mean 'bayes'"):
            results.confusion_matrix("byes", "iris")
        with pytest.raises(UnknownName, match="no data set of these results is called 'rose'"):
            results.predicted("rose", "bayes")
        with pytest.raises(InputError, match=r"repeat must be one of \[0, 1\] on 'iris', got 9"):
            results.predicted("iris", "bayes", 9)
