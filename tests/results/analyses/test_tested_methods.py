"""What each method predicted on one data set, as one class against the rest."""

from __future__ import annotations

import pandas as pd
import pytest
from sklearn import metrics as sk  # 1.9.1

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.measures import RocPoint


@pytest.fixture
def results(tumours):
    return tumours


class TestTestedOn:
    def test_scores_are_turned_to_the_positive_class(self, results, shown):
        own = shown(results, "ridge")
        area = results.curves("roc", dataset="breast_cancer")["ridge"].auc
        assert area == pytest.approx(sk.roc_auc_score(own["truth"] == "benign", own["score"]))
        other = results.curves("roc", dataset="breast_cancer", positive="malignant")["ridge"].auc
        assert other == pytest.approx(area)

    def test_one_class_against_the_rest(self, results, shown):
        own = shown(results, "bayes", "iris")
        curve = results.curves("roc", dataset="iris", positive="virginica")["bayes"]
        assert curve.auc == pytest.approx(sk.roc_auc_score(own["truth"] == "virginica", own["p_virginica"]))

    def test_labels_alone_are_a_point(self, results):
        # NearestCentroid gives probabilities since scikit-learn 1.6; a table of labels does not
        frame = pd.DataFrame({"y": [1, 1, 1, 0, 0, 0, 0], "a": [1, 1, 0, 0, 0, 1, 0], "b": [1, 0, 0, 0, 0, 0, 0]})
        curves = ft.read_predictions(frame, truth="y").curves("roc")
        assert isinstance(curves["a"], RocPoint)
        assert (curves["a"].fpr, curves["a"].tpr) == (0.25, pytest.approx(2 / 3))

    def test_numbers_have_no_roc(self):
        frame = pd.DataFrame({"y": [1.5, 2.5, 0.1], "a": [1.0, 2.0, 3.0]})
        with pytest.raises(InputError, match="curves are for classes"):
            ft.read_predictions(frame, truth="y").curves("roc")
