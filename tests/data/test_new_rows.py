"""New rows in the form of a data set."""

import numpy as np
import pandas as pd
import pytest

from fairtrial.data import Dataset, datasets
from fairtrial.data.encode import new_rows
from fairtrial.errors import InputError

FRAME = pd.DataFrame(
    {
        "size": [1.5, 2.0, np.nan, 4.0],
        "grade": ["a", "b", None, "b"],
        "code": pd.Categorical(["1", "2", "1", "2"]),
        "day": ["2024-01-01", "2024-01-02", "2024-02-01", "2024-03-01"],
        "y": [0, 1, 0, 1],
    }
)
DATA = Dataset.from_frame(FRAME, target="y", name="mixed")


class TestNewRows:
    def test_the_rows_of_the_data_set_are_its_matrix(self):
        np.testing.assert_array_equal(new_rows(DATA, FRAME), DATA.X)
        np.testing.assert_array_equal(new_rows(DATA, DATA.frame()), DATA.X)
        np.testing.assert_array_equal(new_rows(DATA, FRAME.iloc[[2], ::-1]), DATA.X[[2]])

    @pytest.mark.parametrize("name", ["iris", "vote", "credit-g"])
    def test_of_bundled_data(self, name):
        (data,) = datasets(name)
        np.testing.assert_array_equal(new_rows(data, data.frame()), data.X)

    def test_an_array_has_the_order_of_the_columns(self):
        row = [3.0, "b", 2, "2024-01-03"]
        assert new_rows(DATA, [row]).tolist() == [[3.0, 1.0, 1.0, 19725.0]]
        (iris,) = datasets("iris")
        np.testing.assert_array_equal(new_rows(iris, iris.X[:3]), iris.X[:3])

    def test_an_unknown_category_counts_as_missing(self):
        with pytest.warns(UserWarning, match="column 'grade' has 'z', which did not occur"):
            made = new_rows(DATA, FRAME.assign(grade=["a", "z", None, "b"]))
        assert np.isnan(made[1:3, 1]).all()
        assert made[[0, 3], 1].tolist() == [0.0, 1.0]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="X must have the columns of 'mixed', but lacks 'size' and 'day'"):
            new_rows(DATA, FRAME[["grade", "code"]])
        with pytest.raises(InputError, match="a matrix with the 4 columns of 'mixed', got"):
            new_rows(DATA, np.zeros((2, 3)))
        with pytest.raises(InputError, match="column 'size' must hold numbers"):
            new_rows(DATA, FRAME.assign(size=["small", "large", "small", "x"]))


def test_units_of_new_rows_are_told():
    data = Dataset.from_frame(pd.DataFrame({"x": ["2 kg", "3 kg", "5 kg"], "y": [1.5, 2, 3]}))
    with pytest.warns(UserWarning, match="column 'x' is read as numbers without 'g': '700 g' is 700"):
        assert new_rows(data, pd.DataFrame({"x": ["700 g"]})).tolist() == [[700.0]]
