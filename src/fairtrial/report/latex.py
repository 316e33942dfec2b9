r"""The report as a LaTeX article with booktabs tables.

LuaLaTeX and XeLaTeX print any name; pdfLaTeX prints those in letters that its fonts have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairtrial.report.contents import Contents, Section
from fairtrial.tables import Table
from fairtrial.tables.render import escape_latex

__all__ = ["report_latex"]

PREAMBLE = r"""% Made by fairtrial. Compile with lualatex, xelatex or pdflatex.
\documentclass[11pt,a4paper]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \usepackage{textcomp}
\else
  \usepackage{fontspec}
\fi
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb,booktabs,float,graphicx}
\usepackage[export]{adjustbox}
\usepackage[hidelinks]{hyperref}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.6em}
\begin{document}
"""

SIGNS = {
    "★": r"$\star$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "…": r"\ldots{}",
    "·": r"$\cdot$",
    "α": r"$\alpha$",
    "δ": r"$\delta$",
}


def report_latex(contents: Contents, pictures: Sequence[str] = ()) -> str:
    """The document; ``pictures`` are the files of the figures, in the order in which they appear, or none."""
    return PREAMBLE + "\n".join(_lines(contents, iter(pictures))) + "\n\\end{document}\n"


def escape(text: str) -> str:
    r"""Text that LaTeX prints as it is, with the signs that reports use.

    >>> print(escape("★ 0.9 & a_b"))
    $\star$ 0.9 \& a\_b
    """
    return _signs(escape_latex(text))


def _signs(escaped: str) -> str:
    for sign, command in SIGNS.items():
        escaped = escaped.replace(sign, command)
    return escaped


def _lines(contents: Contents, files: Iterator[str]) -> Iterator[str]:
    yield rf"{{\Large {escape(contents.question)}\par}}"
    if contents.absence:
        yield rf"{{\bfseries {escape(contents.absence)}\par}}"
    yield rf"{{\large\bfseries {escape(contents.answer)}\par}}"
    yield from (escape(sentence) + "\n" for sentence in contents.more)
    yield r" $\cdot$ ".join(f"{escape(number)} {escape(what)}" for number, what in contents.key_figures) + "\n"
    for section in contents.sections:
        yield from _section(section, files)


def _section(section: Section, files: Iterator[str]) -> Iterator[str]:
    yield rf"\section*{{{escape(section.title)}}}"
    yield from (escape(text) + "\n" for text in section.text)
    if section.facts:
        items = (rf"\item[{{{escape(label)}}}] {escape(text)}" for label, text in section.facts)
        yield from (r"\begin{description}", *items, r"\end{description}")
    if section.points:
        items = (rf"\item[{escape('✓') if p.is_fine else '!'}] {escape(p.text)}" for p in section.points)
        yield from (r"\begin{itemize}", *items, r"\end{itemize}")
    yield from map(_table, section.tables)
    for picture in section.pictures:
        file = next(files, None)
        if file is not None:
            yield from (
                r"\begin{figure}[H]\centering",
                rf"\includegraphics[max width=\linewidth,max height=0.8\textheight]{{\detokenize{{{file}}}}}",
                rf"\caption{{{escape(picture.caption)}}}",
                r"\end{figure}",
            )
    if section.references:
        items = (rf"\item {escape(r.text)} \url{{{r.url}}}" for r in section.references)
        yield from (r"\begin{enumerate}", *items, r"\end{enumerate}")
    for folded in section.folded:
        if folded.table is not None:
            yield rf"\subsection*{{{escape(folded.title)}}}"
            yield from (escape(text) + "\n" for text in folded.text)
            yield _table(folded.table)


def _table(table: Table) -> str:
    """A table that is made narrower when it is wider than the page, and stays where it is: many floats stop LaTeX."""
    text = _signs(table.to_latex())
    text = text.replace(r"\begin{table}", r"\begin{table}[H]")
    text = text.replace(r"\begin{tabular}", r"\begin{adjustbox}{max width=\linewidth}" + "\n" + r"\begin{tabular}")
    return text.replace(r"\end{tabular}", r"\end{tabular}" + "\n" + r"\end{adjustbox}")
