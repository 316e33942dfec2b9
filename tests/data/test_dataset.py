"""Dataset: what is made of frames and arrays, what the user is told, fingerprints, messages."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fairtrial.data import Dataset, Feature
from fairtrial.errors import InputError, UnknownName

nan = np.nan


def small(**changes) -> Dataset:
    parts = {
        "name": "small",
        "X": np.array([[0.5, 0], [1.5, 1], [nan, 2], [-0.25, nan]]),
        "target": np.array(["no", "yes", "no", "yes"]),
        "task": "classes",
        "features": (Feature("size", "numeric"), Feature("colour", "nominal", ("blue", "grün", "red"))),
        "classes": ("no", "yes"),
        "positive": "yes",
        "groups": np.array(["a", "a", "b", "b"]),
        "order": np.array([1.0, 2.0, 3.0, 4.0]),
        "weights": np.array([1.0, 1.0, 2.0, 2.0]),
    }
    return Dataset(**(parts | changes))


class TestFingerprint:
    def test_is_the_same_everywhere_and_always(self):
        assert small().fingerprint == "c324458fbcb6bb0910b867c9a3ea73fa"

    def test_leaves_out_what_is_not_content(self):
        data = small()
        other = replace(data, name="other", source="elsewhere", notes=("hello",))
        assert other.fingerprint == data.fingerprint

    @pytest.mark.parametrize(
        "changes",
        [
            {"X": np.array([[0.5, 0], [1.5, 1], [nan, 2], [-0.25, 0]])},
            {"target": np.array(["yes", "no", "no", "yes"])},
            {"target": np.array(["no", "oui", "no", "oui"]), "classes": ("no", "oui"), "positive": "oui"},
            {"target": np.array([0, 1, 0, 1]), "classes": (0, 1), "positive": 1},
            {"target": np.array([False, True] * 2), "classes": (False, True), "positive": True},
            {"target": np.array([0.0, 1, 0, 1]), "task": "values", "classes": (), "positive": None},
            {"positive": "no"},
            {"features": (Feature("length", "numeric"), Feature("colour", "nominal", ("blue", "grün", "red")))},
            {"features": (Feature("size", "numeric"), Feature("colour", "nominal", ("blue", "green", "red")))},
            {"features": (Feature("size", "numeric"), Feature("colour", "numeric"))},
            {"groups": np.array(["a", "a", "a", "b"])},
            {"groups": np.array([1, 1, 2, 2])},
            {"groups": None},
            {"order": np.array([1.0, 2.0, 3.0, 5.0])},
            {"order": None},
            {"weights": np.array([1.0, 1.0, 2.0, 1.0])},
            {"weights": None},
        ],
    )
    def test_changes_with_each_part(self, changes):
        assert small(**changes).fingerprint != small().fingerprint

    def test_does_not_depend_on_memory_layout_or_kind_of_nan(self):
        odd = np.asfortranarray(small().X)
        odd[np.isnan(odd)] = -np.array([nan])
        assert small(X=odd).fingerprint == small().fingerprint

    def test_all_changes_differ_from_each_other(self):
        names = [small(order=None), small(weights=None), small(groups=None), small(order=None, weights=None)]
        assert len({d.fingerprint for d in names}) == 4


class TestDataset:
    def test_properties(self):
        data = small()
        assert (data.n, data.p, data.missing, data.needs_encoding) == (4, 2, 0.25, True)
        assert data.balance == {"no": 0.5, "yes": 0.5}
        assert data.codes.tolist() == [0, 1, 0, 1]
        assert data.codes.dtype == np.int64
        assert data.raw is data.X

    def test_frame(self):
        frame = small().frame()
        assert frame["colour"].tolist()[:3] == ["blue", "grün", "red"]
        assert frame["colour"].isna().tolist() == [False] * 3 + [True]
        assert frame["size"].dtype == np.float64
        back = Dataset.from_frame(frame.assign(y=small().target), positive="yes")
        np.testing.assert_array_equal(back.X, small().X)

    def test_can_not_be_changed(self):
        with pytest.raises(ValueError, match="read-only"):
            small().X[0, 0] = 1

    def test_pickles(self):
        data = small()
        assert pickle.loads(pickle.dumps(data)).fingerprint == data.fingerprint

    def test_prints(self):
        text = str(small())
        assert "1 numeric, 1 nominal" in text
        assert "2 classes: no 50 %, yes 50 %" in text
        assert "groups, order, weights" in text
        assert "<table" in small()._repr_html_()
        assert repr(small()) == "Dataset('small', 4 × 2, 2 classes)"
        assert "values from 0.5000 to 2.500" in str(Dataset.from_arrays([[1.0], [2.0]], [0.5, 2.5]))

    def test_with_positive(self):
        assert small().with_positive("no").positive == "no"
        with pytest.raises(InputError, match="positive must be one of the classes 'no', 'yes' of 'small', got 'maybe'"):
            small().with_positive("maybe")


class TestFromArrays:
    def test_copies(self):
        X, y = np.array([[1.0], [2.0], [3.0]]), np.array([1.5, 2.5, 3.5])
        data = Dataset.from_arrays(X, y)
        X[0] = y[0] = 9
        assert data.X[0, 0] == 1
        assert data.target[0] == 1.5

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
        assert any(note.startswith("task:") for note in data.notes) == guessed

    def test_declared_task_is_not_a_guess(self):
        data = Dataset.from_arrays(np.arange(4.0)[:, None], [0, 1, 0, 1], task="values")
        assert data.target.dtype == np.float64
        assert data.notes == ()

    def test_positive(self):
        X = np.arange(5.0)[:, None]
        assert Dataset.from_arrays(X, [1, 1, 0, 0, 0], task="classes").positive == 1
        assert Dataset.from_arrays(X, [1, 1, 0, 0, 1], task="classes").positive == 0
        assert Dataset.from_arrays(X[:4], [1, 1, 0, 0], task="classes").positive == 1
        assert "equally frequent" in Dataset.from_arrays(X[:4], [1, 1, 0, 0]).notes[-1]
        assert Dataset.from_arrays(X, [1, 1, 0, 0, 0], positive="0", task="classes").positive == 0
        assert Dataset.from_arrays(X, list("aabbb"), positive="b").notes == ()

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

    @pytest.mark.parametrize(
        ("X", "y", "options", "message"),
        [
            (
                [[1.0], [2.0], [3.0]],
                ["a", None, "a"],
                {},
                r"but 1 of 3 are missing \(counting from 0: rows 1\); leave those",
            ),
            ([[1.0], [2.0], [3.0]], [nan, 1.0, nan], {}, r"2 of 3 are missing \(counting from 0: rows 0, 2\)"),
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


class TestFromFrame:
    def frame(self, n: int = 60) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "id": range(n),
                "name": [f"person {i}" for i in range(n)],
                "colour": (["red", "blue", None] * n)[:n],
                "grade": pd.Categorical((["low", "high"] * n)[:n], categories=["low", "middle", "high"], ordered=True),
                "age": [nan, *range(1, n)],
                "member": ([True, False] * n)[:n],
                "since": pd.to_datetime(["1970-01-03"] * n),
                "seen": ["1970-01-02"] * n,
                "visits": pd.array([None, *range(1, n)], dtype="Int64"),
                "Class": (["yes", "no", "no"] * n)[:n],
                "shop": (["s1", "s2"] * n)[:n],
            }
        )

    def test_every_kind_of_column(self):
        data = Dataset.from_frame(self.frame(), groups="shop", name="people")
        kinds = {f.name: f.kind for f in data.features}
        assert kinds == {
            "colour": "nominal",
            "grade": "nominal",
            "age": "numeric",
            "member": "numeric",
            "since": "numeric",
            "seen": "numeric",
            "visits": "numeric",
        }
        np.testing.assert_array_equal(data.X[0], [1, 0, nan, 1, 2, 1, nan])
        np.testing.assert_array_equal(data.X[2], [nan, 0, 2, 1, 2, 1, 2])
        assert data.features[1].categories == ("low", "middle", "high")
        assert data.groups.tolist()[:2] == ["s1", "s2"]
        assert data.target.dtype.kind == "U"
        assert data.positive == "yes"

    def test_says_what_it_did(self):
        notes = "\n".join(Dataset.from_frame(self.frame()).notes)
        assert "target: column 'Class' (none was declared; taken for its name)" in notes
        assert "left out: 'id' (it only counts the rows)" in notes
        assert "left out: 'name' (text that hardly ever repeats" in notes
        assert "column 'since' holds dates" in notes
        assert "column 'seen' holds dates" in notes
        assert "positive class: 'yes'" in notes

    def test_last_column_is_the_default_target(self):
        frame = pd.DataFrame({"a": [1.0, 2, 3], "b": [1.5, 2.5, 0]})
        assert Dataset.from_frame(frame).notes[0] == "target: the last column, 'b' (none was declared)"
        assert Dataset.from_frame(frame, target="a", task="values").features[0].name == "b"

    def test_numbers_with_a_few_words_get_a_remark(self):
        frame = pd.DataFrame({"age": ["1", "2", "none", "2", "1", "1", "2"], "y": [0, 1, 0, 1, 0, 1, 1]})
        assert any("'age' is nearly all numbers, but 'none'" in note for note in Dataset.from_frame(frame).notes)

    def test_categories_that_never_occur_are_no_classes(self):
        y = pd.Categorical(["a", "b", "a", "b"], categories=["a", "b", "c"])
        data = Dataset.from_frame(pd.DataFrame({"x": [1.0, 2, 3, 4], "y": y}))
        assert data.classes == ("a", "b")
        assert any("never occur, left out: 'c'" in note for note in data.notes)

    def test_mixed_objects_are_text(self):
        frame = pd.DataFrame({"x": [1, "a", None, 1], "y": [1.5, 2, 3, 4]})
        assert Dataset.from_frame(frame).features[0].categories == ("1", "a")

    def test_column_that_is_all_missing(self):
        frame = pd.DataFrame({"x": [None] * 3, "z": [1.0, 2, 3], "y": [1.5, 2, 3]})
        assert np.isnan(Dataset.from_frame(frame).X[:, 0]).all()

    def test_says_what_was_wrong(self):
        frame = pd.DataFrame({"a": [1.0, 2, 3], "b": [1.5, 2.5, 0]})
        with pytest.raises(UnknownName, match="no column of 'data' is called 'c'"):
            Dataset.from_frame(frame, target="c")
        with pytest.raises(UnknownName, match="no column of 'data' is called 'shop'"):
            Dataset.from_frame(frame, groups="shop")
        with pytest.raises(InputError, match="different names, got more than one 'a'"):
            Dataset.from_frame(frame.rename(columns={"b": "a"}))
        with pytest.raises(InputError, match="must have at least one feature"):
            Dataset.from_frame(frame[["a"]])
        with pytest.raises(InputError, match="must have rows"):
            Dataset.from_frame(frame[:0])
        with pytest.raises(InputError, match="must have columns"):
            Dataset.from_frame(pd.DataFrame())
        with pytest.raises(InputError, match="must be a pandas DataFrame, got list"):
            Dataset.from_frame([1, 2])
