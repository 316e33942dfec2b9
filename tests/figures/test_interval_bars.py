"""Intervals that go on beyond the edge."""

import math

import pytest

from fairtrial.figures.drawing.fitting import draw_bar, leaves
from fairtrial.figures.drawing.style import fitted_figure

BOX = ((0.0, 2.0), (0.0, 1.0))


class TestLeaves:
    def test_by_hand(self):
        assert leaves((0.5, 0.2, 1.5, 0.2), BOX) == []
        assert leaves((-1.0, 0.2, 3.0, 0.2), BOX) == [(0.0, 0.2, "<"), (2.0, 0.2, ">")]
        assert leaves((1.0, -math.inf, 1.0, 2.0), BOX) == [(1.0, 0.0, "v"), (1.0, 1.0, "^")]


@pytest.mark.parametrize("upside_down", [False, True])
def test_the_line_ends_at_the_edge(upside_down):
    def draw(ax):
        ax.set(xlim=(0, 2), ylim=(1, 0) if upside_down else (0, 1))
        draw_bar((-5.0, 0.5, 1.0, 0.5), ax, "black")

    line, arrow = fitted_figure(1.0, 1.0, draw).axes[0].lines
    assert line.get_xdata().tolist() == [0.0, 1.0]
    assert line.get_ydata().tolist() == [0.5, 0.5]
    assert (arrow.get_marker(), arrow.get_xdata()) == ("<", [0.0])
