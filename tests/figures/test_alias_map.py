"""The alias map of layouts as data; then that it is drawn."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from fairtrial.design.layouts import Axis, CodedRows, FullFactorial, PlackettBurman, alias_structure
from fairtrial.errors import InputError
from fairtrial.figures import alias_map_data, alias_map_figure


def rows(columns, axes=None):
    table = np.array(columns, dtype=float).T
    return CodedRows(tuple(axes or (Axis(name) for name in "ABCDEFGH"[: table.shape[1]])), table)


class TestData:
    def test_by_hand(self):
        # C = −AB: A and BC are the same but for the sign
        data = alias_map_data(rows([[-1, 1, -1, 1], [-1, -1, 1, 1], [-1, 1, 1, -1]]))
        assert data.names == ("A", "B", "C", "AB", "AC", "BC")
        expected = np.eye(6)
        for i, j in ((0, 5), (1, 4), (2, 3)):
            expected[i, j] = expected[j, i] = -1
        assert np.array(data.correlations).tolist() == expected.tolist()
        assert data.main == 3
        assert data.remarks[1] == "3 pairs of effects can't be told apart; largest correlation between main effects 0"

    def test_correlated_main_effects(self):
        # A = −1 −1 1 1, B = −1 −1 −1 1 (mean −0.5): covariance 2, lengths 2 and √3
        data = alias_map_data(rows([[-1, -1, 1, 1], [-1, -1, -1, 1]]), "main")
        assert data.correlations[0][1] == pytest.approx(2 / (2 * np.sqrt(3)))

    def test_it_agrees_with_the_alias_matrix_in_an_orthogonal_layout(self):
        laid = PlackettBurman(runs=12).lay_out([Axis(name) for name in "ABCDE"], seed=1)
        matrix = alias_structure(laid).matrix[1:]
        assert np.array(alias_map_data(laid).correlations)[:5, 5:] == pytest.approx(matrix)

    def test_effects_that_cannot_be_estimated_are_not_said_to_be(self):
        remarks = alias_map_data(rows([[-1, 1, -1, 1], [-1, -1, 1, 1], [0, 0, 0, 0]])).remarks
        assert any("every other effect can be estimated independently" in text for text in remarks)
        assert remarks[-1].endswith("can't be estimated")

    def test_columns_that_are_constant(self):
        data = alias_map_data(rows([[-1, 1, -1, 1], [1, 1, 1, 1]]))
        assert np.isnan(data.correlations[1]).all()
        assert data.remarks[-1] == "–: 1 effect whose column is constant and can't be estimated"
        assert json.loads(json.dumps(data.to_dict()))["correlations"][1][1] is None

    def test_listed_and_nested_levels(self):
        axes = [Axis("model", 3), Axis("C", when={"model": frozenset({0})}), Axis("scaling", 2)]
        data = alias_map_data(FullFactorial().lay_out(axes, seed=1))
        assert data.names[:4] == ("model[1]", "model[2]", "C", "scaling")
        assert data.main == 4

    def test_of_many_columns_the_first_are_drawn(self):
        laid = PlackettBurman(runs=12).lay_out([Axis(name) for name in "ABCDEFGHJKL"], seed=1)
        data = alias_map_data(laid)
        assert (len(data.names), data.main) == (60, 11)
        assert data.remarks[-1] == "not drawn: 6 more columns of interactions"

    def test_a_full_factorial_mixes_nothing(self):
        data = alias_map_data(FullFactorial().lay_out([Axis("A"), Axis("B")], seed=1))
        assert data.remarks[1] == "all other correlations are 0: every effect can be estimated independently"

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="at least one factor with two levels, but no factor varies"):
            alias_map_data(rows([[0.0, 0.0]], [Axis("A", 1)]))


class TestDrawing:
    @pytest.mark.slow
    @pytest.mark.parametrize("k", [1, 2, 5, 11])
    def test_all_is_inside(self, k, drawn_whole):
        names = [f"step_{i} & <a long name of a parameter of a step>_% $x$ {'m' * 30}"[:80] for i in range(k)]
        laid = PlackettBurman(runs=12).lay_out([Axis(name) for name in names], seed=1)
        shown = drawn_whole(alias_map_figure(alias_map_data(laid)))
        assert any("blue: positive" in text for text in shown)
        assert k != 5 or {".33", "−.33"} <= set(shown)

    @pytest.mark.slow
    def test_names_do_not_overlap(self):
        laid = PlackettBurman(runs=12).lay_out([Axis(name) for name in "ABCDEFGHJKL"], seed=1)
        figure = alias_map_figure(alias_map_data(laid))
        figure.draw_without_rendering()
        boxes = [tick.label2.get_window_extent() for tick in figure.axes[0].xaxis.get_major_ticks()]
        assert all(one.x1 <= two.x0 + 1 for one, two in itertools.pairwise(boxes))
