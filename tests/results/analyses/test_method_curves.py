"""Curves, matrices and contexts of one data set, from stored predictions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as sk  # 1.9.1

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import AverageRoc, RocCurve


@pytest.fixture
def results(tumours):
    return tumours


class TestCurves:
    @pytest.mark.slow
    def test_merged_folds_against_scikit_learn(self, results, shown):
        curve = results.curves("roc", dataset="breast_cancer")["bayes"]
        own = shown(results, "bayes")
        fpr, tpr, thresholds = sk.roc_curve(own["truth"] == "benign", own["p_benign"], drop_intermediate=False)
        np.testing.assert_allclose(curve.fpr, fpr)
        np.testing.assert_allclose(curve.tpr, tpr)
        np.testing.assert_allclose(curve.thresholds, thresholds)

    @pytest.mark.parametrize("how", ["vertical", "horizontal", "threshold"])
    def test_averages_of_the_folds(self, results, how):
        curve = results.curves("roc", dataset="breast_cancer", folds=how)["bayes"]
        assert isinstance(curve, AverageRoc)
        assert curve.curves == 6
        assert curve.auc == pytest.approx(results.curves("roc", dataset="breast_cancer")["bayes"].auc, abs=0.02)

    def test_other_curves(self, results, shown):
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

    def test_they_map_methods_to_curves_and_print_a_line_for_each(self, results):
        curves = results.curves("roc", dataset="breast_cancer", methods=["bayes", "ridge"])
        often = "1,138 predictions of 569 instances: an instance that is predicted several times counts as one"
        assert (len(curves), list(curves), curves.notes) == (2, ["bayes", "ridge"], (often,))
        assert str(curves["bayes"]).startswith("ROC curve of 569 instances (357 positive)")
        assert dict(curves)["bayes"] is curves["bayes"]
        assert str(curves).splitlines()[1] == f"ridge: {str(curves['ridge']).splitlines()[0]}"
        counts = results.curves("coverage", dataset="breast_cancer", methods=["bayes"])
        assert str(counts) == f"bayes: {str(curves['bayes'].coverage()).splitlines()[0]}\n{often}"

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"kind": "rok", "dataset": "iris"}, "no kind of curve is called 'rok'; did you mean 'roc'"),
            ({"kind": "roc"}, "one data set must be named .* there are 2: breast_cancer and iris"),
            ({"kind": "roc", "dataset": "iris"}, "'iris' has 3 classes: name the positive one, against all others"),
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
