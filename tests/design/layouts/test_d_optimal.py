import itertools

import numpy as np
import pytest
from made_axes import NESTED, ranges

from fairtrial.design.layouts import Axis, CodedRows, DOptimal, FullFactorial, efficiency, standard_errors
from fairtrial.design.layouts.fractional import every_combination
from fairtrial.design.layouts.layout_terms import expanded, model_terms
from fairtrial.errors import InputError, UnknownName


class TestKnownOptima:
    @pytest.mark.parametrize("factors", [2, 3, 4])
    def test_main_effects_are_orthogonal_where_they_can_be(self, factors):
        coded = DOptimal(8).lay_out(ranges(factors), seed=1)
        assert efficiency(coded).d == pytest.approx(100)

    def test_interactions_in_as_many_runs_as_combinations(self):
        coded = DOptimal(8, model="interactions").lay_out(ranges(3), seed=1)
        assert efficiency(coded, "interactions").d == pytest.approx(100)

    def test_a_quadratic_in_two_factors(self):
        # 6 runs on a grid of 3 levels: the best of all choices of 6 of the 9 points
        terms = model_terms(ranges(2), "quadratic")
        columns = expanded(every_combination(ranges(2), 3), terms)
        best = max(np.linalg.det(columns[list(c)]) ** 2 for c in itertools.combinations(range(9), 6))
        found = expanded(DOptimal(6, model="quadratic").lay_out(ranges(2), seed=1).rows, terms)
        assert np.linalg.det(found) ** 2 == pytest.approx(best)


class TestOddSpaces:
    def test_lists_are_balanced(self):
        rows = DOptimal(12).lay_out([Axis("k", 3), Axis("s", 2), *ranges(1)], seed=1).rows
        assert np.bincount(rows[:, 0].astype(int)).tolist() == [4, 4, 4]

    @pytest.mark.parametrize(("model", "runs"), [("main", 12), ("interactions", 30), ("quadratic", 34)])
    def test_nested_factors_can_be_estimated_within(self, model, runs):
        coded = DOptimal(runs, model=model).lay_out(NESTED, seed=1)
        errors = standard_errors(coded, model)
        assert not any(np.isnan(error) for error in errors.values()), errors
        assert "model × depth" in errors or model == "main"

    def test_is_better_than_a_random_part_of_the_full_factorial(self):
        full = FullFactorial().lay_out(NESTED, seed=1).rows
        draw = np.random.RandomState(1)
        some = CodedRows(tuple(NESTED), full[draw.choice(len(full), 14, replace=False)])
        best = efficiency(DOptimal(14).lay_out(NESTED, seed=1)).d
        assert np.isnan(efficiency(some).d) or best > efficiency(some).d

    def test_many_factors_are_drawn_from(self):
        axes = [Axis(f"f{i}") for i in range(14)]
        coded = DOptimal(20, starts=2).lay_out(axes, seed=1)
        assert set(np.unique(coded.rows)) == {-1.0, 1.0}
        assert efficiency(coded).d > 85

    def test_costs(self):
        axes = [Axis("trees"), Axis("rate")]
        dear = DOptimal(9, costs={"trees": (1, 20)}).lay_out(axes, seed=1).rows
        assert (dear[:, 0] == -1).sum() > (dear[:, 0] == 1).sum() >= 1

    def test_the_note_says_how_good_it_is(self):
        assert DOptimal(8).lay_out(ranges(3), seed=1).notes[0].startswith("D-efficiency 100.0 %")


class TestErrors:
    def test_too_few_runs(self):
        with pytest.raises(InputError, match=r"runs must be at least 4, .* model 'interactions', got 3"):
            DOptimal(3, model="interactions").lay_out(ranges(2), seed=1)

    def test_costs_of_what_is_not_there(self):
        with pytest.raises(UnknownName, match="no factor is called 'tree'"):
            DOptimal(8, costs={"tree": (1, 2)}).lay_out([Axis("trees"), Axis("rate")], seed=1)
        with pytest.raises(InputError, match="costs of 'k' must have 3 numbers, one for each level"):
            DOptimal(8, costs={"k": (1, 2)}).lay_out([Axis("k", 3), Axis("rate")], seed=1)
