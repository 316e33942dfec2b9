"""Reliability curves as data; then that they draw."""

import numpy as np
import pytest
from scipy.stats import binomtest  # 1.17
from sklearn.calibration import calibration_curve

from fairtrial.errors import InputError
from fairtrial.figures import reliability_data, reliability_figure
from fairtrial.measures import reliability_curve

TRUTH, PROBABILITIES = [0, 0, 1, 0, 1, 1, 1], [0.1, 0.3, 0.35, 0.6, 0.7, 0.8, 0.9]


class TestReliabilityData:
    def test_by_hand(self):
        # below ½: mean 0.25, 1 of 3 came; above: mean 0.75, 3 of 4
        (forest,) = reliability_data({"forest": reliability_curve(TRUTH, PROBABILITIES, bins=2)}).curves
        assert np.array(forest.line) == pytest.approx(np.array([(0.25, 1 / 3), (0.75, 0.75)]))
        assert forest.marks == forest.line
        assert np.array(forest.bins) == pytest.approx(np.array([(0, 0.5, 3 / 7), (0.5, 1, 4 / 7)]))
        assert forest.number == "0.036"  # 3/7 · 1/12

    def test_points_and_intervals_of_others(self):
        rng = np.random.default_rng(2)
        p = rng.random(300)
        truth = rng.random(300) < p**2
        data = reliability_data({"m": reliability_curve(truth, p)}, level=0.9)
        observed, predicted = calibration_curve(truth, p, n_bins=10)
        assert np.array(data.curves[0].line) == pytest.approx(np.column_stack([predicted, observed]))
        groups = np.ceil(p * 10).astype(int) - 1
        came, n = np.bincount(groups, truth), np.bincount(groups)
        tests = [binomtest(int(k), int(m)).proportion_ci(0.9, method="wilson") for k, m in zip(came, n, strict=True)]
        low, high = zip(*tests, strict=True)
        assert np.array(data.curves[0].bars) == pytest.approx(np.column_stack([predicted, low, predicted, high]))
        assert data.remarks == ("bars: 90 % intervals (Wilson)",)

    def test_no_intervals_with_fractional_weights(self):
        weighted = reliability_curve(TRUTH, PROBABILITIES, bins=2, weights=[0.5] * 6 + [1])
        data = reliability_data({"m": weighted})
        assert data.curves[0].bars == ()
        assert data.remarks == ()

    def test_unequal_bins_become_sticks(self):
        curve = reliability_curve([0, 0, 0, 1, 0, 1], [0, 0, 0, 0.2, 0.5, 0.9], bins=3, strategy="quantile")
        (drawn,) = reliability_data({"m": curve}).curves
        assert [low for low, _, _ in drawn.bins] == [high for _, high, _ in drawn.bins] == curve.predicted.tolist()
        assert sum(share for _, _, share in drawn.bins) == pytest.approx(1)

    def test_nothing_weighed_still_draws(self):
        curve = reliability_curve(TRUTH, PROBABILITIES, weights=[0] * 7)
        data = reliability_data({"m": curve})
        assert (data.curves[0].line, data.curves[0].bins, data.curves[0].number) == ((), (), "–")
        assert reliability_figure({"m": curve}).axes

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="level must lie strictly between 0 and 1"):
            reliability_data({"m": reliability_curve(TRUTH, PROBABILITIES)}, level=95)
        with pytest.raises(InputError, match="ReliabilityCurve, but 'm' is a list"):
            reliability_data({"m": []})

    @pytest.mark.slow
    @pytest.mark.parametrize("k", [1, 9])
    def test_draws_inside(self, k):
        curve = reliability_curve(TRUTH, PROBABILITIES)
        figure = reliability_figure({f"method {i}": curve for i in range(k)})
        box = figure.axes[0].get_tightbbox()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height
