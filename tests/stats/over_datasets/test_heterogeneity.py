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

    def test_few_data_sets_have_the_whole_range_and_its_level(self):
        found = new_dataset_range([1, 4, 2, 9])
        assert (found.low, found.high, found.level, found.method) == (1, 9, 3 / 5, "order statistics")
        assert found.notes == (
            "from the smallest to the largest of 4 values, which is a range of 60 %; 90 % needs 19 data sets",
        )
        assert new_dataset_range([1, 2], level=0.99).notes[0].endswith("a range of 33.3 %; 99 % needs 199 data sets")

    @pytest.mark.parametrize("n", [2, 7, 18, 19, 30, 39, 60])
    def test_holds_the_next_value_as_often_as_it_says(self, n):
        draws = RNG(n).standard_t(2, (4000, n + 1))
        ranges = [new_dataset_range(row[:-1]) for row in draws]
        found = np.mean([row[-1] in new for row, new in zip(draws, ranges, strict=True)])
        assert found >= ranges[0].level - 3 * np.sqrt(0.25 / 4000)
        assert ranges[0].level == pytest.approx(min(0.9, (n - 1) / (n + 1)))

    def test_no_value_is_left_out(self):
        found = new_dataset_range([0.0, 0.01, 0.02, 0.01, -0.9])
        assert (found.low, found.high) == (-0.9, 0.02)

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
