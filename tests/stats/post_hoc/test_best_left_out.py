"""The best methods and tests of means without each data set, against making them again."""

from __future__ import annotations

import numpy as np
import pytest

from fairtrial.stats import best_set, paired_t
from fairtrial.stats.post_hoc.left_out import best_without_each, mean_tests_without_each

RNG = np.random.default_rng


def again(table, estimand):
    """The methods that may be best, found anew without each row."""
    sets = (best_set(np.delete(table, i, axis=0), estimand=estimand) for i in range(len(table)))
    return np.array([[name in found.members for name in found.names] for found in sets])


@pytest.mark.parametrize("estimand", ["typical", "mean"])
class TestBestWithoutEach:
    def test_few_data_sets_exactly(self, estimand):
        table = RNG(0).normal([0, 0.3, 1, 1.2], 1, (9, 4))
        found = best_set(table, estimand=estimand)
        assert (best_without_each(table, found, estimand=estimand) == again(table, estimand)).all()

    @pytest.mark.slow
    def test_many_data_sets_nearly(self, estimand):
        cells = [
            best_without_each(table, best_set(table, estimand=estimand), estimand=estimand) == again(table, estimand)
            for table in (RNG(seed).normal([0, 0.3, 0.5, 0.6], 1, (25, 4)) for seed in range(4))
        ]
        assert np.mean(cells) >= 0.97

    def test_lower_may_be_better(self, estimand):
        table = RNG(2).normal([0, 2, 4], 1, (20, 3))
        found = best_set(table, higher_is_better=False, estimand=estimand)
        stays = best_without_each(table, found, higher_is_better=False, estimand=estimand)
        assert stays.all(axis=0).tolist() == [True, False, False]

    def test_one_data_set_that_decides(self, estimand):
        # the second is beaten on every data set but the last, where it is far ahead
        table = np.column_stack([np.arange(20.0) + 1, np.arange(20.0)])
        table[-1, 1] = 90
        found = best_set(table, estimand=estimand)
        stays = best_without_each(table, found, estimand=estimand)
        assert stays[:, 0].all()
        assert not stays[-1, 1]
        assert stays[:-1, 1].all() == (estimand == "mean")


class TestMeanTestsWithoutEach:
    def test_against_the_t_test_itself(self):
        d = np.array([3, 1, -2, 9, 4, 4, 0])
        means, p = mean_tests_without_each(d)
        for i in range(len(d)):
            rest = np.delete(d, i)
            assert p[i] == pytest.approx(paired_t(rest, np.zeros(6)).p_value, rel=1e-9)
            assert means[i] == pytest.approx(rest.mean())

    def test_no_variance(self):
        _, p = mean_tests_without_each(np.array([0, 0, 5, 0]))
        assert p[2] == 1.0
        _, p = mean_tests_without_each(np.array([2, 2, 5, 2]))
        assert np.isnan(p[2])
        assert not np.isnan(p[[0, 1, 3]]).any()

    def test_large_and_nearly_equal_values_keep_their_digits(self):
        d = 10**9 + np.array([1, 2, 3, 4, 9])
        expected = [paired_t(np.delete(d, i).astype(float), np.zeros(4)).p_value for i in range(5)]
        assert mean_tests_without_each(d)[1] == pytest.approx(expected, rel=1e-4)
