"""Measures of predicted labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_predictions import PLANTS, labels_of, random_labels
from sklearn import metrics as sk  # 1.9.1

from fairtrial.errors import InputError
from fairtrial.measures import (
    Confusion,
    accuracy,
    average_recall,
    error_rate,
    f_measure,
    precision,
    recall,
)

SEEDS = [
    # 003 example 12.1 (both tables) and 12.2: TP, FN, FP, TN
    ((60, 20, 0, 20), {accuracy: 0.8, average_recall: 0.875, recall: 0.75}),
    (
        (75, 5, 10, 10),
        {accuracy: 0.85, average_recall: 0.71875, precision: 15 / 17, recall: 0.9375, f_measure: 10 / 11},
    ),
    ((75, 5, 10, 910), {accuracy: 0.985, precision: 15 / 17, recall: 0.9375, f_measure: 10 / 11}),
    # 001: the same accuracy with different recall
    ((200, 300, 100, 400), {accuracy: 0.6, recall: 0.4, precision: 2 / 3}),
    ((400, 100, 300, 200), {accuracy: 0.6, recall: 0.8}),
    ((200, 300, 100, 0), {recall: 0.4, precision: 2 / 3}),
    # 001: imbalance
    ((0, 5, 0, 500), {accuracy: 0.9900990099, error_rate: 0.0099009901, recall: 0.0, f_measure: 0.0}),
    ((4, 1, 50, 450), {accuracy: 0.8990099010}),
    # known-answers/cases.json confusion_degenerate: never predicts positive
    ((0, 10, 0, 90), {recall: 0.0, f_measure: 0.0, accuracy: 0.9, precision: np.nan}),
]


@pytest.mark.parametrize(("table", "expected"), SEEDS)
def test_the_tables_of_the_documents(table, expected):
    for measure, value in expected.items():
        assert measure(*labels_of(*table)) == pytest.approx(value, abs=1e-9, nan_ok=True), measure.__name__


def test_plant_disease_matrix():
    # 004 section 2.2.2, predictions in rows there: recall of the last class is 16/55, all others are above 0.67
    truth, predicted = (np.repeat(a, PLANTS.ravel()) for a in np.indices(PLANTS.shape).reshape(2, -1))
    np.testing.assert_array_equal(Confusion.read(truth, predicted).counts[0], PLANTS)
    recalls = [recall(truth, predicted, positive=k) for k in range(6)]
    assert recalls[5] == pytest.approx(16 / 55)
    assert min(recalls[:5]) > 0.67
    assert average_recall(truth, predicted) == pytest.approx(np.mean(recalls))


@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("weighted", [False, True])
class TestAgainstScikitLearn:
    def test_whole_matrix(self, n_classes, weighted):
        truth, predicted, w = random_labels(n_classes, n_classes)
        w = w if weighted else None
        assert accuracy(truth, predicted, weights=w) == pytest.approx(
            sk.accuracy_score(truth, predicted, sample_weight=w), abs=1e-12
        )
        assert error_rate(truth, predicted, weights=w) == pytest.approx(
            sk.zero_one_loss(truth, predicted, sample_weight=w), abs=1e-12
        )
        assert average_recall(truth, predicted, weights=w) == pytest.approx(
            sk.balanced_accuracy_score(truth, predicted, sample_weight=w), abs=1e-12
        )

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("ours", "theirs"), [(precision, sk.precision_score), (recall, sk.recall_score), (f_measure, sk.f1_score)]
    )
    def test_averages(self, n_classes, weighted, ours, theirs):
        truth, predicted, w = random_labels(10 + n_classes, n_classes)
        w = w if weighted else None
        default = theirs(truth, predicted, sample_weight=w, average="binary" if n_classes == 2 else "macro")
        assert ours(truth, predicted, weights=w) == pytest.approx(default, abs=1e-12)
        for average in ("macro", "micro", "weighted"):
            expected = theirs(truth, predicted, sample_weight=w, average=average)
            assert ours(truth, predicted, weights=w, average=average) == pytest.approx(expected, abs=1e-12)
        for k, expected in enumerate(theirs(truth, predicted, sample_weight=w, average=None)):
            assert ours(truth, predicted, weights=w, positive=k) == pytest.approx(expected, abs=1e-12)

    def test_f_beta(self, n_classes, weighted):
        truth, predicted, w = random_labels(20 + n_classes, n_classes)
        w = w if weighted else None
        expected = sk.fbeta_score(truth, predicted, beta=2.5, sample_weight=w, average="macro")
        assert f_measure(truth, predicted, beta=2.5, weights=w, average="macro") == pytest.approx(expected, abs=1e-12)


class TestLabels:
    @pytest.mark.slow
    @given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30))
    def test_names_of_classes_do_not_matter(self, pairs):
        truth, predicted = zip(*pairs, strict=True)
        codes = {"a": 3, "b": 5, "c": 8}
        numeric = [codes[t] for t in truth], [codes[p] for p in predicted]
        assert accuracy(truth, predicted) == accuracy(*numeric)
        assert f_measure(truth, predicted) == pytest.approx(f_measure(*numeric), nan_ok=True)

    def test_only_zeros_still_means_zero_and_one(self):
        assert np.isnan(precision([0, 0], [0, 0]))
        assert precision([1, 1], [1, 1]) == 1.0
        assert precision(np.array([False, True, True]), np.array([True, True, False])) == 0.5

    def test_the_order_of_classes_given(self):
        assert recall(["lo", "hi", "hi"], ["lo", "hi", "lo"], classes=["hi", "lo"]) == 1.0  # the last is positive
        assert recall(["lo", "hi", "hi"], ["lo", "hi", "lo"], classes=["lo", "hi"]) == 0.5

    def test_objects_as_pandas_gives_them(self):
        assert accuracy(np.array(["a", "b"], dtype=object), ["a", "a"]) == 0.5
        assert accuracy(np.array([1, 2], dtype=object), [1, 2]) == 1.0

    def test_undefined(self):
        assert np.isnan(recall([0, 0], [0, 1]))
        assert np.isnan(f_measure([0, 0], [0, 0]))
        assert np.isnan(average_recall([0, 0], [0, 1]))
        assert np.isnan(precision(["a", "b", "c"], ["a", "a", "a"]))
        assert np.isnan(accuracy([0, 1], [0, 1], weights=[0, 0]))

    def test_a_weighted_average_leaves_out_classes_that_do_not_occur(self):
        assert recall([0, 0, 1], [0, 2, 1], average="weighted") == pytest.approx(2 / 3)


class TestErrors:
    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: accuracy([1, 0, 1], [1, 0]), r"truth and predicted must be of one length, got 3 and 2"),
            (lambda: accuracy([], []), r"truth must be a sequence with at least one instance"),
            (lambda: accuracy(1, 1), r"truth must be a sequence"),
            (lambda: accuracy(None, None), r"truth must be a sequence"),
            (lambda: accuracy([1, 0], [1, 0], weights=[1]), r"truth and weights must be of one length, got 2 and 1"),
            (lambda: accuracy([1, 0], [1, 0], weights=[1, -1]), r"weights must not be negative, but row 1 is"),
            (lambda: accuracy([1, 0], [1, 0], weights=[1, np.nan]), r"weights must be finite, but row 1 is not"),
            (lambda: accuracy([1, 0], ["1", "0"]), r"labels of one kind, got numbers and text"),
            (lambda: accuracy(["a", None], ["a", "a"]), r"truth must have a label in every row, but row 1 is missing"),
            (lambda: accuracy(["a", 1.5], np.array(["a", 1], dtype=object)), r"predicted must be labels of one kind"),
            (lambda: accuracy([1.0, np.nan], [1, 1]), r"truth must be finite, but row 1 is not"),
            (lambda: accuracy([1, 0], [0.7, 0.2]), r"predicted must be class labels, but rows 0 and 1 are fractional"),
            (
                lambda: accuracy([[1, 0]], [[1, 0]]),
                r"truth must be a list of class labels, got an array of shape \(1, 2\)",
            ),
            (lambda: accuracy(["a", "z"], ["a", "b"], classes=["a", "b"]), r"truth must hold only the classes"),
            (lambda: recall([1, 0], [1, 0], positive=2), r"positive must be one of the classes 0 and 1, got 2"),
            (lambda: recall([1, 0], [1, 0], average="mean"), r"average must be 'macro', 'micro' or 'weighted', got"),
            (lambda: recall([1, 0], [1, 0], average="macro", positive=1), r"either positive or average"),
            (lambda: f_measure([1, 0], [1, 0], beta=0), r"beta must be a positive number"),
        ],
    )
    def test_says_what_was_wrong(self, call, message):
        with pytest.raises(InputError, match=message):
            call()

    def test_an_unknown_keyword_is_refused(self):
        with pytest.raises(TypeError, match="avrage"):
            recall([1, 0], [1, 0], avrage="macro")
