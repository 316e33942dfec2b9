"""Confusion matrices and maps of contexts, from stored predictions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sk  # 1.9.1

import fairtrial as ft
from fairtrial.errors import InputError


@pytest.fixture
def results(tumours):
    return tumours


class TestConfusionMatrix:
    @pytest.mark.slow
    def test_against_scikit_learn(self, results, shown):
        own = shown(results, "bayes", "iris")
        expected = sk.confusion_matrix(own["truth"], own["label"])
        found = results.confusion_matrix("bayes", "iris")
        np.testing.assert_array_equal(found.counts, expected)
        assert found.classes == ("setosa", "versicolor", "virginica")

    def test_the_positive_class_is_kept(self, results, shown):
        found = results.confusion_matrix("bayes", "breast_cancer")
        own = shown(results, "bayes")
        assert found.positive == "benign"
        assert found.tpr == pytest.approx(sk.recall_score(own["truth"], own["label"], pos_label="benign"))

    def test_instances_that_count_twice(self, results):
        # 2 repeats of 3 folds: "474 of 2,400 predicted right" was read as 2,400 instances
        note = "each of 150 instances counts twice, once for each time that it was predicted"
        assert note in str(results.confusion_matrix("bayes", "iris"))


class TestContexts:
    def test_as_predicted_and_best(self, results):
        plain, best = results.contexts("breast_cancer"), results.contexts("breast_cancer", thresholds="best")
        assert plain.names[:3] == ("bayes", "ridge", "centroid")
        assert (best.costs[..., :3] <= plain.costs[..., :3] + 1e-12).all()

    def test_two_classes_only(self, results):
        with pytest.raises(InputError, match="'iris' has 3 classes"):
            results.contexts("iris")


class TestErrors:
    def test_scores_without_predictions(self):
        results = ft.read_scores(pd.DataFrame({"dataset": ["a", "b"], "x": [0.1, 0.2]}), measure="accuracy")
        with pytest.raises(InputError, match="scores without predictions"):
            results.confusion_matrix("x", "a")
