"""The upper convex hull of a ROC curve."""

import numpy as np
import pytest
from hypothesis import given
from made_predictions import both_classes, random_input

from fairtrial import measures
from fairtrial.measures import RocCurve, roc_curve
from fairtrial.measures.curves import upper_hull

# ROCR 1.0.11 [R 4.2.2]: pr <- prediction(SCORES, TRUTH); performance(pr, "rch")
TRUTH = [1, 0, 1, 1, 0, 1, 0, 0, 1, 0]
SCORES = [0.9, 0.8, 0.8, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1]


class TestHull:
    def test_value_from_r(self):
        hull = roc_curve(TRUTH, SCORES).hull()
        np.testing.assert_allclose(hull.fpr, [0, 0, 0.2, 0.4, 0.8, 1])
        np.testing.assert_allclose(hull.tpr, [0, 0.2, 0.6, 0.8, 1, 1])
        np.testing.assert_array_equal(hull.thresholds, [np.inf, 0.9, 0.6, 0.5, 0.2, 0.1])

    @given(both_classes)
    def test_lies_above_is_convex_and_has_few_corners(self, rows):
        truth, scores = map(np.array, zip(*rows, strict=True))
        curve = roc_curve(truth, scores)
        hull = curve.hull()
        assert (hull.tpr_at(curve.fpr) >= curve.tpr - 1e-12).all()
        x, y = np.diff(hull.fpr), np.diff(hull.tpr)
        assert (y[1:] * x[:-1] < y[:-1] * x[1:]).all()  # slopes fall strictly
        assert set(zip(hull.fpr, hull.tpr, strict=True)) <= set(zip(curve.fpr, curve.tpr, strict=True))

    @pytest.mark.parametrize("weighted", [False, True])
    def test_against_qhull(self, weighted):
        from scipy.spatial import ConvexHull  # scipy 1.17.1

        truth, scores, w = random_input(weighted=weighted, digits=6, n=20_000)
        curve = roc_curve(truth, scores, weights=w)
        # the area of the hull of the curve and the corner (1, 0) is that under the upper hull
        points = np.column_stack([np.append(curve.fpr, 1), np.append(curve.tpr, 0)])
        assert curve.hull().auc == pytest.approx(ConvexHull(points).volume, abs=1e-12)

    @pytest.mark.parametrize("n", range(2, 60))
    def test_points_on_a_line_are_no_corners(self, n):
        # n groups of equal scores, each with three positives and a negative: rounding bends the line, the hull does not
        truth, scores = np.tile([1, 1, 1, 0], n), np.repeat(np.arange(n), 4)
        curve = roc_curve(truth, scores)
        np.testing.assert_array_equal(curve.coverage().positives, 3 * np.arange(n + 1))
        np.testing.assert_array_equal(curve.hull().fpr, [0, 1])

    def test_points_on_a_line_that_shows_late(self):
        i = np.arange(101.0)
        x, y = 12 * i, 12 * (400 * i - i**2)
        third = (y[51] - y[50]) / 3
        x = np.insert(x, 51, [x[50] + 4, x[50] + 8])
        y = np.insert(y, 51, [y[50] + third, y[50] + 2 * third - 1])  # on the line, but first seen beside one below it
        np.testing.assert_array_equal(upper_hull(x, y), np.r_[0:51, 53:103])

    def test_a_curve_below_the_diagonal(self):
        assert roc_curve([1, 1, 0, 0], [1, 2, 3, 4]).hull().auc == 0.5


class TestHullOfOddCurves:
    @pytest.mark.parametrize("weight", [1e-12, 1e-8, 1.0, 1e9])
    def test_the_size_of_weights_does_not_matter(self, weight):
        curve = roc_curve([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], weights=[weight] * 5)
        np.testing.assert_array_equal(curve.hull().thresholds, [np.inf, 5, 3, 1])
        assert measures.cost_curve(curve).area == pytest.approx(0.1)

    def test_a_corner_that_comes_twice(self):
        curve = RocCurve(
            np.array([0, 0.1, 0.1, 1]), np.array([0, 0.9, 0.9, 1]), np.array([np.inf, 3.0, 2.0, 1.0]), 10.0, 10.0
        )
        np.testing.assert_array_equal(curve.hull().fpr, [0, 0.1, 1])
