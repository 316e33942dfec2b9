"""Measures of predicted distributions of a number."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.measures import compute, crps, get, mae, nlpd

TRUTH, MEAN, STD = [3, -0.5, 2, 7, 4.2], [2.5, 0, 2, 8, 4], [0.5, 1, 0.2, 2, 1.5]
WEIGHTS = [1, 2, 0.5, 3, 1]

numbers = st.floats(-100, 100)
deviations = st.floats(0.01, 100)
instances = st.lists(st.tuples(numbers, numbers, deviations), min_size=1, max_size=10)


class TestNlpd:
    def test_by_hand(self):
        # deviations 1 and 1/e: ½ ln 2π, less 1 for the second; residuals 2 and 1/e: 4/2 and 1/2
        expected = np.log(2 * np.pi) / 2 + (2 + 0.5 - 1) / 2
        assert nlpd([2, 0], [0, 1 / np.e], [1, 1 / np.e]) == pytest.approx(expected)

    def test_against_r(self):
        # [R 4.2.2] l <- -dnorm(y, m, s, log = TRUE); mean(l); weighted.mean(l, w)
        assert nlpd(TRUTH, MEAN, STD) == pytest.approx(0.8299217501172633, rel=1e-12)
        assert nlpd(TRUTH, MEAN, STD, weights=WEIGHTS) == pytest.approx(1.201729120124658, rel=1e-12)

    @given(instances, st.floats(0.1, 10))
    def test_a_factor_adds_its_logarithm(self, instances, factor):
        truth, mean, std = map(np.array, zip(*instances, strict=True))
        scaled = nlpd(factor * truth, factor * mean, factor * std)
        assert scaled == pytest.approx(nlpd(truth, mean, std) + np.log(factor), rel=1e-9, abs=1e-9)

    @given(st.lists(numbers, min_size=2, max_size=10), numbers, deviations)
    def test_honest_means_and_deviations_score_best(self, truth, mean, std):
        if np.std(truth) > 0.01:
            n = len(truth)
            honest = nlpd(truth, np.full(n, np.mean(truth)), np.full(n, np.std(truth)))
            assert honest <= nlpd(truth, np.full(n, mean), np.full(n, std)) + 1e-9

    def test_undefined_where_a_deviation_is_zero(self):
        assert np.isnan(nlpd([1, 2], [1, 2], [1, 0]))
        assert nlpd([1, 2], [1, 2], [1, 0], weights=[2, 0]) == pytest.approx(np.log(2 * np.pi) / 2)
        channels = {"value": [0, 0, 0], "std": [1, 0, 1]}
        found = compute(["nlpd"], truth=[0, 0, 0], channels=channels, folds=[0, 1, 3])["nlpd"]
        np.testing.assert_array_equal(np.isnan(found), [False, True, True, False])

    def test_has_no_lowest_value(self):
        assert get("nlpd").best == -np.inf
        assert not get("nlpd").higher_is_better
        assert nlpd([1], [1], [1e-200]) == pytest.approx(np.log(2 * np.pi) / 2 - 200 * np.log(10))


class TestCrps:
    def test_by_hand(self):
        # at the mean: σ (2 φ(0) − 1/√π) = σ (√2 − 1) / √π
        assert crps([5, 5], [5, 5], [1, 3]) == pytest.approx(2 * (np.sqrt(2) - 1) / np.sqrt(np.pi))

    def test_against_the_integral(self):
        # [R 4.2.2] integrate(function(x) pnorm(x, m, s)^2, -Inf, y, rel.tol = 1e-13)$value
        #   + integrate(function(x) (1 - pnorm(x, m, s))^2, y, Inf, rel.tol = 1e-13)$value, then mean and weighted.mean
        assert crps(TRUTH, MEAN, STD) == pytest.approx(0.3406670924029324, rel=1e-12)
        assert crps(TRUTH, MEAN, STD, weights=WEIGHTS) == pytest.approx(0.4449311494084573, rel=1e-12)

    @given(instances, st.floats(0.1, 10))
    def test_is_in_the_unit_of_the_target(self, instances, factor):
        truth, mean, std = map(np.array, zip(*instances, strict=True))
        assert crps(factor * truth, factor * mean, factor * std) == pytest.approx(factor * crps(truth, mean, std))

    @given(instances)
    def test_lies_between_that_of_a_hit_and_the_absolute_error_above_it(self, instances):
        truth, mean, std = map(np.array, zip(*instances, strict=True))
        least = np.mean(std) * (np.sqrt(2) - 1) / np.sqrt(np.pi)
        assert least * (1 - 1e-9) <= crps(truth, mean, std) <= mae(truth, mean) + least * (1 + 1e-9)

    @given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=10))
    def test_of_a_point_is_the_absolute_error(self, pairs):
        truth, mean = map(np.array, zip(*pairs, strict=True))
        assert crps(truth, mean, np.zeros(len(truth))) == mae(truth, mean)
        assert crps(truth, mean, np.full(len(truth), 1e-12)) == pytest.approx(mae(truth, mean), abs=1e-11)


def test_numbers_beyond_the_range_are_infinite_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert nlpd([1e300], [-1e300], [1e-300]) == np.inf
        assert nlpd([1e200], [0], [1]) == np.inf
        assert crps([1e300], [-1e300], [1e-300]) == 2e300
        assert crps([1.7e308], [-1.7e308], [1]) == np.inf


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: nlpd([1, 2], [1, 2], [1, -1]), r"std must not be negative, but row 1 is"),
        (lambda: crps([1, 2], [1, 2], [1]), r"truth and std must be of one length, got 2 and 1"),
        (lambda: nlpd([1, 2], [1, 2], [1, np.nan]), r"std must be finite, but row 1 is not"),
        (lambda: nlpd([1, 2], [1, 2], [1, np.inf]), r"std must be finite, but row 1 is not"),
        (lambda: crps([1], [1], [[1]]), r"truth and std must be one number per instance"),
    ],
)
def test_says_what_was_wrong(call, message):
    with pytest.raises(InputError, match=message):
        call()
