"""The study file: one SQLite database, whose records are appended and read. Opening it executes nothing.

``study_file`` reads and writes, through ``connect`` and ``database``. ``columns`` and ``schema`` declare its tables,
``records`` what is kept of a trial, ``arrays`` predictions, ``sessions`` who ran what and what was planned,
``verdict_log`` what was asked. ``checks`` find what is damaged; ``status``, ``merge`` and ``anonymous`` work on whole
files.
"""

from fairtrial.rooms import lazy_names

_HOMES = {
    "anonymous": "anonymous_copy",
    "arrays": "Stack stored_tests stored_truth",
    "checks.digest": "content_digest digest_of_lines",
    "checks.rows": "check_rows notes_on_digests",
    "checks.whole_file": "FileCheck check_file",
    "merge": "Merged merge_studies",
    "paths": "part_beside",
    "records": "Journal Packed RESOURCES Record Status",
    "sessions": "Session StoredPlan plan_before_trials versions",
    "status": "StudyStatus status_board status_document status_table study_status",
    "study_file": "StudyFile",
    "verdict_log": "EarlierVerdicts log_verdict",
}

__all__, __getattr__, __dir__ = lazy_names(__name__, _HOMES)
