import numpy as np
import pytest
from made_axes import ranges

from fairtrial.design.layouts import Axis, DefinitiveScreening, alias_structure
from fairtrial.errors import InputError


# Jones & Nachtsheim (2011): 2k + 1 runs for even k, 2k + 3 for odd k (one column of the next matrix is left out)
@pytest.mark.parametrize(
    ("factors", "runs"), [(3, 9), (4, 9), (5, 13), (6, 13), (7, 17), (8, 17), (10, 21), (12, 25), (16, 33), (22, 49)]
)
def test_number_of_runs(factors, runs):
    assert len(DefinitiveScreening().lay_out(ranges(factors), seed=1).rows) == runs


@pytest.mark.parametrize("factors", range(3, 13))
class TestWhatMakesItDefinitive:
    def test_main_effects_are_orthogonal_and_free_of_second_order_effects(self, factors):
        coded = DefinitiveScreening().lay_out(ranges(factors), seed=1)
        products = coded.rows.T @ coded.rows
        assert np.array_equal(products, np.diag(np.diag(products)))
        found = alias_structure(coded, "main", "quadratic")
        assert found.matrix[1:] == pytest.approx(0, abs=1e-12)

    def test_each_factor_is_in_the_middle_three_times(self, factors):
        rows = DefinitiveScreening().lay_out(ranges(factors), seed=1).rows
        assert ((rows == 0).sum(axis=0) == 3).all()


def test_more_center_points_and_lists():
    coded = DefinitiveScreening(center=3).lay_out([*ranges(3), Axis("k", 3)], seed=1)
    assert len(coded.rows) == 11
    assert set(coded.rows[:, 3]) == {0.0, 1.0, 2.0}


@pytest.mark.parametrize("factors", [1, 2])
def test_too_few_factors(factors):
    with pytest.raises(InputError, match=f"for 3 to 50 factors, got {factors}"):
        DefinitiveScreening().lay_out(ranges(factors), seed=1)
