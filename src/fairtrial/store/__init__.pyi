# Made by tests/test_rooms.py from the map of names; don't edit: the test writes it anew.

from fairtrial.store.anonymous import anonymous_copy as anonymous_copy
from fairtrial.store.arrays import Stack as Stack
from fairtrial.store.arrays import stored_tests as stored_tests
from fairtrial.store.arrays import stored_truth as stored_truth
from fairtrial.store.checks.digest import content_digest as content_digest
from fairtrial.store.checks.digest import digest_of_lines as digest_of_lines
from fairtrial.store.checks.rows import check_rows as check_rows
from fairtrial.store.checks.rows import notes_on_digests as notes_on_digests
from fairtrial.store.checks.whole_file import FileCheck as FileCheck
from fairtrial.store.checks.whole_file import check_file as check_file
from fairtrial.store.merge import Merged as Merged
from fairtrial.store.merge import merge_studies as merge_studies
from fairtrial.store.paths import part_beside as part_beside
from fairtrial.store.records import Journal as Journal
from fairtrial.store.records import Packed as Packed
from fairtrial.store.records import RESOURCES as RESOURCES
from fairtrial.store.records import Record as Record
from fairtrial.store.records import Status as Status
from fairtrial.store.sessions import Session as Session
from fairtrial.store.sessions import StoredPlan as StoredPlan
from fairtrial.store.sessions import plan_before_trials as plan_before_trials
from fairtrial.store.sessions import versions as versions
from fairtrial.store.status import StudyStatus as StudyStatus
from fairtrial.store.status import status_board as status_board
from fairtrial.store.status import status_document as status_document
from fairtrial.store.status import status_table as status_table
from fairtrial.store.status import study_status as study_status
from fairtrial.store.study_file import StudyFile as StudyFile
from fairtrial.store.verdict_log import EarlierVerdicts as EarlierVerdicts
from fairtrial.store.verdict_log import log_verdict as log_verdict
__all__: list[str]
