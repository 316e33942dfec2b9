"""The whole study as one page: HTML that needs no network, Markdown, or LaTeX.

:func:`contents_of` says what a report contains, as data; the three renderers only write it down.
"""

from fairtrial.report.contents import Contents, Section
from fairtrial.report.html import report_html
from fairtrial.report.latex import report_latex
from fairtrial.report.markdown import report_markdown
from fairtrial.report.sections import contents_of
from fairtrial.report.write import write_report

__all__ = [
    "Contents",
    "Section",
    "contents_of",
    "report_html",
    "report_latex",
    "report_markdown",
    "write_report",
]
