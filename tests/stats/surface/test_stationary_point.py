import math

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.stats import response_surface, stationary_point

FACE = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
X1 = [-1, -1, 1, 1, 0, 0, 0, 0, 0, 1.414, -1.414, 0, 0]
X2 = [-1, 1, -1, 1, 0, 0, 0, 0, 0, 0, 0, 1.414, -1.414]
Y = [76.5, 77, 78, 79.5, 79.9, 80.3, 80, 79.7, 79.8, 78.4, 75.6, 78.5, 77]


def of(function, points=FACE):
    return stationary_point(response_surface(points, [function(*x) for x in points]))


class TestNature:
    def test_saddle_by_hand(self):
        # x² − y² − 0.4x: slopes 2x − 0.4 and −2y, height −0.04
        found = of(lambda x, y: x**2 - y**2 - 0.4 * x)
        assert found.nature == "saddle"
        assert found.point.tolist() == pytest.approx([0.2, 0])
        assert found.height.estimate == pytest.approx(-0.04)
        assert [v.estimate for v in found.eigenvalues] == pytest.approx([1, -1])

    @pytest.mark.parametrize(
        ("function", "nature"),
        [
            (lambda x, y: -(x**2) - 2 * y**2 + x * y, "maximum"),
            (lambda x, y: x**2 + 2 * y**2 + x * y, "minimum"),
            (lambda x, y: -((x - y) ** 2) + 0.1 * x, "ridge"),
            (lambda x, y: 3 + x + 2 * y, "flat"),
        ],
    )
    def test_each(self, function, nature):
        assert of(function).nature == nature

    def test_a_weak_curvature_that_may_be_zero_is_a_ridge(self):
        rng = np.random.default_rng(1)
        y = [
            [-(a**2) - 0.02 * b**2 + e for (a, b), e in zip(FACE, rng.normal(0, 0.1, 9), strict=True)] for _ in "123456"
        ]
        assert stationary_point(response_surface(FACE, y)).nature == "ridge"

    def test_flat_has_no_point(self):
        found = of(lambda x, y: 3 + x + 2 * y)
        assert math.isnan(found.point[0])
        assert math.isnan(found.height.estimate)
        assert "no single stationary point" in found.notes[0]
        assert found.to_dict()["natural"] is None

    def test_outside_of_what_was_explored(self):
        assert not of(lambda x, y: -((x - 3) ** 2) - y**2).explored
        assert of(lambda x, y: -((x - 0.5) ** 2) - y**2).explored

    def test_a_plane_is_refused(self):
        with pytest.raises(InputError, match="a plane has no stationary point"):
            stationary_point(response_surface(FACE, list(range(9)), order=1))


class TestRegion:
    def test_box_and_hunter_by_hand(self):
        # one factor: g = b + 2cx, Var g = V_bb + 4x V_bc + 4x² V_cc; in the region where g² ≤ F(1, df) Var g
        x = [-1, -1, 0, 0, 1, 1]
        surface = response_surface({"x": x}, [1.0, 1.4, 3.0, 3.3, 2.0, 2.5])
        found = stationary_point(surface)
        v = surface.covariance
        for at in (-0.3, 0.1, found.point[0], 0.8):
            g = surface.coefficients[1] + 2 * surface.coefficients[2] * at
            spread = v[1, 1] + 4 * at * v[1, 2] + 4 * at**2 * v[2, 2]
            assert found.distance([[at]])[0] == pytest.approx(g**2 / spread / 10.127964, rel=1e-6)  # R: qf(0.95, 1, 3)

    def test_over_data_sets_it_is_hotelling(self):
        rng = np.random.default_rng(3)
        y = [
            [-(a**2) - b**2 + 0.4 * a + e for (a, b), e in zip(FACE, rng.normal(0, 0.3, 9), strict=True)]
            for _ in "12345678"
        ]
        surface = response_surface(FACE, y)
        at = np.array([0.3, -0.2])
        slopes = surface.by_row @ surface.terms.slopes(at).T
        t2 = 8 * slopes.mean(axis=0) @ np.linalg.inv(np.cov(slopes.T)) @ slopes.mean(axis=0)
        limit = 2 * 7 / 6 * 5.143253  # R 4.2.2: qf(0.95, 2, 6)
        assert stationary_point(surface).distance([at])[0] == pytest.approx(t2 / limit, rel=1e-6)

    def test_the_point_itself_is_inside_and_spans_hold_it(self):
        found = stationary_point(response_surface([*zip(X1, X2, strict=True)], Y))
        assert found.holds(found.point)
        assert found.distance([found.point])[0] == pytest.approx(0, abs=1e-12)
        for name, x in zip(("x1", "x2"), found.point, strict=True):
            assert found.spans[name][0] < x < found.spans[name][1]
        assert not found.holds([-1, -1])
        assert found.open == ()

    def test_too_few_rows_have_no_region(self):
        rng = np.random.default_rng(2)
        found = stationary_point(response_surface(FACE, rng.normal(size=(2, 9))))
        assert math.isnan(found.distance([[0, 0]])[0])
        assert "no region" in found.notes[-1]
        assert found.spans == {}

    def test_a_weakly_curved_direction_leaves_the_region_open(self):
        rng = np.random.default_rng(5)
        y = np.array([-(a**2) for a, _ in FACE]) + rng.normal(0, 0.2, (8, 9))
        assert "x2" in stationary_point(response_surface(FACE, y)).open

    def test_a_tiny_region_is_found(self):
        rng = np.random.default_rng(7)
        y = np.array([-((a - 0.3) ** 2) - (b + 0.1) ** 2 for a, b in FACE]) + rng.normal(0, 1e-6, (8, 9))
        found = stationary_point(response_surface(FACE, y))
        for name, x in (("x1", 0.3), ("x2", -0.1)):
            low, high = found.spans[name]
            assert low < found.point[("x1", "x2").index(name)] < high
            assert high - low < 1e-4
            assert low == pytest.approx(x, abs=1e-4)

    def test_ends_of_the_region_lie_on_its_border(self):
        # one factor: the ends solve g² = limit · Var g
        surface = response_surface({"x": [-1, -1, 0, 0, 1, 1]}, [1.0, 1.4, 3.0, 3.3, 2.0, 2.5])
        found = stationary_point(surface)
        assert found.distance([[end] for end in found.spans["x"]]) == pytest.approx([1, 1], rel=1e-2)

    def test_prints(self):
        assert "stationary point: maximum" in str(stationary_point(response_surface([*zip(X1, X2, strict=True)], Y)))
