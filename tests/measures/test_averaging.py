"""Averages of ROC curves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.measures import AverageRoc, average_roc, roc_curve

# from (0, 0) up to (0, 1/2), right to (1/2, 1/2), up to (1/2, 1)
FIRST = roc_curve([1, 0, 1, 0], [4, 3, 2, 1])
# straight up to (0, 1)
SECOND = roc_curve([1, 1, 0, 0, 0], [3.5, 2.5, 1.5, 1, 0.5])

curves = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=2, max_size=12).filter(
    lambda rows: len({y for y, _ in rows}) == 2
)


def read(rows):
    return roc_curve(*zip(*rows, strict=True))


def at_rate(curve, fpr):
    """Fawcett 2006, TPR_FOR_FPR of algorithm 3: walk to the last point at or before the rate, then interpolate."""
    i = 0
    while i + 1 < len(curve.fpr) and curve.fpr[i + 1] <= fpr:
        i += 1
    if curve.fpr[i] == fpr or i + 1 == len(curve.fpr):
        return curve.tpr[i]
    slope = (curve.tpr[i + 1] - curve.tpr[i]) / (curve.fpr[i + 1] - curve.fpr[i])
    return curve.tpr[i] + slope * (fpr - curve.fpr[i])


def first_at(curve, tpr):
    """Point by point up to the first that is as high, then back along the line to it."""
    i = 0
    while curve.tpr[i] < tpr:
        i += 1
    if i == 0:
        return 0.0
    over = (curve.tpr[i] - tpr) / (curve.tpr[i] - curve.tpr[i - 1])
    return curve.fpr[i] - over * (curve.fpr[i] - curve.fpr[i - 1])


class TestVertical:
    def test_by_hand(self):
        average = average_roc([FIRST, SECOND], points=5)
        np.testing.assert_allclose(average.fpr, [0, 0.25, 0.5, 0.75, 1])
        np.testing.assert_allclose(average.tpr, [0.75, 0.75, 1, 1, 1])
        # of 0.5 and 1 the standard deviation is √(2 · 0.25²)
        np.testing.assert_allclose(average.tpr_deviation, [0.125**0.5, 0.125**0.5, 0, 0, 0])
        np.testing.assert_array_equal(average.fpr_deviation, np.zeros(5))
        assert np.isnan(average.thresholds).all()
        assert average.curves == 2

    def test_interval_by_hand(self):
        average = average_roc([FIRST, FIRST, SECOND], points=3)
        # 1/2, 1/2, 1: mean 2/3, s² = 1/12; t with 2 df at 0.975 is 4.302653 (qt(0.975, 2) [R 4.2.2])
        half = 4.302652729911275 * (1 / 12) ** 0.5 / 3**0.5
        low, high = average.tpr_interval()
        assert (low[0], high[0]) == pytest.approx((max(2 / 3 - half, 0), min(2 / 3 + half, 1)))
        low, high = average.tpr_interval(level=0.5)  # qt(0.75, 2) = 0.8164966
        assert low[0] == pytest.approx(2 / 3 - 0.816496580927726 / 6)
        np.testing.assert_array_equal(average.fpr_interval(), (average.fpr, average.fpr))

    @pytest.mark.slow
    @given(st.lists(curves, min_size=1, max_size=4), st.integers(2, 9))
    def test_follows_the_published_algorithm(self, rows, points):
        given_curves = [read(r) for r in rows]
        average = average_roc(given_curves, points=points)
        for x, y in zip(average.fpr, average.tpr, strict=True):
            assert y == pytest.approx(np.mean([at_rate(c, x) for c in given_curves]))

    def test_its_area_is_nearly_the_mean_area(self):
        rng = np.random.default_rng(2)
        many = [roc_curve(y, rng.normal(size=200) + y) for y in (rng.integers(0, 2, 200) for _ in range(6))]
        assert average_roc(many, points=2001).auc == pytest.approx(np.mean([c.auc for c in many]), abs=2e-3)


class TestHorizontal:
    def test_by_hand(self):
        average = average_roc([FIRST, SECOND], how="horizontal", points=5)
        np.testing.assert_allclose(average.tpr, [0, 0.25, 0.5, 0.75, 1])
        np.testing.assert_allclose(average.fpr, [0, 0, 0, 0.25, 0.25])
        np.testing.assert_allclose(average.fpr_deviation, [0, 0, 0, 0.125**0.5, 0.125**0.5])
        np.testing.assert_array_equal(average.tpr_deviation, np.zeros(5))

    @pytest.mark.slow
    @given(st.lists(curves, min_size=1, max_size=4), st.integers(2, 9))
    def test_is_where_the_curves_first_reach_the_rate(self, rows, points):
        given_curves = [read(r) for r in rows]
        average = average_roc(given_curves, how="horizontal", points=points)
        for x, y in zip(average.fpr, average.tpr, strict=True):
            assert x == pytest.approx(np.mean([first_at(c, y) for c in given_curves]))


class TestThreshold:
    def test_by_hand(self):
        average = average_roc([FIRST, SECOND], how="threshold")
        np.testing.assert_array_equal(average.thresholds, [np.inf, 4, 3.5, 3, 2.5, 2, 1.5, 1, 0.5])
        # first:  0 0 0 ½ ½ ½ ½ 1 1 and 0 ½ ½ ½ ½ 1 1 1 1; second: 0 0 0 0 0 0 ⅓ ⅔ 1 and 0 0 ½ ½ 1 1 1 1 1
        first = np.array([[0, 0, 0, 1, 1, 1, 1, 2, 2], [0, 1, 1, 1, 1, 2, 2, 2, 2]]) / 2
        second = np.array([[0, 0, 0, 0, 0, 0, 2, 4, 6], [0, 0, 3, 3, 6, 6, 6, 6, 6]]) / 6
        np.testing.assert_allclose([average.fpr, average.tpr], (first + second) / 2)
        np.testing.assert_allclose(average.tpr_deviation, np.abs(first[1] - second[1]) / 2**0.5, atol=1e-15)
        np.testing.assert_allclose(average.fpr_deviation, np.abs(first[0] - second[0]) / 2**0.5, atol=1e-15)

    @pytest.mark.slow
    @given(st.lists(curves, min_size=1, max_size=4), st.integers(2, 9))
    def test_goes_from_none_to_all(self, rows, points):
        average = average_roc([read(r) for r in rows], how="threshold", points=points)
        assert (average.fpr[0], average.tpr[0], average.fpr[-1], average.tpr[-1]) == (0, 0, 1, 1)
        assert (np.diff(average.fpr) >= 0).all()
        assert (np.diff(average.thresholds) < 0).all()
        assert len(average.fpr) <= points

    @given(curves)
    def test_of_one_curve_it_is_that_curve(self, rows):
        curve = read(rows)
        average = average_roc([curve], how="threshold")
        np.testing.assert_array_equal(average.fpr, curve.fpr)
        np.testing.assert_array_equal(average.tpr, curve.tpr)


class TestAsResult:
    def test_says_its_answer_first(self):
        average = average_roc([FIRST, SECOND], points=5)
        assert isinstance(average, AverageRoc)
        assert str(average) == "ROC curve averaged over 2 curves (vertical, 5 points): area 0.906"
        table = average.to_table()
        assert len(table.rows) == 5
        assert "not independent" in table.notes[0]
        assert average.to_dict()["curves"] == 2

    def test_one_curve_has_no_spread(self):
        average = average_roc([FIRST], points=3)
        assert np.isnan(average.tpr_deviation).all()
        assert np.isnan(average.tpr_interval()[0]).all()

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: average_roc([]), r"at least one ROC curve, got none"),
            (lambda: average_roc([FIRST, 0.7]), r"curves must be ROC curves, but number 1 is 0.7"),
            (lambda: average_roc([FIRST], how="diagonal"), r"how must be .* got 'diagonal'"),
            (lambda: average_roc([FIRST], points=1), r"points must be 2 or more, got 1"),
            (lambda: average_roc([FIRST, SECOND]).tpr_interval(level=95), r"level must lie strictly .* got 95"),
        ],
    )
    def test_says_what_was_wrong(self, call, message):
        with pytest.raises(InputError, match=message):
            call()


class TestArea:
    @pytest.mark.parametrize("how", ["vertical", "horizontal", "threshold"])
    def test_one_curve_keeps_its_area(self, how):
        rng = np.random.default_rng(3)
        truth = rng.integers(0, 2, 300)
        curve = roc_curve(truth, (truth + rng.normal(size=300)).round(1))
        assert average_roc([curve], how, points=5001).auc == pytest.approx(curve.auc, abs=0.002)

    def test_averaged_horizontally_the_curve_still_ends_at_the_corner(self):
        # SECOND reaches 1 at once, FIRST at 1/2: the mean fpr at tpr 1 is 1/4, and from there it is level
        assert average_roc([FIRST, SECOND], "horizontal", points=101).auc == pytest.approx(0.875, abs=0.01)
