"""The report: a whole study as one document, written to a file in the format that the file's name ends with.

``sections`` has its parts, ``study_facts`` those about the study, ``factor_blocks`` those about factors,
``why_this_test`` the reasons and how to read it, ``write_up`` the paragraph for a paper. ``write`` writes it,
``gate_files`` the files of a gate.
"""

from fairtrial.report.gate_files import gate_junit, gate_summary, write_junit, write_summary
from fairtrial.report.sections import report_document
from fairtrial.report.write import write_report

__all__ = ["gate_junit", "gate_summary", "report_document", "write_junit", "write_report", "write_summary"]
