"""Contours of a response surface as data; then that they are drawn."""

import sys
from pathlib import Path

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.figures import contour_data, contour_figure

sys.path.insert(0, str(Path(__file__).parents[1] / "experiments"))
from made_surfaces import slope, surface_results


class TestData:
    def test_heights_are_those_of_the_surface(self):
        found = surface_results().surface()
        (panel,) = contour_data(found).panels
        assert panel.names == ("C", "gamma")
        assert panel.log == (True, True)
        assert (panel.x[0], panel.x[-1]) == (pytest.approx(0.1), pytest.approx(1000))
        assert panel.heights[0][-1] == pytest.approx(found.surface.heights_at([[1, -1]])[0])  # row: small gamma
        assert len(panel.runs) == 9
        assert (10, pytest.approx(0.01)) in [(pytest.approx(x), y) for x, y in panel.runs]
        assert panel.best[1] == pytest.approx(found.setting["gamma"], rel=1e-3)

    def test_the_region_is_at_most_one_inside(self):
        found = surface_results().surface()
        (panel,) = contour_data(found).panels
        inside = np.array(panel.region) <= 1
        assert inside.any()
        assert not inside.all()

    def test_a_plane_has_no_region(self):
        data = contour_data(surface_results(slope).surface(order=1))
        assert data.panels[0].region == ()
        assert "at the border" in data.remarks[0]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"results.surface\(\)"):
            contour_data("surface")


@pytest.mark.slow
class TestDrawn:
    def test_all_is_inside(self, drawn_whole):
        texts = drawn_whole(contour_figure(contour_data(surface_results().surface())))
        assert any("circles: settings that were run" in text for text in texts)

    def test_from_results(self, drawn_whole):
        texts = drawn_whole(surface_results().figure("contour", size="column"))
        assert any("gamma" in text for text in texts)

    def test_black_numbers_can_be_read_on_the_darkest_blue(self):
        figure = contour_figure(contour_data(surface_results().surface()))
        (panel,) = figure.axes[0].child_axes
        filled = max(panel.collections, key=lambda part: len(part.get_facecolor()))
        red, green, blue = (np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
                            for c in filled.get_facecolor()[:, :3].T)  # fmt: skip
        luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        assert ((luminance.min() + 0.05) / 0.05) > 4.5  # WCAG's contrast of text
