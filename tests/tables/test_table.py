"""Tables: one description, several renderers; nothing that came from data can break out of its cell."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fairtrial.errors import InputError, UnknownName
from fairtrial.tables import FORMATS, Column, Marked, Table, formats
from fairtrial.tables.render import escape_latex, escape_markdown, json_text, plain, width
from fairtrial.words import spreadsheet_text, visible

inf, nan = float("inf"), float("nan")
NASTY = 'a|b_*c*`d`<script>&amp;\\{x}$y$%#~^\x1b[31m\x00\r"q" [z](u)'
SMALL = Table(
    columns=(Column("method", align="left"), Column("accuracy", formats.fixed(3), key="acc")),
    rows=(("forest", 0.90412345), ("bayes", nan), ("mean", None)),
    caption="accuracy, mean over 10 folds",
    notes=("one note",),
    rule_before=(2,),
)
# what people put into tables, and what they should not
cells = st.one_of(st.none(), st.integers(), st.floats(), st.text(max_size=12))


def one_cell(text: str) -> Table:
    return Table(columns=(Column("x", align="left"), Column("y")), rows=((text, 1),))


class Texts(HTMLParser):
    """The texts and tags of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.texts.append("")

    def handle_data(self, data):
        self.texts[-1] += data


class TestTable:
    def test_row_of_another_length(self):
        with pytest.raises(InputError, match=r"each row must have 2 cells, but row 1 has 1: \('b',\)"):
            Table(columns=(Column("x"), Column("y")), rows=(("a", 1), ("b",)))

    def test_keys_are_titles_unless_given(self):
        assert SMALL.flat()[0] == ["method", "acc"]

    def test_columns_of_one_name_lose_nothing(self):
        # a method may well be called as another column is
        table = Table(columns=(Column("data set"), Column("data set"), Column("data set 2")), rows=((1, 2, 3),))
        assert table.to_dict()["rows"] == [{"data set": 1, "data set 2": 2, "data set 2 2": 3}]
        assert table.to_csv().splitlines()[0] == "data set,data set 2,data set 2 2"

    def test_is_shown_in_a_notebook_and_printed_as_text(self):
        assert SMALL._repr_html_() == SMALL.to_html()
        assert str(SMALL) == SMALL.to_text()


class TestFromRecords:
    def test_by_hand(self):
        table = Table.from_records([{"name": None, "n": 3}, {"n": 4, "name": "b"}], caption="c")
        assert table.rows == ((None, 3), ("b", 4))
        assert [c.align for c in table.columns] == ["left", "right"]

    @pytest.mark.parametrize("how", FORMATS)
    def test_of_nothing_can_be_written(self, how):
        assert "no failures" in Table.from_records([], caption="no failures").render(how) or how == "csv"

    def test_unequal_records(self):
        with pytest.raises(InputError, match=r"each record must have the keys \['a'\], but record 1 has \['a', 'b'\]"):
            Table.from_records([{"a": 1}, {"a": 1, "b": 2}])


class TestRender:
    @pytest.mark.parametrize("how", FORMATS)
    def test_every_format_carries_the_content(self, how):
        assert "forest" in SMALL.render(how)
        assert "0.904" in SMALL.render(how)

    def test_unknown_format(self):
        with pytest.raises(UnknownName, match=r"no format is called 'markdown'; known are: csv, html"):
            SMALL.render("markdown")


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


class TestIntervals:
    """A pair in a cell is an interval: one text for people, two numbers for programs."""

    columns = (Column("m"), Column("95 %", formats.span(formats.fixed(1)), key="ci"))
    table = Table(columns, (("a", (0.123, 0.5)), ("b", None)))

    def test_people_read_one_text(self):
        assert "0.1, 0.5" in self.table.to_text()

    def test_programs_read_two_numbers(self):
        assert self.table.to_csv() == "m,ci_low,ci_high\na,0.123,0.5\nb,,"
        assert self.table.to_dict()["rows"][0] == {"m": "a", "ci_low": 0.123, "ci_high": 0.5}


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


class TestMarked:
    """A cell that is not like the others: a sign or a word for people, the value and a note for programs."""

    columns = (Column("m", align="left"), Column("mean", formats.fixed(3), key="accuracy"))
    rows = (
        ("a", 0.5),
        ("b", Marked(0.25, "†", "1 of 4 failed")),
        ("c", Marked(float("nan"), note="all", text="failed")),
    )
    table = Table(columns, rows, notes=("† 1 of 4 failed",))

    @pytest.mark.parametrize(
        ("how", "number", "word"),
        [
            ("text", "b  0.250†", "c  failed"),
            ("html", '<td class="right">0.250†</td>', '<td class="right">failed</td>'),
            ("latex", r"b & 0.250$\dagger$ \\", r"c & failed \\"),
            ("md", "| b | 0.250† |", "| c | failed |"),
            ("csv", "b,0.25,1 of 4 failed", "c,,all"),
        ],
    )
    def test_in_every_format(self, how, number, word):
        written = self.table.render(how)
        assert number in written
        assert word in written

    def test_as_data(self):
        rows = self.table.to_dict()["rows"]
        assert rows[0] == {"m": "a", "accuracy": 0.5, "accuracy_note": None}
        assert rows[2] == {"m": "c", "accuracy": None, "accuracy_note": "all"}

    def test_text_in_a_column_of_numbers(self):
        assert "failed" in Table(self.columns, (("a", "failed"),)).to_text()
