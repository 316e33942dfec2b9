"""What must hold of a data set: each message says what was wrong, where and what to do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.data import Dataset, read_dataset
from fairtrial.data.dataset_guards import (
    alike_labels,
    imbalanced_classes,
    missing_values,
    placeholder_numbers,
    reader_choices,
    repeated_names,
)
from fairtrial.errors import InputError
from fairtrial.notices import check

nan = np.nan


class TestNewDataset:
    @pytest.mark.parametrize(
        ("X", "y", "options", "message"),
        [
            (
                [[1.0], [2.0], [3.0]],
                ["a", None, "a"],
                {},
                r"but 1 of 3 are missing \(counting from 0: rows 1\); leave those",
            ),
            ([[1.0], [2.0], [3.0]], [nan, 1.0, nan], {}, r"2 of 3 are missing \(counting from 0: rows 0 and 2\)"),
            ([[1.0], [2.0]], ["a", "a"], {}, "must have at least two classes, but every row is 'a'"),
            ([[1.0], [2.0]], [2.5, 2.5], {}, "must vary, but every row is 2.5"),
            ([[1.0], [2.0], [3.0]], ["a", "a", "b"], {}, "at least two instances .* only one of 'b'"),
            ([[1.0], [np.inf]], [1.5, 2.5], {"features": ["wage"]}, "must be finite, but 'wage' hold infinite"),
            ([[1.0], [2.0]], [1.5, np.inf], {}, "target of 'data' must be finite, but rows 1"),
            ([[1.0, 2], [2.0, 3]], [1.5, 2.5], {"features": ["a", "a"]}, "different names, got more than one 'a'"),
            ([1.0, 2.0], [1.5, 2.5], {}, "must be a matrix"),
            ([["x"], ["y"]], [1.5, 2.5], {}, "must be a matrix of numbers .* from_frame"),
            ([[1.0], [2.0]], [1.5, 2.5, 3.5], {}, "one entry for each of 2 rows"),
            ([[1.0], [2.0]], [[1.5], [2.5]], {}, "must be one column"),
            (np.empty((0, 1)), [], {}, "must have rows"),
            (np.empty((2, 0)), [1.5, 2.5], {}, "at least one feature"),
            (
                [[1.0], [2.0]],
                [1.5, 2.5],
                {"task": "classification"},
                "task must be 'classes' or 'values', got 'classif",
            ),
            (
                [[1.0], [2.0]],
                [1.5, 2.5],
                {"task": "classes"},
                "labels of 'data' must be text, whole numbers or bools, got 1.5",
            ),
            ([[1.0], [2.0]], ["a", "b"], {"task": "values"}, "must be numbers, got text such as 'a'"),
            ([[1.0], [2.0]], [1.5, 2.5], {"positive": 1}, "positive must be left out for a target of values"),
            ([[1.0]] * 6, list("aabbcc"), {"positive": "a"}, "left out unless there are two classes"),
            ([[1.0], [2.0]], [1.5, 2.5], {"weights": [1, -1]}, "weights of 'data' must be finite and not negative"),
            ([[1.0], [2.0]], [1.5, 2.5], {"groups": ["a", None]}, "groups of 'data' must have a value in every row"),
            (
                [[1.0], [2.0]],
                [1.5, 2.5],
                {"order": np.array(["NaT", "2024-01-01"], dtype="M8[D]")},
                "order of 'data' must",
            ),
        ],
    )
    def test_says_what_was_wrong(self, X, y, options, message):
        with pytest.raises(InputError, match=message):
            Dataset.from_arrays(X, y, **options)


class TestMissingValues:
    def test_are_counted_and_their_rows_named(self):
        with pytest.raises(InputError, match=r"weights of 'd' .* 2 of 3 are missing \(counting from 0: rows 0 and 2\)"):
            check("known values", np.array([True, False, True]), "weights", "d")
        assert list(missing_values(np.array([False]), "weights", "d")) == []

    def test_are_evidence(self):
        (found,) = missing_values(np.array([True, False, True]), "weights", "d")
        assert (found.severity, found.about, found.evidence) == ("refusal", "d", {"missing": 2, "rows": 3})


class TestRepeatedNames:
    def test_are_named_once(self):
        with pytest.raises(InputError, match=r"columns of 'd' must have different names, got .* 'a' and 'b'; rename"):
            check("column names", ["a", "b", "a", "b", "a", "c"], "'d'")
        assert list(repeated_names(["a", "b"], "'d'")) == []


class TestReaderChoices:
    def test_are_told_with_the_name_of_the_data_set(self):
        data = Dataset.from_arrays([[1.0], [2.0], [4.0], [5.0], [6.0]], list("ababa"), name="d")
        (found,) = reader_choices(data)
        assert found.text == "d: positive class: 'b', the rarer of the two (none was declared)"
        assert (found.severity, found.about, found.evidence) == ("note", "d", {"class": "b", "share": 0.4})
        assert list(reader_choices(data.with_positive("a"))) == []


class TestImbalancedClasses:
    @pytest.mark.parametrize(("rare", "text"), [(10, "d: 90 % of the instances are of one class"), (11, "")])
    def test_by_hand(self, rare, text):
        data = Dataset.from_arrays(np.zeros((100, 1)), ["a"] * rare + ["b"] * (100 - rare), name="d")
        found = list(imbalanced_classes(data))
        assert [n.text.partition(",")[0] for n in found] == ([text] if text else [])

    def test_numbers_have_no_classes(self):
        assert list(imbalanced_classes(Dataset.from_arrays([[1.0], [2.0]], [0.5, 1.5]))) == []


class TestAlikeLabels:
    def test_features_and_target(self):
        frame = pd.DataFrame({"x": ["red", "Red", "blue", "blue"] * 2, "y": ["yes", "Yes", "no", "no"] * 2})
        texts = [n.text for n in alike_labels(Dataset.from_frame(frame, name="d"))]
        same = "which look alike and are 2 categories; write them in one way if they mean the same"
        assert texts == [
            f"d: the feature 'x' has 'Red' and 'red', {same}",
            f"d: the target has 'Yes' and 'yes', {same}",
        ]

    def test_declared_categories(self, write):
        arff = "@relation r\n@attribute x {'a','a '}\n@attribute y {u,v}\n@data\na,u\n'a ',v\na,u\n'a ',v\n"
        [found] = alike_labels(read_dataset(write("t.arff", arff)))
        assert "'a' and 'a '" in found.text


class TestPlaceholderNumbers:
    @pytest.mark.parametrize("value", [-999, 9999, 99])
    def test_by_hand(self, value):
        X = [[1], [value], [3], [value], [nan]]
        [found] = placeholder_numbers(Dataset.from_arrays(X, list("ababa"), name="d"))
        assert found.text == (
            f"d: 2 values of column 'x0' are {value}, far from others: they may be missing; write missing values "
            "as ? or leave them empty"
        )

    @pytest.mark.parametrize("values", [[99, 98, 97, 99, 60], [-999, 1, 2, 3, 4], [99, 99, 100, 100, 100], [nan] * 5])
    def test_numbers_that_are_what_they_are(self, values):
        assert list(placeholder_numbers(Dataset.from_arrays(np.c_[values], list("ababa")))) == []

    def test_a_target_of_values(self):
        [found] = placeholder_numbers(Dataset.from_arrays(np.c_[:5], [1.5, -999, 2, -999, 3], name="d"))
        assert "column 'target'" in found.text


def test_warnings_of_a_reader_stay_warnings():
    frame = pd.DataFrame({"x": ["2 kg", "300 g", "3 kg", "500 g"], "y": [1.5, 2, 3, 4]})
    assert [n.severity for n in reader_choices(Dataset.from_frame(frame, task="values", target="y"))] == ["warning"]
