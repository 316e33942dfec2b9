"""LaTeX documents by hand, and compiled."""

from __future__ import annotations

import pytest
from made_tables import HARD, NASTY, one_cell

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
from fairtrial.tables.latex_layout import NUMBERS

TABLE = Table((Column("x"),), ((Strong("★ 1"),),), caption="c")
BLOCKS = (
    Paragraph(Strong("b is gone")), Answer("a_1 is best."), Numbers((("11", "data sets"), ("2", "methods"))),
    Heading("Why", "why"), Facts((("Test", NASTY), ("Checked", Point(True, "splits")))), Points((Point(False, NASTY),)),
    TABLE, Folded("Depth", (Paragraph("p"), TABLE)), References((("Ann & 2020", "https://ann.org/a_b%20c#d"),)),
)  # fmt: skip


class TestDocument:
    def test_a_part_names_the_packages_that_it_needs(self):
        first = Document(BLOCKS).render("latex").splitlines()[0]
        assert first == r"% needs \usepackage{booktabs,siunitx,amssymb,hyperref}"
        assert Document((Answer("a_1"),)).render("latex") == r"{\large\bfseries\raggedright a\_1\par}"

    def test_an_article_by_hand(self):
        facts = Facts((("Test", "a & b"), ("Checked", Point(True, "x"))))
        picture = Picture("t", "c_1", None)
        text = Document((Answer("yes"), facts, TABLE, picture), title="Which?").render("latex", lambda _: "x-1.pdf")
        assert text.partition("\\begin{document}\n")[2].splitlines() == [
            r"{\Large\raggedright Which?\par}",
            "",
            r"{\large\bfseries\raggedright yes\par}",
            "",
            r"\begin{description}",
            r"\item[{Test}] a \& b",
            r"\item[{Checked}] $\checkmark$ x",
            r"\end{description}",
            "",
            r"\begin{table}[H]",
            r"\centering",
            r"\caption{c}\smallskip",
            NUMBERS,
            r"\begin{tabular}{@{}S[table-format={$\star$ }1]@{}}",
            r"\toprule",
            r"{x} \\",
            r"\midrule",
            r"\bfseries {\rlap{$\star$ }}1 \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
            r"\begin{figure}[H]\centering",
            r"\includegraphics[max width=\linewidth,max height=0.8\textheight]{\detokenize{x-1.pdf}}",
            r"\caption{c\_1}",
            r"\end{figure}",
            r"\end{document}",
        ]

    def test_sources_of_text_are_shown_line_by_line(self):
        text = Document((Folded("Copy", (Source("@a{b,\n  c}", "latex"), Source(TABLE, "latex"))),)).render("latex")
        assert text.splitlines() == [
            r"\subsection*{Copy}",
            "",
            r"{\footnotesize\ttfamily\raggedright",
            r"\mbox{}@a\{b,\\",
            r"\mbox{}~~c\}",
            r"\par}",
        ]

    @pytest.mark.slow
    @pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
    def test_compiles_with_any_name(self, tmp_path, compiled, engine):
        source = Source("\n".join(HARD), "latex")
        hard = (*map(Paragraph, HARD), Facts(tuple((name[:20], name) for name in HARD)), Folded("Copy", (source,)))
        blocks = (*BLOCKS, *(hard if engine == "pdflatex" else hard[3:4]))  # looking for fonts takes its time
        (tmp_path / "t.tex").write_text(Document(blocks, title=NASTY).render("latex"), encoding="utf-8")
        assert compiled(tmp_path / "t.tex", engine) == []


class TestTable:
    def test_options(self):
        lines = TABLE.to_latex(placement="t", width="page", label="tab:mine").splitlines()
        assert lines[:2] == [r"% needs \usepackage{booktabs,siunitx}", r"\begin{table*}[t]"]
        assert r"\caption{c}\label{tab:mine}\smallskip" in lines

    def test_the_label_of_the_table(self):
        labelled = Table((Column("x"),), ((1,),), caption="c", label="tab:x")
        assert r"\label{tab:x}" in labelled.to_latex()
        assert r"\label{tab:y}" in labelled.to_latex(label="tab:y")
        assert r"\label" not in Document((labelled,), title="an article").render("latex")

    def test_names_the_packages_that_it_needs(self):
        assert one_cell("✓").to_latex().splitlines()[0] == r"% needs \usepackage{booktabs,siunitx,amssymb}"

    def test_brings_the_commands_for_other_scripts_along(self):
        assert r"\protected\def\anychar" in one_cell("数").to_latex()
        assert r"\def" not in one_cell("é").to_latex()
