import math

import pytest

from fairtrial.errors import InputError
from fairtrial.stats import curvature_test

CORNERS = {"x": [-1, 1, -1, 1, 0, 0, 0], "y": [-1, -1, 1, 1, 0, 0, 0]}


class TestCurvatureTest:
    def test_by_hand(self):
        # corners' mean 4, middle 5, 6, 7: difference −2, pure error 1 with 2 df, t = −2 / sqrt(1/4 + 1/3)
        found = curvature_test(CORNERS, [2, 3, 5, 6, 5, 6, 7])
        assert found.statistic == pytest.approx(-2 / math.sqrt(7 / 12))
        assert found.effect.estimate == pytest.approx(-2)
        assert found.df == 2
        assert found.p_value == pytest.approx(0.120115, rel=1e-4)  # R 4.2.2: 2 * pt(-2 / sqrt(7/12), 2)

    def test_runs_on_the_axes_are_left_out(self):
        more = {"x": [*CORNERS["x"], 1.4, -1.4], "y": [*CORNERS["y"], 0, 0]}
        one, other = curvature_test(CORNERS, [2, 3, 5, 6, 5, 6, 7]), curvature_test(more, [2, 3, 5, 6, 5, 6, 7, 99, 3])
        assert one.statistic == pytest.approx(other.statistic)

    def test_over_data_sets(self):
        # differences −3, −1, −2: mean −2, sd 1, t = −2 sqrt(3)
        design = {"x": [-1, 1, 0], "y": [1, -1, 0]}
        found = curvature_test(design, [[1, 1, 4], [2, 2, 3], [0, 2, 3]])
        assert found.statistic == pytest.approx(-2 * math.sqrt(3))
        split = curvature_test(design, [[1, 1, 4], [2, 2, 3], [0, 2, 3]], test_share=0.2)
        assert split.statistic == pytest.approx(-2 / math.sqrt(1 / 3 + 1 / 4))

    def test_undefined_without_repeats_or_spread(self):
        found = curvature_test({"x": [-1, 1, 0]}, [1, 2, 5])
        assert math.isnan(found.p_value)
        assert "run the middle several times" in found.notes[0]
        equal = curvature_test(CORNERS, [2, 3, 5, 6, 5, 5, 5])
        assert math.isnan(equal.p_value)
        assert "pure error is zero" in equal.notes[0]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="must have corners"):
            curvature_test({"x": [-1, 1, 0.5]}, [1, 2, 3])
        with pytest.raises(InputError, match="test_share is for a table"):
            curvature_test(CORNERS, [2, 3, 5, 6, 5, 6, 7], test_share=0.1)
