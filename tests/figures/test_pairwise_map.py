"""The heat map of pairs as data; then that cells show numbers only where these fit."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.figures import pairwise_data, pairwise_figure
from fairtrial.figures.comparisons.pairwise_map import FAINTEST, blended
from fairtrial.tables import formats


def square(k: int, step: float = 0.01):
    """Methods that are the better the earlier they come; neighbours are not distinguishable."""
    i = np.arange(k)
    values = step * (i[None, :] - i[:, None])
    return values, np.full((k, k), 0.02).tolist(), np.abs(i[None, :] - i[:, None]) > 1


class TestPairwiseData:
    def test_by_hand(self) -> None:
        # lower is better: A has 1 less than B (better, so blue), C 10 more than A
        values = [[0, -1, -10], [1, 0, -9], [10, 9, 0]]
        p = [[1, 0.4, formats.AtMost(0.0001)], [0.4, 1, 0.01], [formats.AtMost(0.0001), 0.01, 1]]
        apart = [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
        data = pairwise_data("ABC", values, p, apart, quantity="difference of rmse", higher_is_better=False)
        cell = {(c.row, c.column): c for c in data.cells}
        assert len(cell) == 6
        assert (cell[0, 2].share, cell[2, 0].share) == (1.0, -1.0)
        assert cell[0, 1].share == pytest.approx(0.1)
        assert (cell[0, 1].text, cell[0, 2].p_text, cell[0, 1].different) == ("−1.0", "<0.001", False)
        assert data.words == "2 of 3 pairs differ. Methods: 1 A, 2 B and 3 C."

    def test_ratios_are_compared_on_the_log_scale(self) -> None:
        values = [[1, 0.5, 4], [2, 1, 8], [0.25, 0.125, 1]]
        data = pairwise_data("ABC", values, np.ones((3, 3)).tolist(), np.zeros((3, 3)), quantity="ratio of fit time",
                             higher_is_better=False, ratio=True)  # fmt: skip
        cell = {(c.row, c.column): c for c in data.cells}
        assert cell[0, 1].share == pytest.approx(-cell[1, 0].share) == pytest.approx(math.log(2) / math.log(8))
        assert cell[0, 1].text == "×0.500"
        assert data.scale == pytest.approx(8)

    def test_colours_are_white_at_zero_and_opposite_on_both_sides(self) -> None:
        assert blended(0.0) == "#ffffff"
        values, p, apart = square(4)
        for cell in pairwise_data("abcd", values, p, apart, quantity="d").cells:
            red, _, blue = (int(cell.color[i : i + 2], 16) for i in (1, 3, 5))
            assert (blue > red) == (cell.share > 0) == (cell.column > cell.row)

    def test_an_outline_can_be_seen_even_where_nothing_differs(self) -> None:
        data = pairwise_data("AB", [[0, 0], [0, 0]], [[1, 1], [1, 1]], [[0, 0], [0, 0]], quantity="d")
        assert {cell.color for cell in data.cells} <= {blended(FAINTEST), blended(-FAINTEST)}
        assert data.scale == 1.0

    def test_one_outlier_does_not_pale_all_others(self) -> None:
        values, p, apart = square(12)
        values[0, 11], values[11, 0] = 50.0, -50.0
        data = pairwise_data([str(i) for i in range(12)], values, p, apart, quantity="d")
        assert data.scale < 0.2
        assert max(cell.share for cell in data.cells) == 1.0

    def test_a_pair_that_was_not_tested_has_no_cell(self) -> None:
        data = pairwise_data("AB", [[0, np.nan], [np.nan, 0]], [[1, 1], [1, 1]], [[0, 0], [0, 0]], quantity="d")
        assert data.cells == ()

    def test_to_dict_is_plain(self) -> None:
        values, p, apart = square(3)
        back = json.loads(json.dumps(pairwise_data("abc", values, p, apart, quantity="d").to_dict()))
        assert back["cells"][0]["column"] == 1

    def test_says_what_was_wrong(self) -> None:
        with pytest.raises(InputError, match="different must be a symmetric matrix of 2 × 2"):
            pairwise_data("AB", [[0, 1], [-1, 0]], [[1, 1], [1, 1]], [[0, 1], [0, 0]], quantity="d")
        with pytest.raises(InputError, match="values must have 2 rows of 2 numbers"):
            pairwise_data("AB", [[0, 1]], [[1, 1], [1, 1]], [[0, 1], [1, 0]], quantity="d")
        with pytest.raises(InputError, match="above 0 when they are ratios"):
            pairwise_data("AB", [[1, -1], [2, 1]], [[1, 1], [1, 1]], [[0, 0], [0, 0]], quantity="d", ratio=True)


class TestDrawing:
    def test_numbers_are_in_large_cells_only(self, drawn_whole) -> None:
        values, p, apart = square(5)
        data = pairwise_data("abcde", values, p, apart, quantity="d")
        assert {"+0.010", "p 0.020"} <= set(drawn_whole(pairwise_figure(data)))
        assert "p 0.020" not in drawn_whole(pairwise_figure(data, 3.4))

    @pytest.mark.slow
    def test_sixty_methods_fit_a_page(self, drawn_whole) -> None:
        values, p, apart = square(60)
        names = [f"organisation__model-{i}" for i in range(60)]
        figure = pairwise_figure(pairwise_data(names, values, p, apart, quantity="d"))
        assert figure.get_size_inches().tolist() == [pytest.approx(7, abs=0.05), pytest.approx(10.3, abs=0.7)]
        written = drawn_whole(figure)
        assert set(names) <= set(written)
        assert "+0.010" not in written
