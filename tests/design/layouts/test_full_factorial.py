import math

import numpy as np
import pytest
from hypothesis import given
from made_axes import NESTED, mixed_axes, ranges

from fairtrial.design.layouts import Axis, FullFactorial
from fairtrial.design.layouts.fractional import every_combination, units_of
from fairtrial.errors import InputError


class TestByHand:
    def test_the_first_factor_changes_fastest(self):
        rows = FullFactorial().lay_out([Axis("rate"), Axis("kernel", 3)], seed=1).rows
        assert rows.tolist() == [[-1, 0], [1, 0], [-1, 1], [1, 1], [-1, 2], [1, 2]]

    def test_levels_of_ranges(self):
        assert FullFactorial(levels=3).lay_out(ranges(1), seed=1).rows.ravel().tolist() == [-1, 0, 1]

    def test_center_points(self):
        rows = FullFactorial(center=2).lay_out(ranges(2), seed=1).rows
        assert rows[4:].tolist() == [[0, 0], [0, 0]]
        with pytest.raises(InputError, match="center points layout needs factors with a range"):
            FullFactorial(center=1).lay_out([Axis("k", 2)], seed=1)

    def test_one_level(self):
        assert FullFactorial().lay_out([Axis("k", 1), Axis("b", 2)], seed=1).rows.tolist() == [[0, 0], [0, 1]]


class TestNested:
    def test_union_of_what_exists(self):
        # svm: C at 2 ends; trees: 4 depths; boosting: 4 depths × 2 ends of rate; each with 2 scalings
        rows = FullFactorial().lay_out(NESTED, seed=1).rows
        assert len(rows) == (2 + 4 + 4 * 2) * 2
        assert [int((rows[:, 0] == model).sum()) for model in range(3)] == [4, 8, 16]
        assert len({tuple(map(str, row)) for row in rows}) == len(rows)

    def test_nested_in_nested(self):
        axes = [Axis("a", 2), Axis("b", 2, {"a": frozenset({1})}), Axis("c", 3, {"b": frozenset({0})})]
        assert len(FullFactorial().lay_out(axes, seed=1).rows) == 1 + (3 + 1)

    def test_nested_in_two(self):
        axes = [Axis("a", 2), Axis("b", 2), Axis("c", 3, {"a": frozenset({1}), "b": frozenset({1})})]
        assert len(FullFactorial().lay_out(axes, seed=1).rows) == 3 + 3


@given(mixed_axes)
def test_every_combination_once(axes):
    rows = FullFactorial(levels=3).lay_out(axes, seed=1).rows
    assert len(rows) == math.prod(axis.levels or 3 for axis in axes)
    assert len(np.unique(rows, axis=0)) == len(rows)


def test_too_many():
    with pytest.raises(InputError, match=r"of these 21 factors has more than 1,000,000 rows; fractional factorial"):
        FullFactorial().lay_out([Axis(f"f{i}") for i in range(21)], seed=1)
    with pytest.raises(InputError, match="more than 3 rows"):
        every_combination(ranges(2), 2, most=3)


def test_units():
    assert units_of(Axis("a"), 5).tolist() == [-1, -0.5, 0, 0.5, 1]
    assert units_of(Axis("a", 3), 5).tolist() == [0, 1, 2]
