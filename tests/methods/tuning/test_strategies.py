"""Search strategies: how many configurations, which ones, in which order, and on how many rows."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import qmc
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import ParameterGrid
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.methods.tuning.inner_resampling import InnerSplits, Rows, inner_splits
from fairtrial.methods.tuning.space import as_space, budget_of, configurations, rungs, with_fewer_rows
from fairtrial.resampling import KFold, derive_seed

CANCER = load_breast_cancer(return_X_y=True)


def five_folds(y, task: str, seed: int = 3) -> InnerSplits:
    return inner_splits(KFold(5), Rows("data", y, task), seed)


class TestHalving:
    def test_the_schedule_by_hand(self):
        # 455 training rows in each of five folds of 569: 9 configurations on 455 // 3 = 151, then 3 on all
        X, y = CANCER
        seen = []

        class Spy(GaussianNB):
            def fit(self, X, y):
                seen.append((self.var_smoothing, len(y), np.mean(y)))
                return super().fit(X, y)

        space = {"var_smoothing": [10.0**-e for e in range(9)]}
        found = ft.tuned(Spy(), space, search="halving").fit(X, y, splits=five_folds(y, "classes"))
        assert len(seen) == found.fits_ == 9 * 5 + 3 * 5 + 1
        assert {n for _, n, _ in seen[:45]} == {151}
        assert {n for _, n, _ in seen[45:60]} <= {455, 456}
        assert all(abs(share - y.mean()) < 0.01 for _, _, share in seen[:45])
        last = {v for v, _, _ in seen[45:60]}
        assert found.best_params_["var_smoothing"] in last
        # the three that went on are the best of the first rung, and they come first
        assert {t.parameters["var_smoothing"] for t in found.tried_[:3]} == last
        assert [t.rows for t in found.tried_] == [455] * 3 + [151] * 6

    def test_smaller_training_sets_are_part_of_larger_ones_and_the_same_for_all(self):
        _, y = CANCER
        pairs = five_folds(y, "classes").pairs
        classes = np.unique(y)
        small, large = with_fewer_rows(pairs, y, 50, classes), with_fewer_rows(pairs, y, 150, classes)
        for (few, test), (many, same), (all_rows, _) in zip(small, large, pairs, strict=True):
            assert len(few) == 50
            assert set(few) < set(many) < set(all_rows)
            assert (test == same).all()
        again = with_fewer_rows(pairs, y, 50, classes)
        assert all((a == b).all() for (a, _), (b, _) in zip(small, again, strict=True))


class TestBudget:
    GRID = {"a": [1, 2], "b": [1, 2, 3]}  # noqa: RUF012

    def test_a_grid_is_searched_as_a_whole(self):
        assert budget_of("grid", self.GRID, None) == 6
        assert budget_of("grid", self.GRID, 10) == 6
        with pytest.raises(InputError, match="6 configurations and budget is 5; use search='random'"):
            budget_of("grid", self.GRID, 5)
        with pytest.raises(InputError, match="use search='halton' where there are bounds"):
            budget_of("grid", as_space({"a": {"low": 0, "high": 1}}), None)

    def test_others_have_30_where_it_is_open(self):
        bounds = as_space({"a": {"low": 0, "high": 1}})
        assert [budget_of(s, bounds, None) for s in ("random", "halton", "halving")] == [30, 30, 30]
        assert [budget_of(s, self.GRID, None) for s in ("random", "halton", "halving")] == [6, 6, 6]
        assert budget_of("random", self.GRID, 4) == 4

    @pytest.mark.parametrize("budget", [0, -1, 2.5, True, "3"])
    def test_says_what_was_wrong(self, budget):
        with pytest.raises(InputError, match="budget must be a whole number"):
            budget_of("random", self.GRID, budget)


class TestConfigurations:
    def test_a_grid_is_in_the_order_of_scikit_learn(self):
        space = as_space({"b": [3, 1], "a": ["x", "y", "z"]})
        assert configurations("grid", space, 6, 1) == list(ParameterGrid(space))

    def test_halton_is_that_of_scipy(self):
        space = as_space({"x": {"low": 0, "high": 1}, "y": {"low": 10, "high": 20}})
        points = qmc.Halton(2, scramble=True, seed=np.random.default_rng(derive_seed(7, "halton"))).random(25)
        found = configurations("halton", space, 25, 7)
        np.testing.assert_allclose([[c["x"], c["y"]] for c in found], points * [1, 10] + [0, 10])

    def test_halton_is_more_even_than_random(self):
        space = as_space({"x": {"low": 0, "high": 1}, "y": {"low": 0, "high": 1}})
        uneven = {
            search: np.mean(
                [
                    qmc.discrepancy([list(c.values()) for c in configurations(search, space, 30, seed)])
                    for seed in range(20)
                ]
            )
            for search in ("random", "halton")
        }
        assert uneven["halton"] < 0.5 * uneven["random"]

    def test_random_is_uniform_over_each_parameter(self):
        space = as_space({"x": {"low": 0, "high": 1}, "k": ["a", "b"]})
        found = configurations("random", space, 2000, 3)
        assert stats.kstest([c["x"] for c in found], "uniform").pvalue > 0.01
        assert 900 < sum(c["k"] == "a" for c in found) < 1100

    @given(st.sampled_from(["random", "halton", "halving"]), st.integers(1, 12), st.integers(0, 99))
    def test_all_are_different_and_depend_on_the_seed_alone(self, search, budget, seed):
        space = as_space({"k": {"low": 1, "high": 5, "whole": True}, "b": [True, False], "c": ["x"]})
        found = configurations(search, space, budget, seed)
        assert found == configurations(search, space, budget, seed)
        assert len({tuple(c.values()) for c in found}) == len(found) == min(budget, 10)

    def test_a_space_with_fewer_than_the_budget_ends(self):
        found = configurations("halton", as_space({"k": {"low": 1, "high": 3, "whole": True}}), 30, 1)
        assert sorted(c["k"] for c in found) == [1, 2, 3]

    def test_values_need_not_be_comparable(self):
        one, two = object(), [1, 2]
        found = configurations("random", as_space({"a": [one, two], "b": [1, 2, 3]}), 4, 1)
        assert all(c["a"] is one or c["a"] is two for c in found)


class TestRungs:
    def test_by_hand(self):
        # 27 configurations and 810 rows: three rungs, 810 / 9 = 90 and 810 / 3 = 270 rows before all
        assert rungs(27, 810, 20) == [(27, 90), (9, 270), (3, 810)]
        # 30 need a fourth rung: 30, ⌈30 / 3⌉ = 10, ⌈10 / 3⌉ = 4, ⌈4 / 3⌉ = 2
        assert rungs(30, 810, 20) == [(30, 30), (10, 90), (4, 270), (2, 810)]
        # with at least 60 rows there is no room for it
        assert rungs(30, 810, 60) == [(30, 90), (10, 270), (4, 810)]
        assert rungs(3, 810, 20) == [(3, 810)]
        assert rungs(1, 5, 20) == [(1, 5)]

    @given(st.integers(1, 500), st.integers(1, 10**5), st.integers(1, 100))
    def test_ends_with_all_rows(self, budget, rows, fewest):
        made = rungs(budget, rows, fewest)
        assert made[0][0] == budget
        assert made[-1][1] == rows
        assert all(size >= fewest for _, size in made[:-1])
        assert all(b == -(-a // 3) for (a, _), (b, _) in itertools.pairwise(made))
