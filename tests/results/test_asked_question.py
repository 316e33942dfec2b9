"""A verdict with another question than the study's own."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.errors import InputError

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


@pytest.fixture
def results(tumours):
    return tumours


class TestContextOfTheQuestion:
    def test_the_measure_is_taken_for_it(self, results, tumour_data):
        own = results.with_measures("recall", "specificity").scores.query("dataset == 'breast_cancer'")
        means = own.groupby(["method", "measure"])["value"].mean()
        only = ft.Study(
            ft.Question(context={"positives": 0.1}), datasets=[tumour_data], methods={"bayes": GaussianNB()},
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
        assert any("auc does not depend on the class balance" in c.text for c in verdict.notices)

    def test_another_measure_is_asked_without_it(self, tumour_data):
        study = ft.Study(
            ft.Question(context={"positives": 0.1}), datasets=[tumour_data], methods={"bayes": GaussianNB()},
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
