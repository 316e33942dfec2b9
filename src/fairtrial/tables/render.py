"""The renderers: a Table in, a string out. Names from data are escaped here and nowhere else."""

from __future__ import annotations

import csv
import io
import json
import math
import unicodedata
from html import escape as escape_html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairtrial.tables.table import Table

__all__ = ["csv_text", "escape_html", "escape_latex", "html", "json_text", "latex", "markdown", "plain", "text"]

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
    '"': r"\textquotedbl{}",
    "−": r"$-$",
    "–": "--",
    "×": r"$\times$",
    "±": r"$\pm$",
    "∞": r"$\infty$",
    "✓": r"$\checkmark$",
    "\n": " ",
    "\r": " ",
    "\t": " ",
}


def escape_latex(string: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> print(escape_latex("50 % of a_b"))
    50 \% of a\_b
    """
    return "".join(_LATEX.get(c, c) for c in string)


def escape_markdown(string: str) -> str:
    """Text that stays inside its cell."""
    for c in "\\`*_[]<>|":
        string = string.replace(c, "\\" + c)
    return " ".join(string.splitlines())


def width(string: str) -> int:
    """Columns that a string takes on a terminal.

    >>> width("abc"), width("数据"), width("é")
    (3, 4, 1)
    """
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in string
    )


def _pad(string: str, size: int, align: str) -> str:
    space = " " * (size - width(string))
    return space + string if align == "right" else string + space


def _one_line(string: str) -> str:
    """Control characters (terminal escapes from data among them) made visible."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in string)


def text(table: Table) -> str:
    heads = [_one_line(c.title) for c in table.columns]
    body = [[_one_line(cell) for cell in row] for row in table.cells()]
    aligns = [c.align for c in table.columns]
    sizes = [max(map(width, column)) for column in zip(heads, *body, strict=True)]
    lines = [table.caption] if table.caption else []

    def line(cells: list[str]) -> str:
        padded = (_pad(c, s, a) for c, s, a in zip(cells, sizes, aligns, strict=True))
        return "  ".join(padded).rstrip()

    if heads:
        lines.append(line(heads))
    for i, row in enumerate(body):
        if i in table.rule_before:
            lines.append("─" * (sum(sizes) + 2 * (len(sizes) - 1)))
        lines.append(line(row))
    lines.extend(table.notes)
    return "\n".join(lines)


def html(table: Table) -> str:
    def cell(tag: str, content: str, align: str) -> str:
        return f'<{tag} class="{align}">{escape_html(content)}</{tag}>'

    aligns = [c.align for c in table.columns]
    head = "".join(cell("th", c.title, c.align) for c in table.columns)
    parts = ['<div class="table"><table>']
    if table.caption:
        parts.append(f"<caption>{escape_html(table.caption)}</caption>")
    parts.append(f"<thead><tr>{head}</tr></thead><tbody>")
    for i, row in enumerate(table.cells()):
        rule = ' class="rule"' if i in table.rule_before else ""
        parts.append(f"<tr{rule}>" + "".join(cell("td", c, a) for c, a in zip(row, aligns, strict=True)) + "</tr>")
    parts.append("</tbody></table>")
    parts.extend(f'<p class="note">{escape_html(note)}</p>' for note in table.notes)
    parts.append("</div>")
    return "\n".join(parts)


def latex(table: Table) -> str:
    def line(cells: list[str]) -> str:
        return " & ".join(escape_latex(c) for c in cells) + r" \\"

    spec = "".join("r" if c.align == "right" else "l" for c in table.columns)
    lines = [r"% needs \usepackage{booktabs}"]
    lines += [r"\begin{table}", r"\centering"] if table.caption else []
    lines += [r"\caption{" + escape_latex(table.caption) + "}"] if table.caption else []
    lines += [rf"\begin{{tabular}}{{{spec}}}", r"\toprule", line([c.title for c in table.columns]), r"\midrule"]
    for i, row in enumerate(table.cells()):
        if i in table.rule_before:
            lines.append(r"\midrule")
        lines.append(line(row))
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [r"\par\smallskip " + escape_latex(note) for note in table.notes]
    lines += [r"\end{table}"] if table.caption else []
    return "\n".join(lines)


def markdown(table: Table) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    lines = [escape_markdown(table.caption), ""] if table.caption else []
    lines.append(line([escape_markdown(c.title) for c in table.columns]))
    lines.append(line(["---:" if c.align == "right" else ":---" for c in table.columns]))
    lines.extend(line([escape_markdown(cell) for cell in row]) for row in table.cells())
    for note in table.notes:
        lines += ["", escape_markdown(note)]
    return "\n".join(lines)


def csv_text(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([c.key for c in table.columns])
    for row in table.rows:
        writer.writerow(["" if plain(v) is None else plain(v) for v in row])
    return out.getvalue().rstrip("\n")


def json_text(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False, default=plain, allow_nan=False)


def plain(value: object) -> object:
    """A value as JSON and CSV can carry it: nan is null, infinities are text, numpy scalars are numbers."""
    if hasattr(value, "item") and not isinstance(value, str):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (str, int, float)) or value is None:
        return value
    return str(value)
