import json

import numpy as np
import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import effects_over_datasets, factorial_model
from fairtrial.stats.factorial.contrasts import checked_effects, term_columns, units_better

VALUES = np.array([[0.3, -0.1], [0.2, 0.0], [0.5, 0.1], [0.1, -0.2], [0.4, -0.3], [0.6, 0.2], [0.7, 0.4]])


class TestCheckedEffects:
    def test_names_terms_and_notes_of_a_model(self):
        model = factorial_model({"k": ["a", "b", "c"]}, against="all")
        _, names, terms, _ = checked_effects(model.values([[1, 2, 3]]), None, "data set")
        assert names == ("k (b − a)", "k (c − a)", "k (c − b)")
        assert terms == ("k", "k", "k")

    def test_a_row_with_nan_is_refused_and_named(self):
        with pytest.raises(
            InputError, match=r"1 of 4 values is not \(row 1\); choose a failure policy, leave out those"
        ):
            checked_effects([[1.0, 2.0], [np.nan, 1.0]], None, "data set")

    @pytest.mark.parametrize("effects", [[1.0, 2.0], np.zeros((0, 2)), 3.0])
    def test_shape(self, effects):
        with pytest.raises(InputError, match="a row for each split and a column for each effect"):
            checked_effects(effects, None, "split")

    def test_names_must_differ(self):
        with pytest.raises(InputError, match="2 different names"):
            checked_effects([[1.0, 2.0]], ["A", "A"], "split")


def test_terms_with_several_effects():
    assert term_columns(["A", "k", "k", "B"]) == {"k": [1, 2]}


class TestUnitsBetter:
    def test_by_hand(self):
        assert units_better(VALUES, higher_is_better=True) == ((7, 0, 0), (3, 1, 3))
        assert units_better(VALUES, higher_is_better=False) == ((0, 0, 7), (3, 1, 3))


class TestEffects:
    found = effects_over_datasets(VALUES, names=["depth", "rate"])

    def test_in_words(self):
        assert self.found.helps_on("rate") == "helps on 3 of 7 data sets"

    def test_an_unknown_name(self):
        with pytest.raises(UnknownName, match="no effect is called 'depht'; did you mean 'depth'"):
            self.found.helps_on("depht")

    def test_rows_are_ordered_by_size(self):
        assert [row[0] for row in effects_over_datasets(VALUES[:, ::-1]).to_table().rows] == ["effect 2", "effect 1"]

    def test_prints_and_is_plain_data(self):
        assert "3 of 7" in str(self.found)
        assert "3 of 7" in self.found._repr_html_()
        json.dumps(self.found.to_dict())
        assert self.found.to_dict()["helps"] == [[7, 0, 0], [3, 1, 3]]
