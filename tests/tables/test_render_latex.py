"""LaTeX by hand; nothing that came from data can break out of its cell, and it compiles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_tables import NASTY, SMALL, one_cell

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
    Strong,
    Table,
)
from fairtrial.tables.render_latex import escape

TABLE = Table((Column("x"),), ((Strong("★ 1"),),), caption="c")
BLOCKS = (
    Paragraph(Strong("b is gone")), Answer("a_1 is best."), Numbers((("11", "data sets"), ("2", "methods"))),
    Heading("Why", "why"), Facts((("Test", NASTY), ("Checked", Point(True, "splits")))), Points((Point(False, NASTY),)),
    TABLE, Folded("Depth", (Paragraph("p"), TABLE)), References((("Ann & 2020", "https://ann.org/a_b%20c#d"),)),
)  # fmt: skip


class TestDocument:
    def test_a_part_names_the_packages_that_it_needs(self):
        first = Document(BLOCKS).render("latex").splitlines()[0]
        assert first == r"% needs \usepackage{booktabs,amssymb,hyperref}"
        assert Document((Answer("a_1"),)).render("latex") == r"{\large\bfseries a\_1\par}"

    def test_an_article_by_hand(self):
        facts = Facts((("Test", "a & b"), ("Checked", Point(True, "x"))))
        picture = Picture("t", "c_1", None)
        text = Document((Answer("yes"), facts, TABLE, picture), title="Which?").render("latex", lambda _: "x-1.pdf")
        assert text.partition("\\begin{document}\n")[2].splitlines() == [
            r"{\Large Which?\par}",
            "",
            r"{\large\bfseries yes\par}",
            "",
            r"\begin{description}",
            r"\item[{Test}] a \& b",
            r"\item[{Checked}] $\checkmark$ x",
            r"\end{description}",
            "",
            r"\begin{table}[H]",
            r"\centering",
            r"\caption{c}",
            r"\begin{adjustbox}{max width=\linewidth}",
            r"\begin{tabular}{r}",
            r"\toprule",
            r"x \\",
            r"\midrule",
            r"\textbf{$\star$ 1} \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{adjustbox}",
            r"\end{table}",
            "",
            r"\begin{figure}[H]\centering",
            r"\includegraphics[max width=\linewidth,max height=0.8\textheight]{\detokenize{x-1.pdf}}",
            r"\caption{c\_1}",
            r"\end{figure}",
            r"\end{document}",
        ]

    def test_compiles(self, tmp_path, pdflatex):
        (tmp_path / "t.tex").write_text(Document(BLOCKS, title=NASTY).render("latex"), encoding="utf-8")
        pdflatex(tmp_path / "t.tex")


class TestOptions:
    def test_placement_and_width(self):
        lines = TABLE.to_latex(placement="t", width=r"\columnwidth").splitlines()
        assert lines[:2] == [r"% needs \usepackage{booktabs,adjustbox}", r"\begin{table}[t]"]
        assert lines[4] == r"\begin{adjustbox}{max width=\columnwidth}"
        assert lines[-2] == r"\end{adjustbox}"


class TestTable:
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
        assert escape(text) == escaped

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
