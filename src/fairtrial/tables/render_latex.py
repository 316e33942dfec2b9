r"""LaTeX: tables in booktabs style for a paper, and whole articles.

LuaLaTeX and XeLaTeX print any name for which there is a font; what pdfLaTeX can't print is shown by its code points.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fairtrial.choices import PaperWidth
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
    Source,
    leave_out,
)
from fairtrial.tables.latex_layout import PAGES, REPORT, Page, page_called, write_table
from fairtrial.tables.latex_text import DEFINITIONS, broken, caption, escape
from fairtrial.tables.number_cells import ShortNames
from fairtrial.tables.table import Table

PREAMBLE = r"""% Made by fairtrial. Compile with lualatex, xelatex or pdflatex; siunitx 3 (of 2021) or later is needed.
\documentclass[11pt,a4paper]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \usepackage{textcomp}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\else
  \usepackage{fontspec}
  % a character that the main font lacks is taken from the first of these fonts that has it
  \newcommand{\otherfonts}{DejaVu Sans,FreeSerif,Noto Sans CJK SC,Noto Sans Hebrew,Noto Sans Arabic,Noto Emoji}
  \ExplSyntaxOn
  \cs_new_protected:Npn\charfont#1{\tl_gclear:c{g_font_#1_tl}
    \clist_map_inline:Nn\otherfonts{\IfFontExistsTF{##1}{\group_begin:\fontspec{##1}
      \iffontchar\font"#1~\tl_gset:cn{g_font_#1_tl}{##1}\fi\group_end:
      \tl_if_empty:cF{g_font_#1_tl}{\clist_map_break:}}{}}}
  \protected\def\anychar#1#2{\iffontchar\font"#1~#2\else\tl_if_exist:cF{g_font_#1_tl}{\charfont{#1}}
    \tl_if_empty:cTF{g_font_#1_tl}{{\ifdefined\textdirection\textdirection 0~\fi\texttt{U+#1}}}
      {{\exp_args:Nv\fontspec{g_font_#1_tl}#2}}\ifnum"#1>"2E7F~\allowbreak\fi\fi}
  \ExplSyntaxOff
\fi
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb,array,booktabs,float,graphicx,siunitx}
\usepackage[export]{adjustbox}
\usepackage[hidelinks]{hyperref}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.6em}
\setlength{\emergencystretch}{5em}
"""

PACKAGES = {
    r"\toprule": "booktabs",
    r"\sisetup": "siunitx",
    r"\arraybackslash": "array",
    r"\checkmark": "amssymb",
    r"\lozenge": "amssymb",
    "{adjustbox}": "adjustbox",
    "}[H]": "float",
    r"\rotatebox": "graphicx",
    r"\includegraphics": "graphicx",
    r"\url{": "hyperref",
}
"""What is written, and the package that it needs."""


@dataclass(frozen=True, slots=True)
class _Setting:
    """Where blocks stand: the room for tables, where floats may go, and whether tables have their labels."""

    page: Page
    placement: str = ""
    labels: bool = True


IN_A_PAPER = _Setting(PAGES["text"])
IN_A_REPORT = _Setting(REPORT, "H", labels=False)  # LaTeX stops at too many floats, and labels would come twice


def render(document: Document, show: Show = leave_out) -> str:
    """Write a document; ``show`` gives the names of its pictures' files. With a title it is an article to be compiled.

    Tables of an article stand where they are, and fit the width of the page.
    """
    document = document.with_short_names()
    if not document.title:
        return _with_packages("\n\n".join(_blocks(document.blocks, show, IN_A_PAPER)))
    title = rf"{{\Large\raggedright {broken(document.title)}\par}}"
    body = "\n\n".join([title, *_blocks(document.blocks, show, IN_A_REPORT)])
    return "\n".join([PREAMBLE + "\n".join([*_definitions(body), r"\begin{document}"]), body, r"\end{document}"])


def table_alone(table: Table, placement: str = "", width: PaperWidth = "text", label: str = "") -> str:
    """Write a table, after a comment that names the packages that it needs."""
    short = ShortNames()
    table = table.map_text(short.in_sentence, short)
    return _with_packages(write_table(table, page_called(width), placement, label or table.label))


def _with_packages(written: str) -> str:
    packages = dict.fromkeys(package for sign, package in PACKAGES.items() if sign in written)
    needs = [rf"% needs \usepackage{{{','.join(packages)}}}"] if packages else []
    return "\n".join([*needs, with_definitions(written)])


def with_definitions(written: str) -> str:
    """Escaped text, after the definitions of the commands in it that LaTeX does not know."""
    return "\n".join([*_definitions(written), written])


def _definitions(written: str) -> list[str]:
    return [definition for sign, definition in DEFINITIONS.items() if sign in written]


def _blocks(blocks: Iterable[Block], show: Show, setting: _Setting) -> list[str]:
    return [text for block in blocks if (text := _block(block, show, setting))]


def _block(block: Block, show: Show, setting: _Setting) -> str:
    match block:
        case Table():
            return write_table(block, setting.page, setting.placement, block.label if setting.labels else "")
        case Heading():
            return rf"\section*{{{broken(block.text)}}}"
        case Answer():
            return rf"{{\large\bfseries\raggedright {broken(block.text)}\par}}"
        case Paragraph():
            return "".join(map(broken, block.pieces))
        case Numbers():
            return r" $\cdot$ ".join(f"{escape(number)} {escape(counted)}" for number, counted in block.entries)
        case Facts():
            items = (rf"\item[{{{escape(label)}}}] {broken(str(entry))}" for label, entry in block.entries)
            return _environment("description", items)
        case Points():
            return _environment("itemize", map(_point, block.entries))
        case References():
            works = (rf"\item {broken(text)} \url{{{url}}}" for text, url in block.entries)
            return _environment("enumerate", [r"\raggedright", *works])
        case Picture() if file := show(block):
            return _picture(file, block.caption, setting.placement)
        case Source(content=str() as text):
            return _source(text)
        case Folded() if block.on_paper():
            inside = _blocks(block.on_paper(), show, setting)
            return "\n\n".join([rf"\subsection*{{{broken(block.title)}}}", *inside])
        case _:
            return ""


def _environment(name: str, lines: Iterable[str]) -> str:
    return "\n".join([rf"\begin{{{name}}}", *lines, rf"\end{{{name}}}"])


def _point(point: Point) -> str:
    return rf"\item[{escape(point.mark)}] {broken(point.text)}"


def _picture(file: str, text: str, placement: str) -> str:
    size = r"max width=\linewidth,max height=0.8\textheight"
    option = f"[{placement}]" if placement else ""
    captioned, rest = caption(text)
    return "\n".join(
        [
            rf"\begin{{figure}}{option}\centering",
            rf"\includegraphics[{size}]{{\detokenize{{{file}}}}}",
            captioned,
            r"\end{figure}",
            *([rest] if rest else []),
        ]
    )


def _source(text: str) -> str:
    """Lines to be copied, as they are written; a line that is too long is broken between words."""
    lines = (rf"\mbox{{}}{'~' * (len(line) - len(line.lstrip()))}{broken(line.lstrip())}" for line in text.split("\n"))
    return "\n".join([r"{\footnotesize\ttfamily\raggedright", "\\\\\n".join(lines), r"\par}"])
