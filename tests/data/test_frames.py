"""Data sets of frames: every kind of column, what is left out, and what the user is told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.data import Dataset
from fairtrial.errors import InputError, UnknownName

nan = np.nan


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
        notes = "\n".join(n.text for n in Dataset.from_frame(self.frame()).notes)
        assert "target: column 'Class' (none was declared; taken for its name)" in notes
        assert "left out: 'id' (it only counts the rows)" in notes
        assert "left out: 'name' (text that hardly ever repeats" in notes
        assert "column 'since' holds dates" in notes
        assert "column 'seen' holds dates" in notes
        assert "positive class: 'yes'" in notes

    def test_last_column_is_the_default_target(self):
        frame = pd.DataFrame({"a": [1.0, 2, 3], "b": [1.5, 2.5, 0]})
        assert Dataset.from_frame(frame).notes[0].text == "target: the last column, 'b' (none was declared)"
        assert Dataset.from_frame(frame, target="a", task="values").features[0].name == "b"

    def test_numbers_with_a_few_words_get_a_remark(self):
        frame = pd.DataFrame({"age": ["1", "2", "none", "2", "1", "1", "2"], "y": [0, 1, 0, 1, 0, 1, 1]})
        assert any("'age' is mostly numbers, but 'none'" in note.text for note in Dataset.from_frame(frame).notes)

    def test_categories_that_never_occur_are_no_classes(self):
        y = pd.Categorical(["a", "b", "a", "b"], categories=["a", "b", "c"])
        data = Dataset.from_frame(pd.DataFrame({"x": [1.0, 2, 3, 4], "y": y}))
        assert data.classes == ("a", "b")
        assert any("never occur, left out: 'c'" in note.text for note in data.notes)

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
        with pytest.raises(InputError, match=r"must be a DataFrame \(.*\), got \[1, 2\]; arrays need from_arrays"):
            Dataset.from_frame([1, 2])


class TestOddColumns:
    def test_days_that_are_not_there_are_texts(self):
        frame = pd.DataFrame({"day": ["2024-02-30", "2024-01-01"] * 3, "y": [1.5, 2, 3, 4, 5, 6]})
        assert Dataset.from_frame(frame).features[0].kind == "nominal"
        frame["day"] = ["٢٠٢٤-٠١-٠٣", "2024-01-01"] * 3
        assert Dataset.from_frame(frame).features[0].kind == "nominal"

    def test_whole_numbers_without_a_sign(self):
        frame = pd.DataFrame({"x": np.array([2**64 - 1, 1, 2], dtype=np.uint64), "y": [1.5, 2, 3]})
        assert Dataset.from_frame(frame).X[:, 0].tolist() == [2.0**64, 1, 2]  # they were wrapped to -1

    def texts(self, column, n=40):
        frame = pd.DataFrame({"x": np.resize(column, n), "y": np.arange(n) / 3})
        return {note.text: note.severity for note in Dataset.from_frame(frame).notes}

    def test_numbers_as_text_stay_categories_with_a_note(self):
        assert "column 'x' holds numbers as text: used as categories; convert it if they are quantities" in self.texts(
            ["1", "2", "3"]
        )

    @pytest.mark.parametrize("dates", [["31.12.2023", "1.1.2024"], ["12/31/23", "1/1/24"], ["2024/01/31", "2024/2/1"]])
    def test_dates_in_other_forms_are_texts_with_a_note(self, dates):
        assert "column 'x' holds dates that are used as text; write dates like 2024-01-31" in self.texts(dates)

    def test_a_last_row_that_sums_up(self):
        last = {"column 'x' ends with 'Total', as if the last row summed up the others; take that row out": "warning"}
        assert last.items() <= self.texts([*["north", "south"] * 19, "north", "Total"]).items()
        assert not last.items() & self.texts(["north", "Total"]).items()

    def test_a_column_without_values_is_told(self):
        assert "column 'x' has no values; leave it out" in self.texts([None])
