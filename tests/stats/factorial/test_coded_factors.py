import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.stats.factorial.model_terms import FactorColumn, factor_columns

EVERYWHERE = np.ones(3, dtype=bool)


def columns(design, names=None, levels=None):
    return factor_columns(design, names, levels)


class TestFactorColumns:
    def test_an_array_has_names_by_number(self):
        found = columns(np.array([[-1, 1], [1, 1], [1, -1]]))
        assert [f.name for f in found] == ["x1", "x2"]
        assert found[0].values.tolist() == [-1, 1, 1]

    def test_text_is_listed_in_order_of_names_unless_levels_say_otherwise(self):
        design = {"kernel": ["rbf", "linear", "poly"]}
        assert columns(design)[0].levels == ("linear", "poly", "rbf")
        given = columns(design, levels={"kernel": ["linear", "rbf", "poly"]})[0]
        assert given.levels == ("linear", "rbf", "poly")
        assert given.values.tolist() == [1, 0, 2]

    def test_numbers_become_levels_where_levels_are_given(self):
        (found,) = columns({"t": [15, 125, 70]}, levels={"t": [15, 70, 125]})
        assert found.levels == ("15", "70", "125")
        assert found.values.tolist() == [0, 2, 1]

    def test_absent_is_nan(self):
        found = columns({"C": [-1, None, float("nan")], "kernel": ["rbf", None, "rbf"]})
        assert found[0].present.tolist() == [True, False, False]
        assert found[1].present.tolist() == [True, False, True]

    def test_a_frame(self):
        pandas = pytest.importorskip("pandas")
        found = columns(pandas.DataFrame({"depth": [-1, 1], "kernel": ["a", "b"]}))
        assert [(f.name, f.levels) for f in found] == [("depth", None), ("kernel", ("a", "b"))]

    @pytest.mark.parametrize(
        ("design", "more", "says"),
        [
            ([1, 2, 3], {}, "a row for each setting and a column for each factor, got 1 dimensions"),
            ({"A": [1, 2], "B": [1]}, {}, "columns of lengths {'A': 2, 'B': 1}"),
            ({}, {}, "at least one factor and one setting"),
            ({"A": [None, None]}, {}, "factor 'A' must have a value in some setting"),
            ({"depth": [3, 10, 30]}, {}, "coded units .* got 30; code it, or name its levels"),
            ({"A": [1, float("inf")]}, {}, "factor 'A' must be finite"),
            ({"A": ["a", "b"]}, {"levels": {"B": ["a"]}}, "levels must name factors of the design"),
            ({"A": ["a", "b"]}, {"levels": {"A": ["a", "c"]}}, "but the design has 'b'"),
            ([[1, 2]], {"names": ["A", "A"]}, "names must be 2 different names"),
        ],
    )
    def test_says_what_is_wrong(self, design, more, says):
        with pytest.raises(InputError, match=says):
            columns(design, **more)


class TestCoding:
    def test_two_numbers_are_low_and_high_whatever_they_are(self):
        coding = FactorColumn("n", np.array([50.0, 200.0, 50.0])).coding(EVERYWHERE, all_pairs=False)
        ((name, vector),) = coding.effects
        assert name == "n"
        fitted = coding.columns[:, 0] * vector[0]
        assert fitted.tolist() == [-2, 2, -2]  # twice ±1: coefficient times vector is high less low

    def test_columns_of_levels_add_up_to_zero(self):
        factor = FactorColumn("kernel", np.array([0.0, 1.0, 2.0]), ("linear", "rbf", "poly"))
        coding = factor.coding(EVERYWHERE, all_pairs=True)
        assert coding.columns.sum(axis=0).tolist() == [0, 0]
        assert [name for name, _ in coding.effects] == [
            "kernel (rbf − linear)",
            "kernel (poly − linear)",
            "kernel (poly − rbf)",
        ]

    def test_only_levels_that_occur(self):
        factor = FactorColumn("kernel", np.array([0.0, 2.0, 2.0]), ("linear", "rbf", "poly"))
        coding = factor.coding(EVERYWHERE, all_pairs=False)
        assert coding.columns.shape == (3, 1)
        assert [name for name, _ in coding.effects] == ["kernel"]

    def test_a_range_has_a_slope(self):
        factor = FactorColumn("depth", np.array([-1.0, 0.0, 1.0]))
        assert factor.is_curved()
        assert factor.coding(EVERYWHERE, all_pairs=False).effects[0][1].tolist() == [2.0]


def test_rows_of_several_lengths():
    with pytest.raises(InputError, match="its rows have several lengths"):
        factor_columns([[0, 1], [0]], None, None)
