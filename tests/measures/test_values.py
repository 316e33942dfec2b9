"""Measures of predicted numbers, and resources."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk  # 1.9.1

from fairtrial.errors import InputError
from fairtrial.measures import compute, fit_time, mae, predict_time, r2, rmse

TRUTH, PREDICTED = [3, -0.5, 2, 7, 4.2], [2.5, 0, 2, 8, 4]
numbers = st.floats(-1e3, 1e3)


class TestResiduals:
    def test_values_from_r(self):
        # [R 4.2.2], known-answers/cases.json regression_metrics
        assert rmse(TRUTH, PREDICTED) == pytest.approx(0.554977477020464, rel=1e-12)
        assert mae(TRUTH, PREDICTED) == pytest.approx(0.44, rel=1e-12)
        assert r2(TRUTH, PREDICTED) == pytest.approx(0.949660041841004, rel=1e-12)

    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize(
        ("ours", "theirs"),
        [(rmse, sk.root_mean_squared_error), (mae, sk.mean_absolute_error), (r2, sk.r2_score)],
    )
    def test_against_scikit_learn(self, weighted, ours, theirs):
        rng = np.random.default_rng(1)
        truth = rng.normal(50, 3, 300)
        predicted = truth + rng.normal(size=300)
        w = rng.exponential(size=300) if weighted else None
        assert ours(truth, predicted, weights=w) == pytest.approx(theirs(truth, predicted, sample_weight=w), abs=1e-12)

    @given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
    def test_the_root_mean_square_is_not_below_the_mean(self, pairs):
        truth, predicted = zip(*pairs, strict=True)
        assert rmse(truth, predicted) >= mae(truth, predicted) - 1e-9


class TestR2:
    def test_asymmetric(self):
        assert r2([1, 2, 3, 4], [1, 2, 3, 5]) == pytest.approx(0.8)
        assert r2([1, 2, 3, 5], [1, 2, 3, 4]) == pytest.approx(1 - 1 / 8.75)

    def test_the_mean_gives_zero(self):
        assert r2([1, 2, 6], [3, 3, 3]) == pytest.approx(0, abs=1e-15)

    @pytest.mark.parametrize("constant", [0.1, 1e9 + 0.3, -7.7])
    def test_undefined_for_a_constant_target(self, constant):
        truth = np.full(7, constant)
        assert np.isnan(r2(truth, np.arange(7)))
        assert np.isnan(r2([1.0], [1.0]))
        found = compute(["r2"], truth=np.r_[truth, 1, 2], channels={"value": np.zeros(9)}, folds=[0] * 7 + [2, 2])
        np.testing.assert_array_equal(np.isnan(found["r2"]), [True, True, False])

    def test_a_far_offset_does_no_harm(self):
        truth = 1e8 + np.array([0.0, 1.0, 2.0, 3.0])
        assert r2(truth, truth + np.array([0, 0, 0, 1])) == pytest.approx(0.8)


class TestTimes:
    def test_mean(self):
        assert fit_time([1, 2, 6]) == 3.0
        assert predict_time([0.5]) == 0.5

    def test_are_not_computed_from_predictions(self):
        with pytest.raises(InputError, match="fit_time is recorded with each trial"):
            compute(["fit_time"], truth=[0, 1], channels={"label": [0, 1]}, classes=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rmse([1, 2], [1]), r"truth and predicted must be of one length, got 2 and 1"),
        (lambda: rmse([1, np.nan, np.inf], [1, 2, 3]), r"truth must be finite, but rows 1, 2 are not"),
        (lambda: rmse([1, 2], [1, np.nan]), r"value must be finite, but row 1 is not"),
        (lambda: rmse(["a"], [1]), r"truth must be numbers"),
        (lambda: rmse([[1, 2]], [[1, 2]]), r"one number per instance, got the shapes \(1, 2\) and \(1, 2\)"),
        (lambda: fit_time([]), r"recorded must be a sequence with at least one instance"),
        (lambda: fit_time([1, -1]), r"recorded must not be negative, but row 1 is"),
    ],
)
def test_says_what_was_wrong(call, message):
    with pytest.raises(InputError, match=message):
        call()
