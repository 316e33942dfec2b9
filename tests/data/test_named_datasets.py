"""Data sets by name, file, folder and pattern, and the choices for each."""

from __future__ import annotations

import pytest

from fairtrial.data import Dataset, datasets
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
            UnknownName, match=r"no data set is called 'irs'; did you mean 'iris'\? \(or name a file that"
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
        with pytest.raises(InputError, match="must be a name, a file or a Dataset, got 3"):
            datasets(3)
        with pytest.raises(InputError, match="target can be chosen for files only"):
            datasets("iris", target="y")
        with pytest.raises(InputError, match="task can be chosen for files only, but 'iris' has its own"):
            datasets("iris", write("a.csv", CSV), task={"iris": "values"})
        with pytest.raises(UnknownName, match="no data set \\(in positive\\) is called 'wine'"):
            datasets("iris", positive={"wine": "x"})
        with pytest.raises(InputError, match="positive must be a class of a data set with two classes, got 'x'"):
            datasets("iris", "vote", positive="x")


CSV = "size,colour,y\n1.5,red,a\n?,blue,b\nNA,,a\n4,red,b\n"
