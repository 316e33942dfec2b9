"""Measures of predicted numbers."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk  # 1.9.1

from fairtrial import measures
from fairtrial.errors import InputError
from fairtrial.measures import compute, explained_variance, get
from fairtrial.measures.values import (
    mae,
    mape,
    max_error,
    median_absolute_error,
    mse,
    nrmse,
    pinball,
    r2,
    rae,
    rmse,
    rmsle,
    smape,
)

TRUTH, PREDICTED = [3, -0.5, 2, 7, 4.2], [2.5, 0, 2, 8, 4]
ERRORS = ["rmse", "mse", "mae", "median_absolute_error", "max_error", "pinball"]
EVERY = [*ERRORS, "mape", "smape", "rmsle", "r2", "explained_variance", "nrmse", "rae"]
NEED_VARIANCE = [r2, explained_variance, nrmse, rae]

numbers = st.floats(-1e3, 1e3)
pairs = st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20)
small = st.integers(-3, 3)
rows = st.lists(st.tuples(st.integers(0, 3), small, small, st.sampled_from([0, 0.3, 1, 2])), min_size=1, max_size=25)


def alike(found, expected):
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


class TestAll:
    def test_values_from_r(self):
        # [R 4.2.2], known-answers/cases.json regression_metrics
        alike(mse(TRUTH, PREDICTED), 0.308)
        alike(rmse(TRUTH, PREDICTED), 0.554977477020464)
        alike(mae(TRUTH, PREDICTED), 0.44)
        alike(r2(TRUTH, PREDICTED), 0.949660041841004)
        alike(mape(TRUTH, PREDICTED), 0.271428571428571)
        # [R 4.2.2] sqrt(mean((y-p)^2)) / sqrt(mean((y-mean(y))^2)); sum(abs(y-p)) / sum(abs(y-mean(y)))
        alike(nrmse(TRUTH, PREDICTED), 0.2243656795479108)
        alike(rae(TRUTH, PREDICTED), 0.2235772357723577)

    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize(
        ("ours", "theirs"),
        [
            (rmse, sk.root_mean_squared_error),
            (mse, sk.mean_squared_error),
            (mae, sk.mean_absolute_error),
            (median_absolute_error, sk.median_absolute_error),
            (mape, sk.mean_absolute_percentage_error),
            (pinball, sk.mean_pinball_loss),
            (rmsle, sk.root_mean_squared_log_error),
            (r2, sk.r2_score),
            (explained_variance, sk.explained_variance_score),
        ],
    )
    def test_against_scikit_learn(self, weighted, ours, theirs):
        rng = np.random.default_rng(1)
        truth = rng.normal(50, 3, 300)
        predicted = truth + rng.normal(0.5, 1, size=300)
        w = rng.exponential(size=300) if weighted else None
        alike(ours(truth, predicted, weights=w), theirs(truth, predicted, sample_weight=w))

    @pytest.mark.slow
    @given(rows)
    def test_many_folds_are_as_each_alone(self, rows):
        fold, truth, predicted, weight = map(np.array, zip(*rows, strict=True))
        weight = weight.astype(float)
        found = compute(EVERY, truth=truth, channels={"value": predicted}, folds=fold, weights=weight)
        for f in range(fold.max() + 1):
            here = fold == f
            for name in EVERY:
                alone = np.nan
                if here.any():
                    alone = getattr(measures, name)(truth[here], predicted[here], weights=weight[here])
                alike(found[name][f], alone)

    @pytest.mark.slow
    @given(rows)
    def test_what_has_no_weight_is_not_there(self, rows):
        _, truth, predicted, weight = map(np.array, zip(*rows, strict=True))
        counts = weight > 0
        for name in EVERY:
            found = getattr(measures, name)(truth, predicted, weights=weight)
            if counts.any():
                alike(found, getattr(measures, name)(truth[counts], predicted[counts], weights=weight[counts]))
            else:
                assert np.isnan(found)

    @given(pairs, st.floats(0.01, 100))
    def test_how_they_follow_the_unit_of_the_target(self, pairs, factor):
        truth, predicted = map(np.array, zip(*pairs, strict=True))
        for name in ERRORS:
            before, after = (getattr(measures, name)(f * truth, f * predicted) for f in (1, factor))
            assert after == pytest.approx(before * factor ** (2 if name == "mse" else 1), rel=1e-9)
            assert get(name).compare == "log-ratio"
        for name in ("mape", "smape", "r2", "explained_variance", "nrmse", "rae"):
            assert get(name).compare == "difference"

    def test_which_are_means_of_losses(self):
        assert [name for name in EVERY if get(name).per_instance] == ["mse", "mae", "pinball", "mape", "smape"]

    @pytest.mark.parametrize("ours", NEED_VARIANCE)
    @pytest.mark.parametrize("constant", [0.1, 1e9 + 0.3, -7.7])
    def test_undefined_for_a_constant_target(self, ours, constant):
        truth = np.full(7, constant)
        assert np.isnan(ours(truth, np.arange(7)))
        assert np.isnan(ours([1.0], [1.0]))
        for seed in range(5):  # weighted means are rounded
            weights = np.random.default_rng(seed).exponential(size=7)
            assert np.isnan(ours(np.r_[5.0, truth], np.arange(8), weights=np.r_[0.0, weights]))
        name = ours.__name__
        found = compute([name], truth=np.r_[truth, 1, 2], channels={"value": np.zeros(9)}, folds=[0] * 7 + [2, 2])
        np.testing.assert_array_equal(np.isnan(found[name]), [True, True, False])

    @pytest.mark.parametrize("ours", NEED_VARIANCE)
    def test_a_far_offset_does_no_harm(self, ours):
        truth, predicted = np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0, 4.0])
        assert ours(1e8 + truth, 1e8 + predicted) == pytest.approx(ours(truth, predicted))

    def test_numbers_beyond_the_range_are_infinite_without_a_warning(self):
        truth, predicted = [1e300, 0.0, 1.0], [-1e300, 0.0, 2.0]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert mae(truth, predicted) == pytest.approx(2e300 / 3)
            assert max_error(truth, predicted) == 2e300
            assert median_absolute_error(truth, predicted) == 1.0
            assert rmse(truth, predicted) == mse(truth, predicted) == np.inf
            assert r2([0.0, 1.0], [1e300, 0.0]) == -np.inf
            for ours in (r2, nrmse, explained_variance):  # infinite over infinite
                assert np.isnan(ours(truth, predicted))
            assert mae([1.7e308], [-1.7e308]) == max_error([1.7e308], [-1.7e308]) == np.inf
            assert mape([1e-300], [1e300]) == np.inf


class TestMse:
    def test_by_hand(self):
        assert mse([0, 0, 0], [1, 2, -3], weights=[1, 1, 2]) == (1 + 4 + 18) / 4

    @given(pairs)
    def test_is_variance_and_squared_bias_of_the_residuals(self, pairs):
        truth, predicted = map(np.array, zip(*pairs, strict=True))
        residuals = truth - predicted
        assert mse(truth, predicted) == pytest.approx(residuals.var() + residuals.mean() ** 2, rel=1e-9, abs=1e-9)
        assert rmse(truth, predicted) == pytest.approx(np.sqrt(mse(truth, predicted)))

    @given(pairs)
    def test_the_root_mean_square_is_not_below_the_mean(self, pairs):
        truth, predicted = zip(*pairs, strict=True)
        assert rmse(truth, predicted) >= mae(truth, predicted) - 1e-9


class TestMedianAbsoluteError:
    def test_by_hand(self):
        assert median_absolute_error([0, 0, 0], [5, -1, 100]) == 5
        assert median_absolute_error([0, 0, 0, 0], [5, -1, 100, 2]) == 3.5
        assert median_absolute_error([0, 0, 0], [5, 1, 9], weights=[1, 2, 1]) == 3.0  # 1 reaches half exactly: with 5
        assert median_absolute_error([0, 0, 0], [5, 1, 9], weights=[1, 2, 0.9]) == 1.0

    @given(st.lists(st.tuples(small, st.integers(0, 3)), min_size=1, max_size=15))
    def test_a_weight_is_a_number_of_instances(self, rows):
        errors, weights = map(np.array, zip(*rows, strict=True))
        repeated = np.repeat(np.abs(errors), weights)
        expected = np.median(repeated) if len(repeated) else np.nan
        for unit in (1, 0.1):  # sums of 0.1 are rounded, and a tie must remain one
            alike(median_absolute_error(np.zeros(len(errors)), errors, weights=unit * weights), expected)

    @given(rows)
    def test_against_scikit_learn_with_ties(self, rows):
        _, truth, predicted, weight = map(np.array, zip(*rows, strict=True))
        if (weight > 0).any():
            # not with weights of 0.3: scikit-learn misses a tie where the sum of weights is rounded
            weight = np.ceil(weight)
            theirs = sk.median_absolute_error(truth, predicted, sample_weight=weight)
            alike(median_absolute_error(truth, predicted, weights=weight), theirs)


class TestMaxError:
    def test_by_hand(self):
        assert max_error([1, 2, 3], [1, -5, 4]) == 7 == sk.max_error([1, 2, 3], [1, -5, 4])
        assert max_error([1, 2, 3], [1, -5, 4], weights=[1, 0, 1e-9]) == 1
        assert max_error([2], [2]) == 0

    @given(pairs)
    def test_is_above_all_means(self, pairs):
        truth, predicted = map(np.array, zip(*pairs, strict=True))
        assert max_error(truth, predicted) == np.abs(truth - predicted).max()
        assert max_error(truth, predicted) >= rmse(truth, predicted) * (1 - 1e-12)


class TestMape:
    def test_by_hand(self):
        assert mape([-4, 10], [-5, 13], weights=[1, 3]) == pytest.approx((0.25 + 0.9) / 4)

    def test_undefined_where_a_target_is_zero(self):
        assert np.isnan(mape([0, 1], [1, 1]))
        assert np.isnan(mape([0, 1], [0, 1]))
        assert mape([0, 1], [1, 1.5], weights=[0, 1]) == 0.5
        assert measures.why_undefined("mape") == "mape is undefined where a target is 0"

    @given(st.lists(st.floats(0.1, 10), min_size=1, max_size=5))
    def test_too_low_costs_at_most_one(self, truth):
        assert mape(truth, np.zeros(len(truth))) == pytest.approx(1)
        assert mape(truth, np.array(truth) * 4) == pytest.approx(3)


class TestSmape:
    def test_by_hand(self):
        # 2 · 3 / 5 for the first, 0 for the second, 2 · 1 / 7 for the third
        assert smape([1, 5, 4], [4, 5, 3]) == pytest.approx((6 / 5 + 2 / 7) / 3)
        assert smape([1, 5, 4], [4, 5, 3], weights=[3, 1, 0]) == pytest.approx(3 * 6 / 5 / 4)

    def test_against_sktime(self):
        # docstring of sktime's mean_absolute_percentage_error(y_true, y_pred, symmetric=True)
        alike(smape([3, -0.5, 2, 7, 2], [2.5, 0.0, 2, 8, 1.25]), 0.5553379953379953)

    @given(pairs)
    def test_lies_between_0_and_2_and_is_symmetric_in_its_arguments(self, pairs):
        truth, predicted = map(np.array, zip(*pairs, strict=True))
        found = smape(truth, predicted)
        if not ((truth == 0) & (predicted == 0)).any():
            assert 0 <= found <= 2 + 1e-12
        alike(smape(predicted, truth), found)

    def test_too_low_costs_more_than_too_high(self):
        assert smape([10], [8]) > smape([10], [12])

    def test_a_zero_or_a_wrong_sign_costs_2(self):
        assert smape([0, 0, 3], [1e-9, 5, -3]) == 2

    def test_undefined_where_both_are_zero(self):
        assert np.isnan(smape([0, 1], [0, 1]))
        assert smape([0, 1], [0, 3], weights=[0, 1]) == 1
        assert measures.why_undefined("smape") == "smape is undefined where a target and its prediction are both 0"
        found = compute(["smape"], truth=[0, 0, 1], channels={"value": [0, 1, 1]}, folds=[0, 1, 3])["smape"]
        np.testing.assert_array_equal(found, [np.nan, 2, np.nan, 0])

    def test_vast_numbers(self):
        assert smape([1e308], [1.7e308]) == pytest.approx(2 * 0.7 / 2.7)


class TestPinball:
    def test_by_hand(self):
        assert pinball([5, 1], [3, 4], quantile=0.8) == pytest.approx((0.8 * 2 + 0.2 * 3) / 2)

    @pytest.mark.parametrize("quantile", [0.1, 0.5, 0.77])
    def test_against_scikit_learn(self, quantile):
        theirs = sk.mean_pinball_loss(TRUTH, PREDICTED, alpha=quantile, sample_weight=[1, 2, 3, 4, 0])
        alike(pinball(TRUTH, PREDICTED, quantile=quantile, weights=[1, 2, 3, 4, 0]), theirs)

    @given(pairs)
    def test_the_median_has_half_of_the_absolute_error(self, pairs):
        truth, predicted = zip(*pairs, strict=True)
        alike(pinball(truth, predicted), mae(truth, predicted) / 2)

    @given(st.lists(numbers, min_size=1, max_size=15), st.sampled_from([0.1, 0.3, 0.9]), numbers)
    def test_the_quantile_has_the_lowest(self, truth, quantile, other):
        best = np.quantile(truth, quantile, method="inverted_cdf")
        losses = [pinball(truth, np.full(len(truth), x), quantile=quantile) for x in (best, other)]
        assert losses[0] <= losses[1] + 1e-9


class TestRmsle:
    def test_by_hand(self):
        assert rmsle([np.e**2 - 1, 0], [0, np.e - 1]) == pytest.approx(np.sqrt((4 + 1) / 2))

    @pytest.mark.parametrize(("truth", "predicted"), [([-1, 3], [2, 3]), ([1, 3], [-2, 3]), ([-3, 3], [-3, 3])])
    def test_undefined_at_minus_one_and_below(self, truth, predicted):
        assert np.isnan(rmsle(truth, predicted))
        assert rmsle(truth, predicted, weights=[0, 1]) == 0

    @given(st.lists(st.tuples(st.floats(0, 1e3), st.floats(0, 1e3)), min_size=1, max_size=9))
    def test_is_the_rmse_of_logarithms(self, pairs):
        truth, predicted = map(np.array, zip(*pairs, strict=True))
        alike(rmsle(truth, predicted), rmse(np.log1p(truth), np.log1p(predicted)))


class TestR2:
    def test_asymmetric(self):
        assert r2([1, 2, 3, 4], [1, 2, 3, 5]) == pytest.approx(0.8)
        assert r2([1, 2, 3, 5], [1, 2, 3, 4]) == pytest.approx(1 - 1 / 8.75)

    def test_the_mean_gives_zero(self):
        assert r2([1, 2, 6], [3, 3, 3]) == pytest.approx(0, abs=1e-15)


class TestExplainedVariance:
    def test_by_hand(self):
        # residuals 0, 0, −3: mean −1, variance 2; truth 1, 2, 6: variance 14/3
        assert explained_variance([1, 2, 6], [1, 2, 9]) == pytest.approx(1 - 2 / (14 / 3))

    def test_an_offset_does_not_matter(self):
        assert explained_variance([0.1, 0.7, 0.4], np.array([0.1, 0.7, 0.4]) + 5) == pytest.approx(1, abs=1e-14)
        assert explained_variance([1, 2, 6], [1e6] * 3) == pytest.approx(0, abs=1e-9)

    @given(pairs)
    def test_is_not_below_r2(self, pairs):
        truth, predicted = zip(*pairs, strict=True)
        if np.ptp(truth) > 1:
            found = r2(truth, predicted)
            assert explained_variance(truth, predicted) >= found - 1e-9 * abs(found) - 1e-9


class TestRelative:
    def test_by_hand(self):
        # mean of truth 3, deviations 2, 1, 3: variance 14/3, mean size 2; residuals 0, 0, 4
        assert nrmse([1, 2, 6], [1, 2, 2]) == pytest.approx(np.sqrt((16 / 3) / (14 / 3)))
        assert rae([1, 2, 6], [1, 2, 2]) == pytest.approx((4 / 3) / 2)

    @given(st.lists(st.integers(-50, 50), min_size=2, max_size=15))
    def test_the_mean_gives_one(self, truth):
        if len(set(truth)) > 1:
            mean = np.full(len(truth), np.mean(truth))
            assert nrmse(truth, mean) == pytest.approx(1)
            assert rae(truth, mean) == pytest.approx(1)

    @given(pairs)
    def test_its_square_is_one_less_r2(self, pairs):
        truth, predicted = zip(*pairs, strict=True)
        if np.ptp(truth) > 1:
            assert nrmse(truth, predicted) ** 2 == pytest.approx(1 - r2(truth, predicted), rel=1e-9, abs=1e-9)

    @pytest.mark.parametrize("alias", ["rrse", "root_relative_squared_error"])
    def test_is_known_by_other_names(self, alias):
        assert get(alias).name == "nrmse"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rmse([1, 2], [1]), r"truth and predicted must be of one length, got 2 and 1"),
        (lambda: rmse([1, np.nan, np.inf], [1, 2, 3]), r"truth must be finite, but rows 1 and 2 are not"),
        (lambda: rmse([1, 2], [1, np.nan]), r"value must be finite, but row 1 is not"),
        (lambda: rmse(["a"], [1]), r"truth must be numbers"),
        (lambda: rmse([[1, 2]], [[1, 2]]), r"one number per instance, got the shapes \(1, 2\) and \(1, 2\)"),
        (lambda: pinball([1], [1], quantile=1), r"quantile must lie strictly between 0 and 1 .*, got 1"),
    ],
)
def test_says_what_was_wrong(call, message):
    with pytest.raises(InputError, match=message):
        call()
