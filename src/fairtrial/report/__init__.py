"""The report: a whole study as one document, written to a file in the format that the file's name ends with."""

from fairtrial.report.gate_files import gate_junit, gate_summary, write_junit, write_summary
from fairtrial.report.sections import report_document
from fairtrial.report.write import write_report

__all__ = ["gate_junit", "gate_summary", "report_document", "write_junit", "write_report", "write_summary"]
