import itertools

import numpy as np
import pytest

from fairtrial.design.layouts.d_optimal import best_rows


def log_det(columns, chosen):
    return np.linalg.slogdet(columns[list(chosen)].T @ columns[list(chosen)])[1]


class TestBestRows:
    def test_by_hand_a_line(self):
        line = np.column_stack([np.ones(5), np.linspace(-1, 1, 5)])
        assert best_rows(line, np.ones(5), 3, 5, np.random.RandomState(0)).tolist() in ([0, 0, 4], [0, 4, 4])

    @pytest.mark.parametrize("seed", range(5))
    def test_as_good_as_all_choices(self, seed):
        columns = np.random.RandomState(seed).normal(size=(9, 3))
        found = best_rows(columns, np.ones(9), 4, 20, np.random.RandomState(seed))
        every = itertools.combinations_with_replacement(range(9), 4)
        assert log_det(columns, found) == pytest.approx(max(log_det(columns, c) for c in every))

    def test_a_quadratic_has_a_third_of_the_runs_at_each_end_and_in_the_middle(self):
        # the D-optimal design of a quadratic in one factor (Smith 1918)
        x = np.linspace(-1, 1, 21)
        columns = np.column_stack([np.ones(21), x, x**2])
        found = best_rows(columns, np.ones(21), 9, 10, np.random.RandomState(1))
        assert sorted(x[found].round(3)) == [-1] * 3 + [0] * 3 + [1] * 3

    def test_costs_are_weighed(self):
        # mean and slope: the end at 1 costs 50 times as much, so it is run less often than the other
        line = np.column_stack([np.ones(2), [-1.0, 1.0]])
        found = best_rows(line, np.array([1.0, 50.0]), 10, 5, np.random.RandomState(1))
        assert np.bincount(found).tolist() == [9, 1]

    def test_more_runs_than_candidates(self):
        line = np.column_stack([np.ones(2), [-1.0, 1.0]])
        assert np.bincount(best_rows(line, np.ones(2), 8, 3, np.random.RandomState(1))).tolist() == [4, 4]
