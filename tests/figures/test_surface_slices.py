"""Slices of a response surface as data; then that they are drawn."""

import sys
from pathlib import Path

import pytest

from fairtrial.errors import InputError
from fairtrial.figures import slices_data, slices_figure, surface_figure

sys.path.insert(0, str(Path(__file__).parents[1] / "experiments"))
from made_surfaces import surface_results


class TestData:
    def test_slices_go_through_the_best_point(self):
        found = surface_results().surface()
        c, gamma = slices_data(found).slices
        assert c.best == pytest.approx(found.setting["C"], rel=1e-3)
        assert max(c.heights) == pytest.approx(found.best.height.estimate, abs=1e-3)
        end = found.best.point.copy()
        end[1] = 1
        assert gamma.heights[-1] == pytest.approx(found.surface.predict(end).estimate)
        assert gamma.low[-1] < gamma.heights[-1] < gamma.high[-1]

    def test_the_band_is_that_of_the_difference_from_the_best_point(self):
        found = surface_results().surface()
        c, _ = slices_data(found).slices
        end = found.best.point.copy()
        end[0] = 1
        apart = found.surface.rows_at(end) - found.surface.rows_at(found.best.point)
        reach = 2.364624 * apart.std(ddof=1) / 8**0.5  # R 4.2.2: qt(0.975, 7)
        assert c.high[-1] - c.heights[-1] == pytest.approx(reach, rel=1e-5)
        assert reach < found.surface.predict(end).high - c.heights[-1]

    def test_logits_are_turned_back(self):
        found = surface_results().surface(scale="logit")
        c, _ = slices_data(found).slices
        assert max(c.heights) == pytest.approx(found.best.height.estimate, abs=1e-3)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"results.surface\(\)"):
            slices_data(3)


@pytest.mark.slow
def test_drawn(drawn_whole):
    found = surface_results().surface()
    texts = drawn_whole(slices_figure(slices_data(found)))
    assert any("band: 95 % interval" in text for text in texts)
    assert drawn_whole(surface_figure(found, "slices")) == texts
