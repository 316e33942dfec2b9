import numpy as np
import pytest
from made_axes import NESTED

from fairtrial.design.layouts import Axis
from fairtrial.design.layouts.layout import (
    can_coexist,
    check_axes,
    check_ranges,
    check_two_levels,
    existing,
    from_signs,
    in_order,
    without_absent,
)
from fairtrial.errors import InputError


class TestNesting:
    def test_parents_come_first(self):
        axes = [Axis("c", None, {"b": frozenset({0})}), Axis("b", 2, {"a": frozenset({1})}), Axis("a", 2)]
        assert in_order(axes) == [2, 1, 0]

    def test_absent_parents_make_children_absent(self):
        axes = [Axis("c", None, {"b": frozenset({0})}), Axis("b", 2, {"a": frozenset({1})}), Axis("a", 2)]
        rows = np.array([[0.5, 0, 0], [0.5, 0, 1], [0.5, 1, 1]])
        found = without_absent(rows, axes)
        assert np.array_equal(np.isnan(found), [[True, True, False], [False, False, False], [True, False, False]])
        assert list(existing(axes[0], axes, found)) == [False, True, False]

    @pytest.mark.parametrize(
        ("axes", "says"),
        [
            ([Axis("a", 2, {"b": frozenset({0})})], "nested in 'b', but there is no such factor"),
            ([Axis("a", 2, {"b": frozenset({0})}), Axis("b")], "must have listed levels, but is a range"),
            ([Axis("a", 2, {"b": frozenset({2})}), Axis("b", 2)], r"levels 0 to 1 of 'b', got \[2\]"),
            ([Axis("a", 2, {"b": frozenset()}), Axis("b", 2)], r"got \[\]"),
            (
                [Axis("a", 2, {"b": frozenset({0})}), Axis("b", 2, {"a": frozenset({0})})],
                "must not be nested in each other, but 'a' and 'b' are",
            ),
            ([Axis("a", 0)], "number of levels of 'a' must be a whole number from 1"),
        ],
    )
    def test_impossible_axes(self, axes, says):
        with pytest.raises(InputError, match=says):
            check_axes(axes, "full factorial")

    def test_coexistence(self):
        by_name = {axis.name: axis for axis in NESTED}
        assert can_coexist(by_name["depth"], by_name["rate"], NESTED)
        assert not can_coexist(by_name["C"], by_name["rate"], NESTED)
        assert not can_coexist(by_name["C"], by_name["depth"], NESTED)


class TestLevels:
    def test_two_levels(self):
        check_two_levels([Axis("a"), Axis("b", 2)], "x")
        with pytest.raises(InputError, match=r"exactly 2 levels, but 'b' has 3; full factorial and D-optimal"):
            check_two_levels([Axis("a"), Axis("b", 3)], "x")

    def test_ranges(self):
        with pytest.raises(InputError, match="needs factors with a range, but 'b' have listed levels"):
            check_ranges([Axis("a"), Axis("b", 2)], "x")

    def test_signs_become_units(self):
        signs = np.array([[-1.0, -1.0], [1.0, 1.0]])
        assert from_signs(signs, [Axis("a"), Axis("b", 2)]).tolist() == [[-1, 0], [1, 1]]
