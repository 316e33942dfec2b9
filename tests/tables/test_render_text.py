"""Text by hand; nothing that came from data reaches the terminal as a command."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_tables import SMALL

from fairtrial.tables import (
    Answer,
    Column,
    Document,
    Facts,
    Folded,
    Heading,
    Marked,
    Numbers,
    Paragraph,
    Point,
    Points,
    References,
    Source,
    Strong,
    Table,
    formats,
)
from fairtrial.tables.render_text import width
from fairtrial.words import visible


class TestGroups:
    columns = (Column("m", align="left"), Column("accuracy", group="iris"), Column("auc", group="iris"),
               Column("x", group="averylongname"), Column("p"))  # fmt: skip

    def test_their_names_stand_above_their_columns(self):
        assert Table(self.columns, (("a", 1, 2, 3, 4),)).to_text().splitlines() == [
            "   ─── iris ────  …",
            "m  accuracy  auc  x  p",
            "a         1    2  3  4",
        ]


class TestDocument:
    def test_by_hand(self):
        table = Table((Column("x"),), ((1,),))
        blocks = (
            Paragraph("b did not run."),
            Answer("a is best."),
            Numbers((("11", "data sets"), ("2", "methods"))),
            Heading("Why"),
            table,
            Facts((("Test", "none"), ("Checked", Point(True, "same splits")), ("Checked", Point(False, "few")))),
            Points((Point(False, "beware"),)),
            Folded("Depth", (table, Source(table, "latex"))),
            Folded("Nothing on paper", (Source(table, "latex"),)),
            References((("Ann 2020", "https://ann.org"),)),
        )
        assert Document(blocks, title="Which?").to_text().splitlines() == [
            "Which?", "",
            "b did not run.", "a is best.", "",
            "11 data sets · 2 methods", "",
            "Why", "",
            "x", "1", "",
            "Test      none", "Checked   ✓ same splits", "          ! few", "",
            "! beware", "",
            "Depth", "", "x", "1", "",
            "1. Ann 2020 https://ann.org",
        ]  # fmt: skip

    def test_facts_are_broken_into_lines(self):
        text = "word " * 40
        lines = Document((Facts((("Label", text), ("Checked", Point(True, text)))),)).to_text().splitlines()
        assert all(len(line) <= 118 for line in lines)
        assert [line[:14] for line in lines[:2]] == ["Label     word", "          word"]
        assert [line[:14] for line in lines[2:4]] == ["Checked   ✓ wo", "            wo"]

    def test_a_long_label_has_its_own_line(self):
        assert Document((Facts((("At label_noise 0 %", "a"),)),)).to_text() == "At label_noise 0 %\n          a"

    def test_facts_follow_a_table_that_comes_first(self):
        table, facts = Table((Column("x"),), ((1,),)), Facts((("cost", "much"),))
        assert Document((table, facts)).to_text() == "x\n1\ncost      much"
        assert Document((Answer("yes"), table, facts)).to_text() == "yes\n\nx\n1\n\ncost      much"

    @given(st.text())
    def test_nothing_from_data_reaches_the_terminal_as_a_command(self, name):
        blocks = (Answer(name), Paragraph(name), Facts(((name, name),)), Points((Point(True, name),)), Heading(name))
        assert all(c.isprintable() or c == "\n" for c in Document(blocks, title=name).to_text())


class TestTable:
    def test_by_hand(self):
        assert SMALL.to_text().splitlines() == [
            "accuracy, mean over 10 folds",
            "method  accuracy",
            "forest     0.904",
            "bayes          –",
            "────────────────",
            "mean",
            "one note",
        ]

    def test_wide_characters_keep_the_columns_straight(self):
        table = Table((Column("x", align="left"), Column("y")), (("数据", 1), ("e\u0301", 2), ("abcd", 3)))
        assert table.to_text().splitlines() == ["x     y", "数据  1", "e\u0301     2", "abcd  3"]

    @settings(max_examples=50)
    @given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), min_size=1, max_size=4))
    def test_all_lines_of_right_aligned_last_columns_are_equally_wide(self, rows):
        rows = [(a, b + "|") for a, b in rows]
        table = Table((Column("x", align="left"), Column("y")), tuple(rows))
        assert len({width(line) for line in table.to_text().split("\n")[1:]}) == 1

    @given(st.text())
    def test_nothing_from_data_reaches_the_terminal_as_a_command(self, name):
        table = Table((Column(name, align="left"),), ((name,),), caption=name, notes=(name,))
        assert all(c.isprintable() or c == "\n" for c in table.to_text())

    def test_control_characters_are_shown(self):
        assert visible("a\x1b[2Jb\u202ec\xa0d") == "a\\x1b[2Jb\\u202ec d"


class TestWithin:
    def test_words_are_broken_into_lines(self):
        columns = (Column("name", align="left"), Column("n"), Column("why", align="left"))
        why = "because it is long and will not fit"
        table = Table(columns, (("a", 1, why), ("b", 22, "short")), caption="c")
        lines = table.to_text(within=30).splitlines()
        assert max(map(len, lines)) <= 30
        assert lines[2:] == ["a      1  because it is long", "          and will not fit", "b     22  short"]
        assert table.to_text(within=200) == table.to_text()

    def test_numbers_are_never_broken(self):
        table = Table((Column("n"),), ((123456789,),))
        assert "123456789" in table.to_text(within=3).replace(",", "")


class TestWidth:
    @pytest.mark.parametrize(("text", "columns"), [("", 0), ("abc", 3), ("数据", 4), ("e\u0301", 1), ("✓\ufe0f", 1)])
    def test_by_hand(self, text, columns):
        assert width(text) == columns


class TestBold:
    def test_a_star_stands_for_bold_and_the_note_says_what_it_means(self):
        columns = (Column("m", align="left"), Column("acc", formats.fixed(2)))
        rows = (("a", Marked(0.912, strong=True)), ("b", 0.5))
        lines = Table(columns, rows, notes=("bold: the best",)).to_text().splitlines()
        assert lines == ["m     acc", "a  ★ 0.91", "b    0.50", "★ the best"]

    def test_bold_without_a_meaning_has_no_star(self):
        assert "★" not in Table((Column("acc"),), ((Strong("x"),),)).to_text()
