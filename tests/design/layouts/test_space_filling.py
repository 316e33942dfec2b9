import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from made_axes import NESTED, mixed_axes, ranges
from scipy.stats import qmc

from fairtrial.design.layouts import Axis, Halton, LatinHypercube
from fairtrial.design.layouts.space_filling import from_unit_cube


class TestLatinHypercube:
    @given(st.integers(1, 40), mixed_axes, st.integers(0, 10))
    def test_each_part_has_one_value_and_levels_come_equally_often(self, runs, axes, seed):
        rows = LatinHypercube(runs).lay_out(axes, seed).rows
        for axis, column in zip(axes, rows.T, strict=True):
            if axis.levels is None:
                assert sorted(np.floor((column + 1) / 2 * runs).astype(int)) == list(range(runs))
            else:
                counts = np.bincount(column.astype(int), minlength=axis.levels)
                assert counts.max() - counts.min() <= 1 + (runs % axis.levels != 0)

    def test_columns_are_shuffled_apart(self):
        rows = LatinHypercube(200).lay_out(ranges(4), seed=3).rows
        correlations = np.corrcoef(rows.T)[np.triu_indices(4, 1)]
        assert np.abs(correlations).max() < 0.25

    def test_fills_better_than_random_points(self):
        # scipy's measure of evenness
        rows = LatinHypercube(50).lay_out(ranges(2), seed=1).rows
        plain = np.random.RandomState(1).random_sample((50, 2))
        assert qmc.discrepancy((rows + 1) / 2) < qmc.discrepancy(plain)

    def test_nested(self):
        rows = LatinHypercube(60).lay_out(NESTED, seed=1).rows
        assert np.bincount(rows[:, 0].astype(int)).tolist() == [20, 20, 20]
        assert (~np.isnan(rows[:, 3])).sum() == 20


class TestHalton:
    def test_more_rows_keep_the_first(self):
        short, long = (Halton(n).lay_out(NESTED, seed=4).rows for n in (10, 30))
        assert np.array_equal(long[:10], short, equal_nan=True)

    def test_inside_of_the_ranges(self):
        rows = Halton(500).lay_out([*ranges(3), Axis("k", 3)], seed=1).rows
        assert np.abs(rows[:, :3]).max() <= 1
        assert set(rows[:, 3]) == {0.0, 1.0, 2.0}
        assert abs(rows[:, 0].mean()) < 0.02


def test_the_ends_of_the_cube():
    points = np.array([[0.0, 0.0], [1.0, 1.0], [0.5, 0.34]])
    assert from_unit_cube(points, [Axis("a"), Axis("b", 3)]).tolist() == [[-1, 0], [1, 2], [0, 1]]
