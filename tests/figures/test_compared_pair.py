"""Two methods of results, for figures that compare one with another."""

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.comparisons.compared_pair import compared_pair, sides_of
from fairtrial.results import read_scores
from fairtrial.results.absentees import DidNotRun

TABLE = pd.DataFrame({"dataset": list("abc"), "A": [1.0, 2.0, 4.0], "B": [2.0, 1.0, 8.0]})


class TestComparedPair:
    def test_lower_is_better_on_the_log_scale(self):
        pair = compared_pair(read_scores(TABLE, measure="fit_time"), "a figure", smallest_difference=0.1)
        assert pair.names == ("A", "B")
        assert pair.first.tolist() == [1.0, 2.0, 4.0]
        assert pair.better[0] - pair.better[1] == pytest.approx(np.log([2.0, 0.5, 2.0]))
        assert pair.smallest_difference == 0.1

    def test_units(self):
        shares = read_scores(TABLE.assign(A=TABLE["A"] / 10, B=TABLE["B"] / 10), measure="accuracy")
        assert compared_pair(shares, "a figure", smallest_difference="0.5pp").smallest_difference == 0.005
        with pytest.raises(InputError, match=r"'0\.5pp' .*, or '50pp'"):
            compared_pair(shares, "a figure", smallest_difference=0.5)

    def test_the_named_order_is_kept(self):
        pair = compared_pair(read_scores(TABLE, measure="rmse"), "a figure", methods=["B", "A"])
        assert pair.names == ("B", "A")
        assert pair.smallest_difference is None

    def test_a_method_that_did_not_run(self):
        rows = [(d, m, 0, np.nan if m == "C" else 0.5, "failed" if m == "C" else "ok") for d in "ab" for m in "ABC"]
        scores = pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy", "status"])
        results = read_scores(scores, measure="accuracy")
        pair = compared_pair(results, "a figure")
        assert pair.names == ("A", "B")
        assert any("C" in note for note in pair.notes)
        with pytest.raises(DidNotRun, match="leave 'C' out"):
            compared_pair(results, "a figure", methods=["A", "C"])

    def test_says_what_was_wrong(self):
        results = read_scores(TABLE, measure="rmse")
        with pytest.raises(UnknownName, match="no method of these results is called 'D'"):
            compared_pair(results, "a figure", methods=["A", "D"])
        with pytest.raises(InputError, match="a figure compares two methods, which must be named"):
            compared_pair(results, "a figure", methods=["A"])
        with pytest.raises(InputError, match="smallest_difference must be above 0, got 0"):
            compared_pair(results, "a figure", smallest_difference=0)


class TestSidesOf:
    def test_by_hand(self):
        first, second = np.array([0.3, 0.8, 0.5]), np.array([0.2, 0.7, 0.5])
        assert sides_of(first, second, None).tolist() == [1, 1, 0]
        assert sides_of(first, second, 0.1).tolist() == [
            0,
            0,
            0,
        ]  # in binary 0.3 − 0.2 is less than 0.1, 0.8 − 0.7 more
        assert sides_of(second, first, 0.09).tolist() == [-1, -1, 0]
