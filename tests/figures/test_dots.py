"""The dot-and-interval plot as data; then that it draws whatever it is given."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import dots_data, dots_figure

nan = math.nan


def simple(estimates, low=None, high=None, **options):
    estimates = np.asarray(estimates, dtype=float)
    n, k = estimates.shape
    none = np.full((n, k), nan)
    return dots_data(
        [f"d{i}" for i in range(n)],
        [f"m{j}" for j in range(k)],
        estimates,
        none if low is None else low,
        none if high is None else high,
        **{"measure": "accuracy", "higher_is_better": True} | options,
    )


class TestDotsData:
    def test_by_hand(self):
        # three methods 0.2 of a row apart; values from 0.5 to 1.0, and 4 % of that more on both sides
        data = simple([[0.6, 0.7, 0.8]], [[0.5, 0.65, nan]], [[0.7, 0.75, nan]], reference={"human": 1.0})
        assert data.offsets == pytest.approx((-0.2, 0.0, 0.2))
        assert data.limits == pytest.approx((0.48, 1.02))
        assert data.label == "accuracy (higher is better →)"
        assert data.has_intervals

    def test_many_methods_stay_within_their_row(self):
        assert simple(np.full((1, 10), 0.5)).offsets == pytest.approx(np.linspace(-0.36, 0.36, 10))

    def test_lower_is_better(self):
        assert simple([[3.0, 4.0]], measure="rmse", higher_is_better=False).label == "rmse (← lower is better)"

    def test_without_intervals(self):
        assert not simple([[0.5, 0.6]]).has_intervals

    def test_log_limits_ignore_ends_that_are_not_positive(self):
        data = simple([[1.0, 100.0]], [[-2.0, 50.0]], [[3.0, 90.0]], log=True)
        assert data.limits == pytest.approx((10**-0.08, 10**2.08))

    @given(st.integers(1, 6), st.integers(1, 12), st.floats(-1e6, 1e6))
    def test_offsets_are_symmetric_and_limits_hold_every_value(self, n, k, value):
        data = simple(np.full((n, k), value))
        assert data.offsets == pytest.approx([-offset for offset in reversed(data.offsets)])
        assert max(data.offsets) < 0.5
        assert data.limits[0] < value < data.limits[1]

    def test_the_best_by_hand(self):
        data = simple([[0.6, 0.7, 0.9], [0.5, 0.5, 0.4], [0.5, 0.5, 0.5]], yardsticks=["m2"])
        assert data.best == ((1,), (), ())  # m2 is a yardstick; in the second row both others are equally good
        assert simple([[0.6, 0.7, 0.6]], higher_is_better=False).best == ((0, 2),)
        assert "★ the best mean of the data set" in simple([[0.6, 0.7]]).remark
        assert simple([[0.6]]).remark == ""

    def test_an_interval_that_goes_on_is_said(self):
        cut = simple([[1.0, 100.0]], [[-2.0, 50.0]], [[3.0, 90.0]], log=True)
        assert cut.remark.endswith("arrow: the interval goes on")
        assert "arrow" not in simple([[0.5, 0.6]], [[0.4, 0.5]], [[0.6, 0.7]]).remark

    def test_to_dict_is_plain(self):
        back = json.loads(json.dumps(simple([[0.5, nan]], yardsticks=["m1"]).to_dict()))
        assert back["estimates"] == [[0.5, None]]
        assert back["yardsticks"] == ["m1"]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"low must have 1 rows of 2 numbers, got shape \(2, 1\)"):
            simple([[0.5, 0.6]], [[0.1], [0.2]])
        with pytest.raises(InputError, match=r"low must not lie above high, got low 0.7 and high 0.6"):
            simple([[0.5]], [[0.7]], [[0.6]])
        with pytest.raises(InputError, match=r"above 0 on a log axis, got 0.0"):
            simple([[0.0, 1.0]], log=True)
        with pytest.raises(InputError, match=r"level must lie strictly between 0 and 1"):
            simple([[0.5]], level=95)
        with pytest.raises(InputError, match=r"datasets must have at least 1 entry"):
            dots_data([], ["m"], np.empty((0, 1)), [], [], measure="accuracy", higher_is_better=True)
        with pytest.raises(UnknownName, match=r"no method is called 'm7'"):
            simple([[0.5]], yardsticks=["m7"])


class TestDrawing:
    @pytest.mark.slow
    @pytest.mark.parametrize(("n", "k"), [(1, 2), (1, 3), (11, 5), (60, 10)])
    def test_all_is_inside_and_height_grows(self, n, k):
        estimates = np.random.default_rng(1).random((n, k))
        data = simple(estimates, estimates - 0.1, estimates + 0.1, yardsticks=["m0"], reference={"human": 0.95})
        figure = dots_figure(data)
        box = figure.axes[0].get_tightbbox()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height
        assert figure.get_size_inches()[1] > 0.2 * n

    def test_the_first_data_set_is_on_top(self):
        ax = dots_figure(simple([[0.5], [0.6]])).axes[0]
        bottom, top = ax.get_ylim()
        assert bottom > top
        assert [label.get_text() for label in ax.get_yticklabels()] == ["d0", "d1"]

    @pytest.mark.slow
    def test_methods_can_be_told_apart_in_grey(self):
        ax = dots_figure(simple(np.full((1, 10), 0.5), yardsticks=["m3"])).axes[0]
        dots = [line for line in ax.lines if line.get_marker() != "None"]
        assert len({line.get_marker() for line in dots}) >= 9
        assert len({(line.get_marker(), line.get_color()) for line in dots}) == 10
        assert [line.get_markerfacecolor() == "none" for line in dots].index(True) == 3

    def test_infinite_ends_reach_the_edge(self):
        ax = dots_figure(simple([[0.5]], [[-math.inf]], [[0.6]])).axes[0]
        assert ax.lines[0].get_xdata()[0] == pytest.approx(ax.get_xlim()[0])

    def test_the_best_has_a_star_and_a_cut_interval_an_arrow(self):
        figure = dots_figure(simple([[1.0, 100.0]], [[-2.0, 50.0]], [[3.0, 90.0]], log=True, higher_is_better=False))
        markers = [line.get_marker() for line in figure.axes[0].lines]
        assert markers.count("*") == 1
        assert markers.count("<") == 1

    def test_nothing_measured_still_draws(self):
        assert dots_figure(simple([[nan, nan]])).axes

    def test_log_ticks_are_plain_text(self):
        figure = dots_figure(simple([[0.001, 1000.0]], log=True))
        figure.canvas.draw()
        assert not any("$" in label.get_text() for label in figure.axes[0].get_xticklabels())
