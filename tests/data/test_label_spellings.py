"""Labels that are one label: spaces at their ends, forms of Unicode; and labels that look alike."""

from __future__ import annotations

import pandas as pd
import pytest

from fairtrial.data import Dataset, read_dataset
from fairtrial.data.encode import new_rows
from fairtrial.data.spellings import alike, with_one_spelling


class TestOneSpelling:
    @pytest.mark.parametrize(
        ("other", "shown"),
        [("yes ", "'yes '"), ("yes\u00a0", r"'yes\xa0'"), (" yes\u2009", r"'yes\u2009'")],
    )
    def test_spaces_at_the_ends_make_no_class(self, write, other, shown):
        # they were two classes, without a word
        data = read_dataset(write("t.csv", "x,y\n" + f"1,yes\n2,{other}\n3,no\n4,no\n"))
        assert data.classes == ("no", "yes")
        assert f"column 'y' has 'yes' and {shown} as one label" in " ".join(n.text for n in data.notes)

    def test_forms_of_unicode_make_no_category(self):
        frame = pd.DataFrame({"x": ["caf\u00e9", "cafe\u0301", "bar", None], "y": [1.5, 2, 3, 4]})
        data = Dataset.from_frame(frame)
        assert data.features[0].categories == ("bar", "caf\u00e9")
        assert data.X[:3, 0].tolist() == [1, 1, 0]
        assert new_rows(data, pd.DataFrame({"x": ["cafe\u0301 "]})).tolist() == [[1.0]]

    def test_groups(self, write):
        text = "who,x,y\nann,1,a\nann ,2,b\nbob,3,a\nbob,4,b\n"
        assert read_dataset(write("t.csv", text), groups="who").groups.tolist() == ["ann", "ann", "bob", "bob"]

    def test_clean_labels_and_other_objects_stay(self):
        for column in (pd.Series(["yes", None, "é"]), pd.Series([1, True, "1 "])):
            made, notes = with_one_spelling("x", column)
            assert made is column
            assert notes == []

    def test_spaces_that_join_nothing_need_no_note(self):
        made, notes = with_one_spelling("x", pd.Series(["yes ", "no"]))
        assert (made.tolist(), notes) == (["yes", "no"], [])


def test_labels_that_look_alike():
    assert alike(["Yes", "no", "yes", "y e s", "yes\u200b", "ｙｅｓ"]) == [["Yes", "yes", "yes\u200b", "ｙｅｓ"]]
    assert alike(["m", "n", "é", "e"]) == []
