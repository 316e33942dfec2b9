"""The study file: one SQLite database, whose records are appended and read. Opening it executes nothing.

Merging, checks of whole files and anonymous copies are imported when they are first used: the status of a study is
shown without them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from fairtrial.store.arrays import Stack, stored_tests, stored_truth
from fairtrial.store.checks.digest import content_digest, digest_of_lines
from fairtrial.store.checks.predictions import refused_trials
from fairtrial.store.checks.rows import check_rows, notes_on_digests
from fairtrial.store.paths import part_beside
from fairtrial.store.records import RESOURCES, Journal, Packed, Record, Status
from fairtrial.store.sessions import Session, StoredPlan, plan_before_trials, versions
from fairtrial.store.status import StudyStatus, status_board, status_document, status_table, study_status
from fairtrial.store.study_file import StudyFile
from fairtrial.store.verdict_log import EarlierVerdicts, log_verdict

if TYPE_CHECKING:
    from fairtrial.store.anonymous import anonymous_copy
    from fairtrial.store.checks.whole_file import FileCheck, check_file
    from fairtrial.store.merge import Merged, merge_studies

__all__ = [
    "RESOURCES",
    "EarlierVerdicts",
    "FileCheck",
    "Journal",
    "Merged",
    "Packed",
    "Record",
    "Session",
    "Stack",
    "Status",
    "StoredPlan",
    "StudyFile",
    "StudyStatus",
    "anonymous_copy",
    "check_file",
    "check_rows",
    "content_digest",
    "digest_of_lines",
    "log_verdict",
    "merge_studies",
    "notes_on_digests",
    "part_beside",
    "plan_before_trials",
    "refused_trials",
    "status_board",
    "status_document",
    "status_table",
    "stored_tests",
    "stored_truth",
    "study_status",
    "versions",
]

_LATER = {
    "anonymous_copy": "anonymous",
    "FileCheck": "checks.whole_file",
    "Merged": "merge",
    "check_file": "checks.whole_file",
    "merge_studies": "merge",
}

if not TYPE_CHECKING:  # editors and mypy see the imports above

    def __getattr__(name: str) -> object:
        if name not in _LATER:
            raise AttributeError(f"module 'fairtrial.store' has no attribute {name!r}")
        return getattr(importlib.import_module(f"fairtrial.store.{_LATER[name]}"), name)
