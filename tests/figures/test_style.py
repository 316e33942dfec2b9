"""What all figures share."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.figures.drawing.style import (
    MARKERS,
    PALETTE,
    fitted_figure,
    mark_style,
    short_names,
    shorten,
    size_in_inches,
    value_axis_label,
)


class TestNames:
    def test_long_names_are_cut(self):
        assert shorten("x" * 30) == "x" * 30
        assert shorten("x" * 31) == "x" * 29 + "…"

    @given(st.lists(st.text("abc ", max_size=60), max_size=8))
    def test_unequal_names_never_look_equal(self, names):
        texts = short_names(names)
        for (name, text), (other, other_text) in combinations(zip(names, texts, strict=True), 2):
            assert (text == other_text) == (name.split() == other.split())

    def test_names_that_differ_at_the_end_are_cut_in_the_middle(self):
        assert short_names(["x" * 40 + "1", "x" * 40 + "2"]) == ["x" * 15 + "…" + "x" * 13 + d for d in "12"]

    def test_seventy_methods_can_be_told_apart(self):
        assert len({mark_style(i) for i in range(len(PALETTE) * len(MARKERS))}) == 70


class TestFittedFigure:
    def test_the_axes_keep_their_size_and_what_stands_outside_has_room(self):
        figure = fitted_figure(2.0, 1.0, lambda ax: value_axis_label(ax, "a label that is longer than two inches" * 2))
        (ax,) = figure.axes
        assert size_in_inches(ax) == pytest.approx((2.0, 1.0))
        assert figure.get_size_inches()[0] > 3.0

    def test_label_and_remark(self):
        figure = fitted_figure(2.0, 1.0, lambda ax: value_axis_label(ax, "accuracy", "lines: intervals"))
        assert [text.get_text() for text in figure.axes[0].texts] == ["accuracy", "lines: intervals"]
        alone = fitted_figure(2.0, 1.0, lambda ax: value_axis_label(ax, "accuracy"))
        assert [text.get_text() for text in alone.axes[0].texts] == ["accuracy"]
