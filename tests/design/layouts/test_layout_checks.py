import numpy as np
import pytest
from made_axes import ranges

from fairtrial.design.layouts import Axis, CodedRows, Fractional, PlackettBurman, central_composite, plackett_burman
from fairtrial.design.layouts.generators import MINIMUM_ABERRATION
from fairtrial.design.layouts.layout import (
    as_signs,
    check_orthogonal,
    check_resolution,
    check_runs,
    checked,
    resolution_of_signs,
)
from fairtrial.errors import ContractError


class TestPlantedErrors:
    """A wrong table, a wrong construction: each is found before anybody runs it."""

    def test_a_wrong_column_in_the_table(self, monkeypatch):
        # 7 factors in 16 runs with the column 3 (AB) in place of 7 (ABC): resolution III
        monkeypatch.setitem(MINIMUM_ABERRATION[16], 7, (3, 11, 13))
        with pytest.raises(ContractError, match=r"table .*resolution 4"):
            Fractional(resolution=4).lay_out(ranges(7), seed=1)

    def test_the_same_column_twice_in_the_table(self, monkeypatch):
        monkeypatch.setitem(MINIMUM_ABERRATION[16], 7, (7, 7, 13))
        with pytest.raises(ContractError):
            Fractional(runs=16).lay_out(ranges(7), seed=1)

    def test_a_column_of_a_base_factor_in_the_table(self, monkeypatch):
        monkeypatch.setitem(MINIMUM_ABERRATION[16], 5, (1,))
        with pytest.raises(ContractError):
            Fractional(runs=16).lay_out(ranges(5), seed=1)

    def test_too_few_columns_in_the_table(self, monkeypatch):
        monkeypatch.setitem(MINIMUM_ABERRATION[16], 7, (7, 11))
        with pytest.raises(ContractError):
            Fractional(runs=16).lay_out(ranges(7), seed=1)

    def test_wrong_groups_of_box_and_behnken(self, monkeypatch):
        # as in the first version of R's rsm
        groups = ((0, 1, 3), (1, 2, 4), (2, 3, 5), (0, 3, 4), (0, 4, 5), (0, 2, 5))
        monkeypatch.setitem(central_composite.GROUPS, 6, groups)
        with pytest.raises(ContractError, match="groups for 6 factors are not balanced"):
            central_composite.BoxBehnken().lay_out(ranges(6), seed=1)

    def test_a_wrong_hadamard_matrix(self, monkeypatch):
        def wrong(order):
            matrix = np.ones((order, order))
            matrix[::2, 1] = -1
            return matrix

        monkeypatch.setattr(plackett_burman, "hadamard_matrix", wrong)
        with pytest.raises(ContractError, match="balanced and orthogonal"):
            PlackettBurman(runs=12).lay_out(ranges(3), seed=1)


class TestChecked:
    def test_levels_out_of_bounds(self):
        with pytest.raises(ContractError, match="levels of 'a' must be 0 to 1"):
            checked(CodedRows((Axis("a", 2),), np.array([[2.0]])), "x")

    def test_absent_where_it_must_be_there(self):
        axes = (Axis("a", 2), Axis("b", 2, {"a": frozenset({1})}))
        for row in ([0.0, 1.0], [1.0, np.nan]):
            with pytest.raises(ContractError, match="nested factor"):
                checked(CodedRows(axes, np.array([row])), "x")

    def test_infinite(self):
        with pytest.raises(ContractError, match="finite"):
            checked(CodedRows((Axis("a"),), np.array([[np.inf]])), "x")

    def test_numbers_of_rows_and_blocks(self):
        with pytest.raises(ContractError, match="must be 3 rows, but there are 2"):
            check_runs(np.zeros((2, 1)), 3, "x")
        with pytest.raises(ContractError, match="blocks"):
            checked(CodedRows((Axis("a"),), np.zeros((2, 1)), np.zeros(3, dtype=int)), "x")
        with pytest.raises(ContractError, match="columns"):
            checked(CodedRows((Axis("a"),), np.zeros((2, 2))), "x")

    def test_rows_can_not_be_changed(self):
        rows = checked(CodedRows((Axis("a"),), np.zeros((2, 1))), "x").rows
        with pytest.raises(ValueError, match="read-only"):
            rows[0, 0] = 1


class TestResolution:
    def test_by_hand(self):
        full = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], dtype=float)
        assert resolution_of_signs(full) is None
        with_product = np.column_stack([full, full.prod(axis=1)])
        assert resolution_of_signs(with_product) == 4
        assert resolution_of_signs(np.column_stack([full, full[:, 0] * full[:, 2]])) == 3

    def test_an_unbalanced_column_has_resolution_1(self):
        assert resolution_of_signs(np.array([[1.0], [1.0], [-1.0]])) == 1

    def test_plackett_and_burman_in_12_runs(self):
        assert resolution_of_signs(PlackettBurman().lay_out(ranges(11), seed=1).rows) == 3

    def test_orthogonal_but_of_lower_resolution(self):
        half = Fractional(generators={"D": "AB"}).fraction("ABCD").rows
        check_orthogonal(half, "x")
        check_resolution(half, 3, "x")
        with pytest.raises(ContractError, match="must be 4, but it is 3"):
            check_resolution(half, 4, "x")


def test_signs_of_units():
    assert as_signs(np.array([[0.0, -1]]), [Axis("a", 2), Axis("b")]).tolist() == [[-1, -1]]
    assert as_signs(np.array([[0.5]]), [Axis("a")]) is None
    assert as_signs(np.array([[np.nan]]), [Axis("a")]) is None
