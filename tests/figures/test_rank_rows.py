"""Rank intervals as data; then that 60 methods stay readable."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from fairtrial import stats
from fairtrial.errors import InputError
from fairtrial.figures import ranks_data, ranks_figure
from fairtrial.figures.comparisons.rank_rows import rank_ticks, row_height


class TestRanksData:
    def test_by_hand(self) -> None:
        data = ranks_data(["A", "B", "C", "D"], [4, 1, 2.5, 2.5], [(3, 4), (1, 1), (2, 4), (2, 3)], tested="T.")
        assert [(row.name, row.text) for row in data.rows] == [("B", "1"), ("D", "2–3"), ("C", "2–4"), ("A", "3–4")]
        assert data.words == (
            "Rank 1 is not ruled out for B, of 4 methods. Ranks that the tests do not rule out: "
            "B 1; D 2–3; C 2–4; A 3–4."
        )
        assert data.remarks[-1] == "T."

    def test_takes_what_stats_gives(self) -> None:
        scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
        found = stats.rank_intervals(scores, names=["A", "B", "C"])
        ends = [(int(i.low), int(i.high)) for i in found]
        data = ranks_data("ABC", [i.estimate for i in found], ends)
        assert [row.text for row in data.rows] == ["1", "2–3", "2–3"]

    def test_to_dict_is_plain(self) -> None:
        back = json.loads(json.dumps(ranks_data(["A"], [1], [(1, 1)]).to_dict()))
        assert back["rows"] == [{"name": "A", "rank": 1.0, "low": 1, "high": 1}]

    @pytest.mark.parametrize(
        ("ranks", "intervals", "message"),
        [
            ([1, 3], [(1, 2), (1, 2)], "must lie in its interval.*got rank 3 and interval 1 to 2 for 'B'"),
            ([1, 2], [(0, 2), (1, 2)], "both between 1 and 2"),
            ([1, 2], [(1, 2)], "intervals must be 2 pairs of ranks, one for each name, got 1"),
            ([1, 2], [(2, 1), (1, 2)], "low must not lie above high"),
            ([1, np.nan], [(1, 2), (1, 2)], "must lie in its interval"),
        ],
    )
    def test_says_what_was_wrong(self, ranks, intervals, message) -> None:
        with pytest.raises(InputError, match=message):
            ranks_data(["A", "B"], ranks, intervals)


class TestDrawing:
    @pytest.mark.slow
    @pytest.mark.parametrize("width", [3.4, 7.0])
    def test_sixty_methods_fit_a_page_with_whole_names(self, drawn_whole, width: float) -> None:
        names = [f"{'organisation__' if width > 5 else ''}model-{i}-embed" for i in range(60)]
        data = ranks_data(names, range(1, 61), [(max(1, i - 8), min(60, i + 12)) for i in range(1, 61)])
        figure = ranks_figure(data, width)
        assert figure.get_size_inches()[0] == pytest.approx(width, abs=0.05)
        assert figure.get_size_inches()[1] < 11
        written = drawn_whole(figure)
        assert set(names) <= set(written)
        assert "rank 1 is not ruled out: 9 methods" in written

    def test_odd_names(self, drawn_whole) -> None:
        names = ["a & <b>", "50 %_$x$", 'q"uote', "אבג", "n" * 80]
        written = drawn_whole(ranks_figure(ranks_data(names, range(1, 6), [(1, 5)] * 5)))
        plain = {re.sub("[\u2066-\u2069]", "", text) for text in written}  # names of other directions are isolated
        assert {"a & <b>", "50 %_$x$", 'q"uote', "אבג", "n" * 39 + "…"} <= plain

    def test_rows_are_high_enough_for_their_text(self) -> None:
        assert row_height(1000) * 72 > 8 * 1.2

    def test_ticks(self) -> None:
        assert rank_ticks(1) == [1]
        assert rank_ticks(16) == [1, 5, 10, 16]
        assert rank_ticks(60) == [1, 10, 20, 30, 40, 50, 60]
