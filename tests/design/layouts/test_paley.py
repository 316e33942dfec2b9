import numpy as np
import pytest

from fairtrial.design.layouts.plackett_burman import (
    conference_matrix,
    hadamard_matrix,
    is_conference_order,
    is_hadamard_order,
)
from fairtrial.errors import ContractError


class TestConference:
    def test_by_hand(self):
        # squares modulo 5 are 1 and 4: the row of 0 is 0 1 −1 −1 1
        found = conference_matrix(6)
        assert found[1, 1:].tolist() == [0, 1, -1, -1, 1]
        assert np.array_equal(found, found.T)

    @pytest.mark.parametrize("order", [4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 26, 28, 30, 32, 48, 50])
    def test_columns_are_orthogonal(self, order):
        found = conference_matrix(order)
        assert np.array_equal(found.T @ found, (order - 1) * np.eye(order))
        assert (np.abs(found).sum(axis=0) == order - 1).all()

    @pytest.mark.parametrize("order", [2, 5, 7, 22, 34, 36])
    def test_orders_that_are_not_there(self, order):
        # 22 and 34 do not exist: 21 and 33 are not sums of two squares
        assert not is_conference_order(order)
        with pytest.raises(ContractError, match=f"no conference matrix of order {order}"):
            conference_matrix(order)


class TestHadamard:
    @pytest.mark.parametrize("order", [1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 52, 56, 64, 76, 100])
    def test_columns_are_orthogonal(self, order):
        found = hadamard_matrix(order)
        assert np.array_equal(found.T @ found, order * np.eye(order))
        assert (np.abs(found) == 1).all()
        assert (found[:, 0] == 1).all()

    @pytest.mark.parametrize("order", [0, 3, 6, 10, 92])
    def test_orders_that_are_not_there(self, order):
        assert not is_hadamard_order(order)
        with pytest.raises(ContractError):
            hadamard_matrix(order)

    def test_nearly_all_multiples_of_four(self):
        missing = [n for n in range(4, 201, 4) if not is_hadamard_order(n)]
        assert missing == [92, 116, 156, 172, 184, 188]
