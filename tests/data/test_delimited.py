"""Tables with delimiters: line ends, long titles, too many and too few cells, parts of large files."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from fairtrial.data import delimited
from fairtrial.data.delimited import read_delimited, sniff_delimiter
from fairtrial.errors import InputError

FILE = Path("t.csv")


def read(text, **options):
    return read_delimited(text.encode(), FILE, **options)


class TestReadDelimited:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_line_ends_of_all_systems(self, end):
        table = read(end.join(["x,y", "1.5,a", '"2",b', ""]))
        assert table.frame.to_dict("list") == {"x": [1.5, 2.0], "y": ["a", "b"]}

    def test_long_titles_and_cells(self):
        before = csv.field_size_limit()
        table = read(f"{'x' * 200_000};y\n1;{'z' * 140_000}\n")
        assert [len(c) for c in table.frame.columns] == [200_000, 1]
        assert len(table.frame["y"][0]) == 140_000
        assert csv.field_size_limit() == before

    def test_the_delimiter_of_a_header_that_is_longer_than_the_sample(self):
        titles = ";".join(f"column {i}" for i in range(5_000))
        assert read(f"{titles}\n{';'.join(['1'] * 5_000)}\n").frame.shape == (1, 5_000)

    @pytest.mark.parametrize("rows", ["1,2,3\n4,5,6\n", "1,2\n4,5,6\n", "1,2\n4,5,,\n"])
    def test_cells_beyond_the_titles_are_not_lost(self, rows):
        line = 2 if rows.startswith("1,2,3") else 3
        with pytest.raises(
            InputError, match=f"a table with 2 columns, as its first line says, but line {line} has . cells"
        ):
            read("a,b\n" + rows)

    def test_a_delimiter_at_the_end_of_each_line_is_no_cell(self):
        table = read("a,b\n1,2,\n3,4,\n")
        assert table.frame.to_dict("list") == {"a": [1, 3], "b": [2, 4]}
        assert table.notes == []

    def test_short_rows_are_told(self):
        [note] = read("a,b\n1,2\n3\n5,6\n").notes
        assert note.text == (
            "1 row of t.csv has fewer cells than the 2 titles; it is line 3, and cells that are not there are missing "
            "values; check that the file is whole"
        )
        assert read("a,b\n1,2\n3,\n5,6\n").notes == []

    def test_names_are_kept_as_they_are_written(self):
        frame = read("id,x\n1.0,1.0\n1,1\n", is_name=lambda title: title == "id").frame
        assert frame["id"].tolist() == ["1.0", "1"]
        assert frame["x"].tolist() == [1.0, 1.0]

    def test_parts_of_a_large_file_agree_on_types(self, monkeypatch):
        monkeypatch.setattr(delimited, "ROWS_AT_ONCE", 2)
        table = read("a,b,c,d\n1,1,,u\n2,2,,v\n1.0,3.5,x,\nz,4,y,w\n")
        assert table.frame["a"].tolist() == ["1", "2", "1.0", "z"]  # as if it had been read at once
        assert table.frame["b"].tolist() == [1.0, 2.0, 3.5, 4.0]
        assert table.frame["c"].isna().tolist() == [True, True, False, False]

    def test_a_blank_cell_in_quotes_is_missing(self):
        assert read('a,b\n1,u\n" ",v\n').frame["a"].isna().tolist() == [False, True]

    def test_spaces_around_a_word_for_missing(self):
        frame = read("a,b\n1.5,u\nNA ,N/A \n2,v\n").frame
        assert frame["a"].dtype.kind == "f"
        assert frame["b"].isna().tolist() == [False, True, False]

    def test_numbers_with_many_digits_leave_missing_cells_missing(self):
        frame = read("a,b\n12345678901234567890123,1\n?,2\nx,3\n").frame
        assert frame["a"].isna().tolist() == [False, True, False]


class TestTitles:
    """A first line that is a row was once taken for titles: the row was lost, and columns were called 5.1 and 3.5."""

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n7.0,3.2,Iris-versicolor\n", "5.1, 3.5, Iris-setosa"),
            ("5,1;3,5;setosa\n4,9;3,0;setosa\n7,0;3,2;versicolor\n", "5,1, 3,5, setosa"),
            ("p,x,s\ne,x,s\np,b,y\n", "p, x, s"),  # UCI's mushroom: all text
            ("p,p,s\ne,x,s\np,p,y\n", "p, p, s"),  # equal cells are no equal titles
            ("3,3,s\n4,5,s\n", "3, 3, s"),
            ("?,3.5,a\n1,3.0,b\n2,2.5,a\n", r"\?, 3.5, a"),
            ("2019-01-01,3.5,a\n2019-01-02,3.0,a\n", "2019-01-01, 3.5, a"),
            ("P001,3.5,True\nP002,3.0,False\n", "P001, 3.5, True"),
        ],
    )
    def test_a_row_instead_of_titles(self, text, shown):
        with pytest.raises(
            InputError, match=rf"but its first line is a row like the others \({shown}, …\); add a line with names"
        ):
            read(text)

    def test_numbers_with_commas_instead_of_titles(self):
        with pytest.raises(InputError, match=r"its first line holds only numbers \(5,1, 3,5, …\)"):
            read("5,1;3,5\n4,9;3,0\n")

    @pytest.mark.parametrize(
        "titles", ["2019,2020,target", "0,1,2", "0,1,class", "dataset,1,2", "0.1,0.5,c", ",x,y", "x1,x2,y1"]
    )
    def test_titles_that_are_numbers(self, titles):
        table = read(f"{titles}\n1,2,a\n3,4,b\n")
        assert (table.frame.shape, table.notes) == ((2, 3), [])

    def test_a_row_with_a_name_that_is_not_repeated(self):
        [note] = read("Ann,3.5,male\nBob,2.5,male\n").notes
        assert (note.severity, note.text) == (
            "warning",
            "the first line of t.csv is read as column names, but 'male' also is an entry of its column; if that line "
            "is a row, add a line with names above it",
        )

    def test_titles_that_stand_again_below(self):
        with pytest.raises(InputError, match="in its first line only, but line 4 repeats them; take it out"):
            read("x,y\n1,a\n2,b\nx,y\n3,a\n")


class TestSniffDelimiter:
    def test_decimal_commas_without_titles(self):
        assert sniff_delimiter("5,1;3,5\n4,9;3,0\n") == ";"

    def test_lines_end_at_line_ends_only(self):
        assert sniff_delimiter("a;b\r1\u2028,5;2\r3;4\r") == ";"
