"""LaTeX tables by hand, and compiled: no error and no overfull box, with one column, two columns, and any name."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_tables import HARD, SMALL, one_cell

from fairtrial.tables import Column, Marked, PlusMinus, Table, formats
from fairtrial.tables.latex_layout import PAGES, write_table

TEXT = PAGES["text"]


def wide(methods, rows, spread=True, group=""):
    """Scores with marks, bold and failures."""
    heads = [Column(m, formats.fixed(3), group=group * (i % 2)) for i, m in enumerate(methods)]
    cells = [
        Marked(PlusMinus(0.9, 0.04) if spread else 0.25, "*" * (k % 3), strong=k % 2 == 0) if k % 5 else "OUT OF TIME"
        for k in range(1, len(methods) + 1)
    ]
    body = tuple((name, *cells) for name in rows)
    columns = (Column("data set", align="left"), *heads)
    return Table(columns, body, f"{len(methods)} methods", ("* 5 % & more",), label="t")


class TestByHand:
    def test_table(self):
        assert write_table(SMALL, TEXT, "t", "tab:a_b").splitlines() == [
            r"\begin{table}[t]",
            r"\centering",
            r"\caption{accuracy, mean over 10 folds}\label{tab:a_b}\smallskip",
            r"\sisetup{reset-text-series=false,text-series-to-math=true,retain-explicit-plus=true,group-digits=none}",
            r"\begin{tabular}{@{}lS[table-format=1.3]@{}}",
            r"\toprule",
            r"method & {accuracy} \\",
            r"\midrule",
            r"forest & 0.904 \\",
            r"bayes & {\textendash{}} \\",
            r"\midrule",
            r"mean &  \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\smallskip",
            r"\parbox{\linewidth}{\footnotesize\raggedright one note}",
            r"\end{table}",
        ]

    def test_a_label_has_no_character_that_latex_acts_on(self):
        assert r"\label{tab:a-b--x}" in write_table(SMALL, TEXT, label="tab:a%b{}x")

    def test_a_cell_in_brackets_is_no_argument_of_the_line_before(self):
        # \\ followed by [ takes it for a length: "Missing number"
        lines = write_table(Table((Column("ci"),), (("[0.1, 0.2]",), ("*",))), TEXT).splitlines()
        assert r"{}[0.1, 0.2] \\" in lines
        assert r"{}* \\" in lines

    def test_both_columns_of_a_page_are_a_float_of_their_own_kind(self):
        assert write_table(SMALL, PAGES["page"]).startswith(r"\begin{table*}")

    def test_a_high_table_goes_on_in_further_floats(self):
        text = write_table(wide(["a", "b"], [f"d{i}" for i in range(120)]), TEXT, label="t")
        floats = text.split(r"\begin{table}")[1:]
        assert len(floats) > 2
        assert [r"\caption" in f for f in floats] == [True] + [False] * (len(floats) - 1)
        assert [r"\parbox" in f for f in floats] == [False] * (len(floats) - 1) + [True]
        assert all(r"\thetable{} (continued)" in f for f in floats[1:])
        assert re.findall(r"^d(\d+) &", text, re.MULTILINE) == [str(i) for i in range(120)]

    def test_parts_repeat_the_names_of_rows(self):
        text = write_table(wide([f"m{i}" for i in range(40)], ["iris"]), PAGES["column"])
        parts = text.count(r"\begin{tabular}{@{}l")
        assert parts > 5
        assert len(re.findall("^iris &", text, re.MULTILINE)) == parts
        assert re.findall(r"\bm(\d+)\b", text) == [str(i) for i in range(40)]

    @given(st.text())
    def test_a_cell_adds_no_column_and_no_line(self, name):
        body = write_table(one_cell(name), TEXT)
        assert body.count("\n") - body.count("adjustbox") == write_table(one_cell("x"), TEXT).count("\n")
        assert body.replace(r"\&", "").count("&") == 2


CLASSES = {
    r"\documentclass{article}": ("text",),
    r"\documentclass[twocolumn]{article}": ("column", "page"),
    r"\documentclass[journal]{IEEEtran}": ("column",),
}


@pytest.mark.slow
class TestCompiled:
    @pytest.mark.parametrize("kind", CLASSES)
    def test_no_box_is_too_wide(self, kind, tmp_path, compiled):
        many = [f"method_{i}" for i in range(40)]
        tables = (
            SMALL, wide(many, many[:6], spread=False), wide(many[:5], many[:9] * 6, group="long title"),
            wide(HARD[:4], HARD), Table(SMALL.columns, SMALL.rows, " ".join(HARD), HARD),
        )  # fmt: skip
        text = "\n\n".join(t.to_latex(width=w) for t in tables for w in CLASSES[kind])
        packages = {p for names in re.findall(r"% needs \\usepackage\{(.*)\}", text) for p in names.split(",")}
        preamble = rf"{kind}\usepackage{{{','.join(sorted(packages))}}}\begin{{document}}"
        (tmp_path / "t.tex").write_text("\n".join([preamble, text, r"\end{document}"]), encoding="utf-8")
        assert compiled(tmp_path / "t.tex") == []
