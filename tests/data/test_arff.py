"""The ARFF reader: quoting, missing values, sparse rows, dates, line numbers in errors; WEKA's own result file."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.data.arff import Attribute, parse_arff
from fairtrial.data.bundled import UCI
from fairtrial.errors import InputError


def arff(rows: str, *attributes: str) -> str:
    return "@relation t\n" + "".join(f"@attribute {a}\n" for a in attributes) + "@data\n" + rows


def quoted(value: str) -> str:
    """As WEKA's Utils.quote writes it."""
    for plain, escaped in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"), ("%", "\\%")):
        value = value.replace(plain, escaped)
    return f"'{value}'"


class TestParseArff:
    def test_by_hand(self):
        table = parse_arff(
            "% comment\r\n@RELATION 'two words'\r\n\r\n@Attribute 'the size' REAL\r\n"
            "@attribute colour {red, 'dark blue'}\r\n@attribute remark string\r\n@DATA\r\n% another\r\n"
            "1.5, red, 'it\\'s'\r\n?,?,?\r\n-2e3,'dark blue',plain text\r\n"
        )
        assert table.relation == "two words"
        assert table.attributes == (
            Attribute("the size", "numeric"),
            Attribute("colour", "nominal", ("red", "dark blue")),
            Attribute("remark", "string"),
        )
        np.testing.assert_array_equal(table.columns[0], [1.5, np.nan, -2000])
        np.testing.assert_array_equal(table.columns[1], [0, -1, 1])
        assert table.values("colour") == ["red", None, "dark blue"]
        assert table.values("remark") == ["it's", None, "plain text"]

    def test_nasty_quoting(self):
        values = r"""{'','-A \"b \\\"c\\\"\"', "it's", 'x,y', '}', '?', '50%', 'line\nbreak', '\u0041'}"""
        rows = (
            r"""'','-A \"b \\\"c\\\"\"'""" + "\n" + r'"it\'s"' + "," + "'x,y'\n'}','?'\n'50%',?\n" + r"'line\nbreak',A"
        )
        table = parse_arff(arff(rows, f"a {values}", f"b {values}"))
        assert table.values("a") == ["", "it's", "}", "50%", "line\nbreak"]
        assert table.values("b") == ['-A "b \\"c\\""', "x,y", "?", None, "A"]

    def test_trailing_comment_and_blanks_between_values(self):
        table = parse_arff(arff("1,yes % sure, really\n2\tno\n3 'yes'\n4,50%\n", "x numeric", "y {yes, no, 50%}"))
        assert table.values("y") == ["yes", "no", "yes", "50%"]

    def test_sparse_rows(self):
        table = parse_arff(arff("{0 2.5, 2 'b c'}\n{}\n{1 ?}\n", "x numeric", "n {u, v}", "m {a, 'b c'}"))
        assert table.values("x") == [2.5, 0, 0]
        assert table.values("n") == ["u", "u", None]
        assert table.values("m") == ["b c", "a", "a"]

    def test_dates_are_days_since_1970(self):
        table = parse_arff(arff("'1970-01-02',1970-01-01T12:00:00\n?,?", 'd date "yyyy-MM-dd"', "e date"))
        np.testing.assert_array_equal(table.columns[0], [1.0, np.nan])
        np.testing.assert_array_equal(table.columns[1], [0.5, np.nan])

    def test_no_rows(self):
        table = parse_arff(arff("", "x numeric", "y {a}"))
        assert [len(c) for c in table.columns] == [0, 0]

    @given(st.lists(st.text(st.characters(codec="utf-8"), max_size=8), min_size=1, max_size=6, unique=True), st.data())
    def test_what_weka_writes_comes_back(self, categories, data):
        cells = data.draw(st.lists(st.none() | st.sampled_from(categories), max_size=10))
        rows = "\n".join(f"{i},{'?' if c is None else quoted(c)}" for i, c in enumerate(cells))
        name = "name " + categories[0]
        table = parse_arff(arff(rows, "i numeric", f"{quoted(name)} {{{','.join(map(quoted, categories))}}}"))
        assert table.attributes[1] == Attribute(name, "nominal", tuple(categories))
        assert table.values(name) == cells

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (arff("1\n2\nthree\n", "x numeric"), "line 6: a value of 'x' must be a number, got 'three'"),
            (arff("a\n\nc\n", "x {a, b}"), "line 6: a value of 'x' must be one of its 2 categories, got 'c'"),
            (arff("1,2\n1,2,3\n", "x numeric", "y numeric"), "line 6: a row must have 2 values, got 3"),
            (arff("1,2,{5}\n", "x numeric", "y numeric"), "line 5: a row must have 2 values, got 3"),
            (arff("'open,2\n", "x {a}", "y numeric"), "line 5: a quoted value must be closed and followed by a comma"),
            (arff("'a'b,2\n", "x {a}", "y numeric"), "line 5: a quoted value must be closed"),
            (arff("{7 1}\n", "x numeric"), "line 4: a sparse row must be pairs"),
            (arff("{0 1\n", "x numeric"), "line 4: a sparse row must end with a brace"),
            (arff("1\n", "x relational"), "line 2: the type of 'x' must be numeric"),
            (arff("1\n", "x {a, b"), "line 2: the list of categories is broken"),
            (arff("1\n", "x {a, a}"), "line 2: categories must differ"),
            (arff("1,2\n", "'x' numeric", "x {2}"), "line 3: the names of attributes must differ, got 'x' twice"),
            (arff("1\n", 'x date "EEE"'), "line 2: a date format may use"),
            (arff("31.12.99\n", "x date yyyy-MM-dd"), "line 4: a value of 'x' must be a date"),
            ("@relation t\n@data\n", "line 2: @data must come after"),
            ("x,y\n1,2\n", "line 1: expected @relation, @attribute or @data, got 'x,y'"),
            ("@relation t\n@attribute x numeric\n", "must have a line @data"),
        ],
    )
    def test_says_the_line(self, text, message):
        with pytest.raises(InputError, match=re.escape(message)):
            parse_arff(text)

    def test_unknown_attribute(self):
        with pytest.raises(InputError, match="no attribute is called 'sise'; did you mean 'size'"):
            parse_arff(arff("1\n", "size numeric")).values("sise")


class TestRealFiles:
    @pytest.mark.parametrize("path", sorted(UCI.glob("*.arff")), ids=lambda p: p.stem)
    def test_against_scipy(self, path):
        # scipy.io.arff.loadarff: numbers as they are, nominal values as bytes
        from scipy.io import arff as scipy_arff

        table = parse_arff(path.read_text())
        rows, meta = scipy_arff.loadarff(path)
        assert [name.strip("'") for name in meta] == table.names  # scipy 1.17 keeps the quotes of 'K'
        for attribute, name in zip(table.attributes, meta, strict=True):
            theirs = rows[name]
            if attribute.kind == "numeric":
                np.testing.assert_array_equal(table.values(attribute.name), theirs)
            else:
                assert [v or "?" for v in table.values(attribute.name)] == [v.decode() for v in theirs]

    def test_weka_result_file(self, shared_table):
        table = parse_arff(shared_table("weka/results_10x10.arff").read_text())
        assert len(table.attributes) == 60
        assert len(table.values("Key_Dataset")) == 4000
        options = (
            '-K 1 -W 0 -A "weka.core.neighboursearch.LinearNNSearch -A \\"weka.core.EuclideanDistance -R first-last\\""'
        )
        assert options in table.values("Key_Scheme_options")
        assert "Number of leaves: 4\nSize of the tree: 7\n" in table.values("Summary")
        assert table.values("Percent_correct")[0] == 33.333333


class TestOddSpellings:
    """Numbers, dates and spaces that were Python errors, or were read as something else."""

    @pytest.mark.parametrize("cell", ["1_000", "٣", "１", "1e", "--1", "0x1F"])
    def test_only_plain_numbers_are_numbers(self, cell):
        with pytest.raises(InputError, match=r"ARFF line 5: a value of 'x' must be a number, got "):
            parse_arff(arff(f"1\n{cell}\n", "x numeric"))

    @pytest.mark.parametrize("space", ["\u00a0", "\x0b", "\x1c", "\u2003", " \t "])
    def test_lines_of_odd_spaces_are_empty(self, space):
        table = parse_arff(f"@relation r\n{space}\n@attribute{space}x\tnumeric\n@data\n{space}\n1\n")
        assert table.values("x") == [1.0]

    @pytest.mark.parametrize("pattern", ["'yyyy yyyy'", "'yyyy-MM-yyyy'", "'YYYY'", "'--'"])
    def test_date_formats(self, pattern):
        with pytest.raises(InputError, match=r"ARFF line 2: a date format may use yyyy MM dd HH mm ss, each once, got"):
            parse_arff(arff("1\n", f"d date {pattern}"))

    def test_dates_by_hand(self):
        assert parse_arff(arff("'12:00'\n", "d date 'HH:mm'")).values("d") == [0.5]  # in 1970, as in Java
        assert parse_arff(arff("'100% 1970-01-03'\n", "d\tdate\t'100% yyyy-MM-dd'")).values("d") == [2.0]
        with pytest.raises(InputError, match="must be a date like %Y-%m-%d, got"):
            parse_arff(arff("'٢٠٢٤-٠١-٠٣'\n", "d date 'yyyy-MM-dd'"))

    def test_giant_numbers(self):
        assert parse_arff(arff("1e400\n" + "9" * 400 + "\n", "x numeric")).values("x") == [np.inf, np.inf]
        with pytest.raises(InputError, match="a sparse row must be pairs of index and value"):
            parse_arff(arff("{" + "9" * 5000 + " 1}\n", "x numeric"))

    def test_an_index_twice_in_a_sparse_row(self):
        with pytest.raises(InputError, match="each index once, got ' 0 2'"):
            parse_arff(arff("{0 1, 0 2}\n", "x numeric"))

    def test_two_escapes_make_one_character(self):
        assert parse_arff(arff("'\\ud83d\\ude00'\n", "s string")).values("s") == ["😀"]

    def test_many_attributes_take_time_in_proportion(self):
        # a search through all earlier names for each attribute would be 2·10⁸ steps
        table = parse_arff(arff(",".join("1" * 20_000), *(f"x{i} numeric" for i in range(20_000))))
        assert len(table.attributes) == 20_000
