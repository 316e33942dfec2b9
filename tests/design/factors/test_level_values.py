"""Levels: what they may be, how they are written, and how they are found again."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.design.factors.method_factor import are_numbers, as_level, as_role, find_level, is_level, level_text
from fairtrial.errors import InputError

LEVELS = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**6), 10**6), st.floats(allow_nan=False, allow_infinity=False), st.text()
)


class TestLevels:
    @pytest.mark.parametrize(
        ("level", "is_one"),
        [(1, True), (0.5, True), ("svm", True), (None, True), (False, True), (math.nan, False), (math.inf, False),
         ((1,), False), (object(), False)],
    )  # fmt: skip
    def test_what_can_be_one(self, level, is_one):
        assert is_level(level) is is_one

    def test_truth_values_are_no_numbers(self):
        assert are_numbers((1, 0.5))
        assert not are_numbers((1, True))
        assert not are_numbers((1, None))

    def test_values_of_numpy_become_plain(self):
        assert [type(as_level(v)) for v in (np.int64(3), np.float64(0.5), np.bool_(True), "a")] == [
            int, float, bool, str,
        ]  # fmt: skip

    def test_role(self):
        assert as_role("x", "uncontrollable") == "uncontrollable"
        with pytest.raises(InputError, match="role of x must be 'controllable' or 'uncontrollable', got 'block'"):
            as_role("x", "block")


class TestFindLevel:
    @given(st.lists(LEVELS, min_size=1, max_size=6, unique_by=level_text), st.data())
    def test_each_is_found_by_itself_and_by_its_text(self, levels, data):
        level = data.draw(st.sampled_from(levels))
        assert find_level(levels, level) == (level,)
        assert find_level(levels, level_text(level)) == (level,)

    def test_none_is_not_nothing(self):
        assert find_level((3, None), None) == (None,)
        assert find_level((3, 6), None) == ()
        assert find_level((3, 6), [3]) == ()

    def test_one_and_true_differ(self):
        assert find_level((1, 2), True) == ()
