"""Columns of LaTeX tables by hand: their specification, and their cells."""

from __future__ import annotations

from fairtrial.tables import Column, Marked, Strong, Table, formats
from fairtrial.tables.latex_layout import header_lines, tex_columns
from fairtrial.tables.latex_text import text_width

TWO_DECIMALS = formats.fixed(2)


def column(values, format=TWO_DECIMALS, align="right"):
    return tex_columns(Table((Column("x", format, align),), tuple((v,) for v in values)))[0]


class TestSpec:
    def test_numbers_have_room_for_signs_marks_and_thousands(self):
        assert column([0.5, 12.25]).spec() == "S[table-format=2.2]"
        assert column([-0.5, Marked(1.0, "*")]).spec() == "S[table-format=-1.2{*}]"
        assert column([0.5, 0.00001], formats.p_value).spec() == "S[table-format=<1.3]"
        thousands = "S[group-digits=integer,group-minimum-digits=4,group-separator={,},table-format=5]"
        assert column([7, 12000], formats.count).spec() == thousands

    def test_intervals_are_two_columns(self):
        found = column([(-0.1, 12.25), None], formats.span(formats.fixed(2)))
        assert found.span == 2
        assert found.spec() == r"S[table-format=-1.2{,}]@{\ }S[table-number-alignment=left,table-format=2.2]"
        assert [found.cell(0), found.cell(1)] == ["-0.10{,} & 12.25", r"\multicolumn{2}{c}{}"]

    def test_text(self):
        assert column(["a", "b"]).spec() == "r"
        assert column(["a", "b"], align="left").spec() == "l"
        assert column(["a", "b"], align="left").spec(7.25) == r">{\raggedright\arraybackslash}p{7.2em}"

    def test_names_that_look_like_numbers_are_text(self):
        assert column(["2019", "2020"], align="left").is_text

    def test_cells_of_two_kinds_are_text(self):
        assert column(["1 ± 2", "1, 2"]).spec() == "r"

    def test_text_among_numbers_stands_in_braces(self):
        found = column([1.0, float("nan"), None, "failed", Strong("x_1"), "★ 2.50"])
        assert [found.cell(i) for i in range(6)] == [
            "1.00", r"{\textendash{}}", "", "{failed}", r"{\textbf{x\_1}}", r"{\rlap{$\star$ }}2.50",
        ]  # fmt: skip
        assert found.spec() == r"S[table-format={$\star$ }1.2]"


class TestWidths:
    def test_text_can_be_narrower_and_numbers_can_not(self):
        words = column(["some words in a row"], align="left")
        assert words.narrowest() == text_width("words") < words.body_width()
        numbers = column([0.5])
        assert numbers.narrowest() == numbers.body_width()

    def test_of_nothing(self):
        assert column([]).body_width() == column([], align="left").narrowest() == 0


class TestHeaderLines:
    def test_by_hand(self):
        assert header_lines("better by 0.01", 4) == ["better by", "0.01"]
        assert header_lines("gradient_boosting", 4) == ["gradient_", "boosting"]
        assert header_lines("LogisticRegression", 4) == ["Logistic", "Regression"]
        assert header_lines("mean neighbourhood", 4) == ["mean", "neighbourhood"]
        assert header_lines("gradient_boosting", 40) == ["gradient_boosting"]
        assert header_lines("", 4) == []
