import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import response_surface, steepest_path

FACE = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]


def surface(function, order=2):
    return response_surface(FACE, [function(*x) for x in FACE], order=order)


class TestSteepestPath:
    def test_of_a_plane_by_hand(self):
        # slopes 3 and 4: at distance 1 (0.6, 0.8), where the height is 5 above the middle
        path = steepest_path(surface(lambda x, y: 7 + 3 * x + 4 * y, order=1), distances=[0, 1, 2])
        assert path.points == pytest.approx(np.array([[0, 0], [0.6, 0.8], [1.2, 1.6]]))
        assert [h.estimate for h in path.heights] == pytest.approx([7, 12, 17])
        assert "extrapolated" in path.notes[0]

    def test_descent_goes_the_other_way(self):
        path = steepest_path(surface(lambda x, y: 3 * x + 4 * y, order=1), distances=[1], goal="minimum")
        assert path.points[0].tolist() == pytest.approx([-0.6, -0.8])

    def test_at_a_saddle_it_leaves_along_the_rising_direction(self):
        # x² − y² + 0.2x + y: with μ > 1, x = 0.1 / (μ − 1), y = 0.5 / (μ + 1)
        path = steepest_path(surface(lambda x, y: x**2 - y**2 + 0.2 * x + y), distances=[1])
        x, y = path.points[0]
        assert 0.1 / x + 1 == pytest.approx(0.5 / y - 1)
        assert math.hypot(x, y) == pytest.approx(1)

    def test_without_slope_along_the_ridge_both_ends_are_as_good(self):
        path = steepest_path(surface(lambda x, y: 2 * x**2 - y**2), distances=[1.0])
        assert np.abs(path.points[0]) == pytest.approx([1, 0])
        assert "opposite direction" in path.notes[0]

    def test_a_flat_surface_has_no_direction(self):
        path = steepest_path(response_surface(FACE, [4.0] * 9), distances=[0, 1])
        assert path.points[0].tolist() == [0, 0]
        assert np.isnan(path.points[1]).all()
        assert "no direction" in path.notes[0]
        assert "nan" in str(path) or "–" in str(path) or "—" in str(path)

    @settings(max_examples=12, deadline=None)
    @given(st.lists(st.integers(-20, 20), min_size=9, max_size=9), st.floats(0.1, 3))
    def test_no_point_at_that_distance_is_higher(self, values, radius):
        found = response_surface(FACE, values)
        point = steepest_path(found, distances=[radius]).points[0]
        if np.isnan(point).any():
            return
        angles = np.linspace(0, 2 * np.pi, 200)
        around = found.heights_at(radius * np.column_stack([np.cos(angles), np.sin(angles)]))
        assert found.heights_at(point[None])[0] >= around.max() - 1e-6 * (1 + np.abs(values).max())

    def test_says_what_was_wrong(self):
        plane = surface(lambda x, y: x - y, order=1)
        with pytest.raises(InputError, match="at least 0"):
            steepest_path(plane, distances=[-1])
        with pytest.raises(InputError, match="goal must be"):
            steepest_path(plane, goal="up")
        with pytest.raises(InputError, match="a fitted surface"):
            steepest_path("x")
