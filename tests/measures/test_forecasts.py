"""Measures of forecasts: scaled errors, quantiles, intervals."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk  # 1.9.1

from fairtrial import measures
from fairtrial.errors import InputError
from fairtrial.measures import (
    compute,
    crps,
    get,
    interval_score,
    mae,
    mase,
    naive_scale,
    pinball,
    quantile_crps,
    wql,
)

TRUTH, WEIGHTS = np.array([3, -0.5, 2, 7, 4.2]), np.array([1, 2, 0.5, 3, 0])
LEVELS = [0.1, 0.4, 0.9]
QUANTILES = np.array([[2.5, 3, 4], [-1, 0, 1], [2, 2, 2], [7.5, 8, 9], [0, 4, 4.1]])

numbers = st.floats(-100, 100)
forecasts = st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=10)


class TestNaiveScale:
    def test_by_hand(self):
        assert naive_scale([3, 1, 4, 4]) == pytest.approx((2 + 3 + 0) / 3)
        assert naive_scale([3, 1, 4, 4], season=2) == pytest.approx((1 + 3) / 2)

    @given(st.lists(st.integers(-100, 100), min_size=3, max_size=10), st.floats(0.1, 1e6), numbers)
    def test_is_in_the_unit_of_the_series(self, history, factor, offset):
        plain = naive_scale(history)
        alike = naive_scale(factor * np.array(history)) / factor
        np.testing.assert_allclose(alike, plain, rtol=1e-9)
        if plain == plain:
            assert naive_scale(np.array(history) + offset) == pytest.approx(plain, abs=1e-9)

    @pytest.mark.parametrize("history", [[0.0, 0, 0], [5.0, 5, 5], [0.1 + 0.2, 0.3, 0.3], [1e9, 1e9 + 0.5, 1e9], [7.0]])
    def test_undefined_for_a_near_constant_series(self, history):
        assert np.isnan(naive_scale(history))

    def test_a_steady_season_is_undefined_too(self):
        assert np.isnan(naive_scale([1, 2, 1, 2, 1, 2], season=2))
        assert naive_scale([1, 2, 1, 2, 1, 2]) == 1

    def test_a_small_change_is_not_nothing(self):
        assert naive_scale([1e6, 1e6 + 0.01]) == pytest.approx(0.01, rel=1e-6)

    @pytest.mark.parametrize("season", [0, -1, 1.5, True, "12"])
    def test_says_what_was_wrong(self, season):
        with pytest.raises(InputError, match="season must be a whole number of at least 1"):
            naive_scale([1, 2, 3], season=season)
        with pytest.raises(InputError, match="history must be the values of one series"):
            naive_scale([[1, 2], [3, 4]])


class TestMase:
    def test_by_hand(self):
        # errors 2, 1 and 3, in units of 4, 4 and 0.5
        assert mase([8, 5, 1], [6, 6, 4], [4, 4, 0.5]) == pytest.approx((0.5 + 0.25 + 6) / 3)
        assert mase([8, 5, 1], [6, 6, 4], [4, 4, 0.5], weights=[1, 3, 0]) == pytest.approx((0.5 + 3 * 0.25) / 4)

    def test_against_sktime(self):
        # docstring of sktime's mean_absolute_scaled_error(y_true, y_pred, y_train=y_train)
        found = mase([3, -0.5, 2, 7, 2], [2.5, 0.0, 2, 8, 1.25], naive_scale([5, 0.5, 4, 6, 3, 5, 2]))
        assert found == pytest.approx(0.18333333333333335)

    def test_the_naive_forecast_of_its_own_series_has_1(self):
        history = np.random.default_rng(1).normal(size=50).cumsum()
        assert mase(history[4:], history[:-4], naive_scale(history, season=4)) == pytest.approx(1)

    @given(forecasts, st.floats(0.1, 10))
    def test_has_no_unit(self, rows, factor):
        truth, predicted, _ = map(np.array, zip(*rows, strict=True))
        plain = mase(truth, predicted, 3.0)
        assert mase(factor * truth, factor * predicted, factor * 3.0) == pytest.approx(plain)
        assert plain == pytest.approx(mae(truth, predicted) / 3)

    @pytest.mark.parametrize("scale", [0, np.nan, 1e-9, 4e-9])
    def test_undefined_where_the_naive_error_is_nothing(self, scale):
        assert np.isnan(mase([5, 6], [5, 6], scale))
        assert np.isnan(mase([5, 6], [5, 7], [1, scale]))
        assert mase([5, 6], [7, 7], [1, scale], weights=[1, 0]) == 2
        found = compute(["mase"], truth=[5, 6, 6], channels={"value": [5, 7, 7], "naive_scale": [1, scale, 2]},
                        folds=[0, 1, 3])["mase"]  # fmt: skip
        np.testing.assert_array_equal(found, [0, np.nan, np.nan, 0.5])

    def test_small_series_have_small_naive_errors(self):
        assert mase([5e-9, 0], [6e-9, 0], 2e-9) == pytest.approx(0.25)

    def test_says_why_it_is_undefined(self):
        assert "near-constant series" in measures.why_undefined("mase")


class TestQuantileCrps:
    def test_by_hand(self):
        # levels 0.2 and 0.6: residuals 1 and -2, then -1 and 3
        found = quantile_crps([4, 5], [[3, 6], [6, 2]], [0.2, 0.6])
        assert found == pytest.approx(2 * ((0.2 + 0.4 * 2) / 2 + (0.8 + 0.6 * 3) / 2) / 2)

    @pytest.mark.parametrize("weights", [None, WEIGHTS])
    def test_against_scikit_learn(self, weights):
        each = [
            sk.mean_pinball_loss(TRUTH, q, alpha=level, sample_weight=weights)
            for level, q in zip(LEVELS, QUANTILES.T, strict=True)
        ]
        assert quantile_crps(TRUTH, QUANTILES, LEVELS, weights=weights) == pytest.approx(2 * np.mean(each))

    def test_tends_to_the_crps(self):
        from scipy import stats  # 1.17.1

        truth, mean, std = TRUTH, TRUTH + np.array([0.5, -1, 2, 0, 0.1]), np.array([1, 2, 0.5, 1, 3])
        levels = (np.arange(2000) + 0.5) / 2000
        quantiles = stats.norm.ppf(levels, mean[:, None], std[:, None])
        # crps itself is tested against the integral of (F(x) - [y <= x])^2
        assert quantile_crps(truth, quantiles, levels) == pytest.approx(crps(truth, mean, std), rel=1e-3)

    @given(forecasts)
    def test_the_median_has_the_absolute_error(self, rows):
        truth, predicted, _ = map(np.array, zip(*rows, strict=True))
        assert quantile_crps(truth, predicted, 0.5) == pytest.approx(mae(truth, predicted))

    def test_is_the_weighted_interval_score(self):
        # Bracher et al. (2021), doi:10.1371/journal.pcbi.1008618, eq. 1: (½ |y − m| + Σ αₖ/2 ISₖ) / (K + ½), here K = 1
        by_intervals = mae(TRUTH, QUANTILES[:, 1]) / 2 + 0.1 * interval_score(
            TRUTH, QUANTILES[:, 0], QUANTILES[:, 2], level=0.8
        )
        assert measures.wis(TRUTH, QUANTILES, [0.1, 0.5, 0.9]) == pytest.approx(by_intervals / 1.5)

    def test_is_another_measure_than_crps(self):
        assert get("CRPS".lower()).name == get("continuous_ranked_probability_score").name == "crps"
        assert get("quantile_crps").needs != get("crps").needs
        assert not set(get("quantile_crps").aliases) & set(get("crps").aliases)


class TestWql:
    def test_by_hand(self):
        # two levels: 2 · (0.2 · 1 + 0.8 · 1) / 9 and 2 · (0.4 · 2 + 0.6 · 3) / 9
        assert wql([4, -5], [[3, 6], [-4, -8]], [0.2, 0.6]) == pytest.approx((2 * 1 / 9 + 2 * 2.6 / 9) / 2)

    @pytest.mark.parametrize("weights", [None, WEIGHTS])
    def test_against_loops(self, weights):
        w, total = np.ones(5) if weights is None else weights, 0.0
        for level, q in zip(LEVELS, QUANTILES.T, strict=True):
            losses = [v * 2 * abs((y - x) * ((y <= x) - level)) for v, y, x in zip(w, TRUTH, q, strict=True)]
            total += sum(losses) / sum(w * abs(TRUTH))
        assert wql(TRUTH, QUANTILES, LEVELS, weights=weights) == pytest.approx(total / 3)

    @given(forecasts, st.floats(0.1, 10))
    def test_has_no_unit(self, rows, factor):
        rows = np.array([*rows, (1.0, 2.0, 3.0)])
        plain = wql(rows[:, 0], rows[:, 1:], [0.3, 0.8])
        assert wql(factor * rows[:, 0], factor * rows[:, 1:], [0.3, 0.8]) == pytest.approx(plain)

    def test_undefined_where_all_targets_are_zero(self):
        assert np.isnan(wql([0, 0], [[1, 2], [0, 0]], [0.1, 0.5]))
        assert np.isnan(wql([0, 3], [[1, 2], [0, 0]], [0.1, 0.5], weights=[1, 0]))
        channels = {"quantiles": [[0], [1], [2]], "levels": [[0.5]] * 3}
        found = compute(["wql"], truth=[0, 2, 4], channels=channels, folds=[0, 1, 3])["wql"]
        np.testing.assert_array_equal(found, [np.nan, 0.5, np.nan, 0.5])


class TestIntervalScore:
    def test_by_hand(self):
        # widths 6, 6 and 1; 2 above the second, 1 below the third; 2 / α = 10
        assert interval_score([5, 11, 2], [2, 3, 3], [8, 9, 4], level=0.8) == pytest.approx((6 + 26 + 11) / 3)

    @pytest.mark.parametrize("weights", [None, WEIGHTS])
    def test_against_scikit_learn(self, weights):
        low, high = QUANTILES[:, 0], QUANTILES[:, 2]
        losses = [
            sk.mean_pinball_loss(TRUTH, q, alpha=a, sample_weight=weights) for q, a in ((low, 0.05), (high, 0.95))
        ]
        assert interval_score(TRUTH, low, high, weights=weights) == pytest.approx(2 / 0.1 * sum(losses))

    @given(st.lists(numbers, min_size=1, max_size=15), numbers, numbers)
    def test_the_quantiles_have_the_lowest(self, truth, one, other):
        best = np.quantile(truth, [0.1, 0.9], method="inverted_cdf")
        scores = [
            interval_score(truth, np.full(len(truth), low), np.full(len(truth), high), level=0.8)
            for low, high in (best, sorted((one, other)))
        ]
        assert scores[0] <= scores[1] + 1e-9

    def test_of_points_is_the_absolute_error_with_a_factor(self):
        assert interval_score(TRUTH, TRUTH - 1, TRUTH - 1, level=0.5) == pytest.approx(4)

    def test_from_quantiles(self):
        channels = {"quantiles": QUANTILES, "levels": np.tile(LEVELS, (5, 1))}
        found = compute(["interval_score(level=0.8)"], truth=TRUTH, channels=channels)
        expected = interval_score(TRUTH, QUANTILES[:, 0], QUANTILES[:, 2], level=0.8)
        assert found["interval_score(level=0.8)"][0] == pytest.approx(expected)
        with pytest.raises(InputError, match=r"the quantile 0\.05 is needed, but there are only the levels 0\.1, 0\.4"):
            compute(["interval_score"], truth=TRUTH, channels=channels)

    @pytest.mark.parametrize("level", [0, 1, 90, -0.1])
    def test_a_level_that_is_none_is_refused_at_once(self, level):
        with pytest.raises(InputError, match="level must lie strictly between 0 and 1"):
            get(f"interval_score(level={level})")


def test_which_are_means_of_losses():
    names = ("mase", "wql", "quantile_crps", "interval_score")
    assert [get(name).per_instance for name in names] == [True, False, True, True]
    assert {get(name).compare for name in names} == {"log-ratio"}


def test_numbers_beyond_the_range_are_infinite_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert mase([1.7e308], [-1.7e308], 1e300) == np.inf
        assert quantile_crps([1.7e308], [-1.7e308], 0.5) == np.inf
        assert interval_score([0], [-1.7e308], [1.7e308]) == np.inf


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mase([1, 2], [1, 2], -1), "naive_scale must not be negative, but rows 0 and 1 are"),
        (lambda: mase([1, 2], [1, 2], [1]), "truth and naive_scale must be of one length, got 2 and 1"),
        (lambda: mase([1, 2], [1, 2], [1, np.inf]), "naive_scale must be finite, but row 1 is not"),
        (lambda: mase([1, 2], [1, 2], ["a", "b"]), "naive_scale must be numbers"),
        (lambda: wql([1, 2], [[1, 2]], [0.1, 0.2]), "truth and quantiles must be of one length, got 2 and 1"),
        (lambda: wql([1, 2], [[1], [2]], [0.1, 0.2]), r"a column for each of the levels, got the shapes \(2, 1\)"),
        (lambda: wql([1], [[1, 2]], [0.1, 90]), "levels must lie strictly between 0 and 1 .*, got 90"),
        (lambda: wql([1], [[1, 2]], [0.1, 0.1]), r"levels must differ, got 0\.1 and 0\.1"),
        (lambda: wql([1], [[1, np.nan]], [0.1, 0.2]), "quantiles must be finite, but row 0 is not"),
        (lambda: interval_score([1, 2], [1, 3], [2, 2]), "low must not be above high, but row 1 is; exchange them"),
        (lambda: pinball([1], [1], quantile=2), "quantile must lie strictly between 0 and 1"),
    ],
)
def test_says_what_was_wrong(call, message):
    with pytest.raises(InputError, match=message):
        call()
