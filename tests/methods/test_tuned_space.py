"""What is searched, and which configurations come of it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import qmc
from sklearn.model_selection import ParameterGrid

from fairtrial.errors import InputError, UnknownName
from fairtrial.methods.tuning.space import Choice, Drawn, Range, as_space, dimension
from fairtrial.methods.tuning.strategies import budget_of, configurations, rungs
from fairtrial.resampling import derive_seed

shares = st.floats(0, 1, exclude_max=True)


class TestDimensions:
    def test_a_list_by_hand(self):
        three = Choice(("a", "b", "c"))
        assert [three.value(three.place(u)) for u in (0, 0.33, 0.34, 0.67, 0.9999)] == ["a", "a", "b", "c", "c"]

    def test_bounds_by_hand(self):
        assert Range(2, 6).place(0.25) == 3
        assert Range(0.01, 100, log=True).place(0.75) == pytest.approx(10)
        assert [Range(1, 3, whole=True).place(u) for u in (0, 0.3, 0.4, 0.7, 0.999)] == [1, 1, 2, 3, 3]
        # on the log scale 1 to 9 are cut at log 2 / log 10 = 0.301, log 3 / log 10 = 0.477, …
        assert [Range(1, 9, log=True, whole=True).place(u) for u in (0.3, 0.31, 0.47, 0.48)] == [1, 2, 2, 3]

    @given(shares, st.booleans(), st.booleans())
    def test_bounds_are_kept(self, share, log, whole):
        found = Range(2, 7, log=log, whole=whole).place(share)
        assert 2 <= found <= 7
        assert isinstance(found, int) or not whole

    @given(st.floats(0.001, 0.999))
    def test_a_distribution_is_that_of_scipy(self, share):
        frozen = stats.beta(2, b=5)
        made = dimension(as_space({"p": frozen})["p"])
        assert made.place(share) == pytest.approx(frozen.ppf(share))

    def test_a_discrete_distribution_gives_whole_numbers_from_its_lowest(self):
        made = dimension(as_space({"k": stats.randint(3, 6)})["k"])
        assert [made.place(u) for u in (0, 0.3, 0.5, 0.9)] == [3, 3, 4, 5]  # scipy: ppf(0) = 2, outside the support
        assert isinstance(made.place(0.5), int)


class TestAsSpace:
    def test_is_plain_data_and_stays_the_same_when_read_again(self):
        plain = as_space({"k": stats.randint(3, 6), "C": {"low": 1, "high": 2}, "kernel": np.array(["rbf", "linear"])})
        assert plain == {
            "C": {"low": 1, "high": 2, "log": False, "whole": False},
            "k": {"distribution": "randint", "args": [3, 6]},
            "kernel": ["rbf", "linear"],
        }
        assert list(plain) == ["C", "k", "kernel"]
        assert as_space(plain) == plain

    @pytest.mark.parametrize(
        ("space", "said"),
        [
            ({}, "space must map parameters"),
            ([{"C": [1]}], "space must map parameters"),
            ({"C": []}, "space of 'C': values must be at least one"),
            ({"C": 1.0}, "space of 'C': values must be a list, bounds"),
            ({"C": "rbf"}, "values must be a list"),
            ({"C": {"low": 1}}, "bounds must have low and high"),
            ({"C": {"low": 1, "hihg": 2}}, "did you mean 'high'"),
            ({"C": {"low": 2, "high": 1}}, "low must be below high"),
            ({"C": {"low": 0, "high": 1, "log": True}}, "above 0 on a log scale"),
            ({"C": {"low": 0.5, "high": 2, "whole": True}}, "must be whole"),
            ({"C": {"low": "1", "high": 2}}, "low must be a number"),
            ({"C": {"low": 1, "high": 2, "log": "yes"}}, "space of 'C': log must be True or False, got 'yes'"),
            ({"C": {"low": 1, "high": 2, "whole": 1}}, "whole must be True or False, got 1"),
            ({"C": {"distribution": "beta", "args": 3}}, "args must be a list of numbers, got 3"),
            ({"C": {"distribution": "beta", "args": "23"}}, "args must be a list of numbers, got '23'"),
            ({"C": {"distribution": "beta", "args": ["a", 1]}}, "can't be made"),
            ({"C": {"distribution": 3}}, "distribution must be a name such as 'beta', got 3"),
            ({"C": {"distribution": "betaa"}}, "did you mean 'beta'"),
            ({"C": {"distribution": "beta", "args": [1]}}, "can't be made"),
            ({"C": {"distribution": "beta", "args": [-1, 1]}}, "no such arguments"),
        ],
    )
    def test_says_what_was_wrong(self, space, said):
        with pytest.raises(InputError, match=said):
            as_space(space)


def test_a_value_that_is_there_twice_is_tried_once():
    space = as_space({"k": [1, 1, 5, 1], "c": [1, 1.0, True], "w": [None, None, [1, 2], [1, 2]]})
    assert space == {"k": [1, 5], "c": [1, 1.0, True], "w": [None, [1, 2]]}
    assert [type(v) for v in space["c"]] == [int, float, bool]
    assert budget_of("grid", space, None) == 2 * 3 * 2


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


def test_an_unknown_distribution_is_named():
    with pytest.raises(UnknownName, match="loguniform"):
        Drawn("log_uniform")
