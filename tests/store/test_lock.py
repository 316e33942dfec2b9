"""One writer at a time, whatever a file is called."""

import os
import shutil

import pytest

from fairtrial.design import Study
from fairtrial.errors import StudyFileError
from fairtrial.results import read_study
from fairtrial.store import StudyFile, study_status
from fairtrial.store.paths import holder

STUDY = Study(datasets=["iris"], methods=["majority"], resampling="2-fold")


@pytest.fixture
def path(tmp_path):
    STUDY.run(tmp_path / "a.trial", workers=0, progress=False)
    return tmp_path / "a.trial"


class TestNames:
    @pytest.mark.slow
    def test_a_link_has_the_lock_of_the_file(self, path):
        link, folder = path.with_name("link.trial"), path.with_name("elsewhere")
        link.symlink_to(path.name)
        folder.symlink_to(path.parent)
        with StudyFile(link, write=True):
            assert path.with_name("a.trial.lock").exists()
            for name in (path, link, folder / "a.trial", folder / "link.trial"):
                with pytest.raises(StudyFileError, match=f"{name.name} is being written by process {os.getpid()} on"):
                    StudyFile(name, write=True)
                assert holder(name) is not None

    def test_what_is_in_the_log_is_read_through_a_link(self, path):
        link = path.with_name("link.trial")
        link.symlink_to(path)
        with StudyFile(path, write=True) as file:
            file.begin_session()  # into the log
            with StudyFile(link) as reader:
                assert len(reader.sessions()) == 2
                assert study_status(reader).holder is not None
        assert {p.name for p in path.parent.iterdir()} == {"a.trial", "link.trial"}

    def test_a_link_to_nothing_yet(self, tmp_path):
        (tmp_path / "link.trial").symlink_to(tmp_path / "new.trial")
        STUDY.run(tmp_path / "link.trial", workers=0, progress=False)
        assert len(read_study(tmp_path / "new.trial").scores) > 0

    def test_several_hard_links_are_read_but_not_written(self, path):
        other = path.with_name("other.trial")
        other.hardlink_to(path)
        for name in (path, other):
            assert read_study(name).verdict().sentence
            with pytest.raises(StudyFileError, match=rf"{name.name} can't be written: it has 2 names \(hard links\)"):
                StudyFile(name, write=True)
        other.unlink()
        StudyFile(path, write=True).close()

    def test_a_version_that_nobody_wrote(self, path):
        import sqlite3

        copied = shutil.copy(path, path.with_name("zero.trial"))
        db = sqlite3.connect(copied)
        db.execute("PRAGMA user_version = 0")
        db.close()
        with pytest.raises(StudyFileError, match="file version 0, which no fairtrial has written"):
            StudyFile(copied)
