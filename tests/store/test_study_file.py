"""The study file on disk."""

import os
import sqlite3
import subprocess
import sys
import zlib
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairtrial.design import Study
from fairtrial.errors import StudyFileError
from fairtrial.store import Packed, Record, StudyFile


@cache
def eight_trials():
    return Study(datasets=["iris", "labor"], methods=["majority", "one_rule"], resampling="2-fold").plan()


@pytest.fixture
def plan():
    return eight_trials()


@cache
def four_trials():
    return Study(datasets=["iris"], methods=["majority"], resampling="4-fold").plan()


@pytest.fixture
def file(tmp_path, plan):
    with StudyFile(tmp_path / "a.trial", write=True) as opened:
        opened.register(plan)
        yield opened


@pytest.fixture
def quarters(tmp_path):
    """A file with four trials, each on a split of its own."""
    with StudyFile(tmp_path / "quarters.trial", write=True) as opened:
        opened.register(four_trials())
        yield opened


def record(key: bytes, value: float = 1.0, status: str = "ok") -> Record:
    tested = {t.key: eight_trials().splits[t.split].n_test for t in eight_trials().trials()}
    n = tested.get(key, 1)
    arrays = {"value": Packed.of(np.full(n, value))} if status == "ok" else {}
    error = None if status == "ok" else "ValueError: no"
    return Record(key, status, error, (("UserWarning: x", 2),), "out", {"fit_time": 0.5}, arrays)


class TestPacked:
    @given(arrays(np.float64, st.tuples(st.integers(0, 5), st.integers(0, 3))))
    def test_comes_back_bit_for_bit(self, array):
        back = Packed.of(array).unpack()
        assert back.shape == array.shape
        assert back.tobytes() == array.tobytes()

    def test_is_little_endian_whatever_the_machine(self):
        packed = Packed.of(np.array([1, 2], dtype=">i4"))
        assert packed.dtype == "raw <i4"
        assert packed.data[:-4] == bytes([1, 0, 0, 0, 2, 0, 0, 0])
        assert packed.data[-4:] == zlib.crc32(packed.data[:-4]).to_bytes(4, "little")
        assert packed.unpack().tolist() == [1, 2]

    def test_large_arrays_are_compressed_where_values_repeat(self):
        votes, margins = np.repeat([0.2, 0.8, 1.0], 100), np.linspace(0, 1, 300)
        packed = Packed.of(votes)
        assert packed.dtype == "<f8"
        assert len(packed.data) < 100
        assert (packed.unpack() == votes).all()
        packed = Packed.of(margins.reshape(100, 3))
        assert packed.dtype == "raw <f8"
        assert packed.data[:-4] == margins.tobytes()
        assert (packed.unpack().reshape(-1) == margins).all()

    @pytest.mark.parametrize("place", [0, 7, 8, 11])
    def test_damage_is_noticed(self, place):
        packed = Packed.of(np.array([1.5]))
        data = bytearray(packed.data)
        data[place] ^= 1
        with pytest.raises(StudyFileError, match="damaged"):
            Packed(packed.dtype, packed.shape, bytes(data)).unpack()

    def test_arrays_of_version_1_are_compressed_whatever_their_size(self):
        old = Packed("<i4", (2,), zlib.compress(bytes([1, 0, 0, 0, 2, 0, 0, 0]), 1))
        assert old.unpack().tolist() == [1, 2]


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
        with pytest.raises(StudyFileError, match=r"newer fairtrial \(file version 99, ours 3\)"):
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

    def test_a_full_disk_is_one_sentence_and_frees_the_lock(self, tmp_path, plan):
        path = tmp_path / "a.trial"
        file = StudyFile(path, write=True)
        file.register(plan)
        pages = file.query("PRAGMA page_count")[0][0]
        file.query(f"PRAGMA max_page_count = {pages}")  # SQLite's own "disk full"
        big = Record(plan.trial(0).key, "ok", arrays={"value": Packed("<f8", (50_000,), os.urandom(400_000))})
        with pytest.raises(StudyFileError, match=r"can't be written: .*full; what was written before is safe"):
            file.append([big])
        file.close()
        StudyFile(path, write=True).close()


class TestStacks:
    def keys(self, plan, n):
        return [plan.trial(i).key for i in range(n)]

    def write(self, file, *contents):
        """One trial per mapping of channels, on a split of as many instances; the trials' numbers in the file."""
        keys = self.keys(four_trials(), len(contents))
        for key, own in zip(keys, contents, strict=True):
            file.append([Record(key, "ok", arrays={c: Packed.of(a) for c, a in own.items()})])
            n = len(next(iter(own.values())))
            file.query("UPDATE split SET n_test = ? WHERE id = (SELECT split FROM trial WHERE key = ?)", n, key)
        return [file.query("SELECT id FROM trial WHERE key = ?", key)[0][0] for key in keys]

    def test_by_hand_in_the_order_asked_for(self, quarters):
        a, b = self.write(
            quarters,
            {"label": np.array([0, 1], np.int32), "probability": np.array([[0.9, 0.1], [0.2, 0.8]])},
            {"label": np.array([1], np.int32), "probability": np.array([[0.4, 0.6]])},
        )
        (stack,) = quarters.stacks([b, a])
        assert stack.places == (0, 1)
        assert stack.channels["label"].tolist() == [1, 0, 1]
        assert stack.channels["probability"].tolist() == [[0.4, 0.6], [0.9, 0.1], [0.2, 0.8]]

    def test_trials_of_different_forms_are_stacked_apart(self, quarters):
        narrow, wide, lacking = np.array([0.5]), np.array([[0.5, 1.5]]), np.array([7.0])
        ids = self.write(quarters, {"score": narrow}, {"score": wide}, {"value": lacking}, {"score": narrow + 1})
        found = {stack.places: stack.channels for stack in quarters.stacks(ids)}
        assert set(found) == {(0, 3), (1,), (2,)}
        assert found[0, 3]["score"].tolist() == [0.5, 1.5]
        assert found[1,]["score"].tolist() == [[0.5, 1.5]]

    def test_only_some_channels(self, quarters):
        ids = self.write(quarters, {"label": np.array([1]), "score": np.array([2.0])}, {"score": np.array([3.0])})
        (stack,) = quarters.stacks(ids, ["score"])
        assert stack.channels["score"].tolist() == [2.0, 3.0]
        assert quarters.stacks(ids, ["value"]) == []

    def test_no_trials_no_stacks(self, file):
        assert file.stacks([]) == []

    @given(st.lists(arrays(np.float64, st.tuples(st.integers(0, 4), st.just(2))), min_size=1, max_size=4))
    def test_the_same_as_one_by_one(self, contents):
        with StudyFile(None) as file:
            file.register(four_trials())
            ids = self.write(file, *({"score": a} for a in contents))
            (stack,) = file.stacks(ids)
            one_by_one = [file.arrays(i)["score"].unpack() for i in ids]
            assert stack.channels["score"].tobytes() == np.concatenate(one_by_one).tobytes()

    @pytest.mark.parametrize("shape", ["2", "0", "1,4", "1,1,1", "-1", "x", "1e3", "9999999999999"])
    def test_a_shape_that_the_plan_does_not_allow(self, quarters, shape):
        (trial,) = self.write(quarters, {"score": np.array([2.0])})
        quarters.query("UPDATE array SET shape = ?", shape)
        with pytest.raises(StudyFileError, match="an array in the study file is damaged"):
            quarters.stacks([trial])

    @pytest.mark.parametrize("dtype", ["O", "|O8", "<U8", "raw <f16", "<f8,<f8", "", "raw ", "<M8"])
    def test_a_kind_of_number_that_is_not_stored(self, quarters, dtype):
        (trial,) = self.write(quarters, {"score": np.array([2.0])})
        quarters.query("UPDATE array SET dtype = ?", dtype)
        with pytest.raises(StudyFileError, match="it must be bytes of numbers"):
            quarters.stacks([trial])
