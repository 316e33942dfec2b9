"""Tables of a page: titles over several columns, numbers to sort by, texts to be copied, and what fits on paper."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairtrial.tables import Column, Marked, PlusMinus, Strong, Table, formats
from fairtrial.tables.render_html import explanation, notebook_table, page_table, sources

GROUPED = Table(
    (Column("data set", align="left"), Column("mean", group="a & b"), Column("p", group="a & b"), Column("n")),
    (("iris", 0.5, 0.1, 3),),
)


def wide(columns: int, rows: int = 1) -> Table:
    return Table(tuple(Column(f"c{j}") for j in range(columns)), ((1,) * columns,) * rows)


class TestHead:
    def test_neighbours_of_a_group_have_its_name_above_them(self):
        expected = '<tr><td></td><th class="group" scope="colgroup" colspan="2">a &amp; b</th><td></td></tr>'
        assert f"<thead>{expected}<tr>" in notebook_table(GROUPED)
        assert f"<thead>{expected}<tr>" in page_table(GROUPED)

    def test_long_titles_may_be_broken_and_empty_ones_are_no_titles(self):
        page = page_table(Table((Column("against forest"), Column("", align="left")), ((1, "*"),)))
        assert '<th class="right long" scope="col">against forest</th><td class="left"></td>' in page


class TestCells:
    def test_the_first_one_names_the_row(self):
        page = page_table(GROUPED)
        assert '<tr><th class="left" scope="row">iris</th><td class="right">0.5000</td>' in page
        assert '<td class="left">iris</td>' in notebook_table(GROUPED)

    @pytest.mark.parametrize(
        ("value", "write", "expected"),
        [
            (0.5, formats.auto, '<td class="right">0.5000</td>'),
            (0.025, formats.p_value, '<td class="right">0.025</td>'),
            (1e-9, formats.p_value, '<td class="right" data-v="1e-09">'),
            (0.0025, formats.duration, '<td class="right" data-v="0.0025">2.5 ms</td>'),
            (PlusMinus(0.9, 0.1), formats.fixed(2), '<td class="right" data-v="0.9">0.90 ± 0.10</td>'),
            (Marked(0.7, mark="†"), formats.fixed(1), '<td class="right" data-v="0.7">0.7†</td>'),
            ((-0.25, 0.5), formats.span(formats.fixed(2)), '<td class="right" data-v="-0.25">'),
            (math.nan, formats.auto, '<td class="right">–</td>'),
            (Strong("★ 0.9"), formats.auto, '<td class="right"><strong>★ 0.9</strong></td>'),
            (math.inf, formats.auto, '<td class="right" data-v="inf">'),
            (np.int64(1770), formats.count, '<td class="right" data-v="1770">1,770</td>'),
        ],
    )
    def test_have_the_number_to_sort_by_where_the_text_is_not_that_number(self, value, write, expected):
        assert expected in page_table(Table((Column("name"), Column("x", write)), (("a", value),)))


class TestCopies:
    def test_are_what_the_other_formats_write(self):
        table = Table((Column("a<b"),), ((0.123456789,),), call="results.table('x')")
        page = page_table(table)
        assert "<summary>As LaTeX or CSV or Python</summary>" in page
        assert '<pre data-as="CSV">a&lt;b\n0.123456789<' in page
        assert r"a\textless{}b" in page
        assert '<pre data-as="Python">results.table(&#x27;x&#x27;)</pre>' in page

    def test_tables_for_no_paper_are_not_offered_as_latex(self):
        assert '<pre data-as="LaTeX">' in page_table(wide(2, 200))
        assert '<pre data-as="LaTeX">' not in page_table(wide(2, 201))
        assert '<pre data-as="LaTeX">' not in page_table(wide(41, 98))

    def test_nothing_to_copy(self):
        assert list(sources({})) == []
        assert list(explanation("")) == []


class TestSizes:
    def test_classes_say_what_fits(self):
        assert page_table(wide(9, 14)).startswith('<div class="block wide short">')
        assert page_table(wide(10, 15)).startswith('<div class="block wide across">')
        assert page_table(wide(23, 15)).startswith('<div class="block wide too-wide">')
        assert "23 columns, too many for paper" in page_table(wide(23))
        assert "on-paper" not in page_table(wide(22))

    def test_long_tables_scroll_below_their_titles(self):
        assert '<div class="scroll" ' in page_table(wide(1, 30))
        assert '<div class="scroll tall" ' in page_table(wide(1, 31))
