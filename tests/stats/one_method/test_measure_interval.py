import math

import numpy as np
import pytest
from example_data import TRUTH, N

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import measure_interval


class TestMeasureInterval:
    def test_accuracy_is_binomial(self):
        # 90 of 120 right: resamples are Binomial(120, 3/4), from 80 to 99 between 2.5 and 97.5 % (R 4.2.2: qbinom)
        truth, predicted = np.ones(120, int), np.repeat([1, 0], [90, 30])
        found = measure_interval(truth, predicted, method="percentile", replicates=99_999)
        assert (found.low, found.high) == pytest.approx((80 / 120, 99 / 120), abs=1 / 120 + 1e-9)
        assert found.estimate == 0.75

    def test_perfect_predictions_have_no_bootstrap_interval(self):
        """The bounds are nan with a note: neither [1, 1] nor nan without a note."""
        for measure, predicted in (("accuracy", TRUTH), ("auc", TRUTH * 1.0)):
            found = measure_interval(TRUTH, predicted, measure=measure, replicates=199)
            assert found.estimate == 1
            assert math.isnan(found.low)
            assert "the same value on all resamples" in found.notes[0]

    @pytest.mark.parametrize("method", ["bca", "percentile", "basic"])
    def test_bounds_stay_inside_the_range(self, method):
        """No bound is above 1, with any method."""
        nearly = np.where(np.arange(N) < 2, 1 - TRUTH, TRUTH)
        found = measure_interval(TRUTH, nearly, method=method, replicates=1999)
        assert 0 <= found.low < found.estimate < found.high <= 1

    def test_undefined_resamples_are_counted(self):
        truth = np.repeat([1, 0], [4, 60])
        found = measure_interval(truth, np.repeat([1, 0], [5, 59]), measure="precision", replicates=1999)
        assert "precision is undefined on" in found.notes[1]
        with pytest.raises(
            InputError, match="auc must be defined on at least 90% of the resamples, but is undefined on"
        ):
            measure_interval(np.repeat([1, 0], [1, 60]), np.arange(61.0), measure="auc", replicates=199)

    def test_says_what_was_wrong(self):
        with pytest.raises(UnknownName, match="did you mean 'percentile'"):
            measure_interval([0, 1], [0, 1], method="percentil")
        with pytest.raises(InputError, match="must be of one length, got 2 and 3"):
            measure_interval([0, 1], [0, 1, 1])
        with pytest.raises(InputError, match="predictions 1 must be numbers, but row 1 is not"):
            measure_interval([0, 1, 1], [0.1, math.nan, 1], measure="auc")
        with pytest.raises(InputError, match="rmse must be a finite number"):
            measure_interval([0, 1, 1], [1e300, 2, 3], measure="rmse")
