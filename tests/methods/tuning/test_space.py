"""A space: what is tried of each parameter, as plain data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairtrial.errors import InputError, UnknownName
from fairtrial.methods.tuning.space import Choice, Drawn, Range, as_space, budget_of, dimension

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


def test_an_unknown_distribution_is_named():
    with pytest.raises(UnknownName, match="loguniform"):
        Drawn("log_uniform")
