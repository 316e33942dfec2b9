"""The renderers: a Table in, a string out. Names from data are escaped here and nowhere else."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import re
import textwrap
import unicodedata
from collections.abc import Iterable
from html import escape as escape_html
from typing import TYPE_CHECKING

from fairtrial.words import spreadsheet_text, visible, visible_lines

if TYPE_CHECKING:
    from fairtrial.tables.table import Table

__all__ = [
    "csv_text",
    "escape_html",
    "escape_latex",
    "escape_markdown",
    "html",
    "json_text",
    "latex",
    "markdown",
    "plain",
    "text",
    "width",
]

NARROWEST = 16
"""So wide a column of words stays, however narrow the terminal."""

_LATEX = {
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
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\rightarrow$",
    "α": r"$\alpha$",
    "δ": r"$\delta$",
    "\u202f": r"\,",
    "\n": " ",
    "\r": " ",
    "\t": " ",
}


def escape_latex(string: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> print(escape_latex("50 % of a_b"))
    50 \% of a\_b
    """
    kept = (c if c in _LATEX else visible(c) for c in string)  # control characters become visible, then are escaped too
    escaped = "".join(_LATEX.get(c, c) for part in kept for c in part)
    return re.sub("-(?=-)", "-{}", escaped)  # else two hyphens become a dash


def escape_markdown(string: str) -> str:
    r"""Text that Markdown prints as it is, on one line.

    >>> print(escape_markdown("a_b | 1 < 2"))
    a\_b \| 1 \< 2
    """
    return "".join("\\" + c if c in "\\`*_[]<>|~&$" else c for c in visible(" ".join(string.splitlines())))


def _paragraph(string: str) -> str:
    """Markdown outside a table, where a line could also start a heading or a list."""
    return re.sub(r"^(\s*\d*)([-+#.)])", r"\1\\\2", escape_markdown(string))


def width(string: str) -> int:
    """Columns that a string takes on a terminal.

    >>> width("abc"), width("数据"), width("é")
    (3, 4, 1)
    """
    return sum(_width(c) for c in string)


def _width(c: str) -> int:
    if unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def _pad(string: str, size: int, align: str) -> str:
    space = " " * (size - width(string))
    return space + string if align == "right" else string + space


def text(table: Table, within: int | None = None) -> str:
    heads = [visible(c.title) for c in table.columns]
    body = [[visible(cell) for cell in row] for row in table.cells()]
    aligns = [c.align for c in table.columns]
    sizes = [max(map(width, column)) for column in zip(heads, *body, strict=True)]
    sizes = sizes if within is None else _narrowed(sizes, aligns, within)
    lines = [visible_lines(table.caption)] if table.caption else []

    def line(cells: list[str]) -> str:
        parts = [[c] if width(c) <= s else textwrap.wrap(c, s) for c, s in zip(cells, sizes, strict=True)]
        rows = itertools.zip_longest(*parts, fillvalue="")
        padded = ((_pad(c, s, a) for c, s, a in zip(row, sizes, aligns, strict=True)) for row in rows)
        return "\n".join("  ".join(cells).rstrip() for cells in padded)

    if heads:
        lines.append(line(heads))
    for i, row in enumerate(body):
        if i in table.rule_before:
            lines.append("─" * (sum(sizes) + 2 * (len(sizes) - 1)))
        lines.append(line(row))
    lines.extend(map(visible_lines, table.notes))
    return "\n".join(lines)


def _narrowed(sizes: list[int], aligns: Iterable[str], within: int) -> list[int]:
    """Column widths that fit, by breaking the lines of the widest columns of words; as near as can be."""
    sizes = list(sizes)
    words = [j for j, align in enumerate(aligns) if align == "left"]
    while sum(sizes) + 2 * (len(sizes) - 1) > within:
        widest = max(words, key=lambda j: sizes[j], default=None)
        if widest is None or sizes[widest] <= NARROWEST:
            break
        sizes[widest] -= 1
    return sizes


def html(table: Table) -> str:
    def cell(tag: str, content: str, align: str) -> str:
        return f'<{tag} class="{align}">{escape_html(visible(content))}</{tag}>'

    aligns = [c.align for c in table.columns]
    head = "".join(cell("th", c.title, c.align) for c in table.columns)
    parts = ['<div class="table"><table>']
    if table.caption:
        parts.append(f"<caption>{escape_html(visible_lines(table.caption))}</caption>")
    parts.append(f"<thead><tr>{head}</tr></thead><tbody>")
    for i, row in enumerate(table.cells()):
        rule = ' class="rule"' if i in table.rule_before else ""
        parts.append(f"<tr{rule}>" + "".join(cell("td", c, a) for c, a in zip(row, aligns, strict=True)) + "</tr>")
    parts.append("</tbody></table>")
    parts.extend(f'<p class="note">{escape_html(visible_lines(note))}</p>' for note in table.notes)
    parts.append("</div>")
    return "\n".join(parts)


def latex(table: Table) -> str:
    def line(cells: list[str]) -> str:
        joined = " & ".join(escape_latex(c) for c in cells)
        guard = "{}" if joined.startswith(("[", "*")) else ""  # else the end of the line before takes it for its own
        return guard + joined + r" \\"

    spec = "".join("r" if c.align == "right" else "l" for c in table.columns)
    lines = [r"\begin{table}", r"\centering"] if table.caption else []
    lines += [r"\caption{" + escape_latex(table.caption) + "}"] if table.caption else []
    lines += [rf"\begin{{tabular}}{{{spec}}}", r"\toprule", line([c.title for c in table.columns]), r"\midrule"]
    for i, row in enumerate(table.cells()):
        if i in table.rule_before:
            lines.append(r"\midrule")
        lines.append(line(row))
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [r"\par\smallskip " + escape_latex(note) for note in table.notes]
    lines += [r"\end{table}"] if table.caption else []
    written = "\n".join(lines)
    packages = "booktabs,amssymb" if r"\checkmark" in written else "booktabs"
    return rf"% needs \usepackage{{{packages}}}" + "\n" + written


def markdown(table: Table) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    lines = [_paragraph(table.caption), ""] if table.caption else []
    lines.append(line([escape_markdown(c.title) for c in table.columns]))
    lines.append(line(["---:" if c.align == "right" else ":---" for c in table.columns]))
    lines.extend(line([escape_markdown(cell) for cell in row]) for row in table.cells())
    for note in table.notes:
        lines += ["", _paragraph(note)]
    return "\n".join(lines)


def csv_text(table: Table) -> str:
    keys, rows = table.flat()
    return "\n".join([_csv_line(keys), *map(_csv_line, rows)])


def _csv_line(row: Iterable[object]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(map(_csv_cell, row))
    return out.getvalue().removesuffix("\r\n")


def _csv_cell(value: object) -> object:
    plain_value = plain(value)
    if isinstance(plain_value, str):
        return spreadsheet_text(plain_value)
    return "" if plain_value is None else plain_value


def json_text(data: object) -> str:
    return json.dumps(plain(data), indent=2, ensure_ascii=False, allow_nan=False)


def plain(value: object) -> object:
    """A value as JSON and CSV can carry it: nan is null, infinities are text, numpy's numbers are Python's."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (str, int, float)) or value is None:
        return value
    return str(value)
