import numpy as np
import pytest

from fairtrial.stats.surface.surface_anova import anova_of_units, anova_of_values, same_points
from fairtrial.stats.surface.surface_terms import SurfaceTerms

LINE = SurfaceTerms(("x",), 1)


class TestSamePoints:
    def test_by_hand(self):
        found = same_points(np.array([[0.0, 1], [1, 1], [0, 1 + 1e-12]]))
        assert found.tolist() == [[1, 0], [0, 1], [1, 0]]


class TestOfValues:
    def test_lack_of_fit_by_hand(self):
        # means 1, 4, 1 at −1, 0, 1, each ± 1: the plane is flat at 2; lack of fit 2 · (1 + 4 + 1), pure error 6
        x = np.array([[-1.0], [-1], [0], [0], [1], [1]])
        found = anova_of_values(LINE, x, np.array([0.0, 2, 3, 5, 0, 2]), None)
        assert found["lack of fit"].squares == pytest.approx(12)
        assert found["pure error"].squares == pytest.approx(6)
        assert found["lack of fit"].f == pytest.approx(12 / (6 / 3))

    def test_without_repeats_it_is_not_tested(self):
        found = anova_of_values(LINE, np.array([[-1.0], [0], [1]]), np.array([0.0, 3, 0]), None)
        assert "no setting is repeated" in found.notes[0]
        assert not found["lack of fit"].error


class TestOfUnits:
    def test_names_of_splits(self):
        table = np.array([[0.0, 3, 0], [0, 1, 1]])
        found = anova_of_units(LINE, np.array([[-1.0], [0], [1]]), table, ratio=0.25, unit="splits")
        assert [source.name for source in found.sources] == [
            "splits",
            "first order",
            "first order × splits",
            "lack of fit",
            "lack of fit × splits",
        ]
        plain = anova_of_units(LINE, np.array([[-1.0], [0], [1]]), table, ratio=0.0, unit="data sets")
        assert plain["lack of fit"].f == pytest.approx(1.5 * found["lack of fit"].f)
        assert plain["lack of fit"].p_value < found["lack of fit"].p_value

    def test_as_many_coefficients_as_settings(self):
        found = anova_of_units(LINE, np.array([[-1.0], [1]]), np.array([[0.0, 3], [0, 1]]), ratio=0.0, unit="data sets")
        assert "can't be seen" in found.notes[0]
