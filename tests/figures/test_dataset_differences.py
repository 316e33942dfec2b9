"""Differences on each data set as data; then that 150 of them fit a page."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.figures import dataset_differences_data, dataset_differences_figure
from fairtrial.stats import Interval

NAN = math.nan


def example(**more):
    return dataset_differences_data(
        ["iris", "wine", "adult"],
        "A",
        "B",
        [0.0, -0.02, 0.03],
        [-0.01, -0.03, NAN],
        [0.01, -0.01, NAN],
        quantity="difference of accuracy",
        **more,
    )


class TestData:
    def test_by_hand(self) -> None:
        overall = Interval("pseudo-median difference", 0.005, -0.02, 0.03, 0.95, "Hodges-Lehmann")
        data = example(overall=overall, smallest_difference=0.01)
        assert [row.name for row in data.rows] == ["adult", "iris", "wine"]
        assert data.counts == (1, 1, 1)
        assert [row.clear_of(0) for row in data.rows] == [False, False, True]
        assert (data.band, data.null) == ((-0.01, 0.01), 0.0)
        assert (
            "Diamond: pseudo-median difference 0.0050 [−0.0200, 0.0300], 95 % interval (Hodges-Lehmann)."
            in data.remarks[0]
        )
        assert "filled dot: 0 lies outside it" in data.remarks[0]
        assert data.words.startswith(
            "difference of accuracy: A is better than B on 1 of 3 data sets, in the band on 1, worse on 1. "
            "It goes from 0.0300 on adult to −0.0200 on wine."
        )

    def test_differences_in_the_band_count_for_neither(self) -> None:
        assert example().counts == (1, 1, 1)
        assert example(smallest_difference=0.025).counts == (1, 2, 0)
        assert example(smallest_difference=0.025, higher_is_better=False).counts == (0, 2, 1)

    def test_the_best_of_the_first_method_is_on_top_where_lower_is_better_too(self) -> None:
        data = example(higher_is_better=False)
        assert [row.name for row in data.rows] == ["wine", "iris", "adult"]
        assert data.counts == (1, 1, 1)

    def test_without_intervals_nothing_is_said_of_them(self) -> None:
        data = dataset_differences_data(["a"], "A", "B", [0.1], [NAN], [NAN], quantity="d")
        assert (data.remarks, data.has_intervals) == ((), False)

    def test_ratios(self) -> None:
        data = dataset_differences_data(
            ["a", "b"], "A", "B", [0.5, 4.0], [0.25, NAN], [1.0, NAN], quantity="ratio of fit time", ratio=True,
            higher_is_better=False, smallest_difference=0.25,
        )  # fmt: skip
        assert (data.null, data.band, data.counts) == (1.0, (0.8, 1.25), (1, 0, 1))

    def test_a_few_wide_intervals_do_not_hide_the_others(self) -> None:
        n = 30
        half = np.full(n, 0.01)
        half[0] = 50.0
        d = np.linspace(-0.02, 0.02, n)
        data = dataset_differences_data([str(i) for i in range(n)], "A", "B", d, d - half, d + half, quantity="d")
        assert data.limits[0] > -0.1
        assert "Arrow: the interval goes on." in data.remarks[0]

    def test_to_dict_is_plain(self) -> None:
        back = json.loads(json.dumps(example().to_dict()))
        assert back["rows"][0]["name"] == "adult"

    def test_says_what_was_wrong(self) -> None:
        with pytest.raises(InputError, match="estimates must be finite differences"):
            dataset_differences_data(["a"], "A", "B", [NAN], [NAN], [NAN], quantity="d")
        with pytest.raises(InputError, match="estimates must be ratios above 0"):
            dataset_differences_data(["a"], "A", "B", [0.0], [NAN], [NAN], quantity="d", ratio=True)


class TestDrawing:
    @pytest.mark.parametrize("width", [3.4, 7.0])
    def test_few(self, drawn_whole, width: float) -> None:
        figure = dataset_differences_figure(example(smallest_difference=0.01), width)
        assert figure.get_size_inches()[0] == pytest.approx(width, abs=0.05)
        assert {"iris", "wine", "adult"} <= set(drawn_whole(figure))

    @pytest.mark.slow
    def test_many_data_sets_fit_a_page_and_the_ends_are_named(self, drawn_whole) -> None:
        d = np.linspace(-0.1, 0.2, 150)
        names = [f"set {i}" for i in range(150)]
        data = dataset_differences_data(names, "A", "B", d, d - 0.01, d + 0.01, quantity="difference of accuracy")
        figure = dataset_differences_figure(data)
        assert figure.get_size_inches()[1] < 8
        written = drawn_whole(figure)
        assert {"set 149", "set 147", "set 0", "set 2", "144 others"} <= set(written)
        assert "set 75" not in written

    def test_long_and_odd_names_do_not_overlap(self, drawn_whole) -> None:
        first, second = "a & <b> " * 5, "50 %_$x$" * 5
        data = dataset_differences_data(["e 🙂"], first, second, [0.1], [NAN], [NAN], quantity="d")
        written = drawn_whole(dataset_differences_figure(data, 3.4))
        assert any("better: 1" in text for text in written)
