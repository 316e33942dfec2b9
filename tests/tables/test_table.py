"""Tables: one description, which every format carries."""

from __future__ import annotations

import csv
import io
import json

import pytest
from made_tables import HARD, SMALL, Texts
from markdown_it import MarkdownIt

from fairtrial.errors import InputError, UnknownName
from fairtrial.tables import FORMATS, Column, Marked, PlusMinus, Table, formats


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
        assert SMALL.to_html() in SMALL._repr_html_()
        assert SMALL._repr_html_().startswith('<div class="fairtrial">\n<style>')
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


class TestHardNames:
    """Names with signs of every format, other scripts, 80 characters; LaTeX is compiled in test_latex_table.py."""

    table = Table(
        (Column("name", align="left"), *(Column(name, formats.fixed(1), key=name) for name in HARD)),
        tuple((name, *(0.5 for _ in HARD)) for name in HARD),
        caption=" ".join(HARD),
    )

    def test_text(self):
        lines = self.table.to_text().splitlines()
        assert lines[0] == self.table.caption
        assert all(lines[2 + i].startswith(name.rstrip()) for i, name in enumerate(HARD))

    def test_csv_reads_back(self):
        heads, *rows = csv.reader(io.StringIO(self.table.to_csv()))
        assert heads[1:] == [row[0] for row in rows] == list(HARD)

    def test_html_reads_back(self):
        texts = {text.strip() for text in Texts(self.table.to_html()).texts}
        assert {name.strip() for name in HARD} <= texts

    def test_markdown_reads_back(self):
        page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(self.table.to_markdown())
        assert {name.strip() for name in HARD} <= {text.strip() for text in Texts(page).texts}

    def test_json_reads_back(self):
        assert [row["name"] for row in json.loads(self.table.to_json())["rows"]] == list(HARD)


class TestIntervals:
    """A pair in a cell is an interval: one text for people, two numbers for programs."""

    columns = (Column("m"), Column("95 %", formats.span(formats.fixed(1)), key="ci"))
    table = Table(columns, (("a", (0.123, 0.5)), ("b", None)))

    def test_people_read_one_text(self):
        assert "0.1, 0.5" in self.table.to_text()

    def test_programs_read_two_numbers(self):
        assert self.table.to_csv() == "m,ci_low,ci_high\na,0.123,0.5\nb,,"
        assert self.table.to_dict()["rows"][0] == {"m": "a", "ci_low": 0.123, "ci_high": 0.5}


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
            ("latex", r"b & 0.250{\rlap{$\dagger$}} \\", r"c & {failed} \\"),
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

    def test_strong_in_every_format(self):
        table = Table(self.columns, (("a", Marked(0.5, "*", strong=True)), ("b", 0.25)))
        for how, cell in {"text": "a  0.500*\nb  0.250", "html": "<strong>0.500*</strong>", "md": r"**0.500\***",
                          "latex": r"a & \bfseries 0.500{\rlap{*}} \\"}.items():  # fmt: skip
            assert cell in table.render(how)

    def test_text_in_a_column_of_numbers(self):
        assert "failed" in Table(self.columns, (("a", "failed"),)).to_text()


class TestLong:
    LONG = Table((Column("first"), Column("second"), Column("wins")), (("x", "y", 3),))
    WIDE = Table((Column("method"), Column("y")), (("x", "3–1"),), caption="wins", long=LONG)

    def test_readers_see_the_table_and_programs_the_long_form(self):
        assert "3–1" in self.WIDE.to_text()
        assert self.WIDE.to_csv().splitlines() == ["first,second,wins", "x,y,3"]
        assert self.WIDE.to_dict()["rows"] == [{"first": "x", "second": "y", "wins": 3}]
        assert self.WIDE.to_dict()["caption"] == "wins"

    def test_its_texts_are_changed_too(self):
        assert self.WIDE.map_text(str.upper).to_csv().splitlines()[1] == "X,Y,3"


class TestDecimalsOfACell:
    def test_a_cell_may_have_its_own(self):
        column = Column("A", formats.fixed(1))
        table = Table((column,), ((PlusMinus(0.1234, 0.0123, decimals=3),), (PlusMinus(12.3, 4.5, "2 s"),)))
        assert table.cells() == [["0.123 ± 0.012"], ["12.3 ± 4.5 (2 s)"]]

    def test_numbers_without_uncertainty_have_no_column_for_it(self):
        assert Table((Column("A"),), ((PlusMinus(0.5, decimals=1),),)).to_csv().split() == ["A", "0.5"]
        both = Table((Column("A"),), ((PlusMinus(0.5),), (PlusMinus(0.25, 0.1),)))
        assert both.flat() == (["A", "A_spread"], [[0.5, pytest.approx(float("nan"), nan_ok=True)], [0.25, 0.1]])


class TestPlusMinus:
    """A number with its uncertainty: one text for people, columns of numbers for programs."""

    columns = (Column("m", align="left"), Column("acc", formats.fixed(1), group="iris"))
    rows = (
        ("a", PlusMinus(93.92, 1.96, "0.2 s")),
        ("b", Marked(PlusMinus(5.0, 12.0), "•", "beaten", strong=True)),
        ("c", PlusMinus(100.0)),
        ("d", Marked(float("nan"), note="all", text="OUT OF TIME")),
    )
    table = Table(columns, rows)

    @pytest.mark.parametrize(
        ("how", "lines"),
        [
            ("text", ["   ─────── iris ───────", "a   93.9 ±  2.0 (0.2 s)", "b    5.0 ± 12.0•", "c  100.0",
                      "d           OUT OF TIME"]),
            ("md", ["| m | iris: acc |", "| a | 93.9 ± 2.0 (0.2 s) |", "| b | **5.0 ± 12.0•** |", "| c | 100.0 |"]),
            ("html", ['<td class="right">93.9 ± 2.0 (0.2 s)</td>', "<strong>5.0 ± 12.0•</strong>"]),
            ("csv", ["m,acc,acc_spread,acc_beside,acc_note", "a,93.92,1.96,0.2 s,", "b,5.0,12.0,,beaten", "c,100.0,,,",
                     "d,,,,all"]),
            ("latex", [r" & \multicolumn{2}{c}{iris} \\", r"\cmidrule(lr){2-3}", r"m & \multicolumn{2}{c}{acc} \\",
                       r"a & 93.9{\,$\pm$\,} & 2.0{\rlap{ (0.2 s)}} \\",
                       r"b & \bfseries 5.0{\,$\pm$\,} & \bfseries 12.0{\rlap{\textbullet{}}} \\",
                       r"c & 100.0 &  \\", r"d & \multicolumn{2}{c}{OUT OF TIME} \\"]),
        ],
    )  # fmt: skip
    def test_in_every_format(self, how, lines):
        written = self.table.render(how)
        assert [line for line in lines if line not in written] == []
