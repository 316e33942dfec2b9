"""A file that was copied without its log: it says so, whoever reads it."""

import shutil
import sqlite3
from contextlib import closing

import pytest
from store_studies import TREE, eight_trials, record

import fairtrial as ft
from fairtrial.errors import StudyFileError
from fairtrial.store import StudyFile, check_file, log_verdict, merge_studies, study_status
from fairtrial.store import study_file as module
from fairtrial.store.connect import lost_log

WORDS = "it was not closed, and its log b.trial-wal, which may hold its last trials, is not beside it; copy both files"


def open_copy(file, to, *sides):
    """A copy of an open file, as after a kill; its side files only if they are named."""
    for side in ("", *sides):
        shutil.copy(f"{file.path}{side}", f"{to}{side}")
    return to


@pytest.fixture
def alone(file, tmp_path):
    """A copy that was made while the file was written, without its log."""
    file.begin_session()
    return open_copy(file, tmp_path / "b.trial")


class TestLostLog:
    def test_check_is_not_whole_and_says_what_to_copy(self, alone):
        found = check_file(alone)
        assert not found.is_whole
        assert str(found).startswith(f"{alone} is damaged: {WORDS} (cp study.trial study.trial-wal FOLDER)")
        assert "Take a copy" not in str(found)  # one remedy

    def test_reading_leaves_nothing_behind_that_would_hide_it(self, alone, tmp_path):
        before = alone.read_bytes()
        for _ in range(2):
            assert not check_file(alone).is_whole
            assert ft.read_study(alone).notes[-1].startswith("the study file is not whole: it was not closed")
            assert log_verdict(alone, {"measure": "accuracy"}, "x") is None
        assert alone.read_bytes() == before
        assert [p.name for p in tmp_path.iterdir() if p.name.startswith("b.")] == ["b.trial"]

    def test_status(self, alone):
        with StudyFile(alone) as copy:
            found = study_status(copy)
        assert f"not whole: {WORDS}" in " ".join(str(found).split())
        assert found.to_dict()["lost_log"].startswith(WORDS)

    def test_merge(self, ran, tmp_path, into):
        whole = ran("a")
        with StudyFile(ran("c", methods=TREE), write=True) as file:
            alone = open_copy(file, tmp_path / "b.trial")
        assert f"note: {alone} is not whole: {WORDS}" in str(merge_studies([whole, alone], into))
        assert check_file(into).is_whole

    def test_the_study_can_be_run_into_it(self, file, tmp_path):
        file.begin_session()
        alone = open_copy(file, tmp_path / "b.trial")
        eight_trials().study.run(alone, workers=0, progress=False)
        assert check_file(alone).is_whole

    def test_a_torn_copy_names_the_log_first(self, alone):
        alone.write_bytes(alone.read_bytes()[:-3000])
        assert [words in text for words, text in zip((WORDS, "cut off"), check_file(alone).damage, strict=True)] == [
            True,
            True,
        ]


class TestNotLost:
    def test_while_it_runs_and_after_a_good_end(self, file):
        file.begin_session()
        assert check_file(file.path).is_whole
        file.close()
        assert file.path.read_bytes()[18:20] == b"\1\1"
        assert check_file(file.path).is_whole

    def test_between_the_mark_and_the_first_page_of_the_log(self, file):
        """Whoever runs the file holds its lock; the log comes a moment later."""
        file.path.with_name("a.trial-wal").rename(file.path.with_name("aside"))
        assert not lost_log(file.path)
        file.path.with_name("aside").rename(file.path.with_name("a.trial-wal"))

    def test_with_its_log(self, file, tmp_path):
        file.begin_session()
        copy = open_copy(file, tmp_path / "b.trial", "-wal")
        assert check_file(copy).is_whole

    def test_noting_a_verdict_after_a_kill_closes_the_file(self, file, tmp_path):
        file.begin_session()
        copy = open_copy(file, tmp_path / "b.trial", "-wal")
        assert log_verdict(copy, {"measure": "accuracy"}, "x") is not None
        assert not copy.with_name("b.trial-wal").exists()
        assert check_file(copy).is_whole

    def test_an_anonymous_copy_of_a_file_that_is_open(self, file, tmp_path):
        from fairtrial.store import anonymous_copy

        file.begin_session()
        with StudyFile(file.path) as reader:
            assert check_file(anonymous_copy(reader, tmp_path / "blind.trial")).is_whole

    @pytest.mark.usefixtures("bound_by_permissions")
    def test_a_log_in_a_read_only_folder_is_not_passed_over(self, file, tmp_path):
        folder = tmp_path / "fixed"
        folder.mkdir()
        file.begin_session()
        copy = open_copy(file, folder / "b.trial", "-wal")
        folder.chmod(0o555)
        with pytest.raises(StudyFileError, match=r"its last trials are in b\.trial-wal, which needs a folder that can"):
            StudyFile(copy)
        folder.chmod(0o755)


class TestMerging:
    def count(self, path):
        with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as db:
            return db.execute("SELECT COUNT(*) FROM trial WHERE status = 'ok'").fetchone()[0]

    def test_the_log_is_merged_each_second(self, file, plan, monkeypatch):
        clock = iter([0.0, 0.0, 0.5, 1.0, 1.0])
        monkeypatch.setattr(module, "time", type("Clock", (), {"monotonic": staticmethod(lambda: next(clock))}))
        keys = [t.key for t in plan.trials()]
        file.begin_session()  # at 0
        file.append([record(keys[0])])  # at 0.5
        assert self.count(file.path) == 0
        file.append([record(keys[1])])  # at 1
        assert self.count(file.path) == 2
