"""The target: labels or numbers, guessed or declared, and the positive class."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.data import Dataset
from fairtrial.data.dataset import as_labels, is_missing, narrow
from fairtrial.errors import InputError


class TestTask:
    @pytest.mark.parametrize(
        ("y", "task", "classes"),
        [
            (["a", "b"] * 10, "classes", ("a", "b")),
            ([True, False] * 10, "classes", (False, True)),
            ([0, 1] * 10, "classes", (0, 1)),
            ([0.0, 1.0] * 10, "classes", (0, 1)),
            (np.array([0, 1] * 10, dtype=object), "classes", (0, 1)),
            (np.arange(20), "values", ()),
            (np.arange(20) / 2, "values", ()),
            ([0.5, 1.0] * 10, "values", ()),
            (pd.Series([1, 2] * 10, dtype="Int8"), "classes", (1, 2)),
            (pd.Series(["u", "v"] * 10, dtype="category"), "classes", ("u", "v")),
            (pd.Series(["u", "v"] * 10, dtype="string"), "classes", ("u", "v")),
        ],
    )
    def test_guesses_the_task(self, y, task, classes):
        data = Dataset.from_arrays(np.arange(40.0).reshape(20, 2), y)
        assert (data.task, data.classes) == (task, classes)
        assert [type(c) for c in data.classes] == [type(c) for c in classes]
        guessed = data.target.dtype.kind in "if"  # text and bools leave nothing to guess
        assert any(note.text.startswith("task:") for note in data.notes) == guessed

    def test_declared_task_is_not_a_guess(self):
        data = Dataset.from_arrays(np.arange(4.0)[:, None], [0, 1, 0, 1], task="values")
        assert data.target.dtype == np.float64
        assert data.notes == ()


class TestPositive:
    def test_positive(self):
        X = np.arange(5.0)[:, None]
        assert Dataset.from_arrays(X, [1, 1, 0, 0, 0], task="classes").positive == 1
        assert Dataset.from_arrays(X, [1, 1, 0, 0, 1], task="classes").positive == 0
        assert Dataset.from_arrays(X[:4], [1, 1, 0, 0], task="classes").positive == 1
        assert "equally frequent" in Dataset.from_arrays(X[:4], [1, 1, 0, 0]).notes[-1].text
        assert Dataset.from_arrays(X, [1, 1, 0, 0, 0], positive="0", task="classes").positive == 0
        assert Dataset.from_arrays(X, list("aabbb"), positive="b").notes == ()


class TestNarrow:
    def test_objects_become_the_narrowest_kind(self):
        kinds = {"b": [True, False], "i": [1, 2], "f": [1, 2.5], "U": ["a", 2]}
        assert {kind: narrow(np.array(v, dtype=object)).dtype.kind for kind, v in kinds.items()} == {
            k: k for k in kinds
        }

    def test_missing_is_nan_none_or_not_a_time(self):
        assert is_missing(np.array([1.0, np.nan])).tolist() == [False, True]
        assert is_missing(np.array(["a", None], dtype=object)).tolist() == [False, True]
        assert is_missing(np.array(["NaT", "2024-01-01"], dtype="M8[D]")).tolist() == [True, False]
        assert not is_missing(np.array([1, 2])).any()


class TestLargeLabels:
    def test_whole_numbers_beyond_64_bits_are_text(self):
        assert narrow(np.array([10**23, 10**23 + 1], dtype=object)).tolist() == [str(10**23), str(10**23 + 1)]
        assert narrow(np.array([2**64 - 1], dtype=np.uint64)).tolist() == ["18446744073709551615"]
        assert narrow(np.array([1.5, 10**400], dtype=object)).tolist() == ["1.5", str(10**400)]

    def test_floats_that_are_not_told_apart_are_no_labels(self):
        assert as_labels(np.array([2.0**53 - 1]), "t").tolist() == [2**53 - 1]
        with pytest.raises(
            InputError, match=r"must be whole numbers below 2\^53 or text, got 1e\+23, .* task='values'"
        ):
            as_labels(np.array([1e23, 1.0]), "t")


class TestTargetOfTexts:
    def target(self, cells, **options):
        return Dataset.from_frame(pd.DataFrame({"x": np.arange(len(cells)) / 3, "price": cells}), **options)

    def test_quantities_are_values(self):
        data = self.target([f"${i}.5" for i in range(30)])
        assert (data.task, data.target[3]) == ("values", 3.5)  # it was 30 classes
        assert any("column 'price' is read as numbers without '$'" in n.text for n in data.notes)

    def test_labels_stay_labels(self):
        assert self.target(["10%", "20%"] * 15).classes == ("10%", "20%")
        assert self.target(["2D", "3D"] * 15).classes == ("2D", "3D")
        assert self.target(["1", "2"] * 15).classes == ("1", "2")
        assert self.target(["$1.5", "$2.5"] * 15, task="classes").classes == ("$1.5", "$2.5")
        assert self.target(["$1.5", "$2.5"] * 15, positive="$1.5").positive == "$1.5"

    def test_declared_values(self):
        assert self.target(["10%", "20%"] * 3, task="values").target[:2].tolist() == [10, 20]
        assert self.target(["1", "2.5"] * 3, task="values").target[:2].tolist() == [1, 2.5]
        with pytest.raises(InputError, match="must be numbers, got text such as 'unknown'"):
            self.target(["1", "2.5", "unknown"], task="values")

    def test_numbers_with_a_few_words_get_a_warning(self):
        data = self.target([*["1", "2", "3", "4"] * 4, "unknown", "unknown"])
        assert [n.text for n in data.notes if n.severity == "warning"] == [
            "column 'price' is mostly numbers, but 'unknown' among them makes it text; write missing values as ? or "
            "leave them empty, and numbers as numbers only"
        ]
