"""CSV by hand and read back."""

from __future__ import annotations

import csv
import io

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from made_tables import SMALL, cells, nan

from fairtrial.tables import Answer, Column, Document, Strong, Table, formats
from fairtrial.words import spreadsheet_text


class TestDocument:
    def test_has_the_tables_alone(self):
        table = Table((Column("x"),), ((Strong("★ 1"),),))
        assert Document((Answer("yes"), table, table), title="t").render("csv") == "x\n★ 1\n\nx\n★ 1"


class TestTable:
    def test_by_hand(self):
        assert SMALL.to_csv() == "method,acc\nforest,0.90412345\nbayes,\nmean,"

    @given(st.lists(st.tuples(cells, st.text(), st.floats()), max_size=5))
    def test_round_trip_unrounded(self, rows):
        table = Table((Column("a"), Column("b", formats.fixed(1)), Column("c", formats.percent)), tuple(rows))
        head, *body = csv.reader(io.StringIO(table.to_csv(), newline=""))
        assert head == ["a", "b", "c"]
        assert [row[1] for row in body] == [spreadsheet_text(b) for _, b, _ in rows]
        read = [float(row[2]) if row[2] else nan for row in body]
        np.testing.assert_array_equal(read, [c for _, _, c in rows])

    def test_a_name_is_no_formula(self):
        table = Table((Column("method"), Column("value")), (("=1+1", -1.5), ("-x", 2)))
        assert table.render("csv").splitlines()[1:] == ["'=1+1,-1.5", "'-x,2"]
