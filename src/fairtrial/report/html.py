"""The report as one HTML page that needs nothing else: no network, no script."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import jinja2
from markupsafe import Markup

from fairtrial.figures import Picture, to_svg
from fairtrial.report.contents import Contents
from fairtrial.report.score_tables import BEST
from fairtrial.tables import Table

__all__ = ["report_html"]

BEST_CELL = re.compile(rf'<td class="right">({BEST} [^<]*)</td>')
LONG_CELL = re.compile(r'<td class="left">([^<]{24,})</td>')
LONGER = 60
ID = re.compile(r'\bid="|\bhref="#|url\(#')
"""What stands before an id in SVG. Closed parts of a page aren't drawn, so one figure must not refer into another."""


def report_html(contents: Contents) -> str:
    """The page. Whatever came from data is escaped: by the template, or by the table and the figure themselves."""
    return _template().render(contents=contents)


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("fairtrial", "report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["grid"] = grid
    environment.filters["picture"] = picture
    return environment.get_template("page.html.j2")


def grid(table: Table) -> Markup:
    """The table alone: the page puts caption and notes where they don't scroll away. The best is bold, long text wraps.

    >>> from fairtrial.tables import Column
    >>> print(grid(Table((Column("a<b"),), ((f"{BEST} 0.9",),))))
    <div class="table"><table>
    <thead><tr><th class="right">a&lt;b</th></tr></thead><tbody>
    <tr><td class="right best">★ 0.9</td></tr>
    </tbody></table>
    </div>
    """
    html = replace(table, caption="", notes=()).to_html()  # escapes itself
    html = BEST_CELL.sub(r'<td class="right best">\1</td>', html)
    return Markup(LONG_CELL.sub(_wrapping, html))


def _wrapping(cell: re.Match[str]) -> str:
    return f'<td class="left {"longer" if len(cell[1]) >= LONGER else "long"}">{cell[1]}</td>'


def picture(shown: Picture, prefix: str) -> Markup:
    """The figure as SVG; text in it is escaped by the XML writer. ``prefix`` makes its ids unique in the page."""
    svg = to_svg(shown.figure, title=shown.title)
    return Markup(re.sub(r"<(?!svg)[^<>]*>", lambda tag: ID.sub(rf"\g<0>{prefix}-", tag[0]), svg))
