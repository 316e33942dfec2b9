"""Main effects as data; then that they are drawn."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.figures import main_effects_data, main_effects_figure, main_effects_view
from fairtrial.stats import within_intervals

GRID = [{"depth": d, "rate": r} for r, d in itertools.product((0.1, 0.3), (3, 6))]
SCORES = [[0.70, 0.74, 0.72, 0.82], [0.60, 0.66, 0.62, 0.72], [0.80, 0.80, 0.84, 0.90]]
NESTED = [
    {"model": model, **own, "scaling": s}
    for s in ("none", "standard & <robust>_%")
    for model, own in (("svm", {"C": 1}), ("svm", {"C": 10}), ("tree", {"depth": 3}), ("tree", {"depth": 9}))
]

STAR = "* active: the interval of its effect excludes 0"


class TestData:
    def test_by_hand(self):
        depth, rate = main_effects_data(GRID, SCORES).panels
        # depth 3: (0.71 + 0.61 + 0.82) / 3, depth 6: (0.78 + 0.69 + 0.85) / 3
        assert depth.lines[0].means == pytest.approx((2.14 / 3, 2.32 / 3))
        assert rate.lines[0].means == pytest.approx((2.15 / 3, 2.31 / 3))
        assert depth.lines[0].low == ()

    def test_intervals_are_those_within_data_sets(self):
        depth = main_effects_data(GRID, SCORES, intervals=True, level=0.9).panels[0].lines[0]
        low, high = within_intervals([[0.71, 0.78], [0.61, 0.69], [0.82, 0.85]], level=0.9)
        assert depth.low == pytest.approx((low.low, high.low))
        assert depth.high == pytest.approx((low.high, high.high))

    def test_one_unit_has_no_interval(self):
        assert main_effects_data(GRID, SCORES[:1], intervals=True).panels[0].lines[0].low == ()

    def test_stars_and_remarks(self):
        data = main_effects_data(GRID, SCORES, active=["rate"], over="mean over 3 data sets")
        assert [panel.star for panel in data.panels] == [False, True]
        assert data.remarks == ("mean over 3 data sets", "dotted: mean of all settings", STAR)
        assert data.reference == pytest.approx(np.mean(SCORES))

    def test_nested_factors(self):
        data = main_effects_data(NESTED, [np.arange(8.0)])
        assert [(p.heading, p.remark) for p in data.panels] == [
            ("model", ""), ("C", "within model svm"), ("scaling", ""), ("depth", "within model tree"),
        ]  # fmt: skip
        assert data.panels[1].lines[0].means == (2.0, 3.0)  # settings 0 and 4, 1 and 5

    def test_data_sets_that_lack_a_level_are_left_out(self):
        gone = [[np.nan, 0.0, np.nan, 0.0], *SCORES[1:]]
        data = main_effects_data(GRID, gone)
        assert data.panels[0].lines[0].means == pytest.approx((1.43 / 2, 1.54 / 2))
        assert data.remarks[-1] == "2 scores of 12 missing: means of the others"
        json.dumps(data.to_dict())

    def test_unbalanced_settings_are_told(self):
        data = main_effects_data(GRID[:3], [[1.0, 2.0, 3.0]])
        assert any(remark.startswith("levels of depth and rate do not occur together") for remark in data.remarks)

    def test_of_many_factors_the_largest_are_drawn(self):
        settings = [{f"x{j}": int(i == j) for j in range(15)} for i in range(16)]
        data = main_effects_data(settings, [[float(i) for i in range(16)]])
        assert len(data.panels) == 12
        assert data.remarks[-1] == "not drawn: 3 factors with smaller ranges"

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="at least one factor with two levels, but no factor varies"):
            main_effects_data([{"a": 1}], [[1.0]])


class TestDrawing:
    @pytest.mark.parametrize("settings", [GRID, NESTED])
    def test_all_is_inside(self, settings, drawn_whole):
        scores = np.random.default_rng(0).random((7, len(settings)))
        data = main_effects_data(settings, scores, intervals=True, label="accuracy", active=["model", "depth"])
        assert "depth *" in drawn_whole(main_effects_figure(data))

    def test_scores_that_are_all_missing(self, drawn_whole):
        assert drawn_whole(main_effects_figure(main_effects_data(GRID, [[np.nan] * 4])))

    def test_many_numbers_are_points(self, drawn_whole):
        settings = [{"C": 10.0 ** (i / 5)} for i in range(20)]
        data = main_effects_data(settings, [[i / 20 for i in range(20)]])
        assert not data.panels[0].joined
        assert {"1.0", "6300"} <= set(drawn_whole(main_effects_figure(data)))

    def test_of_results(self, stand_in, drawn_whole):
        view = main_effects_view(stand_in(), methods=["forest"])
        shown = drawn_whole(view.figure)
        assert {"depth *", "rate", "<a & b>_%", "accuracy (higher is better)"} <= set(shown)
        assert any("mean over 8 data sets; 95 % intervals" in text for text in shown)

    def test_of_ratios(self, stand_in, drawn_whole):
        shown = drawn_whole(main_effects_view(stand_in(as_ratio=True)).figure)
        assert any("geometric means, on a log axis" in text for text in shown)
