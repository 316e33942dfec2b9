import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_axes import NESTED, ranges

from fairtrial.design.layouts import Axis, CodedRows, Fractional, FullFactorial, model_matrix, model_terms
from fairtrial.design.layouts.layout_terms import check_model, level_contrasts
from fairtrial.errors import InputError


class TestTerms:
    def test_names(self):
        names = [term.name for term in model_terms([*ranges(2), Axis("K", 3)], "quadratic")]
        assert names == ["A", "B", "K", "AB", "AK", "BK", "A²", "B²"]

    def test_nested_factors_interact_where_they_exist_together(self):
        names = {term.name for term in model_terms(NESTED, "interactions")}
        assert {"model × depth", "depth × rate", "C × scaling"} <= names
        assert not {"model × C", "model × rate", "C × rate", "C × depth"} & names

    def test_interactions_with_a_nested_factor_have_the_levels_that_allow_it(self):
        term = next(t for t in model_terms(NESTED, "interactions") if t.name == "model × depth")
        assert term.levels == ((1, 2), (0, 1, 2, 3))
        assert term.width == 3

    def test_one_level_is_no_effect(self):
        assert model_terms([Axis("k", 1)], "main") == ()

    def test_unknown_model(self):
        with pytest.raises(InputError, match="model must be 'main', 'interactions' or 'quadratic', got 'cubic'"):
            check_model("cubic")


class TestMatrix:
    def test_by_hand(self):
        rows = CodedRows((Axis("A"), Axis("K", 2)), np.array([[0.5, 0], [-1, 1]]))
        assert model_matrix(rows, "quadratic").matrix.tolist() == [[1, 0.5, -1, -0.5, 0.25], [1, -1, 1, -1, 1]]

    def test_absent_is_zero(self):
        coded = FullFactorial().lay_out(NESTED, seed=1)
        made = model_matrix(coded, "interactions")
        rate = made.matrix[:, made.columns_of(next(t for t in made.terms if t.name == "rate"))]
        assert (rate[np.isnan(coded.rows[:, 3])] == 0).all()

    def test_blocks_come_last(self):
        made = model_matrix(Fractional(runs=8, blocks=2).lay_out(ranges(4), seed=1), "main")
        assert (made.blocks, made.matrix.shape, made.effects.shape) == (1, (8, 6), (8, 5))

    @given(st.integers(2, 9))
    def test_contrasts_of_levels_are_orthogonal_with_mean_square_1(self, levels):
        found = level_contrasts(levels)
        assert found.T @ found == pytest.approx(levels * np.eye(levels - 1))
        assert found.sum(axis=0) == pytest.approx(0)
