"""The variation of a difference over data sets."""

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.stats import equivalent_over_datasets, new_dataset_range, wilcoxon

RNG = np.random.default_rng


class TestNewDatasetRange:
    def test_by_hand(self):
        values = [3.0, *range(10, 27), 40.0]  # 19 values: the first and the last
        found = new_dataset_range(values)
        assert (found.low, found.high, found.estimate, found.method) == (3.0, 40.0, 18.0, "order statistics")

    def test_few_data_sets_against_the_formula(self):
        # mean 4, variance 38/3, and the 95 % point of t with 3 degrees of freedom is 2.353363 in every table
        found, reach = new_dataset_range([1, 4, 2, 9]), 2.353363 * np.sqrt(38 / 3 * 5 / 4)
        assert (found.low, found.high) == (pytest.approx(4 - reach, abs=1e-4), pytest.approx(4 + reach, abs=1e-4))
        assert "4 data sets are fewer than the 19" in found.notes[0]

    def test_bounds_cut_off_what_the_measure_does_not_allow(self):
        found = new_dataset_range([0.1, 0.9, 0.8], bounds=(-1, 1))
        assert (found.low, found.high) == (pytest.approx(0.6 - 2.919986 * np.sqrt(0.19 * 4 / 3), abs=1e-4), 1)

    @pytest.mark.parametrize("n", [19, 30, 39, 60])
    def test_holds_the_next_value_as_often_as_it_says(self, n):
        draws = RNG(n).standard_t(2, (4000, n + 1))
        found = [row[-1] in new_dataset_range(row[:-1]) for row in draws]
        assert np.mean(found) >= 0.9 - 3 * np.sqrt(0.09 / 4000)

    def test_one_value_has_no_range(self):
        assert np.isnan(new_dataset_range([0.3]).low)


class TestEquivalentOverDatasets:
    def test_by_hand(self):
        # 8 of 8 inside: 0.05 ** (1/8) = 0.6877 > 2/3, and (2/3) ** 8 = 0.039
        d = np.array([1, -2, 3, -4, 2, -1, 4, -3]) / 1000
        found = equivalent_over_datasets(0.8 + d, np.full(8, 0.8), margin=0.01)
        assert found.details["conclusion"] == "equivalent"
        assert found.p_value == pytest.approx((2 / 3) ** 8)
        assert found.details["inside_at_least"] == pytest.approx(0.05 ** (1 / 8))

    def test_seven_data_sets_are_too_few(self):
        found = equivalent_over_datasets(np.full(7, 0.801), np.full(7, 0.8), margin=0.01)
        assert found.details["conclusion"] == "equal on average; on single data sets open"

    @pytest.mark.parametrize("n", [40, 100])
    def test_half_up_and_half_down_is_not_equivalent(self, n):
        # A is better by .05 on half of the data sets and worse by .05 on the others
        d = np.where(np.arange(n) % 2, 0.05, -0.05) + RNG(n).normal(0, 0.002, n)
        found = equivalent_over_datasets(0.8 + d, np.full(n, 0.8), margin=0.01)
        assert found.details["conclusion"] != "equivalent"
        assert found.p_value == pytest.approx(1.0)
        assert (found.details["above"], found.details["below"]) == (n // 2, n // 2)

    def test_a_typical_difference_beyond_the_margin_is_not_shown_to_be_inside(self):
        found = equivalent_over_datasets(np.full(20, 0.82) + RNG(0).normal(0, 0.001, 20), np.full(20, 0.8), margin=0.01)
        assert found.details["conclusion"] == "not shown"

    def test_a_difference_of_the_margin_is_not_inside_whatever_binary_says(self):
        # 0.76 - 0.75 is a little more than 0.01 in binary, 0.06 - 0.05 a little less
        for first, second in ((0.76, 0.75), (0.06, 0.05)):
            found = equivalent_over_datasets([first] * 9, [second] * 9, margin=0.01)
            assert (found.details["inside"], found.details["above"]) == (0, 9)

    def test_the_effect_is_the_interval_of_two_one_sided_tests(self):
        a, b = RNG(3).normal(0, 0.01, (2, 15))
        found = equivalent_over_datasets(a, b, margin=0.01)
        assert found.effect == wilcoxon(a, b, level=0.9).effect

    @pytest.mark.slow
    @pytest.mark.parametrize("n", [20, 40])
    def test_errors_at_the_border(self, n):
        # two thirds inside: at most 5 %; all inside with a standard deviation of .3 margins: nearly always found
        def share(sd):
            d = RNG(n).normal(0, sd, (400, n))
            return np.mean([equivalent_over_datasets(row, np.zeros(n), margin=1.0).p_value < 0.05 for row in d])

        assert share(1 / 0.967422) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)
        assert share(0.3) >= 0.98

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="margin must be above 0"):
            equivalent_over_datasets([1, 2], [1, 2], margin=0)
        with pytest.raises(InputError, match="share must lie strictly between 0 and 1"):
            equivalent_over_datasets([1, 2], [1, 2], margin=1, share=1)
