"""What must hold of a data set: each message says what was wrong, where and what to do."""

from __future__ import annotations

import numpy as np
import pytest

from fairtrial.data import Dataset
from fairtrial.data.dataset_checks import refuse_duplicates, refuse_missing
from fairtrial.errors import InputError

nan = np.nan


class TestCheck:
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


class TestRefuse:
    def test_missing_values_are_counted_and_their_rows_named(self):
        with pytest.raises(InputError, match=r"weights of 'd' .* 2 of 3 are missing \(counting from 0: rows 0 and 2\)"):
            refuse_missing(np.array([True, False, True]), "weights", "d")
        assert refuse_missing(np.array([False]), "weights", "d") is None

    def test_duplicates_are_named_once(self):
        with pytest.raises(
            InputError, match="columns of 'd' must have different names, got more than one 'a' and 'b'; "
        ):
            refuse_duplicates(["a", "b", "a", "b", "a", "c"], "'d'")
