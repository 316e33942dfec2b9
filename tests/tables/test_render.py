"""Every format by hand and read back; nothing that came from data can break out of its cell."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_tables import NASTY, SMALL, Texts, cells, inf, nan, one_cell
from markdown_it import MarkdownIt

from fairtrial.tables import Column, Table, formats
from fairtrial.tables.render import escape_latex, escape_markdown, json_text, plain, width
from fairtrial.words import spreadsheet_text, visible


class TestText:
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


class TestWidth:
    @pytest.mark.parametrize(("text", "columns"), [("", 0), ("abc", 3), ("数据", 4), ("e\u0301", 1), ("✓\ufe0f", 1)])
    def test_by_hand(self, text, columns):
        assert width(text) == columns


class TestHtml:
    def test_by_hand(self):
        parsed = Texts(SMALL.to_html())
        expected = ["accuracy, mean over 10 folds", "method", "accuracy", "forest", "0.904", "bayes", "–", "mean"]
        assert [t.strip() for t in parsed.texts if t.strip()] == [*expected, "one note"]
        assert SMALL.to_html().count('class="rule"') == 1

    @given(st.text(alphabet="<>&\"'ab/= \x00\x1b\u2028", max_size=30))
    def test_data_never_becomes_a_tag_and_is_read_back(self, name):
        table = Table((Column(name),), ((name,),), caption=name, notes=(name,))
        parsed = Texts(table.to_html())
        assert set(parsed.tags) <= {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
        assert parsed.texts[parsed.tags.index("td")].strip() == visible(name).strip()


class TestMarkdown:
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
        assert escape_markdown("a\nb\r\nc") == "a b c"


class TestLatex:
    def test_by_hand(self):
        assert SMALL.to_latex().splitlines() == [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            r"\caption{accuracy, mean over 10 folds}",
            r"\begin{tabular}{lr}",
            r"\toprule",
            r"method & accuracy \\",
            r"\midrule",
            r"forest & 0.904 \\",
            r"bayes & \textendash{} \\",
            r"\midrule",
            r"mean &  \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\smallskip one note",
            r"\end{table}",
        ]

    @pytest.mark.parametrize(
        ("text", "escaped"),
        [
            ("50 % of a_b & c#1", r"50 \% of a\_b \& c\#1"),
            (r"\input{x}", r"\textbackslash{}input\{x\}"),
            ("$x^2$ ~ <y>", r"\$x\textasciicircum{}2\$ \textasciitilde{} \textless{}y\textgreater{}"),
            ("a---b – c", r"a-{}-{}-b \textendash{} c"),
            ("−0.5 ± ∞ ≤ 1", r"$-$0.5 $\pm$ $\infty$ $\leq$ 1"),
            ("a\nb", "a b"),
            ("\x1b", r"\textbackslash{}x1b"),
        ],
    )
    def test_escapes(self, text, escaped):
        assert escape_latex(text) == escaped

    def test_a_cell_in_brackets_is_no_argument_of_the_line_before(self):
        # \\ followed by [ takes it for a length: "Missing number"
        lines = Table((Column("ci"),), (("[0.1, 0.2]",), ("*",))).to_latex().splitlines()
        assert r"{}[0.1, 0.2] \\" in lines
        assert r"{}* \\" in lines

    def test_names_the_packages_that_it_needs(self):
        assert one_cell("✓").to_latex().splitlines()[0] == r"% needs \usepackage{booktabs,amssymb}"

    @given(st.text())
    def test_a_cell_adds_no_column_and_no_line(self, name):
        body = one_cell(name).to_latex()
        assert body.count("\n") == one_cell("x").to_latex().count("\n")
        assert body.replace(r"\&", "").count("&") == 2

    def test_compiles(self, tmp_path, pdflatex):
        table = Table(
            (Column("x_1", align="left"), Column("[y]")),
            ((NASTY, 1), ("[0.1, 0.2]", -0.5), ("✓ ≤ ≥ → – − × ± ∞ …", None)),
            caption=NASTY,
            notes=(NASTY,),
        )
        page = [r"\documentclass{article}\usepackage{booktabs,amssymb}\begin{document}", table.to_latex()]
        (tmp_path / "t.tex").write_text("\n".join([*page, r"\end{document}"]))
        pdflatex(tmp_path / "t.tex")


class TestCsv:
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


class TestJson:
    def test_by_hand(self):
        assert json.loads(SMALL.to_json()) == {
            "caption": "accuracy, mean over 10 folds",
            "rows": [
                {"method": "forest", "acc": 0.90412345},
                {"method": "bayes", "acc": None},
                {"method": "mean", "acc": None},
            ],
            "notes": ["one note"],
        }

    @given(st.lists(st.tuples(cells), max_size=5))
    def test_is_strict_json_and_unrounded(self, rows):
        def refuse(constant):
            raise AssertionError(constant)

        read = json.loads(Table((Column("a"),), tuple(rows)).to_json(), parse_constant=refuse)
        for (value,), row in zip(rows, read["rows"], strict=True):
            assert row["a"] == plain(value)

    def test_text_of_any_data(self):
        data = {"a": nan, 1: [np.int64(2), np.array([0.5, nan]), (True, inf)]}
        assert json.loads(json_text(data)) == {"a": None, "1": [2, [0.5, None], [True, "inf"]]}


class TestPlain:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (np.float64(0.1), 0.1),
            (np.bool_(True), True),
            (np.str_("a"), "a"),
            (-inf, "-inf"),
            (np.float32(nan), None),
            (np.array([[1, 2]]), [[1, 2]]),
            (1 + 2j, "(1+2j)"),
        ],
    )
    def test_by_hand(self, value, expected):
        assert plain(value) == expected
        assert type(plain(value)) is type(expected)


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
