import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import best_on_surface, response_surface

FACE = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]


def best(function, points=FACE, **options):
    return best_on_surface(response_surface(points, [function(*x) for x in points]), **options)


class TestBestOnSurface:
    def test_inside_by_hand(self):
        found = best(lambda x, y: 5 - (x - 0.5) ** 2 - 3 * (y + 0.2) ** 2)
        assert found.point.tolist() == pytest.approx([0.5, -0.2], abs=1e-5)
        assert found.height.estimate == pytest.approx(5)
        assert found.inside

    def test_at_the_border(self):
        # highest at x = 2, which was not explored: the border x = 1, and there y = 0.25
        found = best(lambda x, y: -((x - 2) ** 2) - (y - 0.25) ** 2)
        assert found.point.tolist() == pytest.approx([1, 0.25], abs=1e-5)
        assert (found.border, found.inside) == ({"x1": 1}, False)
        assert found.point[0] == 1
        low = best(lambda x, y: -((x + 2) ** 2) - (y - 0.25) ** 2)
        assert (low.border, low.point[0]) == ({"x1": -1}, -1)

    def test_at_the_largest_distance(self):
        # settings on a circle: its corners were not explored
        circle = [(0, 0), (0, 0.5), *((np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 8, endpoint=False))]
        found = best(lambda x, y: x + y - 0.1 * x**2, circle)
        assert np.linalg.norm(found.point) == pytest.approx(1, abs=1e-5)
        assert (found.far, found.inside) == (True, False)

    def test_minimum_and_the_worst_row(self):
        values = [[(x - 0.5) ** 2 + y**2 + c * x for x, y in FACE] for c in (-0.2, 0.2, 0.0)]
        found = best_on_surface(response_surface(FACE, values), goal="minimum")
        assert found.point.tolist() == pytest.approx([0.5, 0], abs=1e-5)
        assert found.by_row.tolist() == pytest.approx([-0.1, 0.1, 0], abs=1e-5)
        assert found.worst == 1

    def test_without_rows_there_is_no_worst(self):
        assert best(lambda x, y: x + y).worst is None

    @settings(max_examples=12, deadline=None)
    @given(st.lists(st.integers(-20, 20), min_size=9, max_size=9))
    def test_no_point_between_the_settings_is_higher(self, values):
        surface = response_surface(FACE, values)
        grid = np.array([(a, b) for a in np.linspace(-1, 1, 41) for b in np.linspace(-1, 1, 41)])
        assert best_on_surface(surface).height.estimate >= surface.heights_at(grid).max() - 1e-6

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="goal must be"):
            best(lambda x, y: x - y, goal="highest")
