"""Measures of one class at a time, and of the whole matrix, from one asymmetric table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_predictions import labels_of, random_labels
from scipy.stats import gmean
from sklearn import metrics as sk  # 1.9.1

from fairtrial import measures
from fairtrial.measures import compute, get

TP, FN, FP, TN = 3, 2, 4, 11
BY_HAND = {
    "recall": 3 / 5,
    "specificity": 11 / 15,
    "fpr": 4 / 15,
    "fnr": 2 / 5,
    "precision": 3 / 7,
    "npv": 11 / 13,
    "fdr": 4 / 7,
    "false_omission_rate": 2 / 13,
    "f_measure": 6 / 12,
    "f_measure(beta=2)": 15 / (15 + 4 * 2 + 4),
    "jaccard": 3 / 9,
    "predicted_positive_rate": 7 / 20,
    "informedness": 3 / 5 - 4 / 15,
    "positive_likelihood_ratio": (3 / 5) / (4 / 15),
    "negative_likelihood_ratio": (2 / 5) / (11 / 15),
    "diagnostic_odds_ratio": 33 / 8,
    "accuracy": 14 / 20,
    "error_rate": 6 / 20,
    "average_recall": (3 / 5 + 11 / 15) / 2,
    "g_mean": np.sqrt(3 / 5 * 11 / 15),
    "mcc": (33 - 8) / np.sqrt(7 * 5 * 15 * 13),
    "kappa": (0.7 - 0.575) / (1 - 0.575),  # by chance (7 · 5 + 13 · 15) / 400
}


def value(name, table, **given):
    return measures.function(name)(*labels_of(*table), **given)


class TestByHand:
    @pytest.mark.parametrize(("name", "expected"), BY_HAND.items())
    def test_an_asymmetric_table(self, name, expected):
        assert value(name, (TP, FN, FP, TN)) == pytest.approx(expected, rel=1e-14)

    def test_every_measure_of_labels_is_there(self):
        missing = {n for n in measures.names() if get(n).needs == ("label",)} - set(BY_HAND)
        assert missing == {"expected_accuracy", "expected_cost"}  # tests/measures/test_operating_context.py

    def test_all_alike(self):
        # known-answers/cases.json confusion_50_50_50_50 [R 4.2.2]
        expected = {
            "accuracy": 0.5, "precision": 0.5, "recall": 0.5, "specificity": 0.5, "f1": 0.5, "f2": 0.5,
            "balanced_accuracy": 0.5, "gmean": 0.5, "mcc": 0, "informedness": 0, "kappa": 0, "lr_plus": 1,
            "lr_minus": 1, "dor": 1,
        }  # fmt: skip
        assert {n: value(n, (50, 50, 50, 50)) for n in expected} == pytest.approx(expected, rel=1e-12, abs=1e-12)

    def test_nothing_predicted_positive(self):
        # known-answers/cases.json confusion_degenerate: undefined is nan, where scikit-learn says 0
        table = (0, 10, 0, 90)
        undefined = {n for n in BY_HAND if np.isnan(value(n, table))}
        assert undefined == {"precision", "fdr", "mcc", "positive_likelihood_ratio", "diagnostic_odds_ratio"}
        assert value("kappa", table) == 0
        assert value("f1", table) == 0

    def test_kappa_2x2(self):
        # known-answers/cases.json kappa_2x2: psych 2.2.9 cohen.kappa on [[20, 5], [10, 15]]
        assert value("kappa", (15, 10, 5, 20)) == pytest.approx(0.4, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weighted", [False, True])
class TestAgainstScikitLearn:
    @pytest.mark.slow
    @pytest.mark.parametrize("n_classes", [2, 3, 7])
    def test_whole_matrix(self, n_classes, weighted, seed):
        truth, predicted, w = random_labels(seed, n_classes)
        given = {"weights": w} if weighted else {}
        theirs = {"sample_weight": w} if weighted else {}
        expected = {
            "mcc": sk.matthews_corrcoef(truth, predicted, **theirs),
            "kappa": sk.cohen_kappa_score(truth, predicted, **theirs),
            "kappa(disagreement='linear')": sk.cohen_kappa_score(truth, predicted, weights="linear", **theirs),
            "kappa(disagreement='quadratic')": sk.cohen_kappa_score(truth, predicted, weights="quadratic", **theirs),
            "g_mean": gmean(sk.recall_score(truth, predicted, average=None, **theirs)),
            "jaccard(average='macro')": sk.jaccard_score(truth, predicted, average="macro", **theirs),
            "jaccard(average='micro')": sk.jaccard_score(truth, predicted, average="micro", **theirs),
            "jaccard(average='weighted')": sk.jaccard_score(truth, predicted, average="weighted", **theirs),
            "macro_f1": sk.f1_score(truth, predicted, average="macro", **theirs),
            "micro_f1": sk.f1_score(truth, predicted, average="micro", **theirs),
            "weighted_f1": sk.f1_score(truth, predicted, average="weighted", **theirs),
        }
        for name, number in expected.items():
            assert measures.function(name)(truth, predicted, **given) == pytest.approx(number, abs=1e-12), name

    def test_two_classes(self, weighted, seed):
        truth, predicted, w = random_labels(seed, 2)
        given = {"weights": w} if weighted else {}
        theirs = {"sample_weight": w} if weighted else {}
        plus, minus = sk.class_likelihood_ratios(truth, predicted, **theirs)
        specificity = sk.recall_score(truth, predicted, pos_label=0, **theirs)
        expected = {
            "specificity": specificity,
            "fpr": 1 - specificity,
            "fnr": 1 - sk.recall_score(truth, predicted, **theirs),
            "npv": sk.precision_score(truth, predicted, pos_label=0, **theirs),
            "false_omission_rate": 1 - sk.precision_score(truth, predicted, pos_label=0, **theirs),
            "fdr": 1 - sk.precision_score(truth, predicted, **theirs),
            "informedness": sk.balanced_accuracy_score(truth, predicted, adjusted=True, **theirs),
            "lr_plus": plus,
            "lr_minus": minus,
            "dor": plus / minus,
            "ppr": np.average(predicted, weights=w if weighted else None),
        }
        for name, number in expected.items():
            assert measures.function(name)(truth, predicted, **given) == pytest.approx(number, rel=1e-12), name


tables = st.tuples(*[st.integers(0, 40)] * 4).filter(lambda t: sum(t) > 0)


class TestProperties:
    @pytest.mark.slow
    @given(tables)
    def test_swapping_the_classes(self, table):
        tp, fn, fp, tn = table
        other = (tn, fp, fn, tp)
        for a, b in [("recall", "specificity"), ("precision", "npv"), ("fpr", "fnr"), ("fdr", "false_omission_rate")]:
            assert value(a, table) == pytest.approx(value(b, other), nan_ok=True)
        for name in ("mcc", "kappa", "g_mean", "dor", "informedness"):
            assert value(name, table) == pytest.approx(value(name, other), nan_ok=True), name

    @given(tables)
    def test_swapping_truth_and_prediction(self, table):
        tp, fn, fp, tn = table
        assert value("precision", table) == pytest.approx(value("recall", (tp, fp, fn, tn)), nan_ok=True)
        for name in ("mcc", "kappa", "f1", "jaccard", "accuracy", "dor"):
            assert value(name, table) == pytest.approx(value(name, (tp, fp, fn, tn)), nan_ok=True), name

    @given(tables)
    def test_complements(self, table):
        for a, b in [("recall", "fnr"), ("specificity", "fpr"), ("precision", "fdr"), ("npv", "false_omission_rate")]:
            assert value(a, table) == pytest.approx(1 - value(b, table), nan_ok=True)

    @given(tables.filter(lambda t: t[0] + t[1] > 0 and t[2] + t[3] > 0))
    def test_what_does_not_depend_on_the_class_balance(self, table):
        tp, fn, fp, tn = table
        more = (10 * tp, 10 * fn, fp, tn)
        for name in ("recall", "fpr", "informedness", "average_recall", "g_mean", "lr_plus", "dor"):
            assert value(name, table) == pytest.approx(value(name, more), nan_ok=True), name

    def test_a_label_of_no_class_is_wrong_everywhere(self):
        arguments = {"truth": [0, 1, 1, 0, 1], "channels": {"label": [0, 1, -1, -1, 1]}, "classes": 2}
        found = compute(["recall", "specificity", "mcc", "kappa", "ppr"], **arguments)
        assert found["recall"][0] == pytest.approx(2 / 3)
        assert found["ppr"][0] == pytest.approx(2 / 5)
        # truth and prediction as three classes: 0, 1, none of them
        theirs = [0, 1, 2, 2, 1]
        assert found["mcc"][0] == pytest.approx(sk.matthews_corrcoef(arguments["truth"], theirs))
        assert found["kappa"][0] == pytest.approx(sk.cohen_kappa_score(arguments["truth"], theirs))

    def test_far_weights(self):
        truth, predicted = labels_of(TP, FN, FP, TN)
        for name in BY_HAND:
            plain = measures.function(name)(truth, predicted)
            for scale in (1e-200, 1e200):
                weighted = measures.function(name)(truth, predicted, weights=np.full(len(truth), scale))
                assert weighted == pytest.approx(plain), (name, scale)
