"""The half-normal plot as data; then that it is drawn without overlapping names."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import halfnorm

from fairtrial.figures import half_normal_data, half_normal_figure, half_normal_view
from fairtrial.stats import effects_over_datasets, lenth

FILTRATION = {
    "A": 21.625, "B": 3.125, "C": 9.875, "D": 14.625, "AB": 0.125, "AC": -18.125, "AD": 16.625, "BC": 2.375,
    "BD": -0.375, "CD": -1.125, "ABC": 1.875, "ABD": 4.125, "ACD": -1.625, "BCD": -2.625, "ABCD": 1.375,
}  # fmt: skip
FOUND = lenth(list(FILTRATION.values()), names=list(FILTRATION))


def crowd(m=60, name="f{} × an extraordinarily long name"):
    sizes = np.concatenate([np.linspace(0.05, 0.01, 25), np.linspace(0.0001, 0.002, m - 25)])
    return lenth(sizes * np.where(np.arange(m) % 3, 1, -1), names=[name.format(i) for i in range(m)])


class TestData:
    def test_montgomerys_filtration_rate(self):
        data = half_normal_data(FOUND)
        last = data.points[-1]
        assert (last.name, last.size, last.raises) == ("A", 21.625, True)
        assert [p.name for p in data.points if p.active] == ["D", "AD", "AC", "A"]
        assert [p.label for p in data.points if p.label] == ["C", "D", "AD", "AC", "A"]  # C is beyond ME only
        assert data.error == pytest.approx(2.625)
        assert data.margins == (FOUND.margin, FOUND.joint_margin)
        assert not next(p for p in data.points if p.name == "AC").raises

    def test_quantiles_are_those_of_the_half_normal_distribution(self):
        ranks = (np.arange(15) + 0.5) / 15
        assert [p.quantile for p in half_normal_data(FOUND).points] == pytest.approx(halfnorm.ppf(ranks).tolist())
        assert sorted(FOUND.quantiles) == pytest.approx([p.quantile for p in half_normal_data(FOUND).points])

    def test_effects_over_data_sets_have_no_lines(self):
        found = effects_over_datasets([[0.02 + i / 1000, (-1) ** i * 0.01] for i in range(8)], names=["a", "b"])
        data = half_normal_data(found)
        assert np.isnan([data.error, *data.margins]).all()
        assert data.remarks[0].startswith("filled: its interval over data sets excludes 0")
        assert [p.label for p in data.points] == ["", "a"]

    def test_an_error_of_zero(self):
        data = half_normal_data(lenth([1.0, 0.0, 0.0, 0.0, 2.0]))
        assert np.isnan(data.error)
        assert any("pseudo standard error is 0" in text for text in data.remarks)
        assert not any(p.label for p in data.points)

    def test_effects_without_an_estimate(self):
        found = effects_over_datasets([[0.02 + i / 1000, 0.01] for i in range(8)], names=["a", "b"])
        gone = replace(found.intervals[1], estimate=float("nan"))
        data = half_normal_data(replace(found, intervals=(found.intervals[0], gone)))
        assert [p.name for p in data.points] == ["a"]
        assert data.points[0].quantile == pytest.approx(halfnorm.ppf(0.5))
        assert data.remarks[-1] == "not estimated: b"

    @pytest.mark.slow
    @given(st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=12))
    def test_both_coordinates_ascend(self, effects):
        points = half_normal_data(lenth(effects)).points
        assert all(a.size <= b.size and a.quantile < b.quantile for a, b in itertools.pairwise(points))


def overlapping(figure) -> list[tuple[str, str]]:
    figure.draw_without_rendering()
    boxes = [(t.get_text(), t.get_window_extent()) for t in figure.axes[0].texts if "\n" not in t.get_text()]
    return [(a, b) for (a, one), (b, two) in itertools.combinations(boxes, 2) if one.overlaps(two)]


class TestDrawing:
    def test_lines_and_names(self, drawn_whole):
        figure = half_normal_figure(half_normal_data(FOUND, measure="rate_%"))
        shown = drawn_whole(figure)
        assert {"ME", "SME", "A", "AC", "AD", "D", "C", "size of the effect on rate_%"} <= set(shown)
        assert "B" not in shown
        assert overlapping(figure) == []

    @pytest.mark.parametrize("name", ["f{}", "f{} × an extraordinarily long name & <x>", "{}" + "m" * 78])
    def test_a_crowd_of_names(self, name, drawn_whole):
        figure = half_normal_figure(half_normal_data(crowd(name=name)))
        crowded = any("no room for the names of" in text for text in drawn_whole(figure))
        assert crowded or name == "f{}"
        assert overlapping(figure) == []

    @pytest.mark.parametrize("effects", [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1e-9, 2e-9, 5.0]])
    def test_degenerate(self, effects, drawn_whole):
        assert drawn_whole(half_normal_figure(half_normal_data(lenth(effects))))

    def test_of_results(self, stand_in, drawn_whole):
        view = half_normal_view(stand_in("one split"), dataset="d0")
        assert view.words.startswith("Lenth's method")
        assert any("one split says nothing about others" in text for text in drawn_whole(view.figure))
