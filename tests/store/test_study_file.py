"""The study file on disk."""

import os
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from store_studies import record

from fairtrial.design import Study
from fairtrial.errors import StudyFileError
from fairtrial.store import Packed, Record, StudyFile
from fairtrial.store.schema import VERSION


class TestJournal:
    """What every back end must do: append, then read."""

    def test_what_was_appended_is_read(self, file, plan):
        keys = [t.key for t in plan.trials()]
        records = [record(keys[0], 1.5), record(keys[3], status="failed")]
        file.append(records)
        assert list(file.read()) == records

    def test_a_done_trial_is_never_overwritten(self, file, plan):
        key = plan.trial(0).key
        file.append([record(key, 1.0)])
        file.append([record(key, 2.0), record(key, status="failed")])
        (kept,) = file.read()
        assert set(kept.arrays["value"].unpack()) == {1.0}

    def test_a_failed_trial_may_succeed_later(self, file, plan):
        key = plan.trial(0).key
        file.append([record(key, status="failed")])
        file.append([record(key, 2.0)])
        (kept,) = file.read()
        assert kept.status == "ok"
        assert kept.error is None

    def test_one_that_can_not_be_stored_takes_no_other_with_it(self, file, plan):
        good, bad, unsortable = (t.key for t in list(plan.trials())[:3])
        broken = Record(bad, "ok", n_train=10**30, arrays={"label": Packed.of(np.arange(3))})
        file.append([record(good), broken, Record(unsortable, "ok", details={1: 2, "b": 3})])
        found = {r.key: r for r in file.read()}
        assert found[good].status == "ok"
        assert found[bad].error.startswith("NotStorable: what it gave can't be stored (OverflowError: ")
        assert not found[bad].arrays
        assert found[unsortable].status == "failed"

    def test_a_record_of_no_planned_trial_changes_nothing(self, file):
        file.append([record(b"?" * 16)])
        assert list(file.read()) == []

    def test_waiting_shrinks(self, file, plan):
        assert list(file.waiting()) == list(range(8))
        file.append([record(plan.trial(5).key), record(plan.trial(1).key, status="failed")])
        assert list(file.waiting()) == [0, 2, 3, 4, 6, 7]
        assert list(file.waiting(retry_failed=True)) == [0, 1, 2, 3, 4, 6, 7]

    def test_rows_that_wait_are_those_of_the_plan_registered_last(self, file, plan):
        file.append([record(plan.trial(0).key)])
        other = Study(datasets=["labor", "iris"], methods=["one_rule", "majority"], resampling="2x2-fold").plan()
        file.register(other)
        keys = {other.trial(row).key for row in file.waiting()}
        assert len(keys) == 15
        assert keys == {t.key for t in other.trials()} - {plan.trial(0).key}


class TestRevisions:
    def test_the_same_plan_is_no_new_revision(self, file, plan):
        file.register(plan)
        assert file.revision() == 1

    def test_a_smaller_plan_hides_but_keeps_the_rest(self, file, plan):
        file.append([record(t.key) for t in plan.trials()])
        smaller = Study(datasets=["iris"], methods=["majority", "one_rule"], resampling="2-fold").plan()
        file.register(smaller)
        assert file.revision() == 2
        assert len(list(file.read())) == 4
        file.register(plan)
        assert len(list(file.read())) == 8


class TestOpening:
    def test_a_missing_file_says_how_to_make_one(self, tmp_path):
        with pytest.raises(StudyFileError, match=r"no.trial does not exist; make it with `fairtrial run"):
            StudyFile(tmp_path / "no.trial")

    def test_a_text_file_is_refused_and_left_alone(self, tmp_path):
        path = tmp_path / "text.trial"
        path.write_text("not a database, but long enough to be one " * 50)
        with pytest.raises(StudyFileError, match="can't be opened as a study file"):
            StudyFile(path, write=True)
        assert path.read_text().startswith("not a database")
        assert not path.with_name("text.trial.lock").exists()

    def test_another_database_is_refused_and_left_alone(self, tmp_path):
        path = tmp_path / "other.trial"
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE t (x)")
        with pytest.raises(StudyFileError, match="a database, but not a study file"):
            StudyFile(path, write=True)

    def test_a_newer_file_is_refused(self, tmp_path, plan):
        path = tmp_path / "new.trial"
        StudyFile(path, write=True).close()
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA user_version = 99")
        with pytest.raises(StudyFileError, match=rf"newer fairtrial \(file version 99, ours {VERSION}\)"):
            StudyFile(path)

    def test_a_truncated_file_is_refused(self, tmp_path, plan):
        path = tmp_path / "cut.trial"
        with StudyFile(path, write=True) as file:
            file.register(plan)
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 3])
        with pytest.raises(StudyFileError, match="is damaged or was cut off"):
            StudyFile(path)

    def test_a_folder_is_refused(self, tmp_path):
        with pytest.raises(StudyFileError, match="it is a folder"):
            StudyFile(tmp_path)

    def test_a_second_writer_is_told_who_writes(self, file):
        with pytest.raises(StudyFileError, match=rf"is being written by process {os.getpid()} on "):
            StudyFile(file.path, write=True)

    def test_reading_goes_on_while_another_writes(self, file, plan):
        file.append([record(plan.trial(0).key)])
        with StudyFile(file.path) as reader:
            assert len(list(reader.read())) == 1

    def test_a_reader_that_stays_is_no_obstacle_to_closing(self, tmp_path, plan):
        writer = StudyFile(tmp_path / "a.trial", write=True)
        writer.register(plan)
        with StudyFile(tmp_path / "a.trial") as reader:
            assert reader.revision() == 1
            writer.close()
            assert reader.revision() == 1

    def test_a_lock_whose_holder_is_gone_is_no_obstacle(self, tmp_path, plan):
        path = tmp_path / "stale.trial"
        code = f"import os; from fairtrial.store import StudyFile; StudyFile({str(path)!r}, write=True); os._exit(9)"
        subprocess.run([sys.executable, "-c", code], check=False)
        assert path.with_name("stale.trial.lock").exists()
        with StudyFile(path, write=True) as file:
            file.register(plan)

    @pytest.mark.usefixtures("bound_by_permissions")
    def test_one_file_is_left_that_can_be_copied_and_read_where_nothing_can_be_written(self, tmp_path, plan):
        folder = tmp_path / "sealed"
        folder.mkdir()
        with StudyFile(folder / "a.trial", write=True) as file:
            file.register(plan)
            file.append([record(plan.trial(0).key)])
        assert [p.name for p in folder.iterdir()] == ["a.trial"]
        (folder / "a.trial").chmod(0o444)
        folder.chmod(0o555)
        try:
            assert len(list(StudyFile(folder / "a.trial").read())) == 1
        finally:
            folder.chmod(0o755)

    def test_nothing_in_a_file_runs_when_it_is_opened(self, file):
        """Definitions are JSON and arrays are raw bytes: no pickle anywhere."""
        types = {row[0] for row in file.query("SELECT DISTINCT typeof(definition) FROM study")}
        assert types == {"text"}
        source = " ".join(p.read_text() for p in _sources("store"))
        assert "pickle" not in source


def _sources(room: str):
    from pathlib import Path

    import fairtrial

    return (Path(fairtrial.__file__).parent / room).glob("*.py")


class TestTrouble:
    def test_a_file_that_was_removed_is_noticed(self, tmp_path, plan):
        file = StudyFile(tmp_path / "a.trial", write=True)
        file.register(plan)
        file.path.unlink()
        with pytest.raises(StudyFileError, match="was removed or replaced while it was being written"):
            file.append([record(plan.trial(0).key)])
        file.close()
