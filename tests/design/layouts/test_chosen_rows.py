import numpy as np
import pytest
from made_axes import NESTED, ranges

from fairtrial.design.layouts import Axis, BestGuess, OneAtATime
from fairtrial.errors import InputError, UnknownName

NAN = float("nan")


class TestBestGuess:
    def test_rows_as_they_are(self):
        rows = ((0, 0.5, NAN, NAN, 1), (2, NAN, 3, -1, 0))
        found = BestGuess(rows).lay_out(NESTED, seed=1).rows
        assert np.array_equal(found, np.array(rows), equal_nan=True)

    @pytest.mark.parametrize(
        ("row", "says"),
        [
            ((0, 0.5, 1, NAN, 1), "'depth' must be nan, since the factor is nested in row 0, got"),
            ((0, NAN, NAN, NAN, 1), "'C' must have a value in row 0"),
            ((3, NAN, NAN, NAN, 1), "'model' must have the number of a level, 0 to 2"),
            ((0.5, NAN, NAN, NAN, 1), "'model' must have the number of a level"),
            ((0, float("inf"), NAN, NAN, 1), "'C' must have a finite number"),
            ((0, 1), "a value for each of the 5 factors, got 2 values"),
        ],
    )
    def test_impossible_rows(self, row, says):
        with pytest.raises(InputError, match=says):
            BestGuess((row,)).lay_out(NESTED, seed=1)


class TestOneAtATime:
    def test_by_hand(self):
        rows = OneAtATime(base={"A": -1}, levels=3).lay_out([*ranges(1), Axis("k", 2)], seed=1).rows
        assert rows.tolist() == [[-1, 0], [0, 0], [1, 0], [-1, 1]]

    def test_each_row_differs_from_the_base_in_one_factor(self):
        rows = OneAtATime(levels=4).lay_out([*ranges(3), Axis("k", 5)], seed=1).rows
        assert len(rows) == 1 + 3 * 4 + 4
        assert ((rows[1:] != rows[0]).sum(axis=1) == 1).all()

    def test_nested_factors_are_changed_where_they_exist(self):
        rows = OneAtATime().lay_out(NESTED, seed=1).rows
        text = [",".join("" if np.isnan(v) else f"{v:g}" for v in row) for row in rows]
        assert text[:3] == ["0,0,,,0", "1,,0,,0", "2,,0,0,0"]
        assert {"0,-1,,,0", "0,1,,,0", "1,,3,,0", "2,,0,-1,0", "2,,0,1,0", "0,0,,,1"} <= set(text)
        assert len(set(text)) == len(text)

    def test_unknown_factor_and_level(self):
        with pytest.raises(UnknownName, match="no factor is called 'B'"):
            OneAtATime(base={"B": 0}).lay_out(ranges(1), seed=1)
        with pytest.raises(InputError, match="'k' must have the number of a level, 0 to 1, got 2"):
            OneAtATime(base={"k": 2}).lay_out([Axis("k", 2)], seed=1)
