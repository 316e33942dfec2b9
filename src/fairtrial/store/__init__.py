"""The study file: SQLite behind a two-method journal protocol. Opening one executes nothing."""

from fairtrial.store.anonymous import anonymous_copy
from fairtrial.store.arrays import Stack, stored_tests, stored_truth
from fairtrial.store.merge import Merged, merge_studies
from fairtrial.store.prediction_recheck import refused_trials
from fairtrial.store.records import Journal, Packed, Record, Status
from fairtrial.store.row_checks import check_rows
from fairtrial.store.schema import RESOURCES
from fairtrial.store.status import StudyStatus, study_status
from fairtrial.store.status_board import status_board, status_table, status_text
from fairtrial.store.stored_notices import stored_notices
from fairtrial.store.study_file import StudyFile, versions
from fairtrial.store.verdict_log import log_verdict

__all__ = [
    "RESOURCES",
    "Journal",
    "Merged",
    "Packed",
    "Record",
    "Stack",
    "Status",
    "StudyFile",
    "StudyStatus",
    "anonymous_copy",
    "check_rows",
    "log_verdict",
    "merge_studies",
    "refused_trials",
    "status_board",
    "status_table",
    "status_text",
    "stored_notices",
    "stored_tests",
    "stored_truth",
    "study_status",
    "versions",
]
