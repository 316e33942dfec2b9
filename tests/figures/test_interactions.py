"""Interaction plots as data; then that they are drawn."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.figures import interaction_strength, interactions_data, interactions_figure, interactions_view

GRID = [{"kernel": k, "rate": r} for r, k in itertools.product((0.1, 0.3), ("a", "b", "c"))]
SCORES = [[1.0, 2, 3, 2, 3, 7], [3.0, 4, 5, 4, 5, 9]]


class TestStrength:
    def test_by_hand(self):
        # cells 0 1 / 0 4: the interaction is (4 − 0 − 1 + 0) / 4 in each cell
        assert interaction_strength([[0, 1], [0, 4]]) == pytest.approx(0.75)
        assert interaction_strength([[0, 1, np.nan], [2, 3, 9]]) == pytest.approx(0)
        assert np.isnan(interaction_strength([[np.nan]]))

    @given(st.lists(st.floats(-10, 10), min_size=3, max_size=3), st.lists(st.floats(-10, 10), min_size=2, max_size=2))
    def test_sums_have_none(self, rows, columns):
        assert interaction_strength(np.add.outer(rows, columns)) == pytest.approx(0, abs=1e-9)


class TestData:
    def test_by_hand(self):
        (panel,) = interactions_data(GRID, SCORES, active=["kernel × rate"]).panels
        assert (panel.heading, panel.x_label, panel.lines_are) == ("kernel × rate", "kernel", "rate")
        assert panel.star
        assert panel.texts == ("a", "b", "c")
        assert [(line.name, line.means) for line in panel.lines] == [("0.1", (2, 3, 4)), ("0.3", (3, 4, 8))]

    def test_the_factor_with_fewer_levels_makes_the_lines(self):
        turned = [{"rate": s["rate"], "kernel": s["kernel"]} for s in GRID]
        (panel,) = interactions_data(turned, SCORES, active=["kernel × rate"]).panels
        assert (panel.heading, panel.x_label, panel.lines_are) == ("rate × kernel", "kernel", "rate")
        assert panel.star

    def test_up_to_four_factors_have_all_pairs(self):
        settings = [dict(zip("abcd", levels, strict=True)) for levels in itertools.product((0, 1), repeat=4)]
        assert len(interactions_data(settings, [np.arange(16.0)]).panels) == 6

    def test_of_more_the_strongest_four_are_drawn(self):
        settings = [dict(zip("abcde", levels, strict=True)) for levels in itertools.product((0, 1), repeat=5)]
        scores = [4.0 * s["d"] * s["e"] + 3 * s["a"] * s["c"] + 2 * s["b"] * s["e"] + s["a"] * s["b"] for s in settings]
        data = interactions_data(settings, [scores])
        assert [panel.heading for panel in data.panels] == ["d × e", "a × c", "b × e", "a × b"]
        assert "not drawn: 6 pairs with weaker interactions" in data.remarks

    def test_nested_pairs_are_left_out(self):
        settings = [
            {"model": m, **own, "scaling": s}
            for s in (0, 1)
            for m, own in (("svm", {"C": 1}), ("svm", {"C": 9}), ("tree", {"depth": 1}), ("tree", {"depth": 9}))
        ]
        data = interactions_data(settings, [np.arange(8.0)])
        assert [panel.heading for panel in data.panels] == ["model × scaling", "C × scaling", "scaling × depth"]
        assert "left out: 3 pairs of nested factors, or with too many levels" in data.remarks

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="interactions need two factors that vary, got 1"):
            interactions_data([{"a": 1}, {"a": 2}], [[1.0, 2.0]])
        rng = np.random.default_rng(0)
        scattered = [{"a": rng.random(), "b": rng.random()} for _ in range(9)]
        with pytest.raises(InputError, match="no two factors occur together at two levels each"):
            interactions_data(scattered, [np.arange(9.0)])


class TestDrawing:
    @pytest.mark.parametrize("name", ["a{}", "step_{} & <a long name of a parameter of a step of a pipeline>_% $x$ 80"])
    @pytest.mark.parametrize("k", [2, 3, 6])
    def test_all_is_inside(self, k, name, drawn_whole):
        names = [name.format(i) for i in range(k)]
        settings = [
            dict(zip(names, c, strict=True)) for c in itertools.product(("low & so on", "high level"), repeat=k)
        ]
        data = interactions_data(settings, np.random.default_rng(0).random((3, len(settings))), label="accuracy")
        assert "accuracy" in drawn_whole(interactions_figure(data))
        assert len(data.panels) == {2: 1, 3: 3, 6: 4}[k]

    def test_of_results(self, stand_in, drawn_whole):
        shown = drawn_whole(interactions_view(stand_in()).figure)
        assert {"depth × rate *", "rate", "0.1", "0.3"} <= set(shown)
