"""From columns or arrays to a data set: copies, roles, and the default target."""

from __future__ import annotations

import numpy as np
import pytest

from fairtrial.data import Dataset
from fairtrial.data.build_dataset import default_target
from fairtrial.errors import InputError


def test_a_title_with_spaces_is_a_target_too():
    assert default_target(["class ", "age"])[0] == "class "


class TestFromArrays:
    def test_copies(self):
        X, y = np.array([[1.0], [2.0], [3.0]]), np.array([1.5, 2.5, 3.5])
        data = Dataset.from_arrays(X, y)
        X[0] = y[0] = 9
        assert data.X[0, 0] == 1
        assert data.target[0] == 1.5

    def test_groups_order_weights(self):
        data = Dataset.from_arrays(
            [[1.0], [2.0]],
            [1.5, 2.5],
            groups=["p1", "p2"],
            order=np.array(["1970-01-02", "1970-01-04"], dtype="datetime64[D]"),
            weights=[1, 2],
        )
        assert data.groups.tolist() == ["p1", "p2"]
        assert data.order.tolist() == [1.0, 3.0]
        assert data.weights.dtype == np.float64


class TestDefaultTarget:
    def test_a_name_before_the_last_column(self):
        assert default_target(["y", "Class", "age"])[0] == "Class"  # target, then class, then y
        assert default_target(["Y", "age"])[0] == "Y"
        assert default_target(["age", "wage"])[0] == "wage"


class TestRoles:
    def test_groups_are_text_or_whole_numbers(self):
        X, y = [[1.0], [2.0], [3.0]], [0.5, 1.5, 2.5]
        assert Dataset.from_arrays(X, y, groups=[1.0, 1.0, 2.0]).groups.tolist() == [1, 1, 2]
        assert Dataset.from_arrays(X, y, groups=[0.5, 0.5, 2.0]).groups.tolist() == ["0.5", "0.5", "2.0"]
        assert Dataset.from_arrays(X, y, groups=[True, True, False]).groups.tolist() == [1, 1, 0]

    def test_an_order_of_text_must_be_dates(self):
        data = Dataset.from_arrays([[1.0], [2.0]], [0.5, 1.5], order=["1970-01-02", "1970-01-02T12:00"])
        assert data.order.tolist() == [1.0, 1.5]
        with pytest.raises(InputError, match="order of 'data' must be numbers or dates like 2024-01-31, got text"):
            Dataset.from_arrays([[1.0], [2.0]], [0.5, 1.5], order=["first", "second"])
