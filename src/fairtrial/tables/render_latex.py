r"""LaTeX: tables in booktabs style for a paper, and whole articles.

LuaLaTeX and XeLaTeX print any name; pdfLaTeX prints those in letters that its fonts have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fairtrial.tables.document import (
    Answer,
    Block,
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
    Show,
    leave_out,
)
from fairtrial.tables.table import Strong, Table
from fairtrial.words import visible

__all__ = ["escape", "render", "table_alone"]

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

PACKAGES = {
    r"\toprule": "booktabs",
    r"\checkmark": "amssymb",
    "{adjustbox}": "adjustbox",
    "}[H]": "float",
    r"\includegraphics": "graphicx",
    r"\url{": "hyperref",
}
"""What is written, and the package that it needs."""

SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "^": r"\textasciicircum{}",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "%": r"\%",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "`": r"\textasciigrave{}",
    "−": r"$-$",
    "–": r"\textendash{}",
    "×": r"$\times$",
    "±": r"$\pm$",
    "∞": r"$\infty$",
    "✓": r"$\checkmark$",
    "†": r"$\dagger$",
    "★": r"$\star$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "…": r"\ldots{}",
    "·": r"$\cdot$",
    "α": r"$\alpha$",
    "δ": r"$\delta$",
    "\u202f": r"\,",
    "\n": " ",
    "\r": " ",
    "\t": " ",
}


def render(document: Document, show: Show = leave_out) -> str:
    """Write a document; ``show`` gives the names of its pictures' files. With a title it is an article to be compiled.

    Tables of an article stand where they are, since LaTeX stops at too many floats, and fit the width of the page.
    """
    if not document.title:
        return _with_packages("\n\n".join(_blocks(document.blocks, show)))
    title = rf"{{\Large {escape(document.title)}\par}}"
    body = _blocks(document.blocks, show, placement="H", width=r"\linewidth")
    return PREAMBLE + "\n\n".join([title, *body]) + "\n\\end{document}"


def table_alone(table: Table, placement: str = "", width: str = "") -> str:
    """Write a table, after a comment that names the packages that it needs."""
    return _with_packages(_table(table, placement, width))


def _with_packages(written: str) -> str:
    packages = [package for sign, package in PACKAGES.items() if sign in written]
    return rf"% needs \usepackage{{{','.join(packages)}}}" + "\n" + written if packages else written


def _blocks(blocks: Iterable[Block], show: Show, placement: str = "", width: str = "") -> list[str]:
    return [text for block in blocks if (text := _block(block, show, placement, width))]


def _block(block: Block, show: Show, placement: str, width: str) -> str:
    match block:
        case Table():
            return _table(block, placement, width)
        case Heading():
            return rf"\section*{{{escape(block.text)}}}"
        case Answer():
            return rf"{{\large\bfseries {escape(block.text)}\par}}"
        case Paragraph():
            return "".join(map(_inline, block.pieces))
        case Numbers():
            return r" $\cdot$ ".join(f"{escape(number)} {escape(counted)}" for number, counted in block.entries)
        case Facts():
            items = (rf"\item[{{{escape(label)}}}] {escape(str(entry))}" for label, entry in block.entries)
            return _environment("description", items)
        case Points():
            return _environment("itemize", map(_point, block.entries))
        case References():
            return _environment("enumerate", (rf"\item {escape(text)} \url{{{url}}}" for text, url in block.entries))
        case Picture() if file := show(block):
            return _picture(file, block.caption, placement)
        case Folded() if block.on_paper():
            inside = _blocks(block.on_paper(), show, placement, width)
            return "\n\n".join([rf"\subsection*{{{escape(block.title)}}}", *inside])
        case _:
            return ""


def _environment(name: str, lines: Iterable[str]) -> str:
    return "\n".join([rf"\begin{{{name}}}", *lines, rf"\end{{{name}}}"])


def _point(point: Point) -> str:
    return rf"\item[{escape(point.mark)}] {escape(point.text)}"


def _picture(file: str, caption: str, placement: str) -> str:
    size = r"max width=\linewidth,max height=0.8\textheight"
    return "\n".join(
        [
            rf"\begin{{figure}}{_option(placement)}\centering",
            rf"\includegraphics[{size}]{{\detokenize{{{file}}}}}",
            rf"\caption{{{escape(caption)}}}",
            r"\end{figure}",
        ]
    )


def _option(placement: str) -> str:
    return f"[{placement}]" if placement else ""


def _table(table: Table, placement: str, width: str) -> str:
    """A tabular; with a caption it floats, and one that is wider than ``width`` is made smaller."""
    lines = [_row([c.title for c in table.columns]), r"\midrule"]
    for i, row in enumerate(table.cells()):
        lines += [r"\midrule"] if i in table.rule_before else []
        lines.append(_row(row))
    spec = "".join("r" if c.align == "right" else "l" for c in table.columns)
    grid = "\n".join([rf"\begin{{tabular}}{{{spec}}}", r"\toprule", *lines, r"\bottomrule", r"\end{tabular}"])
    if width:
        grid = "\n".join([rf"\begin{{adjustbox}}{{max width={width}}}", grid, r"\end{adjustbox}"])
    notes = [r"\par\smallskip " + escape(note) for note in table.notes]
    if not table.caption:
        return "\n".join([grid, *notes])
    head = [rf"\begin{{table}}{_option(placement)}", r"\centering", rf"\caption{{{escape(table.caption)}}}"]
    return "\n".join([*head, grid, *notes, r"\end{table}"])


def _row(cells: Iterable[str]) -> str:
    joined = " & ".join(map(_inline, cells))
    guard = "{}" if joined.startswith(("[", "*")) else ""  # after \\, LaTeX takes [ and * for options
    return guard + joined + r" \\"


def _inline(text: str) -> str:
    return rf"\textbf{{{escape(text)}}}" if isinstance(text, Strong) else escape(text)


def escape(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> print(escape("★ 50 % of a_b"))
    $\star$ 50 \% of a\_b
    """
    kept = (c if c in SIGNS else visible(c) for c in text)  # visible control characters are escaped, too
    escaped = "".join(SIGNS.get(c, c) for part in kept for c in part)
    return re.sub("-(?=-)", "-{}", escaped)  # two hyphens would become a dash
