"""Effects by size as data; then that they are drawn."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.figures import pareto_effects_data, pareto_effects_figure, pareto_effects_view
from fairtrial.stats import effects_over_datasets, lenth

NAMES = ["A", "B", "C", "D", "E", "F", "G"]
FOUND = lenth([20.0, 1.0, -18.0, 2.0, 0.5, -1.0, 1.2], names=NAMES)


def many(m=60, n=20):
    values = np.random.default_rng(0).normal(0, 0.003, (n, m))
    values[:, : min(m, 25)] += np.linspace(0.05, 0.01, 25)[:m] * np.where(np.arange(25) % 3, 1, -1)[:m]
    names = [
        f"factor_{i} & <a rather long name of a parameter of a step in a pipeline> 100% $x${i}"[:80] for i in range(m)
    ]
    return effects_over_datasets(values, names=names)


class TestData:
    def test_by_hand(self):
        data = pareto_effects_data(FOUND, most=3)
        margin = FOUND.joint_margin
        first, second, third = data.bars
        assert [bar.name for bar in data.bars] == ["A", "C", "D"]
        assert (first.size, first.low, first.high) == pytest.approx((20, 20 - margin, 20 + margin))
        # −18 ± margin, turned: 18 ± margin; the text keeps the sign
        assert (second.size, second.low, second.high) == pytest.approx((18, 18 - margin, 18 + margin))
        assert second.text.startswith("−18.0 [−")
        assert [bar.raises for bar in data.bars] == [True, False, True]
        assert [bar.active for bar in data.bars] == [True, True, False]
        assert "not drawn: 4 smaller effects, none of them active" in data.remarks
        assert third.low < 0

    def test_limits_that_are_not_symmetric_are_turned(self):
        found = effects_over_datasets([[-0.02 - i**2 / 1000] for i in range(8)], names=["depth"])
        (bar,) = pareto_effects_data(found).bars
        assert (bar.low, bar.high) == (-found.intervals[0].high, -found.intervals[0].low)
        assert bar.low <= bar.size <= bar.high

    def test_words_say_what_a_positive_effect_does(self):
        assert pareto_effects_data(FOUND).remarks[0] == (
            "blue: raises the score; orange, hatched: lowers the score; hollow: may be 0"
        )
        assert pareto_effects_data(FOUND, improves=True).remarks[0].startswith("blue: improves the measure; orange")

    def test_the_rest_is_counted(self):
        data = pareto_effects_data(many())
        assert len(data.bars) == 20
        assert data.remarks[-1] == "not drawn: 40 smaller effects, 5 of them active"

    def test_effects_without_an_estimate(self):
        found = many(3)
        gone = replace(found.intervals[1], estimate=math.nan, low=math.nan, high=math.nan)
        data = pareto_effects_data(
            replace(found, names=("A", "B", "C"), intervals=(found.intervals[0], gone, found.intervals[2]))
        )
        assert [bar.name for bar in data.bars] == ["A", "C"]
        assert data.remarks[-1] == "not estimated: B"
        assert json.loads(json.dumps(data.to_dict()))["bars"][0]["name"] == "A"

    def test_few_data_sets_have_no_lines(self):
        data = pareto_effects_data(effects_over_datasets([[0.1, 0.2], [0.2, 0.1]], names=["A", "B"]))
        assert data.remarks == ("hollow: may be 0",)
        assert data.bars[0].text == "+0.150"

    @given(st.lists(st.floats(-1e3, 1e3).map(lambda x: round(x, 9)), min_size=3, max_size=12))
    def test_bars_descend_and_zero_is_on_the_axis(self, effects):
        data = pareto_effects_data(lenth(effects))
        sizes = [bar.size for bar in data.bars]
        assert sizes == sorted(map(abs, effects), reverse=True)
        assert data.limits[0] < 0 < data.limits[1]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="most must be at least 1, got 0"):
            pareto_effects_data(FOUND, most=0)


class TestDrawing:
    @pytest.mark.parametrize("m", [1, 7, 60])
    def test_all_is_inside(self, m, drawn_whole):
        data = pareto_effects_data(many(m), measure="accuracy & more")
        shown = drawn_whole(pareto_effects_figure(data))
        assert "size of the effect on accuracy & more" in shown
        assert len({text for text in shown if text.endswith(" *")}) == sum(bar.active for bar in data.bars) > 0

    def test_nothing_to_draw(self, drawn_whole):
        found = many(1)
        gone = replace(found.intervals[0], estimate=math.nan, low=math.nan, high=math.nan)
        data = pareto_effects_data(replace(found, intervals=(gone,)))
        assert any("no effect has an estimate" in text for text in drawn_whole(pareto_effects_figure(data)))

    def test_unbounded_intervals_end_at_the_edge(self, drawn_whole):
        found = many(2)
        wide = replace(found.intervals[0], low=-math.inf, high=math.inf)
        figure = pareto_effects_figure(pareto_effects_data(replace(found, intervals=(wide, found.intervals[1]))))
        assert drawn_whole(figure)

    def test_of_results(self, stand_in, drawn_whole):
        view = pareto_effects_view(stand_in(), measure="accuracy")
        assert "depth × rate" in view.words
        assert "size of the effect on accuracy" in drawn_whole(view.figure)
