"""What the data functions of figures check."""

from __future__ import annotations

import pytest

from fairtrial.errors import InputError
from fairtrial.figures.drawing.inputs import axis_limits, check_intervals, far_off, number_grid, number_row, some_names


class TestAxisLimits:
    @pytest.mark.parametrize("values", [[0.0, 5e-324], [1.0, 1.0 + 2**-52], [7.0], [-3.0, -3.0], []])
    def test_never_empty(self, values):
        low, high = axis_limits(values)
        assert all(low < value < high for value in values)
        assert low < high

    def test_log_of_nothing_positive(self):
        assert axis_limits([-1.0, 0.0], log=True) == (0.5, 2.0)


class TestChecks:
    def test_names(self):
        assert some_names("methods", [1, "b"]) == ("1", "b")
        with pytest.raises(InputError, match="methods must have at least 2 entries, got 1"):
            some_names("methods", ["a"], least=2)

    def test_grids_and_rows(self):
        assert number_grid("means", [[1, 2], [3, 4]], (2, 2)) == ((1.0, 2.0), (3.0, 4.0))
        with pytest.raises(InputError, match=r"means must have 2 rows of 3 numbers, got shape \(2, 2\)"):
            number_grid("means", [[1, 2], [3, 4]], (2, 3))
        assert number_row("ranks", [1, 2], 2) == (1.0, 2.0)
        with pytest.raises(InputError, match=r"ranks must be 3 numbers, got shape \(2,\)"):
            number_row("ranks", [1, 2], 3)

    def test_intervals(self):
        check_intervals([0.1, float("nan")], [0.1, 0.2])
        with pytest.raises(InputError, match=r"low must not lie above high, got low 0.2 and high 0.1"):
            check_intervals([0.2], [0.1])


class TestFarOff:
    def test_more_than_twice_as_long_an_axis(self):
        assert far_off([0.0], [1.0, 1.5])
        assert not far_off([0.6], [1.0, 1.5])
        assert not far_off([1], [10, 100], log=True)
        assert far_off([1e-6], [10, 100], log=True)
