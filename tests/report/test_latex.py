"""The report as LaTeX: balanced, escaped, and it compiles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.report import contents_of, report_latex, write_report
from fairtrial.results import Results


class TestLatex:
    def test_of_a_study(self, study: Results, tmp_path: Path) -> None:
        text = write_report(study, tmp_path / "x.tex").read_text(encoding="utf-8")
        assert r"\$x\_1\$" in text
        assert r"$\star$" in text
        assert "★" not in text
        assert text.count(r"\begin{tabular}") == text.count(r"\end{adjustbox}") > 4
        for kind in ("table", "figure", "itemize", "description", "enumerate", "document"):
            assert text.count(rf"\begin{{{kind}}}") == text.count(rf"\end{{{kind}}}") > 0
        assert (tmp_path / "x-1.pdf").exists()

    @pytest.mark.slow
    def test_compiles(self, study: Results, tmp_path: Path, pdflatex: Callable[[Path], None]) -> None:
        pdflatex(write_report(study, tmp_path / "x.tex"))

    def test_without_files_there_are_no_figures(self, few: Results) -> None:
        text = report_latex(contents_of(few, few.verdict()))
        assert r"\includegraphics" not in text
        assert r"\subsection*{y}" in text
