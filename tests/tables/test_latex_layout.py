"""Layouts: what fits is left alone, what does not is made narrower step by step, and no column is lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import UnknownName
from fairtrial.tables import Column, PlusMinus, Table, formats
from fairtrial.tables.latex_layout import PAGES, lay_out, page_called, tex_columns

NARROW, TEXT = PAGES["column"], PAGES["text"]


def columns_of(names, value=0.5, groups=None, rows=("a", "b")):
    groups = groups or [""] * len(names)
    heads = [Column(n, formats.fixed(3), group=g) for n, g in zip(names, groups, strict=True)]
    body = tuple((row, *[value] * len(names)) for row in rows)
    return tex_columns(Table((Column("data set", align="left"), *heads), body))


class TestLayOut:
    def test_what_fits_is_left_alone(self):
        layout = lay_out(columns_of("xyz"), TEXT)
        assert (layout.stage.font, layout.stage.titles) == ("normalsize", "line")
        assert [part.columns for part in layout.parts] == [(0, 1, 2, 3)]
        assert layout.width < 200

    def test_titles_are_broken_before_the_font_gets_smaller(self):
        layout = lay_out(columns_of([f"learner number {i}" for i in range(6)]), TEXT)
        assert (layout.stage.font, layout.stage.titles, len(layout.parts)) == ("normalsize", "wrapped", 1)

    def test_long_titles_stand_upright(self):
        layout = lay_out(columns_of([f"averylongname{i}" for i in range(6)]), NARROW)
        assert (layout.stage.titles, len(layout.parts)) == ("upright", 1)

    @pytest.mark.parametrize(("methods", "parts"), [(6, 1), (8, 2)])
    def test_a_table_is_shrunk_a_little_before_it_is_cut(self, methods, parts):
        columns = columns_of([f"m{i}" for i in range(methods)], PlusMinus(0.5, 0.1), rows=["cancer-recurrence"])
        layout = lay_out(columns, TEXT)
        assert len(layout.parts) == parts
        assert (layout.stage.font == "scriptsize") == (parts == 1)

    def test_rows_that_numbers_name_are_named_in_every_part(self):
        heads = (Column("df"), *(Column(f"0.{i}", formats.fixed(3)) for i in range(20)))
        columns = tex_columns(Table(heads, ((7, *[12.706] * 20), (8, *[2.306] * 20))))
        parts = lay_out(columns, NARROW).parts
        assert len(parts) > 1
        assert all(part.columns[0] == 0 for part in parts)

    def test_texts_are_broken_into_lines(self):
        layout = lay_out(columns_of("xy", rows=["many words " * 20]), NARROW)
        (part,) = layout.parts
        assert list(part.widths) == [0]
        assert 7 < part.widths[0] < 25

    def test_groups_stay_together(self):
        groups = [g for g in ("iris", "wine", "vote", "glass") for _ in range(3)]
        layout = lay_out(columns_of(list("abcdefghijkl"), PlusMinus(0.5, 0.1), groups), NARROW)
        assert [[(j - 1) // 3 for j in part.columns[1:]] for part in layout.parts] == [[k] * 3 for k in range(4)]

    @settings(max_examples=30)
    @given(st.integers(0, 60), st.integers(1, 80), st.sampled_from(list(PAGES)))
    def test_every_column_once_and_the_first_in_each_part(self, n, length, page):
        layout = lay_out(columns_of([f"{i:02}" + "x" * length for i in range(n)]), PAGES[page])
        assert [j for part in layout.parts for j in part.columns[1:]] == list(range(1, n + 1))
        assert all(part.columns[0] == 0 for part in layout.parts)
        assert layout.width <= PAGES[page].width + 1

    def test_of_nothing(self):
        assert lay_out([], TEXT).width == 0


def test_an_unknown_width():
    with pytest.raises(UnknownName, match="no width is called 'colum'; did you mean 'column'"):
        page_called("colum")
