"""How a cost grows with size."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import growth

SIZES = [100, 200, 400, 800, 1600, 3200]
COSTS = [0.0031, 0.0049, 0.0101, 0.0224, 0.0432, 0.1011]

amounts = st.floats(1e-6, 1e6)
measured = st.lists(st.tuples(st.integers(1, 10**6), amounts), min_size=4, max_size=30).filter(
    lambda rows: len({n for n, _ in rows}) >= 3
)


class TestGrowth:
    def test_by_hand(self):
        # logs to the base 2: x = 0, 1, 2 and y = 0, 2, 1; slope Σ(x−1)(y−1) / Σ(x−1)² = 1/2, intercept 1/2;
        # residuals −1/2, 1, −1/2: s² = 1.5 / 1; standard error √(1.5 / 2); t(0.975, 1) = 12.7062
        found = growth([1, 2, 4], [1, 4, 2])
        assert found.exponent.estimate == pytest.approx(0.5)
        assert found.factor == pytest.approx(2**0.5)
        assert found.spread == pytest.approx(math.sqrt(1.5) * math.log(2))
        assert found.exponent.high == pytest.approx(0.5 + 12.7062047 * math.sqrt(0.75))
        assert found.last == pytest.approx(-1)

    def test_against_r(self):
        # R 4.2.2: f <- lm(log(y) ~ log(x)); coef(f); confint(f); confint(f, level = 0.9); summary(f)$sigma
        found = growth(SIZES, COSTS)
        assert found.exponent.estimate == pytest.approx(1.02018660774375, rel=1e-12)
        assert found.exponent.low == pytest.approx(0.912146175926421, rel=1e-12)
        assert found.exponent.high == pytest.approx(1.12822703956108, rel=1e-12)
        assert math.log(found.factor) == pytest.approx(-10.61970618601575, rel=1e-12)
        assert found.spread == pytest.approx(0.112834447191481, rel=1e-12)
        at_90 = growth(SIZES, COSTS, level=0.9).exponent
        assert (at_90.low, at_90.high) == pytest.approx((0.937229575050425, 1.10314364043708), rel=1e-12)

    def test_a_prediction_against_r(self):
        # R 4.2.2: exp(predict(f, data.frame(x = 50000), interval = "prediction"))
        found = growth(SIZES, COSTS).at(50_000)
        expected = (1.51966014113033, 0.841776267650187, 2.74344506169892)
        assert (found.estimate, found.low, found.high) == pytest.approx(expected, rel=1e-12)
        assert "16 times the largest" in found.notes[0]
        assert growth(SIZES, COSTS).at(1000).notes == ()

    def test_repeated_measurements_are_no_further_sizes(self):
        once, often = growth(SIZES, COSTS), growth(SIZES * 50, COSTS * 50)
        assert often.exponent == once.exponent
        assert (once.n, often.n) == (6, 300)

    def test_the_middle_of_several_measurements(self):
        # of 1, 2, 50 the 2; of 8, 2 the geometric mean 4, whatever the unit
        found = growth([1, 1, 1, 2, 2], [1, 50, 2, 8, 2])
        assert found.costs == pytest.approx((2, 4))

    def test_a_constant_cost_bends_the_line(self):
        # R 4.2.2: summary(lm(log(y) ~ log(x) + I(log(x)^2))): p = 0.0023 for the quadratic term; for COSTS 0.089
        bent = growth(SIZES, [0.00302, 0.00396, 0.00604, 0.00992, 0.01832, 0.03400])
        assert bent.exponent.high == pytest.approx(0.841601061665619)
        assert bent.last == pytest.approx(math.log2(0.034 / 0.01832))
        (note,) = bent.notes
        assert note.startswith(
            "the log-log line bends upwards: between the two largest sizes the exponent is 0.89, and"
        )
        assert "cost more than the line predicts; a constant cost" in note
        assert growth(SIZES, COSTS).notes == ()
        assert growth(SIZES, COSTS, level=0.9).notes  # 0.089 < 0.1

    def test_bent_downwards(self):
        saturating = np.array([n / (n + 400) for n in SIZES])
        (note,) = growth(SIZES, saturating * [1.01, 0.99, 1, 1.01, 0.99, 1]).notes
        assert "bends downwards" in note
        assert "cost less than the line predicts" in note

    def test_a_bend_that_changes_little_is_not_worth_a_word(self):
        # log n has exponents of 0.17 to 0.12: clearly bent, and all of them small
        assert growth(SIZES, np.log(SIZES) * [1.001, 0.999, 1, 1.001, 0.999, 1]).notes == ()

    def test_covers_the_true_exponent(self):
        # 5 sizes, 3 measurements each, 20 % noise: 95 % of 600 intervals, give or take three standard errors
        rng = np.random.default_rng(1)
        sizes = np.repeat([50, 100, 200, 400, 800], 3)
        costs = 1e-4 * sizes**1.5 * np.exp(0.2 * rng.normal(size=(600, 15)))
        share = np.mean([1.5 in growth(sizes, row).exponent for row in costs])
        assert abs(share - 0.95) < 3 * math.sqrt(0.95 * 0.05 / 600)

    @given(measured, amounts)
    def test_the_unit_of_the_cost_does_not_matter(self, rows, unit):
        sizes, costs = map(np.array, zip(*rows, strict=True))
        first, second = growth(sizes, costs), growth(sizes, costs * unit)
        assert second.exponent.estimate == pytest.approx(first.exponent.estimate, rel=1e-6, abs=1e-8)
        assert second.factor == pytest.approx(first.factor * unit, rel=1e-5)

    @given(measured, st.sampled_from([1e-3, 12.0, 1e3]))
    def test_the_unit_of_the_size_does_not_matter(self, rows, unit):
        sizes, costs = map(np.array, zip(*rows, strict=True))
        first, second = growth(sizes, costs), growth(sizes * unit, costs)
        assert second.exponent.estimate == pytest.approx(first.exponent.estimate, rel=1e-6, abs=1e-8)
        assert second.spread == pytest.approx(first.spread, rel=1e-6, abs=1e-9)

    @given(measured, st.randoms(use_true_random=False))
    def test_the_order_does_not_matter(self, rows, random):
        mixed = list(rows)
        random.shuffle(mixed)
        assert growth(*zip(*mixed, strict=True)) == growth(*zip(*rows, strict=True))

    @given(measured)
    def test_the_inverse_cost_falls_as_fast(self, rows):
        sizes, costs = map(np.array, zip(*rows, strict=True))
        first, second = growth(sizes, costs).exponent, growth(sizes, 1 / costs).exponent
        assert (second.estimate, second.low) == pytest.approx((-first.estimate, -first.high), rel=1e-6, abs=1e-8)

    def test_less_than_can_be_measured(self):
        # one 0 of three counts as the smallest; where most are 0 the size says nothing of how much
        found = growth([1, 1, 1, 2, 2, 2, 4, 8], [0, 0, 5, 0, 3, 4, 6, 12])
        assert found.sizes == (2, 4, 8)
        assert found.costs == (3, 6, 12)
        assert found.notes[0] == "size 1 left out: half or more of the costs there are 0 (too small to be measured)"

    def test_more_than_was_waited_for(self):
        found = growth([1, 2, 4, 8, 8, 16, 16, 16], [1, 2, 4, 8, np.inf, 16, 17, np.inf])
        assert found.sizes == (1, 2, 4, 16)
        assert found.costs[-1] == 17
        assert found.notes[0] == "size 8 left out: half or more of the costs there are infinite (a limit was reached)"

    def test_two_sizes_have_no_interval(self):
        found = growth([10, 100], [1, 100])
        assert found.exponent.estimate == pytest.approx(2)
        assert math.isnan(found.exponent.low)
        assert "two sizes always lie on a line" in found.notes[0]
        assert found.at(1000).estimate == pytest.approx(10_000)
        assert math.isnan(found.at(1000).high)

    @pytest.mark.parametrize("costs", [[0, 0], [0, 5]])
    def test_less_than_two_sizes_have_nothing(self, costs):
        found = growth([10, 100], costs)
        assert math.isnan(found.exponent.estimate)
        assert math.isnan(found.last)
        assert math.isnan(found.at(50).estimate)
        assert "needs at least two sizes" in found.notes[-1]
        assert "–" in str(found)

    def test_on_the_line(self):
        found = growth([1, 2, 4, 8], [3, 3, 3, 3])
        assert found.exponent.estimate == 0
        assert found.notes == (
            "all sizes lie on the line (residual sd 0), so that the interval reflects rounding only",
        )
        assert growth([10, 20, 40, 80], [100, 400, 1600, 6400]).notes[0].startswith("all sizes lie on the line")

    @pytest.mark.parametrize(
        ("sizes", "costs", "message"),
        [
            ([5, 5, 5], [1, 2, 3], r"sizes must hold at least two different sizes, got only 5$"),
            ([], [], "sizes must hold at least two different sizes, got none"),
            (["a", "b"], [1, 2], "sizes and costs must be lists of numbers, but numpy says: could not convert string"),
            ([1, 2], [[1], [2, 3]], "sizes and costs must be lists of numbers"),
            ([1, 2], [1, 2, 3], r"lists of equal length, got shapes \(2,\) and \(3,\)"),
            ([0, 2], [1, 2], r"sizes must be finite and above 0, but 1 of 2 entries is not \(index 0\)"),
            ([1, math.inf], [1, 2], r"sizes must be finite and above 0, but 1 of 2 entries is not \(index 1\)"),
            (
                [1, 2, 3],
                [1, math.nan, -2],
                r"costs must be numbers of at least 0, but 2 of 3 entries are not \(indices 1 and 2\)",
            ),
        ],
    )
    def test_says_what_was_wrong(self, sizes, costs, message):
        with pytest.raises(InputError, match=message):
            growth(sizes, costs)

    def test_says_what_was_wrong_with_level_and_size(self):
        with pytest.raises(InputError, match="level must lie"):
            growth([1, 2], [1, 2], level=95)
        with pytest.raises(InputError, match="size must be a finite number above 0, got 0"):
            growth([1, 2], [1, 2]).at(0)
        for strange in ("x", None, True, math.nan):
            with pytest.raises(InputError, match="size must be a finite number above 0"):
                growth([1, 2], [1, 2]).at(strange)

    def test_travels_and_prints(self):
        found = growth(SIZES, COSTS)
        assert pickle.loads(pickle.dumps(found)) == found
        assert json.loads(json.dumps(found.to_dict()))["exponent"]["low"] == found.exponent.low
        text = found.to_table().to_text().splitlines()
        assert text[0] == "cost grows with the power 1.02 of the size [0.91, 1.13] (t, over 6 sizes)"
        assert text[2].split() == ["100", "0.003100", "0.002681"]
