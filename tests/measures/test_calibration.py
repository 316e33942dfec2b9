"""Reliability, calibration error, and the parts of the Brier score."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve  # scikit-learn 1.9.1

from fairtrial.errors import InputError
from fairtrial.measures import brier, brier_decomposition, calibration_error, compute, reliability_curve

tenths = st.integers(0, 10).map(lambda k: k / 10)
forecasts = st.lists(st.tuples(st.integers(0, 1), tenths), min_size=1, max_size=30)
rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1), tenths, st.sampled_from([0, 0.5, 2])), min_size=1)
STRATEGIES = ["uniform", "quantile"]


def as_arrays(rows):
    return map(np.array, zip(*rows, strict=True))


class TestReliabilityCurve:
    def test_by_hand(self):
        curve = reliability_curve([0, 1, 0, 1, 1], [0.05, 0.2, 0.25, 0.5, 0.9], bins=4, weights=[1, 1, 2, 1, 3])
        np.testing.assert_allclose(curve.predicted, [0.75 / 4, 0.5, 0.9])  # 0.25 and 0.5 are in the bins below
        np.testing.assert_allclose(curve.observed, [1 / 4, 1, 1])
        np.testing.assert_allclose(curve.weight, [4, 1, 3])
        np.testing.assert_allclose(curve.low, [0, 0.25, 0.75])  # the third bin is empty
        np.testing.assert_allclose(curve.high, [0.25, 0.5, 1])
        assert curve.error == pytest.approx((4 * (1 / 4 - 0.75 / 4) + 0.5 + 3 * 0.1) / 8)

    @pytest.mark.parametrize("digits", [1, 2, 12])
    @pytest.mark.parametrize("bins", [1, 5, 10, 33])
    @pytest.mark.parametrize("strategy", STRATEGIES)
    def test_against_scikit_learn(self, digits, bins, strategy):
        rng = np.random.default_rng(bins)
        p = np.round(rng.beta(0.7, 1.2, 500), digits)
        truth = (rng.random(500) < p**1.3).astype(int)
        observed, predicted = calibration_curve(truth, p, n_bins=bins, strategy=strategy)
        curve = reliability_curve(truth, p, bins=bins, strategy=strategy)
        np.testing.assert_allclose(curve.observed, observed, atol=1e-12)
        np.testing.assert_allclose(curve.predicted, predicted, atol=1e-12)

    @pytest.mark.parametrize("n", [4, 7, 10, 19, 25])
    @pytest.mark.parametrize("bins", [6, 9, 12])
    def test_edges_that_are_instances_are_those_of_scikit_learn(self, n, bins):
        for seed in range(20):  # some edges are an instance up to rounding: which bin it is in hangs on the last digit
            p = np.random.default_rng(seed).random(n)
            observed, predicted = calibration_curve(np.arange(n) % 2, p, n_bins=bins, strategy="quantile")
            curve = reliability_curve(np.arange(n) % 2, p, bins=bins, strategy="quantile")
            np.testing.assert_allclose(curve.predicted, predicted, atol=1e-12)
            np.testing.assert_allclose(curve.observed, observed, atol=1e-12)

    @given(forecasts, st.integers(1, 7), st.sampled_from(STRATEGIES))
    def test_the_whole_is_the_mean_of_its_bins(self, forecasts, bins, strategy):
        truth, p = as_arrays(forecasts)
        curve = reliability_curve(truth, p, bins=bins, strategy=strategy)
        assert curve.weight.sum() == len(p)
        assert np.average(curve.predicted, weights=curve.weight) == pytest.approx(p.mean())
        assert np.average(curve.observed, weights=curve.weight) == pytest.approx(truth.mean())
        assert (curve.low - 1e-12 <= curve.predicted).all()
        assert (curve.predicted <= curve.high + 1e-12).all()

    def test_of_one_class_of_several(self):
        p = np.array([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.2, 0.7, 0.1]])
        curve = reliability_curve(["a", "b", "b"], p, positive="b", classes=["a", "b", "c"], bins=2)
        np.testing.assert_allclose(curve.predicted, [0.25, 0.7])
        np.testing.assert_allclose(curve.observed, [0.5, 1])

    def test_is_empty_where_nothing_has_weight(self):
        curve = reliability_curve([0, 1], [0.2, 0.7], weights=[0, 0], strategy="quantile")
        assert len(curve.predicted) == 0
        assert np.isnan(curve.error)

    def test_prints_and_exports(self):
        curve = reliability_curve([0, 1, 1], [0.2, 0.4, 0.9], bins=2, weights=[1, 1, 0.5])
        assert "calibration error 0.180" in str(curve)
        assert [row[4] for row in curve.to_table().rows] == [2, 0.5]
        assert json.loads(json.dumps(curve.to_dict()))["observed"] == [0.5, 1.0]


class TestCalibrationError:
    def test_by_hand(self):
        # up to 0.5: predicted 0.1 + 0.4, came 0 of 2; above: predicted 0.9 + 0.6 + 0.8, came 2 of 3
        assert calibration_error([0, 0, 1, 0, 1], [0.1, 0.4, 0.9, 0.6, 0.8], bins=2) == pytest.approx((0.5 + 0.3) / 5)

    def test_several_classes_by_hand(self):
        p = [[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]]
        # one bin each: a predicted 0.7, came 1; b 0.5, 1; c 0.8, 0
        assert calibration_error(["a", "b"], p, classes=["a", "b", "c"], bins=1) == pytest.approx((0.3 + 0.5 + 0.8) / 6)
        assert calibration_error(["a", "b"], p, classes=["a", "b", "c"], bins=1, positive="c") == pytest.approx(0.4)

    @pytest.mark.parametrize("strategy", STRATEGIES)
    def test_against_scikit_learn(self, strategy):
        rng = np.random.default_rng(5)
        p = rng.dirichlet(np.ones(4), 400)
        truth = rng.integers(0, 4, 400)
        errors = []
        for k in range(4):
            observed, predicted = calibration_curve(truth == k, p[:, k], n_bins=10, strategy=strategy)
            inner = np.linspace(0, 1, 11) if strategy == "uniform" else np.percentile(p[:, k], np.linspace(0, 100, 11))
            counts = np.bincount(np.searchsorted(inner[1:-1], p[:, k]))
            errors.append(np.average(np.abs(observed - predicted), weights=counts[counts > 0]))
        assert calibration_error(truth, p, strategy=strategy) == pytest.approx(np.mean(errors), abs=1e-12)

    @given(rows, st.integers(1, 6), st.sampled_from(STRATEGIES))
    def test_many_folds_are_as_each_alone_and_as_the_curve(self, rows, bins, strategy):
        fold, truth, p, weight = as_arrays(rows)
        name = f"calibration_error(bins={bins}, strategy={strategy!r})"
        channels = {"probability": p}
        (found,) = compute([name], truth=truth, channels=channels, folds=fold, classes=2, weights=weight).values()
        for f in range(fold.max() + 1):
            here, expected = fold == f, np.nan
            if here.any():
                curve = reliability_curve(truth[here], p[here], bins=bins, strategy=strategy, weights=weight[here])
                expected = curve.error
            assert found[f] == pytest.approx(expected, abs=1e-12, nan_ok=True)

    @given(forecasts)
    def test_one_bin_sees_only_the_balance_and_more_see_no_less(self, forecasts):
        truth, p = as_arrays(forecasts)
        one, two, four = (calibration_error(truth, p, bins=b) for b in (1, 2, 4))
        assert one == pytest.approx(abs(truth.mean() - p.mean()))
        assert one - 1e-12 <= two <= four + 1e-12 <= 1 + 2e-12

    def test_predicting_the_balance_has_none(self):
        assert calibration_error([0, 0, 0, 1], [0.25] * 4) == 0


class TestBrierDecomposition:
    TRUTH = (0, 0, 1, 0, 1, 1, 0, 1, 1, 1)
    FORECASTS = (0.1, 0.1, 0.1, 0.4, 0.4, 0.7, 0.7, 0.7, 0.9, 0.9)

    def test_by_hand(self):
        # groups of 3 at 0.2 with 1 that came, of 1 at 0.5 that did not; 1/4 came
        parts = brier_decomposition([0, 1, 0, 0], [0.2, 0.2, 0.2, 0.5])
        assert parts.reliability == pytest.approx((3 * (1 / 3 - 0.2) ** 2 + 0.25) / 4)
        assert parts.resolution == pytest.approx((3 * (1 / 3 - 1 / 4) ** 2 + 1 / 16) / 4)
        assert parts.uncertainty == pytest.approx(3 / 16)
        assert parts.within == 0
        assert parts.brier == pytest.approx((0.04 + 0.64 + 0.04 + 0.25) / 4)
        assert parts.refinement == pytest.approx((3 * 2 / 9 + 0) / 4)

    def test_against_r(self):
        # [R 4.2.2] tapply over equal forecasts; then cut(p, c(0, .5, 1)): mean((fb-obk)^2), mean((obk-ob)^2), WBV, WBC
        parts = brier_decomposition(self.TRUTH, self.FORECASTS)
        expected = [0.02066666666666666, 0.05666666666666666, 0.24, 0, 0.204]
        np.testing.assert_allclose(list(parts.to_dict().values()), expected, rtol=1e-12)
        parts = brier_decomposition(self.TRUTH, self.FORECASTS, bins=2)
        expected = [0.0164, 0.04, 0.24, 0.0156 - 0.028, 0.204]
        np.testing.assert_allclose(list(parts.to_dict().values()), expected, rtol=1e-12)

    @given(rows, st.sampled_from([None, 1, 3, 10]), st.sampled_from(STRATEGIES))
    def test_the_parts_sum_to_the_score(self, rows, bins, strategy):
        _, truth, p, weight = as_arrays(rows)
        parts = brier_decomposition(truth, p, bins=bins, strategy=strategy, weights=weight)
        total = parts.reliability - parts.resolution + parts.uncertainty + parts.within
        assert total == pytest.approx(parts.brier, abs=1e-12, nan_ok=True)
        assert parts.brier == pytest.approx(brier(truth, p, weights=weight), abs=1e-12, nan_ok=True)
        assert np.isnan(total) == (weight.sum() == 0)

    @pytest.mark.parametrize("bins", [None, 4])
    def test_several_classes_are_summed(self, bins):
        rng = np.random.default_rng(2)
        truth, p = rng.integers(0, 3, 60), rng.dirichlet(np.ones(3), 60)
        whole = brier_decomposition(truth, p, bins=bins)
        assert whole.brier == pytest.approx(brier(truth, p))
        assert whole.reliability - whole.resolution + whole.uncertainty + whole.within == pytest.approx(whole.brier)
        each = [brier_decomposition(truth, p, bins=bins, positive=k) for k in range(3)]
        assert whole.resolution == pytest.approx(sum(part.resolution for part in each))
        assert whole.uncertainty == pytest.approx(1 - np.sum((np.bincount(truth) / 60) ** 2))

    @given(forecasts)
    def test_the_other_class_has_the_same_parts(self, forecasts):
        truth, p = as_arrays(forecasts)
        one, other = brier_decomposition(truth, p), brier_decomposition(1 - truth, 1 - p)
        np.testing.assert_allclose(list(one.to_dict().values()), list(other.to_dict().values()), atol=1e-12)

    def test_predicting_the_balance_is_calibrated_and_tells_nothing(self):
        parts = brier_decomposition([1, 0, 0, 0], [0.25] * 4)
        assert (parts.reliability, parts.resolution, parts.uncertainty) == (0, 0, 3 / 16)

    def test_prints_and_exports(self):
        parts = brier_decomposition(self.TRUTH, self.FORECASTS)
        assert "−  resolution   0.0567" in str(parts)
        assert json.loads(json.dumps(parts.to_dict()))["uncertainty"] == 0.24


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: reliability_curve([0, 1], [0.5, 0.5], bins=0), r"bins must be a whole number from 1 to 10000, got 0"),
        (
            lambda: calibration_error([0, 1], [0.5, 0.5], bins=2.5),
            r"bins must be a whole number from 1 to 10000, got 2.5",
        ),
        (lambda: calibration_error([0, 1], [0.5, 0.5], strategy="equal"), r"'uniform' or 'quantile', got 'equal'"),
        (lambda: reliability_curve([0, 1, 2], np.full((3, 3), 1 / 3)), r"positive must name one of the 3 classes"),
        (lambda: brier_decomposition([0, 1], [0.5, 1.5]), r"probability must lie between 0 and 1, but row 1 is not"),
    ],
)
def test_says_what_was_wrong(call, message):
    with pytest.raises(InputError, match=message):
        call()
