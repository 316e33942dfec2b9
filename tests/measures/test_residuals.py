"""Residuals and statistics of each fold, from which measures of numbers are made."""

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.measures import Predictions, Residuals, compute


def residuals(truth, predicted, folds=None, weights=None):
    made = Predictions.checked(truth, {"value": predicted}, n_classes=0, folds=folds, weights=weights)
    return made.shared(Residuals)


class TestStatistics:
    def test_by_hand(self):
        r = residuals([1, 2, 4, 10.0], [0, 4, 4, 7.0], folds=[0, 0, 1, 1])
        np.testing.assert_array_equal(r.residuals, [1, -2, 0, 3])
        np.testing.assert_array_equal(r.mean(r.squares), [2.5, 4.5])
        np.testing.assert_array_equal(r.largest(np.abs(r.residuals)), [2, 3])
        np.testing.assert_array_equal(r.deviations(r.truth), [-0.5, 0.5, -3, 3])
        np.testing.assert_array_equal(r.variance(r.truth), [0.25, 9])

    def test_without_weight_is_not_there(self):
        r = residuals([1, 2, 100.0], [0, 0, 0.0], weights=[1, 3, 0])
        np.testing.assert_array_equal(r.mean(r.truth), [1.75])
        np.testing.assert_array_equal(r.largest(r.truth), [2])
        np.testing.assert_array_equal(r.median(r.truth), [2])

    def test_all_equal_deviate_by_exactly_nothing(self):
        r = residuals([0.1] * 7, [0.0] * 7)
        np.testing.assert_array_equal(r.deviations(r.truth), np.zeros(7))

    def test_an_empty_fold_has_none(self):
        r = residuals([1, 2.0], [0, 0.0], folds=[0, 2])
        for found in (r.mean(r.squares), r.largest(r.squares), r.median(r.squares), r.variance(r.truth)):
            np.testing.assert_array_equal(np.isnan(found), [False, True, False])

    def test_one_number_per_instance(self):
        with pytest.raises(InputError, match=r"one number per instance, got the shapes \(2,\) and \(2, 2\)"):
            residuals([1, 2.0], [[1, 2], [3, 4.0]])


class TestMedianAmongFolds:
    def test_large_weights_elsewhere_change_nothing(self):
        weights = np.array([1e17 / 3, 1e17 / 7, 0.1, 0.1, 0.1, 0.1])
        arguments = {"truth": np.arange(6.0), "channels": {"value": np.zeros(6)}, "weights": weights}
        found = compute(["median_absolute_error"], **arguments, folds=[0, 0, 1, 1, 1, 1])["median_absolute_error"]
        assert found[1] == 3.5

    def test_a_last_fold_without_weight(self):
        weights = np.random.default_rng(5).random(6)
        weights[4:] = 0
        arguments = {"truth": np.arange(6.0), "channels": {"value": np.zeros(6)}, "weights": weights}
        found = compute(["median_absolute_error"], **arguments, folds=[0, 0, 1, 1, 2, 2])["median_absolute_error"]
        assert np.isnan(found[2])
        assert not np.isnan(found[:2]).any()
