import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_axes import ranges

from fairtrial.design.layouts import (
    Axis,
    BestGuess,
    CentralComposite,
    Fractional,
    FullFactorial,
    LatinHypercube,
    PlackettBurman,
    design_space,
    efficiency,
    estimable_effects,
    prediction_variance,
    standard_errors,
)
from fairtrial.design.layouts.layout_information import information
from fairtrial.errors import InputError

LISTED = BestGuess(((-1, 0), (1, 0), (0.5, 1), (-0.5, 1), (1, 2), (-1, 2), (0, 1))).lay_out(
    [Axis("A"), Axis("K", 3)], seed=1
)


class TestAgainstR:
    """R 4.2.2: lm on the same rows; predict(…, se.fit = TRUE), vcov, det(crossprod(X))^(1/p) and solve."""

    CCD = CentralComposite(center=5).lay_out(ranges(2), seed=1)

    def test_prediction_variance(self):
        at = np.array([[0, 0], [1, 0], [1, 1], [0.5, -1]])
        expected = [0.2, 0.26875, 0.625, 0.330859375]
        assert prediction_variance(self.CCD, "quadratic", at) == pytest.approx(expected, rel=1e-9)

    def test_efficiencies(self):
        found = efficiency(self.CCD, "quadratic")
        assert (found.d, found.a) == pytest.approx((56.9018829015, 46.7380720545), rel=1e-10)
        found = efficiency(LISTED)
        assert (found.d, found.a) == pytest.approx((88.2757347389, 85.7142857143), rel=1e-10)

    def test_standard_errors(self):
        found = standard_errors(self.CCD, "quadratic")
        assert found["A"] == pytest.approx(2 * 0.353553390593, rel=1e-9)
        assert found["AB"] == pytest.approx(2 * 0.5, rel=1e-9)
        assert found["A²"] == pytest.approx(0.379143772203, rel=1e-9)
        # of three pairs of levels the least precise: 0.9129, 1, 0.9129
        assert standard_errors(LISTED) == pytest.approx({"A": 0.942809041582, "K": 1.0}, rel=1e-9)


class TestByHand:
    def test_variance_of_a_2_to_2(self):
        # (1 + a² + b²) / 4: on average 5/12, at most 3/4
        found = design_space(FullFactorial().lay_out(ranges(2), seed=1))
        assert found.average == pytest.approx(5 / 12, abs=1e-4)
        assert found.largest == pytest.approx(0.75)
        assert np.median(found.variance) == found.variance[len(found.variance) // 2 - 1 :][:2].mean()

    def test_the_space_in_words(self):
        table = design_space(FullFactorial().lay_out(ranges(2), seed=1)).to_table()
        assert table.rows[-1] == (1.0, pytest.approx(0.75))
        assert [row[1] for row in table.rows] == sorted(row[1] for row in table.rows)

    def test_what_can_not_be_estimated(self):
        quarter = Fractional(runs=8).lay_out(ranges(5), seed=1)
        errors = standard_errors(quarter, "interactions")
        assert math.isnan(errors["A"])  # mixed with BD and CE
        assert all(math.isnan(error) for error in errors.values())
        half = Fractional(runs=8).lay_out(ranges(4), seed=1)
        errors = standard_errors(half, "interactions")
        assert errors["A"] == pytest.approx(2 / math.sqrt(8))
        assert math.isnan(errors["AB"])

    def test_undefined_is_nan(self):
        quarter = Fractional(runs=8).lay_out(ranges(5), seed=1)
        assert np.isnan(prediction_variance(quarter, "interactions", np.zeros((2, 5)))).all()
        found = efficiency(quarter, "interactions")
        assert all(math.isnan(value) for value in (found.d, found.a, found.g, found.average_variance))
        assert math.isnan(design_space(quarter, "interactions").largest)

    def test_curvature_needs_a_middle(self):
        assert math.isnan(standard_errors(FullFactorial().lay_out(ranges(2), seed=1), "quadratic")["A²"])

    def test_rows_that_can_not_be(self):
        with pytest.raises(InputError, match=r"a column for each of the 2 factors, but its shape is \(1, 3\)"):
            prediction_variance(LISTED, "main", np.zeros((1, 3)))
        with pytest.raises(InputError, match="the number of a level of 'K', 0 to 2"):
            prediction_variance(LISTED, "main", np.array([[0.0, 3.0]]))
        with pytest.raises(InputError, match="points must be a whole number"):
            design_space(LISTED, points=0)

    def test_one_run(self):
        one = BestGuess(((0,),)).lay_out(ranges(1), seed=1)
        assert math.isnan(standard_errors(one)["A"])
        assert information(one, "main").error_df == 0

    def test_table(self):
        table = estimable_effects(Fractional(runs=8).lay_out(ranges(4), seed=1), "interactions")
        assert table.rows[0] == ("A", True, pytest.approx(0.7071, abs=1e-4))
        assert table.rows[4][:2] == ("AB", False)


def test_blocks_cost_what_is_mixed_with_them():
    plain = FullFactorial().lay_out(ranges(3), seed=1)
    blocked = FullFactorial(blocks=("AB",)).lay_out(ranges(3), seed=1)
    assert standard_errors(blocked) == pytest.approx(standard_errors(plain))
    assert math.isnan(standard_errors(blocked, "interactions")["AB"])
    assert efficiency(blocked).d == pytest.approx(100)


@given(st.integers(0, 50))
def test_efficiencies_are_at_most_100(seed):
    found = efficiency(LatinHypercube(12).lay_out(ranges(3), seed=seed))
    assert 0 < found.a <= found.d <= 100
    assert 0 < found.g <= 100


@given(st.integers(3, 11))
def test_orthogonal_layouts_have_100(factors):
    found = efficiency(PlackettBurman(12).lay_out(ranges(factors), seed=1))
    assert (found.d, found.a, found.g) == pytest.approx((100, 100, 100))
