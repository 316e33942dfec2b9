"""Quality against cost as data; then that it draws."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.text import Text

from fairtrial.figures import pareto_data, pareto_figure

QUALITY = {"a": 0.80, "b": 0.90, "c": 0.85, "yard": 0.10}
SECONDS = {"a": 0.1, "b": 1.0, "c": 2.0, "yard": 0.01}


def score(dataset, method, level, fold):
    off = 0.01 * (fold - 2)
    return {
        "accuracy": QUALITY[method] + off,
        "error_rate": 1 - QUALITY[method] + off,
        "fit_time": SECONDS[method] * (1 + off),
        "peak_memory": 0.0 if method == "a" else SECONDS[method],
    }


class TestParetoData:
    def test_the_front_is_a_staircase(self, made_results):
        data = pareto_data(made_results(score, methods=tuple("abc")).pareto())
        (front,) = data.references
        (left, right), (bottom, _) = data.limits
        assert left < 0.1
        steps = [(0.1, bottom), (0.1, 0.8), (1.0, 0.8), (1.0, 0.9), (right, 0.9)]
        assert np.array(front.line) == pytest.approx(np.array(steps))
        assert [(c.name, c.muted, c.number) for c in data.curves] == [
            ("a", False, "0.800, 100 ms"), ("b", False, "0.900, 1.0 s"), ("c", True, "0.850, 2.0 s"),
        ]  # fmt: skip

    def test_lower_is_better(self, made_results):
        data = pareto_data(made_results(score, measures=("error_rate", "fit_time")).pareto())
        top = data.limits[1][1]
        assert data.references[0].line[0] == pytest.approx((0.1, top))
        assert data.labels[1] == "error rate (lower is better)"

    def test_intervals_both_ways(self, made_results):
        front = made_results(score).pareto()
        first = pareto_data(front).curves[0]
        quality, cost = front.standings[0].quality, front.standings[0].cost
        assert first.bars[0] == pytest.approx((0.1, quality.low, 0.1, quality.high))
        assert first.bars[1] == pytest.approx((cost.low, 0.8, cost.high, 0.8))

    def test_a_yardstick_far_off_is_told(self, made_results):
        front = made_results(score, methods=("a", "b", "yard"), yardsticks=("yard",)).pareto()
        data = pareto_data(front)
        assert [c.name for c in data.curves] == ["a", "b"]
        assert data.remarks[-1] == "not drawn, far off: yard, 0.100"

    def test_ticks_are_times(self, made_results):
        assert pareto_data(made_results(score).pareto()).ticks == (
            (0.1, "100 ms"), (0.2, "200 ms"), (0.5, "500 ms"), (1.0, "1 s"),
        )  # fmt: skip

    def test_a_cost_of_nothing_has_no_log_axis(self, made_results):
        results = made_results(score, measures=("accuracy", "peak_memory"))
        data = pareto_data(results.pareto("peak_memory"))
        assert data.log == (False, False)
        assert data.labels[0] == "peak memory (MB)"

    def test_all_beaten_by_a_yardstick(self, made_results):
        def poor(dataset, method, level, fold):
            return {"accuracy": 0.6 if method == "yard" else 0.5, "fit_time": SECONDS[method]}

        data = pareto_data(made_results(poor, methods=("a", "yard"), yardsticks=("yard",)).pareto())
        assert data.references == ()
        assert all(curve.muted for curve in data.curves)

    def test_draws(self, made_results):
        figure = pareto_figure(made_results(score, datasets=("$d$",), methods=tuple("abc")).pareto())
        shown = [text.get_text() for text in figure.findobj(Text)]
        assert "the front: what can be had for a cost" in shown
        assert any("mean on $d$" in text for text in shown)
