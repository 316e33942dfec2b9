"""The report: a whole study as one document, written to a file in the format that the file's name ends with."""

from fairtrial.report.sections import report_document
from fairtrial.report.write import write_report

__all__ = ["report_document", "write_report"]
