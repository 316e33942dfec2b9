import numpy as np
import pytest

from fairtrial.stats.surface.surface_terms import SurfaceTerms


class TestSurfaceTerms:
    def test_columns_by_hand(self):
        terms = SurfaceTerms(("a", "b", "c"), 2)
        assert terms.columns(np.array([2.0, 3.0, 5.0])).tolist() == [[1, 2, 3, 5, 6, 10, 15, 4, 9, 25]]
        assert terms.labels[4:7] == ("a × b", "a × c", "b × c")

    def test_slopes_are_derivatives(self):
        terms = SurfaceTerms(("a", "b", "c"), 2)
        rng = np.random.default_rng(1)
        found, x = rng.normal(size=10), rng.normal(size=3)
        steps = [terms.columns(x + h)[0] @ found - terms.columns(x - h)[0] @ found for h in 1e-6 * np.eye(3)]
        assert terms.slopes(x) @ found == pytest.approx(np.array(steps) / 2e-6, rel=1e-5)
        assert terms.first(found) + 2 * terms.second(found) @ x == pytest.approx(terms.slopes(x) @ found)

    def test_a_plane_has_no_second_order(self):
        terms = SurfaceTerms(("a", "b"), 1)
        assert terms.labels == ("middle", "a", "b")
        assert not terms.second(np.array([1.0, 2.0, 3.0])).any()
        assert [name for name, _ in terms.groups()] == ["first order"]
