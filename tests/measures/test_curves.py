"""ROC, coverage and precision–recall curves, their hull, and points in ROC space."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_predictions import both_classes, random_input
from sklearn import metrics as sk  # 1.9.1

from fairtrial.errors import InputError
from fairtrial.measures import (
    PrecisionRecallCurve,
    RocCurve,
    RocPoint,
    auc,
    average_precision,
    precision_recall_curve,
    roc_curve,
    roc_point,
)

# ROCR 1.0.11 [R 4.2.2]: pr <- prediction(SCORES, TRUTH); performance(pr, "rch")
TRUTH = [1, 0, 1, 1, 0, 1, 0, 0, 1, 0]
SCORES = [0.9, 0.8, 0.8, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1]


class TestRocCurve:
    def test_by_hand(self):
        curve = roc_curve([0, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.6, 0.9])
        np.testing.assert_array_equal(curve.thresholds, [np.inf, 0.9, 0.6, 0.4, 0.1])
        np.testing.assert_allclose(curve.fpr, [0, 0, 1 / 3, 2 / 3, 1])
        np.testing.assert_allclose(curve.tpr, [0, 1 / 2, 1 / 2, 1, 1])
        assert (curve.positives, curve.negatives) == (2, 3)
        assert curve.auc == pytest.approx(4.5 / 6)
        np.testing.assert_allclose(curve.predicted_positive_rate, [0, 1 / 5, 2 / 5, 4 / 5, 1])

    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("digits", [1, 8])
    def test_against_scikit_learn(self, weighted, digits):
        truth, scores, w = random_input(weighted=weighted, digits=digits)
        curve = roc_curve(truth, scores, weights=w)
        fpr, tpr, thresholds = sk.roc_curve(truth, scores, sample_weight=w, drop_intermediate=False)
        np.testing.assert_allclose(curve.fpr, fpr, atol=1e-12)
        np.testing.assert_allclose(curve.tpr, tpr, atol=1e-12)
        np.testing.assert_array_equal(curve.thresholds, thresholds)
        assert curve.auc == pytest.approx(auc(truth, scores, weights=w), abs=1e-12)

    @given(both_classes)
    def test_every_point_is_what_its_threshold_does(self, rows):
        truth, scores = map(np.array, zip(*rows, strict=True))
        curve = roc_curve(truth, scores)
        for threshold, fpr, tpr in zip(curve.thresholds, curve.fpr, curve.tpr, strict=True):
            point = roc_point(truth, (scores >= threshold).astype(int))
            assert (point.fpr, point.tpr) == pytest.approx((fpr, tpr))
        assert list(curve.thresholds[1:]) == sorted(set(scores), reverse=True)

    def test_one_of_several_classes(self):
        truth, p = (
            ["a", "b", "c", "b"],
            np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.3, 0.5], [0.5, 0.25, 0.25]]),
        )
        curve = roc_curve(truth, p, positive="b")
        np.testing.assert_array_equal(curve.thresholds, [np.inf, 0.8, 0.3, 0.25, 0.2])
        assert curve.auc == pytest.approx(3 / 4)

    def test_infinite_scores(self):
        curve = roc_curve([0, 1, 1], [-np.inf, 0, np.inf])
        np.testing.assert_array_equal(curve.thresholds, [np.inf, np.inf, 0, -np.inf])
        assert curve.auc == 1

    def test_all_equal(self):
        curve = roc_curve([0, 1, 1], [2, 2, 2])
        np.testing.assert_array_equal(curve.fpr, [0, 1])
        assert curve.auc == 0.5

    def test_says_its_answer_first(self):
        curve = roc_curve(TRUTH, SCORES)
        assert str(curve) == "ROC curve of 10 instances (5 positive): area 0.700"
        assert str(roc_curve([0, 1], [1, 2], weights=[0.5, 0.25])).startswith("ROC curve of 0.7500 instances (0.2500 p")
        assert len(curve.to_table().rows) == len(curve.fpr)
        assert curve.to_dict()["thresholds"][1] == 0.9
        assert json.loads(curve.to_table().to_json())["rows"][0]["threshold"] == "inf"

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: roc_curve([1, 1], [0.1, 0.2]), r"both classes for a curve, got 2 positive and 0 negative"),
            (lambda: roc_curve([0, 1], [0.1, 0.2], weights=[1, 0]), r"got 0 positive and 1 negative"),
            (lambda: roc_curve([0, 1, 2], np.eye(3)), r"positive must name one of the 3 classes"),
            (lambda: roc_curve([0, 1], [0.1, np.nan]), r"score must be numbers, but row 1 is not"),
            (lambda: roc_curve(TRUTH, SCORES).tpr_at(1.5), r"fpr must lie between 0 and 1, got 1.5"),
            (
                lambda: RocCurve(np.array([0, 1.0]), np.array([0.5, 1]), np.array([2, 1]), 1, 1),
                r"must rise from 0 to 1",
            ),
            (lambda: RocCurve(np.array([0, 1.0]), np.array([0, 1.0]), np.array([2]), 1, 1), r"with 1 thresholds"),
            (lambda: RocCurve(np.array([0, 0.6, 0.5, 1]), np.array([0, 0, 0, 1.0]), np.ones(4), 1, 1), r"must rise"),
        ],
    )
    def test_says_what_was_wrong(self, call, message):
        with pytest.raises(InputError, match=message):
            call()


class TestBetweenPoints:
    def test_by_hand(self):
        # up to (0, 1/2), right to (1/3, 1/2), a slope to (2/3, 1)
        curve = roc_curve([0, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.6, 0.9])
        np.testing.assert_allclose(curve.tpr_at([0, 1 / 6, 1 / 2, 2 / 3, 1]), [1 / 2, 1 / 2, 3 / 4, 1, 1])
        np.testing.assert_allclose(curve.fpr_at([0, 1 / 4, 1 / 2, 3 / 4, 1]), [0, 0, 0, 1 / 2, 2 / 3])
        assert curve.tpr_at(0.5) == pytest.approx(0.75)

    @given(both_classes, st.floats(0, 1))
    def test_there_and_back(self, rows, rate):
        truth, scores = map(np.array, zip(*rows, strict=True))
        curve = roc_curve(truth, scores)
        assert curve.fpr_at(curve.tpr_at(rate)) <= rate + 1e-9
        assert curve.tpr_at(curve.fpr_at(rate)) >= rate - 1e-9

    def test_at_a_threshold(self):
        fpr, tpr = roc_curve([0, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.6, 0.9]).point_at([np.inf, 0.9, 0.5, 0.4, -3])
        np.testing.assert_allclose(fpr, [0, 0, 1 / 3, 2 / 3, 1])
        np.testing.assert_allclose(tpr, [0, 1 / 2, 1 / 2, 1, 1])


class TestCoverageCurve:
    def test_by_hand(self):
        coverage = roc_curve([0, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.6, 0.9]).coverage()
        np.testing.assert_allclose(coverage.negatives, [0, 0, 1, 2, 3])
        np.testing.assert_allclose(coverage.positives, [0, 1, 1, 2, 2])
        assert coverage.pairs_in_order == pytest.approx(4.5)
        assert str(coverage) == "coverage curve of 5 instances (2 positive): 4.500 of 6 pairs in order"
        assert len(coverage.to_table().rows) == len(coverage.to_dict()["positives"]) == 5

    def test_one_format_of_numbers(self):
        # 40 · 50 pairs, of which one tie counts ½
        curve = roc_curve([1] * 40 + [0] * 50, [*range(100, 61, -1), 5, 5, *range(-1, -50, -1)]).coverage()
        assert str(curve).endswith("1,999.5 of 2,000 pairs in order")

    @given(both_classes)
    def test_is_the_area_before_division(self, rows):
        truth, scores = map(np.array, zip(*rows, strict=True))
        pairs = truth.sum() * (1 - truth).sum()
        assert roc_curve(truth, scores).coverage().pairs_in_order == pytest.approx(auc(truth, scores) * pairs)


class TestPrecisionRecallCurve:
    def test_by_hand(self):
        curve = precision_recall_curve([0, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.6, 0.9])
        np.testing.assert_allclose(curve.recall, [0, 1 / 2, 1 / 2, 1, 1])
        np.testing.assert_allclose(curve.precision, [1, 1, 1 / 2, 2 / 4, 2 / 5])
        np.testing.assert_array_equal(curve.thresholds, [np.inf, 0.9, 0.6, 0.4, 0.1])
        np.testing.assert_allclose(curve.precision_at([0.2, 0.5, 0.6, 1]), [1, 1, 1 / 2, 1 / 2])

    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("digits", [1, 8])
    def test_against_scikit_learn(self, weighted, digits):
        truth, scores, w = random_input(weighted=weighted, digits=digits)
        curve = precision_recall_curve(truth, scores, weights=w)
        precision, recall, thresholds = sk.precision_recall_curve(truth, scores, sample_weight=w)
        np.testing.assert_allclose(curve.precision, precision[::-1], atol=1e-12)
        np.testing.assert_allclose(curve.recall, recall[::-1], atol=1e-12)
        np.testing.assert_array_equal(curve.thresholds[1:], thresholds[::-1])

    @given(both_classes)
    def test_its_area_is_the_average_precision(self, rows):
        truth, scores = zip(*rows, strict=True)
        curve = precision_recall_curve(truth, scores)
        assert curve.average_precision == pytest.approx(average_precision(truth, scores))
        assert curve.precision[-1] == pytest.approx(np.mean(truth))

    def test_says_its_answer_first(self):
        curve = precision_recall_curve([0, 1, 0, 1, 1], [5, 4, 3, 2, 1])
        assert isinstance(curve, PrecisionRecallCurve)
        assert str(curve).endswith("5 instances (3 positive): average precision 0.533, 0.600 by chance")
        assert len(curve.to_table().rows) == len(curve.to_dict()["recall"]) == 6
        with pytest.raises(InputError, match="both classes for a curve"):
            precision_recall_curve([0, 0], [1, 2])


class TestRocPoint:
    def test_by_hand(self):
        assert roc_point([1, 1, 1, 0, 0], [1, 1, 0, 1, 0]) == RocPoint(1 / 2, 2 / 3, 3, 2)
        weighted = roc_point([1, 1, 1, 0, 0], [1, 1, 0, 1, 0], weights=[1, 1, 2, 3, 1])
        assert weighted == RocPoint(3 / 4, 2 / 4, 4, 4)
        assert roc_point(["a", "b", "c"], ["b", "b", "c"], positive="b") == RocPoint(1 / 2, 1, 1, 2)

    def test_as_a_curve(self):
        curve = RocPoint(0.2, 0.7, 10, 30).curve()
        assert curve.auc == pytest.approx((0.7 + 1 - 0.2) / 2)
        np.testing.assert_array_equal(curve.point_at(1), [0.2, 0.7])

    def test_undefined_rates(self):
        point = roc_point([1, 1], [1, 0])
        assert point.tpr == 0.5
        assert np.isnan(point.fpr)
        assert str(point) == "tpr 0.500 at fpr –, of 2 instances (2 positive)"
        with pytest.raises(InputError, match="give instances of both classes"):
            point.curve()
        with pytest.raises(InputError, match="positive must name one of the 3 classes"):
            roc_point([0, 1, 2], [0, 1, 2])

    def test_as_data(self):
        point = RocPoint(0.25, 0.5, 2, 4)
        assert point.to_dict() == {"fpr": 0.25, "tpr": 0.5, "positives": 2, "negatives": 4}
        assert point.to_table().rows == ((0.25, 0.5, 2, 4),)
