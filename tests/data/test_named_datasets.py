"""Data sets by name, file, folder and pattern, and the choices for each."""

from __future__ import annotations

import numpy as np
import pytest
from same_data import mixed_frame, numbers

from fairtrial.data import Dataset, datasets
from fairtrial.data.named_datasets import as_list
from fairtrial.errors import InputError, UnknownName


class TestDatasets:
    def test_every_kind_of_name(self, write, tmp_path):
        write("a.csv", CSV)
        write("b.csv", CSV.replace("4", "5"))
        write("notes.md", "not data")
        own = Dataset.from_arrays([[1.0], [2.0]], [1.5, 2.5], name="own")
        found = datasets("uci/vote", own, str(tmp_path / "a.csv"))
        assert [d.name for d in found] == ["vote", "own", "a"]
        assert found[1] is own
        assert [d.name for d in datasets(str(tmp_path / "*.csv"))] == ["a", "b"]
        assert [d.name for d in datasets(tmp_path)] == ["a", "b"]

    def test_relative_paths_and_patterns(self, write, tmp_path, monkeypatch):
        write("sub/a.csv", CSV)
        monkeypatch.chdir(tmp_path)
        assert [d.name for d in datasets("sub/*.csv")] == ["a"]
        assert [d.name for d in datasets("sub/a.csv")] == ["a"]

    def test_choices(self, write):
        path = write("a.csv", "u,v\n" + "x,p\ny,q\ny,p\nx,q\ny,q\n")
        _, data = datasets("iris", path, target="u", positive="y")
        assert (data.classes, data.positive) == (("x", "y"), "y")
        _, data = datasets(
            "credit-g", path, target={"a": "u"}, positive={"a": "y", "credit-g": "good"}, task={"a": "classes"}
        )
        assert (data.classes, data.positive) == (("x", "y"), "y")
        assert datasets("credit-g", "vote", positive="good")[0].positive == "good"
        assert datasets("vote")[0].positive == "republican"

    def test_one_name_twice(self, write):
        a, b = write("one/data.csv", CSV), write("two/data.csv", CSV.replace("4", "5"))
        assert [d.name for d in datasets(a, b)] == ["data", "data-2"]
        with pytest.raises(InputError, match="'vote' is given twice"):
            datasets("vote", "uci/vote")

    def test_says_what_was_wrong(self, write, tmp_path):
        with pytest.raises(
            UnknownName, match=r"no data set is called 'irs'; did you mean 'iris'\? Or name a file that"
        ):
            datasets("irs")
        with pytest.raises(InputError, match=r"a data file must exist, but 'churn\.csv' does not"):
            datasets("churn.csv")
        with pytest.raises(InputError, match="must hold data files"):
            datasets(tmp_path)
        with pytest.raises(InputError, match="must hold data files"):
            datasets(str(tmp_path / "*.csv"))
        with pytest.raises(InputError, match="at least one name"):
            datasets()
        with pytest.raises(
            InputError,
            match=r"a data set must be a name, a file, a Dataset, a DataFrame \(.*\) or a pair \(X, y\), got 3",
        ):
            datasets(3)
        with pytest.raises(InputError, match="target can only be chosen for files and DataFrames"):
            datasets("iris", target="y")
        with pytest.raises(
            InputError, match=r"task can only be chosen for files, DataFrames, pairs .*, but 'iris' has"
        ):
            datasets("iris", write("a.csv", CSV), task={"iris": "values"})
        with pytest.raises(UnknownName, match="no data set \\(in positive\\) is called 'wine'"):
            datasets("iris", positive={"wine": "x"})
        with pytest.raises(InputError, match="positive must be a class of a data set with two classes, got 'x'"):
            datasets("iris", "vote", positive="x")


class TestInMemory:
    def test_names(self, write):
        frame, X_y = mixed_frame(), numbers()
        found = datasets(frame, X_y, {"churn": frame[1:], "german": "credit-g", "file": write("a.csv", CSV)}, frame[2:])
        assert [d.name for d in found] == ["data", "data_2", "churn", "german", "file", "data_3"]
        said = [[n.text for n in d.notes if n.about == "name"] for d in found]
        assert said[1] == ["name: 'data_2' (none was given); to name it: {'churn': …}"]
        assert [len(notes) for notes in said] == [1, 1, 0, 0, 0, 1]
        assert [d.name for d in datasets({"data": X_y}, frame)] == ["data", "data_2"]

    def test_target_and_other_choices(self, write):
        frame = mixed_frame()
        file = write("a.csv", "plan,n\n" + "x,1\ny,2\n" * 9)
        found = datasets({"churn": frame.fillna({"plan": "none"})}, file, numbers(), "vote", target="plan")
        assert [d.classes for d in found[:3]] == [("basic", "gold", "none"), ("x", "y"), (0, 1)]
        [data] = datasets(numbers(), task="values")
        assert data.task == "values"
        [data] = datasets({"churn": frame}, target={"churn": "member"}, positive={"churn": True})
        assert (data.classes, data.positive) == ((False, True), True)
        with pytest.raises(UnknownName, match="no column of 'churn' is called 'churnd'; did you mean 'churned'"):
            datasets({"churn": frame}, target="churnd")
        with pytest.raises(
            InputError, match=r"target can only be chosen for files and DataFrames, .*, but all of 'data'"
        ):
            datasets(numbers(), target="y")

    def test_one_or_several(self):
        frame, pair = mixed_frame(), numbers()
        for one in ("iris", frame, pair, {"churn": frame}, pair[0], pair[1], 3, None):
            assert as_list(one)[0] is one
        assert len(as_list((frame, frame))) == len(as_list([pair, pair])) == len(as_list(iter("ab"))) == 2
        assert as_list(np.array(["iris", "vote"])) == ["iris", "vote"]

    def test_says_what_was_wrong(self, tmp_path, write):
        write("a.csv", CSV)
        write("b.csv", CSV)
        with pytest.raises(InputError, match=r"'both' must be one data set, but .* means 2; give them without a name"):
            datasets({"both": tmp_path})
        with pytest.raises(InputError, match="a data set must have a text as its name, got 3"):
            datasets({3: mixed_frame()})
        with pytest.raises(InputError, match=r"'churn' must be a name, a file, .*, got \{'a': \[1, 2\]\}"):
            datasets({"churn": {"a": [1, 2]}})


CSV = "size,colour,y\n1.5,red,a\n?,blue,b\nNA,,a\n4,red,b\n"
