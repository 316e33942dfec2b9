"""Slices of a response surface as data; then that they are drawn."""

import sys
from pathlib import Path

import pytest

from fairtrial.errors import InputError
from fairtrial.figures import slices_data, slices_figure, surface_figure

sys.path.insert(0, str(Path(__file__).parents[1] / "verdict"))
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

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"results.surface\(\)"):
            slices_data(3)


@pytest.mark.slow
def test_drawn(drawn_whole):
    found = surface_results().surface()
    texts = drawn_whole(slices_figure(slices_data(found)))
    assert any("band: 95 % interval" in text for text in texts)
    assert drawn_whole(surface_figure(found, "slices")) == texts
