"""Markdown by hand and read back by a reader."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_tables import SMALL, Texts, one_cell
from markdown_it import MarkdownIt

from fairtrial.tables import (
    Answer,
    Column,
    Document,
    Facts,
    Folded,
    Heading,
    Numbers,
    Paragraph,
    Picture,
    Point,
    Points,
    References,
    Source,
    Strong,
    Table,
)
from fairtrial.tables.render_md import escape
from fairtrial.words import visible


class TestDocument:
    def test_by_hand(self):
        table = Table((Column("x"),), ((Strong("★ 1"),),))
        picture = Picture("Dots", "All of them.", None)
        blocks = (
            Answer("a_1 is best."), Paragraph("1. so they say"), Numbers((("11", "data sets"), ("2", "methods"))),
            Heading("Why", "why"), Facts((("Test", "none"), ("Checked", Point(True, "splits")))),
            Points((Point(False, "few"),)),
            table, picture, Folded("Depth", (Paragraph("p"), picture)), Folded("Copy", (Source(table, "latex"),)),
            References((("Ann 2020", "https://ann.org"),)),
        )  # fmt: skip
        assert Document(blocks, title="Which?").render("md", lambda _: "x-1.png").split("\n\n") == [
            "# Which?",
            "**a\\_1 is best.**",
            "1\\. so they say",
            "11 data sets · 2 methods",
            "## Why",
            "- **Test:** none\n- **Checked:** ✓ splits",
            "- ! few",
            "| x |\n| ---: |\n| **★ 1** |",
            "![Dots](<x-1.png>)",
            "*All of them.*",
            "### Depth",
            "p",
            "1. Ann 2020 <https://ann.org>",
        ]

    def test_sources_of_text_are_code(self):
        source = Source("@a{b,\n  c_1}\n```", "latex")
        assert Document((Folded("Copy", (source,)),)).render("md") == "### Copy\n\n````latex\n@a{b,\n  c_1}\n```\n````"

    def test_pictures_that_nobody_shows_are_left_out(self):
        assert Document((Picture("t", "c", None),)).render("md") == ""


class TestTable:
    def test_by_hand(self):
        assert SMALL.to_markdown().splitlines() == [
            "accuracy, mean over 10 folds",
            "",
            "| method | accuracy |",
            "| :--- | ---: |",
            "| forest | 0.904 |",
            "| bayes | – |",
            "| mean |  |",
            "",
            "one note",
        ]

    @settings(max_examples=60)
    @given(st.text(alphabet="ab|\\`*_[]()<>&;lt~$#!\n\x1b-+1. ", min_size=1, max_size=20).map(lambda s: f"x{s}y"))
    def test_against_a_reader(self, name):
        # markdown-it-py with GitHub's tables and strike-through
        reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
        parsed = Texts(reader.render(one_cell(name).to_markdown()))
        assert parsed.tags == ["table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td"]
        assert parsed.texts[-2].strip() == visible(" ".join(name.splitlines()))

    @pytest.mark.parametrize("caption", ["# big", "- item", "+ item", "1. first", "2) second", "> quote", "* star"])
    def test_a_caption_is_a_paragraph(self, caption):
        reader = MarkdownIt("commonmark").enable("table")
        parsed = Texts(reader.render(Table((Column("x"),), ((1,),), caption=caption).to_markdown()))
        assert parsed.tags[0] == "p"
        assert parsed.texts[0].strip() == caption

    def test_line_breaks_stay_inside_the_cell(self):
        assert escape("a\nb\r\nc") == "a b c"
