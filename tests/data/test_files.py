"""Every reader on real files, the bundled data sets, and how data sets are named."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fairtrial.data import datasets, read_dataset
from fairtrial.data.bundled import UCI, load_bundled
from fairtrial.data.files import near_files, read_frame
from fairtrial.errors import InputError
from fairtrial.results import read_scores

CSV = "size,colour,y\n1.5,red,a\n?,blue,b\nNA,,a\n4,red,b\n"


class TestReadCsv:
    def test_what_is_no_path(self):
        with pytest.raises(InputError, match="a table must be a DataFrame or the path of a file, got dict"):
            read_scores({"x": [1]})

    def test_by_hand(self, write):
        data = read_dataset(write("things.csv", CSV))
        assert data.name == "things"
        assert data.source.endswith("things.csv")
        np.testing.assert_array_equal(data.X, [[1.5, 1], [np.nan, 0], [np.nan, np.nan], [4, 1]])
        assert data.target.tolist() == ["a", "b", "a", "b"]

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("t.csv", CSV.replace(",", ";")),
            ("t.csv", CSV.replace(",", "\t")),
            ("t.tsv", CSV.replace(",", "\t")),
            ("t.CSV", CSV),
            ("t.csv", CSV.replace("\n", "\r\n")),
            ("t.csv", CSV.replace(",", ", ")),
            ("t.csv", b"\xef\xbb\xbf" + CSV.encode()),
            ("t.csv", CSV.encode("utf-16")),
            ("t.csv.gz", gzip.compress(CSV.encode(), mtime=0)),
            ("t.csv", CSV.replace(",", ";").replace("1.5", "1,5")),
            ("t.csv", CSV.replace("red", '"red"')),
        ],
    )
    def test_variants_give_the_same_data(self, write, name, content):
        plain = read_dataset(write("plain.csv", CSV))
        data = read_dataset(write(name, content))
        assert data.fingerprint == plain.fingerprint
        assert data.name == "t"

    def test_quoted_cells(self, write):
        data = read_dataset(write("t.csv", 'x,"a, b",y\n1,"p; q",u\n2,"r, s",v\n3,"r, s",u\n4,"say ""hi""",v\n'))
        assert data.features[1].name == "a, b"
        assert data.features[1].categories == ("p; q", "r, s", 'say "hi"')

    def test_none_is_a_category_and_numbers_are_exact(self, write):
        data = read_dataset(write("t.csv", "n,x,y\nnone,0.1234567890123456,1.5\nNone,1,2.5\n"))
        assert data.features[0].categories == ("None", "none")
        assert data.X[0, 1] == 0.1234567890123456

    def test_saved_index_is_left_out(self, write):
        frame = pd.DataFrame({"x": [1.5, 2, 4], "y": [1.5, 2.5, 3.5]})
        data = read_dataset(write("t.csv", frame.to_csv()))
        assert [f.name for f in data.features] == ["x"]
        assert any("counts the rows" in note.text for note in data.notes)

    def test_roles(self, write):
        text = "who,when,w,y,x,z\n" + "".join(f"p{i % 3},{9 - i},{i},{i % 2},{i * 1.5},{i}\n" for i in range(9))
        data = read_dataset(
            write("t.csv", text), target="y", groups="who", order="when", weights="w", positive=1, name="n"
        )
        assert [f.name for f in data.features] == ["x", "z"]
        assert (data.name, data.positive, data.order[0], data.groups[1], data.weights[2]) == ("n", 1, 9.0, "p1", 2.0)

    def test_dates_give_the_order(self, write):
        text = "day,x,y\n1970-01-02,1,1.5\n1970-01-05,2,2.5\n1970-01-03,4,0\n"
        assert read_dataset(write("t.csv", text), order="day").order.tolist() == [1.0, 4.0, 2.0]
        with pytest.raises(InputError, match="order of 't' must be numbers or dates like"):
            read_dataset(write("t.csv", text.replace("1970-01-05", "monday")), order="day")

    def test_latin_1_is_read_and_said(self, write):
        data = read_dataset(write("t.csv", CSV.replace("red", "grün").encode("latin-1")))
        assert "grün" in data.features[1].categories
        assert "t.csv is not UTF-8; it was read as Latin-1" in [note.text for note in data.notes]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("a,a,y\n1,2,3\n", "different names, got more than one 'a'"),
            ("5.1,3.5,0\n4.9,3.0,1\n", "line of column names, but its first line holds only numbers"),
            ("", "its first line is empty"),
            ("a,y\n1,2\n1,2,3\n", "must be a table with 2 columns"),
            ("a,y\n", "must have rows"),
            ("y\n1\n2\n", "at least one feature"),
            ("a,y\n1,u\n2,\n3,u\n", r"1 of 3 are missing \(counting from 0: rows 1\)"),
            ("a,y\n1,u\n2,v\n3,u\n", "only one of 'v'"),
            ("a,y\n1,1.5\ninf,2.5\n3,2\n", "'a' hold infinite"),
        ],
    )
    def test_says_what_was_wrong(self, write, text, message):
        with pytest.raises(InputError, match=message):
            read_dataset(write("t.csv", text))

    def test_wrong_paths(self, tmp_path):
        with pytest.raises(InputError, match=r"a data file must end in \.csv"):
            read_dataset("x.docx")
        with pytest.raises(InputError, match="must be a file that exists"):
            read_dataset(tmp_path / "x.csv")


class TestReadParquet:
    def test_same_as_csv(self, write, tmp_path):
        pytest.importorskip("pyarrow")
        frame = pd.DataFrame({"size": [1.5, None, None, 4], "colour": ["red", "blue", None, "red"], "y": list("abab")})
        frame.to_parquet(tmp_path / "t.parquet")
        frame.assign(colour=frame["colour"].astype("category")).to_parquet(tmp_path / "c.parquet")
        plain = read_dataset(write("plain.csv", CSV))
        assert read_dataset(tmp_path / "t.parquet").fingerprint == plain.fingerprint
        assert read_dataset(tmp_path / "c.parquet").fingerprint == plain.fingerprint

    def test_text_that_is_not_utf_8(self, tmp_path):
        pa = pytest.importorskip("pyarrow")
        pq = pytest.importorskip("pyarrow.parquet")
        binary = pa.array([b"a", b"-0.44\xff", b"b", b"c"])
        text = pa.StringArray.from_buffers(4, binary.buffers()[1], binary.buffers()[2])
        pq.write_table(pa.table({"x": text, "y": ["u", "v", "u", "v"]}), tmp_path / "t.parquet")
        with pytest.raises(InputError, match=r"must be a Parquet file, but can't be read as one: .*Invalid UTF8"):
            read_dataset(tmp_path / "t.parquet")

    def test_not_a_parquet_file(self, write):
        pytest.importorskip("pyarrow")
        with pytest.raises(InputError, match="must be a Parquet file"):
            read_dataset(write("t.parquet", "hello"))

    def test_without_pyarrow(self, write, monkeypatch):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(InputError, match=r"pip install 'fairtrial\[arrow\]'"):
            read_dataset(write("t.parquet", "hello"))


class TestReadArff:
    def test_last_attribute_is_the_class(self, write):
        text = (
            "@relation r\n@attribute class {u,v}\n@attribute s string\n"
            "@attribute d date yyyy-MM-dd\n@attribute y {a,b,c}\n"
        )
        rows = "u,'free text',1970-01-03,a\nv,more,?,b\n?,x,1970-01-02,a\nv,y,1970-01-02,b\n"
        data = read_dataset(write("t.arff", text + "@data\n" + rows))
        np.testing.assert_array_equal(data.X, [[0, 2], [1, np.nan], [np.nan, 1], [1, 1]])
        assert data.classes == ("a", "b")
        notes = "\n".join(note.text for note in data.notes)
        assert "target: the last attribute, 'y' (none was declared)" in notes
        assert "left out: 's' (an attribute of free text)" in notes
        assert "column 'd' holds dates" in notes
        assert "declared but never occur, left out: 'c'" in notes

    def test_compressed(self, write):
        content = (UCI / "labor.arff").read_bytes()
        assert (
            read_dataset(write("labor.arff.gz", gzip.compress(content))).fingerprint
            == load_bundled("labor").fingerprint
        )

    def test_names_file_and_line(self, write):
        with pytest.raises(InputError, match=r"t\.arff: ARFF line 3: a row must have 1 values, got 2"):
            read_dataset(write("t.arff", "@attribute x numeric\n@data\n1,2\n"))


@pytest.mark.slow
@pytest.mark.parametrize("work", ["fairtrial.data.arff", "fairtrial.data; fairtrial.data.datasets('vote')"])
def test_imports_are_light(work):
    code = f"import {work}; import sys; print({{'pandas', 'sklearn'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_damaged_parquet_file_whatever_is_raised(write, monkeypatch):
    pytest.importorskip("pyarrow")

    def damaged(_):
        raise KeyError("numpy_type")  # as pandas does where the description of the columns is damaged

    monkeypatch.setattr(pd, "read_parquet", damaged)
    with pytest.raises(InputError, match="must be a Parquet file, but can't be read as one: 'numpy_type'"):
        read_dataset(write("t.parquet", "PAR1"))


class TestNearFiles:
    def test_a_file_whose_name_is_nearly_right(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        for name in ("results.csv", "result.docx", "Other-Scores.parquet"):
            (tmp_path / name).write_text("a,b\n1,2\n")
        with pytest.raises(InputError, match=r"file that exists, got 'result\.csv' .*; did you mean 'results\.csv'\?$"):
            read_frame("result.csv")
        with pytest.raises(InputError, match=r"data file must exist, .*; did you mean 'results\.csv'\?$"):
            datasets("result.csv")
        assert near_files(Path("other_scores.parquet")) == "; did you mean 'Other-Scores.parquet'?"
        assert near_files(Path("churn.csv")) == near_files(Path("nowhere/results.csv")) == ""
